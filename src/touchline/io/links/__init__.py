"""Links on disk, one module per format, with their origin beside them."""
