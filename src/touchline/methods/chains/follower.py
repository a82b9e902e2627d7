"""`chains` on a live match: a fixed model, and a few comments at a time.

The model is not adapted to the match, and no ensemble is asked: both would take too long for an
answer while the match goes on. At the end everything is answered once more as usual.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable

import numpy as np

from touchline.core.errors import UsageError
from touchline.core.links import CommentLinks, Links
from touchline.core.records import Match
from touchline.methods.buckets import Window, buckets
from touchline.methods.chains.bundled.loader import KINDS, bundled_model, choose, fits
from touchline.methods.chains.data.candidate_chains import REACH
from touchline.methods.chains.data.hypotheses import event_table, prepare_comments
from touchline.methods.chains.data.mentions import Mentioned, first_mentions, mentions_in
from touchline.methods.chains.data.tables import Events, MatchTables
from touchline.methods.chains.inference.ensemble import Learned
from touchline.methods.chains.inference.posterior import Posterior, infer
from touchline.methods.chains.model.ablation import Parts
from touchline.methods.chains.model.m_step import maximise
from touchline.methods.chains.words.finder import WordFinder, with_words
from touchline.methods.follower import Follower
from touchline.text.names import NameFinder
from touchline.text.speech import is_spoken, laid_out

# Turns what was inferred into answers.
Answers = Callable[[Match, MatchTables, Posterior], Iterable[CommentLinks]]


class ChainsFollower(Follower):
    """Answers with a fitted model, or with a bundled one if nothing was fitted."""

    def __init__(
        self, window: Window, parts: Parts, learned: Learned | None, answers: Answers
    ) -> None:
        self._window, self._parts, self._answers = window, parts, answers
        self._kind = None if learned else KINDS[0]
        self._use(learned or bundled_model(KINDS[0]))
        nothing = Match(name="", provider="", events=())
        self._people, self._finder = (nothing.players, nothing.teams), NameFinder(nothing)
        self._spoken: bool | None = None  # until there are enough comments to show it
        self._mentioned: dict[str, list[Mentioned]] = {}  # by text
        self.follow_log(nothing)

    def follow_log(self, match: Match) -> None:
        self._events: Events = event_table(match, self._language, self._parts)
        people = match.players, match.teams
        if people != self._people:
            self._people, self._finder = people, NameFinder(match)
            self._mentioned.clear()

    def choose_model(self, match: Match) -> bool:
        before, self._spoken = self._spoken, is_spoken(match.comments)
        choice = choose(match) if self._kind else None
        if choice is None or not choice.fits or choice.kind == self._kind:
            return self._spoken and not before
        self._kind = choice.kind
        self._use(bundled_model(choice.kind))
        return True

    def fits(self, match: Match) -> bool:
        return fits(self._language, match)

    def depends_on(self, match: Match) -> list[Hashable]:
        return [self._excerpt(match, bucket) for bucket in buckets(match, self._window)]

    def answers(self, match: Match) -> list[CommentLinks]:
        spoken = is_spoken(match.comments) if self._spoken is None else self._spoken
        keep = list if spoken else first_mentions
        mentioned = [keep(self._mentions(comment.text)) for comment in match.comments]
        prepared = prepare_comments(
            laid_out(match, spoken), self._events, self._language, mentioned,
            self._window, self._parts, spoken,
        )  # fmt: skip
        own = self._answers(match, prepared, infer(prepared, self._parameters))
        links = Links(match, own)
        words = WordFinder(
            links, prepared, self._parameters, self._language, self._finder, learns=False
        )
        return list(with_words(links, words))

    def _use(self, learned: Learned | None) -> None:
        if learned is None:
            raise UsageError("this installation has no bundled model; pass one with --model")
        self._language = learned.language
        self._parameters = self._parts.neutral(maximise(learned.counts, learned.language))

    def _excerpt(self, match: Match, bucket: np.ndarray) -> tuple[Hashable, ...]:
        """The events around a bucket, and all that the model sees of them."""
        if not len(bucket):
            return ()
        near = slice(max(int(bucket[0]) - REACH, 0), int(bucket[-1]) + REACH + 1)
        ids = tuple(event.id for event in match.linkable[near])
        return ids, *(field[near].tobytes() for field in self._events)

    def _mentions(self, text: str) -> list[Mentioned]:
        if text not in self._mentioned:
            self._mentioned[text] = list(mentions_in(self._finder, text))
        return self._mentioned[text]
