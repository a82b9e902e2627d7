"""Labels from an outside annotator: a command that is asked about one comment at a time."""
