"""From pairs to macro-events: the paper's whole system on arrays, for any of its readings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal

import msgspec
import numpy as np

from touchline.core.arrays import Floats
from touchline.methods.pairrank.pair_model.model import PairModel
from touchline.methods.pairrank.pair_model.similarity import Similarity
from touchline.methods.pairrank.ranking.consensus import consensus
from touchline.methods.pairrank.ranking.graph import Ties, mutual_edges, rank_all
from touchline.methods.pairrank.ranking.lags import ROUNDS, lag_weights
from touchline.methods.pairrank.ranking.literal import LiteralSearch
from touchline.methods.pairrank.ranking.macro_events import Group, Rivals, Step, macro_events
from touchline.methods.pairrank.ranking.merging import Bordered, Graph, Model
from touchline.methods.pairrank.ranking.pair_rank import RankOptions, iterate, pair_rank
from touchline.methods.pairrank.ranking.votes import Votes
from touchline.methods.pairs.pairing import Pairs


class SystemOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Which parts the system is made of; `docs/paper.md` explains each."""

    k: int
    negatives: int
    cost: float
    pairing: Literal["zip", "block"]
    seed: int
    ties: Ties
    model: Literal["svm", "euclidean", "cosine"]
    ranking: Literal["pairrank", "votes"]
    merging: Literal["bordered", "literal"]
    rank: RankOptions
    power: float
    lag: bool
    gap: float | None
    silence: Literal["never", "consensus"]


class Ranked:
    """Popularity of all pairs; macro-events are grown for the sentences that are asked for.

    `probability`, with the consensus step, is that of each pair; without it None.
    """

    def __init__(
        self,
        rho: Floats,
        grow: Callable[[range], dict[int, list[Step]]],
        probability: Floats | None = None,
    ) -> None:
        self.rho, self.probability = rho, probability
        self._grow = grow
        self._grown: dict[range, dict[int, list[Step]]] = {}

    def grown(self, sentences: range) -> dict[int, list[Step]]:
        """How the macro-event of each sentence grew; what has been asked before is remembered."""
        if sentences not in self._grown:
            self._grown[sentences] = self._grow(sentences)
        return self._grown[sentences]


def make_model(pairs: Pairs, options: SystemOptions) -> Model:
    """PairModel, or the plain similarity that stands in for it."""
    if options.model == "svm":
        return PairModel(
            pairs,
            count=options.negatives,
            pairing=options.pairing,
            cost=options.cost,
            seed=options.seed,
        )
    return Similarity(pairs, options.model)


def rank(pairs: Pairs, model: Model, trained: Any, options: SystemOptions) -> Ranked:
    """Rank all pairs, given their models."""
    if len(pairs) == 0:
        return Ranked(np.zeros(0), lambda sentences: {})
    if options.ranking == "votes":
        votes = Votes(model.confidences(trained))
        return _ranked(pairs, votes.single(), votes, options)
    graph = _graph(pairs, model.confidences(trained), options)
    plain = msgspec.structs.replace(options.rank, compete=False)
    rho = pair_rank(graph.edges, graph.own, graph.frequency, plain)
    chosen, probability = _chosen(pairs, graph, rho, options)
    merged = _merging(model, trained, graph, plain, options)
    return _ranked(pairs, rho, merged, options, chosen, probability)


def _ranked(
    pairs: Pairs,
    rho: Floats,
    merged: Callable[[Sequence[Group], Rivals], Floats],
    options: SystemOptions,
    chosen: Floats | None = None,
    probability: Floats | None = None,
) -> Ranked:
    def grow(sentences: range) -> dict[int, list[Step]]:
        return macro_events(pairs, rho, options.k, merged, chosen, options.gap, sentences)

    return Ranked(rho if chosen is None else chosen, grow, probability)


def _merging(
    model: Model, trained: Any, graph: Graph, plain: RankOptions, options: SystemOptions
) -> Callable[[Sequence[Group], Rivals], Floats]:
    """Who says how popular a merged group is; with k = 1 nobody is asked."""
    if options.k == 1:
        return lambda groups, rivals: np.zeros(len(groups))
    if options.merging == "bordered":
        return Bordered(model, graph, plain)
    return LiteralSearch(model, trained, graph.frequency, plain, ties=graph.ties, power=graph.power)


def _graph(pairs: Pairs, blocks: Iterable[tuple[slice, Floats]], options: SystemOptions) -> Graph:
    ranks, own = rank_all(blocks, len(pairs), options.ties)
    return Graph(
        ranks=ranks.tocsc(),
        edges=mutual_edges(ranks, options.power),
        own=own,
        frequency=pairs.frequency[pairs.event],
        ties=options.ties,
        power=options.power,
    )


def _chosen(
    pairs: Pairs, graph: Graph, rho: Floats, options: SystemOptions
) -> tuple[Floats, Floats | None]:
    """By what the first event of each sentence is chosen, and the consensus' probabilities.

    As printed that is rho itself. Ours: pairs of a sentence compete, and weigh by how usual their
    lag is. Growth is measured on the plain graph all the same, where a macro-event does not
    compete with its own members.
    """
    if options.rank.compete or options.lag:
        prior = None
        for _ in range(ROUNDS if options.lag else 0):
            prior = lag_weights(pairs, rho)
            rho = iterate(
                graph.edges, graph.own, graph.frequency, options.rank, pairs.sentence, prior
            )
        if prior is None:
            rho = iterate(graph.edges, graph.own, graph.frequency, options.rank, pairs.sentence)
    if options.silence == "never":
        return rho, None
    probability = consensus(pairs, rho, _types(pairs))
    return probability + 1e-9 * rho, probability


def _types(pairs: Pairs) -> np.ndarray:
    """A number for the event type of each pair."""
    column = np.array([name.startswith("type=") for name in pairs.columns])
    kinds = pairs.values[:, np.flatnonzero(column)]
    return np.asarray(kinds.argmax(axis=1)).ravel()[pairs.row[pairs.event]]
