"""PairModel and its twins: how alike two pairs are."""
