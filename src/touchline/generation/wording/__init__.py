"""Our own phrases, and the choice among them.

A phrase is data: a text with slots, and the facts that must hold before it may be said
(`grammar`). `slots` turns facts into words, `phrases/` is the table, `writer` chooses a phrase for
a chain of events so that none comes again within 15 lines.
"""

from touchline.generation.wording.writer import Wording, Writer

__all__ = ["Wording", "Writer"]
