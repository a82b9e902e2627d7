"""Links on disk: every format, its origin, and text that must stay text."""

from __future__ import annotations

import csv
import re
import sys
import zipfile
from collections import Counter
from itertools import pairwise
from pathlib import Path

import msgspec
import openpyxl
import pyarrow.parquet
import pytest

from touchline import (
    InputError,
    Kickoff,
    TouchlineError,
    align,
    read_comments,
    read_links,
    read_match,
    write_links,
)
from touchline.core.errors import MissingExtraError
from touchline.core.links import ROW_FIELDS, CommentLinks, Links
from touchline.core.records import Comment
from touchline.core.version import __version__
from touchline.io.commentary import with_commentary
from touchline.io.links.origin import Origin, read_origin
from touchline.io.links.vtt import timelines
from touchline.report.formats import check_ending

ORIGIN = Origin(method="named", options={"window": 150.0}, inputs={"events.json": "0" * 64}, seed=4)


@pytest.fixture
def links(small_match):
    return align(small_match, method="named")


def test_json_lines_hold_the_documented_fields(links, tmp_path):
    path = tmp_path / "links.jsonl"
    write_links(links, path, ORIGIN)
    rows = [msgspec.json.decode(line) for line in path.read_bytes().splitlines()]
    assert [row["comment"] for row in rows] == [0, 1, "x", 3]
    fields = ["match", "comment", "events", "none", "period", "time", "span", "candidates", "state"]
    assert list(rows[0]) == fields
    assert [row["state"] for row in rows] == ["linked", "none", "linked", "none"]
    assert [event["id"] for event in rows[0]["events"]] == ["e0", "e1"]
    assert rows[0]["span"] == [10.0, 14.0]
    silent = rows[1]
    assert (silent["events"], silent["period"], silent["time"], silent["span"]) == (
        [],
        None,
        None,
        None,
    )


def test_links_come_back_as_they_were(links, tmp_path):
    path = tmp_path / "links.jsonl"
    write_links(links, path, ORIGIN)
    assert read_links(path) == list(links)


def test_the_origin_stands_beside_every_file(links, tmp_path):
    for ending in ("jsonl", "csv", "vtt", "chapters.vtt", "json", "label-studio.json", "html",
                   "parquet", "xlsx"):  # fmt: skip
        path = tmp_path / f"links.{ending}"
        write_links(links, path, ORIGIN)
        origin = msgspec.json.decode((tmp_path / f"links.{ending}.meta.json").read_bytes())
        assert origin == {
            "format": 1,
            "touchline": __version__,
            "method": "named",
            "options": {"window": 150.0},
            "command": {},
            "model": None,
            "inputs": {"events.json": "0" * 64},
            "seed": 4,
            "versions": {},
            "key": None,
            "answered_by": None,
            "labels": False,
            "labels_by": None,
            "warnings": [],
        }


def test_a_newer_format_is_refused(links, tmp_path):
    path = tmp_path / "links.jsonl"
    write_links(links, path, msgspec.structs.replace(ORIGIN, format=99))
    with pytest.raises(InputError, match="format 99"):
        read_links(path)


def test_a_broken_line_is_named(tmp_path):
    path = tmp_path / "links.jsonl"
    path.write_text('{"match":"m","comment":1,"events":[],"none":1,"period":null,"time":null}\n')
    with pytest.raises(InputError, match=r"links\.jsonl, line 1: .*span"):
        read_links(path)


DEEP = b"[" * 5000 + b"]" * 5000


@pytest.mark.parametrize("origin", [DEEP, b'{"format": "\xff"}', b'{"format": []}', b"nothing"])
def test_a_broken_origin_is_named_or_none(links, tmp_path, origin):
    path = tmp_path / "links.jsonl"
    write_links(links, path, ORIGIN)
    (tmp_path / "links.jsonl.meta.json").write_bytes(origin)
    assert read_origin(path) is None
    with pytest.raises(InputError, match="not the origin of a links file"):
        read_links(path)


def test_a_line_that_nests_without_end_is_named(links, tmp_path):
    path = tmp_path / "links.jsonl"
    path.write_bytes(b'{"match": "m", "more": ' + DEEP + b"}\n")
    with pytest.raises(InputError, match=r"line 1: not links as JSON Lines.*\(nested too"):
        read_links(path)


