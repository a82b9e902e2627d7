"""Files in and out: any text encoding, gzip, and outputs that appear whole or not at all."""

from __future__ import annotations

import codecs
import contextlib
import csv
import gzip
import hashlib
import io
import os
import re
import sys
import zlib
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from pathlib import Path
from typing import IO, Any

from touchline.core.errors import InputError, OutputError
from touchline.io.storage import AnyPath, RemotePath, as_path

# A match is some megabytes. What is larger than this, packed or not, is no match but a mistake
# or a trap, and is refused before it fills the memory.
MAX_BYTES = 1 << 30
_lower_limit: ContextVar[int | None] = ContextVar("lower_limit", default=None)  # of `limit_size`
# A comment may be a whole report; csv itself stops at 128 KB.
MAX_FIELD = 64 << 20

STANDARD_INPUT = "-"
_BLOCK = 1 << 16  # larger ones are new memory for each, which takes longer than to read
_GZIP = b"\x1f\x8b"
_TABLES = (b"PK\x03\x04", b"PAR1", b"\xd0\xcf\x11\xe0")  # Excel, Parquet, old Excel
_BOM = codecs.BOM_UTF8
_UTF8_BLOCK = 1 << 12  # most have no accents, and are checked the faster for it
# UTF-32's little-endian mark starts with UTF-16's, so the longer marks come first.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_TEMPORARY = ".touchline-*.tmp"
# Names below these lead to whatever the process has open, not to files of their own.
_DEVICES = frozenset(map(Path, ["/dev", "/dev/fd", "/proc/self/fd"]))


class Content:
    """A file that is in memory already, with a name for messages."""

    def __init__(self, name: str, data: bytes) -> None:
        self.name, self.data = name, data

    def __str__(self) -> str:
        return self.name


File = str | AnyPath | Content
# Takes the blocks of a file as they come and gives those to keep.
Sieve = Callable[[Iterator[bytes]], Iterator[bytes]]


def reader_path(file: File) -> Path:
    """The name of a file for those who read its content; of a URL, without its second slash."""
    return file if isinstance(file, Path) else Path(str(file))


@contextlib.contextmanager
def errors_about(*files: File) -> Iterator[None]:
    """Let errors that speak of a `reader_path` speak of the file as it was given."""
    try:
        yield
    except InputError as error:
        given = {str(reader_path(file)): str(file) for file in files}
        if given.get(error.path, error.path) == error.path:
            raise
        raise InputError(given[error.path], error.problem, error.where) from None


def read_bytes(file: File, sieve: Sieve = iter, max_bytes: int | None = None) -> bytes:
    """The file's bytes, unpacked when it is gzip whatever its name says; at most `max_bytes`.

    `-` is standard input. What the sieve holds back is never in memory as a whole.
    """
    path = str(file)
    with _reading(path), _opened(file) as opened:
        packed = opened.peek(2)[:2] == _GZIP
        stream = gzip.GzipFile(fileobj=opened) if packed else opened
        blocks = _bounded(path, stream, _size_limit(max_bytes))
        data = b"".join(sieve(blocks))
    if not data or data.isspace():
        raise InputError(path, f"{'is' if isinstance(file, Content) else 'the file is'} empty")
    return data


@contextlib.contextmanager
def limit_size(max_bytes: int) -> Iterator[None]:
    """Refuse larger files, uncompressed, that are read within the block by this thread or task."""
    token = _lower_limit.set(max_bytes)
    try:
        yield
    finally:
        _lower_limit.reset(token)


def _size_limit(max_bytes: int | None) -> int:
    max_bytes, lower = MAX_BYTES if max_bytes is None else max_bytes, _lower_limit.get()
    return max_bytes if lower is None else min(lower, max_bytes)


def _opened(path: File) -> contextlib.AbstractContextManager[io.BufferedReader]:
    if isinstance(path, Content):
        return io.BufferedReader(io.BytesIO(path.data))
    if str(path) == STANDARD_INPUT:
        return contextlib.nullcontext(sys.stdin.buffer)  # type: ignore[arg-type]  # can be peeked
    place = as_path(path)
    try:
        return place.open() if isinstance(place, RemotePath) else open(place, "rb")
    except ValueError:  # a NUL byte or a lone surrogate, which no file's name has
        shown = str(path).encode("utf-8", "backslashreplace").decode()
        raise InputError(shown, "no such file") from None


