"""`reproduce matchtime`: files of MatchTime's form, written from the bundled sample."""

from __future__ import annotations

import json
import shutil

import pytest

from touchline import InputError, cli, make_aligner
from touchline.core.errors import TouchlineError
from touchline.evaluation.held_out import Answering
from touchline.reproduce.matchtime import (
    FILE,
    Offsets,
    match_folders,
    read_captions,
    results,
    score_match,
    sheets,
)

LATE = 20  # seconds


class LearnedError(TouchlineError):
    """Something was learned instead of taken from a bundled model."""


def stamp(period, seconds):
    return f"{period} - {int(seconds) // 60:02}:{int(seconds) % 60:02}"


@pytest.fixture
def release(sample, sample_folder, tmp_path):
    """A match whose captions are late by 20 seconds; by hand they have the time of the action."""
    match = sample[0].match
    gold = {comment: events for comment, events in sample[0].gold.items() if events}
    folder = tmp_path / "league" / "game"
    folder.mkdir(parents=True)
    for name in ("events.json.gz", "lineups.json"):
        shutil.copy(sample_folder / name, folder / name)
    rows = []
    for comment in match.comments:
        events = [match.event_by_id[one] for one in gold.get(comment.id, ())]
        row = {"description": comment.text, "gameTime": stamp(comment.period, comment.time + LATE)}
        if events:
            first = min(events, key=lambda event: (event.period, event.time))
            row["gt_gameTime"] = stamp(first.period, first.time)
        rows.append(row)
    (folder / FILE).write_text(json.dumps({"annotations": rows}))
    return tmp_path


def test_times_are_compared_with_those_by_hand(release):
    (folder,) = match_folders(release)
    captions = read_captions(folder)
    answering = Answering(make_aligner("chains:unlabelled"), [captions.match])
    found = results([score_match(captions, answering)])
    given, ours = found["total"]["given"], found["total"]["touchline"]
    assert given["captions"] == ours["captions"] > 90
    assert given["mean"] > 15
    assert ours["mean_absolute"] < given["mean_absolute"] / 2
    assert ours["windows"]["window_10"] > 0.6 > given["windows"]["window_10"]
    (sheet,) = sheets(found)
    assert [row[0] for row in sheet.rows] == [
        "as given", "touchline", "published: untouched", "published: MatchTime",
    ]  # fmt: skip


def test_a_window_allows_half_of_it_on_either_side():
    offsets = Offsets.of([-5.0, 5.0, 5.1, 30.0])
    assert offsets.windows == {
        "window_10": 0.5, "window_30": 0.75, "window_45": 0.75, "window_60": 1.0,
    }  # fmt: skip
    assert (offsets.mean, offsets.mean_absolute) == (pytest.approx(8.775), pytest.approx(11.275))


def test_what_is_missing_is_said(release, tmp_path_factory):
    with pytest.raises(InputError, match="Labels-caption_with_gt"):
        match_folders(tmp_path_factory.mktemp("empty"))
    (folder,) = match_folders(release)
    (folder / "events.json.gz").unlink()
    with pytest.raises(InputError, match="no match log"):
        read_captions(folder)


def test_a_caption_in_another_half_is_counted_as_skipped(release):
    (folder,) = match_folders(release)
    rows = json.loads((folder / FILE).read_text())["annotations"]
    first = next(row for row in rows if row.get("gt_gameTime", "").startswith("1"))
    first["gt_gameTime"] = "2 - 00:10"
    (folder / FILE).write_text(json.dumps({"annotations": rows}))
    captions = read_captions(folder)
    found = results([score_match(captions, Answering(make_aligner("named"), [captions.match]))])
    assert found["skipped"] == 1
    assert found["total"]["given"]["captions"] == len(captions.right) - 1


def test_a_match_that_the_bundled_model_has_seen_is_answered_by_another(release, monkeypatch):
    """The release has matches of the corpus that the bundled models were learned from."""
    (folder,) = match_folders(release)
    captions, aligner = read_captions(folder), make_aligner("chains")
    monkeypatch.setattr(type(aligner), "bundled_for", lambda self, match: "seen")
    monkeypatch.setattr(
        type(aligner), "fit", lambda self, *given, **more: (_ for _ in ()).throw(LearnedError)
    )
    with pytest.raises(LearnedError):
        score_match(captions, Answering(aligner, [captions.match]))


def test_the_command(release, capsys):
    out = release / "times.json"
    words = ["reproduce", "matchtime", str(release), "--method", "named-nearest"]
    assert cli._run([*words, "--json", str(out)]) == 0
    assert "published: MatchTime" in capsys.readouterr().out
    found = json.loads(out.read_text())
    assert set(found["matches"]) == {"game"}
    (release / "league" / "other").mkdir()
    shutil.copy(release / "league" / "game" / FILE, release / "league" / "other")
    assert cli._run(words) == 3
    assert "no match log" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["matchtime"], ["matchtime", ".", "--figures", "x"],
                                   ["robocup", "folder"]])  # fmt: skip
def test_wrong_usage(words, capsys):
    assert cli._run(["reproduce", *words]) == 2
    assert capsys.readouterr().err
