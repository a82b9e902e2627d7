"""`touchline transcribe`, and `align` on what it writes."""

from __future__ import annotations

import json
from types import SimpleNamespace

import numpy as np
import pytest

from tests.speaking import write_wave
from touchline import cli, read_events
from touchline.pipeline.transcribe.audio import RATE

SPHINX = ["--engine", "pocketsphinx"]


@pytest.fixture
def run(capsys):
    def run(*words):
        code = cli._run(list(map(str, words)))
        return SimpleNamespace(exit_code=code, stderr=capsys.readouterr().err)

    return run


@pytest.fixture
def silence(tmp_path):
    return write_wave(tmp_path / "silence.wav", np.zeros(2 * RATE))


@pytest.mark.system
def test_from_sound_to_links(run, speak, tmp_path, sample_folder):
    """The whole way with a real recogniser: speech, transcript, links."""
    log = sample_folder / "events.json.gz"
    events = [
        event for event in read_events(log).linkable
        if event.period == 1 and event.player and event.player.label == "Reuben Cross"
    ]  # fmt: skip
    first = events[0].time
    said = [events[0], next(event for event in events if event.time > first + 20)]
    starts = round(first) - 5  # when the recording does
    recording = speak(
        tmp_path / "half.wav",
        [(event.time + 1 - starts, "Reuben Cross. Reuben Cross.") for event in said],
        said[-1].time + 5 - starts,
    )
    out = tmp_path / "half.json"
    done = run("transcribe", recording, "-o", out, "--events", log, *SPHINX)
    assert done.exit_code == 0, done.stderr
    assert f"-> {out}" in done.stderr
    assert json.loads(out.read_text())["transcription_of"]["names"][0] == "Harrowmere City"
    links = tmp_path / "links.jsonl"
    done = run("align", log, out, "--kickoff", f"1={-starts}", "-o", links)
    assert done.exit_code == 0, done.stderr
    linked = [row for row in map(json.loads, links.read_text().splitlines()) if row["events"]]
    cross = {event.id for event in events}
    assert any(event["id"] in cross for row in linked for event in row["events"])


def test_no_speech_is_said(run, silence, tmp_path):
    done = run("transcribe", silence, "-o", tmp_path / "out.json", *SPHINX)
    assert (done.exit_code, "no speech was recognised" in done.stderr) == (0, True)


def test_several_recordings_go_to_a_folder(run, silence, tmp_path):
    other = write_wave(tmp_path / "second.wav", np.zeros(RATE))
    done = run("transcribe", silence, other, "-o", tmp_path / "texts", *SPHINX)
    assert done.exit_code == 0
    assert {path.name for path in (tmp_path / "texts").iterdir()} == {"silence.json", "second.json"}


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ([], "--engine whisper needs --model"),
        (["--lineups", "x.json"], "need --events"),
        ([*SPHINX, "--model", "small"], "are for --engine whisper"),
    ],
)
def test_wrong_usage(run, silence, tmp_path, words, problem):
    done = run("transcribe", silence, "-o", tmp_path / "out.json", *words)
    assert (done.exit_code, problem in done.stderr) == (2, True), done.stderr


def test_several_recordings_need_a_folder(run, silence, tmp_path):
    done = run("transcribe", silence, silence, "-o", tmp_path / "out.json", *SPHINX)
    assert (done.exit_code, "need a folder" in done.stderr) == (2, True)


def test_a_recording_is_not_overwritten(run, silence):
    done = run("transcribe", silence, "-o", silence, *SPHINX)
    assert (done.exit_code, "would be overwritten" in done.stderr) == (2, True)


def test_what_is_no_sound_is_an_error_in_one_line(run, tmp_path):
    path = tmp_path / "half.mp3"
    path.write_text("not sound")
    done = run("transcribe", path, "-o", tmp_path / "out.json", *SPHINX)
    assert done.exit_code == 1
    assert done.stderr == f"touchline: {path}: not an audio or video file that can be decoded\n"
    assert not list(tmp_path.glob("out.json*"))


def test_one_of_several_that_is_no_sound_does_not_stop_the_others(run, silence, tmp_path):
    broken = tmp_path / "a.mp3"
    broken.write_text("not sound")
    done = run("transcribe", broken, silence, "-o", tmp_path / "texts", *SPHINX)
    assert done.exit_code == 3
    assert f"{broken} left out: not an audio or video file" in done.stderr
    assert [path.name for path in (tmp_path / "texts").iterdir()] == ["silence.json"]
    assert run("transcribe", broken, broken.rename(tmp_path / "b.mp3"), "-o", tmp_path / "none",
               *SPHINX).exit_code == 1  # fmt: skip
