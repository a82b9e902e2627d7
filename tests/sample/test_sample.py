"""The bundled sample: rebuilt exactly, complete, and consistent with itself."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from touchline.sample import corpus_path
from touchline.sample.simulator import live_page, write
from touchline.sample.squads import FIXTURES, Fixture

Row = dict[str, Any]

UNLINKABLE = {
    "Ball Receipt*",
    "Carry",
    "Pressure",
    "Starting XI",
    "Tactical Shift",
    "Camera On",
    "Camera off",
}
EVERY_MATCH = pytest.mark.parametrize("fixture", FIXTURES, ids=lambda f: f.folder)


def events_of(folder: Path) -> list[Row]:
    events: list[Row] = json.loads(gzip.decompress((folder / "events.json.gz").read_bytes()))
    return events


def rows_of(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def bundled(fixture: Fixture) -> Path:
    return corpus_path() / fixture.folder


def linkable(events: list[Row]) -> dict[str, Row]:
    """Events a comment may describe, by id: not the second team's copy of a half's start or end."""
    kept: dict[str, Row] = {}
    halves = set()
    for event in events:
        kind = event["type"]["name"]
        if kind in UNLINKABLE or (kind, event["period"]) in halves:
            continue
        if kind in ("Half Start", "Half End"):
            halves.add((kind, event["period"]))
        kept[event["id"]] = event
    return kept


def seconds(event: Row) -> float:
    hours, minutes, rest = event["timestamp"].split(":")
    return int(hours) * 3600 + int(minutes) * 60 + float(rest)


def clock(period: int, time: float) -> str:
    """The minute a live page shows for a time of a half."""
    minute, base = int(time // 60) + 1, 45 * (period - 1)
    return f"{base + minute}'" if minute <= 45 else f"{base + 45}+{minute - 45}'"


def test_the_corpus_folder_holds_the_two_matches() -> None:
    folders = sorted(p.name for p in corpus_path().iterdir() if p.is_dir())
    assert folders == sorted(f.folder for f in FIXTURES)


@EVERY_MATCH
def test_the_simulator_rebuilds_the_bundled_files(fixture: Fixture, tmp_path: Path) -> None:
    write(fixture, tmp_path)
    # Decompressed: builds of zlib may pack the same text differently.
    assert events_of(tmp_path / fixture.folder) == events_of(bundled(fixture))
    for name in ("lineups.json", "live.txt"):
        rebuilt = (tmp_path / fixture.folder / name).read_text(encoding="utf-8")
        assert rebuilt == (bundled(fixture) / name).read_text(encoding="utf-8")


@EVERY_MATCH
def test_a_match_is_as_long_as_a_real_one(fixture: Fixture) -> None:
    events = events_of(bundled(fixture))
    assert len(linkable(events)) >= 1300
    assert len(rows_of(bundled(fixture) / "comments.jsonl")) >= 65
    assert len({e["id"] for e in events}) == len(events)
    assert [e["index"] for e in events] == list(range(1, len(events) + 1))
    for period in (1, 2):
        times = [seconds(e) for e in events if e["period"] == period]
        assert times == sorted(times)
        assert 2700 < times[-1] < 3200


@EVERY_MATCH
def test_clocks_and_places_of_events_are_sound(fixture: Fixture) -> None:
    for event in events_of(bundled(fixture)):
        minute, second = divmod(int(seconds(event)), 60)
        assert event["minute"] == minute + 45 * (event["period"] - 1)
        assert event["second"] == second
        x, y = event.get("location", (60, 40))
        assert 0 <= x <= 120
        assert 0 <= y <= 80


@EVERY_MATCH
def test_related_events_are_mutual(fixture: Fixture) -> None:
    by_id = {e["id"]: e for e in events_of(bundled(fixture))}
    for event in by_id.values():
        for other in event.get("related_events", []):
            assert event["id"] in by_id[other]["related_events"]


@EVERY_MATCH
def test_mirrored_records_come_in_pairs(fixture: Fixture) -> None:
    by_id = {e["id"]: e for e in events_of(bundled(fixture))}
    mirrors = {"Foul Won": "Foul Committed", "Dribbled Past": "Dribble", "Half End": "Half End"}
    for event in by_id.values():
        mirror = mirrors.get(event["type"]["name"])
        related = {by_id[r]["type"]["name"] for r in event.get("related_events", [])}
        assert mirror is None or mirror in related
        if event["type"]["name"] == "Shot":
            assert related & {"Goal Keeper", "Block"}


@EVERY_MATCH
def test_assists_point_at_their_shots_and_back(fixture: Fixture) -> None:
    by_id = {e["id"]: e for e in events_of(bundled(fixture))}
    for event in by_id.values():
        if shot := event.get("pass", {}).get("assisted_shot_id"):
            assert by_id[shot]["shot"]["key_pass_id"] == event["id"]


@EVERY_MATCH
def test_only_players_on_the_pitch_act(fixture: Fixture) -> None:
    on = {p.id for club in (fixture.home, fixture.away) for p in club.players[:11]}
    for event in events_of(bundled(fixture)):
        if "player" in event:
            assert event["player"]["id"] in on
        if "substitution" in event:
            on.remove(event["player"]["id"])
            on.add(event["substitution"]["replacement"]["id"])


@EVERY_MATCH
def test_lineups_name_everyone_in_the_log(fixture: Fixture) -> None:
    sheets = json.loads((bundled(fixture) / "lineups.json").read_text(encoding="utf-8"))
    listed = {(p["player_id"], p["player_name"]) for sheet in sheets for p in sheet["lineup"]}
    acting = {
        (e["player"]["id"], e["player"]["name"])
        for e in events_of(bundled(fixture))
        if "player" in e
    }
    assert acting <= listed
    assert [sheet["team_name"] for sheet in sheets] == [fixture.home.name, fixture.away.name]


@EVERY_MATCH
def test_gold_links_are_tellable_events_of_the_same_half(fixture: Fixture) -> None:
    comments = rows_of(bundled(fixture) / "comments.jsonl")
    gold = rows_of(bundled(fixture) / "gold.jsonl")
    known = linkable(events_of(bundled(fixture)))
    assert [c["id"] for c in comments] == list(range(len(comments)))
    assert [g["id"] for g in gold] == [c["id"] for c in comments]
    for comment, row in zip(comments, gold, strict=True):
        assert len(set(row["events"])) == len(row["events"])
        for event_id in row["events"]:
            event = known[event_id]
            assert event["period"] == comment["period"]
            assert abs(seconds(event) - comment["time"]) < 90


@EVERY_MATCH
def test_some_comments_describe_nothing_and_some_several_events(fixture: Fixture) -> None:
    sizes = [len(row["events"]) for row in rows_of(bundled(fixture) / "gold.jsonl")]
    assert 0.12 <= sizes.count(0) / len(sizes) <= 0.18
    assert max(sizes) >= 5
    assert sizes.count(1) >= 10


@EVERY_MATCH
def test_clocks_of_comments_agree_with_their_times(fixture: Fixture) -> None:
    for comment in rows_of(bundled(fixture) / "comments.jsonl"):
        assert comment["clock"] == clock(comment["period"], comment["time"])


@EVERY_MATCH
def test_the_live_page_is_the_commentary(fixture: Fixture) -> None:
    comments = rows_of(bundled(fixture) / "comments.jsonl")
    page = (bundled(fixture) / "live.txt").read_text(encoding="utf-8")
    assert page == live_page(comments)
    lines = page.splitlines()
    assert lines[-1] == "FT"
    assert lines.index("HT") == sum(c["period"] == 1 for c in comments)
