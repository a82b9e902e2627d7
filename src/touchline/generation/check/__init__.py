"""Whether a commentary is true: its claims against the match log.

`check` looks at a whole commentary, `check_text` at one text that was written for known events.
`lexicon` has the words that claim something, `claims` finds them in a text, `reading` finds out
what each comment describes, with and without its names. `features` and `model` judge names and
whole comments, `rules` scores, outcomes and details.
"""

from touchline.generation.check.checking import check, check_alignment
from touchline.generation.check.rules import Rules
from touchline.generation.check.text import check_text
from touchline.generation.findings import Finding

__all__ = ["Finding", "Rules", "check", "check_alignment", "check_text"]
