"""Ways to damage a file: as bytes, as lines, as JSON, as XML, as tables, as a model's arrays.

Every way takes a source of chance and the file's bytes and gives other bytes; the same chance gives
the same bytes. A way that does not fit the file (XML of what is JSON) falls back on bytes.
"""

from __future__ import annotations

import copy
import gzip
import io
import itertools
import json
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import numpy as np
import pyarrow.parquet
from lxml import etree

Way = Callable[[Random, bytes], bytes]

DIGITS = "9" * 5000  # more than Python turns into a number
DEEP = 3000  # more levels than any decoder follows
NUMBERS = (0, -1, 1, 2, 5, 6, 45, 90, 121, 0.5, -0.0, 2**31, 2**53 + 1, 2**63, 2**64, 10**40, 1e308,
           -1e308, 1e-320)  # fmt: skip
TEXTS = ("", " ", "0", "-1", "nan", "inf", "-inf", "1e400", "1e9", "null", "true", "é", "\x00",
         "\ud800", "\u202e", "\ufeff", "🙂", "a" * 3000, DIGITS, "²", "٣", "1,2", "45+2'",
         "45'+999'", "12:75", "00:00:00.000", "99:99:99", "1 - 45:00", "2018-13-45T99:99:99",
         "../../etc/passwd", "=1+1", "<b>", "]]>", "&amp;", "{", "[", '"', "\n", "\r\n\r\n",
         "-->", "\t|\t")  # fmt: skip
VALUES: tuple[Any, ...] = (None, True, False, [], {}, [[]], [None], {"id": None}, {"": {}},
                           float("nan"), float("inf"), *NUMBERS, *TEXTS)  # fmt: skip
TOKENS = (b"\x00", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\xff\xfe", b"\r", b"\n\n",
          b'"', b"'", b"{", b"}", b"[", b"]", b"<", b">", b"&", b"<!--", b"-->", b"<![CDATA[",
          b"&#0;", b"&#xD800;", b"&x;", b"<?xml?>", b'<!DOCTYPE a [<!ENTITY b "c">]>', b"\\u0000",
          b"\\ud800", b"\\", b",", b"|", b";", b"\t", b"NaN", b"Infinity", b"-", b"1e999", b"e",
          b"null", b"\x1f\x8b", b"PK\x03\x04", b"NUMPY")  # fmt: skip


# As bytes -----------------------------------------------------------------------------------------


def as_bytes(chance: Random, data: bytes) -> bytes:
    """A few cuts, copies, swaps and foreign bytes."""
    for _ in range(chance.choice((1, 1, 2, 4, 8))):
        data = chance.choice(_BYTES)(chance, data)
    return data


def _stretch(chance: Random, data: bytes) -> tuple[int, int]:
    start = chance.randint(0, len(data))
    return start, min(len(data), start + int(chance.paretovariate(0.6)))


def _flip(chance: Random, data: bytes) -> bytes:
    if not data:
        return b"\x00"
    place = chance.randrange(len(data))
    return data[:place] + bytes([data[place] ^ (1 << chance.randrange(8))]) + data[place + 1 :]


def _cut(chance: Random, data: bytes) -> bytes:
    start, end = _stretch(chance, data)
    return data[:start] + data[end:]


def _truncate(chance: Random, data: bytes) -> bytes:
    return data[: chance.randint(0, len(data))]


def _insert(chance: Random, data: bytes) -> bytes:
    start, end = _stretch(chance, data)
    return data[:start] + chance.choice(TOKENS) + data[chance.choice((start, end)) :]


def _copy(chance: Random, data: bytes) -> bytes:
    start, end = _stretch(chance, data)
    place = chance.randint(0, len(data))
    return data[:place] + data[start:end] * chance.choice((1, 2, 50)) + data[place:]


