"""Reading a match: its log and the commentary on it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from touchline.core.errors import UsageError, warn_of
from touchline.core.records import Match
from touchline.io.commentary import Kickoffs, Paths, minute_only, with_commentary
from touchline.io.feeds import read_events

CLOCKS = ("second", "minute")


def read_match(
    events: str | Path,
    comments: Paths,
    *,
    lineups: Sequence[str | Path] = (),
    provider: str | None = None,
    kind: str | None = None,
    kickoffs: Kickoffs = (),
    sentences: bool = False,
    clock: str = "second",
    name: str | None = None,
) -> Match:
    """Read a match log and the commentary on it.

    Parameters
    ----------
    events
        The match log, any that `read_events` reads.
    comments
        The commentary: one file, or several that follow each other (one a half).
    lineups
        Files that add names of players.
    provider
        The feed, where its content does not show it.
    kind
        The kind of commentary, where its content does not show it.
    kickoffs
        Where each period kicks off in the recording that times the comments, in seconds by period,
        or as `Kickoff` records, which may be cut (`since`); those not given are estimated by who is
        named when, and `Match.kickoffs` says how surely.
    sentences
        Whether to cut comments of several sentences into parts `<id>.1`, `<id>.2` ...
    clock
        With `minute` the comments' seconds, where known, are put aside and only the minute of a
        live page is used.
    name
        The match's name in links; by default the events file's, or its folder's when the file is
        just called `events`. Of a file with a whole season (Wyscout) it says which match to
        read, by its id.

    Doubts about what was read are in `Match.warnings`, and issued as `TouchlineWarning`: about the
    clocks, or whether the commentary is about this match at all.
    """
    check_clock(clock)
    match = read_events(events, provider, lineups, match=name)
    match = match.named(name or _match_name(Path(events), match))
    match = with_commentary(match, comments, kind, kickoffs=kickoffs, sentences=sentences)
    warn_of(match.warnings)
    return known_by(clock, match)


def known_by(clock: str, match: Match) -> Match:
    """The match with what a clock gives of its comments' times: the second, or only the minute."""
    if clock != "minute":
        return match
    comments = map(minute_only, match.comments)
    return match.with_comments(comments, match.kickoffs, match.second_half)


def check_clock(clock: str) -> None:
    if clock not in CLOCKS:
        raise UsageError(f"unknown clock {clock!r}; one of {', '.join(CLOCKS)}")


def _match_name(path: Path, match: Match) -> str:
    return path.resolve().parent.name if match.name == "events" else match.name
