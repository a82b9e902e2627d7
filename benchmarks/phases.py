"""Phases on real matches: python -m benchmarks.phases [MATCH ...] (needs TOUCHLINE_DATA).

Nobody has labelled phases. What can be checked is whether the words know more than chance: the same
comments are asked again with every time moved round its period by so many seconds, so that the
right team has the ball only by accident. Phases found there are false; of those found at the right
times about as many must be. The words are learned from the other radio matches.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from benchmarks.measuring import real_data
from touchline import make_aligner, read_corpus
from touchline.core.links import CommentLinks, Links
from touchline.core.records import Match
from touchline.methods.chains.phases.words import (
    PhaseWords,
    Seen,
    learn_words,
    seen_in,
    with_phases,
)
from touchline.pipeline.read import known_by
from touchline.sample import corpus_path

SHIFTS = (600.0, 1100.0, 1600.0)
# Matches whose labels are looked at only for reports are left alone here as well.
LIVE_TEXT = (
    "chelsea-southampton", "liverpool-west-ham", "man-city-chelsea", "west-brom-chelsea",
)  # fmt: skip


def moved(links: Links, seconds: float) -> Links:
    """The links with every comment so much later, and round to the start of its period."""
    return Links(links.match, (_moved(answer, links.match, seconds) for answer in links))


def _moved(answer: CommentLinks, match: Match, seconds: float) -> CommentLinks:
    if answer.period is None or answer.time is None:
        return answer
    time = (answer.time + seconds) % match.ends[answer.period]
    return msgspec.structs.replace(answer, time=time)


def scores(links: Links, words: PhaseWords | None, with_events: bool) -> list[float]:
    """The scores of phases, of comments with events or of those without."""
    found = with_phases(links, words)
    return [a.phase.score for a in found if a.phase and bool(a.events) == with_events]


def measure(match: Match, words: PhaseWords | None) -> str:
    links = make_aligner("chains").align(match)
    row = f"{match.name:26}{len(links):>10}"
    for with_events in (False, True):
        found = scores(links, words, with_events)
        false = sum(len(scores(moved(links, by), words, with_events)) for by in SHIFTS) / len(
            SHIFTS
        )
        mean = f"{sum(found) / len(found):.2f}" if found else "-"
        row += f"{len(found):>8}{false:>8.1f}{mean:>7}"
    return row


def cases(data: Path) -> Iterator[tuple[Match, PhaseWords | None]]:
    """Matches with the words to read them with; None stands for the bundled ones."""
    radio = [labelled.match for labelled in read_corpus(data / "radio-2018")]
    seen: dict[str, list[Seen]] = {match.name: seen_in(match) for match in radio}
    for match in radio:
        yield match, learn_words([own for name, own in seen.items() if name != match.name])
    for labelled in read_corpus(data / "epl-2015"):
        if labelled.match.name in LIVE_TEXT:
            yield known_by("minute", labelled.match), None
    yield from ((labelled.match, None) for labelled in read_corpus(corpus_path()))


def report(chosen: Iterable[str], data: Path) -> None:
    wanted = set(chosen)
    print(f"{'':36}{'no event':^23}{'beside events':^23}")
    print(f"{'match':26}{'comments':>10}" + f"{'phases':>8}{'moved':>8}{'score':>7}" * 2)
    for match, words in cases(data):
        if not wanted or match.name in wanted:
            print(measure(match, words), flush=True)


def main() -> None:
    report(sys.argv[1:], real_data())


if __name__ == "__main__":
    main()
