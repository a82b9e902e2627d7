"""Feeds are recognised by content; messages say what wrong files look like."""

from __future__ import annotations

import contextlib
import gzip
import json
import os
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from touchline import InputError, TouchlineError, read_events
from touchline.io.feeds import BUILT_IN
from touchline.io.feeds.misfiled import is_commentary

STATSBOMB = [
    {
        "id": f"e{n}", "period": 1, "timestamp": "00:00:01.000", "type": {"id": 1, "name": "Pass"},
        "tactics": {"lineup": [], "pad": "x" * 50_000 * (n == 0)},
        "possession_team": {"id": 1, "name": "Reds"}, "team": {"id": 1, "name": "Reds"},
    }
    for n in range(2)
]  # fmt: skip
LINEUPS = [{"team_id": 1, "team_name": "Reds", "lineup": [{"player_id": 5, "player_name": "Ann"}]}]
COMMENTS = '{"id": 0, "period": 1, "time": 3.5, "clock": "1\'", "text": "Under way."}\n' * 3
LIVE = "Reds - Blues\n1' Under way.\n45+2' Goal!\n"
CONTENT = {
    "statsbomb": json.dumps(STATSBOMB),
    "pretty": json.dumps(STATSBOMB, indent=4),
    "wrapped": json.dumps({"events": STATSBOMB}),
    "lines": "\n".join(map(json.dumps, STATSBOMB)),
    "robocup": "1 | 1 | playmode ( kick_off_l )\n2 | 2 | ballstopped\n",
    "robocup-line": "1 | 1 | ballstopped",
    "csv": "time,type\n1,Pass\n",
    "jsonl": '{"time": 1, "type": "Pass"}\n',
    "list": '[{"time": 1, "type": "Pass"}]',
    "lineups": json.dumps(LINEUPS),
    "pretty-lineups": json.dumps(LINEUPS, indent=1),
    "comments": COMMENTS,
    "json-comments": json.dumps({"comments": [{"minute": 1, "text": "Under way."}]}),
    "live": LIVE,
    "robocup-comments": "1 | Red9 passes to Red2\n3 | Goal\n",
    "csv-comments": "clock,text\n12',Foul\n",
    "no-type": "minute,second,player,team\n12,5,Ann,Reds\n",
    "no-type-json": '[{"time": 1, "player": "Ann"}]',
    "page": "<!DOCTYPE html>\n<html></html>",
    "prose": "Nothing of interest.\n",
}
FEEDS = {
    "statsbomb": ["statsbomb", "pretty", "wrapped", "lines"],
    "robocup": ["robocup", "robocup-line"],
    "table": ["csv", "jsonl", "list"],
}


def written(folder: Path, name: str) -> Path:
    (folder / name).write_text(CONTENT[name])
    return folder / name


@pytest.mark.parametrize(("feed", "name"), [(f, n) for f, names in FEEDS.items() for n in names])
def test_every_feed_is_recognised_by_its_content_alone(tmp_path: Path, feed: str, name: str):
    assert read_events(written(tmp_path, name)).provider == feed
    (tmp_path / "packed").write_bytes(gzip.compress(CONTENT[name].encode("utf-16")))
    assert read_events(tmp_path / "packed").provider == feed


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "lineups",
            "looks like line-ups .they go with --lineups.; expected StatsBomb events, Opta",
        ),
        ("pretty-lineups", "looks like line-ups"),
        ("comments", "looks like commentary .the match log comes first"),
        ("json-comments", "looks like commentary"),
        ("live", "looks like commentary"),
        ("robocup-comments", "looks like commentary"),
        ("csv-comments", "looks like commentary"),
        ("no-type", "without the required column `type`"),
        ("no-type-json", "without the required column `type`"),
        ("page", "looks like a web page"),
        ("prose", "not recognised as a match log; .*--provider"),
    ],
)
def test_the_message_says_what_a_wrong_file_looks_like(tmp_path: Path, name: str, message: str):
    with pytest.raises(InputError, match=message):
        read_events(written(tmp_path, name))


@pytest.mark.parametrize(
    ("provider", "name", "message"),
    [
        ("statsbomb", "csv", "not valid JSON .*; it looks like a table of events, expected Stats"),
        ("statsbomb", "lineups", "record 1: .*; it looks like line-ups, expected StatsBomb events"),
        ("statsbomb", "comments", "it looks like commentary"),
        ("statsbomb", "robocup", "it looks like RoboCup events"),
        ("robocup", "csv", "line 1: .*; it looks like a table of events, expected RoboCup events"),
        ("table", "statsbomb", "`type` is not a single value.*; it looks like StatsBomb events"),
        ("table", "comments", "line 1: no type; .*; it looks like commentary"),
    ],
)
def test_a_provider_that_does_not_fit_is_reported(
    tmp_path: Path, provider: str, name: str, message: str
):
    with pytest.raises(InputError, match=message):
        read_events(written(tmp_path, name), provider)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("statsbomb", "it looks like StatsBomb events, expected line-ups"),
        ("comments", "it looks like commentary, expected line-ups"),
        ("csv", "it looks like a table of events, expected line-ups"),
        ("prose", "prose, line 1: not valid JSON"),
    ],
)
def test_what_is_not_a_line_up_is_reported(tmp_path: Path, name: str, message: str):
    events, lineups = written(tmp_path, "statsbomb"), written(tmp_path, name)
    with pytest.raises(InputError, match=message) as caught:
        read_events(events, lineups=[lineups])
    assert caught.value.path == str(lineups)


