"""Reading a match: its log and the commentary on it."""

from __future__ import annotations

from pathlib import Path

from touchline.core.errors import InputError, TouchlineError, UsageError, warn_of
from touchline.core.records import Match
from touchline.io.commentary import Kickoffs, Paths, minute_only, with_commentary
from touchline.io.commentary.columns import Columns
from touchline.io.feeds import read_events
from touchline.io.files import limit_size
from touchline.io.sizes import MAX_FILE
from touchline.io.sources import Readable, as_source, as_sources
from touchline.io.storage import AnyPath

CLOCKS = ("second", "minute")
# What else of a match is given as its commentary by mistake, and where it belongs.
_ELSEWHERE = {
    "log": "the match log comes first, then the comments",
    "lineups": "they go with --lineups",
    "labels": "they stay in the match folder",
}


def read_match(
    events: Match | Readable,
    comments: Paths,
    *,
    lineups: Readable = (),
    provider: str | None = None,
    kind: str | None = None,
    kickoffs: Kickoffs = (),
    sentences: bool = False,
    clock: str = "second",
    name: str | None = None,
    text_column: str | None = None,
    clock_column: str | None = None,
) -> Match:
    """Read a match log and the commentary on it.

    Parameters
    ----------
    events
        The match log: anything that `read_events` reads, or a log that has been read already, for
        example by `from_kloppy`.
    comments
        The commentary: anything that `read_comments` reads; one, or several that follow each other
        (one per half).
    lineups
        One file or several that add names of players.
    provider
        The feed's format; recognised by content when None.
    kind
        The kind of commentary; recognised by content when None.
    kickoffs
        When each period kicks off in the recording that the comments' times refer to: seconds by
        period, or `Kickoff` records, several of a period where the recording is cut (`since`).
        Those not given are estimated from the names and their times; `Match.kickoffs` has the
        certainty.
    sentences
        Whether to split comments of several sentences into parts `<id>.1`, `<id>.2` ...
    clock
        `second` for the comments' exact times where known; `minute` for only their minute, as on
        a live page.
    name
        The match's name in links; by default the events file's, or its folder's when the file is
        just called `events`. For a file with a whole season (Wyscout), the id of the match to
        read.
    text_column
        The column of a table of comments that has the text, if it is not recognised.
    clock_column
        The column of a table of comments that has the clock or minute.

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
    columns = Columns(text_column, clock_column)
    try:
        match = with_commentary(
            match, comments, kind, kickoffs=kickoffs, sentences=sentences, columns=columns
        )
    except InputError as error:
        raise _with_its_role(error, comments) from None
    warn_of(match.warnings)
    return known_by(clock, match)


def read_log(
    events: Match | Readable,
    *,
    lineups: Readable = (),
    provider: str | None = None,
    name: str | None = None,
) -> Match:
    """Read a match log alone, under the name that `read_match` gives it."""
    if isinstance(events, Match):
        if provider or as_sources(lineups):
            raise UsageError("the log has been read already; provider and lineups are for its file")
        return events.named(name or events.name)
    file = as_source(events)
    match = read_events(file, provider, lineups, match=name)
    default = _match_name(file, match) if isinstance(file, AnyPath) else match.name
    return match.named(name or default)


def _with_its_role(error: InputError, comments: Paths) -> InputError:
    """The error, or what the file is where it is not a commentary but another file of a match."""
    from touchline.io.feeds import BUILT_IN, GENERIC
    from touchline.io.recognition import recognise_file  # brings the readers of all feeds

    for file in as_sources(comments):
        if not isinstance(file, Path) or str(file) != error.path or not file.is_file():
            continue
        try:
            with limit_size(MAX_FILE):
                role, what = recognise_file(file)
        except TouchlineError:
            return error
        # Any table with a column for a type may be a table of events, or a commentary.
        if role in _ELSEWHERE and what != BUILT_IN[GENERIC].what:
            problem = f"looks like {what} ({_ELSEWHERE[role]}); expected the commentary"
            return InputError(error.path, problem)
    return error


def known_by(clock: str, match: Match) -> Match:
    """The match with what a clock gives of its comments' times: the second, or only the minute."""
    if clock != "minute":
        return match
    comments = map(minute_only, match.comments)
    return match.with_comments(comments, match.kickoffs, match.second_half)


def check_clock(clock: str) -> None:
    if clock not in CLOCKS:
        raise UsageError(f"unknown clock {clock!r}; expected one of {', '.join(CLOCKS)}")


def _match_name(path: AnyPath, match: Match) -> str:
    return path.resolve().parent.name if match.name == "events" else match.name
