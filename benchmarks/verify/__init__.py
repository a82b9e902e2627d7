"""Verify generated commentary against the provider's file, independently of touchline.

Nothing here imports touchline's readers, its facts, its phrases or its `check`: a mistake in any of
them has to show. `feeds` reads the files, `shots` and `play` hold what a line says to the records,
`verifier` adds names and the score, and `matches` runs `touchline generate` on every log at hand.
"""
