"""Mutants: small mistakes that a programmer could make, each of which some test must notice.

`python -m mutants` puts each mistake of `mutants/listed.py` into a copy of the package and runs the
tests that should fail then. A mutant that survives shows a test that cannot fail.
"""
