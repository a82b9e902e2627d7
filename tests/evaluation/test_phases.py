"""Scores of phases: the right comment with the right team, and how far spans agree."""

from __future__ import annotations

import pytest

from touchline import Comment, CommentLinks, Event, Match, Team
from touchline.core.links import Phase
from touchline.evaluation.phases import PhaseScore, score_each_phase, score_phases, shared
from touchline.io.corpus.layout import LabelledMatch
from touchline.io.corpus.phases import GoldPhase

REDS, BLUES = Team(id="r", name="Redfield"), Team(id="b", name="Blueport")
MATCH = Match(
    name="m", provider="test", teams=(REDS, BLUES), players=(),
    events=tuple(Event(id=f"e{i}", type="Pass", period=1, time=10.0 * i) for i in range(9)),
    comments=tuple(Comment(id=i, text="") for i in range(6)),
)  # fmt: skip


def answer(comment: int, team: str | None) -> CommentLinks:
    phase = Phase(team=team, span=(20.0, 60.0), events=(), score=0.6) if team else None
    return CommentLinks(match="m", comment=comment, events=(), none=1.0, period=1, time=None,
                        span=None, phase=phase)  # fmt: skip


def labelled(**teams: str) -> LabelledMatch:
    """Comments 0 to 4 are labelled, these with a phase from 40 s to 80 s."""
    phases = {
        int(comment[1:]): GoldPhase(id=int(comment[1:]), team=team, first="e4", last="e8")
        for comment, team in teams.items()
    }
    return LabelledMatch(match=MATCH, gold=dict.fromkeys(range(5), frozenset()), phases=phases)


def test_comments_with_the_right_team_are_right():
    gold = labelled(c0="Redfield", c1="Redfield", c2="Redfield")
    teams = ["Redfield", "Blueport", None, "Redfield", None, "Blueport"]
    answers = [answer(i, team) for i, team in enumerate(teams)]
    score = score_phases(gold, answers)
    assert score == PhaseScore(right=1, predicted=3, lines=3, overlap=pytest.approx(20 / 60))
    assert score.metrics() == {
        "precision": pytest.approx(1 / 3), "recall": pytest.approx(1 / 3),
        "f1": pytest.approx(1 / 3), "overlap": pytest.approx(1 / 3), "lines": 3,
    }  # fmt: skip
    assert list(score_each_phase(gold, answers)) == [0, 1, 2, 3, 4]


def test_nothing_found_and_nothing_there():
    assert score_phases(labelled(c0="Redfield"), []).metrics()["f1"] == 0
    assert PhaseScore().metrics()["precision"] == 0


def test_scores_add_up():
    one = PhaseScore(right=1, predicted=2, lines=3, overlap=0.5)
    assert one + one == PhaseScore(right=2, predicted=4, lines=6, overlap=1.0)


@pytest.mark.parametrize(
    ("one", "other", "share"),
    [
        ((0.0, 10.0), (0.0, 10.0), 1.0),
        ((0.0, 10.0), (5.0, 10.0), 0.5),
        ((0.0, 10.0), (20.0, 30.0), 0.0),
        ((5.0, 5.0), (5.0, 5.0), 1.0),
    ],
)
def test_what_two_spans_share(one, other, share):
    assert shared(one, other) == share
