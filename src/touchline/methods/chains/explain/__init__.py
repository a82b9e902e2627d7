"""Why a comment is linked as it is, and what a model has learned."""
