"""Data frames, records, texts and open files give the same match as the files they are made of."""

from __future__ import annotations

import csv
import datetime
import gzip
import io
import json
from pathlib import Path

import duckdb
import msgspec
import openpyxl
import pandas
import polars
import pyarrow
import pyarrow.parquet
import pytest

import touchline
from touchline import InputError, Match, TouchlineError, UsageError
from touchline.io.frames import plain
from touchline.io.sources import as_source, as_sources

ROWS = [
    {"id": 1, "clock": "1'", "text": "Kick-off."},
    {"id": 2, "clock": "45+2'", "text": "Archer shoots, =SUM(1) they say."},
    {"id": 3, "clock": None, "text": "Half-time, nearly."},
    {"id": 4, "clock": "46'", "text": "Reis is on for Archer; a long line, with commas."},
]
EVENTS = [
    {"id": "a", "type": "Pass", "period": 1, "time": 3.0, "team": "City", "player": "Ann Archer",
     "x": 50, "y": 50, "recipient": "Bo Reis", "outcome": None},
    {"id": "b", "type": "Shot", "period": 1, "time": 2725.5, "team": "City", "player": "Bo Reis",
     "x": 90, "y": 50, "recipient": None, "outcome": "Goal"},
    {"id": "c", "type": "Substitution", "period": 2, "time": 10.0, "team": "City",
     "player": "Ann Archer", "x": None, "y": None, "recipient": None, "outcome": None},
]  # fmt: skip


def lazy(rows):
    return polars.DataFrame(rows).lazy()


def indexed(rows):
    return pandas.DataFrame(rows).set_index("id")


def relation(rows):
    frame = pandas.DataFrame(rows)  # noqa: F841 (DuckDB finds it by its name)
    return duckdb.sql("select * from frame")


def generator_of_files(rows):
    return io.BytesIO(msgspec.json.encode(rows))


FORMS = [pandas.DataFrame, polars.DataFrame, lazy, indexed, relation, pyarrow.Table.from_pylist,
         list, generator_of_files, lambda rows: io.StringIO(json.dumps(rows)),
         lambda rows: json.dumps(rows), lambda rows: msgspec.json.encode(rows)]  # fmt: skip


@pytest.fixture
def comments_file(tmp_path: Path) -> Path:
    path = tmp_path / "comments.json"
    path.write_bytes(msgspec.json.encode(ROWS))
    return path


@pytest.mark.parametrize("form", FORMS)
def test_comments_of_every_form_are_those_of_the_file(form, comments_file):
    assert touchline.read_comments(form(ROWS)) == touchline.read_comments(comments_file)


def events_of(match: Match) -> list[dict]:
    return [{**msgspec.structs.asdict(event), "raw": None} for event in match.events]


@pytest.mark.parametrize("form", FORMS)
def test_events_of_every_form_are_those_of_the_file(form, tmp_path):
    path = tmp_path / "events.csv"
    with open(path, "w", newline="") as out:
        writer = csv.DictWriter(out, list(EVENTS[0]))
        writer.writeheader()
        writer.writerows(EVENTS)
    match = touchline.read_events(form(EVENTS))
    assert events_of(match) == events_of(touchline.read_events(path))
    assert match.name == "match"


def excel(path: Path, rows: list[dict], blank: int = 0) -> Path:
    book = openpyxl.Workbook()
    sheet = book.active
    for _ in range(blank):
        sheet.append([])
    sheet.append(list(rows[0]))
    for row in rows:
        sheet.append(list(row.values()))
        for cell in sheet[sheet.max_row]:
            cell.data_type = "s" if isinstance(cell.value, str) else cell.data_type
    book.create_sheet("notes").append(["nothing of the match"])
    book.save(path)
    return path


def parquet(path: Path, rows: list[dict]) -> Path:
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    return path


def test_workbooks_and_parquet_files_are_read(tmp_path, comments_file):
    comments = touchline.read_comments(comments_file)
    assert touchline.read_comments(excel(tmp_path / "a.xlsx", ROWS)) == comments
    assert touchline.read_comments(excel(tmp_path / "b.xlsx", ROWS, blank=2)) == comments
    assert touchline.read_comments(parquet(tmp_path / "a.parquet", ROWS)) == comments
    log = events_of(touchline.read_events(EVENTS))
    assert events_of(touchline.read_events(excel(tmp_path / "e.xlsx", EVENTS))) == log
    assert events_of(touchline.read_events(parquet(tmp_path / "e.parquet", EVENTS))) == log


