"""Learning from labels: a log-linear layer that chooses among the likeliest sets of events."""
