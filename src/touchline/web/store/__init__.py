"""What the server keeps: the database, the index and the match folders."""
