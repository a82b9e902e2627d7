"""The paper's system behind the aligners' protocol; `docs/paper.md` compares it with the paper."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Literal

import msgspec
import numpy as np
from scipy.stats import rankdata

from touchline.core.arrays import Floats
from touchline.core.batches import batched
from touchline.core.errors import TouchlineError, UsageError
from touchline.core.links import CommentLinks, Links
from touchline.core.records import CommentId, Event, Match
from touchline.methods.base import (
    ALONE,
    FITTED,
    Aligner,
    Alignment,
    Cost,
    Count,
    Labels,
    MinCount,
    Model,
    Options,
    Share,
    answer,
)
from touchline.methods.pairrank.explanation import (
    Grown,
    LookedInto,
    Near,
    PairExplanation,
    PairModelSummary,
)
from touchline.methods.pairrank.pair_model.model import PairModel, PairModels
from touchline.methods.pairrank.ranking.consensus import PROBABLE
from touchline.methods.pairrank.ranking.explaining import (
    heaviest,
    heaviest_words,
    nearest_sentences,
)
from touchline.methods.pairrank.ranking.graph import Ties
from touchline.methods.pairrank.ranking.macro_events import Step
from touchline.methods.pairrank.ranking.pair_rank import Discount, RankOptions
from touchline.methods.pairrank.ranking.system import Ranked, SystemOptions, make_model, rank
from touchline.methods.pairs.pairing import Pairs, Reading, appended, pair_up
from touchline.methods.pairs.storing import pack_pairs, unpack_pairs

# How much an explanation shows.
HEAVIEST, NEAREST = 10, 3
# Of one graph. A season's match has some 500, real speech 1,400; each merge goes
# through the edges, which are nearly as many as the square of the pairs.
MAX_PAIRS = 9_000
# Matches of a shard: the graph of all pairs grows with their square, many small ones do not.
SHARD = 6


class PairRankOptions(Options, frozen=True, kw_only=True):
    """The parameters, and every point of the paper that can be read in more than one way."""

    k: Count = 4
    d: Share = 0.5
    negatives: Count = 50
    cost: Cost = 100.0
    scope: Literal["all", "match", "half"] = "all"
    arguments: str = "*,-end_zone"
    min_count: MinCount = 2
    players: Literal["actor", "all"] = "actor"
    strings: Literal["binary", "three", "three-after"] = "three"
    nodes: Literal["named", "all"] = "named"
    pairing: Literal["zip", "block"] = "zip"
    ties: Ties = "dense"
    normalise: bool = True
    discount: Discount = "each"
    merging: Literal["bordered", "literal"] = "bordered"
    model: Literal["svm", "euclidean", "cosine"] = "svm"
    ranking: Literal["pairrank", "votes"] = "pairrank"
    # Ours, not the paper's.
    power: float = 1.0
    compete: bool = False
    lag: bool = False
    gap: float | None = None
    silence: Literal["never", "consensus"] = "never"
    # Learn from this many neighbouring matches together; 0 for all.
    shard: int = 0

    def reading(self) -> Reading:
        return Reading(
            window=self.bucket_window,
            arguments=tuple(name.strip() for name in self.arguments.split(",")),
            min_count=self.min_count,
            players=self.players,
            strings=self.strings,
            nodes=self.nodes,
        )

    def system(self) -> SystemOptions:
        rank_options = RankOptions(
            d=self.d, discount=self.discount, normalise=self.normalise, compete=self.compete
        )
        shared = [n for n in SystemOptions.__struct_fields__ if n in self.__struct_fields__]
        return SystemOptions(rank=rank_options, **{name: getattr(self, name) for name in shared})


class _Place(msgspec.Struct, frozen=True):
    """Where a match that was learned from stands among the pairs' sentences and events."""

    fingerprint: str
    sentence: int
    event: int


class _Learned(msgspec.Struct, frozen=True):
    """The pairs and models of all matches learned from, or of those of a shard.

    The models of a shard are None until one of its matches is asked for. `texts` are the sentences
    as they were, to explain by; they are not stored.
    """

    pairs: Pairs
    models: Any
    places: list[_Place]
    texts: dict[int, str] = {}

    def size_at(self, place: _Place) -> tuple[int, int]:
        """How many sentences and events the match there has."""
        after = self.places.index(place) + 1
        end = (self.pairs.words.shape[0], len(self.pairs.row))
        if after < len(self.places):
            end = self.places[after].sentence, self.places[after].event
        return end[0] - place.sentence, end[1] - place.event


_Placed = tuple[_Learned, Ranked, _Place]


