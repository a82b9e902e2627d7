"""Linking the comments of a match to its events."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from touchline.core.errors import TouchlineError, UsageError, warn_of
from touchline.core.links import CommentLinks, Links
from touchline.core.records import Comment, Match
from touchline.io.feeds import read_events
from touchline.io.sources import Readable, as_sources
from touchline.methods.base import Aligner
from touchline.methods.registry import DEFAULT, make_aligner
from touchline.pipeline.read import read_match


def align(
    match: Match | Readable,
    comments: Iterable[Comment] | Readable | None = None,
    *,
    lineups: Readable = (),
    method: str | Aligner = DEFAULT,
    min_score: float = 0.0,
    **options: Any,
) -> Links:
    """Link the comments of a match to its events.

    Parameters
    ----------
    match
        A match with its comments, or a log with `comments` given separately: what `read_events`
        returns, or anything that it reads.
    comments
        Comments to link instead of the match's own: records, or anything that `read_comments`
        reads, such as a file or a data frame.
    lineups
        Files that add names of players, if the log is read here.
    method
        Which method: `NAME`, `NAME:PRESET` or `MODULE:CLASS`, with its options by name; or an
        aligner, fitted or not.
    min_score
        Events with a lower score are left out of the links.
    **options
        Options of the method.

    Returns
    -------
    Links
        An answer for each comment, in their order. Doubts are issued as `TouchlineWarning`.

    Raises
    ------
    TouchlineError
        The match has no comments.
    UsageError
        There is no such method or option, or `min_score` is not between 0 and 1.
    """
    match = _with_comments(match, comments, lineups)
    if not match.comments:
        raise TouchlineError(f"the match {match.name!r} has no comments to align")
    if not 0 <= min_score <= 1:
        raise UsageError(f"min_score {min_score}; expected a number from 0 to 1")
    aligner = _chosen(method, options)
    links = aligner.align(match)
    warn_of(set(links.warnings) - set(match.warnings))
    name = method if isinstance(method, str) else aligner.name
    return Links(links.match, at_least(links, min_score), name)


def _with_comments(
    match: Match | Readable, comments: Iterable[Comment] | Readable | None, lineups: Readable
) -> Match:
    records = _records(comments)
    if records is None:
        return read_match(match, comments, lineups=lineups)
    if not isinstance(match, Match):
        match = read_events(match, lineups=lineups)
    elif as_sources(lineups):
        raise UsageError("the log has been read already; lineups are for its file")
    return match if comments is None else match.with_comments(records)


def _records(comments: object) -> tuple[Comment, ...] | None:
    """The comments if they are records already; None if they are to be read."""
    if comments is None:
        return ()
    if isinstance(comments, Iterator) and not hasattr(comments, "read"):
        comments = tuple(comments)
    if not isinstance(comments, list | tuple):
        return None
    return tuple(comments) if all(isinstance(one, Comment) for one in comments) else None


def _chosen(method: str | Aligner, options: dict[str, Any]) -> Aligner:
    if isinstance(method, str):
        return make_aligner(method, options)
    if options:
        raise UsageError("an existing aligner already has its options; pass them when creating it")
    return method


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
