"""Facts in words. Each slot says only what the facts beside it show, and nothing where they do not.

`SLOTS` has for each slot the facts that its words claim, so that a phrase's claims can be listed.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from touchline.generation.facts.chains import Chain
from touchline.generation.facts.match import MatchFacts
from touchline.generation.facts.records import Score
from touchline.generation.wording.grammar import possessive

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_SIDES = {"left": "on the left", "right": "on the right"}
_INTO = {
    "bottom left": ("into the bottom left corner", "low into the left corner"),
    "bottom right": ("into the bottom right corner", "low into the right corner"),
    "top left": ("into the top left corner", "high into the left corner"),
    "top right": ("into the top right corner", "high into the right corner"),
    "left": ("into the left side of the goal",),
    "right": ("into the right side of the goal",),
    "low": ("low into the middle of the goal",),
    "high": ("high into the middle of the goal",),
    "centre": ("into the middle of the goal", "down the middle"),
}
_AT = {
    "bottom left": "in the bottom left corner", "bottom right": "in the bottom right corner",
    "top left": "in the top left corner", "top right": "in the top right corner",
    "left": "on the left side of the goal", "right": "on the right side of the goal",
    "low": "low in the middle of the goal", "high": "high in the middle of the goal",
    "centre": "in the middle of the goal",
}  # fmt: skip
_MISS = {
    "wide left": ("wide of the left post", "wide to the left"),
    "wide right": ("wide of the right post", "wide to the right"),
    "over": ("over the bar", "over the crossbar"),
}
_DELIVERY = {
    "corner": "corner", "free kick": "free kick", "throw-in": "throw-in", "cross": "cross",
    "cut-back": "cut-back", "through ball": "through ball", "header": "header", "pass": "pass",
    "goal kick": "goal kick",
}  # fmt: skip
_TECHNIQUE = {
    "volley": "on the volley", "half-volley": "on the half-volley",
    "overhead kick": "with an overhead kick", "backheel": "with a backheel",
    "lob": "with a lob", "diving header": "with a diving header",
}  # fmt: skip


# The middle of the box is so many yards from goal at most.
MIDDLE = 15
# Up to so many yards from goal, the distance of a foul is worth a word.
NEAR_GOAL = 35
# Those who play with, or past, the player that a line is about.
_MATES = frozenset(["assist", "first", "beaten", "recipient", "opponent", "run", "team_mate"])


class View:
    """A chain as phrases see it: its facts, and a choice among words that is the same each time."""

    def __init__(self, facts: MatchFacts, chain: Chain, seed: int) -> None:
        self.facts, self.chain, self.seed = facts, chain, seed
        self.known: dict[str, Any] = dict(chain.known)
        self.known.setdefault("foot", self.known.get("body") in ("left foot", "right foot") or None)
        self.known["named"] = self.known.get("player") is not None or None
        if self.known.get("player") is None:  # a team plays no passes to itself
            self.known = {name: known for name, known in self.known.items() if name not in _MATES}
        self.known["robocup"] = facts.match.provider == "robocup" or None
        self._filled: dict[str, str | None] = {}

    @property
    def plural(self) -> bool:
        """Whether a team stands where a player would."""
        return self.known.get("player") is None

    def pick(self, words: Sequence[str], salt: str = "") -> str:
        """One of several ways to say the same."""
        mark = f"{self.seed}|{self.chain.head.id}|{salt}"
        return words[zlib.crc32(mark.encode()) % len(words)]

    def fill(self, name: str) -> str | None:
        """The words for a slot."""
        if name not in self._filled:
            self._filled[name] = SLOTS[name].words(self)
        return self._filled[name]

    def number(self, value: int) -> str:
        """A small number as a word."""
        return _NUMBERS[value] if value < len(_NUMBERS) else str(value)

    def score(self) -> Score | None:
        """The score after the chain's head."""
        score: Score | None = self.known.get("after")
        return score

    def scoring_side(self) -> int | None:
        """The side that a goal is for."""
        return self.facts.scoring.scoring_side(self.chain.head.event)

    def side_name(self, side: int | None) -> str | None:
        """A team by its place in the match."""
        if side is None or len(self.facts.match.teams) != 2:
            return None
        return self.facts.names.team(self.facts.match.teams[side])


class SlotKind(NamedTuple):
    """How a slot is filled, and which facts its words claim."""

    words: Callable[[View], str | None]
    claims: tuple[str, ...]


def _fact(name: str) -> SlotKind:
    return SlotKind(lambda view: view.known.get(name), (name,))


def _player(view: View) -> str | None:
    return view.known.get("player") or view.known.get("team")


def _player_of(view: View) -> str | None:
    """The player with the team in brackets, as live pages introduce them."""
    player, team = view.known.get("player"), view.known.get("team")
    if player is None or team is None or player.endswith(f"({team})"):
        return player or team
    return f"{player} ({team})"


