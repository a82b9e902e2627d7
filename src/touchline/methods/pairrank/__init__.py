"""`pairrank`: the method of the paper."""
