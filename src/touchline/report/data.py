"""The data of the report's page, as plain records that become JSON.

Events, players, kinds and teams are referred to by their index in the lists of their match, which
keeps the file small. Only events that are linkable or linked are included, without the raw records
of the provider.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from touchline.core.clocks import STARTS
from touchline.core.display import plain_line
from touchline.core.errors import UsageError
from touchline.core.links import CommentLinks, Link, Links, Phase, State
from touchline.core.records import Comment, CommentId, Event, Match, Player
from touchline.generation.facts import MatchFacts
from touchline.generation.findings import Finding, FindingKind, Severity
from touchline.io.links.origin import Origin
from touchline.io.links.vtt import timelines
from touchline.methods.explanation import Explain
from touchline.report.moments import Moment, Scoreboard, moments, scoreboard
from touchline.report.why import Why, unexplained, utf16, why

Scored = tuple[int, float]
Place = tuple[float, float]

MIN_SCORE = 0.01  # of a candidate that is shown
FORMAT = 1  # of the page's JSON
UNEXPLAINED = "Not explained"
MAX_ALSO = 4  # other candidates that are shown
PERIODS = {1: "First half", 2: "Second half", 3: "Extra time, first half",
           4: "Extra time, second half", 5: "Shoot-out"}  # fmt: skip


class Record(msgspec.Struct, frozen=True, omit_defaults=True):
    """A record of the page's JSON; unknown values are left out."""


class ReportPlayer(Record, frozen=True):
    name: str
    team: int | None = None


class ReportPeriod(Record, frozen=True):
    """A period: its nominal first minute, and the seconds from kick-off to its last record."""

    number: int
    name: str
    minute: int
    seconds: float


class ReportEvent(Record, frozen=True):
    """An event; `at` and `to` are seen from the acting team, as in `records.Event`."""

    id: str
    kind: int
    what: str
    period: int
    time: float
    clock: str
    team: int | None = None
    player: int | None = None
    others: tuple[tuple[str, int], ...] = ()
    facts: dict[str, str] = {}
    at: Place | None = None
    to: Place | None = None


class ReportPhase(Record, frozen=True):
    """A spell of a team that a comment is about: its events, from when to when, how surely."""

    team: int
    events: tuple[int, ...]
    period: int
    span: Place
    score: float
    kind: str | None = None


class ReportFinding(Record, frozen=True):
    """What the log does not confirm of a comment, as `touchline check` found it.

    `words` are parts of the text, in UTF-16 units as browsers count.
    """

    kind: FindingKind
    severity: Severity
    says: str
    log: str
    probability: float
    words: tuple[tuple[int, int], ...] = ()
    events: tuple[int, ...] = ()


class ReportComment(Record, frozen=True):
    """A comment and its answer: linked events with scores, other candidates, and why.

    `findings` are what the log does not confirm, where the commentary was checked.

    Where a recording timed the comment, `kickoff` is the second of the recording at which the
    period kicks off: added to a time of the period, it gives the place in the recording.
    """

    id: CommentId
    text: str
    none: float
    state: State
    clock: str | None = None
    period: int | None = None
    start: float | None = None
    end: float | None = None
    events: tuple[Scored, ...] = ()
    also: tuple[Scored, ...] = ()
    span: Place | None = None
    why: Why | None = None
    phase: ReportPhase | None = None
    kickoff: float | None = None
    findings: tuple[ReportFinding, ...] = ()


class ReportMatch(Record, frozen=True):
    """A match; `recordings` are the periods that each recording of the commentary covers.

    `checked` says whether the commentary was checked against the log. `date` is the day it was
    played, as `2015-08-24`.
    """

    name: str
    title: str
    teams: tuple[str, ...]
    periods: tuple[ReportPeriod, ...]
    kinds: tuple[str, ...]
    players: tuple[ReportPlayer, ...]
    events: tuple[ReportEvent, ...]
    comments: tuple[ReportComment, ...]
    warnings: tuple[str, ...] = ()
    result: Scoreboard | None = None
    moments: tuple[Moment, ...] = ()
    recordings: tuple[tuple[int, ...], ...] = ()
    date: str | None = None
    checked: bool = False


