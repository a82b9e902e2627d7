"""Words, and who is named in them."""
