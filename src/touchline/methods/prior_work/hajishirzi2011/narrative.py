"""A narrative as a feasible sequence of events, after Hajishirzi et al. (2011).

Every comment describes one event of the recent log, or nothing. A logistic model says how much
better an event explains a comment than nothing does, by words, mentioned players and the state
that the last described event left; the best sequence is found by dynamic programming, and the
model learned anew from it until it stays. It starts from edit distance between words and event
names, among events of the mentioned players that are feasible after the guess before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec
import numpy as np
from rapidfuzz.distance import Levenshtein
from scipy import sparse

from touchline.core.arrays import Floats
from touchline.core.records import Event, Match
from touchline.methods.buckets import Window, buckets
from touchline.methods.logistic import logistic
from touchline.methods.prior_work.hajishirzi2011.strips import feasible, holder_after
from touchline.methods.prior_work.symbols import mark, sentences

# An event that a comment describes, and its number in the log.
Described = tuple[Event, int]
# How many events may be remembered while comments describe nothing; the likeliest are kept.
REMEMBERED = 16

STATES = FITS, BROKEN, BACK = "state: fits", "state: broken", "state: goes back"


class Model(msgspec.Struct, frozen=True):
    """A weight for each feature by name."""

    weights: dict[str, float]

    def weight(self, features: Sequence[str]) -> float:
        return sum(self.weights.get(feature, 0.0) for feature in features)


class Tale(msgspec.Struct, frozen=True):
    """A comment: its symbols and the events of the recent log, those of one meaning once."""

    said: list[str]
    events: list[Event]
    numbers: list[int]  # of the events in the log, to say what comes after what
    features: list[list[str]]


def tales(match: Match, window: Window) -> list[Tale]:
    """The comments of a match with all that they may describe; candidate lists are not used."""
    bare = [msgspec.structs.replace(comment, candidates=None) for comment in match.comments]
    match = match.with_comments(bare)
    found = []
    for said, bucket in zip(sentences(match), buckets(match, window), strict=True):
        latest = {_meaning(match.linkable[e]): int(e) for e in bucket}  # of equals, the last
        numbers = sorted(latest.values())
        events = [match.linkable[e] for e in numbers]
        found.append(Tale(said, events, numbers, [_features(said, event) for event in events]))
    return found


def learn(narratives: Sequence[Sequence[Tale]], rounds: int) -> Model:
    """Guess, then learn from the best sequences and find them anew, until they stay."""
    chosen = [guesses(tales) for tales in narratives]
    model = Model({})
    for _ in range(rounds):
        model = _fit(narratives, chosen)
        again = [best_sequence(tales, model) for tales in narratives]
        if again == chosen:
            break
        chosen = again
    return model


def best_sequence(tales: Sequence[Tale], model: Model) -> list[int | None]:
    """For each comment the place of its event among its tale's, None for nothing.

    Nothing changes no state (it has no effects), so the last described event is remembered until
    the next one.
    """
    weights = {state: model.weight([state]) for state in STATES}
    steps: list[list[_Step]] = [[_Step(None, 0.0, None, 0)]]
    for tale in tales:
        steps.append(_longer(steps[-1], tale, model, weights))
    path: list[int | None] = []
    place = max(range(len(steps[-1])), key=lambda i: steps[-1][i].score)
    for some in reversed(steps[1:]):
        path.append(some[place].chosen)
        place = some[place].back
    return path[::-1]


class _Step(NamedTuple):
    """The best way to remember this event: its score, what was chosen, and after which step."""

    last: Described | None
    score: float
    chosen: int | None
    back: int


def _longer(
    before: Sequence[_Step], tale: Tale, model: Model, weights: Mapping[str, float]
) -> list[_Step]:
    """What may be remembered after one more comment: what was, or one of its events."""
    carried = sorted(range(len(before)), key=lambda i: -before[i].score)[:REMEMBERED]
    found = {_number(before[i].last): _Step(before[i].last, before[i].score, None, i)
             for i in reversed(carried)}  # fmt: skip
    for place, (event, number) in enumerate(zip(tale.events, tale.numbers, strict=True)):
        scores = [
            step.score + sum(weights[state] for state in _state(step.last, event, number))
            for step in before
        ]
        best = max(range(len(scores)), key=scores.__getitem__)
        score = scores[best] + model.weight(tale.features[place])
        if number not in found or score > found[number].score:
            found[number] = _Step((event, number), score, place, best)
    return list(found.values())


def _number(described: Described | None) -> int:
    return described[1] if described else -1


def margins(tales: Sequence[Tale], path: Sequence[int | None], model: Model) -> Iterator[Floats]:
    """How much better than nothing each event explains its comment, after the path so far."""
    for tale, before in zip(tales, _remembered(tales, path), strict=True):
        yield np.array(
            [
                model.weight([*features, *_state(before, event, place)])
                for features, event, place in zip(
                    tale.features, tale.events, tale.numbers, strict=True
                )
            ]
        )


def _meaning(event: Event) -> tuple[object, ...]:
    who = event.player.id if event.player else None
    others = tuple((other.role, other.player.id) for other in event.others)
    return event.type, who, others, tuple(sorted(event.arguments.items()))


def _features(said: Sequence[str], event: Event) -> list[str]:
    """Words with the event's type; whose names are there, whose are not."""
    kind = event.type
    people = [person for person in (event.player, *(o.player for o in event.others)) if person]
    roles = [f"{i}:{'named' if mark(p) in said else 'unnamed'}" for i, p in enumerate(people)]
    marks = {mark(person) for person in people}
    strange = len({word for word in said if word.startswith("@")} - marks)
    words = [f"{kind}|{word}" for word in sorted(set(said)) if not word.startswith("@")]
    values = [f"{kind}|{name}={value}" for name, value in sorted(event.arguments.items())]
    return [kind, *words, *values, " ".join(roles), f"strange: {min(strange, 2)}"]


