"""A method, a feed and a kind of commentary for touchline, as an example."""
