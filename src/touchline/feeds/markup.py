"""XML that is read element by element, and trusted with nothing.

No entity is resolved, no other file or address is opened, the depth and the length of a text are
bounded by the parser. A feed has no document type of its own, so one that brings any is refused.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from lxml import etree

from touchline.errors import InputError
from touchline.feeds.records import RawRecord

_DOCTYPE = b"<!DOCTYPE"
# What may stand before the first element: a declaration, comments, processing instructions.
_FIRST_TAG = re.compile(rb"<([A-Za-z_][\w.:-]*)")


def root_tag(data: bytes) -> bytes:
    """The name of the first element; nothing when the data does not start like XML."""
    head = data[:4000].lstrip()
    if not head.startswith(b"<"):
        return b""
    found = _FIRST_TAG.search(re.sub(rb"<!--.*?(-->|\Z)|<\?.*?(\?>|\Z)", b"", head, flags=re.S))
    return found[1].rpartition(b":")[2] if found else b""


def elements(path: Path, data: bytes, tags: Sequence[str]) -> Iterator[etree._Element]:
    """The elements of those names in the order of their ends; each is dropped after its turn."""
    if _DOCTYPE in data:
        raise InputError(path, "the XML declares a document type; feeds have none, so it is not read")
    names = [f"{{*}}{tag}" for tag in tags]
    stream = etree.iterparse(
        io.BytesIO(data.lstrip()), events=("end",), tag=names, encoding="utf-8", load_dtd=False,
        resolve_entities=False, no_network=True, huge_tree=False, remove_comments=True,
        remove_pis=True,
    )  # fmt: skip
    try:
        for _, element in stream:
            yield element
            _drop(element)
    except etree.XMLSyntaxError as error:
        raise InputError(path, f"not valid XML ({error.msg})", f"line {error.lineno}") from None


def _drop(element: etree._Element) -> None:
    """Free an element that has been read and whatever stands before it."""
    element.clear(keep_tail=False)
    parent = element.getparent()
    while parent is not None and element.getprevious() is not None:
        del parent[0]


def fields(element: etree._Element) -> dict[str, Any]:
    """An element as a mapping: its attributes, and its children in a list for each name."""
    values: dict[str, Any] = dict(element.attrib)
    for child in element.iterchildren(tag=etree.Element):
        values.setdefault(etree.QName(child).localname, []).append(fields(child))
    return values


class XmlRecord(RawRecord):
    """A provider's own record that came as XML."""

    __slots__ = ()

    def __init__(self, element: etree._Element) -> None:
        super().__init__(etree.tostring(element, encoding="utf-8", with_tail=False))

    def _decode(self) -> dict[str, Any]:
        parser = etree.XMLParser(resolve_entities=False, no_network=True)
        return fields(etree.fromstring(self._raw, parser))
