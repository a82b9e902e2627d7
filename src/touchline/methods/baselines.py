"""The baselines that every other system must beat: chance, names, names and time or rarity."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import msgspec

from touchline.core.links import CommentLinks, Links
from touchline.core.records import Comment, Event, Match
from touchline.methods.base import Aligner, Alignment, answer
from touchline.methods.buckets import buckets
from touchline.methods.learner import Learner
from touchline.text.names import MENTIONED, NameFinder

Answer = Callable[[Match, Comment, list[Event]], CommentLinks]


class Random(Aligner):
    """One event of the bucket, drawn by chance."""

    name = "random"

    def infer(self, match: Match) -> Alignment:
        return Alignment(Links(match, _answers(match, self, self._draw)), self.name)

    def _draw(self, match: Match, comment: Comment, events: list[Event]) -> CommentLinks:
        # Seeded by what the comment is, so that its answer does not depend on its neighbours.
        key = f"{self.options.seed}|{match.name}|{comment.id}".encode()
        chance = random.Random(hashlib.sha256(key).digest())
        scored = [(event, chance.random() / len(events)) for event in events]
        best = max(scored, key=lambda pair: pair[1], default=None)
        return answer(match, comment, scored, [best[0].id] if best else [], 0.0 if best else 1.0)


class Named(Aligner):
    """Every event of the bucket whose player the comment mentions."""

    name = "named"

    def infer(self, match: Match) -> Alignment:
        finder = NameFinder(match)

        def mentioned(match: Match, comment: Comment, events: list[Event]) -> CommentLinks:
            scored = list(_named(finder.players(comment.text), events))
            described = [event.id for event, weight in scored if weight >= MENTIONED]
            return answer(match, comment, scored, described, 1 - _best(scored))

        return Alignment(Links(match, _answers(match, self, mentioned)), self.name)


class NamedNearest(Aligner):
    """For each player the comment mentions, one event of theirs.

    It is the one in which most of the other players mentioned take part ("Archer to Reis" is the
    pass between them), and the nearest in time among those.
    """

    name = "named-nearest"

    def infer(self, match: Match) -> Alignment:
        finder = NameFinder(match)

        def nearest(match: Match, comment: Comment, events: list[Event]) -> CommentLinks:
            mentioned = finder.players(comment.text)
            named = list(_named(mentioned, events))
            closest: dict[str, str] = {}  # per player; the earlier event wins a tie
            for event, weight in sorted(
                named, key=lambda pair: _order(comment, pair[0], mentioned)
            ):
                if weight >= MENTIONED and event.player is not None:
                    closest.setdefault(event.player.id, event.id)
            described = set(closest.values())
            scored = [(e, w * _nearness(comment, e, e.id in described)) for e, w in named]
            return answer(match, comment, scored, described, 1 - _best(scored))

        return Alignment(Links(match, _answers(match, self, nearest)), self.name)


class TypeCounts(msgspec.Struct, frozen=True):
    """How many events of each type there are."""

    counts: dict[str, int]


class NamedRarest(Learner[TypeCounts]):
    """Of the events of mentioned players the one of the rarest type, the nearest of equals.

    It is what the paper's division by a type's frequency does by itself, without any learning.
    """

    name = "named-rarest"
    learned_type = TypeCounts

    def learn(self, matches: Sequence[Match]) -> TypeCounts:
        return TypeCounts(dict(Counter(e.type for match in matches for e in match.linkable)))

    def answers(self, match: Match, learned: TypeCounts) -> Iterator[CommentLinks]:
        finder = NameFinder(match)
        total = max(sum(learned.counts.values()), 1)

        def rarest(match: Match, comment: Comment, events: list[Event]) -> CommentLinks:
            named = list(_named(finder.players(comment.text), events))
            scored = [(e, w * (1 - learned.counts.get(e.type, 0) / total)) for e, w in named]
            likely = [pair for pair, (_, w) in zip(scored, named, strict=True) if w >= MENTIONED]
            best = min(
                likely, key=lambda pair: (-pair[1], _distance(comment, pair[0])), default=None
            )
            described = [best[0].id] if best else []
            return answer(match, comment, scored, described, 1 - _best(scored))

        return _answers(match, self, rarest)


def _answers(match: Match, aligner: Aligner, decide: Answer) -> Iterator[CommentLinks]:
    window = aligner.options.bucket_window
    for comment, indices in zip(match.comments, buckets(match, window), strict=True):
        yield decide(match, comment, [match.linkable[i] for i in indices])


def _named(weights: Mapping[str, float], events: Iterable[Event]) -> Iterator[tuple[Event, float]]:
    """The events whose player the text may mention, with the mention's weight."""
    for event in events:
        if event.player is not None and event.player.id in weights:
            yield event, weights[event.player.id]


def _order(comment: Comment, event: Event, weights: Mapping[str, float]) -> tuple[int, float]:
    """Most companions mentioned first, then the nearest in time."""
    companions = {other.player.id for other in event.others}
    return -sum(weights.get(who, 0) >= MENTIONED for who in companions), _distance(comment, event)


def _distance(comment: Comment, event: Event) -> float:
    return abs(event.time - comment.time) if comment.time is not None else 0.0


def _nearness(comment: Comment, event: Event, chosen: bool) -> float:
    """Between 1/2 and 1 for the nearest event of a player, below 1/2 for their others."""
    near = 0.5 / (1 + _distance(comment, event) / 30)
    return near + 0.5 if chosen else near


def _best(scored: Iterable[tuple[Event, float]]) -> float:
    return max((score for _, score in scored), default=0.0)
