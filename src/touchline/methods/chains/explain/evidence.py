"""Why a comment is linked as it is: the words, the names and the parts of the score that say so.

The parts are those that the scores of all hypotheses were added up from.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from msgspec import UNSET, UnsetType

from touchline.core.arrays import Floats
from touchline.core.links import Links
from touchline.core.records import Comment, CommentId, Event, Match, Player
from touchline.methods.chains.data.language import Language, content_words
from touchline.methods.chains.data.tables import MatchTables
from touchline.methods.chains.data.word_blocks import causes_of
from touchline.methods.chains.explain.records import (
    ChainsExplanation,
    EventEvidence,
    FeatureEvidence,
    Hypothesis,
    LabelEvidence,
    NameEvidence,
    Nothing,
    Order,
    WordEvidence,
)
from touchline.methods.chains.inference.posterior import Posterior, infer
from touchline.methods.chains.labelled.explaining import moved, plain_of
from touchline.methods.chains.labelled.features import Inferred
from touchline.methods.chains.labelled.layer import Judged, Mean
from touchline.methods.chains.model.m_step import Parameters
from touchline.methods.chains.model.ordering import states
from touchline.methods.chains.model.scoring import Scores, score_parts
from touchline.methods.chains.model.sufficient_stats import STATES, sums
from touchline.methods.chains.model.word_likelihood import wordings
from touchline.text.names import MENTIONED, NameFinder
from touchline.text.tokens import tokenise

# The hypothesis that a comment describes nothing, beside the numbers of its chains.
NO_EVENT = -1


def parts_of(scores: Scores, p: Parameters, c: int, h: int) -> dict[str, float]:
    """What adds up to the log-score of a hypothesis of comment c."""
    if h == NO_EVENT:
        nothing = dict.fromkeys(("lag", "groups", "words"), 0.0)
        rate = math.log(p.none)
        return {"rate": rate, **nothing, "names": float(scores.silent[c]) - rate}
    return {
        "rate": float(scores.rate[h]),
        "lag": float(scores.lag[h]),
        "groups": float(scores.groups[h]),
        "words": float(scores.words[h]),
        "names": float(scores.names[h]),
    }


def word_shares(m: MatchTables, p: Parameters, c: int, events: Sequence[int]) -> Floats:
    """The part of each of the described events in bringing each word; the last row: by itself.

    Each word is shared out by how likely each of them alone is to bring it.
    """
    words = m.comments.words[c][m.comments.words[c] >= 0]
    causes = causes_of(m, c, np.array(events, dtype=np.int64))
    brought = [1 - (1 - p.cause[own[own >= 0]][:, words]).prod(axis=0) for own in causes]
    likely = np.vstack([*brought, p.background[words]])
    return np.asarray(likely / likely.sum(axis=0))


class Evidence(NamedTuple):
    """What the links of a match were inferred with.

    `posterior` is that of the whole model, `finder` what found the names; None where names are not
    part of the model. `placed` is the match with its comments where the clock puts them, `judged`
    what labels have made of the answer, if any were learned from; `plain` infers the same without
    labels, where they are a part of the model too.
    """

    links: Links
    language: Language
    prepared: MatchTables
    parameters: Parameters
    posterior: Posterior
    finder: NameFinder | None
    placed: Match
    judged: Judged | Mean | None = None
    plain: Callable[[], Inferred] | None = None


class Explainer:
    """Explains the links of a match."""

    def __init__(self, evidence: Evidence) -> None:
        self._links, self._language, self._prepared, self._parameters, *_ = evidence
        self.match, self._placed = self._links.match, evidence.placed
        worded = wordings(self._prepared, self._parameters)
        self._scores = score_parts(self._prepared, self._parameters, worded)
        self._total = self._scores.total
        self._together = evidence.posterior
        self._judged = evidence.judged
        self._plain = evidence.plain() if evidence.plain else None
        self._alone = infer(self._prepared, self._parameters, ordered=False, worded=worded)
        self.places = {comment.id: i for i, comment in enumerate(self.match.comments)}
        self._number = {event.id: i for i, event in enumerate(self.match.linkable)}
        self._speller = _Speller(self.match, evidence.finder)

    def explain(self, comment: CommentId) -> ChainsExplanation:
        """What a comment describes, the evidence, and what else it could have described."""
        c = self.places[comment]
        best, second = self._best_two(c)
        nothing = self._hypothesis(c, NO_EVENT)
        events, by_itself, unexplained = self._described(c)
        return ChainsExplanation(
            method="chains",
            match=self.match.name,
            comment=comment,
            text=self.match.comments[c].text,
            none=self._links[c].none,
            events=events,
            by_itself=by_itself,
            unexplained=unexplained,
            best=self._hypothesis(c, best),
            runner_up=None if second is None else self._hypothesis(c, second),
            no_event=Nothing(nothing.score, nothing.parts),
            order=Order(
                alone=round(_probability(self._alone, c, best), 6),
                together=round(_probability(self._together, c, best), 6),
            ),
            speaker=self._speaker(c),
            labels=self._labels(c),
        )

    def _labels(self, c: int) -> LabelEvidence | None:
        """What labels of other matches have changed, if they have changed anything."""
        if self._judged is None:
            return None
        plain = plain_of(self._plain, c) if self._plain else None
        before, after, features = moved(self._judged, c, plain)
        if before == after:
            return None
        events = [self.match.linkable[event] for event in before]
        return LabelEvidence(
            without=[event.id for event in events],
            describe=[event.describe() for event in events],
            features=[FeatureEvidence(name, round(value, 4)) for name, value in features],
        )

    def _described(
        self, c: int
    ) -> tuple[list[EventEvidence], list[WordEvidence], list[NameEvidence]]:
        """The linked events with the words and names that support them, and what is left."""
        answer, text = self._links[c], self.match.comments[c].text
        placed = self._placed.comments[c]
        events = [self.match.event_by_id[link.id] for link in answer.events]
        names = list(self._speller.names(placed))
        *brought, by_itself = self._words(c, text, events)
        described = [
            EventEvidence(
                id=event.id,
                type=event.type,
                describe=event.describe(),
                score=link.score,
                words=words,
                names=[name.evidence(name.garbled) for name in names if name.of([event])],
            )
            for event, link, words in zip(events, answer.events, brought, strict=True)
        ]
        return described, by_itself, [name.evidence() for name in names if not name.of(events)]

    def _words(self, c: int, text: str, events: Iterable[Event]) -> Iterator[list[WordEvidence]]:
        """The words that each event brought, last those that came by themselves."""
        known = [self._language.vocabulary[w] for w in self._prepared.comments.words[c] if w >= 0]
        numbers = [self._number[event.id] for event in events]
        spans = list(_spans(text))
        for row in word_shares(self._prepared, self._parameters, c, numbers):
            shares = dict(zip(known, row.round(4).tolist(), strict=True))
            yield [
                WordEvidence(text[start:end], stem, start, end, shares[stem])
                for stem, start, end in spans
                if shares.get(stem)
            ]

    def _speaker(self, c: int) -> dict[str, float]:
        """How probably the speaker is doing what."""
        m, own = self._prepared, slice(*self._prepared.hypotheses.start[c : c + 2])
        time = np.append(m.events.time[m.hypotheses.head_event[own]], np.nan)
        likely = np.append(self._together.chains[own], self._together.none[c])
        shares = sums(states(time[None], m.comments.time[c : c + 1])[0], likely, len(STATES))
        return {name: round(float(share), 4) for name, share in zip(STATES, shares, strict=True)}

    def _best_two(self, c: int) -> tuple[int, int | None]:
        """The most probable hypothesis, and the most probable one that has another head."""
        own = range(self._prepared.hypotheses.start[c], self._prepared.hypotheses.start[c + 1])
        likely = sorted(own, key=lambda h: (-self._together.chains[h], -self._total[h]))
        order = sorted([NO_EVENT, *likely], key=lambda h: -_probability(self._together, c, h))
        return order[0], next((h for h in order if self._head(h) != self._head(order[0])), None)

    def _head(self, h: int) -> int:
        return NO_EVENT if h == NO_EVENT else int(self._chain(h)[self._prepared.hypotheses.head[h]])

    def _chain(self, h: int) -> list[int]:
        if h == NO_EVENT:
            return []
        return [event for event in self._prepared.hypotheses.events[h].tolist() if event >= 0]

    def _hypothesis(self, c: int, h: int) -> Hypothesis:
        events = [self.match.linkable[e] for e in self._chain(h)]
        parts = parts_of(self._scores, self._parameters, c, h)
        return Hypothesis(
            events=[event.id for event in events],
            describe=[event.describe() for event in events],
            score=round(_probability(self._together, c, h), 6),
            parts={name: round(float(part), 4) for name, part in parts.items()},
        )


class _Name(NamedTuple):
    """A player's name as a comment has it."""

    player: Player
    text: str
    start: int
    end: int
    garbled: bool
    second: float | None

    def of(self, events: Iterable[Event]) -> bool:
        """Whether one of the events is about its player."""
        people = ([e.player, *(other.player for other in e.others)] for e in events)
        return any(who is not None and who.id == self.player.id for some in people for who in some)

    def evidence(self, garbled: bool | UnsetType = UNSET) -> NameEvidence:
        where = self.text, self.player.label, self.start, self.end
        return NameEvidence(*where, garbled, self.second)


class _Speller:
    """Finds the names in comments as the model does, and knows which of them are garbled."""

    def __init__(self, match: Match, finder: NameFinder | None) -> None:
        self._finder = finder
        self._proper = NameFinder(match)

    def names(self, comment: Comment) -> Iterator[_Name]:
        if self._finder is None:
            return
        text = comment.text
        proper = {(m.who.id, m.start, m.end) for m in self._proper.mentions(text)}
        found = [m for m in self._finder.mentions(text) if m.weight >= MENTIONED]
        seconds = comment.seconds_at([mention.start for mention in found])
        for mention, second in zip(found, seconds, strict=True):
            who, start, end = mention.who, mention.start, mention.end
            if isinstance(who, Player):
                garbled = (who.id, start, end) not in proper
                said = None if second is None else round(second, 1)
                yield _Name(who, text[start:end], start, end, garbled, said)


def _spans(text: str) -> Iterator[tuple[str, int, int]]:
    """The stems of a text with where they stand."""
    for token in tokenise(text):
        for stem in content_words(text[token.start : token.end]):
            yield stem, token.start, token.end


def _probability(posterior: Posterior, c: int, h: int) -> float:
    return float(posterior.none[c] if h == NO_EVENT else posterior.chains[h])
