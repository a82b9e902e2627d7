"""Encodings, gzip and damaged files in; whole files or nothing out."""

from __future__ import annotations

import codecs
import contextlib
import csv
import errno
import gzip
import hashlib
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import IO, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from touchline.core.errors import InputError, TouchlineError
from touchline.io import files
from touchline.io.files import (
    MAX_FIELD,
    allow_long_fields,
    line_of,
    read_bytes,
    read_text,
    read_utf8,
    sha256,
    write_text_whole,
    write_whole,
)

TEXT = "45' Çağrı Demirsoy – goal!\n46' Søren Lykkegård\n"
LATIN = "45' Émilien Courtaud – goal!\n46' Håkon\n"


def packed(data: bytes) -> bytes:
    """Gzip without the time of day: test workers must agree on the names of their tests."""
    return gzip.compress(data, mtime=0)


@pytest.mark.parametrize(
    "data",
    [
        TEXT.encode(),
        codecs.BOM_UTF8 + TEXT.encode(),
        TEXT.encode("utf-16"),
        codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"),
        TEXT.encode("utf-16-le"),
        TEXT.encode("utf-16-be"),
        TEXT.encode("utf-32"),
        TEXT.replace("\n", "\r\n").encode(),
        TEXT.replace("\n", "\r").encode(),
        packed(TEXT.encode()),
        packed(TEXT[:20].encode()) + packed(TEXT[20:].encode()),
        packed(TEXT.encode("utf-16")),
    ],
)
def test_every_usual_encoding_gives_the_same_text(tmp_path: Path, data: bytes):
    (tmp_path / "a.txt").write_bytes(data)
    assert read_text(tmp_path / "a.txt") == TEXT


def test_old_exports_are_latin(tmp_path: Path):
    (tmp_path / "a.txt").write_bytes(LATIN.encode("cp1252"))
    assert read_text(tmp_path / "a.txt") == LATIN


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "the file is empty"),
        (b" \n\t\n", "the file is empty"),
        (codecs.BOM_UTF8, "the file is empty"),
        (codecs.BOM_UTF16_LE + " \n".encode("utf-16-le"), "the file is empty"),
        (packed(b""), "the file is empty"),
        (bytes(range(256)), "binary data"),
        (packed(TEXT.encode() * 50)[:-12], "broken gzip file"),
        (packed(TEXT.encode())[:14] + b"~" * 40, "broken gzip file"),
        (TEXT.encode("utf-16") + b"!", "is truncated or not valid UTF-16"),
        ("é\nHåkon é".encode()[:-1], "line 2: invalid UTF-8"),
        ("é\n".encode() + b"H\xe5kon\n", "line 2: invalid UTF-8"),
    ],
)
def test_a_damaged_file_is_named_with_what_is_wrong(tmp_path: Path, data: bytes, message: str):
    path = tmp_path / "a.txt"
    path.write_bytes(data)
    with pytest.raises(InputError, match=message) as caught:
        read_utf8(path)
    assert str(caught.value).startswith(str(path))


def test_what_is_no_file_is_named(tmp_path: Path):
    with pytest.raises(InputError, match="no such file"):
        read_bytes(tmp_path / "a")
    with pytest.raises(InputError, match="no such file"):
        sha256(tmp_path / "a")
    with pytest.raises(InputError, match="is a folder"):
        read_bytes(tmp_path)


def _refuse(*_: object, **__: object) -> None:
    """What the system answers to all but root, as whom tests may run."""
    raise PermissionError(errno.EACCES, "Permission denied")


def test_a_file_without_permission_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("builtins.open", _refuse)
    with pytest.raises(InputError, match="no permission"):
        read_bytes(tmp_path / "a")


def test_a_gzip_bomb_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(files, "MAX_BYTES", 3 << 20)
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(b"x" * (3 << 20)))
    assert len(read_bytes(path)) == 3 << 20
    # Broken at its end: an error about that would show that all of it had been unpacked.
    path.write_bytes(gzip.compress(b"x" * (30 << 20))[:-8])
    with pytest.raises(InputError, match="larger than 3 MB"):
        read_bytes(path)


