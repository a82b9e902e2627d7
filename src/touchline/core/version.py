"""The version of touchline."""

__version__ = "0.1.0"
