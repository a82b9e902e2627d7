"""Damaged files for every reader: `python -m fuzzing` (or `make fuzz`).

`seeds` are small good files, `mutations` damage them, `cases` say who reads them, and the runner
counts what comes out: something read, or one of touchline's own errors. Anything else is a find.
"""
