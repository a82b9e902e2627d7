"""touchline links every line of football commentary to the events of the match log it describes.

>>> import touchline
>>> match = touchline.read_match("events.json", "live.txt", lineups=["lineups.json"])
>>> links = touchline.align(match)

What this module exports is the public interface. Names are loaded when they are first used, so
that `touchline --version` need not load numpy.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from touchline.core.version import __version__

if TYPE_CHECKING:
    from touchline.core.errors import InputError, TouchlineError, TouchlineWarning, UsageError
    from touchline.core.links import CommentLinks, Link, Links, Phase
    from touchline.core.records import Comment, Event, Kickoff, Match, Player, Role, Team
    from touchline.evaluation import Evaluation, evaluate
    from touchline.generation.check import Finding, check
    from touchline.generation.commentary import Commentary, Line
    from touchline.generation.generate import generate
    from touchline.io.commentary import read_comments
    from touchline.io.corpus.layout import read_corpus
    from touchline.io.dataset.manifest import Dataset
    from touchline.io.feeds import from_kloppy, read_events
    from touchline.io.feeds.frames import from_spadl, from_statsbombpy
    from touchline.io.links.jsonl import read_links
    from touchline.io.links.origin import Origin
    from touchline.methods.base import Aligner, Alignment, Options
    from touchline.methods.registry import load_aligner, make_aligner
    from touchline.pipeline.align import align
    from touchline.pipeline.annotate.run import Annotation, annotate
    from touchline.pipeline.read import read_match
    from touchline.report.formats import write_links
    from touchline.text.names import Mention, NameFinder

_HOMES = {
    "touchline.methods.registry": ["load_aligner", "make_aligner"],
    "touchline.methods.base": ["Aligner", "Alignment", "Options"],
    "touchline.pipeline.align": ["align"],
    "touchline.pipeline.annotate.run": ["Annotation", "annotate"],
    "touchline.pipeline.read": ["read_match"],
    "touchline.io.commentary": ["read_comments"],
    "touchline.io.corpus.layout": ["read_corpus"],
    "touchline.io.dataset.manifest": ["Dataset"],
    "touchline.core.errors": ["InputError", "TouchlineError", "TouchlineWarning", "UsageError"],
    "touchline.evaluation": ["Evaluation", "evaluate"],
    "touchline.generation.check": ["Finding", "check"],
    "touchline.generation.commentary": ["Commentary", "Line"],
    "touchline.generation.generate": ["generate"],
    "touchline.io.feeds": ["from_kloppy", "read_events"],
    "touchline.io.feeds.frames": ["from_spadl", "from_statsbombpy"],
    "touchline.core.records": [
        "Comment", "Event", "Kickoff", "Match", "Player", "Role", "Team",
    ],
    "touchline.core.links": ["CommentLinks", "Link", "Links", "Phase"],
    "touchline.text.names": ["Mention", "NameFinder"],
    "touchline.io.links.jsonl": ["read_links"],
    "touchline.io.links.origin": ["Origin"],
    "touchline.report.formats": ["write_links"],
}  # fmt: skip
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "Aligner",
    "Alignment",
    "Annotation",
    "Comment",
    "CommentLinks",
    "Commentary",
    "Dataset",
    "Evaluation",
    "Event",
    "Finding",
    "InputError",
    "Kickoff",
    "Line",
    "Link",
    "Links",
    "Match",
    "Mention",
    "NameFinder",
    "Options",
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
    "annotate",
    "check",
    "evaluate",
    "from_kloppy",
    "from_spadl",
    "from_statsbombpy",
    "generate",
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
