"""Times of MatchTime's own automatic alignment, before and after: python -m benchmarks.matchtime.

    --models DIR   keep what is learned in this folder
    --sealed       with the match that is looked at only for reports

Needs TOUCHLINE_DATA. In two matches of `epl-2015`, the comments' times are those that MatchTime's
automatic alignment gave them. Second clock, without labels, each match left out of learning; the
distance is to the first event by the labels, over comments that describe one.
"""

from __future__ import annotations

import numpy as np

from benchmarks.left_out import asked, left_out
from touchline.core.records import CommentId, Match

DEV, SEALED = ("liverpool-west-ham",), ("southampton-man-united",)
WITHIN = (5, 10, 30)


def main() -> None:
    given = asked("matchtime", "with the match that is looked at only for reports")
    print(f"{'match':26}{'':>12}{'comments':>10}{'mean':>8}" + "".join(f"{t:>7} s" for t in WITHIN))
    before: list[float] = []
    after: list[float] = []
    for one, aligner in left_out(given, "second", DEV + (SEALED if given.sealed else ())):
        golds = {comment: events for comment, events in (one.gold or {}).items() if events}
        comments = {comment.id: comment for comment in one.match.comments}
        links = aligner.infer(one.match).links
        placed = [
            (first_event(one.match, golds, a.comment), a) for a in links if a.comment in golds
        ]
        old = [abs((comments[a.comment].time or 0.0) - first) for first, a in placed]
        new = [abs((a.time if a.time is not None else comments[a.comment].time or 0.0) - first)
               for first, a in placed]  # fmt: skip
        show(one.match.name, old, new)
        before += old
        after += new
    show("total", before, after)


def first_event(match: Match, golds: dict[CommentId, frozenset[str]], comment: CommentId) -> float:
    return min(match.event_by_id[event].time for event in golds[comment])


def show(name: str, before: list[float], after: list[float]) -> None:
    for title, off in (("as given", before), ("touchline", after)):
        shares = "".join(f"{100 * np.mean(np.array(off) <= t):8.1f} %"[-9:] for t in WITHIN)
        print(f"{name:26}{title:>12}{len(off):>10}{np.mean(off):8.1f}{shares}", flush=True)
        name = ""


if __name__ == "__main__":
    main()
