"""A narrative as a feasible sequence of events, after Hajishirzi et al. (2011).

Every comment describes one event of the recent log, or nothing. A logistic model says how much
better an event explains a comment than nothing does, by words, mentioned players and the state
that the comment's predecessor left; the best sequence is found by dynamic programming, and the
model learned anew from it until it stays. It starts from edit distance between words and event
names, among events of the mentioned players that are feasible after the guess before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein
from scipy import sparse

from touchline.core.arrays import Floats
from touchline.core.records import Event, Match
from touchline.methods.buckets import Window, buckets
from touchline.methods.logistic import logistic
from touchline.methods.prior_work.hajishirzi2011.strips import feasible, holder_after
from touchline.methods.prior_work.symbols import mark, sentences

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
    """For each comment the place of its event among its tale's, None for nothing."""
    states = np.array([model.weight([state]) for state in STATES])
    scores: list[Floats] = []
    back: list[NDArray[np.int64]] = []
    for number, tale in enumerate(tales):
        own = np.array([0.0, *(model.weight(features) for features in tale.features)])
        if number == 0:
            scores.append(own)
            back.append(np.zeros(len(own), dtype=np.int64))
            continue
        steps = scores[-1][:, None] + _steps(tales[number - 1], tale, states)
        back.append(steps.argmax(axis=0))
        scores.append(own + steps.max(axis=0))
    path: list[int | None] = []
    place = int(scores[-1].argmax()) if scores else 0
    for pointers in reversed(back):
        path.append(place - 1 if place else None)
        place = int(pointers[place])
    return path[::-1]


def margins(tales: Sequence[Tale], path: Sequence[int | None], model: Model) -> Iterator[Floats]:
    """How much better than nothing each event explains its comment, after the path so far."""
    for number, tale in enumerate(tales):
        before = _before(tales, path, number)
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
    for number, tale in enumerate(tales):
        path.append(_guess(tale, _before(tales, path, number)))
    return path


def _guess(tale: Tale, before: tuple[Event, int] | None) -> int | None:
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


def _state(before: tuple[Event, int] | None, event: Event, number: int) -> list[str]:
    """What the state that the last described event left makes of this one."""
    if before is None:
        return []
    if number < before[1]:
        return [BACK]
    if number == before[1]:
        return []
    return [FITS if feasible(event, holder_after(before[0])) else BROKEN]


def _steps(before: Tale, tale: Tale, states: Floats) -> Floats:
    """What each step from one comment's events to the next one's adds; nothing after nothing."""
    steps = np.zeros((1 + len(before.events), 1 + len(tale.events)))
    for a, (first, first_number) in enumerate(zip(before.events, before.numbers, strict=True), 1):
        for b, (second, number) in enumerate(zip(tale.events, tale.numbers, strict=True), 1):
            for state in _state((first, first_number), second, number):
                steps[a, b] = states[STATES.index(state)]
    return steps


def _before(
    tales: Sequence[Tale], path: Sequence[int | None], number: int
) -> tuple[Event, int] | None:
    """The event that the comment before describes, with its number."""
    place = path[number - 1] if number else None
    if place is None:
        return None
    return tales[number - 1].events[place], tales[number - 1].numbers[place]


def _fit(narratives: Sequence[Sequence[Tale]], chosen: Sequence[Sequence[int | None]]) -> Model:
    """A logistic model of the chosen events against the others that could have been described."""
    rows: list[list[str]] = []
    labels: list[bool] = []
    for tales, path in zip(narratives, chosen, strict=True):
        for number, tale in enumerate(tales):
            before = _before(tales, path, number)
            for place, event in enumerate(tale.events):
                state = _state(before, event, tale.numbers[place])
                rows.append([*tale.features[place], *state])
                labels.append(path[number] == place)
    names = sorted({feature for row in rows for feature in row})
    index = {name: i for i, name in enumerate(names)}
    columns = [index[feature] for row in rows for feature in row]
    starts = np.cumsum([0, *map(len, rows)])
    matrix = sparse.csr_matrix(
        (np.ones(len(columns)), columns, starts), shape=(len(rows), len(names))
    )
    weights = logistic(matrix, np.array(labels, dtype=bool))
    return Model(dict(zip(names, weights.tolist(), strict=True)))
