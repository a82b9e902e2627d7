"""The chains model: which run of neighbouring events, if any, best explains a comment."""
