"""Times of MatchTime's own automatic alignment, before and after: python -m benchmarks.matchtime.

    --models DIR   keep what is learned in this folder
    --sealed       with the match that is looked at only for reports

Needs TOUCHLINE_DATA. In two matches of `epl-2015`, the comments' times are those that MatchTime's
automatic alignment gave them. Second clock, without labels, each match left out of learning; the
distance is to the first event by the labels, over comments that describe one.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.left_out import asked, left_out
from benchmarks.measuring import Table, show
from touchline.core.records import CommentId, Match
from touchline.io.corpus.layout import LabelledMatch
from touchline.methods.chains.aligner import Chains

DEV, SEALED = ("liverpool-west-ham",), ("southampton-man-united",)
WITHIN = (5, 10, 30)


def tables() -> Iterator[Table]:
    given = asked("matchtime", "with the match that is looked at only for reports")
    before: list[float] = []
    after: list[float] = []
    rows: list[tuple[str, ...]] = []
    for one, aligner in left_out(given, "second", DEV + (SEALED if given.sealed else ())):
        old, new = offsets(one, aligner)
        rows += shown(one.match.name, old, new)
        before += old
        after += new
    rows += shown("both", before, after)
    yield Table("", ["match", "", "comments", "mean", *(f"within {t} s" for t in WITHIN)], rows)


def offsets(one: LabelledMatch, aligner: Chains) -> tuple[list[float], list[float]]:
    """Of each comment that describes an event, before and after, in seconds."""
    golds = {comment: events for comment, events in (one.gold or {}).items() if events}
    said = {comment.id: comment.time or 0.0 for comment in one.match.comments}
    placed = [
        (first_event(one.match, golds, a.comment), said[a.comment], a.time)
        for a in aligner.infer(one.match).links
        if a.comment in golds
    ]
    old = [abs(time - first) for first, time, _ in placed]
    new = [abs((time if found is None else found) - first) for first, time, found in placed]
    return old, new


def first_event(match: Match, golds: dict[CommentId, frozenset[str]], comment: CommentId) -> float:
    return min(match.event_by_id[event].time for event in golds[comment])


def shown(name: str, before: list[float], after: list[float]) -> Iterator[tuple[str, ...]]:
    for title, off in (("as given", before), ("touchline", after)):
        shares = (f"{100 * np.mean(np.array(off) <= t):.1f} %" for t in WITHIN)
        yield name, title, str(len(off)), f"{np.mean(off):.1f}", *shares
        name = ""


def main() -> None:
    show(tables())


if __name__ == "__main__":
    main()
