"""The queue of matches to align, and the processes that do it."""
