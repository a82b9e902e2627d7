"""Live matches: comments are linked as they arrive, and again when more is known.

`sources` follows the files, `session` keeps the match and decides what has to be answered,
`running` joins them: input that came in, answers that go out.
"""