class Report(Record, frozen=True):
    """A whole report; `format` is the version of this JSON."""

    format: int
    touchline: str
    method: str
    matches: tuple[ReportMatch, ...]


def report(
    many: Sequence[Links],
    origin: Origin,
    explain: Explain | None = None,
    findings: Sequence[Finding] | None = None,
) -> Report:
    """The links of some matches as the page reads them.

    Parameters
    ----------
    many
        The links of each match.
    origin
        What made the links; the page shows version and method.
    explain
        Explains a comment of a match; without it, only the words of links are marked.
    findings
        What `touchline check` found in the commentary of the one match; None if it was not checked.

    Returns
    -------
    Report
        The records that become the page's JSON.

    Raises
    ------
    UsageError
        There are findings, and more than one match they may belong to.
    """
    if findings is not None and len(many) != 1:
        raise UsageError("findings belong to one match; write a report for each match")
    matches = (_match(links, _reasons(links, explain), findings) for links in many)
    return Report(
        format=FORMAT, touchline=origin.touchline, method=origin.method, matches=tuple(matches)
    )


def title(match: Match) -> str:
    """The title of a match: its teams, or its name if they are not known."""
    return " – ".join(plain_line(team.name) for team in match.teams) or match.name


def _reasons(links: Links, explain: Explain | None) -> dict[CommentId, Why]:
    """Why each comment is linked as it is, or why there is no explanation."""
    text = {comment.id: comment.text for comment in links.match.comments}
    worded = ((a.comment, unexplained(text[a.comment], a.events)) for a in links)
    marked = {comment: marks for comment, marks in worded if marks}
    if explain is None:
        return marked
    try:
        return {
            answer.comment: why(
                explain(links.match, answer.comment), text[answer.comment], answer.events
            )
            for answer in links
        }
    except UsageError as error:
        nothing = Why(notes=((UNEXPLAINED, f"{error}."),))
        return {answer.comment: marked.get(answer.comment, nothing) for answer in links}


def _match(
    links: Links, reasons: dict[CommentId, Why], findings: Sequence[Finding] | None
) -> ReportMatch:
    match = links.match
    linked = {link.id for answer in links for link in answer.events}
    events = [event for event in match.events if event.linkable or event.id in linked]
    kinds = tuple(dict.fromkeys(event.type for event in events))
    players = _players(match, events)
    indexes = _Indexes(match, kinds, players)
    place = {event.id: number for number, event in enumerate(events)}
    comments = {comment.id: comment for comment in match.comments}
    facts, found = MatchFacts(match), _findings(match, findings or (), place)
    return ReportMatch(
        name=match.name,
        title=title(match),
        teams=tuple(team.name for team in match.teams),
        periods=tuple(_periods(match)),
        kinds=kinds,
        players=tuple(ReportPlayer(name=p.label, team=indexes.team(p.team)) for p in players),
        events=tuple(map(indexes.event, events)),
        comments=tuple(
            msgspec.structs.replace(
                _comment(comments[answer.comment], answer, place, reasons.get(answer.comment)),
                phase=_phase(answer.phase, match, place),
                findings=tuple(found[answer.comment]),
            )
            for answer in links
        ),
        warnings=links.warnings,
        result=scoreboard(facts),
        moments=tuple(moments(facts, place)),
        recordings=_recordings(match),
        date=match.date,
        checked=findings is not None,
    )


def _recordings(match: Match) -> tuple[tuple[int, ...], ...]:
    """The periods of each recording that timed the comments."""
    if not any(comment.kickoff is not None for comment in match.comments):
        return ()
    return tuple(tuple(sorted(part.starts)) for part in timelines(match))


