"""Commentary and outputs that go wrong: one clear sentence each, and no file half written."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest

from touchline import cli, read_comments
from touchline.core.errors import InputError
from touchline.io import files

COMMENTS = "comments.jsonl"


@pytest.fixture
def rows(sample_folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (sample_folder / COMMENTS).read_text().splitlines()]


Done = subprocess.CompletedProcess[str]


@pytest.fixture
def align(sample_folder: Path, tmp_path: Path, capsys):  # type: ignore[no-untyped-def]
    """Run `align` on the bundled match's log and the given commentary, in this process or not."""

    def align(said: Path | list[dict[str, object]], *words: object, **process: object) -> Done:
        if isinstance(said, list):
            path = tmp_path / COMMENTS
            path.write_text("\n".join(map(json.dumps, said)), encoding="utf-8")
            said = path
        command = ["align", *map(str, [sample_folder / "events.json.gz", said, *words])]
        if process:
            # Without bytecode: on a full disk, Python leaves half a file of it.
            alone = [sys.executable, "-B", "-m", "touchline", *command]
            return subprocess.run(alone, capture_output=True, text=True, **process)  # type: ignore[call-overload,no-any-return]
        code = cli._run(command)
        return subprocess.CompletedProcess(command, code, *capsys.readouterr())

    return align


def links(done: Done) -> list[dict[str, object]]:
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def complaint(done: Done, code: int = 1) -> str:
    assert (done.returncode, done.stdout) == (code, "")
    (sentence,) = done.stderr.splitlines()
    assert sentence.startswith("touchline: ")
    return sentence


def test_comments_without_a_clock_are_linked_by_their_words(align, rows) -> None:
    done = align([{"id": row["id"], "text": row["text"]} for row in rows[:20]])
    assert len(links(done)) == 20
    why = "they are linked by their words only"
    assert f"touchline: warning: 20 of 20 comments have no clock; {why}\n" in done.stderr


def test_a_clock_past_the_end_gets_no_event(align, rows) -> None:
    late = [*rows[:10], {"id": "late", "period": 2, "time": 3890, "text": "Foul by Field"},
            {"id": "extra", "clock": "119'", "text": "Goal for Field"}]  # fmt: skip
    done = align(late)
    answers = {row["comment"]: row["events"] for row in links(done)}
    assert answers["late"] == answers["extra"] == []
    assert "warning: 2 of 12 comments are timed after the log's end" in done.stderr
    assert "is invalid; expected 12'" in complaint(align([{"clock": "754'", "text": "Goal"}]))


@pytest.mark.parametrize("method", ["chains", "named"])
def test_the_longest_comment_is_linked_a_longer_one_cut_and_an_absurd_one_refused(
    align, rows, method
) -> None:
    text = " ".join(str(row["text"]) for row in rows)
    rows[40]["text"] = text[:5_000]
    done = align(rows, "--method", method)
    assert len(links(done)) == len(rows)
    assert "warning" not in done.stderr
    rows[40]["text"] = (text * 100)[:20_000]
    cut = align(rows, "--method", method)
    assert links(cut) == links(done)
    assert f"comment {rows[40]['id']} has 20,000 characters; only the first 5,000" in cut.stderr
    rows[40]["text"] = (text * 100)[:1_000_000]
    refused = "characters in all; the limit for one match is 500,000"
    assert refused in complaint(align(rows, "--method", method))


@pytest.mark.parametrize("ending", [".jsonl", ".html", ".vtt", ".csv"])
def test_right_to_left_and_emoji_come_out_as_they_went_in(align, rows, tmp_path, ending) -> None:
    said = "⚽ גול של Field! \u202eهدف\u202c 👨‍👩‍👧 🇧🇷"
    rows[3] |= {"id": "שלום 🥅", "text": said}
    out = tmp_path / f"links{ending}"
    done = align(rows[:6], "-o", out, "--method", "named")
    assert (done.returncode, done.stderr) == (0, "")
    written = out.read_text(encoding="utf-8")
    assert ("שלום 🥅" if ending == ".jsonl" else said) in written


def test_a_folder_is_no_commentary(align, tmp_path) -> None:
    assert complaint(align(tmp_path)) == f"touchline: {tmp_path}: is a folder; expected a file"


def test_no_permission(sample_folder, tmp_path, monkeypatch, capsys) -> None:
    """In this process, as root may read everything."""
    said = tmp_path / "live.txt"

    def refuse(path: object, *words: object, **more: object) -> object:
        if path == said:
            raise PermissionError(errno.EACCES, "Permission denied")
        return open(path, *words, **more)  # type: ignore[call-overload]

    monkeypatch.setattr(files, "open", refuse, raising=False)
    assert cli._run(["align", str(sample_folder / "events.json.gz"), str(said)]) == 1
    assert capsys.readouterr().err == f"touchline: {said}: no permission to read it\n"


@pytest.mark.parametrize(
    "text", ["[" * 100_000, '{"comments": ' * 100_000, '{"segments":[' * 100_000]
)
def test_json_nested_without_end(align, tmp_path, text) -> None:
    said = tmp_path / "deep.json"
    said.write_text(text)
    assert "not valid JSON (nested too deeply)" in complaint(align(said))


def test_a_file_of_200_megabytes_is_refused_before_it_fills_the_memory(tmp_path) -> None:
    said = tmp_path / "large.jsonl"
    with open(said, "wb") as out:
        out.write(b'{"id": 1, "text": "Foul"}\n')
        out.truncate(200 << 20)
    tracemalloc.start()
    with pytest.raises(InputError, match="larger than 16 MB"):
        read_comments(said)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 100 << 20