def test_a_lower_limit_ends_with_its_block(tmp_path: Path):
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(b"x" * (3 << 20)))
    with files.limit_size(2 << 20):
        with pytest.raises(InputError, match="larger than 2 MB"):
            read_bytes(path)
        with pytest.raises(InputError, match="larger than 1 MB"):
            read_bytes(path, max_bytes=1 << 20)
    assert len(read_bytes(path)) == 3 << 20


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no such device here")
def test_an_endless_file_is_left_off(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(files, "MAX_BYTES", 2 << 20)
    with pytest.raises(InputError, match="larger than 2 MB"):
        read_bytes("/dev/zero")


@settings(deadline=None)
@given(st.binary())
def test_any_bytes_are_text_or_an_input_error(tmp_path_factory, data: bytes):
    path = tmp_path_factory.getbasetemp() / "any"
    path.write_bytes(data)
    with contextlib.suppress(InputError):
        read_utf8(path).decode("utf-8")


@settings(deadline=None)
@given(
    st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-32"]),
    st.booleans(),
)
def test_encodings_round_trip(tmp_path_factory, text: str, encoding: str, packed: bool):
    path = tmp_path_factory.getbasetemp() / "round"
    data = f"Pass {text} .".encode(encoding)
    path.write_bytes(gzip.compress(data) if packed else data)
    assert read_text(path) == f"Pass {text} ."


def test_line_of_counts_from_one():
    assert [line_of(b"a\nb\nc", offset) for offset in (0, 1, 2, 4)] == [1, 1, 2, 3]


def test_a_checksum_is_of_the_file_as_it_lies_there(tmp_path: Path):
    data = gzip.compress(b"abc")
    (tmp_path / "a.gz").write_bytes(data)
    assert sha256(tmp_path / "a.gz") == hashlib.sha256(data).hexdigest()


# Writing


def test_a_file_is_written_whole_and_its_folder_made(tmp_path: Path):
    path = tmp_path / "new" / "out.txt"
    with write_text_whole(path) as out:
        out.write("é\r\n")
        assert not path.exists()
    assert path.read_bytes() == "é\r\n".encode()
    assert os.listdir(path.parent) == ["out.txt"]


def test_a_new_file_has_the_usual_permissions(tmp_path: Path):
    with write_whole(tmp_path / "ours") as out:
        out.write(b"x")
    (tmp_path / "usual").write_bytes(b"x")
    modes = [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("ours", "usual")]
    assert modes[0] == modes[1]


def test_a_private_file_stays_private(tmp_path: Path):
    path = tmp_path / "out"
    path.touch(mode=0o600)
    with write_whole(path) as out:
        out.write(b"x")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def _write_and_raise(out: IO[Any], content: Any, error: type[BaseException]) -> None:
    out.write(content)
    raise error


@pytest.mark.parametrize("write", [write_whole, write_text_whole])
@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError, SystemExit])
def test_an_interrupted_write_leaves_the_old_file(tmp_path: Path, write, error):
    path = tmp_path / "out"
    path.write_bytes(b"old")
    with pytest.raises(error), write(path) as out:
        _write_and_raise(out, b"new" if write is write_whole else "new", error)
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["out"]


