"""Labels of phases: which comments are about a spell of a team, as lines of `phases.jsonl`.

`{"id", "team", "kind", "first", "last"}` is a comment about that team's run of events, from the
event `first` to the event `last`. A labelled comment without a line is about no phase.
"""

from __future__ import annotations

import msgspec

from touchline.core.errors import InputError
from touchline.core.records import CommentId, Match
from touchline.io.corpus.gold import check_comments
from touchline.io.files import read_utf8
from touchline.io.storage import AnyPath

FILE = "phases.jsonl"


class GoldPhase(msgspec.Struct, frozen=True, kw_only=True):
    """A line of labels: the team, and the first and the last event of its run."""

    id: int | str
    team: str
    first: str
    last: str
    kind: str | None = None
    sure: bool = True

    def span(self, match: Match) -> tuple[float, float]:
        """From when to when the run goes, in seconds of its period."""
        events = match.event_by_id
        return events[self.first].time, events[self.last].time


def read_phases(path: AnyPath, match: Match) -> dict[CommentId, GoldPhase] | None:
    """The labelled phases of a match, checked against it; None if there is no such file."""
    if not path.exists():
        return None
    found: dict[CommentId, GoldPhase] = {}
    for number, line in enumerate(read_utf8(path).split(b"\n"), 1):
        if line.strip():
            phase = _phase(path, number, line, match)
            if phase.id in found:
                raise InputError(
                    path, f"duplicate label for comment {phase.id!r}", f"line {number}"
                )
            found[phase.id] = phase
    check_comments(path, found, match)
    return found


def _phase(path: AnyPath, number: int, line: bytes, match: Match) -> GoldPhase:
    where = f"line {number}"
    try:
        phase = msgspec.json.decode(line, type=GoldPhase)
    except (msgspec.DecodeError, RecursionError) as error:
        why = "nested too deeply" if isinstance(error, RecursionError) else error
        expected = 'expected {"id": ..., "team": ..., "first": ..., "last": ...}'
        raise InputError(path, f"not a label ({why}); {expected}", where) from None
    names = [team.name for team in match.teams]
    if phase.team not in names:
        problem = f"the team {phase.team!r} does not play; expected {' or '.join(names)}"
        raise InputError(path, problem, where)
    for event in (phase.first, phase.last):
        if event not in match.event_by_id:
            raise InputError(path, f"the event {event!r} is not in the log", where)
    return phase
