"""The file of an outside annotator's labels, which grows line by line.

A label is on disk before the next comment is asked about: what was paid for is not lost when the
run is killed, and is not asked again.
"""

from __future__ import annotations

import os
import re

from touchline.core.errors import InputError, OutputError, UsageError
from touchline.core.records import CommentId
from touchline.io.corpus.gold import GoldLine, annotator_line, parse_gold
from touchline.io.corpus.labels import annotator_file
from touchline.io.storage import AnyPath

# Names that are a file's on every system, and are neither hidden nor a path.
_NAME = re.compile(r"[^\W_](?:[\w.-]{0,62}\w)?")
_TAKEN = {"gold", "con", "prn", "aux", "nul"}


def check_annotator(name: str) -> str:
    """A name that is safe as a file's.

    Raises
    ------
    UsageError
        It is none.
    """
    if not _NAME.fullmatch(name) or name.lower() in _TAKEN:
        raise UsageError(
            f"annotator {name!r}; expected up to 64 letters, digits and . _ - "
            "(not gold, which is for adjudicated labels)"
        )
    return name


class LabelFile:
    """The labels of a machine for one match.

    Raises
    ------
    UsageError
        The file has labels that a person made.
    """

    def __init__(self, folder: AnyPath, annotator: str) -> None:
        self.path = annotator_file(folder, annotator)
        labels = [label for _, label in parse_gold(self._content(), lambda error: None)]
        if any(not label.machine for label in labels):
            raise UsageError(f"{self.path} has labels that a person made; give another --annotator")
        self.answered: set[CommentId] = {label.id for label in labels}
        self._mended = False

    def append(self, label: GoldLine) -> None:
        """Add a label; it is on disk when this returns."""
        try:
            self._mend()
            with open(self.path, "ab", buffering=0) as file:
                file.write(annotator_line(label))
                os.fsync(file.fileno())
        except OSError as error:
            raise OutputError(f"{self.path}: cannot be written ({error.strerror})") from None
        self.answered.add(label.id)

    def _content(self) -> bytes:
        try:
            return self.path.read_bytes() if self.path.exists() else b""
        except OSError as error:
            raise InputError(self.path, error.strerror or str(error)) from None

    def _mend(self) -> None:
        """Begin on a new line: a power cut may have left half of one, which is no label."""
        if self._mended:
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        content = self._content()
        if content and not content.endswith(b"\n"):
            whole = content.rfind(b"\n") + 1
            last = list(parse_gold(content[whole:], lambda error: None))
            with open(self.path, "r+b") as file:
                file.truncate(len(content) if last else whole)
                file.seek(0, os.SEEK_END)
                file.write(b"\n" if last else b"")
        self._mended = True
