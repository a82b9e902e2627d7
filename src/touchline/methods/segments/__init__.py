"""Which words of a comment describe which of its events: the parts that methods share."""
