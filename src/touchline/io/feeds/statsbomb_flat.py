"""StatsBomb's events as tools flatten them to a table: one row a record, one column a field.

Three forms are known, each as CSV or JSON: statsbombpy's (`pass_outcome`, `location` as `[x, y]`),
that of pandas' `json_normalize` and of StatsBombR (`pass.outcome.name`, `location.x`), and
mplsoccer's (`outcome_name`, `x`, `y`). Each row becomes a record of the provider's own form again,
so that a table and the file it was made of give the same match, as far as the table goes.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from touchline.core.errors import InputError
from touchline.io.feeds.records import limited
from touchline.io.feeds.table.rows import HEAD, column_names, is_json, rows

# Columns by which each form is known, all of them beside those of any event.
_FORMS = (
    frozenset(["type", "possession_team"]),
    frozenset(["type.name", "possession_team.name"]),
    frozenset(["type_name", "possession_team_name"]),
)
_EVERY = frozenset(["period", "timestamp"])
_TYPES = ("type", "type.name", "type_name")
_NESTED = re.compile(rb'"(?:type|possession_team)"\s*:\s*\{')
# What tools write where a field is not there, or a flag is not set.
_UNKNOWN = frozenset(["", "NaN", "nan", "NA", "null", "NULL", "None", "<NA>"])
_FLAGS = {"True": True, "TRUE": True, "true": True, "False": False, "FALSE": False, "false": False}
_TIME = re.compile(r"(?:0 days )?(\d\d:\d\d:\d\d(?:\.\d+)?)")
# Objects of a record that have an id beside their name.
_NAMED = ("team", "player", "possession_team", "play_pattern", "position")
# mplsoccer drops the name of the type from these fields of a record's own object.
_SHORTENED = {"sub_type": "type", "outcome": "outcome", "body_part": "body_part",
              "technique": "technique"}  # fmt: skip
_PEOPLE = ("recipient", "replacement")
_MAX_LITERAL = 100_000


def is_flat(data: bytes) -> bool:
    """A table whose columns are those of one of the forms."""
    if is_json(data) and _NESTED.search(data, 0, HEAD) is not None:
        return False
    names = column_names(data)
    return names >= _EVERY and any(names >= form for form in _FORMS)


def nested(path: Path, data: bytes) -> Iterator[dict[str, Any]]:
    """The records that the rows were made of, in the provider's own form."""
    lacks = "a table of StatsBomb events without a column `type`"
    table = [_filled(row) for _, row in limited(path, rows(path, data, _TYPES, lacks))]
    ids = _ids(table)
    for row in table:
        yield _record(path, row, ids)


