"""What every reader must do, whichever feed it is for: the same suite for each format.

The files are a small match of ours, written by `touchline.sample.exports`.
"""

from __future__ import annotations

import contextlib
import copy
import errno
import gzip
import json
import pickle
import re
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from touchline import Event, InputError, Match, Player, Role, Team, TouchlineError, read_events
from touchline.core.pitch import zoned
from touchline.io.feeds import BUILT_IN
from touchline.io.feeds.wyscout import season as seasons
from touchline.sample.exports import FEEDS, carried, write

REDS, BLUES = Team(id="7", name="Redfield City"), Team(id="8", name="Blueport United")
ANN = Player(id="71", name="Ann Archer", team=REDS, shirt=9)
BO = Player(id="72", name="Boaventura da Silva Réis", nickname="Bo Réis", team=REDS, shirt=10)
DEE = Player(id="73", name="Dee Dum", team=REDS, shirt=12)
CYRIL = Player(id="81", name="Cyril van der Meer", team=BLUES, shirt=1)


def event(number: int, kind: str, time: float, player: Player, **more: Any) -> Event:
    more = {"location": (60.0, 20.0), "arguments": {}} | more
    zoned(more["arguments"], more["location"], more.get("end_location"))
    return Event(id=f"e{number}", type=kind, period=1 if number < 9 else 2, time=time,
                 player=player, team=player.team, **more)  # fmt: skip


def half_start(period: int, team: Team) -> Event:
    return Event(id=f"h{period}{team.id}", type="Half Start", period=period, time=0.0, team=team,
                 linkable=team is REDS)  # fmt: skip


SMALL = Match(
    name="small",
    provider="test",
    teams=(REDS, BLUES),
    players=(ANN, BO, DEE, CYRIL),
    events=(
        event(1, "Pass", 10.5, ANN, others=(Role("recipient", BO),), end_location=(90.0, 10.0),
              arguments={"cross": "yes"}),
        event(2, "Dribble", 12.0, BO, arguments={"outcome": "Complete"}, related=("e3",)),
        event(3, "Dribbled Past", 12.0, CYRIL, related=("e2",), location=(60.0, 60.0)),
        event(4, "Shot", 14.0, BO, arguments={"outcome": "Saved", "set_piece": "Open Play",
              "body_part": "Head"}, related=("e5",), location=(110.0, 40.0)),
        event(5, "Goal Keeper", 14.4, CYRIL, arguments={"kind": "Shot Saved"}, related=("e4",)),
        event(6, "Clearance", 15.0, CYRIL, location=(10.0, 40.0)),
        event(9, "Foul Committed", 60.0, ANN, arguments={"card": "Yellow Card"}),
        event(10, "Substitution", 90.0, ANN, location=None,
              others=(Role("replacement", DEE),)),
        *(half_start(period, team) for period in (1, 2) for team in (REDS, BLUES)),
    ),
)  # fmt: skip


class Form(NamedTuple):
    """How a format spells what the suite changes; `records` finds the list of them in JSON."""

    provider: str
    records: Callable[[Any], list[Any]] | None
    id: str
    period: str
    time: str
    player: str
    kind: str
    strange: Any
    inner: str = ""  # where a record has its fields, if not in itself


