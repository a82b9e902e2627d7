"""PairRank (sections 3.2 and 3.3 of the paper): the graph, the iteration, macro-events."""