def _other_number(chance: Random, data: bytes) -> bytes:
    """A number of the file becomes another."""
    found = list(re.finditer(rb"-?\d+(\.\d+)?", data))
    if not found:
        return _insert(chance, data)
    number = chance.choice(found)
    return data[: number.start()] + _text(chance.choice(NUMBERS)) + data[number.end() :]


_BYTES: tuple[Way, ...] = (_flip, _cut, _truncate, _insert, _copy, _other_number)


def _text(value: Any) -> bytes:
    return str(value).encode("utf-8", "surrogatepass")


# As lines -----------------------------------------------------------------------------------------


def as_lines(chance: Random, data: bytes) -> bytes:
    """Lines left out, doubled, moved, joined, and fields of a line changed."""
    lines = data.split(b"\n")
    for _ in range(chance.choice((1, 2, 5))):
        place, other = chance.randrange(len(lines)), chance.randrange(len(lines))
        act = chance.randrange(6)
        if act == 0 and len(lines) > 1:
            del lines[place]
        elif act == 1:
            lines.insert(other, lines[place])
        elif act == 2:
            lines[place], lines[other] = lines[other], lines[place]
        elif act == 3:
            lines[place] = lines[place] + lines[other]
        else:
            lines[place] = _other_field(chance, lines[place])
    return chance.choice((b"\n", b"\n", b"\r\n", b"\r")).join(lines)


def _other_field(chance: Random, line: bytes) -> bytes:
    mark = chance.choice((b",", b"\t", b"|", b" ", b":", b";"))
    fields = line.split(mark)
    fields[chance.randrange(len(fields))] = _text(chance.choice(VALUES))
    return mark.join(fields)


# As JSON ------------------------------------------------------------------------------------------


def as_json(chance: Random, data: bytes) -> bytes:
    """Values of the file's tree, or of one of its lines', changed, moved, doubled or left out."""
    try:
        return _changed_json(chance, data)
    except (ValueError, RecursionError):
        lines = data.split(b"\n")
        place = chance.randrange(len(lines))
        try:
            lines[place] = _changed_json(chance, lines[place])
        except (ValueError, RecursionError):
            return as_bytes(chance, data)
        return b"\n".join(lines)


def _changed_json(chance: Random, data: bytes) -> bytes:
    tree = [json.loads(data)]
    for _ in range(chance.choice((1, 1, 2, 3, 6))):
        _change(chance, tree)
    text = json.dumps(tree[0] if tree else None, ensure_ascii=chance.random() < 0.5)
    if chance.random() < 0.02:
        deep = chance.choice(('{"a":', "["))
        shut = "}" if deep[0] == "{" else "]"
        text = text.replace("null", deep * DEEP + "1" + shut * DEEP, 1)
    return text.encode("utf-8", "surrogatepass")


def _value(chance: Random) -> Any:
    """A strange value; a copy, or the next change of the tree would change it for all to come."""
    return copy.deepcopy(chance.choice(VALUES))


def _change(chance: Random, tree: list[Any]) -> None:
    """One change at a place of the tree, all places as likely as one thinks of them: by levels."""
    places = list(_walk(chance, tree))
    if not places:
        return tree.append(_value(chance))
    box, key = chance.choice(places)
    act = chance.randrange(8)
    if act == 0:
        del box[key]
    elif act == 1 and isinstance(box, list):
        box.insert(key, box[key])
    elif act == 2:
        other, there = chance.choice(places)
        box[key] = json.loads(json.dumps(other[there]))  # a copy: a tree must not hold itself
    elif act == 3 and isinstance(box, dict):
        box[chance.choice([*box, "id", "", "é"])] = box.pop(key)
    elif act == 4:
        box[key] = chance.choice(([box[key]], {"id": box[key]}, str(box[key]), [box[key]] * 3))
    else:
        box[key] = _value(chance)


def _walk(chance: Random, tree: list[Any]) -> Iterator[tuple[Any, Any]]:
    """A way down the tree, by chance, with every place on it."""
    box: Any = tree
    while isinstance(box, list | dict) and box:
        key = chance.randrange(len(box)) if isinstance(box, list) else chance.choice(list(box))
        yield box, key
        box = box[key]


