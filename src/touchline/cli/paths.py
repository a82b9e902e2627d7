"""Paths on the command line: local ones, and URLs where a command reads or writes anywhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from touchline.core.errors import TouchlineError
from touchline.io.storage import RemotePath
from touchline.io.storage.urls import is_url, shown


class PathType(click.Path):
    """A path; whether a file can be read is for the readers to say, in their own words."""

    def __init__(self, *, anywhere: bool, written: bool = False) -> None:
        super().__init__(path_type=Path, readable=False)
        self._anywhere, self._written = anywhere, written

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, str) or not is_url(value):
            return super().convert(value, param, ctx)
        if not self._anywhere:
            self.fail(f"{shown(value)} is a URL; a local path is needed here", param, ctx)
        try:
            path = RemotePath.of(value)
            if self._written:
                path.check_writable()  # before any work is done
            return path
        except TouchlineError as error:
            self.fail(str(error), param, ctx)


FILE = PathType(anywhere=True)
OUTPUT = PathType(anywhere=True, written=True)
LOCAL = PathType(anywhere=False)
