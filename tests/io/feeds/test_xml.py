"""XML: names of roots, elements with children and text, records with their slices."""

from __future__ import annotations

from pathlib import Path

import pytest

from touchline.core.errors import InputError
from touchline.io.feeds.xml import XmlRecord, elements, records, root_tag

PATH = Path("a.xml")
LOG = b"""<?xml version="1.0"?><!-- <Wrong> -->
<Log><Game id="1"/><Event id="a&amp;b"><Q n="1"/><Q n="2">x</Q></Event>
<!-- <Event id="no"/> --><Event id='c/>d'/><Event id="e"><Q n="3"/></Event></Log>"""


@pytest.mark.parametrize(
    ("data", "tag"),
    [
        (LOG, b"Log"),
        (b"\n <a:Games x='1'>", b"Games"),
        (b"<!-- <x> --><?y z?><Games>", b"Games"),
        (b"<!-- never closed <x>", b""),
        (b"[1]", b""),
        (b"<<<", b""),
    ],
)
def test_the_name_of_the_root(data: bytes, tag: bytes):
    assert root_tag(data) == tag


def test_records_have_their_children_and_their_slices():
    game, first, second, third = records(PATH, LOG, "Event", "Q", heads=["Game"])
    assert (game.name, game.fields) == ("Game", {"id": "1"})
    assert first.fields == {"id": "a&b", "Q": [{"n": "1"}, {"n": "2"}]}
    assert [record.fields["id"] for record in (second, third)] == ["c/>d", "e"]
    raws = [XmlRecord(record.raw) for record in (first, second, third)]
    assert raws == [first.fields, {"id": "c/>d"}, third.fields]


def test_elements_have_children_and_text():
    data = b"<a><b x='1'> one <c>two</c><c>three</c></b><b/></a>"
    assert [tuple(e)[:2] for e in elements(PATH, data, ["b"], heads=["a"])] == [
        ("a", {}),
        ("b", {"x": "1", "text": " one ", "c": [{"text": "two"}, {"text": "three"}]}),
        ("b", {}),
    ]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"<a>\n<b></a>", "a.xml, line 2: not valid XML .mismatched tag"),
        (b"<a>\n<b>", "a.xml, line 2: the XML is truncated"),
        (b"<a>&what;</a>", "not valid XML .undefined entity"),
        (b"<!DOCTYPE a><a/>", "declares a document type"),
    ],
)
def test_broken_xml_is_reported_with_its_line(data: bytes, message: str):
    with pytest.raises(InputError, match=message):
        list(elements(PATH, data, ["b"]))
    with pytest.raises(InputError, match=message):
        list(records(PATH, data, "b", "c"))


def test_a_child_named_like_an_attribute_or_the_text_stays():
    """Found by damaged files: the child was put where the attribute's text stood."""
    log = b'<Log><Event id="a" Q="1"><Q n="2"/></Event></Log>'
    (record,) = records(PATH, log, "Event", "Q")
    assert XmlRecord(record.raw) == {"id": "a", "Q": [{"n": "2"}]}
    (element,) = elements(PATH, b"<Team Name='x'>a<text/>b<Name>c</Name></Team>", ["Team"])
    assert element.fields == {"Name": [{"text": "c"}], "text": [{}]}


def test_a_record_inside_of_a_record_cuts_it_off():
    """Found by damaged files: the outer one's slice has no end."""
    log = b'<Log><Event id="a"><Q n="1"/><Event id="b"/><Q n="2"/></Event></Log>'
    outer, inner = (XmlRecord(record.raw) for record in records(PATH, log, "Event", "Q"))
    assert outer == {"id": "a", "Q": [{"n": "1"}]}
    assert inner["id"] == "b"
