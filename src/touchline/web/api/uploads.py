"""Uploaded files: limited in size, streamed to the disk, stored under our own names."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import AsyncGenerator
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import ClientDisconnect, Request

from touchline.core.display import plain_line
from touchline.io.corpus.folder import ENDINGS
from touchline.web.errors import ApiError
from touchline.web.jobs.align_worker import PART
from touchline.web.library import MAX_NAME

PATIENCE = 30.0  # seconds without data after which an upload is given up
_MAX_FILES = {"events": 1, "comments": 4, "lineups": 4}  # of each field
_TEXTS = frozenset({"name", "method"})
MAX_FILES = sum(_MAX_FILES.values())


class Upload(msgspec.Struct, frozen=True):
    """A match that was uploaded; `files` says what the user calls each stored file."""

    name: str | None
    method: str | None
    files: dict[str, str]


async def limited(request: Request, max_bytes: int) -> AsyncGenerator[bytes, None]:
    """The chunks of the body; raises if it is too large or too slow."""
    length = request.headers.get("content-length", "")
    if length.isdecimal() and int(length) > max_bytes:
        raise _too_large(max_bytes)
    size = 0
    stream = request.stream().__aiter__()
    while True:
        try:
            chunk = await asyncio.wait_for(anext(stream), PATIENCE)
        except StopAsyncIteration:
            return
        except TimeoutError:
            raise ApiError("slow", f"no data received for {PATIENCE:.0f} seconds") from None
        except ClientDisconnect:
            raise ApiError("bad_request", "the connection was closed") from None
        size += len(chunk)
        if size > max_bytes:
            raise _too_large(max_bytes)
        yield chunk


async def body(request: Request, max_bytes: int) -> bytes:
    return b"".join([chunk async for chunk in limited(request, max_bytes)])


async def receive(request: Request, folder: Path, max_bytes: int) -> Upload:
    """Store an uploaded match as a new match folder."""
    if not request.headers.get("content-type", "").startswith("multipart/form-data"):
        raise ApiError("upload", "expected the files as multipart/form-data")
    parser = MultiPartParser(
        request.headers,
        limited(request, max_bytes),
        max_files=MAX_FILES,
        max_fields=len(_TEXTS),
    )
    try:
        form = await parser.parse()
    except MultiPartException as error:
        raise ApiError("upload", f"invalid form ({error.message})") from None
    except (KeyError, UnicodeError, AssertionError):
        raise ApiError("upload", "invalid form") from None
    try:
        texts = _check(form)
        files = await run_in_threadpool(_store, form, folder)
    finally:
        await form.close()
    return Upload(texts.get("name") or None, texts.get("method") or None, files)


def _check(form: FormData) -> dict[str, str]:
    texts: dict[str, str] = {}
    counts = dict.fromkeys(_MAX_FILES, 0)
    for field, value in form.multi_items():
        if field in _MAX_FILES and isinstance(value, UploadFile):
            counts[field] += 1
        elif field in _TEXTS and isinstance(value, str) and field not in texts:
            texts[field] = plain_line(value)
        else:
            raise ApiError("upload", f"unexpected form field {field[:40]!r}")
    for field, max_count in _MAX_FILES.items():
        if counts[field] > max_count:
            raise ApiError("upload", f"too many files for {field!r}; the limit is {max_count}")
    if not counts["events"] or not counts["comments"]:
        raise ApiError("upload", "a match needs a file 'events' and a file 'comments'")
    if len(texts.get("name", "")) > MAX_NAME:
        raise ApiError("name", f"the name is longer than {MAX_NAME} characters")
    return texts


def _store(form: FormData, folder: Path) -> dict[str, str]:
    """Store the files under our own names; gives what the user calls them."""
    files = {}
    folder.mkdir()
    try:
        for field in _MAX_FILES:
            sent = [value for value in form.getlist(field) if isinstance(value, UploadFile)]
            for number, file in enumerate(sent, 1):
                stored = _stem(field, number, len(sent)) + ending(file.filename)
                _copy(file, folder / stored)
                files[stored] = called(file.filename) or stored
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return files


def called(filename: str | None) -> str:
    """The last part of a file's name, to show to people; it never becomes a path."""
    return plain_line(PurePosixPath((filename or "").replace("\\", "/")).name)[-MAX_NAME:]


def _stem(field: str, number: int, count: int) -> str:
    if count == 1:
        return field
    return f"{PART}{number}" if field == "comments" else f"{field}-{number}"


def ending(filename: str | None) -> str:
    """A file ending that touchline knows; formats are recognised by content anyway."""
    name = PurePosixPath((filename or "").lower())
    packed = ".gz" if name.suffix == ".gz" else ""
    suffix = name.with_suffix("").suffix if packed else name.suffix
    return (suffix if suffix in ENDINGS else ".txt") + packed


def _copy(file: UploadFile, path: Path) -> None:
    source: Any = file.file
    with open(path, "xb") as out:
        shutil.copyfileobj(source, out)
        out.flush()
        os.fsync(out.fileno())


def _too_large(max_bytes: int) -> ApiError:
    return ApiError("too_large", f"larger than the limit of {max_bytes >> 10:,} KB")
