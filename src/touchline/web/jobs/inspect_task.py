"""What uploaded files are, and which of them belong together: shown before anything starts.

Files in the same folder (of an archive, or of the user's disk) belong together. Others are brought
together by their content: a commentary goes with the log whose players it names, line-ups with the
log whose players they list, labels with the log that has their events.
"""

from __future__ import annotations

import re
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath

import msgspec

from touchline.core.errors import InputError, TouchlineError
from touchline.core.records import Match
from touchline.io import files
from touchline.io.commentary import read_comments
from touchline.io.corpus.gold import parse_gold
from touchline.io.feeds import read_events
from touchline.io.recognition import recognise_file
from touchline.pipeline.read import read_match
from touchline.report.data import title
from touchline.text.names import NameFinder
from touchline.text.tokens import FUNCTION_WORDS, tokenise
from touchline.web.jobs import archives
from touchline.web.jobs.tasks import InspectTask, Send, WorkerMessage
from touchline.web.records import Upload, UploadFile, UploadMatch

FILE = "upload.json"
NAME = "inspected"
CHECK_SECONDS = 20.0  # after which further matches are not read together before they start
MIN_NAMED = 5  # words of names in a commentary that show whose match it is
MIN_LISTED = 0.5  # of a log's players in line-ups that belong to it
MAX_PARTS = 4
_TOKEN = re.compile(r"[A-Za-z]*?([0-9A-Za-z]+)")
_DIGITS = re.compile(r"\d+")


class _Log(msgspec.Struct, frozen=True):
    """What is kept of a log to find the files that belong to it."""

    file: UploadFile
    players: frozenset[str]
    events: frozenset[str]
    words: frozenset[str]


def run_inspect_task(task: InspectTask, send: Send) -> str:
    """Unpack archives, recognise every file, and write what was understood."""
    folder = Path(task.folder)
    upload = msgspec.json.decode((folder / FILE).read_bytes(), type=Upload)
    with files.limit_size(task.max_file_bytes):
        found = archives.unpacked(
            folder, upload.files, max_files=task.max_files, max_bytes=task.max_file_bytes
        )
        inspection = _Inspection(folder)
        known = [_report(send, number, len(found), inspection.file(one))
                 for number, one in enumerate(found)]  # fmt: skip
        matches = inspection.matches(known)
    write(folder, msgspec.structs.replace(upload, files=known, matches=matches))
    return NAME


def write(folder: Path, upload: Upload) -> None:
    with files.write_whole(folder / FILE) as out:
        out.write(msgspec.json.encode(upload))


def _report(send: Send, number: int, count: int, file: UploadFile) -> UploadFile:
    send(WorkerMessage(stage="reading", done=round(number / count, 3)))
    return file


