"""Methods that link comments to events: a module or folder each, found through the registry."""
