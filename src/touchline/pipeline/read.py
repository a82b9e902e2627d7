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
        The commentary: one file, or several that follow each other (one per half).
    lineups
        Files that add names of players.
    provider
        The feed's format; recognised by content when None.
    kind
        The kind of commentary; recognised by content when None.
    kickoffs
        When each period kicks off in the recording that the comments' times refer to: seconds by
        period, or `Kickoff` records, several of a period where the recording is cut (`since`).
        Those not given are estimated from who is named when; `Match.kickoffs` says how surely.
    sentences
        Whether to split comments of several sentences into parts `<id>.1`, `<id>.2` ...
    clock
        `second` for the comments' exact times where known; `minute` for only their minute, as on
        a live page.
    name
        The match's name in links; by default the events file's, or its folder's when the file is
        just called `events`. For a file with a whole season (Wyscout), the id of the match to
        read.

    Returns
    -------
    Match
        The log with the comments on its clock. Doubts about what was read, such as whether the
        commentary is about this match at all, are in `Match.warnings`, and issued as
        `TouchlineWarning`.

    Raises
    ------
    InputError
        A file cannot be read.
    UsageError
        The clock, the kind or the kick-offs are invalid.
    """
    check_clock(clock)
    match = read_log(events, lineups=lineups, provider=provider, name=name)
    match = with_commentary(match, comments, kind, kickoffs=kickoffs, sentences=sentences)
    warn_of(match.warnings)
    return known_by(clock, match)


def read_log(
    events: str | Path,
    *,
    lineups: Sequence[str | Path] = (),
    provider: str | None = None,
    name: str | None = None,
) -> Match:
    """Read a match log alone, under the name that `read_match` gives it."""
    match = read_events(events, provider, lineups, match=name)
    return match.named(name or _match_name(Path(events), match))


def known_by(clock: str, match: Match) -> Match:
    """The match with what a clock gives of its comments' times: the second, or only the minute."""
    if clock != "minute":
        return match
    comments = map(minute_only, match.comments)
    return match.with_comments(comments, match.kickoffs, match.second_half)


def check_clock(clock: str) -> None:
    if clock not in CLOCKS:
        raise UsageError(f"unknown clock {clock!r}; expected one of {', '.join(CLOCKS)}")


def _match_name(path: Path, match: Match) -> str:
    return path.resolve().parent.name if match.name == "events" else match.name
