"""`koncel2014`: segments of a comment and events of the log, aligned together."""
