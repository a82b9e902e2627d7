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
from starlette.datastructures import FormData
from starlette.datastructures import UploadFile as UploadedFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import ClientDisconnect, Request

from touchline.core.display import plain_line
from touchline.io.corpus.folder import known_ending
from touchline.web.errors import ApiError
from touchline.web.jobs.align_worker import PART
from touchline.web.library import MAX_NAME
from touchline.web.records import UploadFile

PATIENCE = 30.0  # seconds without data after which an upload is given up
_MAX_FILES = {"events": 1, "comments": 4, "lineups": 4}  # of each field
_TEXTS = frozenset({"name", "method"})
MAX_FILES = sum(_MAX_FILES.values())
MAX_SEVERAL = 300  # files of several matches, those in archives included


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
    size, stream = 0, request.stream()
    while True:
        try:
            # A task for each chunk (`wait_for`), or the end as an exception, would leave a cycle
            # of objects after every request, which memory holds until a full garbage collection.
            async with asyncio.timeout(PATIENCE):
                chunk = await anext(stream, None)
        except TimeoutError:
            raise ApiError("slow", f"no data received for {PATIENCE:.0f} seconds") from None
        except ClientDisconnect:
            raise ApiError("bad_request", "the connection was closed") from None
        if chunk is None:
            return
        size += len(chunk)
        if size > max_bytes:
            raise _too_large(max_bytes)
        yield chunk


async def body(request: Request, max_bytes: int) -> bytes:
    return b"".join([chunk async for chunk in limited(request, max_bytes)])


async def _form(request: Request, max_bytes: int, max_files: int) -> FormData:
    if not request.headers.get("content-type", "").startswith("multipart/form-data"):
        raise ApiError("upload", "expected the files as multipart/form-data")
    parser = MultiPartParser(
        request.headers,
        limited(request, max_bytes),
        max_files=max_files,
        max_fields=len(_TEXTS),
    )
    try:
        return await parser.parse()
    except MultiPartException as error:
        raise ApiError("upload", f"invalid form ({error.message})") from None
    except (KeyError, UnicodeError, AssertionError):
        raise ApiError("upload", "invalid form") from None


async def receive_files(
    request: Request, folder: Path, max_bytes: int, first: int
) -> list[UploadFile]:
    """Store files of any kind, numbered from `first` on; what they are is found out later."""
    form = await _form(request, max_bytes, MAX_SEVERAL)
    try:
        return await run_in_threadpool(_store_files, form, folder, first)
    finally:
        await form.close()


def _store_files(form: FormData, folder: Path, first: int) -> list[UploadFile]:
    sent = [value for field, value in form.multi_items() if isinstance(value, UploadedFile)]
    if len(sent) < len(form.multi_items()) or not sent:
        raise ApiError("upload", "expected one or more files, in the field 'files'")
    return [_store_one(file, folder, number) for number, file in enumerate(sent, first)]


def _store_one(file: UploadedFile, folder: Path, number: int) -> UploadFile:
    stored = f"{number}{known_ending(file.filename or '')}"
    _copy(file, folder / stored)
    shown = plain_line((file.filename or "").replace("\\", "/"))
    inside = str(PurePosixPath(shown).parent)
    return UploadFile(
        id=stored,
        name=called(shown) or stored,
        folder="" if inside == "." else inside[-MAX_NAME:],
        bytes=(folder / stored).stat().st_size,
    )


async def receive(request: Request, folder: Path, max_bytes: int) -> Upload:
    """Store an uploaded match as a new match folder."""
    form = await _form(request, max_bytes, MAX_FILES)
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
        if field in _MAX_FILES and isinstance(value, UploadedFile):
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
            sent = [value for value in form.getlist(field) if isinstance(value, UploadedFile)]
            for number, file in enumerate(sent, 1):
                stored = _stem(field, number, len(sent)) + known_ending(file.filename or "")
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


def _copy(file: UploadedFile, path: Path) -> None:
    source: Any = file.file
    with open(path, "xb") as out:
        shutil.copyfileobj(source, out)
        out.flush()
        os.fsync(out.fileno())


def _too_large(max_bytes: int) -> ApiError:
    return ApiError("too_large", f"larger than the limit of {max_bytes >> 10:,} KB")