def test_a_sample_match_in_frames_and_sheets_has_the_links_of_its_files(sample_folder, tmp_path):
    files = touchline.read_match(
        sample_folder / "events.json.gz",
        sample_folder / "comments.jsonl",
        lineups=str(sample_folder / "lineups.json"),
        name="m",
    )
    expected = list(touchline.align(files, method="named-nearest"))
    rows = [json.loads(line) for line in (sample_folder / "comments.jsonl").open(encoding="utf-8")]
    with gzip.open(sample_folder / "events.json.gz") as file:
        log = json.load(file)
    lineups = json.loads((sample_folder / "lineups.json").read_bytes())
    sheet = excel(tmp_path / "comments.xlsx", rows)
    for comments in (pandas.DataFrame(rows), polars.DataFrame(rows), sheet, rows):
        match = touchline.read_match(log, comments, lineups=[lineups], name="m")
        assert list(touchline.align(match, method="named-nearest")) == expected
    without = touchline.read_events(log, lineups=[lineups], match="m")
    links = touchline.align(without, pandas.DataFrame(rows), method="named-nearest")
    assert list(links) == expected


@pytest.mark.parametrize(
    ("typed", "number_format", "clock"),
    [
        (datetime.time(12, 34), "h:mm", "12:34"),
        (datetime.time(0, 12, 34), "mm:ss", "12:34"),
        (datetime.timedelta(hours=45, minutes=30), "[h]:mm:ss", "45:30"),
        (datetime.time(1, 2, 0), "h:mm:ss", "1:02:00"),
        (12, "General", "12"),
    ],
)
def test_a_clock_that_a_spreadsheet_took_for_a_time_of_day(tmp_path, typed, number_format, clock):
    book = openpyxl.Workbook()
    book.active.append(["time", "text"])
    book.active.append([typed, "Kick-off"])
    book.active["A2"].number_format = number_format
    book.save(tmp_path / "a.xlsx")
    (comment,) = touchline.read_comments(tmp_path / "a.xlsx")
    (expected,) = touchline.read_comments(f"time,text\n{clock},Kick-off")
    assert comment == expected


def test_a_text_of_several_lines_is_a_text_and_of_one_line_a_file():
    first, second = touchline.read_comments("1' Kick-off\n2' Goal!")
    assert (first.text, second.clock) == ("Kick-off", "2'")
    assert len(touchline.read_comments(io.StringIO("1' Kick-off"))) == 1
    with pytest.raises(InputError, match=r"1' Kick-off: no such file; .*io\.StringIO"):
        touchline.read_comments("1' Kick-off")
    with pytest.raises(InputError, match="no such file"):
        touchline.read_comments("long line " * 40)
    with pytest.raises(InputError, match="no such file"):
        touchline.read_comments("live.txt")
    with pytest.raises(UsageError, match="URLs of this kind are not supported"):
        touchline.read_comments("ftp://example.org/live.txt")


def test_what_cannot_be_read_is_named_with_what_can():
    with pytest.raises(TouchlineError, match=r"type int; expected a path, an open file, text"):
        touchline.read_comments(3)
    with pytest.raises(InputError, match="the data frame: has no rows"):
        touchline.read_comments(pandas.DataFrame({"text": []}))
    with pytest.raises(InputError, match=r"the data frame, record 2: clock 'soon' is invalid"):
        touchline.read_comments(pandas.DataFrame({"clock": ["1'", "soon"], "text": ["a", "b"]}))


FOREIGN = "Minuto;Comentario\n1;Empieza el partido\n23;Gol de Archer\n"