FORMS = {
    "statsbomb": Form("statsbomb", lambda f: f, "id", "period", "timestamp", "player", "type",
                      {"id": 999, "name": "Moonwalk"}),
    "statsbomb-flat": Form("statsbomb", lambda f: f, "id", "period", "timestamp", "player", "type",
                           "Moonwalk"),
    "opta-packed": Form("opta", lambda f: f["Games"]["Game"]["Event"], "id", "period_id", "min",
                        "player_id", "type_id", 999, inner="@attributes"),
    "whoscored-page": Form("whoscored", lambda f: f["events"], "id", "period", "minute",
                           "playerId", "type", {"value": 999, "displayName": "Moonwalk"}),
    "wyscout-bundle": Form("wyscout", lambda f: f["events"], "id", "matchPeriod", "eventSec",
                           "playerId", "eventName", "Moonwalk"),
    "spadl": Form("spadl", lambda f: f, "action_id", "period_id", "time_seconds", "player_id",
                  "type_name", "moonwalk"),
    "opta": Form("opta", None, "id", "period_id", "min", "player_id", "type_id", "999"),
    "statsperform": Form("statsperform", lambda f: f["liveData"]["event"],
                         "id", "periodId", "timeMin", "playerId", "typeId", 999),
    "statsperform-xml": Form("statsperform", None,
                             "id", "periodId", "timeMin", "playerId", "typeId", "999"),
    "whoscored": Form("whoscored", lambda f: f["events"], "id", "period", "minute", "playerId",
                      "type", {"value": 999, "displayName": "Moonwalk"}),
    "wyscout": Form("wyscout", lambda f: f, "id", "matchPeriod", "eventSec", "playerId",
                    "eventName", "Moonwalk"),
}  # fmt: skip
EVERY = pytest.mark.parametrize("feed", FEEDS)
XML = pytest.mark.parametrize("feed", [feed for feed in FEEDS if FORMS[feed].records is None])
JSON = pytest.mark.parametrize("feed", [feed for feed in FEEDS if FORMS[feed].records])


def read(feed: str, folder: Path) -> Match:
    files = write(SMALL, feed, folder)
    return read_events(files.events, lineups=files.lineups)


def rewritten(feed: str, folder: Path, change: Callable[[list[Any]], Any]) -> Path:
    """The file with its records changed; in XML a record is its text."""
    path = write(SMALL, feed, folder).events
    text, find = path.read_text(encoding="utf-8"), FORMS[feed].records
    if find is not None:
        before, data, after = in_page(text)
        file = json.loads(data)
        change(find(file))
        path.write_text(before + json.dumps(file) + after, encoding="utf-8")
    else:
        pattern = re.compile(r"<(event)\b.*</\1>\n?", re.DOTALL | re.IGNORECASE)
        pieces = re.findall(r"<event\b.*?</event>\n?", text, re.DOTALL | re.IGNORECASE)
        change(pieces)
        path.write_text(pattern.sub(lambda _: "".join(pieces), text), encoding="utf-8")
    return path


def in_page(text: str) -> tuple[str, str, str]:
    """The JSON of a file, and what stands around it in a page."""
    before, key, rest = text.partition("matchCentreData: ")
    if not key:
        return "", text, ""
    data, end, after = rest.partition(", other:")
    return before + key, data, end + after


def put(record: Any, field: str, value: Any, inner: str = "") -> Any:
    """The record with another value in a field, or without the field for None."""
    if inner:
        return {**record, inner: put(record[inner], field, value)}
    if isinstance(record, dict):
        return {k: v for k, v in {**record, field: value}.items() if v is not None}
    head, close, rest = record.partition(">")
    head = re.sub(rf' {field}="[^"]*"', "", head)
    return head + (f' {field}="{value}"' if value is not None else "") + close + rest


def with_field(feed: str, folder: Path, field: str, value: Any) -> Path:
    """The file with a field of its first record changed."""

    def change(records: list[Any]) -> None:
        form = FORMS[feed]
        records[0] = put(records[0], getattr(form, field), value, form.inner)

    return rewritten(feed, folder, change)


def content(match: Match) -> list[tuple[Any, ...]]:
    return [
        (e.id, e.type, e.period, round(e.time, 3), e.player and e.player.id, dict(e.arguments),
         [(o.role, o.player.id) for o in e.others])
        for e in match.linkable
    ]  # fmt: skip


@EVERY
def test_what_is_written_is_read(feed: str, tmp_path: Path):
    assert content(read(feed, tmp_path)) == content(carried(SMALL, feed))


