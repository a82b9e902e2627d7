"""XML that is read element by element, and trusted with nothing.

Only what is asked for is kept, so that the memory needed is that of one record. A feed has no
document type of its own: a file that brings one, and with it perhaps entities that grow without
end or that point to other files, is refused before it is parsed. Nothing else is ever opened.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from xml.parsers import expat

from touchline.errors import InputError
from touchline.feeds.records import RawRecord

_BLOCK = 1 << 16
_CUT_OFF = tuple(
    expat.errors.codes[name]
    for name in (
        expat.errors.XML_ERROR_NO_ELEMENTS,
        expat.errors.XML_ERROR_UNCLOSED_TOKEN,
        expat.errors.XML_ERROR_PARTIAL_CHAR,
    )
)
_DEEPEST = 200  # levels; the feeds have five
_FIRST_TAG = re.compile(rb"<([A-Za-z_][\w.:-]*)")
_BEFORE_IT = re.compile(rb"<!--.*?(-->|\Z)|<\?.*?(\?>|\Z)", re.DOTALL)
_WHOLE_TAG = re.compile(rb"""<(?:[^>"']|"[^"]*+"|'[^']*+')*+>""")


class Element(NamedTuple):
    """An element: its name, its `fields`, and the slice of the file that it is.

    Fields are the attributes, the children in a list under their name, and `text` where asked for.
    """

    name: str
    fields: dict[str, Any]
    raw: bytes


def root_tag(data: bytes) -> bytes:
    """The name of the first element; nothing when the data does not start like XML."""
    head = data[:4000].lstrip()
    found = _FIRST_TAG.search(_BEFORE_IT.sub(b"", head)) if head.startswith(b"<") else None
    return found[1].rpartition(b":")[2] if found else b""


def elements(
    path: Path, data: bytes, whole: Sequence[str], heads: Sequence[str] = (), text: bool = False
) -> Iterator[Element]:
    """The elements called one of `whole`; of those called one of `heads` only the attributes."""
    if b"<!DOCTYPE" in data:
        problem = "the XML declares a document type; feeds have none, and it is not read"
        raise InputError(path, problem)
    try:
        yield from _parse(data.lstrip(), frozenset(whole), frozenset(heads), text)
    except expat.ExpatError as error:
        problem = f"not valid XML ({expat.ErrorString(error.code)})"
        if error.code in _CUT_OFF:
            problem = "the XML breaks off before its end"
        raise InputError(path, problem, f"line {error.lineno}") from None
    except _TooDeepError:
        raise InputError(path, "not valid XML (nested too deep)") from None


class _TooDeepError(Exception):
    pass


def _parse(
    data: bytes, whole: frozenset[str], heads: frozenset[str], text: bool
) -> Iterator[Element]:
    parser = expat.ParserCreate("utf-8")  # whatever it declares: the text has been recoded
    found: list[Element] = []
    stack: list[dict[str, Any]] = []
    begin = 0

    def start(name: str, fields: dict[str, Any]) -> None:
        nonlocal begin
        if stack:
            around = stack[-1]
            if name in around:
                around[name].append(fields)
            else:
                around[name] = [fields]
            stack.append(fields)
        elif name in whole:
            begin = parser.CurrentByteIndex
            stack.append(fields)
        elif name in heads:
            found.append(Element(name, fields, b""))

    def end(name: str) -> None:
        if len(stack) == 1:
            raw = data[begin : _end(data, name, begin, parser.CurrentByteIndex)]
            found.append(Element(name, stack[0], raw))
        elif len(stack) > _DEEPEST:
            raise _TooDeepError
        if stack:
            stack.pop()

    def characters(content: str) -> None:
        if stack and not content.isspace():
            stack[-1]["text"] = stack[-1].get("text", "") + content

    parser.StartElementHandler, parser.EndElementHandler = start, end
    if text:
        parser.CharacterDataHandler = characters
    for offset in range(0, len(data), _BLOCK):
        parser.Parse(data[offset : offset + _BLOCK])
        yield from found
        found.clear()
    parser.Parse(b"", True)
    yield from found


def _end(data: bytes, name: str, begin: int, at: int) -> int:
    """Where an element ends whose end was seen at a byte; `<Event/>` ends in its own start."""
    if data.startswith(b"</" + name.encode(), at):
        return data.index(b">", at) + 1
    tag = _WHOLE_TAG.match(data, begin)
    return tag.end() if tag else at


class XmlRecord(RawRecord):
    """A provider's own record that came as XML."""

    __slots__ = ()

    def _decode(self) -> dict[str, Any]:
        raw = bytes(self._raw)
        name = root_tag(raw).decode()
        return next(_parse(raw, frozenset([name]), frozenset(), False)).fields
