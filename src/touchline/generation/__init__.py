"""Commentary from a match log: what to describe, in which words, and whether a text is true.

`facts` holds what the log knows about an event, `selection` which events are worth a line,
`wording` our own phrases, `style` templates of a user's own corpus and `check` the claims of a
text against the log. No method that links comments depends on this package.
"""
