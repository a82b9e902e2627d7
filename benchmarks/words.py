"""The words of each event: python -m benchmarks.words [PART ...] [--models FOLDER] [--sealed].

    scores     `touchline evaluate --track segments` of several methods, all three matches
    ablation   token F1 with parts of the method left out, two matches, minute clock
    labels     the same matches, each with a layer learned from the labelled words of the others
    feedback   F1 of links if the sum over all ways to share out a comment counted for its chain
    time       processor seconds of finding words, and of learning a layer

Needs TOUCHLINE_DATA; without PART all of them. Every match is read by a model that was learned from
the other matches without labels. The labelled words of `liverpool-west-ham` are kept for reports:
they are looked at only with `--sealed`, and `scores` is left out without it.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, NamedTuple

import msgspec
import numpy as np

from benchmarks.left_out import DEV, Asked, asked, left_out
from benchmarks.measuring import Table, show
from touchline import evaluate, make_aligner
from touchline.core.arrays import Floats
from touchline.core.links import Links
from touchline.core.records import CommentId
from touchline.evaluation import compare
from touchline.evaluation.metrics import Score, score_comments
from touchline.evaluation.segments import Given, SegmentScore, score_each_segment
from touchline.io.corpus.layout import LabelledMatch
from touchline.io.corpus.segments import FILE, read_segments
from touchline.methods.base import answer
from touchline.methods.chains.aligner import Found
from touchline.methods.chains.inference.answers import LINKED, answers
from touchline.methods.chains.words import comments, evidence, learning
from touchline.methods.chains.words.comments import Group
from touchline.methods.chains.words.finder import WordFinder
from touchline.methods.chains.words.layer import WordLayer, learn, log_likelihood
from touchline.methods.segments import lattice
from touchline.methods.segments.lattice import States
from touchline.text.parts import OTHER_WORD, PHRASE, Part, parts_of

SCORED = ("man-city-chelsea", "west-brom-chelsea")
SEALED = "liverpool-west-ham"
WEIGHTS = (0.0, 0.05, 0.1, 0.2, 0.5, 1.0)
CHAINS = 8
EVALUATED = {
    "`chains:unlabelled`, minute clock": ("chains:unlabelled", "minute"),
    "`chains:unlabelled`, second clock": ("chains:unlabelled", "second"),
    "`chains`, with labels, minute clock": ("chains", "minute"),
}
COMPARED = ("liang2009", "koncel2014")
FIGURES = ("given the gold links: F1 (P/R)", "end to end: F1 (P/R)")


class Read(NamedTuple):
    """A match and what was inferred of it without labels."""

    labelled: LabelledMatch
    found: Found
    links: Links

    def finder(self, **more: Any) -> WordFinder:
        inferred = self.found.inferred
        return WordFinder(
            self.links, inferred.tables, self.found.parameters, inferred.language,
            self.found.finder, **more,
        )  # fmt: skip


def read(given: Asked, clock: str, names: Sequence[str]) -> Iterator[Read]:
    for one, chains in left_out(given, clock, names):
        match = one.match
        found = chains._infer_placed(match, chains._known(match)[0])
        inferred = found.inferred
        links = Links(match, answers(match, inferred.tables, inferred.agreed, found.clock))
        folder = given.data / "epl-2015" / match.name
        words = read_segments(folder / FILE, match) if match.name in scored(given) else None
        yield Read(msgspec.structs.replace(one, segments=words), found, links)


def scored(given: Asked) -> tuple[str, ...]:
    return (*SCORED, SEALED) if given.sealed else SCORED


def score(one: Read, finder: WordFinder) -> SegmentScore:
    places = {comment.id: i for i, comment in enumerate(one.labelled.match.comments)}

    def describe(comment: CommentId, events: Sequence[str]) -> Given:
        found = finder.find([finder.asked(places[comment], events)])[0]
        return {event: found.get(event, ()) for event in events}

    each = score_each_segment(one.labelled, describe, one.links)
    return sum(each.values(), SegmentScore())


def row(name: str, total: SegmentScore) -> list[str]:
    metrics = total.metrics()
    return [name, *(_f1_with_parts(own) for own in (metrics, metrics["end_to_end"]))]


def _f1_with_parts(metrics: Mapping[str, Any]) -> str:
    f1, precision, recall = (f"{100 * metrics[name]:.1f}" for name in ("f1", "precision", "recall"))
    return f"{f1} ({precision}/{recall})"


# Methods -----------------------------------------------------------------------------------------


def methods(given: Asked) -> Iterator[Table]:
    """Each method as `touchline evaluate` scores it, and `chains` by match."""
    corpus = given.data / "epl-2015"
    found = {
        name: evaluate(corpus, make_aligner(method), clock=clock, track="segments").to_json()
        for name, (method, clock) in EVALUATED.items()
    }
    totals = {name: {**own["total"], "interval": own["interval"]} for name, own in found.items()}
    first = next(iter(found.values()))
    totals |= first["baselines"]
    compared = compare(corpus, {name: make_aligner(name) for name in COMPARED}, track="segments")
    totals |= {f"`{name}`": compared["methods"][name]["total"] for name in COMPARED}
    rows = [_with_intervals(name, total) for name, total in totals.items()]
    notes = (
        "The baselines are given the links of the first row. "
        "The last two methods learn from all matches, without labels."
    )
    yield Table("Methods", ["three matches", *FIGURES], rows, notes)
    for name, own in found.items():
        rows = [
            [f"`{match}`", *map(_f1_with_parts, (m, m["end_to_end"]))]
            for match, m in own["matches"].items()
        ]
        yield Table(f"Matches, {name}", ["match", *FIGURES], rows)


def _with_intervals(name: str, total: Mapping[str, Any]) -> list[str]:
    row = [name]
    for way, own in (("f1", total), ("end_to_end", total["end_to_end"])):
        low, high = (f"{100 * bound:.1f}" for bound in total["interval"][way])
        row.append(f"{_f1_with_parts(own)} [{low}, {high}]")
    return row


# Ablation ----------------------------------------------------------------------------------------


@contextmanager
def patched(module: Any, **values: Any) -> Iterator[None]:
    """A module with other constants or functions."""
    before = {name: getattr(module, name) for name in values}
    for name, value in values.items():
        setattr(module, name, value)
    try:
        yield
    finally:
        for name, value in before.items():
            setattr(module, name, value)


def no_words(_: Any, group: Group, states: States, *__: Any) -> Floats:
    return np.zeros((len(group.words), len(states.events)))


def no_names(_: Any, group: Group, states: States) -> Floats:
    return np.zeros((*group.there.shape, len(states.events)))


def nothing_beside(_: Any, group: Group) -> Floats:
    return np.zeros((len(group.names), 2))


def one_edge(*given: Any) -> list[Part]:
    """Parts that all start alike."""
    return [part._replace(edge=("", PHRASE, OTHER_WORD)) for part in parts_of(*given)]


def no_restarts(*given: Any) -> evidence.Scene:
    scene = evidence.Scene.of(*given)
    return scene._replace(restarts=np.zeros_like(scene.restarts))


ANY_ORDER = learning.UNLEARNED._replace(onwards=0.5)
ABLATIONS: Mapping[str, Callable[[], Any]] = {
    "nothing": lambda: patched(evidence),
    "words": lambda: patched(evidence, _words=no_words),
    "the cost of an event without a part": lambda: patched(lattice, MISSING=0.0),
    "learning from the match": lambda: patched(evidence),
    "names": lambda: patched(evidence, _names=no_names),
    "clauses (all boundaries alike)": lambda: patched(comments, parts_of=one_edge),
    "not counting words for later set pieces": lambda: patched(
        sys.modules[WordFinder.__module__], Scene=_Scenes
    ),
    "words next to names": lambda: patched(evidence, _beside=nothing_beside),
    "later events likelier than earlier ones": lambda: patched(
        learning, FIRST_ONWARDS=0.5, ONWARDS_PRIOR=1e9, UNLEARNED=ANY_ORDER
    ),
    "shared words": lambda: patched(evidence, TOGETHER=-1.0),
}


class _Scenes:
    of = staticmethod(no_restarts)


def ablation(given: Asked) -> Table:
    matches, rows = list(read(given, "minute", SCORED)), []
    for name, without in ABLATIONS.items():
        with without():
            learns = name != "learning from the match"
            finders = [one.finder(learns=learns) for one in matches]
            scores = map(score, matches, finders)
            rows.append(row(name, sum(scores, SegmentScore())))
    return Table("Parts left out", ["left out", *FIGURES], rows)


# Labels ------------------------------------------------------------------------------------------


def labels(given: Asked) -> Table:
    """Each match with what the labelled words of the others teach; links are without labels."""
    matches = list(read(given, "minute", scored(given)))
    examples = [one.finder().examples(one.labelled.segments or {}, {}) for one in matches]
    plain, taught, likely, rows = SegmentScore(), SegmentScore(), [0.0, 0.0], []
    for one, own in zip(matches, examples, strict=True):
        weights = learn([e for others in examples if others is not own for e in others], {})
        without, with_layer = (
            score(one, one.finder(layer=layer)) for layer in (None, WordLayer("text", weights))
        )
        name = one.labelled.match.name
        rows += [row(f"{name}, without labels", without), row(f"{name}, with", with_layer)]
        plain, taught = plain + without, taught + with_layer
        likely = [likely[0] + log_likelihood(own, {}), likely[1] + log_likelihood(own, weights)]
    rows += [row("all, without labels", plain), row("all, with", taught)]
    notes = f"Log-likelihood of the labels: {likely[0]:.0f} without, {likely[1]:.0f} with."
    return Table("Labelled words", ["labelled words of the others", *FIGURES], rows, notes)


# Feedback ----------------------------------------------------------------------------------------


class Ranked(NamedTuple):
    """The likeliest chains of a comment: their events, probabilities, and sums over all ways."""

    chains: list[tuple[int, ...]]
    share: Floats
    total: Floats


def ranked(one: Read) -> list[Ranked]:
    hypotheses, agreed = one.found.inferred.tables.hypotheses, one.found.inferred.agreed
    finder, found = one.finder(), []
    for number in range(len(one.labelled.match.comments)):
        own = slice(hypotheses.start[number], hypotheses.start[number + 1])
        shares = agreed.chains[own]
        best = np.argsort(-shares, kind="stable")[:CHAINS]
        chains = [
            tuple(sorted({e for e in row if e >= 0}))
            for row in hypotheses.events[own][best].tolist()
        ]
        kept = [i for i, chain in enumerate(chains) if chain]
        totals = [_total(finder, number, chains[i]) for i in kept]
        found.append(Ranked([chains[i] for i in kept], shares[best][kept], np.array(totals)))
    return found


def _total(finder: WordFinder, comment: int, events: Sequence[int]) -> float:
    """The log of the sum over all ways; 0 where there is no part."""
    return next((float(s.total[0]) for _, _, s in finder._shared_out([(comment, events)])), 0.0)


def corrected(every: Sequence[Ranked]) -> list[Ranked]:
    """Sums less what is usual for so many events, in comments with as many parts."""
    sizes = np.concatenate([[len(c) for c in one.chains] for one in every] or [[]])
    totals = np.concatenate([one.total - one.total.mean() for one in every if len(one.total)])
    usual = {size: float(totals[sizes == size].mean()) for size in set(sizes.tolist())}
    return [
        one._replace(total=one.total - np.array([usual[len(c)] for c in one.chains]))
        for one in every
    ]


def with_feedback(one: Read, every: Sequence[Ranked], weight: float) -> Links:
    """Links if the likeliest chains of each comment are weighed by their sums."""
    match, found = one.labelled.match, []
    for comment, before, own in zip(match.comments, one.links, every, strict=True):
        likely = {link.id: link.score for link in (*before.events, *before.candidates)}
        if len(own.share):
            tilted = own.share * np.exp(weight * (own.total - own.total.max()))
            tilted *= own.share.sum() / tilted.sum()
            for chain, change in zip(own.chains, (tilted - own.share).tolist(), strict=True):
                for event in chain:
                    name = match.linkable[event].id
                    likely[name] = likely.get(name, 0.0) + change
        scored = [(match.event_by_id[name], share) for name, share in likely.items()]
        linked = [name for name, share in likely.items() if share > LINKED]
        found.append(answer(match, comment, scored, linked, before.none or 0.0))
    return Links(match, found)


def feedback(given: Asked) -> Table:
    rows = []
    for clock in ("minute", "second"):
        matches = list(read(given, clock, DEV))
        plain = [ranked(one) for one in matches]
        ways = {f"{clock} clock": plain}
        if clock == "minute":
            ways[f"{clock} clock, corrected for number of events"] = list(map(corrected, plain))
        for name, every in ways.items():
            figures = []
            for weight in WEIGHTS:
                scores = [
                    score_comments(one.labelled, with_feedback(one, own, weight))
                    for one, own in zip(matches, every, strict=True)
                ]
                f1 = sum(scores, Score(candidates=[])).metrics()["f1"]
                figures.append(f"{100 * f1:.1f}")
            rows.append([name, *figures])
    return Table("Feedback into links", ["weight", *(f"{weight:g}" for weight in WEIGHTS)], rows)


# Time --------------------------------------------------------------------------------------------


def timed(given: Asked) -> Table:
    matches = list(read(given, "minute", SCORED))
    examples = [one.finder().examples(one.labelled.segments or {}, {}) for one in matches]
    every = [example for own in examples for example in own]
    weights = learn(every, {})
    layer = WordLayer("text", weights)
    ways: dict[str, Callable[[], Any]] = {
        "words of both matches, without labels": lambda: [o.finder().linked() for o in matches],
        "the same with a layer": lambda: [o.finder(layer=layer).linked() for o in matches],
        "learning a layer from both": partial(learn, every, {}),
    }
    rows = []
    for name, run in ways.items():
        start = time.process_time()
        run()
        rows.append([name, f"{time.process_time() - start:.2f}"])
    return Table("Time", ["", "processor seconds"], rows)


PARTS = {"ablation": ablation, "labels": labels, "feedback": feedback, "time": timed}


def tables() -> Iterator[Table]:
    given = asked("words", "also the match that is kept for reports")
    chosen = [word for word in sys.argv[1:] if word in (*PARTS, "scores")]
    if given.sealed and (not chosen or "scores" in chosen):
        yield from methods(given)
    yield from (PARTS[name](given) for name in chosen or PARTS if name in PARTS)


def main() -> None:
    show(tables())


if __name__ == "__main__":
    main()
