"""Parts and events aligned together: what is learned from text that repeats itself."""

from __future__ import annotations

import numpy as np
import pytest

from touchline import Comment, Event, Match, Player, Role, Team, make_aligner
from touchline.methods.buckets import Window
from touchline.methods.prior_work.koncel2014.alignment import Counts, expect, start
from touchline.methods.prior_work.koncel2014.observations import Reader

CITY, ROVERS = Team(id="c", name="City"), Team(id="r", name="Rovers")
NOVAK = Player(id="novak", name="Ivan Novak", team=CITY)
BELL = Player(id="bell", name="Tom Bell", team=CITY)
OKAFOR = Player(id="okafor", name="Sam Okafor", team=ROVERS)
REED = Player(id="reed", name="Carl Reed", team=CITY)
TEXTS = ("Novak crosses and Bell heads it at goal.", "Bell heads it at goal, but Okafor saves.")


@pytest.fixture(scope="module")
def match() -> Match:
    """Crosses, headers and saves, over and over, in two texts that share words."""
    events, comments = [], []
    for i in range(24):
        at = 100.0 + 200.0 * i
        events += [
            Event(id=f"p{i}", type="Pass", period=1, time=at, team=CITY, player=NOVAK,
                  others=(Role(role="recipient", player=BELL),)),
            Event(id=f"s{i}", type="Shot", period=1, time=at + 2, team=CITY, player=BELL),
            Event(id=f"k{i}", type="Save", period=1, time=at + 3, team=ROVERS, player=OKAFOR),
            Event(id=f"x{i}", type="Foul", period=1, time=at + 60, team=CITY, player=REED),
        ]  # fmt: skip
        comments.append(Comment(id=i, text=TEXTS[i % 2], period=1, start=at + 4, end=at + 5))
    return Match(name="m", provider="t", events=tuple(events), teams=(CITY, ROVERS),
                 players=(NOVAK, BELL, OKAFOR, REED), comments=tuple(comments))  # fmt: skip


def test_parts_find_their_events(match):
    alignment = make_aligner("koncel2014").infer(match)
    linked = [{link.id[0] for link in answer.events} for answer in alignment.links]
    assert linked[::2] == [{"p", "s"}] * 12
    assert linked[1::2] == [{"s", "k"}] * 12
    words = alignment.words(0)
    said = {
        event[0]: " ".join(TEXTS[0][start:end] for start, end in spans)
        for event, spans in words.items()
    }
    assert said == {"p": "Novak crosses", "s": "Bell heads it at goal"}


def test_words_can_be_asked_for_any_events(match):
    alignment = make_aligner("koncel2014").infer(match)
    assert set(alignment.words(0, ["k0", "nothing"])) == {"k0", "nothing"}
    assert alignment.words(0, ["nothing"]) == {"nothing": ()}
    assert alignment.words(0, []) == {}


def test_expected_shares_are_those_over_every_way(match):
    """Forward and backward against all ways written out."""
    from itertools import pairwise, product

    from touchline.methods.prior_work.koncel2014 import alignment as own

    model = start(["heads", "goal", "saves", "crosses"], ["Foul", "Pass", "Save", "Shot"])
    chance = np.random.default_rng(0)
    model.by_type[:] = chance.dirichlet(np.ones(4), 4)
    reader = Reader(match, model.words, model.types)
    seen = reader.one(1, np.array([0, 1, 2]))
    share = expect(seen, model, Counts.zero(model))
    emitted, steps = own._emitted(seen, model), own._transitions(seen, model)
    assert np.allclose(steps.sum(axis=1), 1)
    first = np.append(model.silent[1, 1] * own._chosen(seen, model), model.silent[1, 0])
    total = np.zeros_like(share)
    for way in product(range(4), repeat=len(seen.parts)):
        p = first[way[0]] * np.prod([steps[a, b] for a, b in pairwise(way)])
        p *= np.prod([emitted[i, k] for i, k in enumerate(way)])
        total[np.arange(len(way)), way] += p
    assert np.allclose(share, total / total.sum(axis=1, keepdims=True))


def test_a_part_without_a_bucket_describes_nothing(match):
    model = start([], [])
    seen = next(iter(Reader(match, [], []).every(Window(1.0, 1.0))))
    assert expect(seen, model)[:, -1].tolist() == [1.0] * len(seen.parts)