def _place(view: View) -> str | None:
    """Where a shot comes from."""
    area, yards = view.known.get("area"), view.known.get("distance")
    if area is None or yards is None:
        return None
    return view.pick(_places(view, str(area), int(yards)), "place")


def _places(view: View, area: str, yards: int) -> list[str]:
    side = view.known.get("side")
    if area == "six-yard box":
        return ["from inside the six-yard box", "from close range"]
    if view.known.get("tight"):
        return ["from a tight angle", f"from a tight angle on the {side}"] if side in _SIDES else [
            "from a tight angle"]  # fmt: skip
    if area == "box":
        if side in _SIDES:
            return [f"from the {side} side of the box", f"from inside the box on the {side}"]
        middle = ["from the middle of the box"] if _is_middle(view, yards) else []
        return [f"from {yards} yards", "from inside the box", *middle]
    if area == "edge of the box":
        return ["from the edge of the box", f"from {yards} yards"]
    if yards >= 30:
        return [f"from {yards} yards", "from long range"]
    return [f"from {yards} yards", f"from {yards} yards out", "from outside the box"]


def _is_middle(view: View, yards: int) -> bool:
    """The middle of the box is between the posts of the six-yard box and not at the box's edge."""
    return bool(view.known.get("central")) and yards <= MIDDLE


def _into(view: View) -> str | None:
    words = _INTO.get(view.known.get("target", ""))
    return view.pick(words, "into") if words else None


def _at(view: View) -> str | None:
    return _AT.get(view.known.get("target", ""))


def _miss(view: View) -> str | None:
    words = _MISS.get(view.known.get("target", ""))
    if words is None:
        return None
    just = "just " if view.known.get("narrow") else ""
    return just + view.pick(words, "miss")


def _frame(view: View) -> str | None:
    return {"left post": "the left post", "right post": "the right post", "bar": "the bar"}.get(
        view.known.get("target", "")
    )


def _delivery(view: View) -> str | None:
    assist, kind = view.known.get("assist"), view.known.get("assist_kind")
    word = _DELIVERY.get(kind or "")
    return f"{possessive(assist, plural=False)} {word}" if assist and word else None


def _technique(view: View) -> str | None:
    return _TECHNIQUE.get(view.known.get("technique", ""))


def _foot(view: View) -> str | None:
    """The foot that shoots; a team that stands for a nameless player has none."""
    if view.plural:
        return None
    body = view.known.get("body")
    return f"with the {body}" if body in ("left foot", "right foot") else None


def _score(view: View) -> str | None:
    score, names = view.score(), [view.side_name(0), view.side_name(1)]
    if score is None or None in names:
        return None
    return f"{names[0]} {score[0]}-{score[1]} {names[1]}"


def _figures(view: View) -> str | None:
    """The score as the scoring, or leading, side would say it: 2-1, its own goals first."""
    score, side = view.score(), view.scoring_side()
    if score is None:
        return None
    ours = side if side is not None else 0 if score[0] >= score[1] else 1
    return f"{score[ours]}-{score[1 - ours]}"


def _leader(view: View, leading: bool) -> str | None:
    score = view.score()
    if score is None or score[0] == score[1]:
        return None
    ahead = 0 if score[0] > score[1] else 1
    return view.side_name(ahead if leading else 1 - ahead)


def _margin(view: View) -> str | None:
    margin = view.known.get("margin")
    return view.number(margin) if margin else None


def _behind(view: View) -> str | None:
    behind = view.known.get("comeback")
    if not behind:
        return None
    return f"{view.number(behind)} goal{'s' if behind > 1 else ''} down"


def _reply(view: View) -> str | None:
    minutes = view.known.get("reply")
    if not minutes:
        return None
    return "a minute" if minutes == 1 else f"{view.number(minutes)} minutes"


def _spot(view: View) -> str | None:
    """Where a foul gives a free kick, seen by the team that gets it."""
    area, side = view.known.get("spot_area"), view.known.get("spot_side")
    yards = view.known.get("spot_distance")
    if area is None or yards is None:
        return None
    if area == "edge of the box":
        return view.pick(["on the edge of the box", f"{yards} yards from goal"], "spot")
    wide = _SIDES.get(side or "")
    if area == "final third":
        if yards <= NEAR_GOAL and wide is None:
            return f"{yards} yards from goal"
        where = "in the final third"
        return f"{wide} {where}" if wide else where
    if area == "midfield":
        return f"{wide} in midfield" if wide else "in midfield"
    if area == "own third":
        return view.pick(["far from goal", "a long way from goal", "well away from goal"], "spot")
    return None


def _scene(view: View) -> str | None:
    """Where a foul is, in words that mean the same for both teams: no side, no third of the pitch.

    A line that begins with the player who fouls cannot give the place as the other team sees it.
    """
    area, team, opponents = (view.known.get(name) for name in ("spot_area", "team", "opponents"))
    if area == "own third":
        return f"deep in the {opponents} half" if opponents else None
    spot = _spot(view)
    if area == "final third" and spot is not None and "yards" not in spot:
        own = "their own" if view.plural else f"the {team}"
        return f"deep in {own} half" if team else None
    return "in midfield" if area == "midfield" else spot


