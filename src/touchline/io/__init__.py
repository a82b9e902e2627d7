"""Files in and out: feeds, commentary, corpora, links, models."""
