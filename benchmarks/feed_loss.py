"""What each feed's format costs: the links of a bundled match through every format.

    python -m benchmarks.feed_loss

The match is written in each format and read again. One model, learned on the full log, links all
of them; counted are the comments that get the same events as with the full log.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measuring import Table, show
from touchline import Match, make_aligner, read_corpus, read_events
from touchline.methods.registry import Aligner
from touchline.sample import corpus_path
from touchline.sample.exports import FEEDS, write


def tables() -> Iterator[Table]:
    match = next(read_corpus(corpus_path())).match
    aligner = make_aligner("chains")
    aligner.fit([match])
    whole = linked(aligner, match)
    rows = []
    for feed in FEEDS:
        found = linked(aligner, through(match, feed))
        same = sum(one == other for one, other in zip(whole, found, strict=True))
        rows.append((feed, f"{same}", f"{in_common(whole, found):.3f}"))
    yield Table("", ["feed", f"same links, of {len(whole)}", "F1"], rows, "")


def through(match: Match, feed: str) -> Match:
    with tempfile.TemporaryDirectory() as folder:
        files = write(match, feed, Path(folder))
        log = read_events(files.events, lineups=files.lineups)
    return log.with_comments(match.comments)


def linked(aligner: Aligner, match: Match) -> list[set[str]]:
    return [{link.id for link in answer.events} for answer in aligner.align(match)]


def in_common(some: list[set[str]], other: list[set[str]]) -> float:
    both = sum(len(a & b) for a, b in zip(some, other, strict=True))
    return 2 * both / sum(map(len, [*some, *other]))


def main() -> None:
    show(tables())


if __name__ == "__main__":
    main()
