"""Speech in a recording as text with word times, which `align` reads like any transcript."""