FULL_DISK = """
import resource, signal, sys
from touchline.io.files import write_text_whole
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
from touchline.core.errors import TouchlineError
try:
    with write_text_whole(sys.argv[1]) as out:
        for _ in range(int(sys.argv[2])):
            out.write("x" * 1000)
except TouchlineError as error:
    print(error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no file size limit")
@pytest.mark.parametrize("kilobytes", [5, 5000])  # noticed at the last flush, noticed on the way
def test_a_full_disk_leaves_the_old_file(tmp_path: Path, kilobytes: int):
    path = tmp_path / "out"
    path.write_bytes(b"old")
    run = subprocess.run(
        [sys.executable, "-B", "-X", "dev", "-c", FULL_DISK, str(path), str(kilobytes)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout == f"{path}: cannot be written (File too large)\n"
    assert run.stderr == ""
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["out"]


def test_where_nothing_can_be_written_the_path_is_named(tmp_path: Path):
    (tmp_path / "file").touch()
    for path in (tmp_path, tmp_path / "file" / "out", tmp_path / ("x" * 300)):
        with pytest.raises(TouchlineError, match=str(path)), write_whole(path):
            pass
    assert os.listdir(tmp_path) == ["file"]


def test_a_folder_without_permission_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("builtins.open", _refuse)
    with pytest.raises(TouchlineError, match="Permission denied"), write_whole(tmp_path / "out"):
        pass


@pytest.mark.posix
@pytest.mark.parametrize("there", [True, False])
def test_a_link_stays_a_link(tmp_path: Path, there: bool):
    target = tmp_path / "elsewhere" / "real"
    target.parent.mkdir()
    if there:
        target.write_bytes(b"old")
    (tmp_path / "link").symlink_to(target)
    with write_whole(tmp_path / "link") as out:
        out.write(b"new")
    assert (tmp_path / "link").is_symlink()
    assert target.read_bytes() == b"new"


@pytest.mark.skipif(os.name == "nt", reason="devices have other names")
def test_a_device_is_written_to_and_stays_one():
    with write_text_whole("/dev/null") as out:
        out.write("gone")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


TO_STDOUT = """
import sys
from touchline.io.files import write_text_whole
print("before", flush=True)
with write_text_whole("/dev/stdout") as out:
    out.write("written\\n")
print("after")
"""


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="no such name here")
@pytest.mark.parametrize("how", [subprocess.PIPE, "file"])
def test_standard_output_is_written_to_by_its_name(tmp_path: Path, how):
    command = [sys.executable, "-c", TO_STDOUT]
    if how == "file":
        with open(tmp_path / "out", "ab") as out:
            subprocess.run(command, stdout=out, check=True)
        written = (tmp_path / "out").read_text()
    else:
        written = subprocess.run(command, stdout=how, check=True, text=True).stdout
    assert written.split()[-2:] == ["written", "after"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
def test_a_named_pipe_is_written_to(tmp_path: Path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE) as reader:
        with write_whole(pipe) as out:
            out.write(b"through")
        assert reader.communicate()[0] == b"through"
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_long_fields_are_allowed_up_to_a_bound():
    before = csv.field_size_limit(131_072)
    try:
        allow_long_fields()
        assert csv.field_size_limit() == MAX_FIELD
        csv.field_size_limit(2 * MAX_FIELD)  # whoever wants more of csv keeps it
        allow_long_fields()
        assert csv.field_size_limit() == 2 * MAX_FIELD
    finally:
        csv.field_size_limit(before)


@pytest.mark.parametrize("missing", [1, 2])
def test_a_character_may_lie_on_the_edge_of_two_blocks(tmp_path, missing):
    """Files are checked in blocks; a cut character is an error only where the file ends."""
    path = tmp_path / "text.txt"
    text = b"x" * (files._UTF8_BLOCK - missing) + "€ é".encode()
    path.write_bytes(text)
    assert files.read_utf8(path) == text
    path.write_bytes(text[:-1])
    with pytest.raises(InputError, match="invalid UTF-8"):
        files.read_utf8(path)


@pytest.mark.parametrize("name", ["a\0b.json", "a\ud800b.json"])
def test_a_name_that_no_file_can_have_is_no_such_file(name):
    with pytest.raises(InputError, match="no such file"):
        read_bytes(name)


def test_a_name_that_no_file_has_can_be_printed():
    with pytest.raises(InputError, match=r"^x\\ud800: no such file$") as refused:
        read_bytes("x\ud800")
    assert str(refused.value).encode()
