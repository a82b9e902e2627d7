"""From a recording to a transcript: cutting, resuming, wrong files, two recognisers."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from tests.speaking import write_wave
from tests.waiting import wait_for
from touchline import read_comments, read_events
from touchline.core.errors import InputError, TouchlineError
from touchline.pipeline.transcribe import engines, run
from touchline.pipeline.transcribe.audio import RATE, chunks, decoded, quietest
from touchline.pipeline.transcribe.engines import Pocketsphinx, Segment, Whisper, Word
from touchline.pipeline.transcribe.pronunciation import pronounce
from touchline.pipeline.transcribe.run import names_of, transcribe


@pytest.fixture
def noise(tmp_path):
    """Ten seconds of noise with half a second of silence from second 6.5 on."""
    samples = np.random.default_rng(0).integers(-9000, 9000, 10 * RATE)
    samples[round(6.5 * RATE) : 7 * RATE] = 0
    return write_wave(tmp_path / "noise.wav", samples)


class Stub:
    """An engine that says how long each chunk is, and stops after some."""

    def __init__(self, stops_after=None):
        self.about, self.lengths, self.stops_after = {"engine": "stub"}, [], stops_after

    def segments(self, samples):
        if len(self.lengths) == self.stops_after:
            raise KeyboardInterrupt
        self.lengths.append(len(samples) / RATE)
        words = (Word(word="so", start=0.5, end=0.75), Word(word="long", start=0.75, end=1.0))
        yield Segment(start=0.5, end=1.0, text="so long", words=words)


@pytest.fixture
def short_chunks(monkeypatch):
    monkeypatch.setattr(run, "CHUNK", 4.0)
    monkeypatch.setattr(run, "SEARCH", 2.0)


def test_cuts_are_made_where_it_is_quiet(noise):
    first, second = chunks(noise, 8, 3)
    assert 6.5 <= first.end == second.start <= 7
    assert len(first.samples) + len(second.samples) == 10 * RATE
    together = np.concatenate([first.samples, second.samples])
    assert np.array_equal(together, np.concatenate(list(decoded(noise))))


def test_reading_can_start_anywhere(noise):
    whole = np.concatenate(list(decoded(noise)))
    (rest,) = chunks(noise, 60, 3, since=2.5)
    assert rest.start == 2.5
    assert np.array_equal(rest.samples, whole[round(2.5 * RATE) :])


def test_the_quietest_moment_of_what_is_too_short():
    assert quietest(np.ones(5, np.float32)) == 2


def test_times_are_those_of_the_recording(noise, tmp_path, short_chunks):
    stub = Stub()
    found = transcribe(noise, tmp_path / "out.json", stub)
    starts = np.cumsum([0, *stub.lengths[:-1]])
    assert [one.start for one in found.segments] == [round(at + 0.5, 2) for at in starts]
    assert found.segments[1].words[1].end == found.segments[1].end
    assert (found.seconds, found.resumed) == (10, 0)
    written = json.loads((tmp_path / "out.json").read_text())
    assert written["segments"][2]["words"][0]["word"] == "so"
    assert not list(tmp_path.glob("*.partial"))


def test_an_interrupted_run_goes_on(noise, tmp_path, short_chunks):
    transcribe(noise, tmp_path / "whole.json", Stub())
    with pytest.raises(KeyboardInterrupt):
        transcribe(noise, tmp_path / "out.json", Stub(stops_after=2))
    assert not (tmp_path / "out.json").exists()
    stub = Stub()
    found = transcribe(noise, tmp_path / "out.json", stub)
    assert found.resumed > 4
    assert sum(stub.lengths) == pytest.approx(10 - found.resumed)
    assert (tmp_path / "out.json").read_bytes() == (tmp_path / "whole.json").read_bytes()


@pytest.mark.parametrize("change", ["recording", "engine", "cut off", "damaged"])
def test_what_an_earlier_run_did_of_something_else_is_not_used(
    noise, tmp_path, short_chunks, change
):
    with pytest.raises(KeyboardInterrupt):
        transcribe(noise, tmp_path / "out.json", Stub(stops_after=2))
    partial, stub = tmp_path / "out.json.partial", Stub()
    if change == "recording":
        noise = write_wave(noise, np.zeros(10 * RATE))
    elif change == "engine":
        stub.about = {"engine": "another"}
    elif change == "damaged":
        partial.write_bytes(partial.read_bytes()[:-9] + b'"\xe7')
    else:
        partial.write_bytes(partial.read_bytes()[:-9])  # in the middle of the second chunk
    found = transcribe(noise, tmp_path / "out.json", stub)
    assert (found.resumed > 0) == (change in ("cut off", "damaged"))
    assert found.seconds == 10
    ends = [one["end"] for one in json.loads((tmp_path / "out.json").read_text())["segments"]]
    assert ends == sorted(set(ends))


@pytest.mark.parametrize(
    ("content", "problem"),
    [(b"not sound at all" * 99, "can be decoded"), (b"", "can be decoded"), (None, "No such file")],
)
def test_a_wrong_file_is_refused(tmp_path, content, problem):
    path = tmp_path / "half.mp3"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError, match=problem):
        list(decoded(path))


def test_a_picture_has_no_sound(tmp_path):
    import av

    path = tmp_path / "silent.mp4"
    with av.open(str(path), "w") as out:
        stream = out.add_stream("mpeg4", rate=5)
        stream.width = stream.height = 32
        frame = av.VideoFrame.from_ndarray(np.zeros((32, 32, 3), np.uint8), format="rgb24")
        out.mux(stream.encode(frame))
        out.mux(stream.encode(None))
    with pytest.raises(InputError, match="no audio"):
        list(decoded(path))


# Whisper: its weights cannot be bundled, so a stub takes the model's place ------------------------


class StubModel:
    """The part of `faster_whisper.WhisperModel` that is used."""

    def __init__(self, name, local_files_only=False):
        assert local_files_only
        self.asked = []

    def transcribe(self, samples, **options):
        self.asked.append(options)
        word = SimpleNamespace(word=" Go", start=0.25, end=0.5, probability=0.9)
        found = [SimpleNamespace(start=0.25, end=0.5, text=" Go", words=[word])]
        return iter(found), SimpleNamespace(language="en")


def test_whisper_is_given_the_names_and_asked_for_word_times(noise, tmp_path, monkeypatch):
    import faster_whisper

    monkeypatch.setattr(faster_whisper, "WhisperModel", StubModel)
    whisper = Whisper(str(tmp_path), ["Harrowmere City", "Zeco"], "en")
    found = transcribe(noise, tmp_path / "out.json", whisper)
    (asked,) = whisper._model.asked
    assert asked["hotwords"] == "Harrowmere City, Zeco"
    assert asked["word_timestamps"]
    assert asked["vad_filter"]
    assert found.segments[0].words == (Word(word=" Go", start=0.25, end=0.5, probability=0.9),)
    (comment,) = read_comments(tmp_path / "out.json")
    assert comment.text == "Go"


def test_the_options_given_to_whisper_are_its_own():
    import inspect

    from faster_whisper import WhisperModel

    known = inspect.signature(WhisperModel.transcribe).parameters
    assert {"hotwords", "word_timestamps", "vad_filter", "condition_on_previous_text"} <= set(known)


def test_whisper_finds_speech_with_the_detector_that_it_brings(speak, tmp_path):
    from faster_whisper.vad import get_speech_timestamps

    path = speak(tmp_path / "a.wav", [(4, "A long ball forward, and it is cleared.")], 12)
    (chunk,) = chunks(path, 300, 60)
    (speech,) = get_speech_timestamps(chunk.samples)
    assert 3 < speech["start"] / RATE < 4.5
    assert speech["end"] / RATE < 9


@pytest.mark.parametrize("model", ["small.en", "no/such-model", "folder"])
def test_missing_weights_are_explained_and_nothing_is_downloaded(tmp_path, monkeypatch, model):
    monkeypatch.setenv("HF_HUB_OFFLINE", "0")
    monkeypatch.setattr("socket.socket.connect", lambda *_: pytest.fail("asked the network"))
    if model == "folder":
        model = str(tmp_path)
    with pytest.raises(TouchlineError, match=r"Whisper model .*downloads nothing"):
        Whisper(model, [], "en")


# Pocketsphinx: a real recogniser -----------------------------------------------------------------


def test_a_real_recogniser_hears_names_where_they_are_said(speak, tmp_path):
    lines = [(2, "Reuben Cross shoots."), (12, "Barnaby clears the ball.")]
    path = speak(tmp_path / "half.wav", lines, 20)
    names = ["Reuben Cross", "Barnaby Field", "Harrowmere City"]
    found = transcribe(path, tmp_path / "half.json", Pocketsphinx(names))
    heard = {word.word: word.start for one in found.segments for word in one.words}
    assert 2 <= heard["Reuben"] < 4
    assert 12 <= heard["Barnaby"] < 14
    assert all(one.start < 8 or one.start > 11.5 for one in found.segments)  # silence says nothing
    comments = read_comments(tmp_path / "half.json")
    assert any("Reuben" in comment.text for comment in comments)
    assert comments[0].spoken  # word times reach the aligner


def test_silence_is_no_speech(tmp_path):
    path = write_wave(tmp_path / "silence.wav", np.zeros(5 * RATE))
    assert transcribe(path, tmp_path / "out.json", Pocketsphinx([])).segments == []


@pytest.mark.parametrize(
    ("word", "phones"),
    [("cross", "K R OW S"), ("schneider", "SH N AY D ER"), ("phillips", "F IH L IH P S"),
     ("cesar", "S EH S AA R"), ("diego", "D IY G OW"), ("Ж", ""),
     ("hatakeda", "HH AE T AE K EH D AH")],
)  # fmt: skip
def test_names_have_sounds(word, phones):
    assert pronounce(word) == phones


def test_names_are_those_of_the_log(sample_folder):
    names = names_of(read_events(sample_folder / "events.json.gz"))
    assert names[:3] == ["Harrowmere City", "Castlebrook Athletic", "Tomáš Havlovec"]
    assert len(names) == len(set(names)) > 22


def test_names_replace_what_was_heard_in_their_place():
    def word(text, start, end):
        return Word(word=text, start=start, end=end)

    heard = [word("the", 0, 0.2), word("soul", 0.3, 0.6), word("wins", 0.7, 1)]
    names = [word("sorrel", 0.25, 0.65), word("sol", 0.3, 0.6)]
    merged = engines._merged(heard, names)
    assert [one.word for one in merged] == ["the", "sorrel", "wins"]


# The command -------------------------------------------------------------------------------------


@pytest.mark.posix
def test_a_killed_command_goes_on_where_it_stopped(speak, tmp_path):
    path = speak(tmp_path / "half.wav", [(at, "He shoots.") for at in range(1, 12, 4)], 12)
    slow = (
        "import sys, touchline.pipeline.transcribe.run as run; run.CHUNK, run.SEARCH = 4.0, 1.0;"
        "from touchline.cli import main; main(sys.argv[1:])"
    )
    engine = ["--engine", "pocketsphinx"]
    command = [sys.executable, "-c", slow, "transcribe", str(path), *engine, "-o"]
    process = subprocess.Popen([*command, str(tmp_path / "out.json")])
    partial = tmp_path / "out.json.partial"
    wait_for(lambda: partial.exists() and partial.read_bytes().count(b"\n") >= 2)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert not (tmp_path / "out.json").exists()
    again = [*command, str(tmp_path / "out.json")]
    done = subprocess.run(again, capture_output=True, text=True)
    assert (done.returncode, "resumed at 0:00:" in done.stderr) == (0, True), done.stderr
    whole = [*command, str(tmp_path / "whole.json")]
    subprocess.run(whole, check=True, capture_output=True)
    assert (tmp_path / "out.json").read_bytes() == (tmp_path / "whole.json").read_bytes()
