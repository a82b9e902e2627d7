"""Models that come with touchline; `make model` makes them."""
