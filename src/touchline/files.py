"""Files in and out: any text encoding, gzip, and outputs that appear whole or not at all."""

from __future__ import annotations

import codecs
import contextlib
import gzip
import hashlib
import io
import os
import re
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from touchline.errors import InputError, TouchlineError

_GZIP = b"\x1f\x8b"
# UTF-32's little-endian mark starts with UTF-16's, so the longer marks come first.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")


def read_bytes(path: str | Path) -> bytes:
    """The file's bytes, unpacked when it is gzip whatever its name says."""
    path = Path(path)
    try:
        if path.is_dir():
            raise InputError(path, "is a folder; expected a file")
        data = path.read_bytes()
        if data.startswith(_GZIP):
            data = gzip.decompress(data)
    except FileNotFoundError:
        raise InputError(path, "no such file") from None
    except PermissionError:
        raise InputError(path, "no permission to read it") from None
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InputError(path, f"broken gzip file ({error})") from None
    except OSError as error:
        raise InputError(path, error.strerror or str(error)) from None
    if not data.strip():
        raise InputError(path, "the file is empty")
    return data


def read_utf8(path: str | Path) -> bytes:
    """The file's text as UTF-8 bytes, whichever of the usual encodings it came in."""
    data = read_bytes(path)
    encoding = _marked_encoding(data) or _unmarked_utf16(data)
    if encoding:
        return _recode(path, data, encoding)
    if len(_CONTROL.findall(data[:4096])) > 4:
        raise InputError(path, "binary data; expected a text file")
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        # Old exports: Windows' Latin-1, which leaves only five bytes without a meaning.
        return data.decode("cp1252", errors="replace").encode()
    return data


def read_text(path: str | Path) -> str:
    """The file's text, whichever of the usual encodings and line ends it came in."""
    text = read_utf8(path).decode("utf-8")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _recode(path: str | Path, data: bytes, encoding: str) -> bytes:
    try:
        return data.decode(encoding).encode()
    except UnicodeError:
        raise InputError(path, f"the text breaks off or is not valid {encoding.upper()}") from None


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


def line_of(data: bytes, offset: int) -> int:
    """The 1-based line on which a byte stands."""
    return data.count(b"\n", 0, offset) + 1


@contextlib.contextmanager
def write_whole(path: str | Path) -> Iterator[IO[bytes]]:
    """Open a file that appears under its name only when everything has been written.

    The bytes go to a temporary neighbour that is flushed to disk and renamed; on any error
    it is removed and whatever stood under the name before stays as it was.
    """
    path = Path(path)
    temporary: str | None = None
    try:
        if path.is_dir():
            raise TouchlineError(f"{path}: is a folder; expected the name of a file to write")
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        with os.fdopen(handle, "wb") as out:
            yield out
            out.flush()
            os.fsync(out.fileno())
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, path)
        temporary = None
    except OSError as error:
        raise TouchlineError(f"{path}: cannot be written ({error.strerror or error})") from None
    finally:
        if temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(temporary)


@contextlib.contextmanager
def write_text_whole(path: str | Path) -> Iterator[IO[str]]:
    """Like `write_whole`, for UTF-8 text with plain line ends."""
    with write_whole(path) as raw:
        text = io.TextIOWrapper(raw, encoding="utf-8", newline="")
        yield text
        text.flush()
        text.detach()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def sha256(path: str | Path) -> str:
    """Checksum of a file as it lies on disk."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()
