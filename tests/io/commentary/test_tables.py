"""Tables of comments with whatever columns."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from touchline.core.errors import InputError
from touchline.io.commentary import read_comments, tables
from touchline.io.commentary.entries import Entry, Heading
from touchline.io.commentary.timing import place

FILE = Path("talk")


def csv_entries(text: str) -> list[Entry | Heading]:
    return tables.read_delimited(FILE, text)


def json_entry(**fields: Any) -> Entry:
    entry = tables.read_json_lines(FILE, json.dumps(fields))[0]
    assert isinstance(entry, Entry)
    return entry


def spans(items: list[Entry | Heading]) -> list[tuple[object, ...]]:
    return [(c.period, c.start, c.end) for c in place(items)]


@pytest.mark.parametrize(
    ("fields", "span"),
    [
        ({"clock": "12'"}, (1, 660, 720)),
        ({"clock": "12."}, (1, 660, 720)),
        ({"clock": 12}, (1, 660, 720)),
        ({"Game Clock": "45'+2'"}, (1, 2760, 2820)),
        ({"minute": 12}, (1, 660, 720)),
        ({"minute": 12.0}, (1, 660, 720)),
        ({"minute": "12"}, (1, 660, 720)),
        ({"minute": "45+2"}, (1, 2760, 2820)),
        ({"minute": 12.5}, (1, 750, 750)),
        ({"minute": 45, "added": 2}, (1, 2760, 2820)),
        ({"minute": 45, "added_time": "+2'"}, (1, 2760, 2820)),
        ({"minute": 45, "added": 0}, (1, 2640, 2700)),
        ({"minute": 12, "second": 34}, (1, 754, 754)),
        ({"minute": "12", "seconds": "34.5"}, (1, 754.5, 754.5)),
        ({"min": 50, "sec": 10, "half": 2}, (2, 310, 310)),
        ({"min": 5, "sec": 10, "half": 2}, (2, 310, 310)),
        ({"time": 754.5}, (1, 754.5, 754.5)),
        ({"time": 2700}, (2, 0, 0)),
        ({"time": "754"}, (1, 754, 754)),
        ({"time": -4.5, "period": 2}, (2, -4.5, -4.5)),
        ({"time": "-00:04", "period": 2}, (2, -4, -4)),
        ({"time": "12:34"}, (1, 754, 754)),
        ({"time": "12:34,5"}, (1, 754.5, 754.5)),
        ({"time": "00:12:34"}, (1, 754, 754)),
        ({"time": "00:12:34.500", "period": 2}, (2, 754.5, 754.5)),
        ({"time": "45+2"}, (1, 2760, 2820)),
        ({"time": "12:34", "clock": "13'"}, (1, 754, 754)),
        ({"clock": 754}, (1, 754, 754)),
        ({"start": 10, "end": 12.5, "period": 1}, (1, 10, 12.5)),
        ({"start": "12:34", "end": "12:40"}, (1, 754, 760)),
        ({"time": None, "minute": 3}, (1, 120, 180)),
        ({"timestamp": "2020-02-02T20:20:00Z", "minute": 3}, (1, 120, 180)),
        ({"timestamp": 1580674800, "clock": "3'"}, (1, 120, 180)),
        ({"clock": "HT"}, (None, None, None)),
        ({"minute": "HT"}, (None, None, None)),
        ({"time": "FT"}, (None, None, None)),
        ({"time": "KO"}, (None, None, None)),
        ({"clock": "Second half begins"}, (None, None, None)),
        ({"clock": "-"}, (None, None, None)),
        ({"time": "NaN", "minute": 3}, (1, 120, 180)),
    ],
)
def test_times(fields: dict[str, Any], span: tuple[object, ...]) -> None:
    assert spans([json_entry(text="x", **fields)]) == [span]


@pytest.mark.parametrize(
    ("value", "period"),
    [
        (1, 1),
        ("2", 2),
        (2.0, 2),
        ("1H", 1),
        ("2H", 2),
        ("First half", 1),
        ("SECOND_HALF", 2),
        ("2nd half", 2),
        ("ET1", 3),
        ("Extra time second half", 4),
        ("Penalty shoot-out", 5),
        ("HalfTime", None),
        ("", None),
        (None, None),
    ],
)
def test_periods(value: Any, period: int | None) -> None:
    assert json_entry(text="x", half=value).period == period


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"clock": "1x2"}, "clock '1x2' is invalid"),
        ({"minute": 754}, "minute '754' is invalid"),
        ({"minute": -3}, "minute '-3' is invalid"),
        ({"minute": 3, "second": 75}, "second must be 0-59, got 75"),
        ({"time": "half past 3"}, "time 'half past 3' is invalid"),
        ({"time": "2020-02-02T20:20:00Z"}, "is a date"),
        ({"time": 1e300}, "time 1e[+]300 is out of range for a match"),
        ({"time": [1]}, r"time \[1\] is not a number"),
        ({"time": 3, "end": "late"}, "end 'late' is not a number"),
        ({"period": 7}, "period 7 is invalid"),
        ({"period": -1}, "period -1 is invalid"),
        ({"period": True}, "period True is invalid"),
        ({"period": 1.5}, "period 1.5 is invalid"),
        ({"time": True}, "time True is not a number"),
        ({"clock": True}, "clock True is invalid"),
        ({"time": "abc"}, "time 'abc' is invalid"),
        ({"time": "inf"}, "time 'inf' is invalid"),
        ({"clock": "soon"}, "clock 'soon' is invalid"),
        ({"minute": "soon"}, "minute 'soon' is invalid"),
        ({"minute": 45, "added": -3}, "added minutes must be 0-99, got -3"),
        ({"text": ["a", 1]}, "the text is a list"),
    ],
)
def test_what_is_not_understood(fields: dict[str, Any], problem: str) -> None:
    rows = [{"text": "fine"}, {"text": "x"} | fields]
    with pytest.raises(InputError, match=f"talk, line 2: .*{problem}"):
        tables.read_json_lines(FILE, "\n".join(map(json.dumps, rows)))


@pytest.mark.parametrize(
    ("value", "id"),
    [
        (7, 7),
        ("7", "7"),
        ("a-7", "a-7"),
        (7.0, 7),
        (7.5, "7.5"),
        (0, 0),
        (True, "True"),
        (None, None),
    ],
)
def test_ids_in_json(value: Any, id: int | str | None) -> None:
    found = json_entry(text="x", id=value).id
    assert found == id
    assert type(found) is type(id)


@pytest.mark.parametrize(
    ("cells", "ids"),
    [
        (["7", "8"], [7, 8]),
        (["7", "", "9"], [7, None, 9]),
        (["7.0", "8.0"], [7, 8]),
        (["7", "b"], ["7", "b"]),
        (["007", "008"], ["007", "008"]),
        (["1" * 30, "2"], ["1" * 30, "2"]),
    ],
)
def test_ids_in_csv_are_numbers_where_all_are(cells: list[str], ids: list[object]) -> None:
    entries = csv_entries("id,text\n" + "".join(f"{cell},x\n" for cell in cells))
    assert [entry.id for entry in entries if isinstance(entry, Entry)] == ids


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_delimiters_and_quotes(delimiter: str) -> None:
    rows = [
        ["ID", "Minute", "Comment"],
        ["1", "12", f'"Foul{delimiter} ""bad"" foul"'],
        ["2", "13", ""],
    ]
    text = "".join(delimiter.join(row) + "\n" for row in rows)
    assert tables.recognise(text)
    assert [(e.id, e.text) for e in csv_entries(text) if isinstance(e, Entry)] == [
        (1, f'Foul{delimiter} "bad" foul'),
        (2, ""),
    ]


def test_rows_that_are_empty_or_short_or_long() -> None:
    text = "sep=;\n\nid;clock;text\n1;12';a;b\n;;\n\n2\n;13';\n;;c\n;;\n"
    assert [(e.id, e.clock, e.text) for e in csv_entries(text) if isinstance(e, Entry)] == [
        (1, "12'", "a;b"),
        (2, None, ""),
        (None, "13'", ""),
        (None, None, "c"),
    ]


def test_unquoted_quotes_between_tabs() -> None:
    entries = csv_entries('clock\ttext\n12\'\t"Yes" he said\n13\'\t"No\n')
    assert [e.text for e in entries if isinstance(e, Entry)] == ['"Yes" he said', '"No']


@pytest.mark.parametrize(
    ("text", "where", "problem"),
    [
        ("clock,text\n12',a\n1x2,b\n", "line 3", "is invalid"),
        ('clock,text\n12\',"two\nlines"\n1x2,b\n', "line 4", "is invalid"),
        ("sep=,\nclock,text\n1x2,b\n", "line 3", "is invalid"),
        ("clock,text\n12',a\n13',\"b\n14',c\n", "line 3", "not a valid table"),
        ("text,clock\na,12'\nb, c,13'\n", "line 3", "3 cells under 2 column names"),
        ("clock,player\n12',a\n", "line 1", "no column for the text"),
    ],
)
def test_broken_tables(text: str, where: str, problem: str) -> None:
    with pytest.raises(InputError, match=f"talk, {where}: .*{problem}"):
        csv_entries(text)


def test_a_title_is_no_header() -> None:
    assert not tables.recognise("Commentary, Rovers v City\n12' Foul")


def test_halves_that_count_from_zero() -> None:
    text = "half,minute,text\n1H,40,a\n2H,2,b\n2H,30,c\n2H,44,d\n"
    assert [(p, start) for p, start, _ in spans(csv_entries(text))] == [
        (1, 2340),
        (2, 60),
        (2, 1740),
        (2, 2580),
    ]


def test_bare_numbers_next_to_added_minutes_are_minutes() -> None:
    assert spans(csv_entries("time,text\n3,a\n45+2,b\n46,c\n")) == [
        (1, 120, 180),
        (1, 2760, 2820),
        (2, 0, 60),
    ]


@pytest.mark.parametrize(
    "content",
    [
        [{"text": "a"}, {"text": "b"}],
        {"comments": [{"text": "a"}, {"text": "b"}]},
        {"match": {"id": 3}, "data": {"entries": [{"text": "a"}, {"text": "b"}]}},
        {"teams": ["x", "y"], "liveText": [{"text": "a"}, {"text": "b"}]},
    ],
)
@pytest.mark.parametrize("indent", [None, 1])
def test_json_around_the_list(content: Any, indent: int | None) -> None:
    entries = tables.read_json(FILE, json.dumps(content, indent=indent))
    assert [entry.text for entry in entries if isinstance(entry, Entry)] == ["a", "b"]


def test_json_of_one_comment() -> None:
    assert [e.text for e in tables.read_json(FILE, '{"text": "a"}') if isinstance(e, Entry)] == [
        "a"
    ]


@pytest.mark.parametrize(
    ("text", "where", "problem"),
    [
        ('[{"text": "a"},\n{"text": "b', "line 2", "truncated"),
        ('[{"text": "a"},\n\n{"text": x}]', "line 3", "malformed"),
        ('["a"]', "record 1", "expected an object"),
        ('[{"text": "a"}, {"words": "b"}]', "record 2", "no column for the text; found: words"),
        ("[" * 100_000, "line 1", r"not valid JSON \(nested too deeply\)"),
    ],
)
def test_broken_json(text: str, where: str, problem: str) -> None:
    with pytest.raises(InputError, match=f"talk, {where}: .*{problem}"):
        tables.read_json(FILE, text)


def test_json_that_is_no_list() -> None:
    with pytest.raises(InputError, match="talk: expected a list"):
        tables.read_json(FILE, "3")


def test_an_empty_text_is_no_reason_to_take_another_column() -> None:
    entry = json_entry(id=3, text=None, line=14)
    assert (entry.id, entry.text) == (3, "")


LINK = {"match": "m", "comment": 3, "events": [{"id": "a", "score": 0.5}], "none": 0.1}


def test_links_are_no_commentary() -> None:
    for text in (json.dumps(LINK), json.dumps([LINK]), json.dumps({"data": [LINK]})):
        with pytest.raises(InputError, match=r"talk, record 1: these are links, .*the commentary"):
            tables.read_json(FILE, text)
    with pytest.raises(InputError, match="talk, line 1: these are links"):
        tables.read_json_lines(FILE, json.dumps(LINK) + "\n" + json.dumps(LINK))
    with pytest.raises(InputError, match="talk, line 2: these are links"):
        csv_entries("match,comment,clock,text,event,none\nm,3,1',Foul,a,0.1\n")


def test_numbers_are_no_texts() -> None:
    with pytest.raises(InputError, match=r"talk: every text is a number \(7 [.]{3}\); expected"):
        tables.read_json(FILE, '[{"comment": 7}, {"comment": null}, {"comment": "8.5"}]')
    with pytest.raises(InputError, match="every text is a number"):
        csv_entries("id,line\n1,3\n2,4\n")
    assert len(csv_entries("id,text\n1,3\n2,Goal\n")) == 2


def test_a_very_long_comment() -> None:
    (entry,) = csv_entries(f"clock,text\n12',{'word ' * 120_000}\n")
    assert isinstance(entry, Entry)
    assert len(entry.text) == 599_999


def test_word_times_in_a_table(tmp_path: Path) -> None:
    """On the clock of the time beside them, be that the half's or the match's."""
    path = tmp_path / "comments.jsonl"
    rows = [
        {"period": 2, "time": 5, "end": 9, "text": "Oh Ann", "spoken": [[3, 7.5], [0, 5.5]]},
        {"start": "50:10", "end": "50:14", "text": "Oh Ann", "spoken": [[3, 3012]]},
        {"period": 1, "time": 60, "end": 120, "text": "Oh Ann", "anywhere": True},
    ]
    path.write_text("\n".join(map(json.dumps, rows)))
    half, match, page = read_comments(path)
    assert half.spoken == ((0, 5.5), (3, 7.5))
    assert (match.period, match.start, match.spoken) == (2, 310, ((3, 312),))
    assert page.second_at(3) == 90


@pytest.mark.parametrize(
    "spoken",
    [
        5,
        "5",
        [5],
        [[0]],
        [["0", 5]],
        [[9, 5]],
        [[-1, 5]],
        [[0, "x"]],
        [[0, 5], [0, 6]],
        [[0, 5], [1, 4]],
    ],
)
def test_word_times_that_are_none(tmp_path: Path, spoken: object) -> None:
    path = tmp_path / "comments.jsonl"
    path.write_text(json.dumps({"time": 5, "period": 1, "text": "Ann", "spoken": spoken}))
    with pytest.raises(InputError, match="line 1: spoken"):
        read_comments(path, "jsonl")
