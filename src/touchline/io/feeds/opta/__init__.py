"""Opta F24 and F7, and what the other feeds of its family share."""
