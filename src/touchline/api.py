"""The short way from files to links."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from touchline.aligners import DEFAULT, make_aligner
from touchline.commentary import Kickoffs, Paths, minute_only, with_commentary
from touchline.errors import TouchlineError, UsageError, warn_of
from touchline.feeds import read_events
from touchline.match import Comment, CommentLinks, Links, Match

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
        The feed, where its content does not tell.
    kind
        The kind of commentary, where its content does not tell.
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
    """The match with what a clock tells of its comments' times: the second, or only the minute."""
    if clock != "minute":
        return match
    comments = map(minute_only, match.comments)
    return match.with_comments(comments, match.kickoffs, match.second_half)


def check_clock(clock: str) -> None:
    if clock not in CLOCKS:
        raise UsageError(f"unknown clock {clock!r}; one of {', '.join(CLOCKS)}")


def _match_name(path: Path, match: Match) -> str:
    return path.resolve().parent.name if match.name == "events" else match.name


def align(
    match: Match,
    comments: Iterable[Comment] | None = None,
    *,
    method: str = DEFAULT,
    min_score: float = 0.0,
    **options: Any,
) -> Links:
    """Link the comments of a match to its events.

    Parameters
    ----------
    match
        A match with its comments, or a log (`read_events`) with `comments` given apart.
    method
        Which aligner, `NAME` or `NAME:PRESET`; its options are given by name.
    min_score
        Events scored lower are left out of the links.
    """
    if comments is not None:
        match = match.with_comments(comments)
    if not match.comments:
        raise TouchlineError(f"the match {match.name!r} has no comments to align")
    if not 0 <= min_score <= 1:
        raise UsageError(f"min_score {min_score}; expected a number from 0 to 1")
    links = Links(match, make_aligner(method, options).align(match), method)
    warn_of(set(links.warnings) - set(match.warnings))
    return Links(match, at_least(links, min_score), method)


def at_least(links: Links, min_score: float) -> Links:
    """The links without events that score less than `min_score`."""
    if min_score <= 0:
        return links
    return Links(links.match, [_at_least(links.match, answer, min_score) for answer in links])


def _at_least(match: Match, answer: CommentLinks, min_score: float) -> CommentLinks:
    kept = tuple(link for link in answer.events if link.score >= min_score)
    if len(kept) == len(answer.events):
        return answer
    times = [match.event_by_id[link.id].time for link in kept]
    return msgspec.structs.replace(
        answer,
        events=kept,
        period=answer.period if kept else None,
        time=times[0] if kept else None,
        span=(min(times), max(times)) if kept else None,
    )
