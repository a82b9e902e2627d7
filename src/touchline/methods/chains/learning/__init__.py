"""Expectation-maximisation over any number of matches."""
