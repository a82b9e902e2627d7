"""`chains`, the default: each comment is explained by a run of neighbouring events, or by none."""
