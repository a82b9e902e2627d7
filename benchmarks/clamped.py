"""Labels inside EM against the layer: python -m benchmarks.clamped [--models DIR] [--sealed].

Needs TOUCHLINE_DATA. While a clamped model learns, a labelled comment may only have the hypotheses
nearest to its label, by F1. Matches of `epl-2015`, minute clock, each left out; five labelled
matches, then one (the mean over the choices). The log-likelihood of the held-out labels decides
which of them answers. Clamped EM is not part of touchline.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import numpy as np

from benchmarks.labels import DEV, LeftOut, answered, left_out, log_likelihood
from benchmarks.measuring import real_data
from touchline import load_aligner, make_aligner, read_corpus
from touchline.core.arrays import Floats
from touchline.evaluation import Score
from touchline.io.corpus.layout import LabelledMatch
from touchline.methods.chains.aligner import Chains
from touchline.methods.chains.data.tables import MatchTables, looked_up
from touchline.methods.chains.inference import posterior
from touchline.methods.chains.labelled.layer import learn
from touchline.methods.chains.labelled.set_features import LOG_POSTERIOR
from touchline.methods.chains.labelled.training import Labelled, example_of
from touchline.methods.chains.model.serialization import unpack_match

UNLABELLED = {LOG_POSTERIOR: 1.0}
# Of the hypotheses of a match, and of "no event" of its comments, which ones labels leave.
Allowed = tuple[np.ndarray, np.ndarray]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.clamped")
    parser.add_argument("--models", type=Path, default=Path("build/clamped"))
    parser.add_argument("--sealed", action="store_true")
    given = parser.parse_args()
    matches = list(read_corpus(real_data() / "epl-2015", clock="minute"))
    scored = [m.match.name for m in matches] if given.sealed else DEV
    found = list(left_out(matches, scored, given.models))
    print(f"{'':44}{'F1':>6}{'exact':>7}{'log-likelihood':>16}")
    print(_row("no labels", [(one, UNLABELLED) for one in found]))
    for number in (5, 1):
        names = [[m.match.name for m in matches if m is not one.one] for one in found]
        choices = [names] if number == 5 else [[[own[i]] for own in names] for i in range(5)]
        layers, clamped = [], []
        for choice in choices:
            for one, labelled, every in zip(found, choice, names, strict=True):
                own = [one.others[every.index(name)] for name in labelled]
                layers.append((one, learn(own)))
                model = clamped_model(one.one, labelled, matches, given.models)
                clamped.append((read_by(model, one.one), UNLABELLED))
        print(_row(f"{number} labelled, clamped EM", clamped, len(choices)))
        print(_row(f"{number} labelled, layer", layers, len(choices)), flush=True)


def read_by(model: Chains, one: LabelledMatch) -> LeftOut:
    assert model._learned is not None
    known = model._inferred(one.match, model._learned)
    return LeftOut(one, known, example_of(Labelled(one.match, one.gold or {}), known, "text"), [])


def clamped_model(
    one: LabelledMatch, labelled: Sequence[str], matches: Sequence[LabelledMatch], kept_in: Path
) -> Chains:
    """Learned from all other matches, of which some are clamped to their labels."""
    path = kept_in / f"clamped-{one.match.name}-by-{len(labelled)}-{labelled[0]}.npz"
    if path.exists():
        kept = load_aligner(path)
        assert isinstance(kept, Chains)
        return kept
    aligner = make_aligner("chains")
    assert isinstance(aligner, Chains)
    allowed = dict(allowed_in(aligner, m) for m in matches if m.match.name in labelled)
    with clamped_to(allowed):
        aligner.fit([m.match for m in matches if m is not one])
    path.parent.mkdir(parents=True, exist_ok=True)
    aligner.save(path)
    return aligner


def allowed_in(aligner: Chains, one: LabelledMatch) -> tuple[bytes, Allowed]:
    """What the labels of a match leave, under a key of its hypotheses."""
    _, comments = unpack_match(aligner.condense(one.match))
    events = looked_up(comments.event, comments.chains)
    number = {event.id: i for i, event in enumerate(one.match.linkable)}
    chains, none = np.ones(len(events), dtype=bool), np.ones(len(comments.time), dtype=bool)
    for c, comment in enumerate(one.match.comments):
        if (gold := (one.gold or {}).get(comment.id)) is None:
            continue
        own = slice(comments.hypotheses_of[c], comments.hypotheses_of[c + 1])
        right = np.isin(events[own], [number[e] for e in gold if e in number]).sum(axis=1)
        near = 2 * right / ((events[own] >= 0).sum(axis=1) + max(len(gold), 1))
        if near.max(initial=0.0) > 0 or not gold:
            chains[own], none[c] = (near == near.max(initial=0.0)) & bool(gold), not gold
    return events.tobytes(), (chains, none)


@contextmanager
def clamped_to(allowed: Mapping[bytes, Allowed]) -> Iterator[None]:
    """While it lasts, hypotheses that labels do not leave are impossible."""
    score_all = posterior.score_all

    def clamped(m: MatchTables, *more: object) -> tuple[Floats, Floats]:
        score, silent = score_all(m, *more)  # type: ignore[arg-type]
        chains, none = allowed.get(m.hypotheses.events.tobytes(), (True, True))
        return np.where(chains, score, -np.inf), np.where(none, silent, -np.inf)

    with patch.object(posterior, "score_all", clamped):
        yield


def _row(name: str, read: Sequence[tuple[LeftOut, dict[str, float]]], choices: int = 1) -> str:
    total = Score(candidates=[])
    for one, weights in read:
        total.count(answered(one, weights))
    likely = sum(log_likelihood(one.own, weights) for one, weights in read) / choices
    metrics = total.metrics()
    return f"{name:44}{100 * metrics['f1']:>6.1f}{100 * metrics['exact']:>7.1f}{likely:>16.1f}"


if __name__ == "__main__":
    main()
