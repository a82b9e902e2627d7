"""Commentary as services serve it: Stats Perform's MA6 and ESPN's summary."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from touchline import Comment, align, read_comments, read_corpus, read_events
from touchline.core.errors import InputError
from touchline.sample import corpus_path


def read(folder: Path, content: Any) -> tuple[Comment, ...]:
    return read_comments(json_file(folder, content))


def message(id: str, period: int, clock: str, text: str, **more: Any) -> dict[str, Any]:
    return {"comment": text, "id": id, "lastModified": "2019-11-10T18:38:34Z", "minute": "0",
            "period": str(period), "second": "0", "time": clock,
            "type": "comment", **more}  # fmt: skip


MA6 = {
    "matchInfo": {"description": "Reds vs Blues", "contestant": [{"id": "a", "name": "Reds"}]},
    "message": [
        message("m7", 14, "", "Goodbye."),
        message("m6", 2, "90'+4'", "It ends."),
        message("m5", 2, "46'", "Off again."),
        message("m4", 10, "", "Time for tea."),
        message("m3", 1, "45'+1'", "A corner."),
        message("m2", 1, "1'", "Under way."),
        message("m1", 16, "", "Hello and welcome."),
    ],
}


def test_ma6(tmp_path: Path):
    comments = read(tmp_path, MA6)
    assert [(c.id, c.period, c.clock) for c in comments] == [
        ("m7", None, None),
        ("m6", 2, "90'+4'"),
        ("m5", 2, "46'"),
        ("m4", None, None),
        ("m3", 1, "45'+1'"),
        ("m2", 1, "1'"),
        ("m1", None, None),
    ]
    assert [c.id for c in comments if c.candidates == ()] == ["m7", "m4", "m1"]
    assert all(c.start is None for c in comments if c.candidates == ())
    assert [c.text for c in comments][-2:] == ["Under way.", "Hello and welcome."]


@pytest.mark.parametrize("method", ["chains", "pairrank", "named", "liang2009", "koncel2014"])
def test_what_is_said_outside_play_gets_no_event(method: str, tmp_path: Path):
    """Line-ups before the match name everybody, also whoever kicks off."""
    match = next(read_corpus(corpus_path())).match
    names = " ".join(player.label for player in match.players[:6])
    said = [message(str(i), c.period, c.clock, c.text) for i, c in enumerate(match.comments[:9])]
    said = [message("before", 16, "", f"Pass by {names}"), *said]
    said += [message("after", 14, "", f"Goal by {names}")]
    links = align(match, json_file(tmp_path, {**MA6, "message": said}), method=method)
    assert [bool(answer.events) for answer in (links[0], links[-1])] == [False, False]
    assert (links[0].period, links[0].time) == (None, None)
    assert not any("no clock" in doubt for doubt in links.warnings)


def json_file(folder: Path, content: Any) -> Path:
    (folder / "page.json").write_text(json.dumps(content))
    return folder / "page.json"


def test_ma6_by_language_and_by_minute(tmp_path: Path):
    inside = [message("m1", 2, "", "Goal!", minute="63", second="12")]
    content = {**MA6, "message": None, "messages": [{"language": "en", "message": inside}]}
    (comment,) = read(tmp_path, content)
    assert (comment.period, comment.start) == (2, 18 * 60 + 12)


def test_ma6_in_the_place_of_the_log(tmp_path: Path):
    (tmp_path / "ma6.json").write_text(json.dumps(MA6))
    with pytest.raises(InputError, match="looks like commentary"):
        read_events(tmp_path / "ma6.json")


def play(number: int, clock: str, text: str, period: int | None = None) -> dict[str, Any]:
    found: dict[str, Any] = {"sequence": number, "text": text,
                             "time": {"value": 60.0 * number, "displayValue": clock}}  # fmt: skip
    if period is not None:
        found["play"] = {"id": str(900 + number), "text": text, "period": {"number": period},
                         "clock": {"value": 1.0, "displayValue": clock}}  # fmt: skip
    return found


KEY_EVENTS = [
    {"id": "77", "type": {"text": "Goal"}, "text": "Goal! Reds 1, Blues 0.",
     "period": {"number": 2}, "clock": {"value": 3000.0, "displayValue": "50'"}},
]  # fmt: skip
ESPN: dict[str, Any] = {
    "boxscore": {"form": [{"text": "won"}]},
    "news": {"articles": [{"description": "A report.", "published": "2026-11-18T20:00Z"}] * 30},
    "keyEvents": KEY_EVENTS,
    "commentary": [
        play(0, "", "Lineups are announced and players are warming up."),
        play(1, "1'", "Foul by Ann Archer (Reds).", 1),
        play(2, "45'+2'", "Corner, Reds."),
        play(3, "46'", "Second Half begins.", 2),
        play(4, "90'+3'", "Match ends, Reds 1, Blues 0.", 2),
    ],
}


def test_espn(tmp_path: Path):
    comments = read(tmp_path, ESPN)
    assert [(c.id, c.period, c.clock) for c in comments] == [
        (0, 1, None),
        (1, 1, "1'"),
        (2, 1, "45'+2'"),
        (3, 2, "46'"),
        (4, 2, "90'+3'"),
    ]


def test_without_commentary_espn_has_key_events(tmp_path: Path):
    (comment,) = read(tmp_path, {**ESPN, "commentary": []})
    assert (comment.id, comment.period, comment.clock) == ("77", 2, "50'")
    assert comment.text == "Goal! Reds 1, Blues 0."


@pytest.mark.data
def test_the_real_ma6(data: Path):
    comments = read_comments(data / "feeds-more" / "statsperform_ma6_commentary.json")
    assert len(comments) == 76
    clocked = [comment for comment in comments if comment.clock]
    assert len(clocked) == 63
    assert [sum(c.period == p for c in clocked) for p in (1, 2)] == [30, 33]
