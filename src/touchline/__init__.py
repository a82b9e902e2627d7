"""touchline links every line of football commentary to the events of the match log it tells.

>>> import touchline
>>> match = touchline.read_match("events.json", "live.txt", lineups=["lineups.json"])
>>> links = touchline.align(match)
"""

__version__ = "0.1.0"

from touchline.aligners import load_aligner, make_aligner
from touchline.api import align, read_match
from touchline.commentary import read_comments
from touchline.corpus import read_corpus
from touchline.errors import InputError, TouchlineError
from touchline.evaluation import evaluate
from touchline.feeds import read_events
from touchline.match import Comment, CommentLinks, Event, Link, Links, Match, Player, Role, Team
from touchline.names import Mention, NameFinder
from touchline.output import read_links, write_links

__all__ = [
    "Comment",
    "CommentLinks",
    "Event",
    "InputError",
    "Link",
    "Links",
    "Match",
    "Mention",
    "NameFinder",
    "Player",
    "Role",
    "Team",
    "TouchlineError",
    "__version__",
    "align",
    "evaluate",
    "load_aligner",
    "make_aligner",
    "read_comments",
    "read_corpus",
    "read_events",
    "read_links",
    "read_match",
    "write_links",
]
