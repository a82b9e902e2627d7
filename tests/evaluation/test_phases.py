"""Scores of phases: the right comment with the right team, and how far spans agree."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.cli.test_commands import run
from touchline import Comment, CommentLinks, Event, Links, Match, Team
from touchline.core.links import Phase
from touchline.evaluation.phases import PhaseScore, score_each_phase, score_phases, shared
from touchline.io.corpus.layout import LabelledMatch, read_match_folder
from touchline.io.corpus.phases import GoldPhase
from touchline.io.links import jsonl
from touchline.sample import corpus_path

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


def test_the_track_of_a_corpus(tmp_path: Path):
    """Only matches with labelled phases are scored; a links file is scored like a method."""
    corpus = Path(shutil.copytree(corpus_path(), tmp_path / "corpus"))
    folder = next(path for path in sorted(corpus.iterdir()) if path.is_dir())
    match = read_match_folder(folder).match
    event = next(event for event in match.linkable if event.team)
    gold = {"id": 3, "team": event.team.name, "first": event.id, "last": event.id}
    (folder / "phases.jsonl").write_text(json.dumps(gold), encoding="utf-8")
    phase = Phase(
        team=event.team.name, span=(event.time, event.time), events=(event.id,), score=0.6
    )
    answers = [
        CommentLinks(match=match.name, comment=comment.id, events=(), none=1.0, period=1, time=None,
                     span=None, phase=phase if comment.id in (3, 4) else None)
        for comment in match.comments
    ]  # fmt: skip
    (tmp_path / "links.jsonl").write_text("".join(jsonl.to_lines(Links(match, answers))))
    given = ["evaluate", str(corpus), "--track", "phases", "--json", str(tmp_path / "out.json")]
    for more, right, found in (
        (["--method", "named"], 0.0, 0.0),
        (["--predictions", str(tmp_path / "links.jsonl")], 1.0, 0.5),
    ):
        done = run(*given, *more)
        assert done.returncode == 0, done.stderr
        scored = json.loads((tmp_path / "out.json").read_bytes())
        assert list(scored["matches"]) == [folder.name]
        assert scored["total"]["recall"] == right
        assert scored["total"]["precision"] == found
        assert set(scored["total"]) == {"precision", "recall", "f1", "overlap", "lines"}
        assert (scored["track"], scored["labels"]) == ("phases", False)
    refused = run(*given, "--compare", "named", "named-nearest")
    assert refused.returncode == 2
    assert "one method at a time" in refused.stderr


def test_a_corpus_without_labelled_phases():
    done = run("evaluate", corpus_path(), "--track", "phases")
    assert done.returncode == 1
    assert "expected <match>/phases.jsonl" in done.stderr
