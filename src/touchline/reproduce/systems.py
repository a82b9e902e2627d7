"""The systems of the paper's tables: under which name, with which options, in which protocol."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from touchline.core.errors import UsageError
from touchline.methods.registry import DEFAULT, make_aligner
from touchline.reproduce.readings import robocup_readings

PAPER = "pairrank:paper"
LISTS_ONLY = f"{DEFAULT}, lists only"
NARROW = f"{DEFAULT}, 150 s"
ABLATIONS = ("pairrank-euclidean", "pairrank-cosine", "pairrank-votes")


class System(msgspec.Struct, frozen=True):
    """A method as it is run in a protocol; `name` is what tables call it."""

    name: str
    method: str
    settings: dict[str, Any] = {}
    reading: bool = False  # of the paper's text, for a table of its own


# The paper's claim is about learning without labels, and so is every row of its tables.
UNLABELLED = {DEFAULT: f"{DEFAULT}:unlabelled"}
_BASELINES = ["random", "named", "named-nearest", "named-rarest"]
_BORDES = ["bordes2010", "bordes2010:always"]
_PAPERS = [PAPER, "pairrank:paper-printed", "pairrank:paper-plus", *ABLATIONS]  # fmt: skip
_METHODS = {
    "robocup": [*_BASELINES, "chen2008", "chen2010", "liang2009", "hajishirzi2011", *_BORDES,
                "mi-svm", "mi-svm-bag", *_PAPERS, DEFAULT],
    # Hajishirzi 2011 knows the rules of RoboCup's events and of no others.
    "pro": [*_BASELINES, "chen2008", "chen2010", "liang2009", "koncel2014", *_BORDES, "mi-svm",
            "mi-svm-bag", *_PAPERS, DEFAULT],
}  # fmt: skip
# Ours: a step that may answer "no event", to stand beside the paper's figure with such a step.
_SILENCE = {"silence": "consensus", "players": "all", "strings": "binary"}


def systems(protocol: str, wanted: Sequence[str] = ()) -> list[System]:
    """Every system of a protocol, or those that are asked for by name, `NAME` or `NAME:PRESET`."""
    known = {method: _system(protocol, method) for method in _METHODS[protocol]}
    if protocol == "robocup":
        name = f"{PAPER}+silence"
        known[name] = System(name, PAPER, {**_settings(protocol, PAPER), **_SILENCE})
        # The same buckets as the other systems: what `chains` adds to them was found in the labels.
        known[LISTS_ONLY] = System(LISTS_ONLY, UNLABELLED[DEFAULT], {"without": "usual_lag"})
    else:
        # The same again: its own buckets are twice as wide.
        known[NARROW] = System(NARROW, UNLABELLED[DEFAULT], {"window": 150})
    if not wanted:
        return list(known.values())
    return [known.get(method) or _system(protocol, method) for method in dict.fromkeys(wanted)]


def readings() -> list[System]:
    """Every reading of the paper's text as a system of the RoboCup protocol."""
    base = _settings("robocup", PAPER)
    return [
        System(name, PAPER, {**base, **settings}, reading=True)
        for name, settings in robocup_readings()
    ]


def _system(protocol: str, method: str) -> System:
    settings = _settings(protocol, method)
    if method.endswith(":labels"):
        raise UsageError(f"{method} is not in the paper's tables: they have no labels")
    unlabelled = UNLABELLED.get(method, method)
    make_aligner(unlabelled, settings)  # says so when there is no such method
    return System(method, unlabelled, settings)


def _settings(protocol: str, method: str) -> dict[str, Any]:
    """A comment of RoboCup describes at most one event, and Liang et al. learned in ten rounds."""
    if protocol != "robocup":
        return {}
    if method.startswith("pairrank"):
        return {"k": 1}
    return {"rounds": 10} if method == "liang2009" else {}
