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
    Seen,
    bundled_words,
    learn_words,
    namings_of,
    with_phases,
)

REDS, BLUES = Team(id="r", name="Redfield"), Team(id="b", name="Blueport")
ANN, CYRIL = (
    Player(id="1", name="Ann Archer", team=REDS),
    Player(id="2", name="Cyril Meer", team=BLUES),
)
WORDS = PhaseWords(share=0.3, words={"forward": 2.0, "ticket": -2.0})


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


def test_a_spell_goes_on_over_a_touch_of_the_other_team():
    spell = Possession(match_of(SIDES)).spell("r", 1, 60.0)
    assert [event.id for event in spell.events] == [
        f"e{i}" for i in [*range(15, 20), *range(21, 26)]
    ]
    assert spell.size == 10 - 2


def test_no_spell_while_the_other_team_has_the_ball():
    assert Possession(match_of(SIDES)).spell("r", 1, 120.0).events == ()


def test_the_rank_of_a_spell_is_among_the_team_s_own():
    possession = Possession(match_of(SIDES))
    here, elsewhere = (possession.spell("r", 1, t) for t in (60.0, 120.0))
    assert possession.rank("r", here) > 0.8 > 0.5 > possession.rank("r", elsewhere) > 0


def test_spells_where_there_is_nothing():
    possession = Possession(match_of(""))
    spell = possession.spell("r", 3, 10.0)
    assert spell == ((), 0.0)
    assert possession.rank("r", spell) == 0.5


def test_one_team_named_by_itself():
    namings = namings_of(match_of(
        SIDES, "Redfield come forward", "Redfield and Blueport", "Archer (Redfield) shoots",
        "They come forward", "",
    ))  # fmt: skip
    assert [naming and naming.team.name for naming in namings] == ["Redfield", *[None] * 4]
    assert namings[0].words == ("<.", "come", "come>", "forward")


def test_a_comment_about_a_spell_links_to_it():
    links = with_phases(links_of(match_of(SIDES, "Redfield are coming forward.")), WORDS)
    phase = links[0].phase
    assert (phase.team, phase.span, len(phase.events)) == ("Redfield", (45.0, 75.0), 10)
    assert 0.5 <= phase.score <= 1


@pytest.mark.parametrize(
    "text", ["Blueport are coming forward.", "A ticket for Redfield.", "They come forward.", ""]
)
def test_other_comments_do_not(text: str):
    assert with_phases(links_of(match_of(SIDES, text)), WORDS)[0].phase is None


def test_a_comment_on_events_of_players_has_no_phase():
    match = match_of(SIDES, "Redfield come forward.", "Redfield come forward, Archer with it.")
    with_phase = with_phases(links_of(match, "e19"), WORDS)
    assert [bool(answer.phase) for answer in with_phase] == [True, False]


def test_nothing_else_changes():
    links = links_of(match_of(SIDES, "Redfield come forward.", "Rain."), "e19")
    found = with_phases(links, WORDS)
    assert found[0].phase
    assert [msgspec.structs.replace(a, phase=None) for a in found] == list(links)
    assert list(with_phases(found, WORDS)) == list(found)


def test_words_are_learned_from_ranks_alone():
    matches = [[Seen(("go", own), 0.95), Seen(("talk", own), 0.1)] * 20 for own in ("x", "y", "z")]
    words = learn_words(matches)
    assert words.words["go"] > 0.3 > 0 > words.words["talk"]
    assert set(words.words) == {"go", "talk"}  # the others are of one match only
    assert words.score(["go"], 0.9) > words.score([], 0.9) > words.score(["talk"], 0.9)
    assert words.score(["go"], 0.9) > words.score(["go"], 0.3)


def test_learning_from_nothing():
    assert learn_words([]).words == {}
    assert 0 < learn_words([[], []]).share < 1


def test_lines_of_links_hold_phases(tmp_path: Path):
    links = with_phases(links_of(match_of(SIDES, "Redfield come forward.", "Rain.")), WORDS)
    lines = list(jsonl.to_lines(links))
    assert '"phase":{"team":"Redfield","span":[45.0,75.0],"events":["e15",' in lines[0]
    assert "phase" not in lines[1]
    (tmp_path / "links.jsonl").write_text("".join(lines), encoding="utf-8")
    assert read_links(tmp_path / "links.jsonl") == list(links)


def test_the_sample_with_the_bundled_words(sample):
    """A bundled match with two invented comments, one while its team has a long spell."""
    assert bundled_words() is not None
    match = sample[0].match
    team, possession = match.teams[0], Possession(match)
    time = max(range(0, 2600, 20), key=lambda t: possession.spell(team.id, 1, t).size)
    text = f"{team.name} in possession, deep in the half."
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
    assert found[0].phase.span[0] <= time <= found[0].phase.span[1]
    assert found[1].phase is None
    events = [match.event_by_id[i] for i in found[0].phase.events]
    assert {event.team.id for event in events} == {team.id}
