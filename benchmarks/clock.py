"""How well the clock of a commentary is inferred: python -m benchmarks.clock [OPTIONS].

    --models DIR   keep what is learned in this folder
    --sealed       with the match that is looked at only for reports

Needs TOUCHLINE_DATA. Each match of `epl-2015` is answered by a model learned from the five others.

1. Minute clock, the matches whose times were corrected by hand: how far the time in the links lies
   from the first event by the labels, beside the comment's own time, the middle of its minute.
2. Second clock, the dev matches, their comments moved in several ways: F1, and how far the inferred
   clock moves from what it is on the match as it stands, less what the comment was moved by.
   Beside it, F1 without reading a match again where its clock is far off.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec
import numpy as np

from benchmarks.left_out import DEV, Asked, asked, left_out, without_ensemble
from benchmarks.measuring import Table, show
from touchline.core.links import Links
from touchline.core.records import Match
from touchline.evaluation import Score, score_comments
from touchline.io.corpus.layout import LabelledMatch
from touchline.methods.chains.aligner import Chains, Found
from touchline.methods.chains.inference.clock import Clock, set_right
from touchline.methods.chains.inference.ensemble import Learned

Floats = np.ndarray
Row = tuple[str, ...]

CORRECTED = ("chelsea-southampton", "man-city-chelsea", "west-brom-chelsea")
SEALED = ("newcastle-chelsea",)
# What comments are moved by, from their times.
DISTORTIONS: dict[str, Callable[[Floats], Floats]] = {
    "none": lambda t: np.zeros(len(t)),
    "140 s late": lambda t: np.full(len(t), 140.0),
    "140 s early": lambda t: np.full(len(t), -140.0),
    "jumps of 100, -180, 120 s within a half": lambda t: np.select(
        [t < 900, t < 1500, t < 2100], [0.0, 100.0, -80.0], 40.0
    ),
    "drift to 120 s in 45 minutes": lambda t: t / 2700 * 120,
    "each comment independently, sd 30 s": lambda t: np.random.default_rng(0).normal(0, 30, len(t)),
}


def tables() -> Iterator[Table]:
    given = asked("clock", "with the match that is looked at only for reports")
    head = ["match", "", "median", "within 3 s", "within 10 s"]
    yield Table("Seconds from the first event, minute clock", head, list(corrected_times(given)))
    head = ["comments", "F1", "F1, one alignment", "lag: median", "within 5 s", "within 10 s"]
    yield Table("Shifted comments, second clock", head, list(distorted(given)))


# -------------------------------------------------------------------------------- corrected times


def corrected_times(given: Asked) -> Iterator[Row]:
    """A row before and after for each match, then for all."""
    every: list[Floats] = []
    for one, aligner in left_out(given, "minute", CORRECTED + SEALED * given.sealed):
        every.append(errors(one, aligner.align(one.match)))
        yield from rows(one.match.name, every[-1])
    yield from rows("total", np.hstack(every))


def errors(one: LabelledMatch, links: Links) -> Floats:
    """For comments that describe an event: the distance of their own time, and of the links'.

    A comment whose time the links do not know keeps its own.
    """
    found = []
    for comment, answer in zip(one.match.comments, links, strict=True):
        gold = (one.gold or {}).get(comment.id)
        if gold and comment.time is not None:
            first = min(one.match.event_by_id[event].time for event in gold)
            after = comment.time if answer.time is None else answer.time
            found.append((abs(comment.time - first), abs(after - first)))
    return np.array(found).T


def rows(name: str, apart: Floats) -> Iterator[Row]:
    for way, own in zip(("before", "after"), apart, strict=True):
        shares = (f"{100 * np.mean(own <= limit):.1f} %" for limit in (3, 10))
        yield name, way, f"{np.median(own):.1f}", *shares
        name = ""


# -------------------------------------------------------------------------------------- distorted


class ReadOnce(Chains):
    """Leaves a match as its first reading has it, however far off the clock is."""

    def _infer_placed(self, match: Match, learned: Learned) -> Found:
        return self._infer_at(match, match, learned)


def distorted(given: Asked) -> Iterator[Row]:
    # Members move scores only, and take most of the time.
    models = [
        (one, without_ensemble(aligner), without_ensemble(aligner, ReadOnce))
        for one, aligner in left_out(given, "second", DEV)
    ]
    right = [aligner.infer(one.match).clock.lag for one, aligner, _ in models]
    for name, by in DISTORTIONS.items():
        twice, once, apart = Score(candidates=[]), Score(candidates=[]), []
        for (one, aligner, read_once), lag in zip(models, right, strict=True):
            labelled, shift = moved(one, by)
            twice.count(score_comments(labelled, aligner.align(labelled.match)))
            once.count(score_comments(labelled, read_once.align(labelled.match)))
            apart.append(np.abs(aligner.infer(labelled.match).clock.lag - lag - shift))
        f1 = (f"{100 * score.metrics()['f1']:.1f}" for score in (twice, once))
        yield name, *f1, *_spread(np.concatenate(apart))


def moved(one: LabelledMatch, by: Callable[[Floats], Floats]) -> tuple[LabelledMatch, Floats]:
    """A match with its comments moved, and by how much."""
    shift = by(np.array([comment.time for comment in one.match.comments], dtype=float))
    match = set_right(one.match, Clock(-shift, -shift, -shift))
    return msgspec.structs.replace(one, match=match), shift


def _spread(apart: Floats) -> Row:
    known = apart[~np.isnan(apart)]
    shares = (f"{100 * np.mean(known <= limit):.1f} %" for limit in (5, 10))
    return f"{np.median(known):.1f} s", *shares


def main() -> None:
    show(tables())


if __name__ == "__main__":
    main()
