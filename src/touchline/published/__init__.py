"""Parts of the systems that were published before the paper and are compared with it."""
