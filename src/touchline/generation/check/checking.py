"""Checking a commentary against the log: findings for every comment."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from touchline.core.errors import TouchlineError
from touchline.core.records import Comment, Event, Match, Player
from touchline.generation.check.acts import acts_of
from touchline.generation.check.features import event_features, held_to, name_features
from touchline.generation.check.model import Weights
from touchline.generation.check.reading import Reading, read
from touchline.generation.check.rules import GOAL_REACH, Rules, Wrong, namesakes, shots_meant
from touchline.generation.findings import Finding
from touchline.methods.base import Aligner, Alignment
from touchline.methods.registry import DEFAULT, make_aligner
from touchline.text.names import NameFinder
from touchline.text.speech import is_spoken

# How probably a text is wrong where the line-ups alone say so.
PLAIN = 0.97
# Acts that a referee notes down: who they were by is certain.
OFFICIAL = frozenset(["goal", "card", "substitution"])
_BESIDE = re.compile(r"\s*\(([^()]{2,40})\)")
_NOBODY = re.compile(r"((?:[A-ZÀ-Þ][\w'’.-]+\s){1,3})\((?P<team>[^()]{2,40})\)")


class Thresholds(NamedTuple):
    """From which probability on a finding is reported, and is an error, by kind."""

    name: float = 0.6
    no_event: float = 0.7
    other: float = 0.4
    error: float = 0.9


def check(
    match: Match,
    comments: Iterable[Comment] | None = None,
    *,
    method: str | Aligner = DEFAULT,
) -> list[Finding]:
    """Check a commentary against the match log.

    Parameters
    ----------
    match
        A match with its comments, or a log (`read_events`) with `comments` given separately.
    comments
        Comments to check instead of the match's own.
    method
        The method that links comments to events: `NAME`, `NAME:PRESET`, or an aligner.

    Returns
    -------
    list[Finding]
        What the log does not confirm, in the order of the comments. An `error` is sure enough to
        act on; a `warning` is worth a look.

    Raises
    ------
    TouchlineError
        The match has no comments.
    """
    if comments is not None:
        match = match.with_comments(comments)
    if not match.comments:
        raise TouchlineError(f"the match {match.name!r} has no comments to check")
    aligner = make_aligner(method) if isinstance(method, str) else method
    return list(Checker(match).findings(read_match_comments(match, aligner)))


def check_alignment(alignment: Alignment, aligner: Aligner) -> list[Finding]:
    """Check the commentary of a match that this aligner has just aligned."""
    match = alignment.links.match
    readings = read_match_comments(match, aligner, alignment)
    return list(Checker(match).findings(readings))


def read_match_comments(
    match: Match, aligner: Aligner, alignment: Alignment | None = None
) -> list[Reading]:
    """Names are questioned in written text only: speech recognition mishears them."""
    return read(match, aligner, not is_spoken(match.comments), alignment)


class Checker:
    """Judges the readings of a match's comments."""

    def __init__(
        self, match: Match, weights: Weights | None = None, limits: Thresholds | None = None
    ) -> None:
        self.match = match
        self.rules = Rules(match)
        self._weights = weights or Weights()
        self._limits = limits or Thresholds()
        self._spoken = is_spoken(match.comments)
        self._finder = NameFinder(match)
        self._players = {player.id: player for player in match.players}

    def findings(self, readings: Iterable[Reading]) -> Iterator[Finding]:
        """The findings of all readings, in their order; the surest of a comment first."""
        for reading in readings:
            yield from self._reported(list(self.doubts(reading)))

    def _reported(self, doubts: list[Finding]) -> list[Finding]:
        """Those that are sure enough; one that explains a comment makes others unnecessary."""
        limits = {"name": self._limits.name, "no-event": self._limits.no_event}
        kept = [f for f in doubts if f.probability >= limits.get(f.kind, self._limits.other)]
        if any(f.kind in ("name", "outcome") for f in kept):
            kept = [f for f in kept if f.kind != "no-event" or f.severity == "error"]
        return sorted(kept, key=lambda f: (f.severity != "error", -f.probability))

    def doubts(self, reading: Reading) -> Iterator[Finding]:
        """Everything that speaks against a comment, however weakly."""
        linked = [self.rules.facts.of(link.id) for link in reading.answer.events]
        score = max((link.score for link in reading.answer.events), default=0.0)
        if not self._spoken:
            yield from self._names(reading)
            yield from self._no_event(reading)
        for wrong in self.rules.scores(reading, linked):
            yield self._finding(reading, wrong, 0.95 if wrong.sure else 0.5)
        shots, likely = shots_meant(self.rules, reading)
        for wrong in self.rules.outcomes(reading, shots, likely):
            yield self._finding(reading, wrong, (0.9 if wrong.sure else 0.75) * wrong.linked)
        for wrong in self.rules.details(reading, linked, score):
            yield self._finding(reading, wrong, (0.9 if wrong.sure else 0.5) * wrong.linked)
        for wrong in self.rules.invented(reading):
            yield self._finding(reading, wrong, 0.9 if wrong.sure else 0.4)

    # Names --------------------------------------------------------------------------------------

    def _names(self, reading: Reading) -> Iterator[Finding]:
        yield from self._nobody(reading)
        wrong_team = list(self._wrong_teams(reading))
        yield from wrong_team
        for player in () if wrong_team else reading.hidden:
            yield from self._name(reading, self._players[player])

    def _name(self, reading: Reading, player: Player) -> Iterator[Finding]:
        values, best, events = name_features(self.match, self.rules.index, reading, player)
        if best is None:
            return
        probability = self._weights.wrong_name(values)
        spans = tuple((m.start, m.end) for m in reading.players[player.id])
        shown = f"{best.label} fits better"
        if events:
            record = f"{events[0].describe()}, {events[0].clock}"
            own = events[0].player is not None and events[0].player.id == best.id
            shown = f"{shown} ({record})" if own else f"the log has {record}"
        sure = self._is_plain(reading, player, events)
        wrong = Wrong("name", spans, player.label, shown, tuple(events), sure)
        yield self._finding(reading, wrong, probability)

    def _is_plain(self, reading: Reading, player: Player, events: Sequence[Event]) -> bool:
        """Whether a goal, card or substitution is another's, and the player's own is far away."""
        acts = reading.acts & OFFICIAL & {act for event in events for act in acts_of(event)}
        time = reading.time or 0.0
        own = self.rules.index.near(acts, reading.period, time, GOAL_REACH, player.id)
        return bool(acts) and not own

    def _wrong_teams(self, reading: Reading) -> Iterator[Finding]:
        """`X (Team)` where X plays for the other team."""
        by_span = {(m.start, m.end): m.who for own in reading.teams.values() for m in own}
        for player_id, mentions in reading.players.items():
            player = self._players[player_id]
            for mention in mentions:
                hit = _BESIDE.match(reading.comment.text, mention.end)
                team = by_span.get(hit.span(1)) if hit else None
                if hit and team and player.team and team.id not in namesakes(self.match, player):
                    says = f"{player.label} ({team.names[0]})"
                    log = f"{player.label} plays for {player.team.name}"
                    wrong = Wrong("name", (hit.span(1),), says, log, (), True)
                    yield self._finding(reading, wrong, PLAIN)

    def _nobody(self, reading: Reading) -> Iterator[Finding]:
        """`X (Team)` where nobody in the match is called X."""
        text = reading.comment.text
        known = [(m.start, m.end) for m in self._finder.mentions(text) if isinstance(m.who, Player)]
        teams = {(m.start, m.end) for own in reading.teams.values() for m in own}
        for hit in _NOBODY.finditer(text):
            start, end = hit.start(1), hit.end(1)
            if hit.span("team") in teams and not any(a < end and start < b for a, b in known):
                name = hit[1].strip()
                yield self._finding(
                    reading,
                    Wrong("name", ((start, start + len(name)),), name,
                          "nobody in the match has that name", (), True),
                    PLAIN,
                )  # fmt: skip

    # Events -------------------------------------------------------------------------------------

    def _no_event(self, reading: Reading) -> Iterator[Finding]:
        if reading.time is None or not (reading.players or reading.teams) or not reading.acts:
            return
        probability = self._weights.no_event(event_features(self.match, self.rules.index, reading))
        text = reading.comment.text
        says = ", ".join(sorted(held_to(reading) or reading.acts))
        log = "nothing of the kind near that time"
        elsewhere = [
            event
            for who in reading.players
            for event in self.rules.index.anywhere(held_to(reading), who)
        ]
        if elsewhere:
            nearest = min(
                elsewhere,
                key=lambda e: (e.period != reading.period, abs(e.time - (reading.time or 0))),
            )
            log += f"; the nearest is at {nearest.clock} ({nearest.describe()})"
        yield self._finding(
            reading, Wrong("no-event", ((0, len(text)),), says, f"the log has {log}", (), False),
            probability,
        )  # fmt: skip

    def _finding(self, reading: Reading, wrong: Wrong, probability: float) -> Finding:
        text = reading.comment.text
        sure = wrong.sure and probability >= self._limits.error and not self._spoken
        return Finding(
            comment=reading.comment.id,
            kind=wrong.kind,
            severity="error" if sure else "warning",
            words=wrong.spans,
            text=" … ".join(text[a:b] for a, b in wrong.spans),
            says=wrong.says,
            log=wrong.log,
            events=tuple(event.id for event in wrong.events),
            probability=round(probability, 4),
        )
