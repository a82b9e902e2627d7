"""Why a comment is linked as it is, in records that any method can give and any view can show.

A method adds the fields of its own evidence and says, in the four methods of `Explanation`, what
of it a page and a terminal show. Nothing that shows explanations asks which method they are from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal

import msgspec

from touchline.core.records import CommentId, Match, shortened

# A name, a misspelled one, a word; a name that no linked event accounts for; a word that belongs
# to no event, which is not marked.
ClaimKind = Literal["name", "garbled", "word", "lost", ""]


class Claim(msgspec.Struct, frozen=True, kw_only=True):
    """Characters of a comment that are evidence for a linked event, or for none, and how strong."""

    start: int
    end: int
    event: str | None
    kind: ClaimKind
    weight: float


class Line(msgspec.Struct, frozen=True):
    """A line of text for the terminal."""

    text: str
    bold: bool = False
    indent: int = 0


class Grid(msgspec.Struct, frozen=True, kw_only=True):
    """A table for the terminal: columns of text, then columns of numbers."""

    title: str = ""
    texts: Sequence[str] = ()
    numbers: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()


Block = Line | Grid


class _Shown(msgspec.Struct, frozen=True, kw_only=True):
    """A record of evidence that can be stored and shown."""

    method: str

    def to_json(self) -> dict[str, Any]:
        """All of the evidence, as `touchline explain --json` writes it."""
        found: dict[str, Any] = msgspec.to_builtins(self)
        return found

    def blocks(self) -> Iterable[Block]:
        """The evidence for a terminal."""
        return ()


class Explanation(_Shown, frozen=True, kw_only=True):
    """The evidence about one comment."""

    match: str
    comment: CommentId
    text: str

    def __repr__(self) -> str:
        where = f"{self.match!r}, {self.comment!r}"
        return f"{type(self).__name__}({self.method}, {where}, {shortened(self.text)!r})"

    def claims(self) -> Iterable[Claim]:
        """The characters of the comment that decided."""
        return ()

    def heaviest(self) -> Iterable[tuple[str, tuple[str, ...]]]:
        """The words that decided for each linked event, by its id, the heaviest first."""
        return ()

    def notes(self) -> Iterable[tuple[str, str]]:
        """What else a reader should know: a label and a sentence each."""
        return ()


class ModelSummary(_Shown, frozen=True, kw_only=True):
    """What a method has learned in all."""


# Explains a comment of a match; UsageError where the method cannot.
Explain = Callable[[Match, CommentId], Explanation]
