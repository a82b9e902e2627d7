"""A style on disk: templates, selection weights and how names are written."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from touchline.core.errors import InputError
from touchline.generation.selection.model import SelectionModel
from touchline.io.files import read_utf8, write_whole
from touchline.io.storage import AnyPath, as_path

FORMAT = 1
NOTE = (
    "This file contains sentences of the commentary that it was learned from. "
    "Do not pass it on unless you may pass on that text."
)


Fact = str | int | bool | None


class Template(msgspec.Struct, frozen=True, kw_only=True):
    """A comment with slots for its names, and what its events were like.

    `sentences` are its parts; `plain` says of each whether a log can confirm all of its words, and
    `core` which of them say how it ended. `facts` must be those of the events that it is used for.
    """

    source: str
    sentences: tuple[str, ...]
    plain: tuple[bool, ...]
    core: tuple[bool, ...]
    facts: Mapping[str, Fact]


class Style(msgspec.Struct, frozen=True, kw_only=True):
    """A voice of a corpus.

    `surnames` is the share of players who are named by the surname alone.
    """

    format: int = FORMAT
    note: str = NOTE
    selection: SelectionModel
    templates: tuple[Template, ...]
    surnames: float = 0.0

    def __repr__(self) -> str:
        return f"Style({len(self.templates)} templates)"

    def to_bytes(self) -> bytes:
        """The style as JSON, the same bytes for the same style."""
        return msgspec.json.format(msgspec.json.encode(self), indent=1) + b"\n"


def write_style(style: Style, path: str | AnyPath) -> None:
    """Write a style, whole or not at all."""
    with write_whole(path) as out:
        out.write(style.to_bytes())


def read_style(path: str | AnyPath) -> Style:
    """Read a style; a file of a later format is refused."""
    data = read_utf8(as_path(path))
    try:
        style = msgspec.json.decode(data, type=Style)
    except (msgspec.DecodeError, RecursionError) as error:
        raise InputError(path, f"not a style of `touchline fit --style` ({error})") from None
    if style.format > FORMAT:
        raise InputError(path, f"style format {style.format} is not supported (up to {FORMAT} is)")
    return style
