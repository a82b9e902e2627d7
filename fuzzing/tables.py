"""Small good files of the forms that tools and services make of a match: flat tables and JSON."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from collections.abc import Iterator, Sequence
from typing import Any

import openpyxl
import pyarrow.parquet

from touchline.core.records import Comment

Files = dict[str, bytes]
_DATE = re.compile(rb"\d{4}-\d\d-\d\dT[\d:]+Z")


def logs(statsbomb: bytes) -> Iterator[tuple[str, Files]]:
    """StatsBomb's records and SPADL as CSV."""
    records = json.loads(statsbomb)
    yield "flat-csv", {"events.csv": as_csv([flat(record) for record in records])}
    yield "flat-dotted", {"events.csv": as_csv([dotted(record) for record in records])}
    actions = [action(number) for number in range(24)]
    players = b"player_id,team_id,player_name\n1,7,Ann Archer\n2,8,Bo Brook\n"
    yield "spadl-csv", {"actions.csv": as_csv(actions), "players.csv": players}


def flat(record: dict[str, Any]) -> dict[str, Any]:
    row: dict[str, Any] = {}
    for key, value in record.items():
        if isinstance(value, dict) and "name" in value:
            row |= {key: value["name"], f"{key}_id": value["id"]}
        elif isinstance(value, dict):
            for inner, one in value.items():
                named = isinstance(one, dict) and "name" in one
                row[f"{key}_{inner}"] = one["name"] if named else one
        else:
            row[key] = value
    return row


def dotted(record: dict[str, Any], before: str = "") -> dict[str, Any]:
    row: dict[str, Any] = {}
    for key, value in record.items():
        inside = isinstance(value, dict)
        row |= dotted(value, f"{before}{key}.") if inside else {before + key: value}
    return row


def as_csv(rows: Sequence[dict[str, Any]]) -> bytes:
    out = io.StringIO()
    writer = csv.DictWriter(out, list(dict.fromkeys(name for row in rows for name in row)))
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode()


def as_excel(rows: Sequence[dict[str, Any]]) -> bytes:
    book, out = openpyxl.Workbook(), io.BytesIO()
    book.active.append(list(rows[0]))
    for row in rows:
        book.active.append(list(row.values()))
    book.save(out)
    return _without_dates(out)


def _without_dates(book: io.BytesIO) -> bytes:
    """The same bytes in every run: a workbook says when it was written."""
    out = io.BytesIO()
    with zipfile.ZipFile(book) as archive, zipfile.ZipFile(out, "w") as copy:
        for name in archive.namelist():
            content = re.sub(
                rb"\d{4}-\d\d-\d\dT[\d:]+Z", b"2026-01-01T00:00:00Z", archive.read(name)
            )
            copy.writestr(zipfile.ZipInfo(name), content)
    return out.getvalue()


def as_parquet(rows: Sequence[dict[str, Any]]) -> bytes:
    out = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(list(rows)), out)
    return out.getvalue()


def action(number: int) -> dict[str, Any]:
    return {
        "game_id": 5, "action_id": number, "period_id": 1, "time_seconds": 7.5 * number,
        "team_id": 7 + number % 2, "player_id": 1.0 + number % 2, "type_id": number % 23,
        "result_id": number % 6, "bodypart_id": number % 6, "start_x": 50.0, "start_y": 30.0,
        "end_x": 80.0, "end_y": 34.0,
    }  # fmt: skip


def pages(comments: Sequence[Comment]) -> Iterator[tuple[str, bytes]]:
    """Live pages that mark their clocks little, and the JSON of services."""
    minutes = [(int((c.start or 0) // 60) + 1, " ".join(c.text.split())) for c in comments]
    yield "live/bare", "\n".join(f"{m} {text}" for m, text in minutes).encode()
    yield "live/mins", "\n".join(f"{m} mins {text}" for m, text in minutes).encode()
    yield "live/at-end", "\n".join(f"{text} ({m}')" for m, text in minutes).encode()
    yield "live/below", "\n\n".join(f"{text}\n{m}'" for m, text in minutes).encode()
    yield "live/bold", "\n".join(f"- **{m}'** {text}" for m, text in minutes).encode()
    yield "live/kicker", "\n".join(f"{m}. {text}" for m, text in minutes).encode()
    messages = [
        {"id": str(n), "comment": text, "period": "1", "time": f"{m}'", "minute": str(m)}
        for n, (m, text) in enumerate(minutes)
    ]
    messages[-1] |= {"period": "14", "time": ""}
    yield "json/ma6", json.dumps({"matchInfo": {}, "message": messages}).encode()
    plays = [
        {"sequence": n, "text": text, "time": {"value": 60.0 * m, "displayValue": f"{m}'"},
         "play": {"period": {"number": 1}}}
        for n, (m, text) in enumerate(minutes)
    ]  # fmt: skip
    yield "json/espn", json.dumps({"header": {}, "keyEvents": [], "commentary": plays}).encode()
