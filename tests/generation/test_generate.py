"""Commentary from a whole log, of every feed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import touchline
from tests.generation.matches import BO, REDS, event, goal, match_of
from touchline import Match, Player, TouchlineError, UsageError, generate, read_events
from touchline.generation.facts import MatchFacts
from touchline.io.corpus.layout import LabelledMatch
from touchline.sample.exports import FEEDS, carried, write
from touchline.text.names import NameFinder


def test_a_whole_match(sample: list[LabelledMatch]) -> None:
    match = sample[0].match
    commentary = generate(match)
    assert repr(commentary) == f"Commentary({match.name!r}, {len(commentary)} lines)"
    assert 40 <= len(commentary) <= 110
    assert commentary.thin <= 0.05 * len(commentary)
    times = [(line.period, line.time) for line in commentary]
    assert times[1:-1] == sorted(times[1:-1])
    assert all(set(line.events) <= match.event_by_id.keys() and line.events for line in commentary)


def test_nothing_that_matters_is_missing(sample: list[LabelledMatch]) -> None:
    for one in sample:
        facts = MatchFacts(one.match)
        described = {key for line in generate(one.match, lines=1) for key in line.events}
        needed = [f.id for f in facts.all() if f.effect or f.card or f.kind == "substitution"]
        assert set(needed) <= described


def test_every_name_in_a_line_is_of_its_events(sample: list[LabelledMatch]) -> None:
    match = sample[1].match
    finder = NameFinder(match)
    for line in generate(match, seed=3):
        events = [match.event_by_id[key] for key in line.events]
        people = {p.id for e in events for p in (e.player, *(o.player for o in e.others)) if p}
        mentions = finder.mentions(line.text)
        found = {m.who.id for m in mentions if isinstance(m.who, Player) and m.weight > 0.9}
        assert found <= people, line.text


@pytest.mark.parametrize("feed", FEEDS)
def test_every_feed(feed: str, sample: list[LabelledMatch], tmp_path: Path) -> None:
    files = write(carried(sample[0].match, feed), feed, tmp_path)
    match = read_events(files.events, lineups=files.lineups)
    commentary = generate(match)
    assert len(commentary) > 40
    final = MatchFacts(match).scoring.final()
    assert final == MatchFacts(sample[0].match).scoring.final()
    assert any(line.text.startswith(("GOAL", "OWN GOAL")) for line in commentary) == (
        sum(final) > 0
    )


def test_robocup_has_lines_without_a_score(tmp_path: Path) -> None:
    log = tmp_path / "events"
    log.write_text("".join(
        f"{n} | {n + 3} | pass ( purple{n % 9 + 1} , purple{n % 7 + 2} )\n"
        f"{n + 4} | {n + 4} | playmode ( goal_l )\n" for n in range(1, 400, 9)
    ))  # fmt: skip
    commentary = generate(read_events(log))
    assert commentary[0].clock == "1"
    text = commentary.to_text()
    assert "Purple" in text
    assert "-0" not in text
    assert "half" not in text.lower()


def test_the_same_bytes_for_the_same_seed(sample: list[LabelledMatch]) -> None:
    match = sample[0].match
    assert generate(match).to_jsonl() == generate(match).to_jsonl()
    assert generate(match).to_jsonl() != generate(match, seed=1).to_jsonl()


def test_forms(sample: list[LabelledMatch]) -> None:
    commentary = generate(sample[0].match, lines=30)
    first = json.loads(commentary.to_jsonl().split("\n")[0])
    assert list(first) == [
        "period",
        "time",
        "clock",
        "text",
        "events",
        "score",
        "wording",
        "checks",
    ]
    assert first["wording"] == "phrase"
    assert commentary.to_text().startswith("1' ")
    links = commentary.to_links()
    assert len(links) == len(links.match.comments) == len(commentary)
    assert links.events_of(1)


def test_how_many_lines(sample: list[LabelledMatch]) -> None:
    match = sample[0].match
    assert len(generate(match, lines=60)) == 60
    assert len(generate(match, min_score=0.9)) < len(generate(match, min_score=0.3))
    for bad in ({"lines": 0}, {"min_score": 1.5}, {"lines": 3, "min_score": 0.5}):
        with pytest.raises(UsageError):
            generate(match, **bad)


def test_a_log_with_nothing_to_describe_is_an_error() -> None:
    empty = Match(name="m", provider="table", events=())
    with pytest.raises(TouchlineError, match="no events that can be described"):
        generate(empty)


def test_a_log_that_stops_has_no_full_time() -> None:
    match = match_of(event("h", "Half Start", 0, team=REDS), goal("g", 60, BO))
    text = generate(match).to_text()
    assert "GOAL" in text
    assert "Full time" not in text
    assert "alf-time" not in text


def test_a_cut_log_has_no_half_time() -> None:
    cut = [event("p", "Pass", 60, BO), event("q", "Pass", 1700, BO),
           event("r", "Shot", 30, BO, period=2, outcome="Off T"),
           event("s", "Pass", 900, BO, period=2)]  # fmt: skip
    assert "alf-time" not in generate(match_of(*cut)).to_text()
    whole = [event("p", "Pass", 60, BO), event("q", "Pass", 2710, BO), *cut[2:]]
    assert "alf-time" in generate(match_of(*whole)).to_text() or "break" in (
        generate(match_of(*whole)).to_text()
    )


def test_extra_time_is_no_half_time() -> None:
    events = [event(f"h{p}", "Half Start", 0, team=REDS, period=p) for p in (1, 2, 3, 4)]
    events += [event(f"e{p}", "Half End", 2700, team=REDS, period=p) for p in (1, 2, 3, 4)]
    events.append(goal("g", 100, BO, period=3))
    match = match_of(*sorted(events, key=lambda e: (e.period, e.time)))
    text = generate(match).to_text()
    assert text.count("Half-time") <= 2
    assert "xtra time" in text
    assert "Redfield City 1-0 Blueport United" in text or "1-0" in text


def test_it_is_public() -> None:
    assert touchline.generate is generate