def _bounded(
    path: str | AnyPath, stream: IO[bytes] | gzip.GzipFile, max_bytes: int
) -> Iterator[bytes]:
    size = 0
    while block := stream.read(_BLOCK):
        size += len(block)
        if size > max_bytes:
            raise InputError(
                path, f"larger than {max_bytes >> 20} MB uncompressed; match files are a few MB"
            )
        yield block


def is_text(name: str) -> bool:
    """Whether a file's name is text; it may be any bytes, of an old archive's for one."""
    return readable(name) == name


def readable(name: str) -> str:
    """A file's name, to be shown."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


@contextlib.contextmanager
def _reading(path: str | AnyPath) -> Iterator[None]:
    """Turn what the system says about a file that cannot be read into our own error."""
    try:
        yield
    except FileNotFoundError:
        raise InputError(path, "no such file") from None
    except IsADirectoryError:
        raise InputError(path, "is a folder; expected a file") from None
    except PermissionError:
        raise InputError(path, "no permission to read it") from None
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InputError(path, f"broken gzip file ({error})") from None
    except OSError as error:
        raise InputError(path, error.strerror or str(error)) from None


def read_utf8(file: File, sieve: Sieve = iter, max_bytes: int | None = None) -> bytes:
    """The file's text as UTF-8 bytes without a mark, whichever usual encoding it came in.

    An Excel workbook or a Parquet file is read as a table of text.
    """
    path, data = str(file), read_bytes(file, sieve, max_bytes)
    if data.startswith(_TABLES):
        from touchline.io.workbooks import as_text  # which needs libraries that are no text's

        data = as_text(path, data, _size_limit(max_bytes))
    encoding = _marked_encoding(data) or _unmarked_utf16(data)
    text = _recode(path, data, encoding) if encoding else _check_utf8(path, data)
    text = text.removeprefix(_BOM)
    if not text or text.isspace():
        raise InputError(path, "the file is empty")
    return text


def read_text(path: File, max_bytes: int | None = None) -> str:
    """The file's text, whichever of the usual encodings and line ends it came in."""
    text = read_utf8(path, max_bytes=max_bytes).decode("utf-8")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def stream_decoder(name: str, head: bytes) -> codecs.IncrementalDecoder:
    """What decodes a text that comes bit by bit, by its first bytes; a file's rules, as it goes."""
    if head.startswith(_GZIP):
        raise InputError(name, "gzip-compressed; decompress it first (gzip -dc FILE | ...)")
    encoding = _marked_encoding(head) or _unmarked_utf16(head) or "utf-8"
    return codecs.getincrementaldecoder(encoding)(errors=_LATIN)


def _as_latin(error: UnicodeError) -> tuple[str, int]:
    """What is no UTF-8 is taken for Windows' Latin-1, letter by letter."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("cp1252", errors="replace"), error.end


_LATIN = "touchline-latin"
codecs.register_error(_LATIN, _as_latin)


def _check_utf8(path: str | Path, data: bytes) -> bytes:
    """UTF-8 as it is; what cannot be UTF-8 is taken for Windows' Latin-1, as in old exports."""
    if len(_CONTROL.findall(data, 0, 4096)) > 4:
        raise InputError(path, "binary data; expected a text file")
    if _is_utf8(data):
        return data
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        # Latin-1 fails at its first accent. After good UTF-8 accents the file is damaged, and
        # reading it as Latin-1 would garble every name in it.
        if not data[: error.start].isascii():
            line = f"line {line_of(data, error.start)}"
            raise InputError(
                path, "invalid UTF-8; the file is damaged or truncated", line
            ) from None
        return data.decode("cp1252", errors="replace").encode()
    return data


