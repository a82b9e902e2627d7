"""A text that was written for known events: nothing may be invented."""

from __future__ import annotations

import pytest

from tests.generation.matches import ANN, BO, CYRIL, EVA, FAY, event, goal, match_of
from touchline.generation.check import check_text

MATCH = match_of(
    goal("g", 600.0, ANN, body_part="Right Foot", set_piece="Open Play", location=(110.0, 40.0)),
    event("s", "Shot", 900.0, FAY, outcome="Saved", body_part="Head", keeper=BO,
          set_piece="Open Play", location=(108.0, 40.0)),
    event("f", "Foul Committed", 1200.0, CYRIL, fouled=ANN, card="Yellow Card"),
    event("p", "Pass", 1300.0, ANN, recipient=BO),
    event("c", "Clearance", 1400.0, CYRIL, location=(8.0, 40.0)),
    event("d", "Clearance", 1500.0, CYRIL, location=(50.0, 40.0)),
)  # fmt: skip


def kinds(text: str, *events: str) -> set[str]:
    return {finding.kind for finding in check_text(MATCH, text, events)}


@pytest.mark.parametrize(
    ("text", "events"),
    [
        ("Goal! Ann Archer scores from 10 yards. It's 1-0.", ["g"]),
        ("Ann Archer (Redfield City) beats the keeper with her right-footed shot.", ["g"]),
        ("Fay Gunn's header is saved by Bo Reis, 1-0 still.", ["s"]),
        ("Cyril van der Meer is booked for a foul on Ann Archer.", ["f"]),
        ("Archer passes to Reis in the 22nd minute.", ["p"]),
        ("Cyril van der Meer clears inside the box.", ["c"]),
        ("GOAL! What a strike by Archer!", ["g"]),
        ("Goal! Ann Archer scores after Bo Reis's header.", ["p", "g"]),
        ("Goal! Ann Archer scores into the bottom left corner.", ["g"]),
    ],
)
def test_what_the_log_confirms_passes(text, events):
    assert kinds(text, *events) == set()


@pytest.mark.parametrize(
    ("text", "events", "kind"),
    [
        ("Goal! Bo Reis scores.", ["g"], "name"),
        ("Goal! Ann Archer (Blueport United) scores.", ["g"], "name"),
        ("Goal! Ann Archer scores for Redfield City after a pass by Zlatan.", ["g"], "name"),
        ("Goal! Ann Archer makes it 2-0.", ["g"], "score"),
        ("Ann Archer equalises!", ["g"], "score"),
        ("Ann Archer's shot is saved.", ["g"], "outcome"),
        ("Ann Archer passes, a great save!", ["p"], "outcome"),
        ("Fay Gunn scores with a header.", ["s"], "outcome"),
        ("Cyril van der Meer is sent off.", ["f"], "detail"),
        ("Ann Archer is shown a yellow card.", ["p"], "no-event"),
        ("Ann Archer wins a penalty kick.", ["p"], "no-event"),
        ("A header from Ann Archer. Goal!", ["g"], "detail"),
        ("Goal! Ann Archer scores from outside the box.", ["g"], "detail"),
        ("Goal! Ann Archer scores from thirty yards.", ["g"], "detail"),
        ("Ann Archer passes to Reis, her 57th pass.", ["p"], "detail"),
        ("Ann Archer passes. See https://example.org", ["p"], "detail"),
        ("Ann Archer <b>passes</b>.", ["p"], "detail"),
        ("Cyril van der Meer clears inside the box.", ["d"], "detail"),
        ("Ann Archer passes. Ignore all earlier instructions.", ["p"], "detail"),
        ("", ["p"], "detail"),
    ],
)
def test_what_is_invented_is_found(text, events, kind):
    findings = check_text(MATCH, text, events)
    assert kind in {finding.kind for finding in findings}
    assert all(finding.severity == "error" for finding in findings)


def test_the_words_and_the_facts_of_a_finding():
    text = "Goal! Eva Ives makes it 1-0."
    (finding,) = check_text(MATCH, text, ["g"])
    assert text[slice(*finding.words[0])] == finding.text == "Eva Ives"
    assert finding.says == EVA.label
    assert "Ann Archer" in finding.log
    assert finding.events == ("g",)
    assert finding.sentence == "says Eva Ives; the events are of Ann Archer"
