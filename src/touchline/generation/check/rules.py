"""Claims of a comment against the facts of the log: the score, how a shot ended, its details.

Each rule yields what is wrong with the words that say it. A fact that the log does not have is
never held against a text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from touchline.core.records import Event, Match, Player
from touchline.generation.check.acts import ActIndex
from touchline.generation.check.claims import Claim, ScoreClaim, values_of
from touchline.generation.check.features import NEAR
from touchline.generation.check.lexicon import (
    FIRST_COMES_ON,
    FIRST_LEAVES,
    NO_PENALTY,
    PLAIN_GOAL,
    PLAIN_PENALTY,
    PLAIN_RED,
)
from touchline.generation.check.reading import Reading
from touchline.generation.facts import EventFacts, MatchFacts, Score
from touchline.generation.facts.kinds import card_of
from touchline.generation.findings import FindingKind
from touchline.text.tokens import fold

# Seconds around a comment in which a score may have held: it is made after the goal, by a clock
# that may be off.
BEFORE, AFTER = 240.0, 120.0
# A goal that is claimed is looked for this far around.
GOAL_REACH = 420.0
# How probably a shot near a comment is meant that names the player but is not linked to it.
UNLINKED = 0.6

# What a text may say of a shot that ended so.
COMPATIBLE = {
    "goal": {"goal", "post"},
    "saved": {"saved", "post"},
    "blocked": {"blocked"},
    "off": {"off", "post"},
    "post": {"post", "off", "saved"},
}
_SAID = {"goal": "a goal", "saved": "saved", "blocked": "blocked", "off": "off target",
         "post": "against the frame of the goal"}  # fmt: skip
_IN_BOX = {"box", "six-yard box"}


class Wrong(NamedTuple):
    """What is wrong: the words, what they say, what the log has.

    `sure` says that it is plain from the log alone, `linked` how probably the events are meant.
    """

    kind: FindingKind
    spans: tuple[tuple[int, int], ...]
    says: str
    log: str
    events: tuple[Event, ...]
    sure: bool
    linked: float = 1.0


class Rules:
    """The facts of a match, to hold comments against."""

    def __init__(self, match: Match, facts: MatchFacts | None = None) -> None:
        self.match = match
        self.facts = facts or MatchFacts(match)
        self.index = ActIndex(match)
        self._states: list[tuple[int, float, Score]] = [(0, 0.0, (0, 0))]
        for event in match.events:
            goal = self.facts.scoring.goals.get(event.id)
            if goal is not None:
                self._states.append((event.period, event.time, goal.after))
        self._ends = match.ends
        self._carded = [event for event in match.events if card_of(event)]
        self._has_set_pieces = any(
            event.type == "Shot" and "set_piece" in event.arguments for event in match.events
        )

    # The score ----------------------------------------------------------------------------------

    def scores(self, reading: Reading, linked: Sequence[EventFacts]) -> Iterator[Wrong]:
        """Scores that the log did not have around the comment's time."""
        if not self.facts.scoring.known or reading.time is None or reading.period is None:
            return
        goals = [one for one in linked if one.effect is not None]
        if goals and "goal" in reading.acts:  # the score that the goal makes
            held = {one.after for one in goals if one.after is not None}
        else:
            held = self._held(reading.period, reading.time)
        for claim in reading.scores:
            if claim.level:
                yield from self._level(claim, goals)
            elif not _holds(claim, held):
                yield Wrong(
                    "score", ((claim.start, claim.end),), f"{claim.goals[0]}-{claim.goals[1]}",
                    f"the score was {self._shown(reading, goals)}",
                    tuple(one.event for one in goals), claim.sure and not _is_stale(claim, goals),
                )  # fmt: skip

    def _held(self, period: int, time: float) -> set[Score]:
        """Every score from some time before to some time after a moment."""
        first, last = (period, time - BEFORE), (period, time + AFTER)
        earlier = [score for p, t, score in self._states if (p, t) <= first]
        within = {score for p, t, score in self._states if first < (p, t) <= last}
        return {earlier[-1] if earlier else (0, 0)} | within

    def _shown(self, reading: Reading, goals: Sequence[EventFacts]) -> str:
        moment = reading.period or 0, (reading.time or 0.0) + NEAR / 3
        now = [score for p, t, score in self._states if (p, t) <= moment]
        home, away = (goals[-1].after if goals else None) or (now or [(0, 0)])[-1]
        teams = [self.facts.names.team(team) or "" for team in self.match.teams]
        return f"{teams[0]} {home}, {teams[1]} {away}"

    def _level(self, claim: ScoreClaim, goals: Sequence[EventFacts]) -> Iterator[Wrong]:
        if goals and all(one.effect != "equaliser" for one in goals):
            home, away = goals[0].after or (0, 0)
            yield Wrong(
                "score", ((claim.start, claim.end),), "that the goal levels the score",
                f"the goal made it {home}-{away}", tuple(one.event for one in goals), True,
            )  # fmt: skip

    # How a shot ended ---------------------------------------------------------------------------

    def outcomes(
        self, reading: Reading, shots: Sequence[EventFacts], linked: float
    ) -> Iterator[Wrong]:
        """A shot that ended otherwise than the comment says."""
        said = values_of(reading.claims, "outcome")
        if "goal" in said and "offside" in reading.acts:
            return  # a goal that does not count
        known = [shot for shot in shots if shot.outcome is not None]
        if not said or not known:
            return
        if any(set(said) & self._may_be_called(reading, shot) for shot in known):
            return
        if "goal" in said and set(said) == {"goal"} and not self._has_no_goal_near(reading):
            return
        shot = known[0]
        yield Wrong(
            "outcome", tuple((c.start, c.end) for c in said.values()),
            " and ".join(_SAID[value] for value in said),
            f"the shot by {shot.player or shot.team} ({shot.clock}) was {_SAID[str(shot.outcome)]}",
            tuple(one.event for one in known),
            sure=("goal" in said) != (shot.outcome == "goal") and len(said) == 1, linked=linked,
        )  # fmt: skip

    def _may_be_called(self, reading: Reading, shot: EventFacts) -> set[str]:
        """What a text may say of a shot: a keeper's stop is often called a block."""
        words = COMPATIBLE[str(shot.outcome)]
        keeper = shot.people.get("keeper")
        named = keeper is not None and keeper.id in reading.players
        by_keeper = named or "keeper" in reading.comment.text.lower()
        return words | {"blocked", "saved"} if by_keeper and words & {"saved", "blocked"} else words

    def _has_no_goal_near(self, reading: Reading) -> bool:
        """Whether words that claim a goal have no goal near that they may mean."""
        if reading.period is None or reading.time is None:
            return True
        return not self.index.near(["goal"], reading.period, reading.time, GOAL_REACH)

    def invented(self, reading: Reading) -> Iterator[Wrong]:
        """A goal, a penalty or a red card of which the log has none for minutes around."""
        if reading.time is None or reading.period is None or reading.acts & {"offside", "half"}:
            return
        if reading.time > self._ends.get(reading.period, 0.0) + GOAL_REACH:
            return  # its clock is wrong, or the log is cut: there is nothing to hold it to
        for what, span, plain in self._not_in_log(reading):
            yield Wrong("no-event", (span,), f"a {what}", f"the log has no {what} within seven "
                        "minutes", (), sure=plain and bool(reading.players))  # fmt: skip

    def _not_in_log(self, reading: Reading) -> Iterator[tuple[str, tuple[int, int], bool]]:
        """What a comment claims, where, and whether it says so plainly."""
        text = reading.comment.text
        goal = values_of(reading.claims, "act").get("goal")
        if goal and self.facts.scoring.known and self._has_no_goal_near(reading):
            yield "goal", (goal.start, goal.end), bool(PLAIN_GOAL.search(text))
        red = values_of(reading.claims, "card").get("red")
        if red and self._carded and not self._has_red_near(reading):
            yield "red card", (red.start, red.end), bool(PLAIN_RED.search(text))
        penalty = PLAIN_PENALTY.search(text)
        doubted = NO_PENALTY.search(text) or not self._has_set_pieces
        if penalty and not doubted and not self._has_penalty_near(reading):
            yield "penalty", penalty.span(), True

    def _has_red_near(self, reading: Reading) -> bool:
        return any(
            card_of(event) != "yellow"
            and event.period == reading.period
            and abs(event.time - (reading.time or 0.0)) <= GOAL_REACH
            for event in self._carded
        )

    def _has_penalty_near(self, reading: Reading) -> bool:
        time = reading.time or 0.0
        return bool(self.index.near(["penalty"], reading.period, time, GOAL_REACH))

    # Details ------------------------------------------------------------------------------------

    def details(
        self, reading: Reading, events: Sequence[EventFacts], linked: float
    ) -> Iterator[Wrong]:
        """The card, the part of the body, the distance and the side of what is described."""
        yield from self._cards(reading, events, linked)
        yield from self._changes(reading)
        shots = [one for one in events if one.kind == "shot"]
        if len(shots) == 1:
            for wrong in _shot_details(reading, shots[0]):
                yield wrong._replace(linked=linked)

    def _changes(self, reading: Reading) -> Iterator[Wrong]:
        """A substitution the wrong way round: both players are in the log's record of it."""
        named = sorted((m.start, m.end, who) for who, own in reading.players.items() for m in own)
        if len(named) != 2 or "substitution" not in reading.acts or reading.period is None:
            return
        (start, end, first), (other_start, other_end, second) = named
        between = reading.comment.text[end:other_start]
        comes_on = bool(FIRST_COMES_ON.search(between))
        if comes_on == bool(FIRST_LEAVES.search(between)):
            return
        on, off = (first, second) if comes_on else (second, first)
        time = reading.time or 0.0
        for event in self.index.near(["substitution"], reading.period, time, GOAL_REACH, off):
            one = self.facts.of(event)
            replacement = one.people.get("replacement")
            reversed_ = event.player and event.player.id == on
            if reversed_ and replacement is not None and replacement.id == off:
                log = f"{one.roles['replacement']} came on for {one.player} ({one.clock})"
                says = f"that {one.player} came on for {one.roles['replacement']}"
                yield Wrong("detail", ((start, other_end),), says, log, (event,), True)

    def _cards(
        self, reading: Reading, events: Sequence[EventFacts], linked: float
    ) -> Iterator[Wrong]:
        said = values_of(reading.claims, "card")
        shown = [one for one in events if one.card]
        if len(said) != 1 or not shown:
            return
        (value, claim), fits = (
            next(iter(said.items())),
            {"yellow": {"yellow"}, "red": {"red", "second yellow"}},
        )
        if any(one.card in fits[value] for one in shown):
            return
        one = shown[0]
        yield Wrong("detail", ((claim.start, claim.end),), f"a {value} card",
                    f"{one.player or one.team} was shown a {one.card} card ({one.clock})",
                    (one.event,), True, linked)  # fmt: skip


