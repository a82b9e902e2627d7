"""Pairs of a sentence and an event, and the features of both."""