def test_more_comments_than_a_match_has(align, monkeypatch, tmp_path) -> None:
    monkeypatch.setattr("touchline.io.commentary.limits.MAX_COMMENTS", 5)
    said = tmp_path / "live.txt"
    said.write_text("12' Foul\n" * 6)
    with pytest.raises(InputError, match="6 comments; the limit for one match is 5"):
        read_comments(said)


@pytest.mark.posix
@pytest.mark.parametrize("ending", [".jsonl", ".csv", ".html", ".vtt", ".parquet"])
def test_a_full_disk_leaves_what_was_there(align, rows, tmp_path, ending) -> None:
    out = tmp_path / "out" / f"links{ending}"
    out.parent.mkdir()
    out.write_bytes(b"old")
    done = align(rows, "--method", "named", "-o", out, preexec_fn=_small_disk)
    assert f"{out}: cannot be written (File too large)" in complaint(done)
    assert out.read_bytes() == b"old"
    assert os.listdir(out.parent) == [out.name]


def _small_disk() -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))


def test_where_nothing_can_be_written(align, rows, tmp_path) -> None:
    folder, file = tmp_path / "links.jsonl", tmp_path / "file"
    folder.mkdir()
    file.touch()
    for path, problem in ((folder, "is a folder"), (file / "links.jsonl", "cannot be written")):
        sentence = complaint(align(rows[:3], "--method", "named", "-o", path))
        assert sentence.startswith(f"touchline: {path}: {problem}")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--kickoff", "1"], "expected PERIOD=SECONDS"),
        (["--kickoff", "7=3"], "expected PERIOD=SECONDS"),
        (["--kickoff", "1=3", "--kickoff", "1=4"], "once per period"),
        (["--kickoff", "5=3"], "kick-off is given for period 5, which is not in the log"),
        (["--kickoff", "1=999999"], "out of range for a match recording"),
        (["--kickoff", "1=1:00:00:00"], "expected PERIOD=SECONDS"),
        (["--kickoff", "1=3@"], "expected PERIOD=SECONDS"),
        (["--kickoff", "1=3@999999"], "out of range for a match recording"),
        (["--kickoff", "1=3@60"], "kick-off of period 1: expected exactly one without @SECOND"),
        (["--kickoff", "1=3", "--kickoff", "1=9@60", "--kickoff", "1=8@60"], "once per period"),
    ],
)
def test_kick_offs_that_are_none(align, rows, words, message) -> None:
    assert message in complaint(align(rows, *words), code=2)


def test_a_kick_off_for_a_live_page_is_refused(align, sample_folder) -> None:
    sentence = complaint(align(sample_folder / "live.txt", "--kickoff", "1=3"))
    assert "line 1: no exact time; kick-offs can only be given for the clock" in sentence


def test_recordings_and_sentences_from_the_command_line(align, rows, tmp_path) -> None:
    segments = {str(i): [row["time"] + 100, row["time"] + 104, row["text"]]
                for i, row in enumerate(rows) if row["period"] == 1}  # fmt: skip
    said, out = tmp_path / "1_asr.json", tmp_path / "links.jsonl"
    said.write_text(json.dumps({"segments": segments}))
    done = align(said, "--sentences", "--method", "named-nearest", "-o", out)
    assert done.returncode == 0, done.stderr
    assert "touchline: period 1 kicks off at 10" in done.stderr
    assert "certainty 1.00" in done.stderr
    origin = json.loads(Path(f"{out}.meta.json").read_text())
    (kickoff,) = origin["command"]["kickoffs"]
    assert kickoff["period"] == 1
    assert kickoff["seconds"] == pytest.approx(100, abs=12)
    assert origin["command"]["sentences"] is True
    ids = [json.loads(line)["comment"] for line in out.read_text().splitlines()]
    assert {"0.1", "0.2"} <= set(ids)
    given = align(said, "--kickoff", "1=1:40", "--method", "named-nearest", "-o", out)
    assert (given.returncode, given.stderr) == (0, "")
    origin = json.loads(Path(f"{out}.meta.json").read_text())
    assert origin["command"]["kickoffs"] == [{"period": 1, "seconds": 100.0}]
    cut = [*("--kickoff", "1=70@20:00"), *("--kickoff", "1=100"), "--method", "named-nearest"]
    given = align(said, *cut, "-o", out)
    assert (given.returncode, given.stderr) == (0, "")
    origin = json.loads(Path(f"{out}.meta.json").read_text())
    assert origin["command"]["kickoffs"] == [
        {"period": 1, "seconds": 100.0},
        {"period": 1, "seconds": 70.0, "since": 1200.0},
    ]


@pytest.mark.parametrize(
    ("file", "looks"),
    [
        ("events.json.gz", "StatsBomb events (the match log comes first, then the comments)"),
        ("lineups.json", "line-ups (they go with --lineups)"),
        ("gold.jsonl", "labels (they stay in the match folder)"),
    ],
)
def test_another_file_of_the_match_is_recognised(
    align,  # type: ignore[no-untyped-def]
    sample_folder: Path,
    file: str,
    looks: str,
) -> None:
    done = align(sample_folder / file)
    assert done.returncode == 1
    assert f"{file}: looks like {looks}; expected the commentary" in done.stderr