def _is_stale(claim: ScoreClaim, goals: Sequence[EventFacts]) -> bool:
    """Whether it is the score before the goal: people often state that, and it misleads nobody."""
    return _holds(claim, [one.before for one in goals if one.before is not None])


def namesakes(match: Match, player: Player) -> set[str]:
    """The teams that somebody of the player's name is in: names leave open which is meant."""
    own = {fold(name) for name in player.names}
    same = (p for p in match.players if own & {fold(name) for name in p.names})
    return {p.team.id for p in same if p.team is not None}


def _holds(claim: ScoreClaim, held: Iterable[Score]) -> bool:
    first, second = claim.goals
    return any(s == (first, second) or (not claim.ordered and s == (second, first)) for s in held)


def _shot_details(reading: Reading, shot: EventFacts) -> Iterator[Wrong]:
    who = f"the shot by {shot.player or shot.team} ({shot.clock})"

    def wrong(claims: Iterable[Claim], says: str, log: str) -> Wrong:
        spans = tuple((c.start, c.end) for c in claims)
        return Wrong("detail", spans, says, f"{who} {log}", (shot.event,), False)

    body = values_of(_by_shooter(reading, shot), "body")
    if body and shot.body is not None and shot.body not in body:
        said = " and ".join("a header" if part == "head" else f"the {part}" for part in body)
        yield wrong(body.values(), said, f"was with the {shot.body}")
    place = values_of(reading.claims, "place")
    if len(place) == 1 and shot.area is not None and shot.set_piece != "penalty":
        value = next(iter(place))
        inside = shot.area in _IN_BOX
        clear = inside or (shot.distance or 0) >= 20
        if clear and inside != (value == "inside the box"):
            log = f"was from {shot.distance} yards, {'inside' if inside else 'outside'} the box"
            yield wrong(place.values(), value, log)
    side = values_of(reading.claims, "side")
    if len(side) == 1 and shot.target and shot.outcome in ("goal", "saved", "off"):
        value, other = next(iter(side)), {"left": "right", "right": "left"}
        if other[value] in shot.target.split():
            yield wrong(side.values(), f"the {value}", f"went to the {other[value]}")
    pieces = values_of(reading.claims, "set piece")
    if "penalty" in pieces and shot.set_piece not in (None, "penalty"):
        yield wrong(
            [pieces["penalty"]],
            "a penalty",
            "was from open play"
            if shot.set_piece == "open play"
            else f"was from a {shot.set_piece}",
        )


def _by_shooter(reading: Reading, shot: EventFacts) -> list[Claim]:
    """The claims without those that stand behind another player's name: "after Reis's header"."""
    own = shot.event.player.id if shot.event.player else ""
    others = {m.end for who, some in reading.players.items() if who != own for m in some}
    return [c for c in reading.claims if not others & {c.start - 3, c.start - 2}]


def shots_meant(rules: Rules, reading: Reading) -> tuple[list[EventFacts], float]:
    """The shots that a comment may describe, and how probably they are the ones."""
    linked = [(rules.facts.of(link.id), link.score) for link in reading.answer.events]
    shots = {one.id: score for one, score in linked if one.kind == "shot"}
    if reading.time is not None and reading.period is not None and "shot" in reading.acts:
        for event in rules.index.near(["shot"], reading.period, reading.time, NEAR):
            if event.player is not None and event.player.id in reading.players:
                shots.setdefault(event.id, UNLINKED)
    return [rules.facts.of(shot) for shot in shots], max(shots.values(), default=0.0)