# As XML -------------------------------------------------------------------------------------------


def as_xml(chance: Random, data: bytes) -> bytes:
    """Elements and attributes changed, moved, doubled or left out."""
    try:
        root = etree.fromstring(data)
    except (etree.XMLSyntaxError, ValueError):
        return as_bytes(chance, data)
    for _ in range(chance.choice((1, 1, 2, 3, 6))):
        _change_element(chance, root)
    return etree.tostring(root, encoding=chance.choice(("utf-8", "utf-16", "us-ascii")))


def _change_element(chance: Random, root: Any) -> None:
    element = chance.choice(list(root.iter("*")))
    parent, act = element.getparent(), chance.randrange(9)
    if act == 0 and parent is not None:
        parent.remove(element)
    elif act == 1 and parent is not None:
        parent.append(etree.fromstring(etree.tostring(element, with_tail=False)))
    elif act == 2 and parent is not None:
        root.append(element)
    elif act == 3:
        element.tag = chance.choice(("Event", "Q", "Game", "Team", "x"))
    elif act == 4:
        element.text = _for_xml(chance)
    elif act == 5 and element.attrib:
        del element.attrib[chance.choice(list(element.attrib))]
    else:
        name = chance.choice([*element.attrib, "id", "type_id", "period_id", "text"])
        element.set(name, _for_xml(chance))


def _for_xml(chance: Random) -> str:
    return re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]", "", str(chance.choice(VALUES)))


# As a model ---------------------------------------------------------------------------------------


def as_arrays(chance: Random, data: bytes) -> bytes:
    """One array of an `.npz` file of another shape, type or content."""
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as packed:
            arrays = {name: packed[name] for name in packed.files}
    except (ValueError, OSError, EOFError, NotImplementedError, zipfile.BadZipFile, zlib.error):
        return as_bytes(chance, data)
    if not arrays:
        return as_bytes(chance, data)
    name = chance.choice(list(arrays))
    if name in ("header", "language") and chance.random() < 0.8:
        changed = as_json(chance, arrays[name].tobytes())
        arrays[name] = np.frombuffer(changed, np.uint8)
    else:
        arrays[name] = _other_array(chance, arrays[name])
    if chance.random() < 0.1:
        arrays.pop(chance.choice(list(arrays)))
    packed_again = io.BytesIO()
    np.savez(packed_again, allow_pickle=False, **arrays)
    return packed_again.getvalue()


