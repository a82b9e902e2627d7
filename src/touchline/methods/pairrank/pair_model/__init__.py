"""PairModel (section 3.1 of the paper) and its twins."""