def test_csv_rows_are_flat_and_run_no_formula(small_match, tmp_path):
    formula = Comment(id=5, text="=cmd|' /C calc'!A0", period=1, start=15, end=15)
    match = small_match.with_comments([*small_match.comments, formula])
    write_links(align(match, method="named-nearest"), tmp_path / "links.csv", ORIGIN)
    with open(tmp_path / "links.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == list(ROW_FIELDS)
    assert [row["event"] for row in rows] == ["e0", "e1", "", "e4", "", ""]
    assert rows[-1]["text"].startswith("'=")
    assert (rows[1]["minute"], rows[1]["x"], rows[1]["y"]) == ("1", "108.0", "40.0")


@pytest.mark.parametrize("formula", ["=1+1", "+1", "-1+1", "@SUM(1)", "\t=1", "\r=1"])
def test_no_text_of_a_csv_runs_as_a_formula(small_match, tmp_path, formula):
    """Ids and clocks come from the same files as texts, and every text cell is made safe."""
    replace = msgspec.structs.replace
    first, *rest = small_match.events
    match = replace(small_match, name=formula, events=(replace(first, id=formula), *rest))
    comment = replace(small_match.comments[0], id=formula, clock=formula)
    match = match.with_comments([comment])
    write_links(align(match, method="named-nearest"), tmp_path / "links.csv", ORIGIN)
    with open(tmp_path / "links.csv", newline="") as file:
        row = next(csv.DictReader(file))
    cells = [row[field] for field in ("match", "comment", "clock", "event")]
    assert cells == [f"'{formula}"] * 4


def test_parquet_holds_the_same_rows_and_the_origin(links, tmp_path):
    write_links([links, links], tmp_path / "links.parquet", ORIGIN)
    table = pyarrow.parquet.read_table(tmp_path / "links.parquet")
    assert table.num_rows == 2 * len(links.rows())
    assert table.column("event").to_pylist()[:2] == ["e0", "e1"]
    origin = msgspec.json.decode(table.schema.metadata[b"touchline"])
    assert origin["method"] == "named"


def test_a_workbook_holds_the_same_rows_with_types_and_runs_no_formula(small_match, tmp_path):
    formula = Comment(id="=1+1", text="=cmd|' /C calc'!A0\x07", period=1, start=15, end=15)
    match = small_match.with_comments([*small_match.comments, formula])
    links = align(match, method="named-nearest")
    write_links(links, tmp_path / "links.xlsx", ORIGIN)
    (sheet,) = openpyxl.load_workbook(tmp_path / "links.xlsx").worksheets
    head, *rows = sheet.iter_rows()
    assert [cell.value for cell in head] == list(ROW_FIELDS)
    assert not [cell for row in rows for cell in row if cell.data_type == "f"]
    cells = [dict(zip(ROW_FIELDS, (cell.value for cell in row), strict=True)) for row in rows]
    expected = links.rows()
    assert [row["event"] for row in cells] == [row["event"] for row in expected]
    assert [row["x"] for row in cells] == [row["x"] for row in expected]
    assert cells[-1]["text"] == "=cmd|' /C calc'!A0"
    assert cells[-1]["comment"] == "=1+1"


def test_the_same_links_are_the_same_workbook(links, tmp_path, monkeypatch):
    write_links(links, tmp_path / "a.xlsx", ORIGIN)
    monkeypatch.setattr("time.time", lambda: 2_000_000_000.0)
    write_links(links, tmp_path / "b.xlsx", ORIGIN)
    assert (tmp_path / "a.xlsx").read_bytes() == (tmp_path / "b.xlsx").read_bytes()
    with zipfile.ZipFile(tmp_path / "a.xlsx") as book:
        assert {entry.date_time[0] for entry in book.infolist()} == {1980}
        assert b"2000-01-01T00:00:00Z" in book.read("docProps/core.xml")


def test_a_byte_order_mark_is_for_csv_and_on_request(links, tmp_path):
    write_links(links, tmp_path / "plain.csv", ORIGIN)
    write_links(links, tmp_path / "marked.csv", ORIGIN, bom=True)
    plain, marked = ((tmp_path / f"{n}.csv").read_bytes() for n in ("plain", "marked"))
    assert marked == b"\xef\xbb\xbf" + plain
    with pytest.raises(TouchlineError, match="only CSV"):
        write_links(links, tmp_path / "links.jsonl", ORIGIN, bom=True)


@pytest.mark.parametrize(("ending", "library"), [("parquet", "pyarrow"), ("xlsx", "openpyxl")])
def test_a_missing_library_is_noticed_before_the_work(ending, library, monkeypatch):
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingExtraError, match=r"pip install 'touchline\[(parquet|excel)\]'"):
        check_ending(f"links.{ending}")