def _other_array(chance: Random, array: np.ndarray) -> np.ndarray:
    acts: tuple[Callable[[], np.ndarray], ...] = (
        lambda: array[: len(array) // 2] if array.ndim else array,
        lambda: array.reshape(-1),
        lambda: array[None],
        lambda: np.zeros(0, array.dtype),
        lambda: array.astype(chance.choice(("f4", "i8", "u1", "U5", "?"))),
        lambda: _spoiled(chance, array),
        lambda: _spoiled(chance, array),
        lambda: (
            np.full(array.shape, chance.choice((-1, 0, 2**30, 1)), array.dtype)
            if array.dtype.kind in "iuf"
            else array
        ),
    )
    with np.errstate(all="ignore"):
        try:
            return chance.choice(acts)()
        except (ValueError, OverflowError):
            return array[:0]


def _spoiled(chance: Random, array: np.ndarray) -> np.ndarray:
    """The array with some values that nobody would have written."""
    flat = np.array(array).reshape(-1)
    odd = {"f": (np.nan, np.inf, -1.0, 1e300, 0.0), "i": (-1, -(2**40), 2**40, 0),
           "u": (0, 255), "U": ("", "x")}.get(array.dtype.kind)  # fmt: skip
    if odd is None or not len(flat):
        return array
    for _ in range(chance.choice((1, 3, 20))):
        flat[chance.randrange(len(flat))] = chance.choice(odd)
    return flat.reshape(array.shape)


# Around a file ------------------------------------------------------------------------------------


def as_packed(chance: Random, data: bytes) -> bytes:
    """Packed or in another encoding, and perhaps damaged there."""
    act = chance.randrange(5)
    if act < 2:
        data = gzip.compress(data, 1, mtime=0)
    else:
        text = data.decode("utf-8", "replace")
        data = text.encode(("utf-16", "utf-8-sig", "cp1252")[act - 2], "replace")
    return data if chance.random() < 0.3 else as_bytes(chance, data)


def as_workbook(chance: Random, data: bytes) -> bytes:
    """One of the XML files in a workbook damaged, the others as they are."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = {name: archive.read(name) for name in archive.namelist()}
    except (zipfile.BadZipFile, zlib.error, ValueError, NotImplementedError):
        return as_bytes(chance, data)
    if members:
        name = chance.choice(sorted(members))
        members[name] = chance.choice((as_xml, as_bytes))(chance, members[name])
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return out.getvalue()


def as_parquet(chance: Random, data: bytes) -> bytes:
    """Rows of a Parquet file left out or doubled, and values in them changed."""
    try:
        table = pyarrow.parquet.read_table(io.BytesIO(data))
        rows = table.to_pylist()
        for _ in range(chance.choice((1, 1, 2, 6)) if rows else 0):
            _change_row(chance, rows)
        return _columns(rows, table.schema)
    except _NO_TABLE:
        return as_bytes(chance, data)


def _change_row(chance: Random, rows: list[dict[str, Any]]) -> None:
    place, other = chance.randrange(len(rows)), chance.randrange(len(rows))
    row = dict(rows[place])
    name, act = chance.choice(list(row)), chance.randrange(8)
    if act == 0:
        rows.append(row)
    elif act == 1 and len(rows) > 1:
        del rows[place]
    else:
        alike = TEXTS if isinstance(row[name], str) else NUMBERS
        row[name] = chance.choice((rows[other][name], None, _value(chance), chance.choice(alike)))
        rows[place] = row


_NO_TABLE = (pyarrow.ArrowException, OSError, LookupError, ValueError, TypeError, AttributeError,
             OverflowError, RecursionError)  # fmt: skip


def _columns(rows: list[dict[str, Any]], schema: pyarrow.Schema) -> bytes:
    """The file of the rows, in columns of the types that they had if they fit into them."""
    out = io.BytesIO()
    maps = [field.name for field in schema if pyarrow.types.is_map(field.type)]
    try:
        for name, row in itertools.product(maps, rows):
            row[name] = _with_keys(row.get(name))
        table = pyarrow.Table.from_pylist(rows, schema=schema)
    except _NO_TABLE:
        table = pyarrow.Table.from_pylist(rows)
    pyarrow.parquet.write_table(table, out)
    return out.getvalue()


def _with_keys(pairs: Any) -> Any:
    """A map without pairs that lack a key, at which pyarrow ends the process that builds it."""
    if isinstance(pairs, list):
        return [pair for pair in pairs if isinstance(pair, tuple) and pair[0] is not None]
    return None


WAYS: dict[str, tuple[Way, ...]] = {
    "workbook": (as_workbook, as_workbook, as_workbook, as_bytes),
    "parquet": (as_parquet, as_parquet, as_parquet, as_bytes),
    "json": (as_json, as_json, as_json, as_bytes, as_lines, as_packed),
    "xml": (as_xml, as_xml, as_xml, as_bytes, as_lines, as_packed),
    "text": (as_lines, as_lines, as_bytes, as_packed),
    "model": (as_arrays, as_arrays, as_arrays, as_bytes),
}


def mutate(chance: Random, data: bytes, kind: str) -> bytes:
    """Damage a file of this kind, mostly in one way."""
    data = chance.choice(WAYS[kind])(chance, data)
    return mutate(chance, data, kind) if chance.random() < 0.15 else data
