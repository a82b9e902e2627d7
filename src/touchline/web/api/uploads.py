"""Files that people upload: bounded, streamed to the disk, under names of our own."""

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

from touchline.io.corpus.layout import ENDINGS
from touchline.web.api.errors import ApiError
from touchline.web.jobs.align_worker import PART
from touchline.web.store.library import MAX_NAME

PATIENCE = 30.0  # seconds that a client may be silent in the middle of a body
_FILES = {"events": 1, "comments": 4, "lineups": 4}  # how many of each there may be
_TEXTS = frozenset({"name", "method"})
MAX_FILES = sum(_FILES.values())


class Upload(msgspec.Struct, frozen=True):
    name: str | None
    method: str | None


async def limited(request: Request, most: int) -> AsyncGenerator[bytes, None]:
    """The body, as long as it comes and is not too large."""
    length = request.headers.get("content-length", "")
    if length.isdecimal() and int(length) > most:
        raise _too_large(most)
    size = 0
    stream = request.stream().__aiter__()
    while True:
        try:
            chunk = await asyncio.wait_for(anext(stream), PATIENCE)
        except StopAsyncIteration:
            return
        except TimeoutError:
            raise ApiError("slow", f"nothing came for {PATIENCE:.0f} seconds") from None
        except ClientDisconnect:
            raise ApiError("bad_request", "the connection broke off") from None
        size += len(chunk)
        if size > most:
            raise _too_large(most)
        yield chunk


async def body(request: Request, most: int) -> bytes:
    return b"".join([chunk async for chunk in limited(request, most)])


async def receive(request: Request, folder: Path, most: int) -> Upload:
    """Store an uploaded match in a new folder, laid out as a corpus wants it."""
    if not request.headers.get("content-type", "").startswith("multipart/form-data"):
        raise ApiError("upload", "expected the files as multipart/form-data")
    parser = MultiPartParser(
        request.headers, limited(request, most), max_files=MAX_FILES, max_fields=len(_TEXTS)
    )
    try:
        form = await parser.parse()
    except MultiPartException as error:
        raise ApiError("upload", f"the form is broken ({error.message})") from None
    except (KeyError, UnicodeError, AssertionError):
        raise ApiError("upload", "the form is broken") from None
    try:
        upload = _check(form)
        await run_in_threadpool(_store, form, folder)
    finally:
        await form.close()
    return upload


def _check(form: FormData) -> Upload:
    texts: dict[str, str] = {}
    counts = dict.fromkeys(_FILES, 0)
    for field, value in form.multi_items():
        if field in _FILES and isinstance(value, UploadFile):
            counts[field] += 1
        elif field in _TEXTS and isinstance(value, str) and field not in texts:
            texts[field] = value.strip()
        else:
            raise ApiError("upload", f"the field {field[:40]!r} is unknown, twice, or no file")
    for field, most in _FILES.items():
        if counts[field] > most:
            raise ApiError("upload", f"at most {most} of {field!r}")
    if not counts["events"] or not counts["comments"]:
        raise ApiError("upload", "expected a file 'events' and a file 'comments'")
    if len(texts.get("name", "")) > MAX_NAME:
        raise ApiError("name", f"a name has at most {MAX_NAME} characters")
    return Upload(texts.get("name") or None, texts.get("method") or None)


def _store(form: FormData, folder: Path) -> None:
    folder.mkdir()
    try:
        for field in _FILES:
            sent = [value for value in form.getlist(field) if isinstance(value, UploadFile)]
            for number, file in enumerate(sent, 1):
                _copy(file, folder / (_stem(field, number, len(sent)) + ending(file.filename)))
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _stem(field: str, number: int, count: int) -> str:
    if count == 1:
        return field
    return f"{PART}{number}" if field == "comments" else f"{field}-{number}"


def ending(filename: str | None) -> str:
    """An ending that a match's file may have; which one matters little, content decides."""
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


def _too_large(most: int) -> ApiError:
    return ApiError("too_large", f"more than {most >> 10:,} KB, which is the limit")
