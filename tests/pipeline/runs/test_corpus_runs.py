"""Corpora from the command line: manifest, bad matches, changes, interruptions, a full disk."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from touchline.cli.shared import shown
from touchline.core.errors import TouchlineError
from touchline.io.corpus.layout import corpus_matches
from touchline.methods.registry import make_aligner
from touchline.pipeline.runs import fit as fitting
from touchline.pipeline.runs.fit import fit_corpus
from touchline.pipeline.runs.workers import Here

# Each interrupts a fit and an alignment. For more of them:
# `TOUCHLINE_KILLS=10 python -m pytest tests/pipeline/runs/test_corpus_runs.py -k moment`
KILLS = int(os.environ.get("TOUCHLINE_KILLS", "1"))
SHORT = ("--set", "rounds=5")


@pytest.fixture(scope="module")
def finished(league, tmp_path_factory) -> Path:
    """What uninterrupted runs with one process give: a model and links."""
    folder = tmp_path_factory.mktemp("finished")
    for words in commands(league, folder):
        given = [sys.executable, "-m", "touchline", *map(str, words), "--jobs", "1"]
        subprocess.run(given, check=True)
    return folder


def commands(corpus: Path, folder: Path) -> list[tuple[object, ...]]:
    fit = ("fit", corpus, "-o", folder / "model.npz", *SHORT)
    align = ("align", "--corpus", corpus, "-o", folder / "links", "--model", folder / "model.npz")
    return [fit, align]


@pytest.fixture
def corpus(league, tmp_path) -> Path:
    """A copy of the league that may be changed."""
    return Path(shutil.copytree(league, tmp_path / "corpus"))


def spoil(corpus: Path, name: str) -> Path:
    path = corpus / name / "comments.jsonl"
    path.write_text('{"id": 1, "text"')
    return path


def test_the_manifest_says_what_became_of_each_match(finished):
    manifest = json.loads((finished / "links" / "manifest.json").read_bytes())
    assert manifest["method"] == "chains"
    assert len(manifest["model"]) == 64
    assert [one["state"] for one in manifest["matches"]] == ["done"] * 5
    for one in manifest["matches"]:
        assert set(one["inputs"]) == {"events.json.gz", "lineups.json", "comments.jsonl"}
        assert (finished / "links" / one["links"]).exists()


def test_a_bad_match_is_named_and_skipped_and_done_when_it_is_mended(
    league, corpus, tmp_path, run, files_of
):
    spoil(corpus, "000001")
    out = tmp_path / "links"
    words = ("align", "--corpus", corpus, "-o", out, "--method", "named-nearest", "--jobs", 1)
    code, said = run(*words)
    assert code == 3
    assert "000001 left out" in said
    manifest = json.loads((out / "manifest.json").read_bytes())
    assert [one["state"] for one in manifest["matches"]].count("done") == 4
    assert "comments.jsonl" in manifest["matches"][1]["problem"]
    before = {path.name: path.stat().st_mtime_ns for path in out.glob("*.jsonl")}
    shutil.copy(league / "000001" / "comments.jsonl", corpus / "000001")
    assert run(*words) == (0, "")
    after = {path.name: path.stat().st_mtime_ns for path in out.glob("*.jsonl")}
    assert set(after) - set(before) == {"000001.jsonl"}
    assert all(after[name] == time for name, time in before.items())
    spoil(corpus, "000001")  # links of what is no longer there go
    assert run(*words)[0] == 3
    assert not list(out.glob("000001*"))
    for number in range(5):
        spoil(corpus, f"00000{number}")
    assert run(*words)[0] == 1


@pytest.mark.posix
@pytest.mark.parametrize(("name", "form"), [("x" * 240, "links"), ("Матч " * 9 + "!", "dataset")])
def test_a_name_that_is_too_long_to_write_stops_no_other_match(corpus, tmp_path, run, name, form):
    (corpus / "000001").rename(corpus / name)
    words = ("--method", "named-nearest", "--jobs", 1, "--format", form)
    code, said = run("align", "--corpus", corpus, "-o", tmp_path / "out", *words)
    assert code == 3
    assert f"{name} left out: the folder's name is too long" in said
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_bytes())
    assert [one["state"] for one in manifest["matches"]].count("done") == 4


def test_other_options_do_every_match_again(league, tmp_path, run, files_of):
    words = ("align", "--corpus", league, "-o", tmp_path, "--method", "named-nearest")
    assert run(*words)[0] == 0
    first = files_of(tmp_path)
    assert run(*words, "--clock", "minute")[0] == 0
    assert not set(first.items()) & set(files_of(tmp_path).items())
    assert run(*words)[0] == 0
    assert files_of(tmp_path) == first


def test_fit_skips_a_bad_match_and_fails_without_a_good_one(corpus, tmp_path, run):
    model, expected = tmp_path / "model.npz", tmp_path / "expected.npz"
    spoil(corpus, "000003")
    for method in (("chains", "--set", "rounds=1"), ("named-rarest",)):
        code, said = run("fit", corpus, "-o", model, "--jobs", 1, "--method", *method)
        assert code == 3
        assert "000003 left out" in said
        assert "4 matches read" in said
    shutil.rmtree(corpus / "000003")
    words = ("fit", corpus, "-o", expected, "--method", "named-rarest")
    assert run(*words)[0] == 0
    assert model.read_bytes() == expected.read_bytes()
    for folder in corpus.iterdir():
        spoil(corpus, folder.name)
    code, said = run("fit", corpus, "-o", tmp_path / "none.npz", "--jobs", 1)
    assert code == 1
    assert "nothing to learn from" in said
    assert not (tmp_path / "none.npz").exists()


def wait_a_moment(process: subprocess.Popen, seconds: float) -> bool:
    """Whether it still runs after so long."""
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return True
    return False


@pytest.mark.posix
@pytest.mark.parametrize("number", range(KILLS))
def test_interrupted_at_any_moment_the_result_is_the_same(
    number, league, finished, tmp_path, command, run, files_of
):
    chance = random.Random(number)
    for words in commands(league, tmp_path):
        sent = chance.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
        process = command(*words, "--jobs", 2)
        if wait_a_moment(process, chance.uniform(0.3, 4.0)):
            process.send_signal(sent)
        process.communicate()
        for path in (tmp_path / "links").glob("[!.]*.jsonl"):
            assert path.read_bytes() == (finished / "links" / path.name).read_bytes()
        assert run(*words, "--jobs", 2)[0] == 0
    assert files_of(tmp_path) == files_of(finished)


@pytest.mark.posix
def test_interrupted_it_says_so_and_keeps_what_is_done(league, tmp_path, command):
    process = command(*commands(league, tmp_path)[0], "--set", "rounds=1000", "--jobs", 2)
    work = tmp_path / "model.npz.work"
    while not list(work.glob("progress-*")):
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate()
    assert (process.returncode, said) == (130, "touchline: interrupted\n")
    assert len(list(work.glob("[!p]*.npz"))) == 5


def test_a_fit_goes_on_after_its_last_round(league, tmp_path, monkeypatch):
    matches, asked = corpus_matches(league), []
    output = tmp_path / "model.npz"

    def fit(stop_after: int | None) -> int:
        """The number of questions that the matches were asked."""
        asked.clear()

        def ask(given, path):
            asked.append(path)
            if len(asked) == stop_after:
                raise KeyboardInterrupt
            return real(given, path)

        monkeypatch.setattr(fitting, "_ask", ask)
        aligner = make_aligner("chains", {"rounds": 6})
        fit_corpus(aligner, matches, "second", output, Here(), shown)
        return len(asked)

    real = fitting._ask
    in_all = fit(None)
    assert in_all == make_aligner("chains", {"rounds": 6}).asks(5)
    expected = output.read_bytes()
    with pytest.raises(KeyboardInterrupt):
        fit(5 * 6 + 2)  # words, what there is, four rounds, and into the fifth
    assert fit(None) == in_all - 5 * (1 + 4)  # words again, but not what is done already
    assert output.read_bytes() == expected
    assert not (tmp_path / "model.npz.work").exists()


def test_a_damaged_condensed_match_is_a_clear_error(league, tmp_path, monkeypatch):
    aligner = make_aligner("chains", {"rounds": 2})
    output = tmp_path / "model.npz"
    monkeypatch.setattr(fitting.OnDisk, "save_checkpoint", lambda self, state: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        fit_corpus(aligner, corpus_matches(league), "second", output, Here(), shown)
    next((tmp_path / "model.npz.work").glob("*.npz")).write_bytes(b"PK nonsense")
    with pytest.raises(TouchlineError, match="damaged"):
        fit_corpus(aligner, corpus_matches(league), "second", output, Here(), shown)


@pytest.mark.posix
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_full_disk_is_a_clear_error_and_the_next_run_goes_on(
    jobs, league, tmp_path, run, files_of
):
    resource = pytest.importorskip("resource")

    def little_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (2_000, 2_000))

    words = ("align", "--corpus", league, "--method", "named-nearest", "--jobs", jobs, "-o")
    code, said = run(*words, tmp_path / "links", preexec_fn=little_room)
    assert code == 1
    assert "cannot be written" in said
    assert "Traceback" not in said
    assert not [path for path in files_of(tmp_path) if path.endswith(".tmp")]
    assert run(*words, tmp_path / "links")[0] == 0
    assert run(*words, tmp_path / "others")[0] == 0
    assert files_of(tmp_path / "links") == files_of(tmp_path / "others")


def test_jobs_and_cluster_are_for_corpora(sample_folder, run):
    files = (sample_folder / "events.json.gz", sample_folder / "live.txt")
    assert run("align", *files, "--jobs", 2)[0] == 2
    assert run("align", *files, "--cluster", "local:2")[0] == 2
