"""Labels and the log of actions, in the database.

Labels have tables of their own, keyed by match, annotator and comment, so that a new alignment does
not change them. What an action does to a label is decided in `touchline.web.labels`; this module
reads and writes rows.
"""

from __future__ import annotations

import sqlite3
from typing import Literal

import msgspec

from touchline.core.records import CommentId
from touchline.methods.active import Line
from touchline.web.records import Label, Progress, Queued, Span, Step
from touchline.web.store.database import Connection
from touchline.web.store.index import GOLD, comment_id, key, update_described_events

# The status of an action, in its column `undone`: it counts, it can be redone, or a newer action
# has replaced it.
ACTIVE, UNDONE, REPLACED = 0, 1, 2
_OF_STEP = "match = ? AND annotator = ? AND undone = ? AND step = ?"  # in the order of the index


class LabelState(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The part of the API's Label that an annotator decides, as it is stored.

    `segments` are the words of events, by id, where the annotator has chosen them. `by` is who
    adjudicated, in labels of the annotator `gold`.
    """

    events: tuple[str, ...] = ()
    rejected: tuple[str, ...] = ()
    none: bool = False
    unsure: bool = False
    note: str = ""
    done: bool = False
    segments: dict[str, tuple[Span, ...]] = {}
    by: str = ""


class AnnotationScope(msgspec.Struct, frozen=True):
    """The labels of one annotator on one match."""

    match: str
    annotator: str


class Change(msgspec.Struct, frozen=True):
    """A label before and after an action; None where there is no label."""

    comment: CommentId
    before: LabelState | None
    after: LabelState | None


class LoggedAction(msgspec.Struct, frozen=True):
    """An action of the log."""

    action: str
    change: Change


class DoneByBoth(msgspec.Struct, frozen=True):
    """A comment that two annotators have finished, with the events of each and its time."""

    match: str
    comment: CommentId
    a: frozenset[str]
    b: frozenset[str]
    period: int | None
    time: float | None


# Labels ------------------------------------------------------------------------------------------


def get_label(db: sqlite3.Connection, scope: AnnotationScope, comment: CommentId) -> Label | None:
    row = db.execute(
        "SELECT * FROM labels WHERE match = ? AND annotator = ? AND comment = ?",
        [scope.match, scope.annotator, key(comment)],
    ).fetchone()
    return None if row is None else _label(row)


def get_labels(db: sqlite3.Connection, scope: AnnotationScope) -> list[Label]:
    """All labels of a scope, in the order of the comments."""
    rows = db.execute(
        "SELECT labels.* FROM labels LEFT JOIN comments ON comments.match = labels.match "
        "AND comments.id = labels.comment WHERE labels.match = ? AND annotator = ? "
        "ORDER BY comments.place, labels.comment",
        [scope.match, scope.annotator],
    )
    return [_label(row) for row in rows]


def put_label(
    db: Connection, scope: AnnotationScope, change: Change, revision: int, at: str
) -> Label:
    """Write a label as an action left it, and update the search index."""
    where = [scope.match, scope.annotator, key(change.comment)]
    if change.after is None:
        db.execute("DELETE FROM labels WHERE match = ? AND annotator = ? AND comment = ?", where)
    else:
        db.execute(
            "INSERT OR REPLACE INTO labels VALUES (?, ?, ?, ?, ?, ?, ?)",
            [*where, _encoded(change.after), change.after.done, revision, at],
        )
    update_described_events(db, scope.match, change.comment)
    return make_label(change.comment, change.after, revision, at)


def delete_labels(db: sqlite3.Connection, match: str) -> None:
    """Delete all labels of a match, with the log of their actions."""
    for table in ("labels", "actions"):
        db.execute(f"DELETE FROM {table} WHERE match = ?", [match])


def make_label(comment: CommentId, state: LabelState | None, revision: int, at: str) -> Label:
    """The API's record; a label that was removed has revision 0, as one that never existed."""
    if state is None:
        return Label(comment=comment)
    return Label(comment=comment, revision=revision, at=at, **msgspec.structs.asdict(state))


def finished(db: sqlite3.Connection, match: str) -> dict[CommentId, dict[str, Label]]:
    """The finished labels of a match by comment, in the order of the comments, and annotator."""
    rows = db.execute(
        "SELECT labels.* FROM labels JOIN comments ON comments.match = labels.match "
        "AND comments.id = labels.comment WHERE labels.match = ? AND done "
        "ORDER BY comments.place, annotator",
        [match],
    )
    found: dict[CommentId, dict[str, Label]] = {}
    for row in rows:
        label = _label(row)
        found.setdefault(label.comment, {})[row["annotator"]] = label
    return found


def progress(db: sqlite3.Connection, match: str | None = None) -> dict[str, list[Progress]]:
    """The progress of every annotator on each match, or on one match."""
    rows = db.execute(
        "SELECT match, annotator, SUM(done) AS done, COUNT(*) - SUM(done) AS open, "
        "SUM(COALESCE(json_extract(state, '$.unsure'), 0)) AS unsure "
        f"FROM labels WHERE annotator <> ? {'AND match = ?' if match else ''} "
        "GROUP BY match, annotator ORDER BY match, annotator",
        [GOLD, match] if match else [GOLD],
    )
    found: dict[str, list[Progress]] = {}
    for row in rows:
        one = Progress(
            name=row["annotator"], done=row["done"], open=row["open"], unsure=row["unsure"]
        )
        found.setdefault(row["match"], []).append(one)
    return found


def queue(db: sqlite3.Connection, scope: AnnotationScope, order: str) -> list[Queued]:
    """All comments of a match with what an annotator has done about them."""
    rows = db.execute(
        "SELECT comments.id, doubt, labels.state FROM comments LEFT JOIN labels "
        "ON labels.match = comments.match AND labels.comment = comments.id AND annotator = ? "
        f"WHERE comments.match = ? ORDER BY {'doubt DESC, ' * (order == 'uncertain')}place",
        [scope.annotator, scope.match],
    )
    return [
        Queued(comment=comment_id(row["id"]), doubt=round(row["doubt"], 3),
               done=state.done, unsure=state.unsure)
        for row in rows
        if (state := _decoded(row["state"]) or LabelState())
    ]  # fmt: skip


def lines(db: sqlite3.Connection, match: str) -> list[Line]:
    """The comments of a match with the doubts about them, in their order."""
    rows = db.execute("SELECT * FROM comments WHERE match = ? ORDER BY place", [match])
    return [_line(row) for row in rows]


def labelled_lines(db: sqlite3.Connection) -> list[Line]:
    """The comments of all matches that anybody has finished."""
    rows = db.execute(
        "SELECT * FROM comments WHERE EXISTS (SELECT 1 FROM labels WHERE labels.match = "
        "comments.match AND labels.comment = comments.id AND done) ORDER BY row"
    )
    return [_line(row) for row in rows]


def done_by_both(
    db: sqlite3.Connection, a: str, b: str, match: str | None = None
) -> list[DoneByBoth]:
    """The comments that two annotators have both finished, of one match or of all."""
    rows = db.execute(
        "SELECT x.match, x.comment, x.state AS a, y.state AS b, c.period, c.time FROM labels AS x "
        "JOIN labels AS y ON y.match = x.match AND y.comment = x.comment AND y.annotator = ? "
        "JOIN comments AS c ON c.match = x.match AND c.id = x.comment "
        "WHERE x.annotator = ? AND x.done AND y.done AND (? IS NULL OR x.match = ?) "
        "ORDER BY x.match, c.place",
        [b, a, match, match],
    )
    return [
        DoneByBoth(row["match"], comment_id(row["comment"]), _events(row["a"]), _events(row["b"]),
                   row["period"], row["time"])
        for row in rows
    ]  # fmt: skip


def finished_labels(db: sqlite3.Connection) -> dict[str, dict[str, list[Label]]]:
    """The finished labels of all matches, by annotator."""
    found: dict[str, dict[str, list[Label]]] = {}
    rows = db.execute("SELECT * FROM labels WHERE done ORDER BY match, annotator, comment")
    for row in rows:
        found.setdefault(row["match"], {}).setdefault(row["annotator"], []).append(_label(row))
    return found


# The log of actions ------------------------------------------------------------------------------


def latest_action(db: sqlite3.Connection) -> int:
    """The number of the last action by anybody; clients use it to drop outdated notifications."""
    return int(db.execute("SELECT COALESCE(MAX(id), 0) FROM actions").fetchone()[0])


def add_action(
    db: sqlite3.Connection,
    scope: AnnotationScope,
    logged: LoggedAction,
    *,
    step: int | None,
    status: int,
    at: str,
) -> int:
    """Append an action to the log, as part of a step or as the first of a new one; its number."""
    change = logged.change
    number = db.execute(
        "INSERT INTO actions (step, match, annotator, comment, action, before, after, at, "
        "undone) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [step or 0, scope.match, scope.annotator, key(change.comment), logged.action,
         _encoded(change.before), _encoded(change.after), at, status],
    ).lastrowid  # fmt: skip
    assert number is not None
    db.execute("UPDATE actions SET step = ? WHERE id = ?", [step or number, number])
    return number


