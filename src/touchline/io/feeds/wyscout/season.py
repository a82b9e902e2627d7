"""A season's file contains every match; only the records of the requested one are kept.

The file is a JSON list of records with a `matchId`. It is read in blocks and cut between records,
so that the memory needed is that of a block and of one match, whatever the file's size.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import msgspec
import numpy as np

from touchline.core.errors import InputError
from touchline.io.feeds.records import TRUNCATED, starts_with, why
from touchline.io.sizes import MAX_FILE, too_large

# A larger record would be scanned over and over while its end is looked for.
MAX_RECORD = 1 << 20
# All that Wyscout has published are 1,941.
MAX_MATCHES = 10_000
_STEP = 1 << 16
_SPACE = b" \t\r\n,"
_ESCAPED = re.compile(rb"\\.", re.DOTALL)


class _Which(msgspec.Struct, gc=False, rename="camel"):
    match_id: int | str


_WHICH = msgspec.json.Decoder(list[_Which], strict=False)
_RAW = msgspec.json.Decoder(list[msgspec.Raw])


class OneMatch:
    """A sieve for `read_utf8`: lets a log pass, and of a season's file only one match.

    `match` is its id; None will do where the file contains a single match.
    """

    def __init__(self, path: Path, match: str | None) -> None:
        self.path = path
        self.match = match
        self.cut = False  # whether the list ends too early; what is whole of it has passed

    def __call__(self, blocks: Iterator[bytes]) -> Iterator[bytes]:
        first = next(blocks, b"")
        if not is_season(first):
            return self._bounded(chain([first], blocks))
        return self._one_match(chain([first], blocks))

    def _bounded(self, blocks: Iterator[bytes]) -> Iterator[bytes]:
        size = 0
        for block in blocks:
            size += len(block)
            if size > MAX_FILE:
                raise InputError(self.path, too_large())
            yield block

    def _one_match(self, blocks: Iterator[bytes]) -> Iterator[bytes]:
        """The records of the match, or of the only one: a name asked for may be just a name."""
        kept: dict[str, list[bytes]] = {}
        seen: dict[str, None] = {}
        size = 0
        for piece in self._pieces(blocks):
            ids = self._ids(piece)
            seen |= dict.fromkeys(ids)
            wanted = {self.match, *seen} if len(seen) == 1 else {self.match}
            if not wanted.isdisjoint(ids):
                for record, of in zip(_RAW.decode(b"[" + piece + b"]"), ids, strict=True):
                    if of in wanted:
                        kept.setdefault(of, []).append(bytes(record))
                        size += len(bytes(record))
            kept = {of: records for of, records in kept.items() if of in wanted}
            self._check_kept(size, len(seen))
        self._check(seen)
        for records in kept.values():
            yield b"[" + b",".join(records) + b"]"

    def _ids(self, piece: bytes) -> list[str]:
        try:
            return [str(record.match_id) for record in _WHICH.decode(b"[" + piece + b"]")]
        except (msgspec.DecodeError, RecursionError) as error:
            raise InputError(self.path, f"not a list of Wyscout events ({why(error)})") from None

    def _check_kept(self, size: int, matches: int) -> None:
        if size > MAX_FILE:
            raise InputError(self.path, too_large())
        if matches > MAX_MATCHES:
            problem = f"more than {MAX_MATCHES:,} matches; give the file of one season"
            raise InputError(self.path, problem)

    def _check(self, ids: dict[str, None]) -> None:
        if len(ids) > 1 and self.match not in ids:
            some = ", ".join(list(ids)[:3])
            asked = (
                f"{self.match!r} is not one of them" if self.match else "choose one with --match ID"
            )
            raise InputError(self.path, f"contains {len(ids)} matches ({some} ...); {asked}")

    def _pieces(self, blocks: Iterator[bytes]) -> Iterator[bytes]:
        """The text between the brackets of the list, cut between records."""
        rest = b""
        found = False
        for step in _steps(blocks):
            rest += step
            end = _end_of_records(rest)
            found = found or bool(end)
            if end:
                yield rest[:end].strip(_SPACE)
                rest = rest[end:].lstrip(_SPACE)
            if len(rest) > MAX_RECORD:
                problem = f"not a list of Wyscout events (one of more than {MAX_RECORD >> 20} MB)"
                raise InputError(self.path, problem)
        if rest.startswith(b"]") and rest.strip() != b"]":
            raise InputError(self.path, "not valid JSON after the list")
        self.cut = rest.strip() != b"]"
        if self.cut and not found:
            raise InputError(self.path, f"the JSON {TRUNCATED}")


def _steps(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """What follows the first bracket, in steps small enough to be scanned in little memory."""
    opening = True
    for block in blocks:
        inside = block.lstrip()[1:] if opening else block
        opening = False
        for start in range(0, len(inside), _STEP):
            yield inside[start : start + _STEP]


def is_season(head: bytes) -> bool:
    """Whether a file that starts like this is a list of records that name their match."""
    return starts_with(head, b"[") and b'"matchId"' in head and b'"matchPeriod"' in head


def _end_of_records(text: bytes) -> int:
    """Where the last whole record of a list's inside ends; 0 where there is none."""
    plain = _ESCAPED.sub(b"__", text) if b"\\" in text else text
    characters = np.frombuffer(plain, dtype=np.uint8)
    quoted = np.add.accumulate(characters == ord('"'), dtype=np.uint8) & 1  # parity survives 255
    folded = characters | 32  # makes { of [ and } of ]
    steps = (folded == ord("{")).astype(np.int8) - (folded == ord("}"))
    steps[quoted == 1] = 0
    depth = np.cumsum(steps, dtype=np.int32)
    over = np.flatnonzero(depth < 0)  # the end of the list itself
    whole = np.flatnonzero((depth == 0) & (steps == -1))
    inside = whole[whole < over[0]] if len(over) else whole
    return int(inside[-1]) + 1 if len(inside) else 0