class PairRankAlignment(Alignment):
    """The links of a match; the ranks they come from are kept by the method."""

    def __init__(self, links: Links, aligner: PairRank) -> None:
        super().__init__(links, aligner.name, aligner.model)
        self._aligner = aligner

    def explain(self, comment: CommentId) -> PairExplanation:
        return self._aligner.explain(self.links.match, comment)


def _step(event: Event, step: Step) -> Grown:
    return Grown(event.id, event.describe(), step.rho, step.gain)


class PairRank(Aligner):
    """PairModel, PairRank, macro-events (Algorithms 1-4)."""

    name = "pairrank"
    options_type = PairRankOptions
    options: PairRankOptions
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "paper": {},
        "paper-printed": {
            "scope": "half",
            "arguments": "*,team",
            "strings": "binary",
            "normalise": False,
            "ties": "min",
        },
        "paper-plus": {"compete": True, "power": 0.25, "lag": True, "gap": 8.0},
        "sharded": {"shard": SHARD},
    }

    def __init__(self, options: Options | None = None) -> None:
        super().__init__(options)
        self._shards: list[_Learned] = []
        self._ranked: tuple[int, _Learned, Ranked] | None = None
        self._last: tuple[str, _Placed] | None = None

    def fit(self, matches: Iterable[Match], labels: Labels | None = None) -> None:
        """Train the models of all pairs.

        With a scope of `match` or `half` nothing is learned from other matches: there each is
        learned by itself when it is aligned.
        """
        super().fit(matches, labels)
        self._forget()
        if self.options.scope == "all":
            shards = batched(matches, self.options.shard or sys.maxsize)
            self._shards = [self._learn(some) for some in shards] or [self._learn([])]

    def _forget(self) -> None:
        self._shards, self._ranked, self._last = [], None, None

    @property
    def together(self) -> int:
        return self.options.shard or 1

    def infer(self, match: Match) -> PairRankAlignment:
        answers = {a.comment: a for part in self._parts(match) for a in self._answers(part)}
        links = Links(match, [answers[comment.id] for comment in match.comments])
        return PairRankAlignment(links, self)

    @property
    def model(self) -> Model:
        return FITTED if self._shards else ALONE

    def explain(self, match: Match, comment: CommentId) -> PairExplanation:
        """How the comment's macro-event grew, and what the models of its pairs look at."""
        part, number = self._find(match, comment)
        learned, ranked, place = self._placed(part)
        asked = _sentences(place, part)
        steps = ranked.grown(asked).get(asked[number], [])
        event = {
            p: part.linkable[int(learned.pairs.event[p]) - place.event]
            for step in steps
            for p in step.group
        }
        return PairExplanation(
            method=self.name,
            match=match.name,
            comment=comment,
            text=part.comments[number].text,
            growth=[_step(event[step.group[-1]], step) for step in steps],
            models=[
                self._look_into(learned, pair, event[pair])
                for pair in (steps[-1].group if steps else ())
            ],
        )

    def _find(self, match: Match, comment: CommentId) -> tuple[Match, int]:
        """The part of the match with the comment, and its number there."""
        for part in self._parts(match):
            for number, one in enumerate(part.comments):
                if one.id == comment:
                    return part, number
        raise UsageError(f"no comment {comment!r} in {match.name}")

    def _look_into(self, learned: _Learned, pair: int, event: Event) -> LookedInto:
        """The heaviest features of a pair's model and the sentences nearest under it."""
        model = make_model(learned.pairs, self.options.system())
        if not isinstance(model, PairModel):
            return LookedInto(event.id, event.describe())  # similarities weigh all features alike
        near = nearest_sentences(learned.pairs, model, learned.models, pair, NEAREST)
        return LookedInto(
            event.id,
            event.describe(),
            weights=heaviest(learned.pairs, learned.models, [pair], HEAVIEST),
            nearest=[Near(self._text(learned, sentence), c) for sentence, c in near],
        )

    def _text(self, learned: _Learned, sentence: int) -> str:
        """A sentence as it was; of one learned from in another process, its words."""
        if sentence in learned.texts:
            return learned.texts[sentence]
        words = learned.pairs.words[sentence].indices
        return " ".join(learned.pairs.vocabulary[i] for i in words)

    def explain_model(self) -> PairModelSummary:
        """For each event type the words that weigh most over all models of its pairs."""
        if len(self._shards) != 1 or self.options.model != "svm":
            raise UsageError(f"{self.name} has no word weights to summarise")
        learned = self._trained(self._shards[0])
        pairs, models = learned.pairs, learned.models
        words = heaviest_words(pairs, models, HEAVIEST)
        return PairModelSummary(method=self.name, pairs=len(pairs), words=words)

    def parameters(self) -> dict[str, np.ndarray]:
        return {
            f"{self._prefix(number)}{name}": array
            for number, learned in enumerate(self._shards)
            for name, array in _pack(learned).items()
        }

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        self._forget()
        while f"{self._prefix(len(self._shards))}places" in arrays:
            prefix = self._prefix(len(self._shards))
            own = {k.removeprefix(prefix): arrays[k] for k in arrays if k.startswith(prefix)}
            self._shards.append(_unpack(own, self.options))
            if not self.options.shard:
                break

    def _prefix(self, shard: int) -> str:
        return f"{shard}." if self.options.shard else ""

    def _parts(self, match: Match) -> Iterator[Match]:
        """The match, or each of its halves as a match of its own."""
        if self.options.scope != "half":
            yield match
            return
        for period in dict.fromkeys(comment.period for comment in match.comments):
            yield msgspec.structs.replace(
                match,
                comments=tuple(c for c in match.comments if c.period == period),
                events=tuple(e for e in match.events if period in (None, e.period)),
            )

    def _learn(self, matches: list[Match]) -> _Learned:
        pairs = pair_up(matches, self.options.reading())
        places, sentence, event = [], 0, 0
        for match in matches:
            places.append(_Place(_fingerprint(match), sentence, event))
            sentence, event = sentence + len(match.comments), event + len(match.linkable)
        comments = [comment for match in matches for comment in match.comments]
        learned = _Learned(pairs, None, places, {i: c.text for i, c in enumerate(comments)})
        return learned if self.options.shard else self._trained(learned)

    def _trained(self, learned: _Learned) -> _Learned:
        """With the models of its pairs."""
        if learned.models is not None:
            return learned
        pairs = _bounded(learned.pairs)
        models = make_model(pairs, self.options.system()).train(_singles(0, len(pairs)))
        return msgspec.structs.replace(learned, models=models)

    def _placed(self, match: Match) -> _Placed:
        """The match among the pairs; the last one is remembered, for comment after comment."""
        mark = _fingerprint(match)
        if self._last is None or self._last[0] != mark:
            self._last = mark, self._place(match, mark)
        return self._last[1]

    def _place(self, match: Match, mark: str) -> _Placed:
        """Where the match was learned from, or appended to what was."""
        if not self._shards:
            learned = self._trained(self._learn([match]))
            return learned, self._rank(learned), learned.places[0]
        for number, shard in enumerate(self._shards):
            for place in shard.places:
                if place.fingerprint == mark and shard.size_at(place) == _size(match):
                    return *self._ranked_shard(number), place
        both = self._append(self._trained(self._shards[-1]), match)
        return both, self._rank(both), both.places[-1]

    def _ranked_shard(self, number: int) -> tuple[_Learned, Ranked]:
        """A shard and its ranks; those of the last one are remembered."""
        if self._ranked is None or self._ranked[0] != number:
            learned = self._trained(self._shards[number])
            self._ranked = number, learned, self._rank(learned)
        return self._ranked[1:]

    def _append(self, learned: _Learned, match: Match) -> _Learned:
        """Train models for a new match's pairs; those there are stay as they are."""
        new = pair_up([match], self.options.reading(), learned.pairs)
        pairs = _bounded(appended(learned.pairs, new))
        model = make_model(pairs, self.options.system())
        more = model.train(_singles(len(learned.pairs), len(pairs)))
        models = model.followed_by(learned.models, more)
        place = _Place(_fingerprint(match), learned.pairs.words.shape[0], len(learned.pairs.row))
        texts = {place.sentence + i: c.text for i, c in enumerate(match.comments)}
        return _Learned(pairs, models, [*learned.places, place], {**learned.texts, **texts})

    def _rank(self, learned: _Learned) -> Ranked:
        options = self.options.system()
        model = make_model(learned.pairs, options)
        return rank(learned.pairs, model, learned.models, options)

    def _answers(self, match: Match) -> Iterator[CommentLinks]:
        learned, ranked, place = self._placed(match)
        pairs = learned.pairs
        scores = _percentiles(ranked.rho) if ranked.probability is None else ranked.probability
        buckets: list[list[int]] = [[] for _ in match.comments]
        asked = _sentences(place, match)
        grown = ranked.grown(asked)
        inside = (pairs.sentence >= asked.start) & (pairs.sentence < asked.stop)
        for pair in np.flatnonzero(inside).tolist():
            buckets[int(pairs.sentence[pair]) - place.sentence].append(pair)
        for number, (comment, bucket) in enumerate(zip(match.comments, buckets, strict=True)):
            event = {pair: match.linkable[int(pairs.event[pair]) - place.event] for pair in bucket}
            described = _described(ranked, grown.get(asked[number], []))
            best = max((float(scores[pair]) for pair in bucket), default=0.0)
            none = float(not described) if ranked.probability is None else 1 - best
            scored = [(event[pair], float(scores[pair])) for pair in bucket]
            yield answer(match, comment, scored, [event[pair].id for pair in described], none)


