"""Labels, gold files and agreement."""
