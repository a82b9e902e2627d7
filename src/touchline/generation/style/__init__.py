"""A voice learned from a user's own corpus.

`templates` turns linked comments into texts with slots and the facts that must agree, `words` knows
which words a log can confirm, `file` reads and writes a style, `learning` makes one from linked
commentary, `worder` writes lines with it. A style holds sentences of the corpus that it was learned
from: it is the user's own, and stays with the user.
"""