def test_subtitles_are_at_the_time_of_the_action(sample, tmp_path):
    links = align(sample[0].match, method="named-nearest")
    write_links(links, tmp_path / "links.vtt", ORIGIN)
    text = (tmp_path / "links.vtt").read_text()
    assert text.startswith("WEBVTT\n\nNOTE")
    stamps = re.findall(r"^(\d\d):(\d\d):(\d\d\.\d{3}) --> ", text, re.MULTILINE)
    seconds = [3600 * int(h) + 60 * int(m) + float(s) for h, m, s in stamps]
    assert len(seconds) == len(links)
    assert seconds == sorted(seconds)
    first = next(answer for answer in links if answer.events)
    (timeline,) = timelines(links.match)
    start = timeline.starts[first.period] + first.time
    assert any(abs(second - start) < 0.001 for second in seconds)


def test_the_second_half_never_overlaps_the_first(sample):
    starts = timelines(sample[0].match)[0].starts
    end = max(e.time for e in sample[0].match.events if e.period == 1)
    assert starts[2] >= max(2700, end)


CUT = 1500.0  # second of the recording


def stamps(path: Path) -> list[float]:
    """When the cues of a file start."""
    found = re.findall(r"^(\d\d):(\d\d):(\d\d\.\d{3}) --> ", path.read_text(), re.MULTILINE)
    return [3600 * int(h) + 60 * int(m) + float(s) for h, m, s in found]


def cue_at(path: Path, text: str) -> float:
    """When the cue with this text starts."""
    above = path.read_text().partition(f"\n{text}\n")[0].rpartition("\n")[2]
    h, m, s = above.partition(" ")[0].split(":")
    return 3600 * int(h) + 60 * int(m) + float(s)


@pytest.mark.parametrize("ending", [".vtt", ".chapters.vtt"])
def test_subtitles_come_back_on_the_clock_of_a_cut_recording(sample, tmp_path, record, ending):
    """Forty seconds are cut out of the first half; the second is not recorded."""
    match = sample[1].match
    said = [c for c in match.comments if c.period == 1]
    before = [c for c in said if (c.time or 0) + 100 < CUT]
    after = [c for c in said if (c.time or 0) + 100 >= CUT + 40]
    shifted = [msgspec.structs.replace(c, start=c.start - 40, end=c.end - 40) for c in after]
    path = record(tmp_path / "a.srt", [*before, *shifted], {1: 100.0})
    given = [Kickoff(period=1, seconds=100), Kickoff(period=1, seconds=60, since=CUT)]
    timed = with_commentary(match, path, kickoffs=given)
    links = align(timed, method="named-nearest")
    out = tmp_path / f"out{ending}"
    write_links(links, out, ORIGIN)
    assert "NOTE port-selwyn-dunveagh: the recording's clock, periods 1 at 00:01:40.000, " \
        "1 at 00:01:00.000 after a cut at 00:25:00.000\n" in out.read_text()  # fmt: skip
    for number in (0, len(before) - 1, len(before), len(said) - 30):
        linked = next(answer for answer in links[number:] if answer.events)
        place = links.index(linked)
        kickoff = 100 if place < len(before) else 60
        assert any(abs(at - linked.span[0] - kickoff) < 0.002 for at in stamps(out))


def test_unlinked_comments_of_a_recording_stay_where_they_were_said(sample, tmp_path, record):
    match = sample[1].match
    truth = {1: 300.0, 2: 300 + match.ends[1] + 900}
    path = record(tmp_path / "a.srt", match.comments, truth)
    timed = with_commentary(match, path)
    silent = Links(timed, [CommentLinks(match=timed.name, comment=c.id, events=(), none=1.0,
                                        period=None, time=None, span=None)
                           for c in timed.comments])  # fmt: skip
    write_links(silent, tmp_path / "out.vtt", ORIGIN)
    for comment in match.comments[::20]:
        said = truth[comment.period] + comment.time
        assert cue_at(tmp_path / "out.vtt", comment.text) == pytest.approx(said + 2, abs=0.01)