def _is_utf8(data: bytes) -> bool:
    """Whether the bytes are UTF-8; in blocks, as the text of a whole file would fill new memory."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for start in range(0, len(data), _UTF8_BLOCK):
            decoder.decode(data[start : start + _UTF8_BLOCK])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _recode(path: str | Path, data: bytes, encoding: str) -> bytes:
    try:
        return data.decode(encoding).encode()
    except UnicodeError:
        raise InputError(path, f"the text is truncated or not valid {encoding.upper()}") from None


def _marked_encoding(data: bytes) -> str | None:
    return next((name for mark, name in _MARKS if data.startswith(mark)), None)


def _unmarked_utf16(data: bytes) -> str | None:
    """UTF-16 without its mark shows as a zero in every other byte of plain Latin text."""
    head = data[:512]
    if len(head) < 4:
        return None
    even, odd = head[0::2].count(0), head[1::2].count(0)
    if odd > 0.4 * len(head[1::2]) and even == 0:
        return "utf-16-le"
    if even > 0.4 * len(head[0::2]) and odd == 0:
        return "utf-16-be"
    return None


def allow_long_fields() -> None:
    """Let csv read fields up to `MAX_FIELD`; csv has one limit, for the whole process."""
    if csv.field_size_limit() < MAX_FIELD:
        csv.field_size_limit(MAX_FIELD)


def line_of(data: bytes, offset: int) -> int:
    """The 1-based line on which a byte stands."""
    return data.count(b"\n", 0, offset) + 1


@contextlib.contextmanager
def write_whole(path: str | AnyPath) -> Iterator[IO[bytes]]:
    """Open a file that appears under its name only when everything has been written.

    The bytes go to a temporary neighbour that is flushed to disk and renamed; on any error
    it is removed and whatever stood under the name before stays as it was. A link stays a link
    to what was written; devices and pipes, which nothing can be renamed to, are written as such.
    What is written to a URL is kept in memory and sent as a whole.
    """
    with _writing(as_path(path), text=False) as out:
        yield out


@contextlib.contextmanager
def write_text_whole(path: str | AnyPath) -> Iterator[IO[str]]:
    """Like `write_whole`, for UTF-8 text with plain line ends."""
    with _writing(as_path(path), text=True) as out:
        yield out


@contextlib.contextmanager
def _writing(path: AnyPath, text: bool) -> Iterator[IO[Any]]:
    if isinstance(path, RemotePath):
        with _sent(path, text) as out:
            yield out
        return
    try:
        if path.is_dir():
            raise OutputError(f"{path}: is a folder; expected the name of a file to write")
        with _open(path, "w", text) if _is_device(path) else _renamed(path, text) as out:
            yield out
    except BrokenPipeError:
        raise  # the reader closed the pipe; not an error of the path
    except OSError as error:
        raise OutputError(f"{path}: cannot be written ({error.strerror or error})") from None


@contextlib.contextmanager
def _sent(path: RemotePath, text: bool) -> Iterator[IO[Any]]:
    """Collect what is written, and send it if nothing goes wrong before."""
    written = io.BytesIO()
    out = io.TextIOWrapper(written, encoding="utf-8", newline="") if text else written
    yield out
    out.flush()
    path.write_bytes(written.getvalue())


def _is_device(path: Path) -> bool:
    return path.parent in _DEVICES or (path.exists() and not path.is_file())


def _open(path: Path, mode: str, text: bool) -> IO[Any]:
    return open(path, mode, encoding="utf-8", newline="") if text else open(path, mode + "b")


@contextlib.contextmanager
def _renamed(path: Path, text: bool) -> Iterator[IO[Any]]:
    target = Path(os.path.realpath(path))
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(_TEMPORARY.replace("*", os.urandom(4).hex()))
    try:
        with _open(temporary, "x", text) as out:
            yield out
            out.flush()
            os.fsync(out.fileno())
        if target.exists():  # a file that only its owner may read stays so
            os.chmod(temporary, target.stat().st_mode & 0o777)
        os.replace(temporary, target)
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink()


def sweep(folder: str | AnyPath) -> None:
    """Remove what writers that were killed have left in a folder that nobody writes to now."""
    if isinstance(folder, RemotePath):
        return  # where nothing is written in parts, nothing is left
    for path in Path(folder).glob(_TEMPORARY):
        path.unlink(missing_ok=True)


def remove_folder(folder: AnyPath) -> None:
    """Remove a folder with all that is in it, if it is there."""
    if isinstance(folder, RemotePath):
        folder.remove_all()
    else:
        import shutil  # loads all of Python's compressors

        shutil.rmtree(folder, ignore_errors=True)


def sha256(path: str | AnyPath) -> str:
    """Checksum of a file as it lies on disk."""
    place = as_path(path)
    if isinstance(place, RemotePath):
        return hashlib.sha256(place.read_bytes()).hexdigest()
    with _reading(path), open(place, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
