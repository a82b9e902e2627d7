"""A commentary against its log: what is found, how surely, and what is left alone."""

from __future__ import annotations

import msgspec
import pytest

import touchline
from tests.generation.matches import ANN, BO, CYRIL, DEE, EVA, FAY, event, goal, match_of
from touchline import Comment, Match
from touchline.generation.check.checking import Checker
from touchline.generation.check.reading import read


def comment(number: int, time: float, text: str, period: int = 1) -> Comment:
    return Comment(id=number, text=text, period=period, start=time, end=time)


@pytest.fixture(scope="module")
def played() -> Match:
    """Passes all along, two shots, a goal, two fouls, a card, a substitution."""
    passes = [
        event(f"p{i}", "Pass", 20.0 * i, (ANN, CYRIL, DEE, EVA, BO, FAY)[i % 6], recipient=BO)
        for i in range(130)
    ]
    more = [
        event("miss", "Shot", 305.0, FAY, outcome="Off T", keeper=BO, body_part="Head",
              set_piece="Open Play", location=(110.0, 40.0)),
        event("foul", "Foul Committed", 611.0, CYRIL, fouled=ANN, card="Yellow Card"),
        goal("goal", 905.0, ANN, keeper=EVA, body_part="Left Foot", set_piece="Open Play",
             location=(112.0, 40.0)),
        event("sub", "Substitution", 1505.0, DEE, replacement=BO),
        event("save", "Shot", 2001.0, FAY, outcome="Saved", keeper=BO, body_part="Left Foot",
              set_piece="Open Play", location=(90.0, 40.0)),
    ]  # fmt: skip
    return match_of(*sorted([*passes, *more], key=lambda e: e.time))


TRUE = [
    comment(1, 310, "Fay Gunn (Blueport United) heads it just wide of the post."),
    comment(2, 615, "Cyril van der Meer (Blueport United) is booked for a foul on Archer."),
    comment(3, 910, "Goal! Ann Archer (Redfield City) shoots and scores. The score is 1:0."),
    comment(4, 1510, "Substitution. Bo Reis replaces Dee Dum (Redfield City)."),
    comment(5, 2006, "Fay Gunn (Blueport United) shoots and the keeper makes a save."),
]


def found(match: Match, *changed: Comment) -> dict[int | str, list[touchline.Finding]]:
    """The findings by comment, where some comments stand in place of the true ones."""
    comments = {one.id: one for one in (*TRUE, *changed)}
    by_comment: dict[int | str, list[touchline.Finding]] = {}
    for finding in touchline.check(match, comments.values()):
        by_comment.setdefault(finding.comment, []).append(finding)
    return by_comment


def test_a_true_commentary_has_no_findings(played):
    assert found(played) == {}


@pytest.mark.parametrize(
    ("number", "time", "text", "kind", "severity"),
    [
        (3, 910, "Goal! Dee Dum (Redfield City) shoots and scores. The score is 1:0.", "name",
         "error"),
        (3, 910, "Goal! Ann Archer (Blueport United) shoots and scores.", "name", "error"),
        (3, 910, "Goal! Zoe Quist (Redfield City) shoots and scores.", "name", "error"),
        (3, 910, "Goal! Ann Archer (Redfield City) scores. The score is 2:0.", "score", "error"),
        (3, 910, "Ann Archer (Redfield City) shoots and the keeper makes a save.", "outcome",
         "warning"),
        (5, 2006, "Goal! Fay Gunn (Blueport United) scores from long range.", "outcome", "warning"),
        (2, 615, "Cyril van der Meer (Blueport United) is sent off for a foul.", "detail",
         "warning"),
        (5, 2006, "Fay Gunn (Blueport United) shoots from inside the box. It is saved.", "detail",
         "warning"),
    ],
)  # fmt: skip
def test_an_altered_comment_is_found(played, number, time, text, kind, severity):
    findings = found(played, comment(number, time, text))
    assert set(findings) == {number}
    assert kind in {finding.kind for finding in findings[number]}
    worst = next(f for f in findings[number] if f.kind == kind)
    assert worst.severity == severity or worst.severity == "error"
    assert 0.4 <= worst.probability <= 1
    assert "".join(text[a:b] for a, b in worst.words)


