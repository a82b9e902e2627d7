"""Which words of a comment describe each event that it is linked to."""