@EVERY
def test_everybody_has_his_names_and_team(feed: str, tmp_path: Path):
    players = {player.id: player for player in read(feed, tmp_path).players}
    assert sorted(players) == ["71", "72", "73", "81"]
    assert "Bo Réis" in players["72"].names
    assert players["72"].team.name == "Redfield City"
    assert players["81"].team.name == "Blueport United"
    if not feed.startswith("wyscout"):
        assert players["73"].shirt == 12


@EVERY
def test_places_are_on_the_common_pitch(feed: str, tmp_path: Path):
    first = read(feed, tmp_path).event_by_id["e1"]
    assert first.location == pytest.approx((60.0, 20.0), abs=0.02)
    assert first.end_location == pytest.approx((90.0, 10.0), abs=0.02)
    assert first.arguments["zone"] == "middle left"


@EVERY
def test_the_raw_record_is_whole(feed: str, tmp_path: Path):
    match = read(feed, tmp_path)
    raw, form = match.event_by_id["e1"].raw, FORMS[feed]
    fields = raw[form.inner] if form.inner else raw
    assert fields[form.id] == "e1"
    assert "71" in str(fields[form.player])
    assert len(fields) > 8


@EVERY
def test_a_match_survives_pickling(feed: str, tmp_path: Path):
    match = read(feed, tmp_path)
    again = pickle.loads(pickle.dumps(match))
    assert again == match
    assert [e.raw for e in again.events] == [e.raw for e in match.events]


@EVERY
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("packed", [False, True])
def test_recognised_by_content_in_any_encoding(
    feed: str, encoding: str, packed: bool, tmp_path: Path
):
    files = write(SMALL, feed, tmp_path)
    for path in (files.events, *files.lineups):
        data = path.read_text(encoding="utf-8").encode(encoding)
        path.write_bytes(gzip.compress(data) if packed else data)
    path = files.events.rename(tmp_path / "anything")
    match = read_events(path, lineups=files.lineups)
    assert match.provider == FORMS[feed].provider
    assert content(match) == content(carried(SMALL, feed))
    assert any("Réis" in player.name for player in match.players)


@EVERY
def test_events_out_of_order_are_the_same_match(feed: str, tmp_path: Path):
    """Records of one moment keep their order: the file's is all there is."""
    expected = content(read(feed, tmp_path))

    def swap_halves(records: list[Any]) -> None:
        middle = len(records) // 2
        records[:] = [*records[middle:], *records[:middle]]

    lineups = write(SMALL, feed, tmp_path).lineups
    path = rewritten(feed, tmp_path, swap_halves)
    assert content(read_events(path, lineups=lineups)) == expected


@EVERY
def test_one_of_two_records_with_an_id_is_left_out(feed: str, tmp_path: Path):
    def repeat(records: list[Any]) -> None:
        records.append(copy.deepcopy(records[0]))

    whole = read_events(write(SMALL, feed, tmp_path).events)
    match = read_events(rewritten(feed, tmp_path, repeat))
    assert content(match) == content(whole)
    assert any(
        re.match(r"the id 'e1' of record \d+ is already used by record 1", doubt)
        for doubt in match.warnings
    )


@EVERY
def test_ids_that_are_none_are_refused(feed: str, tmp_path: Path):
    def repeat(records: list[Any]) -> None:
        records.extend(copy.deepcopy(records[0]) for _ in range(4))

    with pytest.raises(InputError, match=r"record \d+: the id 'e1' is already used by record 1"):
        read_events(rewritten(feed, tmp_path, repeat))


@EVERY
@pytest.mark.parametrize("field", ["period", "time", "id", "kind"])
def test_a_record_without_what_every_one_needs_is_named(feed: str, field: str, tmp_path: Path):
    path = with_field(feed, tmp_path, field, None)
    if (feed, field) == ("spadl", "id"):  # the number of the row takes its place
        assert read_events(path).events[0].id == "0"
        return
    with pytest.raises(InputError, match=rf"record 1: not .*{getattr(FORMS[feed], field)}"):
        read_events(path)


