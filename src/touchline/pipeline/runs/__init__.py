"""Work on many matches: on all cores, on a cluster, interrupted and gone on with."""
