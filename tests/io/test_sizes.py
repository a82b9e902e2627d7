"""How much a file of one match may have in it, in each of the forms that it comes in."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from touchline import InputError, read_comments, read_events
from touchline.io import parquet as parquet_files
from touchline.io import sizes
from touchline.io.feeds.records import Source

TOO_MANY = r"about [\d,]+ values and lines; the limit for a file of one match is 1,000"
HEAD = "type,period,time\n"
LOGS = {
    "json": json.dumps([{"type": "Pass", "period": 1, "time": 5, "tags": [[]] * 2000}]),
    "csv": HEAD + "Pass,1,5\n" * 2000,
    "semicolons": HEAD.replace(",", ";") + "Pass;1;5\n" * 2000,
    "xml": "<Games><Game>" + "<Event/>" * 2000 + "</Game></Games>",
}


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sizes, "MAX_VALUES", 1000)


@pytest.mark.parametrize("log", LOGS.values(), ids=LOGS)
@pytest.mark.usefixtures("few")
def test_a_log_with_too_many_values_is_refused(log: str):
    with pytest.raises(InputError, match=TOO_MANY):
        read_events(io.StringIO(log), provider="opta" if "<" in log else None)


@pytest.mark.usefixtures("few")
def test_so_is_a_file_beside_it(tmp_path: Path):
    people = tmp_path / "lineups.json"
    people.write_text(json.dumps([[]] * 2000))
    with pytest.raises(InputError, match=r"lineups\.json: " + TOO_MANY):
        Source(people).read()


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize(
    "text",
    [json.dumps({"text": "Goal", "more": [[]] * 2000}), "1' Goal\n" + "\n" * 2000],
    ids=["json", "lines"],
)
def test_so_is_a_commentary(text: str):
    with pytest.raises(InputError, match=TOO_MANY):
        read_comments(io.StringIO(text))


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("mark", sizes._MARKS)
def test_each_mark_alone_is_too_many(mark: str):
    with pytest.raises(InputError, match="about 1,001 values"):
        sizes.check_size("log", (mark * 1001).encode())


@pytest.mark.usefixtures("few")
def test_letters_that_are_like_marks_are_no_values():
    sizes.check_size("log", b"no:mark;no|" * 2000)


def test_a_text_that_a_parquet_file_has_once_counts_in_every_row(tmp_path: Path):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "comments.parquet"
    parquet.write_table(pyarrow.table({"text": ["x" * 100_000] * 2000}), path)
    assert path.stat().st_size < 1 << 20
    with pytest.raises(InputError, match="larger than 16 MB uncompressed"):
        read_comments(path)


@pytest.mark.parametrize(
    ("more", "values"),
    [
        ([[1] * 2_000_000], "2,000,002"),
        ([[[1]] * 700_000], "1,400,002"),
        ([{"a": [1] * 2_000_000}], "2,000,002"),
    ],
)
def test_the_values_in_lists_of_a_parquet_file_are_counted(tmp_path: Path, more, values):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "comments.parquet"
    parquet.write_table(pyarrow.table({"text": ["Goal"], "more": more}), path)
    with pytest.raises(InputError, match=f"about {values} values and lines"):
        read_comments(path)


def test_a_map_in_a_parquet_file_is_counted_once(tmp_path: Path, monkeypatch):
    """Parts of a column share the keys of all of it."""
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "comments.parquet"
    more = [list({"a": "1", "b": "2"}.items())] * 1000
    kind = pyarrow.map_(pyarrow.string(), pyarrow.string())
    columns = {"text": ["Goal"] * 1000, "minute": range(1000), "more": pyarrow.array(more, kind)}
    parquet.write_table(pyarrow.table(columns), path)
    monkeypatch.setattr(parquet_files, "MAX_BATCH", 1)  # a row at a time
    found = parquet_files.rows_as_json(str(path), path.read_bytes(), sizes.MAX_FILE)
    assert len(json.loads(found)) == 1000  # not too many


def test_a_parquet_file_whose_footer_contradicts_itself_ends_no_process(tmp_path: Path):
    """The column has the statistics of one that may lack values, and says that it may not."""
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "comments.parquet"
    parquet.write_table(pyarrow.table({"text": ["Goal"]}), path)
    good = path.read_bytes()
    optional, required = b"%\x02\x18\x04text", b"%\x00\x18\x04text"
    assert optional in good
    path.write_bytes(good.replace(optional, required))
    code = f"from touchline import read_comments; read_comments({str(path)!r})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 1
    assert "not a readable Parquet file" in done.stderr


def test_pyarrow_stays_out_of_the_process_that_reads_a_parquet_file(tmp_path: Path):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "comments.parquet"
    parquet.write_table(pyarrow.table({"text": ["Goal"], "minute": [7]}), path)
    code = (
        "import sys; from touchline import read_comments; "
        f"read_comments({str(path)!r}); sys.exit('pyarrow' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.posix
def test_a_parquet_file_on_which_pyarrow_crashes_is_refused(tmp_path: Path, monkeypatch):
    pytest.importorskip("pyarrow")
    crash = tmp_path / "crash"
    crash.write_text("#!/bin/sh\nkill -ABRT $$\n")
    crash.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(crash))
    with pytest.raises(InputError, match=r"c\.parquet: .* \(pyarrow crashed on it\)"):
        parquet_files.as_json("c.parquet", b"PAR1PAR1", sizes.MAX_FILE)