@EVERY
@pytest.mark.parametrize("field", ["period", "time"])
@pytest.mark.parametrize("value", ["soon", "-99999999"])
def test_a_time_that_is_none_is_named(feed: str, field: str, value: str, tmp_path: Path):
    with pytest.raises(InputError, match="record 1: "):
        read_events(with_field(feed, tmp_path, field, value))


@EVERY
def test_an_event_without_a_player_is_read(feed: str, tmp_path: Path):
    match = read_events(with_field(feed, tmp_path, "player", None))
    assert match.event_by_id["e1"].player is None
    assert match.event_by_id["e1"].linkable


@EVERY
def test_an_unknown_type_is_linkable(feed: str, tmp_path: Path):
    form = FORMS[feed]
    match = read_events(with_field(feed, tmp_path, "kind", form.strange))
    strange = match.event_by_id["e1"]
    assert strange.linkable
    assert strange.type in ("Type 999", "Moonwalk", "Cross")
    assert strange.player.id == "71"


@EVERY
def test_more_events_than_any_match_has_are_refused(feed: str, tmp_path: Path, monkeypatch):
    monkeypatch.setattr("touchline.io.feeds.records.MAX_EVENTS", 3)
    with pytest.raises(InputError, match="more than 3 events, the limit for") as refused:
        read(feed, tmp_path)
    assert Path(refused.value.path).parent == tmp_path


@EVERY
def test_nothing_in_the_file(feed: str, tmp_path: Path):
    with pytest.raises(InputError, match="no event"):
        read_events(rewritten(feed, tmp_path, list.clear), FORMS[feed].provider)


@EVERY
def test_of_a_truncated_file_the_whole_records_are_read(feed: str, tmp_path: Path):
    """Cut within its last record, which goes."""
    path = write(SMALL, feed, tmp_path).events
    whole = read_events(path)
    text = path.read_text(encoding="utf-8")
    last = max(text.rfind(f'"{one.id}"') for one in whole.events)
    path.write_text(text[:last], encoding="utf-8")
    match = read_events(path)
    assert len(whole.events) - 2 <= len(match.events) < len(whole.events)
    assert {one.id for one in match.events} < {one.id for one in whole.events}
    assert any("ends too early" in doubt for doubt in match.warnings)


@EVERY
def test_a_file_that_ends_within_its_first_record_is_refused(feed: str, tmp_path: Path):
    path = write(SMALL, feed, tmp_path).events
    text = path.read_text(encoding="utf-8")
    first = min(text.find(f'"{one.id}"') for one in SMALL.events if f'"{one.id}"' in text)
    path.write_text(text[:first], encoding="utf-8")
    with pytest.raises(InputError, match="is truncated"):
        read_events(path, FORMS[feed].provider)


@EVERY
@pytest.mark.parametrize("provider", BUILT_IN)
def test_the_wrong_provider_is_reported(feed: str, provider: str, tmp_path: Path):
    path = write(SMALL, feed, tmp_path).events
    if provider == FORMS[feed].provider or (feed, provider) == ("statsbomb-flat", "table"):
        assert read_events(path, provider).provider == provider
        return
    what = BUILT_IN[FORMS[feed].provider].what
    expected = BUILT_IN[provider].what
    with pytest.raises(InputError, match=f"it looks like {what}, expected {expected}"):
        read_events(path, provider)


@EVERY
def test_line_ups_in_the_place_of_events_are_reported(feed: str, tmp_path: Path):
    for path in write(SMALL, feed, tmp_path).lineups:
        with pytest.raises(InputError, match="looks like line-ups"):
            read_events(path)