def test_missing_line_ups_are_named(tmp_path: Path):
    with pytest.raises(InputError, match=r"nowhere\.json: no such file"):
        read_events(written(tmp_path, "statsbomb"), lineups=[tmp_path / "nowhere.json"])


def test_for_an_unknown_provider_the_known_ones_are_listed(tmp_path: Path):
    with pytest.raises(
        TouchlineError, match="'opta99'; expected one of statsbomb, opta, statsperform"
    ):
        read_events(written(tmp_path, "csv"), "opta99")


@pytest.mark.parametrize("name", [n for names in FEEDS.values() for n in names])
def test_no_log_is_taken_for_commentary(name: str):
    assert not is_commentary(CONTENT[name].encode())


@pytest.mark.posix
def test_a_log_is_read_from_a_pipe_once(tmp_path: Path):
    """Reading twice, to recognise and then to read, would find the second time nothing."""
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=(tmp_path / "pipe").write_text, args=(CONTENT["csv"],))
    writer.start()
    assert len(read_events(tmp_path / "pipe").events) == 1
    writer.join()


@pytest.mark.posix
def test_wrong_line_ups_are_read_from_a_pipe_once(tmp_path: Path):
    """The hint in the error must not wait for the pipe to speak again."""
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=(tmp_path / "pipe").write_text, args=(CONTENT["csv"],))
    writer.start()
    caught: list[Exception] = []

    def read() -> None:
        try:
            read_events(written(tmp_path, "statsbomb"), lineups=[tmp_path / "pipe"])
        except InputError as error:
            caught.append(error)

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    reader.join(20)
    writer.join()
    assert "it looks like a table of events, expected line-ups" in str(caught[0])


PROVIDER = st.sampled_from([None, *BUILT_IN])


@settings(deadline=None)
@given(st.one_of(st.binary(), st.text().map(str.encode)), PROVIDER)
def test_any_bytes_are_a_match_or_our_own_error(tmp_path_factory, data: bytes, provider):
    path = tmp_path_factory.getbasetemp() / "any"
    path.write_bytes(data)
    with contextlib.suppress(TouchlineError):
        read_events(path, provider)


SMALL = [content.encode() for name, content in CONTENT.items() if len(content) < 2000]
SMALL.append(json.dumps(STATSBOMB[1:]).encode())


@settings(deadline=None)
@given(st.data(), st.sampled_from(SMALL), PROVIDER)
def test_a_damaged_file_is_a_match_or_our_own_error(tmp_path_factory, data, content, provider):
    """A piece of a good file cut out and something else put there."""
    start = data.draw(st.integers(0, len(content)))
    end = data.draw(st.integers(start, min(len(content), start + 40)))
    swap = data.draw(st.one_of(st.binary(max_size=4), JSON_VALUES.map(json.dumps).map(str.encode)))
    path = tmp_path_factory.getbasetemp() / "damaged"
    path.write_bytes(content[:start] + swap + content[end:])
    with contextlib.suppress(TouchlineError):
        read_events(path, provider)


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=5,
)
FIELDS = st.sampled_from([*STATSBOMB[1], "player", "location", "related_events", "pass", "index"])


@settings(deadline=None)
@given(st.dictionaries(FIELDS, JSON_VALUES, max_size=4))
def test_any_field_of_a_record_may_be_wrong(tmp_path_factory, fields):
    path = tmp_path_factory.getbasetemp() / "fields.json"
    path.write_text(json.dumps([STATSBOMB[0] | {"tactics": None}, STATSBOMB[1] | fields]))
    with contextlib.suppress(TouchlineError):
        match = read_events(path, "statsbomb")
        assert len(match.events) == 2


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from(["type", "time", "period", "team", "player", "x", "y",
                                        "shirt", "fouled", "related", "linkable", "id", "z",
                                        "minute", "second", "half"]),
                       JSON_VALUES))  # fmt: skip
def test_any_column_of_a_table_may_be_wrong(tmp_path_factory, row):
    path = tmp_path_factory.getbasetemp() / "row.jsonl"
    path.write_text(json.dumps({"type": "Pass", "time": 1} | row))
    with contextlib.suppress(TouchlineError):
        assert len(read_events(path, "table").events) == 1
