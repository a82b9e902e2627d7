"""Data frames of other libraries: the links of the native files, and the way back by event ids."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pandas
import polars
import pytest

import touchline
from touchline import InputError, Match
from touchline.io.feeds.spadl import TYPES


def flattened(events: list[dict]) -> pandas.DataFrame:
    """Events as statsbombpy has them: written here after its documentation."""
    rows = []
    for event in events:
        row = {}
        kind = event["type"]["name"].lower().replace(" ", "_").replace("*", "")
        kind = "goalkeeper" if kind == "goal_keeper" else kind
        for key, value in event.items():
            inner = value if key == kind and isinstance(value, dict) else {key: value}
            prefix = f"{key}_" if key == kind and isinstance(value, dict) else ""
            for name, cell in inner.items():
                named = isinstance(cell, dict) and "name" in cell
                row[prefix + name] = cell["name"] if named else cell
                if named and prefix + name in (
                    "possession_team",
                    "player",
                    "team",
                    "pass_recipient",
                    "substitution_replacement",
                ):
                    row[f"{prefix}{name}_id"] = cell["id"]  # fmt: skip
        rows.append(row)
    return pandas.DataFrame(rows).sort_index(axis=1)


@pytest.fixture(scope="module")
def log(sample_folder: Path) -> list[dict]:
    with gzip.open(sample_folder / "events.json.gz") as file:
        return json.load(file)


@pytest.fixture(scope="module")
def lineups(sample_folder: Path) -> dict[str, pandas.DataFrame]:
    """Line-ups as statsbombpy has them, a frame per team."""
    read = json.loads((sample_folder / "lineups.json").read_bytes())
    return {team["team_name"]: pandas.DataFrame(team["lineup"]) for team in read}


@pytest.fixture(scope="module")
def native(sample_folder: Path) -> Match:
    return touchline.read_match(
        sample_folder / "events.json.gz",
        sample_folder / "live.txt",
        lineups=sample_folder / "lineups.json",
        name="m",
    )


def test_a_statsbombpy_frame_gives_the_links_of_the_file(log, lineups, native, sample_folder):
    frame = flattened(log)
    expected = list(touchline.align(native, method="named-nearest"))
    for given in (frame, polars.from_pandas(frame.astype(str).where(frame.notna(), None))):
        match = touchline.from_statsbombpy(given, lineups, name="m")
        assert [p.names for p in match.players] == [p.names for p in native.players]
        assert [e.id for e in match.linkable] == [e.id for e in native.linkable]
        read = touchline.read_match(match, sample_folder / "live.txt")
        assert list(touchline.align(read, method="named-nearest")) == expected


def test_a_statsbombpy_frame_has_all_that_methods_see_of_the_file(log, lineups, native):
    """Then every method links it like the file."""
    match = touchline.from_statsbombpy(flattened(log), lineups)

    def seen(one: Match) -> list:
        return [(e.id, e.type, e.period, e.time, e.team, e.player, e.others, dict(e.arguments),
                 e.location, e.end_location, e.related, e.linkable)
                for e in one.events]  # fmt: skip

    assert seen(match) == seen(native)
    assert (match.teams, match.players) == (native.teams, native.players)


def test_other_frames_are_refused():
    with pytest.raises(InputError, match="the data frame"):
        touchline.from_statsbombpy(pandas.DataFrame({"a": [1]}))
    with pytest.raises(InputError, match="the data frame"):
        touchline.from_spadl(pandas.DataFrame({"a": [1]}))


def spadl(match: Match) -> pandas.DataFrame:
    """The passes and shots of a match as SPADL has them: ids, metres, the names beside them."""
    kinds = {"Pass": "pass", "Shot": "shot", "Clearance": "clearance", "Interception":
             "interception", "Foul Committed": "foul", "Dribble": "take_on"}  # fmt: skip
    rows = []
    for event in match.linkable:
        if event.type in kinds and event.location and event.player and event.team:
            outcome = event.arguments.get("outcome")
            done = outcome in (None, "Goal", "Complete", "Won")
            x, y = event.location
            rows.append({
                "game_id": 1, "original_event_id": event.id, "action_id": len(rows),
                "period_id": event.period, "time_seconds": event.time, "team_id": event.team.id,
                "player_id": event.player.id, "start_x": x * 105 / 120,
                "start_y": 68 - y * 68 / 80, "end_x": x, "end_y": 30.0,
                "type_id": TYPES.index(kinds[event.type]), "result_id": int(done),
                "bodypart_id": 0, "player_name": event.player.name,
                "team_name": event.team.name,
            })  # fmt: skip
    return pandas.DataFrame(rows)


def test_links_go_back_to_spadl_actions(native, sample_folder):
    actions = spadl(native)
    log = touchline.from_spadl(actions, sample_folder / "lineups.json")
    match = touchline.read_match(log, sample_folder / "live.txt")
    links = touchline.align(match, method="named-nearest")
    pairs = links.to_pandas().dropna(subset="event")
    pairs["action_id"] = pairs["event"].astype(int)
    joined = actions.merge(pairs, on="action_id", how="inner")
    assert len(joined) == len(pairs) > 100
    assert (joined["time_seconds"] == joined["time"]).all()
    goals = joined[(joined["type_id"] == TYPES.index("shot")) & (joined["result_id"] == 1)]
    assert set(goals["outcome"]) == {"Goal"}
    # Links of the provider's own file go to the same actions by the provider's ids.
    own = touchline.align(native, method="named-nearest").to_pandas().dropna(subset="event")
    merged = own.merge(actions, left_on="event", right_on="original_event_id")
    assert len(merged) > 100
    assert (merged["time_seconds"] == merged["time"]).all()


def test_links_go_back_to_a_kloppy_frame(sample_folder, tmp_path, native):
    from kloppy import statsbomb

    events = tmp_path / "events.json"
    events.write_bytes(gzip.decompress((sample_folder / "events.json.gz").read_bytes()))
    dataset = statsbomb.load(event_data=str(events),
                             lineup_data=str(sample_folder / "lineups.json"))  # fmt: skip
    match = touchline.read_match(touchline.from_kloppy(dataset), sample_folder / "live.txt")
    pairs = touchline.align(match, method="named-nearest").to_pandas().dropna(subset="event")
    frame = dataset.to_df(engine="pandas")
    frame = frame.drop_duplicates("event_id")  # of some records kloppy makes two events
    joined = frame.merge(pairs, left_on="event_id", right_on="event", suffixes=("", "_link"))
    assert len(joined) == len(pairs) > 100
    assert (joined["timestamp"].dt.total_seconds() == joined["time"]).all()