class PairRankEuclidean(PairRank):
    """No PairModel: Euclidean distance instead."""

    name = "pairrank-euclidean"

    class Options(PairRankOptions, frozen=True, kw_only=True):
        model: Literal["svm", "euclidean", "cosine"] = "euclidean"

    options_type = Options


class PairRankCosine(PairRank):
    """No PairModel: cosine instead."""

    name = "pairrank-cosine"

    class Options(PairRankOptions, frozen=True, kw_only=True):
        model: Literal["svm", "euclidean", "cosine"] = "cosine"

    options_type = Options


class PairRankVotes(PairRank):
    """No PairRank: votes instead."""

    name = "pairrank-votes"

    class Options(PairRankOptions, frozen=True, kw_only=True):
        ranking: Literal["pairrank", "votes"] = "votes"

    options_type = Options


def _bounded(pairs: Pairs) -> Pairs:
    """The pairs, if they are not too many for one graph."""
    if len(pairs) > MAX_PAIRS:
        raise TouchlineError(
            f"pairrank compares all pairs of a comment and an event with each other; "
            f"{len(pairs):,} pairs are too many (at most {MAX_PAIRS:,}). Learn from fewer "
            f"matches at a time (pairrank:sharded), or use chains"
        )
    return pairs


def _pack(learned: _Learned) -> dict[str, np.ndarray]:
    models = learned.models if isinstance(learned.models, PairModels) else None
    stored = {f"models.{n}": getattr(models, n) for n in models.__struct_fields__} if models else {}
    places = np.frombuffer(msgspec.json.encode(learned.places), dtype=np.uint8)
    return {**pack_pairs(learned.pairs), **stored, "places": places}


