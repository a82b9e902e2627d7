"""The paper's tables and figures, published numbers beside ours."""
