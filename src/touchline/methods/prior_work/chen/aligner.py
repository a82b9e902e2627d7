"""`chen2008` and `chen2010`: retraining loops of Chen and Mooney, and Chen, Kim and Mooney.

They train a translator on all ambiguous pairs, keep for each sentence the candidate that it
translates best, and train anew on those until nothing changes. An approximation: where the
originals learn a synchronous grammar (WASP), this translates by IBM Model 1 in both directions.
`chen2010` multiplies in how likely an event of each type is described at all (IGSL).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

import msgspec
import numpy as np

from touchline.core.links import CommentLinks
from touchline.core.records import Match
from touchline.io.model_arrays import Stored
from touchline.methods.base import MinCount, Options, Rounds, answer
from touchline.methods.learner import Learner
from touchline.methods.prior_work.candidates import Candidates, best_of_each, gather, softmax
from touchline.methods.prior_work.chen.translation import (
    Dictionary,
    empty_dictionary,
    in_numbers,
    mention_rates,
    score,
    train,
)
from touchline.methods.prior_work.symbols import Floats


class RetrainingOptions(Options, frozen=True, kw_only=True):
    """At most `rounds` of retraining; `min_count` comments must hold a word."""

    rounds: Rounds = 20
    min_count: MinCount = 1


class Translator(msgspec.Struct, frozen=True, kw_only=True):
    """A dictionary and the rate at which each event type is described (one for `chen2008`)."""

    words: list[str]
    symbols: list[str]
    to_words: Floats
    to_symbols: Floats
    types: list[str]
    rates: Floats

    @property
    def dictionary(self) -> Dictionary:
        return Dictionary(self.words, self.symbols, self.to_words, self.to_symbols)


class Chen2008(Learner[Translator]):
    """Always answers with the candidate that translates best."""

    name = "chen2008"
    options_type = RetrainingOptions
    options: RetrainingOptions
    learned_type = Translator
    with_rates: ClassVar[bool] = False

    def learn(self, matches: Sequence[Match]) -> Translator:
        candidates = gather(matches, self.options.bucket_window)
        types = sorted({event.type for event in candidates.events})
        rates = mention_rates(candidates, types) if self.with_rates else np.ones(len(types))
        dictionary = empty_dictionary(candidates, self.options.min_count)
        text = in_numbers(candidates, dictionary)
        weight, chosen = np.ones(len(candidates.sentence)), None
        for _ in range(self.options.rounds):
            dictionary = train(candidates, text, weight, dictionary)
            scores = score(candidates, text, dictionary) + _prior(candidates, types, rates)
            best = best_of_each(candidates, scores)
            if chosen is not None and np.array_equal(best, chosen):
                break
            chosen, weight = best, np.zeros(len(weight))
            weight[best[best >= 0]] = 1.0
        fields = {name: getattr(dictionary, name) for name in Dictionary.__struct_fields__}
        return Translator(**fields, types=types, rates=rates)

    def restored_tables(self, stored: Stored, plain: Mapping[str, Any]) -> dict[str, np.ndarray]:
        words, symbols = len(plain["words"]), len(plain["symbols"])
        return {
            "to_words": stored.counts("to_words", symbols + 1, words),
            "to_symbols": stored.counts("to_symbols", words + 1, symbols),
            "rates": stored.counts("rates", len(plain["types"])),
        }

    def answers(self, match: Match, learned: Translator) -> Iterator[CommentLinks]:
        candidates = gather([match], self.options.bucket_window)
        text = in_numbers(candidates, learned.dictionary)
        scores = score(candidates, text, learned.dictionary)
        scores += _prior(candidates, learned.types, learned.rates)
        best = best_of_each(candidates, scores)
        for comment, pairs, pair in zip(
            match.comments, candidates.by_comment(), best.tolist(), strict=True
        ):
            events = [match.linkable[e] for e in candidates.event[pairs]]
            scored = list(zip(events, softmax(scores[pairs]).tolist(), strict=True))
            described = [match.linkable[candidates.event[pair]].id] if pair >= 0 else []
            yield answer(match, comment, scored, described, float(not described))


class Chen2010(Chen2008):
    """With the rates at which events of each type are described."""

    name = "chen2010"
    with_rates = True


def _prior(candidates: Candidates, types: Sequence[str], rates: Floats) -> Floats:
    """Log-rate of each pair's event; a type that was never seen counts as the rarest described."""
    known = dict(zip(types, np.log(np.maximum(rates, 1e-9)).tolist(), strict=True))
    rarest = min(known.values(), default=0.0)
    return np.array([known.get(candidates.events[e].type, rarest) for e in candidates.event])