class _Inspection:
    """The files of an upload, read one after the other."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.logs: list[_Log] = []

    # One file ------------------------------------------------------------------------------------

    def file(self, file: UploadFile) -> UploadFile:
        """A file with its role and what it has; a problem if it cannot be read."""
        if file.role == "archive" or file.problem is not None:
            return file
        try:
            role, what = recognise_file(self.folder / file.id)
            file = msgspec.structs.replace(file, role=role or "unknown", what=what)
            return self._read(file)
        except (TouchlineError, MemoryError, RecursionError) as error:
            problem = self._said(error, file)
            return msgspec.structs.replace(file, role=file.role or "unknown", problem=problem)

    def _read(self, file: UploadFile) -> UploadFile:
        path = self.folder / file.id
        if file.role == "log":
            match = read_events(path)
            self.logs.append(_log(file, match))
            teams = [team.name for team in match.teams]
            return msgspec.structs.replace(
                file, count=len(match.events), teams=teams, date=match.date
            )
        if file.role == "commentary":
            return msgspec.structs.replace(file, count=len(read_comments(path)))
        if file.role == "labels":
            lines = list(parse_gold(files.read_utf8(path)))
            return msgspec.structs.replace(file, count=len(lines))
        return file

    def _said(self, error: BaseException, *about: UploadFile) -> str:
        """A problem, with the names that the user knows."""
        if isinstance(error, MemoryError | RecursionError):
            return "too large or too deeply nested to be read"
        text = error.problem if isinstance(error, InputError) else str(error)
        place = f"{error.where}: " if isinstance(error, InputError) and error.where else ""
        text = f"{place}{text}".replace(f"{self.folder}/", "")
        for file in about:
            text = text.replace(file.id, file.name)
        return text

    # Matches -------------------------------------------------------------------------------------

    def matches(self, known: Sequence[UploadFile]) -> list[UploadMatch]:
        """A match for each log, with the files that belong to it."""
        usable = [file for file in known if file.problem is None]
        said = self._commentaries([file for file in usable if file.role == "commentary"])
        end = time.monotonic() + CHECK_SECONDS
        found = []
        for log in self.logs:
            match = UploadMatch(
                events=log.file.id,
                comments=[file.id for file in chosen(said[log.file.id])],
                lineups=[f.id for f in usable if f.role == "lineups" and self._lists(f, log)],
                labels=self._labels(usable, log),
                title=" – ".join(log.file.teams) or log.file.name,
                date=log.file.date,
            )
            late = time.monotonic() > end
            found.append(match if late or not match.comments else self._checked(match, known))
        return found

    def _commentaries(self, texts: Iterable[UploadFile]) -> dict[str, list[UploadFile]]:
        """The commentaries of each log, by the file of the log."""
        found: dict[str, list[UploadFile]] = defaultdict(list)
        for file in texts:
            near = [log for log in self.logs if log.file.folder == file.folder]
            logs = near if file.folder and len(near) == 1 else self.logs
            if (log := self._named_most(file, logs)) is not None:
                found[log.file.id].append(file)
        return found

    def _named_most(self, file: UploadFile, logs: Sequence[_Log]) -> _Log | None:
        """The log whose players a commentary names; the only one there is needs no proof."""
        if len(logs) < 2:
            return logs[0] if logs else None
        words = [
            token.key
            for comment in read_comments(self.folder / file.id)
            for token in tokenise(comment.text)
        ]
        counts = [sum(word in log.words for word in words) for log in logs]
        best = max(counts)
        return logs[counts.index(best)] if best >= MIN_NAMED and counts.count(best) == 1 else None

    def _lists(self, file: UploadFile, log: _Log) -> bool:
        """Whether line-ups are about the players of a log."""
        if not log.players:
            return file.folder == log.file.folder
        text = files.read_utf8(self.folder / file.id).decode("utf-8", "replace")
        listed = log.players.intersection(_TOKEN.findall(text))
        return len(listed) >= MIN_LISTED * len(log.players)

    def _labels(self, usable: Iterable[UploadFile], log: _Log) -> str | None:
        """The labels whose events a log has; those called gold first, as in a match folder."""
        fitting = []
        for file in usable:
            if file.role == "labels":
                lines = parse_gold(files.read_utf8(self.folder / file.id))
                events = {event for _, line in lines for event in line.described}
                if events and events <= log.events:
                    fitting.append(file)
        fitting.sort(key=lambda file: (not file.name.startswith("gold"), file.name))
        return fitting[0].id if fitting else None

    def _checked(self, match: UploadMatch, known: Sequence[UploadFile]) -> UploadMatch:
        """A match as it is read, with doubts about it, such as that a text is about another one."""
        comments, lineups = (
            [self.folder / name for name in names] for names in (match.comments, match.lineups)
        )
        try:
            read = read_match(self.folder / match.events, comments, lineups=lineups)
        except (TouchlineError, MemoryError, RecursionError) as error:
            return msgspec.structs.replace(match, problem=self._said(error, *known))
        return msgspec.structs.replace(
            match,
            title=title(read) if read.teams else match.title,
            warnings=list(read.warnings),
            checked=True,
        )


def chosen(texts: Sequence[UploadFile]) -> list[UploadFile]:
    """The commentary of a match among several: `comments.*` if there is one, else the first.

    Files whose names differ in a number only, such as one for each half, are one commentary.
    """
    called = sorted(texts, key=lambda file: (not file.name.startswith("comments"), file.name))
    parts = [file for file in called if _numbered(file) == _numbered(called[0])]
    return parts[:MAX_PARTS]


def _numbered(file: UploadFile) -> tuple[str, str, str]:
    return file.folder, file.what, _DIGITS.sub("#", file.name)


def _log(file: UploadFile, match: Match) -> _Log:
    """What is kept of a log; a player's id may have a letter before it elsewhere (`p123`)."""
    ids = {player.id for player in match.players}
    ids |= {event.player.id for event in match.events if event.player is not None}
    known = NameFinder(match).known_words
    words = frozenset(word for word in known if len(word) > 2 and word not in FUNCTION_WORDS)
    players = frozenset(found for one in ids for found in _TOKEN.findall(one))
    return _Log(file, players, frozenset(event.id for event in match.events), words)


def folder_of(path: str) -> str:
    """The folder in a path that a browser or an archive gives."""
    return str(PurePosixPath(path).parent) if "/" in path else ""
