"""Opta's feeds packed as JSON: the XML's elements as objects, attributes under `@attributes`.

A file is one feed (`{"Games": ...}` for F24, `{"OptaFeed": ...}` for F9) or a list of downloads
`{"url": ..., "data": feed}`, such as the F9 and the F24 of one match. A child that occurs once is
an object, one that occurs more often is a list. Its text is its value, or stands under `@value`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from touchline.io.feeds.records import RawRecord, decode_json, limited, starts_with

_WHAT = "Opta feeds packed as JSON"
_DEEPEST = 50
Game = tuple[dict[str, Any], list[tuple[dict[str, Any], RawRecord]]]


class _Game(msgspec.Struct):
    attributes: dict[str, Any] = msgspec.field(name="@attributes", default_factory=dict)
    events: list[msgspec.Raw] = msgspec.field(name="Event", default_factory=list)


class _Games(msgspec.Struct):
    game: msgspec.Raw = msgspec.field(name="Game", default_factory=msgspec.Raw)


class _Feed(msgspec.Struct):
    games: _Games | None = msgspec.field(name="Games", default=None)
    results: dict[str, Any] | None = msgspec.field(name="OptaFeed", default=None)
    data: msgspec.Raw = msgspec.field(default_factory=msgspec.Raw)


def is_packed(data: bytes) -> bool:
    named = b'"Games"' in data or b'"OptaFeed"' in data
    return starts_with(data, b"[{") and b'"@attributes"' in data and named


def has_events(data: bytes) -> bool:
    return is_packed(data) and b'"Games"' in data and b'"type_id"' in data


def games(path: Path, data: bytes) -> Iterator[Game]:
    """The attributes of each match of a file, and its records as those of the XML."""
    for feed in _feeds(path, data):
        raws = feed.games.game if feed.games is not None else b""
        for raw in _several(path, raws):
            game: _Game = decode_json(path, raw, _Game, _WHAT)
            events = [
                (_record(path, number, event), RawRecord(event))
                for number, event in enumerate(limited(path, game.events), 1)
            ]
            yield _attributes(game.attributes), events


def results(path: Path, data: bytes) -> Iterator[dict[str, Any]]:
    """The documents of F9, F7's twin, in the form that its XML is read in."""
    for feed in _feeds(path, data):
        for document in _many((feed.results or {}).get("OptaDocument")):
            yield _element(document)


def _feeds(path: Path, data: bytes | msgspec.Raw) -> Iterator[_Feed]:
    for raw in _several(path, data):
        feed: _Feed = decode_json(path, raw, _Feed, _WHAT)
        yield feed
        if bytes(feed.data).lstrip()[:1] in (b"[", b"{"):
            yield from (decode_json(path, one, _Feed, _WHAT) for one in _several(path, feed.data))


def _several(path: Path, data: bytes | msgspec.Raw) -> list[msgspec.Raw]:
    """The objects of a list, or the one that there is."""
    content = bytes(data).strip()
    if content.startswith(b"["):
        found: list[msgspec.Raw] = decode_json(path, content, list[msgspec.Raw], _WHAT)
        return found
    return [msgspec.Raw(content)] if content else []


def _record(path: Path, number: int, raw: msgspec.Raw) -> dict[str, Any]:
    event = decode_json(path, raw, dict[str, Any], f"an F24 event in record {number}")
    fields = _attributes(event.get("@attributes"))
    stamp = event.get("@attributes", {}).get("TimeStamp") if fields else None
    if isinstance(stamp, Mapping) and isinstance(stamp.get("utc"), str):
        fields["timestamp"] = stamp["utc"]  # `timestamp` has the month in place of the minutes
    if fields.get("player_id") == "0":  # nobody
        del fields["player_id"]
    fields["Q"] = [
        found
        for one in _many(event.get("Q"))
        if "qualifier_id" in (found := _attributes(one.get("@attributes")))
    ]
    return fields


def _attributes(values: Any) -> dict[str, Any]:
    """Attributes as XML has them: texts."""
    if not isinstance(values, Mapping):
        return {}
    return {k: str(v) for k, v in values.items() if isinstance(v, str | int | float)}


def _many(value: Any) -> list[dict[str, Any]]:
    values = value if isinstance(value, list) else [value]
    return [one for one in values if isinstance(one, dict)]


def _element(value: dict[str, Any], depth: int = 0) -> dict[str, Any]:
    """An object as `xml.elements` gives one: its attributes, and its children in lists."""
    fields = _attributes(value.get("@attributes"))
    if "@value" in value:
        fields["text"] = str(value["@value"])
    for name, child in value.items():
        if name.startswith("@") or depth > _DEEPEST:
            continue
        children = child if isinstance(child, list) else [child]
        fields[name] = [
            _element(one, depth + 1) if isinstance(one, dict) else {"text": str(one)}
            for one in children
        ]
    return fields