def test_a_goal_of_which_there_is_none(played):
    late = comment(9, 2500, "Goal! Eva Ives (Blueport United) scores!")
    (finding, *_) = found(played, late)[9]
    assert (finding.kind, finding.severity) == ("no-event", "error")
    assert "no goal" in finding.log


@pytest.mark.parametrize(
    ("time", "text", "says"),
    [
        (2006, "GOAL! Fay Gunn (Blueport United) scores with the left foot.", "a goal"),
        (2006, "RED CARD! Fay Gunn (Blueport United) is sent off.", "a red card"),
        (2006, "Penalty to Redfield City! Fay Gunn brings down Ann Archer.", "a penalty"),
    ],
)  # fmt: skip
def test_what_nobody_did_for_minutes_around_is_an_error(played, time, text, says):
    """Whatever the comment is linked to."""
    errors = [f for f in found(played, comment(5, time, text))[5] if f.severity == "error"]
    assert ("no-event", says) in {(finding.kind, finding.says) for finding in errors}


def test_a_comment_beyond_the_log_is_not_held_to_it(played):
    """Its clock is wrong, or the log is cut: that there is no goal then says nothing."""
    late = comment(9, 5000, "Goal! Eva Ives (Blueport United) scores!")
    assert {f.severity for f in found(played, late)[9]} == {"warning"}


@pytest.mark.parametrize(
    "text",
    ["There are appeals for a penalty! Fay Gunn goes down.",
     "Penalty to Redfield City? No penalty! The referee waves play on."],
)  # fmt: skip
def test_a_penalty_that_is_only_asked_for(played, text):
    findings = found(played, comment(5, 2006, text)).get(5, [])
    assert "a penalty" not in {finding.says for finding in findings}


@pytest.mark.parametrize(
    ("text", "wrong"),
    [("Substitution. Dee Dum replaces Bo Reis (Redfield City).", True),
     ("Dee Dum comes on for Bo Reis.", True),
     ("Bo Reis (Redfield City) makes way for Dee Dum in a substitution.", True),
     ("Dee Dum is replaced by Bo Reis (Redfield City).", False),
     ("Dee Dum makes way for Bo Reis in a substitution.", False)],
)  # fmt: skip
def test_a_substitution_the_wrong_way_round(played, text, wrong):
    findings = found(played, comment(4, 1510, text)).get(4, [])
    errors = [f for f in findings if (f.kind, f.severity) == ("detail", "error")]
    assert bool(errors) == wrong
    for finding in errors:
        assert finding.sentence == (
            "says that Dee Dum came on for Bo Reis; Bo Reis came on for Dee Dum (26')"
        )


def test_the_score_before_the_goal_is_a_warning(played):
    """Live pages often state it; it is wrong, but no reason to fail."""
    text = "Goal! Ann Archer (Redfield City) scores. The score is 0:0."
    (finding,) = found(played, comment(3, 910, text))[3]
    assert (finding.kind, finding.severity) == ("score", "warning")


def test_speech_is_never_an_error(played):
    """Names and scores in a transcript are what a recogniser made of them."""
    words = "and Archer scores it is three nil to Redfield City " * 3
    spoken = [comment(i, 60.0 + 4 * i, words) for i in range(100)]
    checker = Checker(played.with_comments(spoken))
    readings = read(played.with_comments(spoken), touchline.make_aligner("chains"), hide=False)
    findings = list(checker.findings(readings))
    assert findings
    assert {finding.severity for finding in findings} == {"warning"}


def test_findings_can_be_stored(played):
    text = "Goal! Ann Archer (Redfield City) scores. The score is 2:0."
    (finding, *_) = found(played, comment(3, 910, text))[3]
    stored = finding.to_json()
    assert set(stored) == {"comment", "kind", "severity", "words", "text", "says", "log", "events",
                           "probability"}  # fmt: skip
    assert msgspec.convert(stored, touchline.Finding) == finding


def test_a_match_without_comments_is_refused(played):
    with pytest.raises(touchline.TouchlineError, match="no comments to check"):
        touchline.check(played)


def test_a_log_that_knows_no_score_or_players_is_not_held_against_a_text():
    match = match_of(event("a", "kick", 10.0, ANN), event("b", "kick", 20.0, FAY))
    text = "The score is 4:0 after a goal by Archer."
    assert [f.kind for f in touchline.check(match, [comment(1, 15, text)])] in ([], ["name"])