def actions_of_step(
    db: sqlite3.Connection, scope: AnnotationScope, status: int, step: int
) -> list[LoggedAction]:
    rows = db.execute(
        f"SELECT * FROM actions WHERE {_OF_STEP} ORDER BY id",
        [scope.match, scope.annotator, status, step],
    )
    return [LoggedAction(row["action"], _change(row)) for row in rows]


def set_step_status(
    db: sqlite3.Connection, scope: AnnotationScope, step: int, *, before: int, after: int
) -> None:
    db.execute(
        f"UPDATE actions SET undone = ? WHERE {_OF_STEP}",
        [after, scope.match, scope.annotator, before, step],
    )


def drop_redo(db: sqlite3.Connection, scope: AnnotationScope) -> None:
    """A new action replaces everything that could be redone."""
    db.execute(
        "UPDATE actions SET undone = ? WHERE match = ? AND annotator = ? AND undone = ?",
        [REPLACED, scope.match, scope.annotator, UNDONE],
    )


def steps(db: sqlite3.Connection, scope: AnnotationScope) -> tuple[Step | None, Step | None]:
    """The steps that undo and redo would take."""
    return _step(db, scope, ACTIVE, "MAX"), _step(db, scope, UNDONE, "MIN")


def _step(
    db: sqlite3.Connection, scope: AnnotationScope, status: int, which: Literal["MAX", "MIN"]
) -> Step | None:
    found = db.execute(
        f"SELECT {which}(step) FROM actions WHERE match = ? AND annotator = ? AND undone = ?",
        [scope.match, scope.annotator, status],
    ).fetchone()[0]
    if found is None:
        return None
    logged = actions_of_step(db, scope, status, found)
    comments = tuple(one.change.comment for one in logged)
    return Step(id=found, action=logged[0].action, comments=comments)


# Rows --------------------------------------------------------------------------------------------


def _label(row: sqlite3.Row) -> Label:
    state = _decoded(row["state"])
    return make_label(comment_id(row["comment"]), state, row["revision"], row["at"])


def _change(row: sqlite3.Row) -> Change:
    return Change(comment_id(row["comment"]), _decoded(row["before"]), _decoded(row["after"]))


def _line(row: sqlite3.Row) -> Line:
    """Of a match that was aligned by an older version, the kinds of doubtful events are unknown."""
    doubts = msgspec.json.decode(row["doubts"], type=dict[str, float])
    return Line(row["match"], comment_id(row["id"]), doubts or {"": row["doubt"]})


def _events(state: str) -> frozenset[str]:
    return frozenset(msgspec.json.decode(state, type=LabelState).events)


def _decoded(state: str | None) -> LabelState | None:
    return None if state is None else msgspec.json.decode(state, type=LabelState)


def _encoded(state: LabelState | None) -> str | None:
    return None if state is None else msgspec.json.encode(state).decode()
