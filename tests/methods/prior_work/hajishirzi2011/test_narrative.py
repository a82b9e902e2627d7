"""Reasoning about narratives: the ball's state, and sequences against enumeration."""

from __future__ import annotations

from itertools import product

import msgspec
import numpy as np
import pytest

from touchline import Comment, Event, Match, Player, Role, make_aligner
from touchline.methods.buckets import Window
from touchline.methods.prior_work.hajishirzi2011 import narrative
from touchline.methods.prior_work.hajishirzi2011.narrative import (
    BACK,
    BROKEN,
    FITS,
    Model,
    best_sequence,
    guesses,
    tales,
)
from touchline.methods.prior_work.hajishirzi2011.strips import feasible, holder_after

A, B, C = (Player(id=name, name=name.capitalize()) for name in ("purple1", "purple2", "pink3"))


def event(number: int, kind: str, player: Player | None, role: str = "", other=None) -> Event:
    others = (Role(role, other),) if other else ()
    return Event(id=str(number), type=kind, period=1, time=float(number), player=player,
                 others=others)  # fmt: skip


EVENTS = (
    event(0, "pass", A, "recipient", B),
    event(1, "kick", B),
    event(2, "badPass", B, "interceptor", C),
    event(3, "steal", A),
    event(4, "playmode", None),
)


@pytest.fixture
def story() -> Match:
    texts = ["Purple1 passes to Purple2", "Purple2 loses it to Pink3", "Purple1 steals", "Rain"]
    comments = [Comment(id=i, text=text, period=1, start=i + 2, end=i + 2)
                for i, text in enumerate(texts)]  # fmt: skip
    return Match(
        name="m", provider="robocup", events=EVENTS, players=(A, B, C), comments=tuple(comments)
    )


def test_who_has_the_ball():
    assert [holder_after(e) for e in EVENTS] == ["purple2", None, "pink3", "purple1", None]
    assert feasible(EVENTS[2], "purple2")
    assert not feasible(EVENTS[2], "purple1")
    assert not feasible(EVENTS[3], "purple1")  # nobody steals what they have
    for taking in ("steal", "block", "defense"):
        assert not feasible(event(9, taking, A), "purple1")
        assert feasible(event(9, taking, A), "pink3")
    assert feasible(EVENTS[0], None)
    assert feasible(EVENTS[4], "purple1")


@pytest.mark.parametrize("seed", range(5))
def test_the_best_sequence_is_that_of_enumeration(story, seed):
    sequence = tales(story, Window(5, 5))
    names = sorted({f for tale in sequence for row in tale.features for f in row})
    chance = np.random.default_rng(seed)
    features = [*names, *narrative.STATES]
    model = Model(dict(zip(features, chance.normal(size=len(features)).tolist(), strict=True)))

    def worth(path) -> float:
        total, before = 0.0, None
        for tale, place in zip(sequence, path, strict=True):
            if place is None:
                continue  # nothing has no effects: the state stays
            here, number = tale.events[place], tale.numbers[place]
            total += model.weight(tale.features[place])
            if before is not None and number != before[1]:
                back = number < before[1]
                fits = feasible(here, holder_after(before[0]))
                total += model.weights[BACK if back else FITS if fits else BROKEN]
            before = here, number
        return total

    every = product(*[[None, *range(len(tale.events))] for tale in sequence])
    assert worth(best_sequence(sequence, model)) == pytest.approx(max(map(worth, every)))


def test_candidate_lists_are_not_used(story):
    listed = [Comment(id=0, text="Purple1 steals", period=1, start=4, end=4, candidates=("0",))]
    (tale,) = tales(story.with_comments(listed), Window(5, 5))
    assert len(tale.events) == len(EVENTS)


def test_a_short_story_is_recovered_as_it_was(story):
    links = make_aligner("hajishirzi2011").align(story)
    assert [[link.id for link in answer.events] for answer in links] == [["0"], ["2"], ["3"], []]


def test_the_first_guess_is_feasible_after_the_one_before(story):
    """Nobody steals what they have: the same words are a kick where they stole the ball before."""
    later = (event(5, "steal", A), event(6, "kick", A))
    match = msgspec.structs.replace(story, events=(*EVENTS, *later))
    comments = [Comment(id=start, text="Purple1 steals", period=1, start=start, end=start)
                for start in (3, 6)]  # fmt: skip
    sequence = tales(match.with_comments(comments), Window(1, 0))
    assert [[e.type for e in tale.events] for tale in sequence[1:]] == [["steal", "kick"]]
    types = [
        [tale.events[place].type for tale, place in zip(some, guesses(some), strict=True)]
        for some in (sequence, sequence[1:])
    ]
    assert types == [["steal", "kick"], ["steal"]]
