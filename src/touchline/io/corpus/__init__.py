"""A corpus folder: match folders with a log, a commentary and, where there are some, labels."""
