"""The models that come with touchline."""
