"""Which of the models that were learned from labels are offered and used, in the database."""

from __future__ import annotations

import sqlite3
from typing import Literal

Role = Literal["offered", "used"]
ROLES: tuple[Role, ...] = ("offered", "used")


def get_models(db: sqlite3.Connection) -> dict[Role, str]:
    """The model of each role that has one."""
    found: dict[Role, str] = {}
    for role in ROLES:
        row = db.execute("SELECT value FROM settings WHERE name = ?", [_name(role)]).fetchone()
        if row is not None:
            found[role] = row["value"]
    return found


def put_models(db: sqlite3.Connection, models: dict[Role, str]) -> None:
    """Write the model of each role, in place of those before."""
    db.executemany("DELETE FROM settings WHERE name = ?", [[_name(role)] for role in ROLES])
    rows = [[_name(role), model] for role, model in models.items()]
    db.executemany("INSERT INTO settings VALUES (?, ?)", rows)


def _name(role: Role) -> str:
    return f"model {role}"
