"""`touchline live` as a process of its own, with pipes and files that grow."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

PATIENCE = 120  # seconds after which a test gives up


@contextmanager
def live(*words: str) -> Iterator[subprocess.Popen]:
    command = [sys.executable, "-m", "touchline", "live", *words]
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen(command, **pipes) as process:
        try:
            yield process
        finally:
            process.kill()


def say(process: subprocess.Popen, *lines: str) -> None:
    process.stdin.write("".join(lines).encode())
    process.stdin.flush()


def answers(process: subprocess.Popen) -> Iterator[dict]:
    """Answers as they come; every line is whole."""
    for line in iter(process.stdout.readline, b""):
        yield json.loads(line)


def replace(path: Path, text: str) -> None:
    (path.parent / "new").write_text(text)
    os.replace(path.parent / "new", path)


@pytest.fixture
def log(tmp_path, played) -> Path:
    path = tmp_path / "log.json"
    path.write_text(played.log(1e9))
    return path


@pytest.fixture
def options(log, played) -> list[str]:
    return ["--events", str(log), "--lineups", str(played.lineups), "--match", "live"]


def test_a_commentary_that_does_not_exist_yet(tmp_path, options):
    later = tmp_path / "later.txt"
    with live(*options, "--comments", str(later)) as process:
        assert process.stderr.readline().endswith(b"later.txt: no such file; waiting for it\n")


def test_comments_are_answered_before_the_next_comes(options, played):
    lines = played.lines()[:6]
    with live(*options) as process:
        found = answers(process)
        for line in lines:
            say(process, line)
            expected = json.loads(line)["id"]
            answer = next(a for a in found if a["comment"] == expected and "revision" not in a)
            assert answer["match"] == "live"
        process.stdin.close()
        rest = list(found)
        assert process.wait(PATIENCE) == 0
        assert all(answer["revision"] >= 1 for answer in rest)
        assert process.stderr.read() == b""


def test_a_log_that_grows_and_breaks_revises(tmp_path, log, options, played):
    log.unlink()
    last = played.lines()[5]
    comment = json.loads(last)
    with live(*options) as process:
        found = answers(process)
        say(process, *played.lines()[:6])
        first = next(a for a in found if a["comment"] == comment["id"])
        assert first["events"] == []
        whole = played.log(1e9)
        replace(log, whole[: len(whole) // 3])  # half written: nothing is answered by it
        replace(log, whole)
        revised = next(a for a in found if a["comment"] == comment["id"] and a["events"])
        assert revised["revision"] == 1
        process.stdin.close()
        list(found)
        assert process.wait(PATIENCE) == 0


@pytest.mark.posix
def test_a_commentary_in_a_file_that_grows(tmp_path, options, played):
    path = tmp_path / "live.txt"
    path.write_text("")
    texts = [c["text"] for c in played.comments[:3]]
    with live(*options, "--comments", str(path)) as process:
        found = answers(process)
        for number, text in enumerate(texts):
            with path.open("a") as out:
                out.write(f"{number + 1}' {text}\n")
            assert any(answer["comment"] == number for answer in found)
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 130
        assert all(json.loads(line) for line in process.stdout.read().splitlines())
        assert process.stderr.read() == b"touchline: interrupted\n"


@pytest.mark.posix
def test_an_interrupt_leaves_whole_lines(options, played):
    with live(*options) as process:
        say(process, *played.lines())
        first = process.stdout.readline()
        process.send_signal(signal.SIGINT)
        out = first + process.stdout.read()
        assert process.wait(PATIENCE) == 130
        assert out.endswith(b"\n")
        assert all(json.loads(line)["match"] == "live" for line in out.splitlines())


def test_a_reader_who_has_seen_enough(options, played):
    with live(*options) as process:
        say(process, *played.lines())
        process.stdout.readline()
        process.stdout.close()
        process.stdin.close()
        assert process.wait(PATIENCE) == 0
        assert process.stderr.read() == b""


def test_a_log_that_never_comes(log, options, played):
    log.unlink()
    with live(*options) as process:
        out, err = process.communicate("".join(played.lines()[:2]).encode(), PATIENCE)
    assert process.returncode == 1
    assert [json.loads(line)["none"] for line in out.splitlines()] == [1, 1]
    assert err.decode().endswith("log.json: no such file\n")


def test_what_cannot_be_read_is_said_and_left_out(options, played):
    with live(*options) as process:
        lines = [*played.lines()[:2], "{half a line\n", played.lines()[2].rstrip("\n")]
        out, err = process.communicate("".join(lines).encode(), PATIENCE)
    assert process.returncode == 3
    assert {json.loads(line)["comment"] for line in out.splitlines()} == {
        c["id"] for c in played.comments[:3]
    }
    assert b"line 3" in err
    assert b"left out" in err


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "cp1252"])
def test_other_encodings_are_read(options, played, encoding):
    lines = ["12' Señor Müller shoots.\n", *(f"{n}' Goal kick.\n" for n in range(13, 16))]
    with live(*options) as process:
        out, _ = process.communicate("".join(lines).encode(encoding), PATIENCE)
    assert process.returncode == 0
    assert {json.loads(line)["comment"] for line in out.splitlines()} == {0, 1, 2, 3}


def test_a_packed_commentary_is_refused(options, played):
    with live(*options) as process:
        out, err = process.communicate(gzip.compress("".join(played.lines()).encode()), PATIENCE)
    assert (process.returncode, out) == (1, b"")
    assert b"standard input: gzip-compressed" in err
