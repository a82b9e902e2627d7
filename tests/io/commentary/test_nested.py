"""JSON as pages serve it, and the markup in its words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from touchline import read_comments
from touchline.core.errors import InputError
from touchline.io.commentary.html_text import plain_text

SECTIONS = {
    "page": {"title": "Rovers v City", "news": [{"text": "Tickets"}, {"text": "Travel"}]},
    "commentary": {
        "halves": [
            {"title": "Second half", "entries": [{"minute": 3, "body": "<p>Goal</p>"}]},
            {
                "title": "First half",
                "entries": [
                    {"minute": 44, "body": "Corner"},
                    {"minute": 12, "body": "<b>Foul</b> by M&uuml;ller"},
                ],
            },
        ]
    },
}
ESPN_LIKE = {
    "header": {"id": "3"},
    "commentary": [
        {"sequence": 0, "time": {"value": 0, "displayValue": ""}, "text": "Good day"},
        {"sequence": 1, "time": {"value": 700, "displayValue": "12'"}, "text": "Foul by Müller"},
        {"sequence": 2, "time": {"value": 2790, "displayValue": "45'+2'"}, "text": "Corner"},
    ],
}


@pytest.fixture
def read(tmp_path: Path):  # type: ignore[no-untyped-def]
    def read(content: Any) -> list[tuple[object, ...]]:
        path = tmp_path / "page.json"
        path.write_text(json.dumps(content), encoding="utf-8")
        return [(c.text, c.period, c.start) for c in read_comments(path)]

    return read


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (SECTIONS, [("Goal", 2, 120), ("Corner", 1, 2580), ("Foul by Müller", 1, 660)]),
        (
            ESPN_LIKE,
            [("Good day", 1, 660), ("Foul by Müller", 1, 660), ("Corner", 1, 2760)],
        ),
        ([["12'", "Foul"], ["13'", "Goal"]], [("Foul", 1, 660), ("Goal", 1, 720)]),
        ({"d": [[["Foul", "12'"]], [["13'", 7, "Goal"]]]}, [("Foul", 1, 660), ("Goal", 1, 720)]),
        ({"messages": [{"message": [{"comment": "Foul", "minute": "12"}]}]}, [("Foul", 1, 660)]),
        ({"a": [{"clock": "12'", "text": {"html": "<i>Foul</i>!"}}]}, [("Foul!", 1, 660)]),
        ([{"clock": "12'", "text": ["Foul.", "A bad one."]}], [("Foul.\nA bad one.", 1, 660)]),
    ],
)
def test_pages(read, content: Any, expected: list[tuple[object, ...]]) -> None:  # type: ignore[no-untyped-def]
    assert read(content) == expected


def test_the_place_with_clocks_is_the_commentary(read) -> None:  # type: ignore[no-untyped-def]
    news = [{"text": f"news {i}"} for i in range(9)]
    assert read({"news": news, "x": [{"minute": 12, "text": "Foul"}]}) == [("Foul", 1, 660)]


def test_nested_as_deep_as_the_decoder_follows(tmp_path: Path) -> None:
    path = tmp_path / "deep.json"
    deep = '{"a":' * 400 + '[{"minute": 12, "text": "Foul"}]' + "}" * 400
    path.write_text(deep)
    assert [c.text for c in read_comments(path)] == ["Foul"]
    for opening in (
        "[",
        '{"a":',
        '{"segments":[',
        '{"segments":{"0":[',
        '{"annotations":[{"gameTime":',
    ):
        path.write_text(opening * 100_000)
        with pytest.raises(InputError, match=r"not valid JSON \(nested too deeply\)"):
            read_comments(path)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("no markup: 3 < 4 > 2 & so on", "no markup: 3 < 4 > 2 & so on"),
        ("two\n\nlines  stay", "two\n\nlines  stay"),
        ("<p>One</p><p>two<br/>three</p>", "One two three"),
        ('<a href="x">Müller</a>’s <b>go</b>al', "Müller’s goal"),
        ("Caf&eacute; &lt;b&gt; &#128512;", "Café <b> 😀"),
        ("a<!-- hidden <b> -->b", "a b"),
        ("a<script>var x = '<p>';</script>b<style>p{}</style>c", "a b c"),
        ("x <script> without an end", "x without an end"),
        ("<שלום> 😀 <3", "<שלום> 😀 <3"),
    ],
)
def test_plain_text(text: str, expected: str) -> None:
    assert plain_text(text) == expected


@pytest.mark.parametrize("piece", ["<!--", "<script></", "<a ", "</ <!--", "&amp;", "<", "<style>"])
def test_markup_without_end_is_read_in_time(piece: str) -> None:
    # With anything but a time linear in its length this would not come to an end.
    assert plain_text(piece * 200_000 + "end").endswith("end")
