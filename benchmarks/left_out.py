"""Matches with an aligner that has not seen them, for benchmarks that need the labels' matches.

Learning takes most of a benchmark's time and does not depend on what is measured: with a folder to
keep them in, models are learned once. It is for one version of the code; nothing checks that.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from benchmarks.measuring import real_data
from touchline import load_aligner, make_aligner, read_corpus
from touchline.core.records import Match
from touchline.io.corpus.layout import LabelledMatch
from touchline.methods.chains.aligner import Chains
from touchline.methods.chains.model.serialization import pack_learned, unpack_learned

DEV = ("chelsea-southampton", "liverpool-west-ham", "man-city-chelsea", "west-brom-chelsea")


class Asked(NamedTuple):
    """What a benchmark was asked for: where the data are, where models are kept, which matches."""

    data: Path
    models: Path | None
    sealed: bool


def asked(program: str, sealed: str) -> Asked:
    """The words of the command line; `sealed` says what that word adds."""
    parser = argparse.ArgumentParser(prog=f"python -m benchmarks.{program}")
    parser.add_argument("--models", type=Path, help="folder to keep the learned models in")
    parser.add_argument("--sealed", action="store_true", help=sealed)
    given, _ = parser.parse_known_args()
    folder = real_data()
    return Asked(folder, given.models, given.sealed)


def left_out(
    given: Asked, clock: str, names: Iterable[str]
) -> Iterator[tuple[LabelledMatch, Chains]]:
    """Each of these matches of `epl-2015` with what the others have taught."""
    matches = list(read_corpus(given.data / "epl-2015", clock=clock))
    for one in (match for match in matches if match.match.name in names):
        others = [other.match for other in matches if other is not one]
        yield one, learned(given, others, f"epl-2015-{clock}-without-{one.match.name}")


def radio(given: Asked, clock: str) -> Iterator[tuple[LabelledMatch, Chains]]:
    """The labelled match of `radio-2018` with what all five have taught, without its labels."""
    matches = list(read_corpus(given.data / "radio-2018", clock=clock))
    model = learned(given, [one.match for one in matches], f"radio-2018-{clock}")
    return ((one, model) for one in matches if one.gold)


def learned(given: Asked, matches: list[Match], name: str) -> Chains:
    """Learned from these matches, or brought back from where it is kept."""
    path = given.models / f"{name}.model" if given.models else None
    if path and path.exists():
        kept = load_aligner(path)
        assert isinstance(kept, Chains)
        return kept
    aligner = make_aligner("chains")
    assert isinstance(aligner, Chains)
    aligner.fit(matches)
    if path:
        path.parent.mkdir(parents=True, exist_ok=True)
        aligner.save(path)
    return aligner


def without_ensemble(aligner: Chains, kind: type[Chains] = Chains) -> Chains:
    """The same, with nobody beside the one who has learned from all matches."""
    learned = unpack_learned(aligner.parameters())
    assert learned
    alone = kind(aligner.options)
    alone.restore(pack_learned(learned._replace(members=())))
    return alone
