"""Files that end too early: what is whole of them.

A download that broke off, or a file cut to a size, ends within a record. All records before it are
sound. They are kept, the one that was cut is dropped, and what is still open is closed.
"""

from __future__ import annotations

import re
from xml.parsers import expat

from touchline.io.feeds.xml import root_tag

# What opens and closes in JSON; a string is one token, so that brackets inside it are none.
TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[\[\]{}]', re.DOTALL)


class _Open:
    """A list or an element that is open: how it is closed, its whole children, where they end."""

    def __init__(self, close: bytes, start: int) -> None:
        self.close = close
        self.children = 0
        self.end = start


def whole_part(data: bytes) -> bytes | None:
    """The file up to the end of its last whole record, and closed; None where none is whole."""
    data = data.strip()
    opened = _open_xml(data) if root_tag(data) else _open_json(data)
    # A record's own lists are open as well where it was cut, so that the outermost list of
    # records counts; one with a single child may be the wrapper of the file that was cut.
    lists = [one for one in opened if one.close != b"}"]
    chosen = next((one for one in lists if one.children > 1), None)
    chosen = chosen or next((one for one in lists if one.children), None)
    if chosen is None:
        return None
    around = opened[: opened.index(chosen) + 1]
    return data[: chosen.end] + b"".join(one.close for one in reversed(around))


def _open_json(data: bytes) -> list[_Open]:
    stack: list[_Open] = []
    for token in TOKEN.finditer(data):
        if token[0] in b"[{":
            stack.append(_Open(b"]" if token[0] == b"[" else b"}", token.end()))
        elif token[0] in b"]}":
            if not stack or stack.pop().close != token[0]:
                return []
            if stack and token[0] == b"}":
                stack[-1].children += 1
                stack[-1].end = token.end()
    return stack


def _open_xml(data: bytes) -> list[_Open]:
    stack: list[_Open] = []
    parser = expat.ParserCreate("utf-8")

    def start(name: str, _: dict[str, str]) -> None:
        stack.append(_Open(f"</{name}>".encode(), 0))

    def end(_: str) -> None:
        stack.pop()
        if stack:
            stack[-1].children += 1
            # The place of the tag; its end is the next bracket, as no attribute follows.
            stack[-1].end = data.find(b">", parser.CurrentByteIndex) + 1

    parser.StartElementHandler, parser.EndElementHandler = start, end
    if b"<!DOCTYPE" in data:
        return []
    try:
        parser.Parse(data, True)
    except expat.ExpatError:
        return stack
    return []
