"""The way from files to links: one match, a live match, a corpus on many cores."""
