"""`hajishirzi2011`: reasoning about RoboCup narratives, after Hajishirzi et al. (2011).

Instead of buckets it uses knowledge of the domain: who must have the ball before an event, and
who has it after. The knowledge is written for RoboCup's events; on other logs every event just
asks for the ball (`touchline.methods.prior_work.hajishirzi2011.strips`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from touchline.core.links import CommentLinks
from touchline.core.records import Match
from touchline.methods.base import Options, Rounds, answer
from touchline.methods.learner import Learner
from touchline.methods.logistic import sigmoid
from touchline.methods.prior_work.hajishirzi2011.narrative import (
    Model,
    best_sequence,
    learn,
    margins,
    tales,
)


class Hajishirzi2011Options(Options, frozen=True, kw_only=True):
    """The log's recent past is the window: two or three gaps between comments of RoboCup."""

    window: float | str = "25:5"
    rounds: Rounds = 10


class Hajishirzi2011(Learner[Model]):
    """At most one event a comment, chosen as a sequence."""

    name = "hajishirzi2011"
    options_type = Hajishirzi2011Options
    options: Hajishirzi2011Options
    learned_type = Model

    def learn(self, matches: Sequence[Match]) -> Model:
        window = self.options.bucket_window
        return learn([tales(match, window) for match in matches], self.options.rounds)

    def answers(self, match: Match, learned: Model) -> Iterator[CommentLinks]:
        sequence = tales(match, self.options.bucket_window)
        path = best_sequence(sequence, learned)
        for comment, tale, place, margin in zip(
            match.comments, sequence, path, margins(sequence, path, learned), strict=True
        ):
            probable = sigmoid(margin)
            scored = list(zip(tale.events, probable.tolist(), strict=True))
            ids = [tale.events[place].id] if place is not None else []
            yield answer(match, comment, scored, ids, 1 - float(probable.max(initial=0)))
