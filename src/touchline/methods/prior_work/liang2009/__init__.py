"""Liang, Jordan & Klein 2009: a hidden semi-Markov model."""