def test_the_columns_found_are_named_and_can_be_chosen(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(FOREIGN)
    with pytest.raises(InputError, match=r"found: Minuto, Comentario; name it with --text-column"):
        touchline.read_comments(path)
    with pytest.raises(InputError, match=r"found: Minuto, Comentario; name it"):
        touchline.read_comments(path, kind="csv")
    read = touchline.read_comments(path, text_column="Comentario", clock_column="Minuto")
    assert [(one.clock, one.text) for one in read] == [
        ("1", "Empieza el partido"),
        ("23", "Gol de Archer"),
    ]
    frame = pandas.read_csv(path, sep=";")
    named = {"text_column": "Comentario", "clock_column": "Minuto"}
    assert touchline.read_comments(frame, **named) == read
    with pytest.raises(InputError, match="no column 'Texto'; found: Minuto, Comentario"):
        touchline.read_comments(path, text_column="Texto")
    with pytest.raises(InputError, match="no column 'Reloj'; found: Minuto, Comentario"):
        touchline.read_comments(frame, text_column="Comentario", clock_column="Reloj")
    with pytest.raises(InputError, match="is read as live, which has no columns"):
        touchline.read_comments("1' a\n2' b", kind="live", text_column="Texto")


def test_a_chosen_clock_wins_over_other_columns():
    rows = [{"minute": 80, "wann": "12'", "text": "a"}, {"minute": 80, "wann": "0:13:00",
            "text": "b"}]  # fmt: skip
    first, second = touchline.read_comments(rows, clock_column="wann")
    assert (first.clock, second.start) == ("12'", 780)


def test_a_table_of_events_without_types_names_its_columns():
    with pytest.raises(InputError, match=r"required column `type`.*; found: minute, player, what"):
        touchline.read_events(pandas.DataFrame({"minute": [1], "player": ["A"], "what": ["x"]}))


def test_files_that_are_no_tables_are_refused_in_one_sentence(tmp_path):
    for name, data, problem in [
        ("a.xls", b"\xd0\xcf\x11\xe0" + bytes(600), r"an old Excel file \(\.xls\); save it as"),
        ("a.zip", zipped("a.txt"), "a zip archive; unpack it"),
        ("a.ods", zipped("content.xml"), "an OpenDocument table; save it as"),
        ("a.xlsx", zipped("xl/workbook.xml"), "not a readable Excel file"),
        ("a.xlsx", b"PK\x03\x04" + b"nothing", "a broken zip or Excel file"),
        ("a.parquet", b"PAR1" + bytes(60) + b"PAR1", "not a readable Parquet file"),
    ]:
        (tmp_path / name).write_bytes(data)
        with pytest.raises(InputError, match=f"{name}: {problem}"):
            touchline.read_comments(tmp_path / name)


def zipped(name: str) -> bytes:
    import zipfile

    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(name, "nothing")
    return out.getvalue()


def test_a_workbook_that_unpacks_to_too_much_is_refused(tmp_path, monkeypatch):
    path = excel(tmp_path / "a.xlsx", ROWS)
    monkeypatch.setattr("touchline.io.workbooks.MAX_FILE", 1 << 12)
    with pytest.raises(InputError, match="larger than"):
        touchline.read_comments(path)


def test_a_log_that_was_read_takes_a_commentary(small_match: Match):
    match = touchline.read_match(small_match, "1' Archer passes\n2' Reis shoots", name="other")
    assert (match.name, len(match.comments), match.events) == ("other", 2, small_match.events)
    with pytest.raises(UsageError, match="has been read already"):
        touchline.read_match(small_match, "1' a\n2' b", lineups="x.json")


def test_several_files_are_not_records(tmp_path):
    assert as_sources(["a.txt", "b.txt"]) == [Path("a.txt"), Path("b.txt")]
    assert len(as_sources([{"text": "a"}, {"text": "b"}])) == 1
    assert as_sources(()) == []
    assert as_source(b"1' a").name == "the bytes"


def test_cells_are_those_of_json():
    frame = pandas.DataFrame({"a": [1.0, None], "b": [pandas.Timedelta("90s"), pandas.NaT]})
    assert plain(frame.to_dict("records")) == [{"a": 1, "b": 90}, {"a": None, "b": None}]
    assert plain(pandas.NA) is None
    assert plain(float("inf")) is None
    assert plain({"x": (1, 2.5)}) == {"x": [1, 2.5]}
    assert plain(datetime.date(2020, 1, 2)) == "2020-01-02"
