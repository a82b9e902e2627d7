"""What happened and how it ended, in the same words for every feed.

Readers already call what StatsBomb also has by StatsBomb's names; this table joins the rest. A type
that is not here is of the kind `other`: it is never described.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from touchline.core.records import Event

SET_PIECES = {
    "corner": "corner", "free kick": "free kick", "penalty": "penalty", "throw-in": "throw-in",
    "throw in": "throw-in", "goal kick": "goal kick", "kick off": "kick-off",
    "kick-off": "kick-off",
}  # fmt: skip
_SHOTS = {
    "goal": "goal", "saved": "saved", "saved to post": "saved", "saved off target": "saved",
    "saved off t": "saved", "blocked": "blocked", "off t": "off", "off target": "off",
    "wayward": "off", "missed": "off", "miss": "off", "wide": "off", "post": "post",
    "woodwork": "post", "hit post": "post",
}  # fmt: skip
_CARDS = {
    "yellow card": "yellow", "yellow": "yellow", "second yellow": "second yellow",
    "second yellow card": "second yellow", "red card": "red", "red": "red",
}  # fmt: skip
_BODY = {"head": "head", "left foot": "left foot", "right foot": "right foot"}
_TECHNIQUES = {
    "volley": "volley", "half volley": "half-volley", "overhead kick": "overhead kick",
    "lob": "lob", "backheel": "backheel", "diving header": "diving header",
}  # fmt: skip
_SIMPLE = {
    "half start": "kick-off", "half end": "period end", "shot": "shot", "goal": "shot",
    "own goal against": "own goal", "own goal": "own goal", "own goal for": "own goal for",
    "foul committed": "foul", "foul": "foul", "foul won": "foul won",
    "bad behaviour": "booking", "card": "card record", "offside": "offside",
    "substitution": "substitution", "dribble": "dribble", "dribbled past": "dribbled past",
    "interception": "interception", "clearance": "clearance", "block": "block",
    "dispossessed": "dispossessed", "miscontrol": "miscontrol", "ball recovery": "recovery",
    "50/50": "loose ball", "goal keeper": "keeper", "goalkeeper": "keeper",
    "injury stoppage": "injury", "error": "error", "corner awarded": "corner award",
    "acceleration": "run", "shield": "shield", "player off": "player off",
    "player on": "player on", "injury time announcement": "added time",
    "referee ball-drop": "drop ball", "turnover": "turnover", "steal": "steal",
    "defense": "defence", "kick": "kick", "ballstopped": "stopped", "playmode": "play mode",
}  # fmt: skip
_WON = frozenset(["won", "success", "success in play", "success out", "complete",
                  "success to team", "success to opposition", "successful", "yes"])  # fmt: skip
_LOST = frozenset(["lost", "lost in play", "lost out", "incomplete", "failed", "unsuccessful"])
KINDS = frozenset(
    [
        *_SIMPLE.values(),
        *SET_PIECES.values(),
        "pass",
        "cross",
        "tackle",
        "aerial",
        "ground duel",
        "other",
    ]
)


class Kind(NamedTuple):
    """A kind and how it ended, where the log says so."""

    kind: str
    outcome: str | None = None


def kind_of(event: Event) -> Kind:
    """The kind and outcome of an event of any feed."""
    given, arguments = event.type.lower(), event.arguments
    outcome = arguments.get("outcome", "").lower()
    if event.type == "badPass":
        return Kind("pass", "incomplete")
    if given == "pass":
        return Kind(_pass_kind(arguments), _pass_outcome(outcome))
    if given == "duel":
        return _duel(arguments.get("kind", "").lower(), outcome)
    kind = _SIMPLE.get(given, "other")
    if kind == "shot":
        return Kind(kind, "goal" if given == "goal" else _SHOTS.get(outcome))
    if kind == "keeper":
        return Kind(kind, _keeper_outcome(arguments.get("kind", "").lower(), outcome))
    if kind == "interception":
        return Kind(kind, "lost" if outcome in _LOST else "won")
    return Kind(kind, _won_or_lost(outcome))


def _pass_kind(arguments: Mapping[str, str]) -> str:
    set_piece = set_piece_of(arguments)
    if set_piece in SET_PIECES.values():
        return str(set_piece)
    return "cross" if is_set(arguments, "cross") else "pass"


def _pass_outcome(outcome: str) -> str | None:
    """A pass without an outcome arrived, in every feed that writes those that did not."""
    known = {"": "complete", "complete": "complete", "incomplete": "incomplete", "out": "out",
             "pass offside": "offside", "offside": "offside"}  # fmt: skip
    return known.get(outcome)


def _duel(kind: str, outcome: str) -> Kind:
    if kind.startswith("aerial"):
        won = {"aerial won": "won", "aerial lost": "lost"}.get(kind)
        return Kind("aerial", won or _won_or_lost(outcome))
    return Kind("tackle" if kind == "tackle" else "loose ball", _won_or_lost(outcome))


def _won_or_lost(outcome: str) -> str | None:
    return "won" if outcome in _WON else "lost" if outcome in _LOST else None


def _keeper_outcome(kind: str, outcome: str) -> str | None:
    """What became of the ball; a pick-up or a catch is held."""
    if kind.startswith("punch") or outcome == "punched out":
        return "punched" if outcome not in _LOST else None
    collected = kind == "collected" and outcome == "success"
    if outcome in ("claim", "collected twice") or kind == "keeper pick-up" or collected:
        return "held"
    if outcome in ("in play safe", "in play danger", "in play", "touched out", "saved twice"):
        return "parried"
    return "missed" if outcome in ("no touch", "fail", "touched in") else None


def set_piece_of(arguments: Mapping[str, str]) -> str | None:
    """The set piece that an event is, `open play` where the feed says that it is none."""
    given = arguments.get("set_piece")
    if given is None:
        return None
    return SET_PIECES.get(given.lower(), "open play")


def is_set(arguments: Mapping[str, str], *names: str) -> bool:
    """Whether the feed sets one of these flags."""
    return any(arguments.get(name, "").lower() in ("yes", "true", "1") for name in names)


def card_of(event: Event) -> str | None:
    """The card that an event's player is shown."""
    return _CARDS.get(event.arguments.get("card", "").lower())


def body_of(event: Event) -> str | None:
    """The part of the body that played the ball, where it is one that is worth a word."""
    return _BODY.get(event.arguments.get("body_part", "").lower())


def technique_of(event: Event) -> str | None:
    """A volley and the like."""
    return _TECHNIQUES.get(event.arguments.get("technique", "").lower())


def pass_word(event: Event) -> str | None:
    """What sort of pass it was, in one word; Wyscout also marks duels that set up a shot."""
    arguments = event.arguments
    if event.type != "Pass":
        return "header" if kind_of(event).kind == "aerial" else None
    set_piece = set_piece_of(arguments)
    if set_piece in ("corner", "free kick", "throw-in", "goal kick"):
        return str(set_piece)
    if is_set(arguments, "through_ball") or arguments.get("technique") == "Through Ball":
        return "through ball"
    if is_set(arguments, "cut_back"):
        return "cut-back"
    if is_set(arguments, "cross"):
        return "cross"
    if body_of(event) == "head":
        return "header"
    return "pass"