def _filled(row: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a row that are there."""
    return {key: known for key, value in row.items() if (known := _value(value)) is not None}


def _value(value: Any) -> Any:
    """A cell as what it was before it became text."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if not isinstance(value, str):
        return value
    text = value.strip()
    if text in _UNKNOWN:
        return None
    if text in _FLAGS:
        return _FLAGS[text]
    if text[0] in "[{" and text[-1] in "]}" and len(text) <= _MAX_LITERAL:
        return _literal(text)
    return text


def _literal(text: str) -> Any:
    """A list or object as Python or JSON writes it; nothing in it is ever run."""
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        pass
    try:
        return ast.literal_eval(re.sub(r"\bnan\b", "None", text))
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return None


def _ids(table: list[dict[str, Any]]) -> dict[tuple[str, str], Any]:
    """The ids of teams and players by their names, for columns that have names only."""
    found: dict[tuple[str, str], Any] = {}
    for row in table:
        for what in ("team", "player"):
            name = row.get(what) or row.get(f"{what}_name") or row.get(f"{what}.name")
            key = row.get(f"{what}_id", row.get(f"{what}.id"))
            if isinstance(name, str) and key is not None:
                found.setdefault((what, name), _whole(key))
    return found


def _whole(value: Any) -> Any:
    """An id; a column of numbers with gaps makes 5.0 of 5."""
    text = str(value)
    number = text.removesuffix(".0")
    return int(number) if number.isdecimal() and len(number) < 16 else text


def _record(path: Path, row: dict[str, Any], ids: Mapping[tuple[str, str], Any]) -> dict[str, Any]:
    if "type.name" in row:
        return _timed(_undotted(path, row))
    row = _long_names(row) if "type_name" in row else row
    kind = row.get("type")
    record: dict[str, Any] = {}
    details = [f"{key}_" for key in _detail_keys(str(kind))]
    detail: dict[str, Any] = {}
    for key, value in row.items():
        prefix = next((one for one in details if key.startswith(one)), None)
        if prefix is not None and not _is_inner_id(key):
            inner = key.removeprefix(prefix)
            detail[inner] = _inner(inner, value, row.get(f"{key}_id"), ids)
        elif key == "type":
            record["type"] = {"id": str(value), "name": str(value)}
        elif key in _NAMED and isinstance(value, str):
            what = "team" if key == "possession_team" else key
            own = row.get(f"{key}_id", ids.get((what, value), value))
            record[key] = {"id": _whole(own), "name": value}
        elif key in ("period", "index", "minute", "second", "possession"):
            record[key] = _whole(value)
        else:
            record[key] = value
    if detail:
        record[details[-1][:-1]] = detail
    return _timed(record)


def _detail_keys(kind: str) -> tuple[str, ...]:
    """What a type's own columns start with; the last is what StatsBomb calls its object."""
    key = kind.lower().replace("*", "").replace("/", "_").replace(" ", "_")
    return (key, "goalkeeper") if key == "goal_keeper" else (key,)


def _is_inner_id(key: str) -> bool:
    return key.endswith("_id") and key.removesuffix("_id").endswith(_PEOPLE)


def _inner(key: str, value: Any, own: Any, ids: Mapping[tuple[str, str], Any]) -> Any:
    """A field of the record's own object: names are objects there, ids of records are not."""
    if not isinstance(value, str) or key.endswith("_id") or _is_number(value):
        return value
    if key in _PEOPLE:
        own = ids.get(("player", value), value) if own is None else own
        return {"id": _whole(own), "name": value}
    return {"name": value}


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _timed(record: dict[str, Any]) -> dict[str, Any]:
    """The record with a timestamp as StatsBomb writes it, and places as lists."""
    found = _TIME.fullmatch(str(record.get("timestamp", "")))
    if found is not None:
        record["timestamp"] = found[1]
    return record


def _undotted(path: Path, row: Mapping[str, Any]) -> dict[str, Any]:
    """`pass.outcome.name` as the objects that it was made of."""
    record: dict[str, Any] = {}
    for key, value in row.items():
        *outer, last = key.split(".")
        at = record
        for name in outer:
            inside = at.setdefault(name, {})
            if not isinstance(inside, dict):
                raise InputError(path, f"columns `{name}` and `{key}` contradict each other")
            at = inside
        number = isinstance(value, str) and last in ("x", "y", "z") and _is_number(value)
        at[last] = float(value) if number else _whole(value) if last == "id" and outer else value
    for key in ("period", "index"):
        if key in record:
            record[key] = _whole(record[key])
    return {key: _place(value) for key, value in record.items()}


def _place(value: Any) -> Any:
    """`location.x` and `.y` as the list that they were; also one level down."""
    if not isinstance(value, dict):
        return value
    if "x" in value and "y" in value and value.keys() <= {"x", "y", "z"}:
        return [value["x"], value["y"]]
    return {
        key: [one["x"], one["y"]] if isinstance(one, dict) and {"x", "y"} <= one.keys() else one
        for key, one in value.items()
    }


def _long_names(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row of mplsoccer's under the names of statsbombpy."""
    prefix = _detail_keys(str(row["type_name"]))[-1]
    renamed: dict[str, Any] = {}
    for key, value in row.items():
        name = key.removesuffix("_name")
        if name in _SHORTENED:
            renamed[f"{prefix}_{_SHORTENED[name]}"] = value
        elif not key.endswith("_id") or name.removesuffix("_id") in (*_NAMED, "pass_recipient"):
            renamed[name] = value
    for start, place in (("", "location"), ("end_", f"{prefix}_end_location")):
        x, y = renamed.pop(f"{start}x", None), renamed.pop(f"{start}y", None)
        if x is not None and y is not None:
            renamed[place] = [x, y]
    return renamed
