"""touchline links every line of football commentary to the events of the match log it tells.

>>> import touchline
>>> match = touchline.read_match("events.json", "live.txt", lineups=["lineups.json"])
>>> links = touchline.align(match)

What this module exports is the public interface. Names are loaded when they are first used, so
that `touchline --version` need not load numpy.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from touchline.aligners import load_aligner, make_aligner
    from touchline.api import align, read_match
    from touchline.commentary import read_comments
    from touchline.corpus import read_corpus
    from touchline.errors import InputError, TouchlineError, TouchlineWarning, UsageError
    from touchline.evaluation import evaluate
    from touchline.feeds import from_kloppy, read_events
    from touchline.match import (
        Comment,
        CommentLinks,
        Event,
        Kickoff,
        Link,
        Links,
        Match,
        Phase,
        Player,
        Role,
        Team,
    )
    from touchline.names import Mention, NameFinder
    from touchline.output import Origin, read_links, write_links

_HOMES = {
    "touchline.aligners": ["load_aligner", "make_aligner"],
    "touchline.api": ["align", "read_match"],
    "touchline.commentary": ["read_comments"],
    "touchline.corpus": ["read_corpus"],
    "touchline.errors": ["InputError", "TouchlineError", "TouchlineWarning", "UsageError"],
    "touchline.evaluation": ["evaluate"],
    "touchline.feeds": ["from_kloppy", "read_events"],
    "touchline.match": [
        "Comment", "CommentLinks", "Event", "Kickoff", "Link", "Links", "Match", "Phase", "Player",
        "Role", "Team",
    ],
    "touchline.names": ["Mention", "NameFinder"],
    "touchline.output": ["Origin", "read_links", "write_links"],
}  # fmt: skip
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "Comment",
    "CommentLinks",
    "Event",
    "InputError",
    "Kickoff",
    "Link",
    "Links",
    "Match",
    "Mention",
    "NameFinder",
    "Origin",
    "Phase",
    "Player",
    "Role",
    "Team",
    "TouchlineError",
    "TouchlineWarning",
    "UsageError",
    "__version__",
    "align",
    "evaluate",
    "from_kloppy",
    "load_aligner",
    "make_aligner",
    "read_comments",
    "read_corpus",
    "read_events",
    "read_links",
    "read_match",
    "write_links",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'touchline' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
