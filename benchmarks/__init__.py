"""Speed, memory and accuracy on the bundled and on real matches: python -m benchmarks.NAME."""

import os

# Processor seconds of several threads would add up, to the disadvantage of whatever uses them.
# It must be set before numpy is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
