"""`touchline align`: standard input, columns, a summary, and libraries that are missing."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from touchline import cli

LOG = """type,period,time,team,player
Pass,1,3,City,Ann Archer
Shot,1,60,City,Bo Reis
"""
TABLE = "Minuto;Comentario\n1;Archer passes the ball\n2;Reis shoots\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "events.csv").write_text(LOG)
    (tmp_path / "live.txt").write_text("1' Archer passes the ball\n2' Reis shoots\n")
    (tmp_path / "table.csv").write_text(TABLE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words: str) -> int:
    with pytest.raises(SystemExit) as stop:
        cli.main(["align", *words])
    return stop.value.code


class Piped:
    def __init__(self, data: bytes) -> None:
        self.buffer = io.BufferedReader(io.BytesIO(data))


@pytest.mark.parametrize("place", [0, 1])
def test_either_file_may_come_through_a_pipe(folder, monkeypatch, place, capfdbinary):
    files = ["events.csv", "live.txt"]
    common = ["--method", "named", "--match", "m"]
    assert run(*files, *common) == 0
    expected = capfdbinary.readouterr().out
    monkeypatch.setattr(sys, "stdin", Piped((folder / files[place]).read_bytes()))
    files[place] = "-"
    assert run(*files, *common) == 0
    assert capfdbinary.readouterr().out == expected != b""


def test_standard_output_may_be_given_as_a_dash(folder, capsys):
    assert run("events.csv", "live.txt", "--method", "named") == 0
    printed = capsys.readouterr().out
    assert run("events.csv", "live.txt", "--method", "named", "-o", "-") == 0
    assert capsys.readouterr().out == printed != ""
    assert not (folder / "-").exists()


def test_both_files_cannot_come_through_one_pipe(folder, capsys):
    assert run("-", "-") == 2
    assert "standard input (-) can be given for one file only" in capsys.readouterr().err


def test_columns_are_chosen_for_one_match_and_for_a_corpus(folder, capsys):
    assert run("events.csv", "table.csv", "--method", "named") == 1
    assert "found: Minuto, Comentario; name it with --text-column" in capsys.readouterr().err
    columns = ["--text-column", "Comentario", "--clock-column", "Minuto", "--method", "named"]
    assert run("events.csv", "table.csv", *columns, "-o", "links.csv", "--bom") == 0
    assert (folder / "links.csv").read_bytes().startswith(b"\xef\xbb\xbfmatch,comment,")
    match = folder / "corpus" / "one"
    match.mkdir(parents=True)
    shutil.copy("events.csv", match / "events.csv")
    shutil.copy("table.csv", match / "comments.csv")
    assert run("--corpus", "corpus", "-o", "out", "--jobs", "1", *columns) == 0
    assert b'"state":"linked"' in (folder / "out" / "one.jsonl").read_bytes()


def test_a_mark_needs_a_csv_file(folder, capsys):
    assert run("events.csv", "live.txt", "--bom") == 2
    assert run("events.csv", "live.txt", "-o", "links.jsonl", "--bom") == 2
    assert "only CSV files have a byte order mark" in capsys.readouterr().err


@pytest.mark.parametrize("ending", ["parquet", "xlsx"])
def test_a_missing_library_is_noticed_before_anything_is_read(folder, monkeypatch, capsys, ending):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    assert run("no-such-file", "live.txt", "-o", f"links.{ending}") == 1
    assert "needs another package: pip install 'touchline[" in capsys.readouterr().err


def on_terminal(*words: str) -> str:
    """What a command says where standard error is a terminal."""
    import pty

    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "touchline", "align", *words]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=theirs) as process:
        os.close(theirs)
        said = b""
        try:
            while block := os.read(ours, 4096):
                said += block
        except OSError:  # the other end is closed
            pass
    assert process.returncode == 0, said
    os.close(ours)
    return said.decode()


@pytest.mark.posix
def test_a_summary_says_what_came_out_and_where_it_is(folder):
    said = on_terminal("events.csv", "live.txt", "--method", "named", "-o", "links.jsonl")
    assert "touchline: 2 of 2 comments linked, 2 pairs -> links.jsonl\r\n" in said
    shutil.copytree(folder, folder / "corpus" / "a", ignore=shutil.ignore_patterns("corpus", "l*"))
    (folder / "corpus" / "a" / "table.csv").unlink()
    shutil.copy("live.txt", folder / "corpus" / "a" / "comments.txt")
    for earlier in ("", " (1 finished earlier)"):  # also where nothing is left to do
        said = on_terminal("--corpus", "corpus", "-o", "out", "--method", "named", "--jobs", "1")
        linked = "2 of 2 comments linked, 2 pairs -> out"
        assert f"touchline: 1 of 1 matches{earlier}, {linked}\r\n" in said


@pytest.mark.posix
def test_pipes_stay_quiet(folder):
    done = subprocess.run([sys.executable, "-m", "touchline", "align", "events.csv", "live.txt",
                           "--method", "named", "-o", "l.jsonl"],
                          capture_output=True, text=True)  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_what_is_slow_to_load_is_loaded_only_where_it_is_used():
    """Rich draws on terminals, metadata of packages is for plug-ins, XML for feeds in XML.

    Other files than numpy's need zipfile, and only learning is random.
    """
    code = "import sys, touchline.cli.align; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    slow = {"rich", "importlib.metadata", "lxml", "logging", "multiprocessing", "numba", "scipy",
            "random", "statistics", "xml.parsers.expat", "zipfile"}  # fmt: skip
    assert not slow & set(loaded.stdout.split())


def test_numpy_is_loaded_after_the_threads_of_blas_are_counted():
    """`main` sets how many threads there are, which numpy reads when it is loaded."""
    code = "import sys, touchline.cli; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert "numpy" not in loaded.stdout.split()
