"""Wyscout v2: a match, or the file of a whole season."""
