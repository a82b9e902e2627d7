"""The systems that the paper compares with, each from its own paper."""