@EVERY
def test_line_ups_of_another_match_are_refused(feed: str, tmp_path: Path):
    other = Team(id="99", name="Greenham")
    eve = Player(id="991", name="Eve", team=other)
    elsewhere = Match(name="other", provider="test", teams=(other, Team(id="98", name="Grey")),
                      players=(eve,), events=(event(1, "Pass", 1.0, eve),))  # fmt: skip
    (tmp_path / "other").mkdir()
    events = write(SMALL, feed, tmp_path).events
    for path in write(elsewhere, feed, tmp_path / "other").lineups:
        if path.name in ("teams.json", "matches.json"):  # a season's: it may lack our match only
            continue
        with pytest.raises(InputError, match=r"the match is|none of the match's") as caught:
            read_events(events, lineups=[path])
        assert caught.value.path == str(path)


@EVERY
def test_a_folder_in_the_place_of_a_file(feed: str, tmp_path: Path):
    with pytest.raises(InputError, match="is a folder; expected a file"):
        read_events(tmp_path, FORMS[feed].provider)


@EVERY
def test_no_permission(feed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """What the system answers to all but root, as whom tests may run."""

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    path = write(SMALL, feed, tmp_path).events
    monkeypatch.setattr("builtins.open", refuse)
    with pytest.raises(InputError, match="no permission to read it"):
        read_events(path)


@JSON
def test_json_nested_too_deep_is_refused(feed: str, tmp_path: Path):
    path = rewritten(feed, tmp_path, lambda records: records[0].update(odd="DEEP"))
    deep = "[" * 100_000 + "]" * 100_000
    path.write_text(path.read_text().replace('"DEEP"', deep))
    with pytest.raises(InputError, match="nested too deeply"):
        read_events(path)


@XML
def test_xml_nested_without_end_is_read_without_it(feed: str, tmp_path: Path):
    def nest(records: list[str]) -> None:
        head, _, rest = records[0].partition(">")
        records[0] = head + ">" + "<odd>" * 100_000 + "</odd>" * 100_000 + rest

    match = read_events(rewritten(feed, tmp_path, nest))
    raw = match.event_by_id["e1"].raw
    assert raw[FORMS[feed].id] == "e1"
    assert pickle.loads(pickle.dumps(match)).event_by_id["e1"].raw == raw
    assert len(repr(raw)) < 10_000


BOMB = """<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;">]>"""
OUTSIDE = '<!DOCTYPE x [<!ENTITY d SYSTEM "file:///etc/hostname">]>'


@XML
@pytest.mark.parametrize("doctype", [BOMB, OUTSIDE, '<!DOCTYPE x SYSTEM "http://localhost/x">'])
@pytest.mark.parametrize("which", [0, 1])
def test_no_entity_is_ever_resolved(feed: str, doctype: str, which: int, tmp_path: Path):
    files = write(SMALL, feed, tmp_path)
    path = [files.events, *files.lineups][which]
    body = path.read_text(encoding="utf-8").partition("?>")
    text = (body[2] or body[0]).replace("Redfield City", "&d;")
    path.write_text(doctype + text, encoding="utf-8")
    with pytest.raises(InputError, match="declares a document type") as caught:
        read_events(files.events, lineups=files.lineups)
    assert caught.value.path == str(path)


@XML
def test_an_entity_that_nobody_declares_is_refused(feed: str, tmp_path: Path):
    path = write(SMALL, feed, tmp_path).events
    path.write_text(path.read_text(encoding="utf-8").replace("Redfield City", "&d;"))
    with pytest.raises(InputError, match="undefined entity"):
        read_events(path)


@EVERY
def test_a_huge_file_is_refused_before_it_is_in_memory(feed: str, tmp_path: Path):
    """100 MB of what is no log, behind a start that looks like one."""
    start = write(SMALL, feed, tmp_path).events.read_bytes()[:-30]
    path = tmp_path / "huge.gz"
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(start)
        for _ in range(100):
            file.write(b" " * (1 << 20))
    tracemalloc.start()
    with pytest.raises(InputError, match=r"(more|larger) than (1|16) MB"):
        read_events(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 64 << 20


@pytest.mark.parametrize("lone", [True, False], ids=["one match", "a season"])
def test_one_match_of_a_seasons_file_is_limited_like_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lone: bool
):
    """Its own records are: those of the other matches are never kept."""
    monkeypatch.setattr(seasons, "MAX_FILE", 1 << 20)
    path = write(SMALL, "wyscout", tmp_path).events
    (*records,) = json.loads(path.read_bytes())
    long = [record | {"more": "x" * 10_000} for record in records] * 20
    own = str(records[0]["matchId"])
    others = long if lone else [record | {"matchId": 5} for record in long]
    path.write_text(json.dumps([*records, *others]))
    if lone:
        with pytest.raises(InputError, match="the limit for a file of one match"):
            read_events(path, match=own)
    else:
        assert read_events(path, match=own).events


def test_a_seasons_file_has_so_many_matches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(seasons, "MAX_MATCHES", 3)
    path = write(SMALL, "wyscout", tmp_path).events
    (first, *_) = json.loads(path.read_bytes())
    path.write_text(json.dumps([first | {"matchId": number} for number in range(4)]))
    with pytest.raises(InputError, match="more than 3 matches"):
        read_events(path, match="0")


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=5,
)