def _players(match: Match, events: Iterable[Event]) -> list[Player]:
    """All players of the match, also those that occur only in events."""
    found = {player.id: player for player in match.players}
    for event in events:
        for player in (event.player, *(other.player for other in event.others)):
            if player is not None:
                found.setdefault(player.id, player)
    return list(found.values())


def _periods(match: Match) -> Iterable[ReportPeriod]:
    for period, end in sorted(match.ends.items()):
        times = [c.time for c in match.comments if c.period == period and c.time is not None]
        yield ReportPeriod(
            number=period,
            name=PERIODS.get(period, f"Period {period}"),
            minute=STARTS.get(period, 0),
            seconds=_round(max([end, *times])),
        )


class _Indexes:
    """The indexes of kinds, teams and players in the lists of their match."""

    def __init__(self, match: Match, kinds: Sequence[str], players: Sequence[Player]) -> None:
        self.teams = {team.id: number for number, team in enumerate(match.teams)}
        self.kinds = {kind: number for number, kind in enumerate(kinds)}
        self.players = {player.id: number for number, player in enumerate(players)}

    def team(self, team: Any) -> int | None:
        return self.teams.get(team.id) if team is not None else None

    def event(self, event: Event) -> ReportEvent:
        player = event.player
        return ReportEvent(
            id=event.id,
            kind=self.kinds[event.type],
            what=event.describe(),
            period=event.period,
            time=_round(event.time),
            clock=event.clock,
            team=self.team(event.team),
            player=self.players[player.id] if player is not None else None,
            others=tuple((other.role, self.players[other.player.id]) for other in event.others),
            facts=dict(event.arguments),
            at=_rounded(event.location),
            to=_rounded(event.end_location),
        )


def _comment(
    comment: Comment, answer: CommentLinks, place: dict[str, int], reason: Why | None
) -> ReportComment:
    linked = {link.id for link in answer.events}
    likely = [link for link in answer.candidates or () if link.score >= MIN_SCORE]
    others = [link for link in likely if link.id not in linked]
    return ReportComment(
        id=comment.id,
        text=comment.text,
        none=round(answer.none, 3),
        state=answer.state,
        clock=comment.clock,
        period=comment.period,
        start=comment.start,
        end=comment.end,
        events=tuple(_scored(answer.events, place)),
        also=tuple(_scored(others[:MAX_ALSO], place)),
        span=_rounded(answer.span),
        why=reason,
        kickoff=comment.kickoff,
    )


def _phase(phase: Phase | None, match: Match, place: dict[str, int]) -> ReportPhase | None:
    """A phase by the indexes of its team and events; None if the log does not have them."""
    teams = [team.name for team in match.teams]
    events = [event for event in phase.events if event in place] if phase else []
    if phase is None or phase.team not in teams or not events:
        return None
    return ReportPhase(
        team=teams.index(phase.team),
        events=tuple(place[event] for event in events),
        period=match.event_by_id[events[0]].period,
        span=(_round(phase.span[0]), _round(phase.span[1])),
        score=round(phase.score, 3),
        kind=phase.kind,
    )


def _findings(
    match: Match, findings: Iterable[Finding], place: dict[str, int]
) -> dict[CommentId, list[ReportFinding]]:
    """The findings of each comment."""
    text = {comment.id: comment.text for comment in match.comments}
    found: dict[CommentId, list[ReportFinding]] = defaultdict(list)
    for one in findings:
        units = utf16(text[one.comment])
        found[one.comment].append(
            ReportFinding(
                kind=one.kind,
                severity=one.severity,
                says=one.says,
                log=one.log,
                probability=round(one.probability, 3),
                words=tuple((units(start), units(end)) for start, end in one.words),
                events=tuple(place[event] for event in one.events if event in place),
            )
        )
    return found


def _scored(links: Iterable[Link], place: dict[str, int]) -> Iterable[Scored]:
    return ((place[link.id], round(link.score, 3)) for link in links if link.id in place)


def _round(number: float) -> float:
    return round(number, 2)


def _rounded(pair: Place | None) -> Place | None:
    return (_round(pair[0]), _round(pair[1])) if pair is not None else None
