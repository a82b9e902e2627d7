"""Files of commentary: kinds, encodings, errors."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from touchline import read_comments
from touchline.core.errors import InputError, TouchlineError
from touchline.core.records import Comment
from touchline.io.commentary import BUILT_IN, minute_only

LIVE = "12' Foul by Müller\n45+2' Corner\nHT\n46' Goal\n"
JSONL = '{"id": 4, "clock": "12\'", "text": "Foul"}\n{"id": "b", "time": 2701, "text": "Goal"}\n'


@pytest.fixture
def write(tmp_path: Path):  # type: ignore[no-untyped-def]
    def write(content: str | bytes, name: str = "talk") -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


def spans(comments: tuple[Comment, ...]) -> list[tuple[object, ...]]:
    return [(c.id, c.period, c.start, c.end) for c in comments]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (LIVE, [(0, 1, 660, 720), (1, 1, 2760, 2820), (2, 2, 0, 60)]),
        (JSONL, [(4, 1, 660, 720), ("b", 2, 1, 1)]),
        ('{"id": 4, "clock": "12\'", "text": "Foul"}', [(4, 1, 660, 720)]),
        ('{"comments": [{"id": 4, "clock": "12\'", "text": "Foul"}]}', [(4, 1, 660, 720)]),
        ('[{"id": "4", "clock": "12\'",\n "text": "Foul"}]', [("4", 1, 660, 720)]),
        ("id,clock,text\n4,12',Foul\n", [(4, 1, 660, 720)]),
        ("clock\ttext\n12'\tFoul\n", [(0, 1, 660, 720)]),
        ("[12] Foul\n[13] Goal\n", [(0, 1, 660, 720), (1, 1, 720, 780)]),
        ("12 | Foul\n13 | Goal\n", [(0, 1, 660, 720), (1, 1, 720, 780)]),
        (" 1 | Kick-off\n 17 | \n", [(0, 1, 1, 1), (1, 1, 17, 17)]),
        ("20 | Kick-off\n317 | Pass\n", [(0, 1, 20, 20), (1, 1, 317, 317)]),
        ("Commentary, Rovers v City\n12' Foul\n", [(0, 1, 660, 720), (1, 1, 660, 720)]),
    ],
)
def test_kinds_are_recognised(write, text: str, expected: list[tuple[object, ...]]) -> None:  # type: ignore[no-untyped-def]
    assert spans(read_comments(write(text))) == expected


@pytest.mark.parametrize(
    "encode",
    [
        lambda text: text.encode("utf-8-sig"),
        lambda text: text.encode("utf-16"),
        lambda text: text.encode("utf-16-le"),
        lambda text: text.encode("latin-1"),
        lambda text: text.replace("\n", "\r\n").encode(),
        lambda text: text.replace("\n", "\r").encode(),
        lambda text: gzip.compress(text.encode()),
    ],
    ids=["bom", "utf-16", "utf-16 without mark", "latin-1", "windows", "old mac", "gzip"],
)
@pytest.mark.parametrize(
    "text",
    [
        LIVE,
        "id;clock;text\n1;12';Foul by Müller\n2;45+2';Corner\n3;46';Goal\n",
        "\n".join(
            json.dumps({"clock": clock, "text": text}, ensure_ascii=False)
            for clock, text in [("12'", "Foul by Müller"), ("45+2'", "Corner"), ("46'", "Goal")]
        ),
    ],
    ids=["live", "csv", "jsonl"],
)
def test_encodings(write, encode, text: str) -> None:  # type: ignore[no-untyped-def]
    comments = read_comments(write(encode(text)))
    assert [c.text for c in comments] == ["Foul by Müller", "Corner", "Goal"]
    assert [c.start for c in comments] == [660, 2760, 0]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("", "the file is empty"),
        (" \n\n", "the file is empty"),
        (bytes(range(32)) * 9, "binary data"),
        (gzip.compress(LIVE.encode(), mtime=0)[:-12], "broken gzip"),
        (LIVE.encode("utf-16")[:-1], "is truncated"),
        ("It was a good day.\n", "not recognised as commentary"),
        ("<html>12' Foul</html>", "not recognised as commentary"),
        ("[]", "no comments found"),
        ("id,text\n", "no comments found"),
        ('{"id": 1, "text": "a"}\n{"id": 2, "te', "line 2: not valid JSON"),
        ('[{"id": 1, "text": "a"},\n{"id": 2, "te', "line 2: not valid JSON"),
        ('{"id": 1, "text": "a"}\n\n{"id": 1, "text": "b"}\n', "line 3: the id 1 occurs twice"),
        ("id,clock,text\n1,12',a\n2,1x2,b\n", "line 3: clock '1x2'"),
    ],
)
def test_wrong_files(write, content: str | bytes, problem: str) -> None:  # type: ignore[no-untyped-def]
    path = write(content)
    with pytest.raises(InputError) as error:
        read_comments(path)
    assert str(error.value).startswith(str(path))
    assert problem in str(error.value)


def test_robocup_names_the_line(write) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InputError, match="line 2: expected `time"):
        read_comments(write("1 | Kick-off\nPass\n"), "robocup")


def test_no_such_file_or_kind(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_comments(tmp_path / "missing.txt")
    with pytest.raises(
        TouchlineError, match="unknown kind of commentary 'song'; expected one of jsonl"
    ):
        read_comments(tmp_path / "missing.txt", "song")


def test_a_file_for_each_half(write) -> None:  # type: ignore[no-untyped-def]
    halves = [write("0:10 a\n46:00 b\n", "one"), write("0:20 c\n47:00 d\n", "two")]
    assert spans(read_comments(halves)) == [
        (0, 1, 10, 10),
        (1, 1, 2760, 2760),
        (2, 2, 20, 20),
        (3, 2, 2820, 2820),
    ]


@pytest.mark.parametrize("pages", [(0, 1), (1, 0)], ids=["a half each", "as the pages go"])
def test_files_that_each_begin_with_the_newest(write, pages) -> None:  # type: ignore[no-untyped-def]
    halves = ["45+2' c\n30' b\n2' a\n", "90+1' f\n65' e\n46' d\n"]
    files = [write(halves[page], str(page)) for page in pages]
    placed = {c.text: (c.period, c.start) for c in read_comments(files)}
    assert placed == {
        "a": (1, 60), "b": (1, 1740), "c": (1, 2760), "d": (2, 0), "e": (2, 1140), "f": (2, 2700),
    }  # fmt: skip


@pytest.mark.parametrize(
    "page", ["90+4' d\n46' c\nHalf-time\n45+2' b\n", "46' c\nHT\n45+2' b\n1' a\n"]
)
def test_short_pages_that_begin_with_the_newest(write, page: str) -> None:  # type: ignore[no-untyped-def]
    expected = {"a": 1, "b": 1, "c": 2, "d": 2}
    assert all(c.period == expected[c.text] for c in read_comments(write(page)))


def test_an_id_in_two_files(write) -> None:  # type: ignore[no-untyped-def]
    one, two = write(JSONL, "one"), write(JSONL, "two")
    with pytest.raises(InputError, match=r"two, line 1: the id 4 occurs twice, first in .*one"):
        read_comments([one, two])


def test_csv_has_the_ids_of_the_json_it_came_from(write) -> None:  # type: ignore[no-untyped-def]
    rows = [(3, "12'", "Foul, a bad one"), (1, "45+2'", ""), (2, "46'", 'Goal "of the year"')]
    lines = [json.dumps(dict(zip(("id", "clock", "text"), row, strict=True))) for row in rows]
    cells = [f'{id},{clock},"{text.replace(chr(34), chr(34) * 2)}"' for id, clock, text in rows]
    from_json = read_comments(write("\n".join(lines), "a"))
    from_csv = read_comments(write("\n".join(["id,clock,text", *cells]), "b"))
    assert from_json == from_csv
    assert [c.id for c in from_json] == [3, 1, 2]


def read_or_refuse(path: Path, kind: str | None) -> tuple[Comment, ...] | InputError:
    try:
        return read_comments(path, kind)
    except InputError as error:
        return error


PIECES = st.sampled_from(
    ["12'", "45+2'", "HT", "Second half", "PEN", "1-0", "12:34", '{"text": ', '"a"', "}", "[", "]",
     ",", ";", "\t", "|", "\n", " ", "id", "clock", "text", "time", "minute", "period", "\0", "é"]
)  # fmt: skip
TEXTS = st.lists(PIECES | st.text(max_size=3), max_size=30).map("".join)


@given(TEXTS, st.sampled_from([None, *BUILT_IN]), st.sampled_from(["utf-8", "utf-16", "cp1252"]))
@settings(
    max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_any_text_is_read_or_refused(
    tmp_path: Path, text: str, kind: str | None, encoding: str
) -> None:
    path = tmp_path / "talk"
    path.write_bytes(text.encode(encoding, errors="replace"))
    comments = read_or_refuse(path, kind)
    if isinstance(comments, InputError):
        assert str(path) in str(comments)
        return
    assert comments
    assert len({comment.id for comment in comments}) == len(comments)
    for comment in comments:
        minute_only(comment)


CELLS = st.dictionaries(
    st.sampled_from(["id", "clock", "time", "minute", "second", "added", "period", "end"]),
    st.none() | st.integers(-5, 200) | st.floats() | st.text("0123456789:+'H ", max_size=6),
)


@given(st.lists(CELLS, min_size=1, max_size=5))
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_table_is_read_or_refused(tmp_path: Path, rows: list[dict[str, object]]) -> None:
    path = tmp_path / "talk"
    lines = [json.dumps({"text": f"t{i}"} | row) for i, row in enumerate(rows)]
    path.write_text("\n".join(lines), encoding="utf-8")
    comments = read_or_refuse(path, "jsonl")
    if isinstance(comments, InputError):
        assert "line " in str(comments)
        return
    assert [comment.text for comment in comments] == [f"t{i}" for i in range(len(rows))]
    for comment, row in zip(comments, rows, strict=True):
        if isinstance(row.get("id"), int):
            assert comment.id == row["id"]


@pytest.mark.data
def test_real_matches(data: Path) -> None:
    for path in sorted(data.glob("epl-2015/*/comments.jsonl")):
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        comments = read_comments(path)
        assert [(c.id, c.period, c.start, c.clock) for c in comments] == [
            (row["id"], row["period"], row["time"], row["clock"]) for row in rows
        ]
        for exact in comments:
            minute = minute_only(exact)
            assert minute.start <= exact.start < minute.end  # type: ignore[operator]


@pytest.mark.data
def test_real_templated_pages(data: Path) -> None:
    for path in sorted(data.glob("epl-2015/*/bbc.jsonl")):
        comments = read_comments(path, extra_time=False)
        periods = [comment.period for comment in comments]
        assert periods == sorted(periods), path  # type: ignore[type-var]
        assert set(periods) == {1, 2}
        for comment in comments:
            added = "+" in (comment.clock or "")
            assert -60 <= comment.start <= 60 * 55  # type: ignore[operator]
            assert added <= (comment.start >= 60 * 45)  # type: ignore[operator]


@pytest.mark.data
def test_a_real_match_as_live_text(data: Path, tmp_path: Path) -> None:
    for path in sorted(data.glob("epl-2015/*/comments.jsonl")):
        by_minute = [minute_only(comment) for comment in read_comments(path)]
        lines = [f"{comment.clock} {comment.text}" for comment in by_minute]
        page = tmp_path / "page.txt"
        for newest_first in (False, True):
            order = slice(None, None, -1 if newest_first else 1)
            page.write_text("\n".join(lines[order]), encoding="utf-8")
            again = read_comments(page)[order]
            assert [c.text for c in again] == [c.text for c in by_minute]
            same = [
                a.start == b.start and a.period == b.period
                for a, b in zip(by_minute, again, strict=True)
            ]
            # A comment of the second half timed before its kick-off has no minute of its own.
            assert all(s or (c.start or 0) < 0 for s, c in zip(same, by_minute, strict=True)), path
