"""Phases on real matches: python -m benchmarks.phases [--sealed] (needs TOUCHLINE_DATA).

The bundled words against the labelled phases of TV speech, with 95 % intervals over comments; they
were learned from other matches, without labels. Beside it the same comments with every time moved
round its period by some minutes, so that the right team has the ball only by accident, and parts of
the method left out. Then the same count of phases, at the right times and at moved ones, for
radio, live text and the sample, where no phases are labelled. Links are those of the bundled models
without labels. With `--sealed` also the match that is looked at only for reports, alone and
together with the others.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import msgspec
import numpy as np

from benchmarks.measuring import Table, real_data, show
from touchline import make_aligner, read_corpus
from touchline.core.links import CommentLinks, Links
from touchline.core.records import Match
from touchline.evaluation.bootstrap import LEVEL, draws
from touchline.evaluation.phases import PhaseScore, score_each_phase
from touchline.io.corpus.layout import LabelledMatch
from touchline.methods.chains.phases.words import PhaseWords, bundled_words, with_phases
from touchline.pipeline.read import known_by
from touchline.sample import corpus_path

SHIFTS = (600.0, 1100.0, 1600.0)
DEVELOP = ("chelsea-watford", "man-united-sunderland")
SEALED = "swansea-man-united"  # its labels are looked at only for reports
LIVE_TEXT = (
    "chelsea-southampton", "liverpool-west-ham", "man-city-chelsea", "west-brom-chelsea",
)  # fmt: skip


class WordsAlone(PhaseWords, frozen=True, kw_only=True):
    """However large the spell is."""

    def score(self, words: Iterable[str], rank: float) -> float:
        return super().score(words, 1.0)


def moved(links: Links, seconds: float) -> Links:
    """The links with every comment so much later, and round to the start of its period."""
    return Links(links.match, (_moved(answer, links.match, seconds) for answer in links))


def _moved(answer: CommentLinks, match: Match, seconds: float) -> CommentLinks:
    if answer.period is None or answer.time is None:
        return answer
    time = (answer.time + seconds) % match.ends[answer.period]
    return msgspec.structs.replace(answer, time=time)


def apart(links: Links) -> Links:
    """The links with a pause after every comment, so that none carries a phase on."""
    comments = (msgspec.structs.replace(c, anywhere=True) for c in links.match.comments)
    return Links(links.match.with_comments(comments), links)


def ways() -> Iterator[tuple[str, Callable[[Links], Links]]]:
    """The method, what it is compared with, and parts of it left out."""
    words = bundled_words()
    assert words is not None
    alone = WordsAlone(offset=words.offset, words=words.words)
    # Even odds for a rank that is as likely as any other, whatever the words.
    no_words = PhaseWords(offset=float(np.log(3.0)), words={})
    yield "phases", lambda links: with_phases(links, words)
    for seconds in SHIFTS:
        yield f"clock shifted by {seconds:,.0f} s", _later(words, seconds)
    yield "without words", lambda links: with_phases(links, no_words)
    yield "without the size of the spell", lambda links: with_phases(links, alone)
    yield "without continuation", lambda links: with_phases(apart(links), words)


def _later(words: PhaseWords, seconds: float) -> Callable[[Links], Links]:
    return lambda links: with_phases(moved(links, seconds), words)


def intervals(scores: list[PhaseScore]) -> dict[str, tuple[float, float]]:
    """95 % intervals of precision, recall and F1, over comments."""
    rows = np.array([(s.right, s.predicted, s.lines) for s in scores], float)
    right, predicted, lines = (draws(len(rows), seed=0) @ rows).T
    found = {
        "precision": right / np.maximum(predicted, 1),
        "recall": right / np.maximum(lines, 1),
        "f1": 2 * right / np.maximum(predicted + lines, 1),
    }
    return {name: tuple(np.percentile(values, LEVEL)) for name, values in found.items()}


def score(title: str, labelled: list[LabelledMatch]) -> Table:
    """One row per way, over all labelled matches."""
    links = {m.match.name: align(m.match) for m in labelled}
    rows = []
    for name, way in ways():
        each = [
            score
            for m in labelled
            for score in score_each_phase(m, way(links[m.match.name])).values()
        ]
        total = sum(each, PhaseScore())
        metrics, around = total.metrics(), intervals(each)
        row = [name, f"{total.right} of {total.predicted}"]
        for metric in ("precision", "recall", "f1"):
            low, high = around[metric]
            row.append(f"{metrics[metric]:.3f} [{low:.3f}, {high:.3f}]")
        rows.append([*row, f"{metrics['overlap']:.2f}"])
    return Table(title, ["", "right of found", "P", "R", "F1", "overlap"], rows)


def align(match: Match) -> Links:
    return make_aligner("chains:unlabelled").align(match)


def count(match: Match) -> list[str]:
    """Phases of a match at the right times and at moved ones."""
    links = align(match)
    false = sum(_phases(moved(links, by)) for by in SHIFTS) / len(SHIFTS)
    return [match.name, f"{len(links):,}", str(_phases(links)), f"{false:.1f}"]


def _phases(links: Links) -> int:
    return sum(answer.phase is not None for answer in with_phases(links))


def others(data: Path) -> Iterator[Match]:
    """Matches without labels of phases."""
    yield from (labelled.match for labelled in read_corpus(data / "radio-2018"))
    for labelled in read_corpus(data / "epl-2015"):
        if labelled.match.name in LIVE_TEXT:
            yield known_by("minute", labelled.match)
    yield from (labelled.match for labelled in read_corpus(corpus_path()))


def tables() -> Iterator[Table]:
    data = real_data()
    matches = {m.match.name: m for m in read_corpus(data / "tv-2015", track="phases")}
    develop = [matches[name] for name in DEVELOP]
    yield score("Two stretches", develop)
    if "--sealed" in sys.argv:
        yield score("The stretch for reports", [matches[SEALED]])
        yield score("All three stretches", [*develop, matches[SEALED]])
    head = ["match", "comments", "phases", "at shifted times"]
    yield Table("Matches without labels", head, list(map(count, others(data))))


def main() -> None:
    show(tables())


if __name__ == "__main__":
    main()
