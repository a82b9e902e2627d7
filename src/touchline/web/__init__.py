"""The server behind `touchline serve`: matches, labels, search, all through a JSON API."""
