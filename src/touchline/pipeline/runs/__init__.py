"""Work on many matches: on all cores or on a cluster, resumable after interruption."""