def test_each_half_with_a_recording_of_its_own_has_a_part_of_the_file(sample, tmp_path, record):
    match = sample[1].match
    truth = {1: 30.0, 2: 12.0}
    files = [
        record(tmp_path / f"{p}.srt", [c for c in match.comments if c.period == p], truth)
        for p in truth
    ]
    timed = with_commentary(match, files, kickoffs=truth)
    write_links(align(timed, method="named-nearest"), tmp_path / "out.vtt", ORIGIN)
    parts = (tmp_path / "out.vtt").read_text().split("\nNOTE port-selwyn-dunveagh: ")[1:]
    assert [part.partition("\n")[0] for part in parts] == [
        "the recording's clock, periods 1 at 00:00:30.000",
        "the recording's clock, periods 2 at 00:00:12.000",
    ]
    assert [part.count(" --> ") for part in parts] == [
        sum(c.period == period for c in match.comments) for period in truth
    ]


def test_comments_read_without_the_log_keep_the_clock_of_their_recording(sample, tmp_path, record):
    match = sample[1].match
    said = [c for c in match.comments if c.period == 1]
    comments = read_comments(record(tmp_path / "a.srt", said, {1: 100.0}), kickoffs={1: 100.0})
    (timeline,) = timelines(match.with_comments(comments))
    assert timeline.starts == {1: 100.0}


@pytest.mark.data
def test_real_speech_comes_back_at_its_own_times(data, tmp_path):
    folder = data / "epl-2015" / "man-city-chelsea"
    files = sorted((folder / "asr").glob("*.json"))
    match = read_match(folder / "events.json", files, lineups=[folder / "lineups.json"])
    links = align(match, method="named-nearest")
    write_links(links, tmp_path / "out.vtt", ORIGIN)
    said = [
        (start, text)
        for file in files
        for start, _, text in msgspec.json.decode(file.read_bytes())["segments"].values()
    ]
    often = Counter(" ".join(text.split()) for _, text in said)
    assert match.kickoffs[-1].period == 2
    for (start, text), answer in list(zip(said, links, strict=True))[::50]:
        if often[" ".join(text.split())] == 1 and "&" not in text:
            at = cue_at(tmp_path / "out.vtt", text.strip())
            assert at == pytest.approx(start, abs=10 if not answer.events else 100)


def test_chapters_begin_at_described_actions_and_are_named_by_the_rarest_event(sample, tmp_path):
    links = align(sample[0].match, method="named-nearest")
    write_links(links, tmp_path / "match.chapters.vtt", ORIGIN)
    text = (tmp_path / "match.chapters.vtt").read_text()
    cues = re.findall(r"^(\S+) --> (\S+)\n(.+)$", text, re.MULTILINE)
    assert len(cues) > 50
    assert all(before[1] == after[0] for before, after in pairwise(cues))  # no gap, no overlap
    counts = Counter(event.type for event in links.match.events)
    group = next(answer for answer in links if len({e.type for e in events_of(links, answer)}) > 1)
    rarest = min(events_of(links, group), key=lambda event: counts[event.type])
    assert f"{rarest.clock} {rarest.describe()}" in [title for _, _, title in cues]


def events_of(links, answer):
    return [links.match.event_by_id[link.id] for link in answer.events]


def test_captions_are_read_again_at_the_corrected_times(sample, tmp_path):
    links = align(sample[0].match, method="named-nearest")
    write_links(links, tmp_path / "match.json", ORIGIN)
    written = msgspec.json.decode((tmp_path / "match.json").read_bytes())["annotations"]
    assert len(written) == len(links)
    number, answer = next((n, a) for n, a in enumerate(links) if a.events)
    assert written[number]["position"] == str(round(1000 * answer.span[0]))
    assert [event["id"] for event in written[number]["events"]] == [e.id for e in answer.events]
    again = read_comments(tmp_path / "match.json", kickoffs={1: 0.0, 2: 0.0})
    assert [comment.text for comment in again] == [c.text for c in links.match.comments]
    assert again[number].time == pytest.approx(answer.span[0], abs=0.001)


def test_subtitles_cannot_break_out_of_their_cue(small_match, tmp_path):
    hostile = Comment(id=0, text="a --> b <i>\n\n00:00 --> 00:01\nx", period=1, start=1, end=1)
    write_links(
        align(small_match.with_comments([hostile]), method="named-nearest"),
        tmp_path / "l.vtt",
        ORIGIN,
    )
    text = (tmp_path / "l.vtt").read_text()
    assert "a --&gt; b &lt;i&gt; 00:00 --&gt; 00:01 x" in text


def test_an_unknown_ending_is_refused_before_anything_is_written(links, tmp_path):
    with pytest.raises(TouchlineError, match=r"\.docx.*\.jsonl"):
        write_links(links, tmp_path / "links.docx", ORIGIN)
    assert list(tmp_path.iterdir()) == []