def _where(view: View) -> str | None:
    """The part of the pitch, seen by the acting team."""
    area, side = view.known.get("area"), view.known.get("side")
    wide = _SIDES.get(side or "")
    if area in ("box", "six-yard box"):
        return "in the box"
    if area == "edge of the box":
        return "on the edge of the box"
    if area == "final third":
        return f"{wide} in the final third" if wide else "in the final third"
    if area == "midfield":
        return f"{wide} in midfield" if wide else "in midfield"
    if area == "own box":
        return view.pick(["inside the box", "in the box"], "where")
    if area == "own third":
        return f"deep {wide}" if wide else "deep in defence"
    return None


def _side(view: View) -> str | None:
    return _SIDES.get(view.known.get("side", ""))


def _wing(view: View) -> str | None:
    side = view.known.get("side")
    return side if side in _SIDES else None


def _nth(name: str) -> SlotKind:
    words = {1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth", 6: "sixth"}
    return SlotKind(lambda view: words.get(view.known.get(name) or 0), (name,))


def _taken(view: View) -> str | None:
    """The ball that a goalkeeper takes, by whom it was played."""
    passer, word = view.known.get("passer"), _DELIVERY.get(view.known.get("taken", ""))
    if passer is None or word is None:
        return None
    return f"{possessive(passer, plural=False)} {word}"


def _length(view: View) -> str | None:
    length = view.known.get("length")
    if length is None or length < 25:
        return None
    return f"{'an' if str(length).startswith('8') else 'a'} {length}-yard"


def _scoring(view: View) -> str | None:
    return view.side_name(view.scoring_side())


def _conceding(view: View) -> str | None:
    side = view.scoring_side()
    return view.side_name(None if side is None else 1 - side)


def _team(view: View) -> str | None:
    return view.known.get("team")


def _reason(view: View) -> str | None:
    return _REASONS.get(view.known.get("reason", "").lower())


def _card(view: View) -> str | None:
    return {"yellow": "yellow", "second yellow": "second yellow", "red": "red"}.get(
        view.known.get("card", "")
    )


_REASONS = {
    "argument": "for dissent", "referee abuse": "for dissent", "protest": "for dissent",
    "violent conduct": "for violent conduct", "time wasting": "for time-wasting",
    "excessive celebration": "for the celebration",
}  # fmt: skip


SLOTS: dict[str, SlotKind] = {
    "player": SlotKind(_player, ("player", "team")),
    "player of": SlotKind(_player_of, ("player", "team")),
    "team": SlotKind(_team, ("team",)),
    **{name: _fact(name) for name in (
        "opponents", "keeper", "blocker", "fouled", "fouler", "assist", "replacement", "recipient",
        "team_mate", "opponent", "challenger", "first", "beaten", "ender", "interceptor", "winner",
        "restart_team", "number",
    )},
    "place": SlotKind(_place, ("area", "distance", "side", "tight", "central")),
    "into": SlotKind(_into, ("target",)),
    "at": SlotKind(_at, ("target",)),
    "miss": SlotKind(_miss, ("target", "narrow")),
    "frame": SlotKind(_frame, ("target",)),
    "delivery": SlotKind(_delivery, ("assist", "assist_kind")),
    "technique": SlotKind(_technique, ("technique",)),
    "foot": SlotKind(_foot, ("body",)),
    "score": SlotKind(_score, ("after",)),
    "figures": SlotKind(_figures, ("after",)),
    "leader": SlotKind(lambda view: _leader(view, True), ("after",)),
    "trailing": SlotKind(lambda view: _leader(view, False), ("after",)),
    "margin": SlotKind(_margin, ("margin",)),
    "behind": SlotKind(_behind, ("comeback",)),
    "reply": SlotKind(_reply, ("reply",)),
    "spot": SlotKind(_spot, ("spot_area", "spot_side", "spot_distance")),
    "scene": SlotKind(_scene, ("spot_area", "spot_distance", "team", "opponents")),
    "where": SlotKind(_where, ("area", "side")),
    "side": SlotKind(_side, ("side",)),
    "wing": SlotKind(_wing, ("side",)),
    "nth change": _nth("change"),
    "nth booking": _nth("booking"),
    "taken": SlotKind(_taken, ("passer", "taken")),
    "length": SlotKind(_length, ("length",)),
    "scoring": SlotKind(_scoring, ("after",)),
    "conceding": SlotKind(_conceding, ("after",)),
    "passer": _fact("passer"),
    "shooter": _fact("shooter"),
    "home": SlotKind(lambda view: view.side_name(0), ()),
    "away": SlotKind(lambda view: view.side_name(1), ()),
    "card": SlotKind(_card, ("card",)),
    "reason": SlotKind(_reason, ("reason",)),
}  # fmt: skip