def _unpack(arrays: Mapping[str, np.ndarray], options: PairRankOptions) -> _Learned:
    pairs, stored = unpack_pairs(arrays)
    places = stored.json("places", list[_Place])
    _check_places(places, pairs)
    if options.shard:
        return _Learned(pairs, None, places)
    models: Any = _singles(0, len(pairs))
    if options.model == "svm":
        models = PairModels.restored(stored)
    return _Learned(pairs, models, places)


def _sentences(place: _Place, match: Match) -> range:
    """Where the match's comments stand among all sentences."""
    return range(place.sentence, place.sentence + len(match.comments))


def _described(ranked: Ranked, steps: Sequence[Step]) -> tuple[int, ...]:
    """The pairs of a sentence's macro-event; none when the consensus is against it."""
    if not steps:
        return ()
    if ranked.probability is not None and ranked.probability[steps[0].group[0]] < PROBABLE:
        return ()
    return steps[-1].group


def _singles(first: int, last: int) -> list[tuple[int]]:
    """Groups of one pair each."""
    return [(pair,) for pair in range(first, last)]


def _percentiles(rho: Floats) -> Floats:
    """Popularity as a number between 0 and 1: the share of pairs that are less popular."""
    return np.asarray((rankdata(rho) - 0.5) / max(len(rho), 1))


def _size(match: Match) -> tuple[int, int]:
    return len(match.comments), len(match.linkable)


def _check_places(places: list[_Place], pairs: Pairs) -> None:
    """Raise if the places, perhaps of a damaged file, are not those of the pairs' matches."""
    sentences, events = ([getattr(p, name) for p in places] for name in ("sentence", "event"))
    of_sentence = np.searchsorted(sentences, pairs.sentence, "right")
    of_event = np.searchsorted(events, pairs.event, "right")
    rising = all(s[:1] in ([], [0]) and s == sorted(s) for s in (sentences, events))
    if not rising or not np.array_equal(of_sentence, of_event):
        raise ValueError("the places do not fit the pairs")


def _fingerprint(match: Match) -> str:
    """What a match is known again by: its comments with their times, and its events."""
    digest = hashlib.sha256()
    for c in match.comments:
        digest.update(repr((c.id, c.text, c.period, c.start, c.end, c.candidates)).encode())
    for event in match.linkable:
        digest.update(event.id.encode() + b"\0")
    return digest.hexdigest()
