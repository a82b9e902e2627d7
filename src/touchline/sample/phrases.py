"""Sentences about an invented match: phrases for what happens, and words that never end."""

from __future__ import annotations

import random

from .log import Event

# {a} does it, {b} is the other player of the record where there is one.
PHRASES: dict[str, tuple[str, ...]] = {
    "cross": ("{a} whips in a cross", "{a} swings the ball over", "a {w} delivery from {a}"),
    "corner": ("{a} takes the corner", "the corner comes in from {a}", "{a} with a {w} corner"),
    "free kick": ("{a} plays the free kick", "{a} with the free kick", "a {w} set piece by {a}"),
    "through": ("{a} slides it through to {b}", "{a} seeks the run of {b}", "a {w} ball to {b}"),
    "pass": ("{a} finds {b}", "{a} gives it to {b}", "{a} picks out {b} with a {w} ball"),
    "goal": ("GOAL! {a} scores", "{a} buries it", "it's in! a {w} finish from {a}"),
    "saved": ("{a} shoots and it is kept out", "{a} tests the goalkeeper", "a {w} effort by {a}"),
    "shot": ("{a} shoots wide", "{a} drags his shot past the post", "{a} tries a {w} strike"),
    "Goal Keeper": ("{a} gets down to save", "a {w} stop by {a}", "{a} gathers"),
    "Clearance": ("{a} clears", "{a} hooks it away", "a {w} clearance by {a}"),
    "Block": ("{a} throws himself in the way", "{a} blocks", "a {w} block from {a}"),
    "Foul Committed": ("foul by {a}", "{a} trips his man", "{a} is penalised for a {w} challenge"),
    "card": ("{a} goes into the book", "yellow card for {a}", "a booking for {a}, and a {w} one"),
    "Foul Won": ("{a} goes down and wins the free kick", "{a} is fouled", "{a} draws a {w} foul"),
    "Interception": ("{a} reads it", "{a} cuts it out", "a {w} interception by {a}"),
    "Dribble": ("{a} takes on his man", "{a} drops a shoulder", "a {w} run by {a}"),
    "Dispossessed": ("{a} is caught in possession", "{a} loses it", "{a} dwells on a {w} ball"),
    "Duel": ("{a} goes in for the tackle", "{a} contests it", "a {w} duel for {a}"),
    "Miscontrol": ("{a} lets it run under his foot", "a {w} touch by {a}", "{a} cannot control it"),
    "Offside": ("{a} is flagged offside", "the flag is up against {a}", "{a} mistimes a {w} run"),
    "Substitution": ("{a} makes way for {b}", "{b} replaces {a}", "a {w} change: {b} on, {a} off"),
    "Injury Stoppage": ("{a} stays down", "the physio is on for {a}", "a {w} knock for {a}"),
}  # fmt: skip
EMPTY = (
    "A {w} evening here, and the crowd is in good voice.",
    "Nothing much to report; a {w} spell of the game.",
    "Both benches are up, and it is all rather {w}.",
    "Still time for something {w}, says my neighbour, who is no {v}.",
)
JOINS = (", and {c}", ", but {c}", ". Then {c}", " before {c}", ", only for {c}")
ENDS = (
    "", ".", "!", ", which is {w}.", ". What a {v}!", " under {w} pressure.",
    ", to {w} applause.", ". The {v} would have liked that.", ", {w} and {w2}.",
)  # fmt: skip
# Of all comments, this share describes nothing, and this share two events that belong together.
NOTHING, PAIRS = 0.1, 0.45
# The share of words beyond rank r falls as r to minus this: new words never end.
TAIL = 0.3
_MAX_RANKS = 10**6


class Writer:
    """Writes comments on events of one match, none that has been `said` before."""

    def __init__(self, rng: random.Random, events: list[Event], said: set[str]) -> None:
        self.rng, self.events, self.said = rng, events, said
        self._place = {event["id"]: i for i, event in enumerate(events)}
        self.linkable = [i for i, event in enumerate(events) if self._worth_describing(event)]

    def comment(self, index: int) -> tuple[list[int], str]:
        """The events that are described, beginning with the one at `index`, and the text."""
        described = self._described(index)
        while True:
            text = self._text(described)
            if text not in self.said:
                self.said.add(text)
                return described, text

    def _worth_describing(self, event: Event) -> bool:
        """All but ordinary passes, of which some are."""
        kind = kind_of(event)
        return kind in PHRASES and (kind != "pass" or event["index"] % 40 == 0)

    def _described(self, index: int) -> list[int]:
        if self.rng.random() < NOTHING:
            return []
        related = [self._place.get(i, -1) for i in self.events[index].get("related_events", [])]
        after = [i for i in related if i > index and kind_of(self.events[i]) in PHRASES]
        return [index, after[0]] if after and self.rng.random() < PAIRS else [index]

    def _text(self, described: list[int]) -> str:
        words = {"w": self._word("y"), "w2": self._word("y"), "v": self._word("er")}
        if not described:
            return self.rng.choice(EMPTY).format(**words)
        text = self._clause(self.events[described[0]])
        for i in described[1:]:
            text += self.rng.choice(JOINS).format(c=self._clause(self.events[i]))
        text += self.rng.choice(ENDS).format(**words)
        return text[0].upper() + text[1:]

    def _clause(self, event: Event) -> str:
        other = event.get("pass", {}).get("recipient") or event.get("substitution", {}).get(
            "replacement"
        )
        names = {"a": self._called(event["player"]), "b": self._called(other) if other else "a man"}
        return self.rng.choice(PHRASES[kind_of(event)]).format(w=self._word("y"), **names)

    def _called(self, person: Event) -> str:
        """Mostly by their last name."""
        name: str = person["name"]
        return name if self.rng.random() < 0.2 else name.split()[-1]

    def _word(self, ending: str) -> str:
        """A word by its rank: few are common, and beyond any there are rarer ones."""
        rank = int(min(self.rng.random() ** (-1 / TAIL), _MAX_RANKS))
        letters = ""
        while rank:
            rank, digit = divmod(rank, len(_PARTS))
            letters += _PARTS[digit]
        return letters + ending


_PARTS = [
    c + v for c in "bl cr d fl gl m pl sn sw th v wr".split() for v in "ab im od um ent".split()
]


def kind_of(event: Event) -> str:
    """Which phrases are for an event."""
    name: str = event["type"]["name"]
    details = event.get(name.lower().replace(" ", "_"), {})
    if name == "Pass":
        if details.get("cross"):
            return "cross"
        kind = details.get("type", {}).get("name", "")
        if kind in ("Corner", "Free Kick"):
            return str(kind.lower())
        return "through" if details.get("through_ball") else "pass"
    if name == "Shot":
        return {"Goal": "goal", "Saved": "saved"}.get(details["outcome"]["name"], "shot")
    return "card" if name == "Foul Committed" and "card" in details else name
