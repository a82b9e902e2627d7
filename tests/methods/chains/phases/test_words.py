"""Spells of a team, and comments that are about one, on small invented matches and the sample."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from touchline import Comment, CommentLinks, Event, Link, Links, Match, Player, Team, read_links
from touchline.io.links import jsonl
from touchline.methods.chains.phases.possession import Possession
from touchline.methods.chains.phases.words import (
    PhaseWords,
    bundled_words,
    namings_of,
    with_phases,
)

REDS, BLUES = Team(id="r", name="Redfield"), Team(id="b", name="Blueport")
ANN, CYRIL = (
    Player(id="1", name="Ann Archer", team=REDS),
    Player(id="2", name="Cyril Meer", team=BLUES),
)
WORDS = PhaseWords(offset=-1.0, words={"forward": 2.0, "ticket": -2.0})


def match_of(sides: str, *texts: str, every: float = 3.0) -> Match:
    """A match whose events are of the Reds (r) and Blues (b) in turn, all comments at 60 s."""
    players = {"r": ANN, "b": CYRIL}
    events = tuple(
        Event(id=f"e{i}", type="Pass", period=1, time=i * every, player=p, team=p.team)
        for i, p in enumerate(players[side] for side in sides)
    )
    comments = tuple(
        Comment(id=i, text=text, period=1, start=60, end=60) for i, text in enumerate(texts)
    )
    return Match(name="m", provider="test", events=events, teams=(REDS, BLUES),
                 players=(ANN, CYRIL), comments=comments)  # fmt: skip


# The Reds have the ball from 45 s to 75 s, but for one touch at 60 s; the Blues before and after.
SIDES = "b" * 15 + "rrrrrbrrrrr" + "b" * 40


def links_of(match: Match, *linked: str) -> Links:
    """Every comment at 60 s, describing the given events."""
    events = tuple(Link(id=i, score=0.9) for i in linked)
    return Links(match, [CommentLinks(match=match.name, comment=c.id, events=events, none=0.1,
                                      period=1, time=60.0, span=None)
                         for c in match.comments])  # fmt: skip


def test_teams_named_by_themselves_and_the_words_of_their_sentences():
    namings = namings_of(match_of(
        SIDES, "Redfield come forward", "Redfield and Blueport", "Archer (Redfield) shoots",
        "They come forward", "", "Rain. Redfield come", "Archer (Redfield) shoots. Redfield cheer",
    ))  # fmt: skip
    assert [[team.name for team in naming.teams] for naming in namings] == [
        ["Redfield"], ["Redfield", "Blueport"], [], [], [], ["Redfield"], ["Redfield"]
    ]  # fmt: skip
    assert [naming.words for naming in namings] == [
        ("come", "forward"), ("and",), ("shoot",), ("come", "forward", "they"), (), ("come",),
        ("cheer",),
    ]  # fmt: skip
    assert [naming.players for naming in namings] == [False, False, True, False, False, False, True]
    assert [naming.anybody for naming in namings] == [True, True, True, False, False, True, True]


def test_a_comment_about_a_spell_links_to_it():
    links = with_phases(links_of(match_of(SIDES, "Redfield are coming forward.")), WORDS)
    phase = links[0].phase
    assert (phase.team, phase.span, len(phase.events)) == ("Redfield", (45.0, 57.0), 5)
    assert 0.5 <= phase.score <= 1
    assert phase.kind is None  # nobody knows where the events are


@pytest.mark.parametrize(
    "text", ["Blueport are coming forward.", "A ticket for Redfield.", "They come forward.", ""]
)
def test_other_comments_do_not(text: str):
    assert with_phases(links_of(match_of(SIDES, text)), WORDS)[0].phase is None


def spoken(match: Match, *starts: float, lasting: float = 3.0) -> Match:
    """The match with its comments said at these times."""
    timed = zip(match.comments, starts, strict=True)
    return match.with_comments(
        msgspec.structs.replace(comment, start=at, end=at + lasting) for comment, at in timed
    )


def test_of_two_teams_it_is_the_one_with_the_larger_spell():
    links = with_phases(links_of(match_of(SIDES, "Blueport let Redfield come forward.")), WORDS)
    assert links[0].phase.team == "Redfield"


def test_a_written_comment_on_events_of_players_has_no_phase():
    texts = "Redfield come forward.", "Redfield come forward, Archer with it."
    written = spoken(match_of(SIDES, *texts), 30.0, 90.0)
    assert [bool(a.phase) for a in with_phases(links_of(written, "e19"), WORDS)] == [True, False]
    speech = spoken(match_of(SIDES, *texts), 57.0, 63.0)
    assert [bool(a.phase) for a in with_phases(links_of(speech, "e19"), WORDS)] == [True, True]


@pytest.mark.parametrize(
    ("text", "linked", "pause", "carried_on"),
    [
        ("Lovely to watch.", (), 0.0, True),
        ("Lovely to watch.", (), 2.0, False),
        ("Lovely to watch.", ("e19",), 0.0, False),
        ("Archer, lovely to watch.", (), 0.0, False),
        ("", (), 0.0, False),
    ],
)
def test_a_line_in_one_breath_with_a_phase_is_about_it(
    text: str, linked: tuple[str, ...], pause: float, carried_on: bool
):
    texts = text, "Redfield come forward", text
    match = spoken(match_of(SIDES, *texts), 57.0 - pause, 60.0, 63.0 + pause)
    links = with_phases(links_of(match, *linked), WORDS)
    assert [bool(answer.phase) for answer in links] == [carried_on, True, carried_on]
    if carried_on:
        assert links[0].phase == links[1].phase == links[2].phase


def test_comments_of_one_moment_are_not_one_breath():
    links = with_phases(links_of(match_of(SIDES, "Redfield come forward.", "Lovely.")), WORDS)
    assert [bool(answer.phase) for answer in links] == [True, False]


def test_nothing_else_changes():
    links = links_of(match_of(SIDES, "Redfield come forward.", "Rain."), "e19")
    found = with_phases(links, WORDS)
    assert found[0].phase
    assert [msgspec.structs.replace(a, phase=None) for a in found] == list(links)
    assert list(with_phases(found, WORDS)) == list(found)


def test_words_and_rank_together():
    assert WORDS.play(["forward", "unheard"]) == 1.0
    assert WORDS.score(["forward"], 1.0) > WORDS.score([], 1.0) > WORDS.score(["ticket"], 1.0)
    assert WORDS.score(["forward"], 1.0) > WORDS.score(["forward"], 0.5)
    assert PhaseWords(offset=0.0, words={}).score([], 1.0) == 0.5


def test_lines_of_links_hold_phases(tmp_path: Path):
    links = with_phases(links_of(match_of(SIDES, "Redfield come forward.", "Rain.")), WORDS)
    lines = list(jsonl.to_lines(links))
    assert '"phase":{"team":"Redfield","span":[45.0,57.0],"events":["e15",' in lines[0]
    assert "phase" not in lines[1]
    (tmp_path / "links.jsonl").write_text("".join(lines), encoding="utf-8")
    assert read_links(tmp_path / "links.jsonl") == list(links)


def test_the_sample_with_the_bundled_words(sample):
    """A bundled match with two invented comments, one while its team has a long spell."""
    assert bundled_words() is not None
    match = sample[0].match
    team, possession = match.teams[0], Possession(match)
    time = max(range(0, 2600, 20), key=lambda t: possession.spell(team.id, 1, t).size)
    text = f"Good ball again from {team.name}, in possession."
    with_phase = match.with_comments(
        Comment(id=i, text=text, period=1, start=at, end=at) for i, at in enumerate((time, 0.0))
    )
    answers = [
        CommentLinks(match=match.name, comment=c.id, events=(), none=1.0, period=1, time=c.time,
                     span=None)
        for c in with_phase.comments
    ]  # fmt: skip
    found = with_phases(Links(with_phase, answers))
    assert found[0].phase.team == team.name
    assert time - 45 <= found[0].phase.span[0] < found[0].phase.span[1] <= time + 5
    assert found[1].phase is None
    events = [match.event_by_id[i] for i in found[0].phase.events]
    assert {event.team.id for event in events} == {team.id}


def test_rows_hold_phases():
    links = with_phases(links_of(match_of(SIDES, "Redfield come forward.", "Rain.")), WORDS)
    assert [(row["phase_team"], row["phase_kind"]) for row in links.rows()] == [
        ("Redfield", None),
        (None, None),
    ]