@settings(max_examples=60)
@given(data=st.data(), feed=st.sampled_from([f for f in FEEDS if FORMS[f].records]))
def test_any_field_of_a_record_may_be_wrong(tmp_path_factory, data, feed: str):
    folder = tmp_path_factory.getbasetemp()

    def change(records: list[Any]) -> None:
        field = data.draw(st.sampled_from(sorted(records[0])))
        records[0][field] = data.draw(JSON_VALUES)

    with contextlib.suppress(TouchlineError):
        match = read_events(rewritten(feed, folder, change), FORMS[feed].provider)
        assert len(match.events) >= 6


@settings(max_examples=100)
@given(data=st.data(), feed=st.sampled_from(FEEDS))
def test_a_damaged_file_is_a_match_or_our_own_error(tmp_path_factory, data, feed: str):
    """A piece cut out and something else put there, in the events or beside them."""
    files = write(SMALL, feed, tmp_path_factory.getbasetemp())
    path = data.draw(st.sampled_from([files.events, *files.lineups]))
    content = path.read_bytes()
    start = data.draw(st.integers(0, len(content)))
    end = data.draw(st.integers(start, min(len(content), start + 40)))
    path.write_bytes(content[:start] + data.draw(st.binary(max_size=4)) + content[end:])
    with contextlib.suppress(TouchlineError):
        read_events(files.events, FORMS[feed].provider, lineups=files.lineups)


# Where each feed has the day of a match: what stands there before, and after it.
DATED = {
    "opta": ("<Game ", '<Game game_date="2015-08-24T20:00:00" '),
    "statsperform": ('"matchInfo": {', '"matchInfo": {"localDate": "2015-08-24", '),
    "statsperform-xml": ("<matchInfo>", '<matchInfo date="2015-08-24Z">'),
    "whoscored": ('"events": [', '"startDate": "2015-08-24T00:00:00", "events": ['),
}


@pytest.mark.parametrize("feed", DATED)
def test_the_day_of_a_match_is_read(feed, tmp_path):
    files = write(SMALL, feed, tmp_path)
    assert read_events(files.events, lineups=files.lineups).date is None
    before, after = DATED[feed]
    text = files.events.read_text()
    assert before in text
    files.events.write_text(text.replace(before, after, 1))
    assert read_events(files.events, lineups=files.lineups).date == "2015-08-24"
    files.events.write_text(text.replace(before, after.replace("2015-08-24", "soon"), 1))
    assert read_events(files.events, lineups=files.lineups).date is None
