"""`chains` on a live match: which model answers, and what an answer depends on."""

from __future__ import annotations

import msgspec
import pytest

from touchline import Match, Player, make_aligner
from touchline.core.errors import UsageError
from touchline.methods.buckets import buckets
from touchline.methods.chains import follower as module
from touchline.methods.chains.bundled.loader import Choice
from touchline.methods.chains.follower import ChainsFollower
from touchline.methods.chains.inference.posterior import infer


@pytest.fixture
def match(sample) -> Match:
    return sample[0].match.with_comments(sample[0].match.comments[:20])


@pytest.fixture
def follower() -> ChainsFollower:
    return make_aligner("chains").follower()


def nones(follower: ChainsFollower, match: Match) -> list[float]:
    follower.follow_log(match)
    return [answer.none for answer in follower.answers(match)]


def test_the_bundled_model_is_chosen_by_the_comments(follower, match, monkeypatch):
    before = nones(follower, match)
    monkeypatch.setattr(module, "choose", lambda _: Choice("templated", words=0.9, events=0.9))
    assert follower.choose_model(match)
    assert nones(follower, match) != before
    assert not follower.choose_model(match)  # it is that model already


def test_a_model_that_does_not_fit_is_not_taken(follower, match, monkeypatch):
    monkeypatch.setattr(module, "choose", lambda _: Choice("templated", words=0.4, events=0.9))
    assert not follower.choose_model(match)
    monkeypatch.setattr(module, "choose", lambda _: None)
    assert not follower.choose_model(match)


def test_a_fitted_model_stays(match, monkeypatch):
    aligner = make_aligner("chains", {"rounds": 1})
    aligner.fit([match])
    monkeypatch.setattr(module, "choose", lambda _: Choice("templated", words=0.9, events=0.9))
    assert not aligner.follower().choose_model(match)


def test_without_a_bundled_model_one_must_be_given(monkeypatch):
    monkeypatch.setattr(module, "bundled_model", lambda _: None)
    with pytest.raises(UsageError, match="no bundled model; pass one with --model"):
        make_aligner("chains").follower()


def test_a_few_lines_of_speech_are_spoken_though_they_do_not_show_it(follower, match, monkeypatch):
    """Whether a commentary is spoken is decided by all comments so far."""
    monkeypatch.setattr(module, "choose", lambda _: None)
    seen = []
    monkeypatch.setattr(
        module, "infer", lambda prepared, p: (seen.append(prepared.spoken), infer(prepared, p))[1]
    )
    few = match.with_comments(match.comments[:2])
    spoken = [msgspec.structs.replace(c, text=20 * c.text, anywhere=False) for c in match.comments]
    nones(follower, few)
    assert follower.choose_model(match.with_comments(spoken))
    nones(follower, few)
    assert not follower.choose_model(match.with_comments(spoken))  # it is known already
    assert not follower.choose_model(match)
    nones(follower, few)
    assert seen == [True, True, False]  # by themselves the two are as dense as speech


def test_an_answer_depends_on_the_events_around_its_bucket(follower, match):
    """Chains reach a few events beyond the bucket."""
    window = make_aligner("chains").options.bucket_window
    starts = [int(bucket[0]) for bucket in buckets(match, window)]
    place, first = next((place, first) for place, first in enumerate(starts) if first > 30)

    def basis(number: int) -> object:
        """What the comment depends on if that event were of another type."""
        changed = match.linkable[number]
        events = [
            msgspec.structs.replace(e, type="Shot" if e.type == "Pass" else "Pass")
            if e is changed
            else e
            for e in match.events
        ]
        other = msgspec.structs.replace(match, events=tuple(events))
        follower.follow_log(other)
        return follower.depends_on(other)[place]

    follower.follow_log(match)
    plain = follower.depends_on(match)[place]
    assert basis(first) != plain
    assert basis(first - 1) != plain
    assert basis(first - 30) == plain


def test_names_are_found_again_when_the_line_up_changes(follower, match):
    strangers = [Player(id=p.id, name=f"Nobody{p.id}", team=p.team) for p in match.players]
    before = nones(follower, msgspec.structs.replace(match, players=tuple(strangers)))
    assert before != nones(follower, match) == nones(make_aligner("chains").follower(), match)
