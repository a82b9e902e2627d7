"""For the type check of the JavaScript (`make lint-js`): the records that Python sends it."""
