"""Macro-events: growing the group of events that a sentence describes (Section 3.3, Algorithm 4).

Each sentence starts with its most popular pair. At each step every further pair of its bucket is
merged in turn, and the merge that raises the popularity most is kept, until none does or k events
are reached (Equation 3). The ranking says how popular a merged group is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec
import numpy as np

from touchline.core.arrays import Floats, Ints
from touchline.methods.pairs.pairing import Pairs

Group = tuple[int, ...]


class Step(msgspec.Struct, frozen=True):
    """A group of pairs of one sentence, its popularity, and the gain Δ that led to it."""

    group: Group
    rho: float
    gain: float


class Rivals(NamedTuple):
    """Which groups are compared: those of a sentence, and what each must be more popular than."""

    sentences: Ints
    least: Floats

    def part(self, start: int, end: int) -> Rivals:
        return Rivals(self.sentences[start:end], self.least[start:end])


def macro_events(
    pairs: Pairs,
    rho: Floats,
    k: int,
    merged: Callable[[Sequence[Group], Rivals], Floats],
    start: Floats | None = None,
    gap: float | None = None,
    only: range | None = None,
) -> dict[int, list[Step]]:
    """How the macro-event of each sentence grew; the last step holds it.

    Parameters
    ----------
    rho
        Popularity of the single pairs; `start`, when given, picks the first of each sentence.
    merged
        Popularity of groups, each as if it alone were added to the graph. Of those that are not
        the most popular of their rivals it may be anything lower.
    gap
        Only events within so many seconds of one already in the group are merged (ours).
    only
        The sentences that are asked for; all when None.
    """
    buckets: dict[int, list[int]] = defaultdict(list)
    for pair, sentence in enumerate(pairs.sentence.tolist()):
        if only is None or sentence in only:
            buckets[sentence].append(pair)
    first = rho if start is None else start
    grown = {}
    for sentence, bucket in buckets.items():
        best = max(bucket, key=lambda pair: first[pair])
        grown[sentence] = [Step((best,), float(rho[best]), float(rho[best]))]
    growing = list(buckets)
    for _ in range(1, k):
        candidates = [
            (sentence, (*group, pair))
            for sentence in growing
            for group in [grown[sentence][-1].group]
            for pair in buckets[sentence]
            if pair not in group and _close(pairs, group, pair, gap)
        ]
        if not candidates:
            break
        sentences = np.array([sentence for sentence, _ in candidates])
        least = np.array([grown[sentence][-1].rho for sentence, _ in candidates])
        values = merged([group for _, group in candidates], Rivals(sentences, least))
        growing = _keep_best(grown, candidates, values)
    return grown


def _close(pairs: Pairs, group: Group, pair: int, gap: float | None) -> bool:
    return gap is None or any(abs(pairs.lag[pair] - pairs.lag[other]) <= gap for other in group)


def _keep_best(
    grown: dict[int, list[Step]], candidates: Sequence[tuple[int, Group]], values: Floats
) -> list[int]:
    """Keep the best merge of each sentence if it gains anything; the sentences that grew."""
    best: dict[int, Step] = {}
    for (sentence, group), value in zip(candidates, values.tolist(), strict=True):
        step = Step(group, value, value - grown[sentence][-1].rho)
        if sentence not in best or step.gain > best[sentence].gain:
            best[sentence] = step
    gained = [sentence for sentence, step in best.items() if step.gain > 0]
    for sentence in gained:
        grown[sentence].append(best[sentence])
    return gained
