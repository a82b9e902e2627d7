"""What a user hands over in place of a file name: a data frame, records, a text, an open file.

All of it becomes the bytes of a file with a name for messages, so that every reader takes it as it
takes files.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from touchline.core.errors import InputError, TouchlineError
from touchline.io.files import Content
from touchline.io.frames import frame_rows, json_bytes, plain, table_bytes
from touchline.io.storage import AnyPath, RemotePath, as_path
from touchline.io.storage.urls import is_url

# A path, an open file, a text of several lines, bytes, a data frame, a list of dicts or a dict.
Readable = object


def as_source(given: Readable) -> AnyPath | Content:
    """A file to be read: the path, or the bytes that stand for what was given."""
    if isinstance(given, Content | Path | RemotePath):
        return given
    if isinstance(given, os.PathLike):
        return as_path(given)
    if isinstance(given, str):
        return _text_or_path(given)
    if isinstance(given, bytes | bytearray):
        return Content("the bytes", bytes(given))
    if hasattr(given, "read"):
        return _open_file(given)
    return _records(given)


def as_sources(given: Readable) -> list[AnyPath | Content]:
    """The files of one or several such things; a list of records is one."""
    if isinstance(given, list | tuple) and not _are_records(given):
        return [as_source(one) for one in given]
    return [as_source(given)]


def _are_records(given: Sequence[Any]) -> bool:
    """Whether a list is a table. Each dict of several may also be a file, as JSON is loaded."""
    return bool(given) and all(isinstance(one, Mapping) for one in given)


def _text_or_path(given: str) -> AnyPath | Content:
    if "\n" in given or given.lstrip().startswith(("{", "[")):
        return Content("the text", given.encode("utf-8", "surrogatepass"))
    if is_url(given):
        return as_path(given)
    # No file has such a name: it is a text of one line.
    if len(given.encode("utf-8", "replace")) > 255 or ("' " in given and not Path(given).exists()):
        shown = given if len(given) <= 40 else f"{given[:39]}…"
        problem = "no such file; pass a text of one line as io.StringIO(text)"
        raise InputError(shown, problem)
    return Path(given)


def _open_file(file: Any) -> Content:
    name = getattr(file, "name", None)
    name = name if isinstance(name, str) and name else "the open file"
    try:
        data = file.read()
    except (OSError, ValueError, UnicodeError) as error:
        raise InputError(name, f"cannot be read ({error})") from None
    return Content(name, data.encode() if isinstance(data, str) else bytes(data))


def _records(given: Any) -> Content:
    if isinstance(given, Mapping) or (isinstance(given, list | tuple) and _are_records(given)):
        name = "the dict" if isinstance(given, Mapping) else "the list"
        return Content(name, json_bytes(name, plain(given)))
    rows = frame_rows(given)
    if rows is None:
        kind = type(given).__name__
        expected = "a path, an open file, text of several lines, a data frame or a list of dicts"
        raise TouchlineError(f"cannot read an object of type {kind}; expected {expected}")
    return Content("the data frame", table_bytes("the data frame", rows))


def is_unnamed(source: AnyPath | Content) -> bool:
    """Whether what was given has no name of its own, which a match could have."""
    return isinstance(source, Content) and source.name.startswith("the ")
