"""`liang2009`: Liang, Jordan and Klein, Learning Semantic Correspondences with Less Supervision.

Text is cut into segments, each describing a record or none; inside, a Markov chain over the
record's fields says which argument each word speaks of. The arguments of a match log are names
(strings) and categories; there are no numbers among them, so the paper's noisy numbers are left
out. Which arguments are fields is an option; memory grows linearly with them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from touchline.core.links import CommentLinks, Links
from touchline.core.records import Match
from touchline.io.model_arrays import Stored
from touchline.methods.base import MinCount, Options, Rounds, Words, answer
from touchline.methods.base import Model as Answered
from touchline.methods.learner import Learner
from touchline.methods.prior_work.liang2009.learning import (
    Observation,
    find,
    learn,
    observations,
)
from touchline.methods.prior_work.liang2009.parameters import Model, number_records
from touchline.methods.prior_work.symbols import located_symbols
from touchline.methods.segments.alignment import SegmentAlignment
from touchline.text.names import NameFinder


class Liang2009Options(Options, frozen=True, kw_only=True):
    """`arguments`: the fields of a record, `player`, `others`, `team`, names of categorical
    arguments, or `*` for all of those; `min_count` comments must hold a word."""

    arguments: str = "player,others,team,value,kind,outcome,set_piece"
    rounds: Rounds = 15
    min_count: MinCount = 1


class Liang2009Alignment(SegmentAlignment):
    """The links of a match, and the segments of its comments."""

    def __init__(
        self, links: Links, answered: Answered, learned: Model, arguments: Sequence[str]
    ) -> None:
        super().__init__(links, Liang2009.name, answered)
        self._learned, self._finder = learned, NameFinder(links.match)
        self._records = number_records(links.match, learned, arguments)

    def segments(self, place: int, events: Sequence[int]) -> Words:
        """The segments of the best path."""
        match = self.links.match
        own = np.array([n for n in events if self._records.types[n] >= 0], dtype=np.int64)
        known = {word: i for i, word in enumerate(self._learned.words)}
        text = match.comments[place].text
        said = [s for s in located_symbols(self._finder, text) if s[0] in known]
        words = np.array([known[symbol] for symbol, _, _ in said], dtype=np.int64)
        types, values = self._records.types[own], self._records.values[own]
        one = Observation(words, own, types, values, False)
        path = next(iter(find([one], self._learned))).path
        found: dict[str, list[tuple[int, int]]] = {match.linkable[n].id: [] for n in own.tolist()}
        for (_, start, end), record in zip(said, path.tolist(), strict=True):
            if record >= 0:
                found[match.linkable[int(own[record])].id].append((start, end))
        return {event: tuple(spans) for event, spans in found.items()}


class Liang2009(Learner[Model]):
    """Learned by expectation-maximisation with exact sums, answered by the best path."""

    name = "liang2009"
    options_type = Liang2009Options
    options: Liang2009Options
    learned_type = Model

    def learn(self, matches: Sequence[Match]) -> Model:
        options = self.options
        return learn(
            matches, self._arguments, options.bucket_window, options.rounds, options.min_count
        )

    def restored_tables(self, stored: Stored, plain: Mapping[str, Any]) -> dict[str, np.ndarray]:
        types, values = len(plain["type_names"]), len(plain["values"])
        words, fields = max(len(plain["words"]), 1), plain["fields_of"]
        width = 1 + max(map(len, fields), default=0)
        if len(fields) != types:
            raise ValueError("fields_of does not fit the types")
        return {
            "types": stored.counts("types", types + 1, types + 1),
            "fields": stored.counts("fields", types, width + 1, width + 1),
            "own": stored.counts("own", types, width),
            "null_words": stored.counts("null_words", types, words),
            "value_words": stored.counts("value_words", values, words),
            "none_words": stored.counts("none_words", words),
            "generic": stored.counts("generic", words),
        }

    def alignment(self, links: Links, answered: Answered, learned: Model) -> Liang2009Alignment:
        return Liang2009Alignment(links, answered, learned, self._arguments)

    def answers(self, match: Match, learned: Model) -> Iterator[CommentLinks]:
        observed = observations(match, learned, self._arguments, self.options.bucket_window)
        for comment, found in zip(match.comments, find(observed, learned), strict=True):
            events = [match.linkable[e] for e in found.bucket]
            scored = list(zip(events, found.segments.tolist(), strict=True))
            ids = [match.linkable[e].id for e in found.described]
            best = max((score for _, score in scored), default=0.0)
            yield answer(match, comment, scored, ids, 1 - best)

    @property
    def _arguments(self) -> tuple[str, ...]:
        return tuple(name.strip() for name in self.options.arguments.split(","))
