"""What goes into the page: the right records, small, and explanations as marks."""

from __future__ import annotations

import msgspec
import pytest

from tests.report.conftest import ORIGIN
from touchline import Link, UsageError, align
from touchline.core.links import Phase
from touchline.methods.explanation import Claim, Explanation
from touchline.methods.pairrank.explanation import LookedInto, PairExplanation
from touchline.report.data import report
from touchline.report.why import Mark, why


def test_events_and_comments_find_each_other(links):
    (match,) = report([links], ORIGIN).matches
    linked = [[match.events[i].id for i, _ in comment.events] for comment in match.comments]
    assert linked == [["e0", "e1"], [], ["e4"], []]
    assert match.events[0].what == "Pass Ann Archer → Bo Reis"
    assert match.players[match.events[1].player].name == "Bo Reis"
    assert [match.kinds[event.kind] for event in match.events][:2] == ["Pass", "Shot"]
    assert (match.title, match.teams) == ("Redfield City – Blueport United", tuple(match.teams))


def test_only_events_that_are_linkable_or_linked_go_in(small_match, links):
    (match,) = report([links], ORIGIN).matches
    assert "e5" not in [event.id for event in match.events]
    with_carry = type(links)(
        small_match, [msgspec.structs.replace(links[0], events=(msgspec.structs.replace(
            links[0].events[0], id="e5"),)), *links[1:]])  # fmt: skip
    (match,) = report([with_carry], ORIGIN).matches
    assert "e5" in [event.id for event in match.events]


def test_other_candidates_are_shown_when_they_scored_something(links):
    (match,) = report([links], ORIGIN).matches
    also = [(match.events[i].id, score) for i, score in match.comments[0].also]
    assert also == [("e2", 0.3)]


def test_marks_go_to_the_event_that_a_word_spoke_for_most(links, explain):
    (match,) = report([links], ORIGIN, explain).matches
    text = match.comments[0].text
    found = {text[m.start : m.end]: (m.event, m.kind) for m in match.comments[0].why.marks}
    assert found == {
        "Archer": (0, "name"),
        "finds": (0, "word"),
        "Reis": (1, "garbled"),
        "shoots": (1, "word"),
    }
    assert match.comments[0].why.words == ((0, ("Archer", "finds")), (1, ("Reis", "shoots")))
    assert dict(match.comments[0].why.notes) == {
        "Evidence relative to no event": "words +3.0",
        "Next best": "Shot (Saved) Bo Reis (0.20)",
        "By itself, then among its neighbours": "0.61 → 0.93",
    }


def test_places_are_counted_as_browsers_count():
    class Explained(Explanation, frozen=True, kw_only=True):
        def claims(self):
            yield Claim(start=3, end=5, event=None, kind="lost", weight=1.0)

    explained = Explained(method="m", match="m", comment=1, text="🏟️ Bo")
    assert why(explained, "🏟️ Bo", []).marks == (Mark(4, 6, -1, "lost"),)


def test_heaviest_words_of_the_papers_method():
    weights = [("shot", 2.0), ("goal", 1.0)]
    explained = PairExplanation(method="pairrank", match="m", comment=1, text="A shot", growth=[],
                                models=[LookedInto("e1", "Shot", weights)])  # fmt: skip
    assert why(explained, "A shot", [Link(id="e1", score=1.0)]).words == ((0, ("shot", "goal")),)


def test_a_method_that_cannot_explain_itself_has_the_page_say_so(links):
    def explain(match, comment):
        raise UsageError("cannot")

    (match,) = report([links], ORIGIN, explain).matches
    for comment in match.comments:
        assert comment.why.notes == (("Not explained", "cannot."),)
        assert comment.why.marks == ()


@pytest.mark.parametrize("method", ["named-nearest", "chains"])
def test_a_real_match_is_small(sample, method):
    links = align(sample[0].match, method=method)
    assert len(msgspec.json.encode(report([links], ORIGIN))) < 1_000_000


def test_phases_go_in_by_the_places_of_their_team_and_events(links):
    phase = Phase(team="Blueport United", span=(1.005, 2.0), events=("e0", "e1", "gone"),
                  score=0.61234, kind="counter")  # fmt: skip
    nowhere = msgspec.structs.replace(phase, team="Nowhere")
    answers = [msgspec.structs.replace(links[0], phase=phase),
               msgspec.structs.replace(links[1], phase=nowhere), *links[2:]]  # fmt: skip
    (match,) = report([type(links)(links.match, answers)], ORIGIN).matches
    found = match.comments[0].phase
    assert [match.events[event].id for event in found.events] == ["e0", "e1"]
    assert (match.teams[found.team], found.kind, found.score) == (
        "Blueport United",
        "counter",
        0.612,
    )
    assert found.period == match.events[0].period
    assert [comment.phase for comment in match.comments[1:]] == [None] * 3
