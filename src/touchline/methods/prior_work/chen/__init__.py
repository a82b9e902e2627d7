"""Chen & Mooney 2008 and Chen, Kim & Mooney 2010."""
