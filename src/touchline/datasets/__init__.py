"""Where real matches and commentary come from, under which terms, and how to check a folder."""
