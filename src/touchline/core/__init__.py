"""The records that everything else speaks in, and what they need: clocks, pitch, errors."""
