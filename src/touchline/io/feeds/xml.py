"""XML that is read element by element, and trusted with nothing.

Only what is asked for is kept, so that the memory needed is that of one record. A feed has no
document type of its own: a file that brings one, and with it perhaps entities that grow without
end or that point to other files, is refused before it is parsed. Nothing else is ever opened.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from xml.parsers import expat

from touchline.core.errors import InputError
from touchline.io.feeds.records import TRUNCATED, RawRecord

_BLOCK = 1 << 14  # the elements of a block take a dozen times its size
_CUT_OFF = tuple(
    expat.errors.codes[name]
    for name in (
        expat.errors.XML_ERROR_NO_ELEMENTS,
        expat.errors.XML_ERROR_UNCLOSED_TOKEN,
        expat.errors.XML_ERROR_PARTIAL_CHAR,
    )
)
_DEEPEST = 200  # levels that are kept; the feeds have five
_FIRST_TAG = re.compile(rb"<([A-Za-z_][\w.:-]*)")
_BEFORE_IT = re.compile(rb"<!--.*?(-->|\Z)|<\?.*?(\?>|\Z)", re.DOTALL)

Fields = dict[str, Any]


class Element(NamedTuple):
    """An element's name, its attributes with its children under their names, and its text.

    `raw` is the slice of the file that starts with it; only records have one.
    """

    name: str
    fields: Fields
    raw: bytes = b""


def root_tag(data: bytes) -> bytes:
    """The name of the first element; nothing when the data does not start like XML."""
    head = data[:4000].lstrip()
    found = _FIRST_TAG.search(_BEFORE_IT.sub(b"", head)) if head.startswith(b"<") else None
    return found[1].rpartition(b":")[2] if found else b""


def elements(
    path: Path, data: bytes, whole: Collection[str], heads: Collection[str] = ()
) -> Iterator[Element]:
    """The elements called one of `whole`; of those called one of `heads` only the attributes.

    Children stand in a list under their name; `text` is what is written between them.
    """
    found: list[Element] = []
    stack: list[Fields] = []

    def start(name: str, fields: Fields) -> None:
        if stack:
            _put(stack, name, fields)
        elif name in whole:
            stack.append(fields)
        elif name in heads:
            found.append(Element(name, fields))

    def end(name: str) -> None:
        if stack:
            fields = stack.pop()
            if not stack:
                found.append(Element(name, fields))

    def text(content: str) -> None:
        if stack and not content.isspace():
            before = stack[-1].get("text", "")
            if isinstance(before, str):  # and no child of that name
                stack[-1]["text"] = before + content

    parser = _parser(start, end, text)
    yield from _parse(path, data, parser, found)
    yield from found


def records(
    path: Path, data: bytes, tag: str, child: str, heads: Collection[str] = ()
) -> Iterator[Element]:
    """The elements called `tag` with their children called `child`, in a log of nothing else.

    A log has ten thousands of these: the end of an element, which says nothing here, is not even
    looked at.
    """
    data = data.lstrip()
    found: list[Element] = []
    last: Fields | None = None
    children: list[Fields] = []
    begin = 0

    def start(name: str, fields: Fields) -> None:
        nonlocal last, begin, children
        if name == child:
            children.append(fields)
        elif name == tag:
            at = parser.CurrentByteIndex
            if last is not None:
                found.append(Element(tag, last, data[begin:at]))
            children = fields[child] = []
            last, begin = fields, at
        elif name in heads:
            found.append(Element(name, fields))

    parser = _parser(start)
    yield from _parse(path, data, parser, found)
    if last is not None:
        yield Element(tag, last, data[begin:])


def _put(stack: list[Fields], name: str, fields: Fields) -> None:
    """Open a child of the innermost element; what is nested without end is not kept.

    Where an attribute has the child's name, which is none of any feed, the child stays.
    """
    if len(stack) < _DEEPEST:
        children = stack[-1].get(name)
        if not isinstance(children, list):
            children = stack[-1][name] = []
        children.append(fields)
    stack.append(fields)


def _parser(start: Callable[..., None], *more: Callable[..., None]) -> expat.XMLParserType:
    parser = expat.ParserCreate("utf-8")  # whatever it declares: the text has been recoded
    parser.StartElementHandler = start
    if more:
        parser.EndElementHandler = more[0]
    if len(more) > 1:
        parser.CharacterDataHandler = more[1]
    return parser


def refuse_document_type(path: Path, data: bytes) -> None:
    """Refuse a file that brings a document type, and with it perhaps entities."""
    if root_tag(data) and b"<!DOCTYPE" in data:
        problem = "the XML declares a document type (DTD), which is not accepted"
        raise InputError(path, problem)


def _parse(
    path: Path, data: bytes, parser: expat.XMLParserType, found: list[Element]
) -> Iterator[Element]:
    """What the parser's handlers find, block by block."""
    refuse_document_type(path, data)
    data = data.lstrip()
    try:
        for offset in range(0, len(data), _BLOCK):
            parser.Parse(data[offset : offset + _BLOCK])
            yield from found
            found.clear()
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        problem = f"not valid XML ({expat.ErrorString(error.code)})"
        if error.code in _CUT_OFF:
            problem = f"the XML {TRUNCATED}"
        raise InputError(path, problem, f"line {error.lineno}") from None


class _WholeError(Exception):
    """An element is complete; what follows in the slice is not its own."""


class XmlRecord(RawRecord):
    """A provider's own record that came as XML."""

    __slots__ = ()

    def _decode(self) -> Fields:
        stack: list[Fields] = [{}]

        def start(name: str, fields: Fields) -> None:
            _put(stack, name, fields)

        def end(_: str) -> None:
            stack.pop()
            if len(stack) == 1:
                raise _WholeError

        # A record inside of a record cuts the outer one off; what it has until there stays.
        with contextlib.suppress(_WholeError, expat.ExpatError):
            _parser(start, end).Parse(bytes(self._raw), True)
        ((record,),) = stack[0].values()
        return dict(record)
