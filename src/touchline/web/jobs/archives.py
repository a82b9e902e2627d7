"""Zip archives among uploaded files: what is in them becomes files of the upload.

Nothing of an archive is believed: names never become paths, sizes are counted while unpacking, and
archives in archives stay closed.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

import msgspec

from touchline.core.display import plain_line
from touchline.core.errors import TouchlineError
from touchline.io.corpus.folder import known_ending
from touchline.web.records import UploadFile

MARK = b"PK\x03\x04"
_WORKBOOK = "[Content_Types].xml"  # an Excel file is a zip archive too
MAX_SHOWN = 120  # characters of a name
_CHUNK = 1 << 16


def unpacked(
    folder: Path, given: Sequence[UploadFile], *, max_files: int, max_bytes: int
) -> list[UploadFile]:
    """The files with those of new archives after them; an archive that was opened stays listed."""
    found: list[UploadFile] = []
    last = max((int(file.id.partition(".")[0]) for file in given), default=0)
    unpacker = _Unpacker(folder, max_files - len(given), max_bytes, last)
    for file in given:
        if file.role is None and _is_archive(folder / file.id):
            found += unpacker.open(file)
        else:
            found.append(file)
    return found


def _is_archive(path: Path) -> bool:
    with open(path, "rb") as opened:
        if opened.read(len(MARK)) != MARK:
            return False
    try:
        with zipfile.ZipFile(path) as archive:
            return _WORKBOOK not in archive.namelist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
        return True  # a damaged one


class _Unpacker:
    """Unpacks archives until a limit is reached: of files, or of bytes over all of them.

    Files are numbered on from `number`.
    """

    def __init__(self, folder: Path, max_files: int, max_bytes: int, number: int) -> None:
        self.folder, self.files_left, self.bytes_left = folder, max_files, max_bytes
        self.max_bytes, self.number = max_bytes, number

    def open(self, file: UploadFile) -> list[UploadFile]:
        path, made, problem = self.folder / file.id, list[UploadFile](), None
        try:
            with zipfile.ZipFile(path) as archive:
                for member in archive.infolist():
                    if not _is_ignored(member):
                        made.append(self._take(archive, member, file))
        except TouchlineError as error:
            problem = str(error)
        except (zipfile.BadZipFile, zlib.error, ValueError, EOFError, OSError, RuntimeError):
            # RuntimeError is how zipfile says that a password is needed, or a method unknown.
            problem = "a damaged archive, or one with a password; pack the files again"
        if problem is None and not made:
            problem = "the archive is empty"
        if problem is not None:
            for one in made:
                (self.folder / one.id).unlink(missing_ok=True)
            made = []
        opened = {"role": "archive", "what": "zip archive", "problem": problem, "count": len(made)}
        return [msgspec.structs.replace(file, **opened), *made]

    def _take(
        self, archive: zipfile.ZipFile, member: zipfile.ZipInfo, file: UploadFile
    ) -> UploadFile:
        if self.files_left <= 0:
            raise TouchlineError("the archive has too many files; upload fewer at a time")
        self.files_left -= 1
        self.number += 1
        shown = PurePosixPath(plain_line(member.filename.replace("\\", "/")))
        stored = f"{self.number}{known_ending(shown.name)}"
        size = self._copy(archive, member, self.folder / stored)
        inside = str(shown.parent) if len(shown.parts) > 1 else ""
        return UploadFile(
            id=stored,
            name=shown.name[-MAX_SHOWN:],
            folder=f"{file.name}/{inside}".rstrip("/")[-MAX_SHOWN:],
            bytes=size,
            archive=file.id,
        )

    def _copy(self, archive: zipfile.ZipFile, member: zipfile.ZipInfo, to: Path) -> int:
        try:
            with archive.open(member) as source, open(to, "xb") as out:
                while chunk := source.read(_CHUNK):
                    self.bytes_left -= len(chunk)
                    if self.bytes_left < 0:
                        limit = self.max_bytes >> 20
                        raise TouchlineError(f"the archive is larger than {limit} MB uncompressed")
                    out.write(chunk)
            return to.stat().st_size
        except BaseException:
            to.unlink(missing_ok=True)
            raise


def _is_ignored(member: zipfile.ZipInfo) -> bool:
    """Folders, and what systems put beside the files."""
    parts = PurePosixPath(member.filename.replace("\\", "/")).parts
    return member.is_dir() or not parts or parts[0] == "__MACOSX" or parts[-1].startswith(".")
