"""Inputs of a live match: a log and a commentary that others are still writing."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from touchline.core.errors import InputError, TouchlineError, UsageError
from touchline.core.records import Comment, Match
from touchline.io.commentary import kind_of, read_items, recognise
from touchline.io.commentary.columns import ANY, Columns
from touchline.io.commentary.entries import Entry
from touchline.io.commentary.limits import check_entries, overlong, trimmed
from touchline.io.commentary.tables import no_text_column, unknown_columns
from touchline.io.commentary.timing import place
from touchline.io.feeds import ENDS_EARLY, is_cut, read_events
from touchline.io.files import read_text
from touchline.io.sizes import MAX_FILE

Stamp = tuple[int, int, int]
Say = Callable[[str], None]


def stamp_of(path: Path) -> Stamp | None:
    """What changes when a file does; None where there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


class Feed:
    """A match log that is written while it is read.

    A file that cannot be read, half written or not there yet, leaves everything as it was until it
    changes again. One with fewer events than before may be in the middle of being written, too: it
    counts when it has stayed so from one look to the next.
    """

    def __init__(
        self, path: Path, provider: str | None, lineups: Sequence[Path], name: str | None, say: Say
    ) -> None:
        self._path, self._provider, self._lineups, self._name = path, provider, lineups, name
        self._say = say
        self._looked_at: Stamp | None = None
        self._shorter: Stamp | None = None
        self._events = 0
        self.error: TouchlineError | None = None

    def look(self) -> Match | None:
        """The log if it is another than at the last look."""
        stamp = stamp_of(self._path)
        if stamp is None and self._looked_at is None:
            self._refuse(InputError(self._path, "no such file"), stamp)
        if stamp is None or stamp == self._looked_at:
            return None
        try:
            match = read_events(self._path, self._provider, self._lineups, match=self._name)
            if is_cut(match):  # it is being written
                raise InputError(self._path, ENDS_EARLY)
        except TouchlineError as error:
            self._refuse(error, stamp)
            return None
        if len(match.events) < self._events and stamp != self._shorter:
            self._shorter = stamp
            return None
        self._looked_at, self._events, self.error = stamp, len(match.events), None
        return match

    def _refuse(self, error: TouchlineError, stamp: Stamp | None) -> None:
        if str(error) != str(self.error):
            self._say(f"{error}; waiting for it")
        self._looked_at, self.error = stamp, error


class Commentary:
    """The text of a commentary so far, read as a whole each time as `touchline align` reads it."""

    def __init__(self, name: Path, kind: str | None, say: Say, columns: Columns = ANY) -> None:
        if kind is not None:
            _check_followed(kind)
        self._name, self._kind, self._say, self._columns = name, kind, say, columns
        self._lines: list[str] = []
        self._said_columns = False
        self._warnings: set[str] = set()
        self.left_out = 0

    def add(self, text: str) -> None:
        """More lines of it, each one whole."""
        self._lines += text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n").split("\n")

    def begin_anew(self) -> None:
        self._lines.clear()

    def comments(self, ends: Mapping[int, float]) -> tuple[Comment, ...]:
        """All comments so far, by where the log's periods end; unreadable lines are left out."""
        while True:
            text = "\n".join(self._lines).lstrip("\ufeff")
            if not text.strip():
                return ()
            try:
                kind = self._kind or self._recognised(text)
                items = read_items(self._name, text, kind, self._columns)
                check_entries(self._name, [item for item in items if isinstance(item, Entry)])
                # What comes again under the same id takes the place of what was there.
                comments = {c.id: c for c in place(items, ends=ends)}.values()
                self._warn(overlong(tuple(comments)))
                return tuple(map(trimmed, comments))
            except InputError as error:
                self._leave_out(error)

    def _warn(self, warnings: Sequence[str]) -> None:
        """Say each warning once, however often the text is read."""
        for warning in warnings:
            if warning not in self._warnings:
                self._say(f"warning: {self._name}: {warning}")
        self._warnings.update(warnings)

    def _recognised(self, text: str) -> str:
        """The kind of a commentary of which there may be no more than a line."""
        if text.lstrip().startswith("{"):
            return "jsonl"
        try:
            kind = recognise(self._name, text, self._columns)
        except InputError:
            self._ask_for_columns(text)
            return "live"  # its first line may have no clock
        _check_followed(kind)
        return kind if kind in ("csv", "tsv") else "live"

    def _ask_for_columns(self, text: str) -> None:
        found = unknown_columns(text)
        if found is not None and not self._said_columns:
            self._say(f"warning: {self._name}: {no_text_column(found)}; read as live text")
            self._said_columns = True

    def _leave_out(self, error: InputError) -> None:
        """Drop the line that an error names, else the last one."""
        self._say(f"{error}; left out")
        self.left_out += 1
        number = (error.where or "").removeprefix("line ")
        del self._lines[int(number) - 1 if number.isdigit() else -1]


def _check_followed(kind: str) -> None:
    if kind_of(kind).recorded:
        raise UsageError(f"commentary of the kind {kind} cannot be followed live")


class GrowingFile:
    """A commentary in a file that somebody else appends to, or writes anew."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stamp: Stamp | None = None
        self._text = ""

    def look(self) -> str | None:
        """The whole lines of the file if it has others than at the last look.

        A last line without an end counts when the file has stayed so from one look to the next.
        """
        stamp = stamp_of(self._path)
        if stamp is None or stamp[1] == 0:
            return None
        try:
            text = read_text(self._path, MAX_FILE)
        except InputError:
            return None  # in the middle of a letter, or of being written
        whole = text if stamp == self._stamp else text[: text.rfind("\n") + 1]
        self._stamp = stamp
        if not whole or whole == self._text:
            return None
        self._text = whole
        return whole