def guesses(tales: Sequence[Tale]) -> list[int | None]:
    """For each comment, in their order, the first guess."""
    path: list[int | None] = []
    before: Described | None = None
    for tale in tales:
        place = _guess(tale, before)
        path.append(place)
        before = before if place is None else (tale.events[place], tale.numbers[place])
    return path


def _guess(tale: Tale, before: Described | None) -> int | None:
    """Of the feasible events of exactly the mentioned players, that whose name is most like a word.

    The original has no log: the players of an event that it grounds are those of the sentence.
    """
    named = {word for word in tale.said if word.startswith("@")}
    words = [word for word in tale.said if not word.startswith("@")]
    best, guess = 0.0, None
    for place, event in enumerate(tale.events):
        people = [event.player, *(other.player for other in event.others)]
        if not named or {mark(person) for person in people if person} != named:
            continue
        if _state(before, event, tale.numbers[place]) not in ([], [FITS]):
            continue
        name = event.type.lower()
        alike = max((Levenshtein.normalized_similarity(name, word) for word in words), default=0)
        if alike >= best:  # of equals the latest
            best, guess = alike, place
    return guess


def _state(before: Described | None, event: Event, number: int) -> list[str]:
    """What the state that the last described event left makes of this one."""
    if before is None:
        return []
    if number < before[1]:
        return [BACK]
    if number == before[1]:
        return []
    return [FITS if feasible(event, holder_after(before[0])) else BROKEN]


def _remembered(tales: Sequence[Tale], path: Sequence[int | None]) -> Iterator[Described | None]:
    """For each comment the last event that comments before it describe."""
    before: Described | None = None
    for tale, place in zip(tales, path, strict=True):
        yield before
        if place is not None:
            before = tale.events[place], tale.numbers[place]


def _fit(narratives: Sequence[Sequence[Tale]], chosen: Sequence[Sequence[int | None]]) -> Model:
    """A logistic model of the chosen events against the others that could have been described."""
    rows: list[list[str]] = []
    labels: list[bool] = []
    for tales, path in zip(narratives, chosen, strict=True):
        for tale, chosen_place, before in zip(tales, path, _remembered(tales, path), strict=True):
            for place, event in enumerate(tale.events):
                state = _state(before, event, tale.numbers[place])
                rows.append([*tale.features[place], *state])
                labels.append(chosen_place == place)
    names = sorted({feature for row in rows for feature in row})
    index = {name: i for i, name in enumerate(names)}
    columns = [index[feature] for row in rows for feature in row]
    starts = np.cumsum([0, *map(len, rows)])
    matrix = sparse.csr_matrix(
        (np.ones(len(columns)), columns, starts), shape=(len(rows), len(names))
    )
    weights = logistic(matrix, np.array(labels, dtype=bool))
    return Model(dict(zip(names, weights.tolist(), strict=True)))
