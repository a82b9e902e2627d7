"""PairRank and its twin: how popular a pair is, and the macro-events that follow."""
