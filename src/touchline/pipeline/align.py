"""Linking the comments of a match to its events."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from touchline.core.errors import TouchlineError, UsageError, warn_of
from touchline.core.links import CommentLinks, Links
from touchline.core.records import Comment, Match
from touchline.methods.base import Aligner
from touchline.methods.registry import DEFAULT, make_aligner


def align(
    match: Match,
    comments: Iterable[Comment] | None = None,
    *,
    method: str | Aligner = DEFAULT,
    min_score: float = 0.0,
    **options: Any,
) -> Links:
    """Link the comments of a match to its events.

    Parameters
    ----------
    match
        A match with its comments, or a log (`read_events`) with `comments` given separately.
    comments
        Comments to link instead of the match's own.
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
    if comments is not None:
        match = match.with_comments(comments)
    if not match.comments:
        raise TouchlineError(f"the match {match.name!r} has no comments to align")
    if not 0 <= min_score <= 1:
        raise UsageError(f"min_score {min_score}; expected a number from 0 to 1")
    aligner = _chosen(method, options)
    links = aligner.align(match)
    warn_of(set(links.warnings) - set(match.warnings))
    name = method if isinstance(method, str) else aligner.name
    return Links(match, at_least(links, min_score), name)


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
