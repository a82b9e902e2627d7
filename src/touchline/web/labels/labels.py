"""What annotators say: a log of actions, the labels that follow from it, undo and redo.

Labels lie apart from links, under the names of match, annotator and comment, so that a new
alignment leaves them alone. Each action keeps the label before and after it; undo writes the one
before. An action carries the revision of the label that the client saw: if that is another by now,
nothing is changed, so that neither two people nor two tabs overwrite each other.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from typing import TypeVar

import msgspec

from touchline.core.records import CommentId
from touchline.web.api.errors import ApiError
from touchline.web.records import Act, Label, Labelled, Labels, Progress, Queue, Queued, Step, now
from touchline.web.store import index

T = TypeVar("T")

# What `undone` says of an action: it counts, it can be done again, a newer action took its place.
LIVE, UNDONE, GONE = 0, 1, 2
OF_STEP = "match = ? AND annotator = ? AND undone = ? AND step = ?"  # as there is an index for it


class State(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a label says; field by field the part of the API's Label that a person decides."""

    events: tuple[str, ...] = ()
    rejected: tuple[str, ...] = ()
    none: bool = False
    unsure: bool = False
    note: str = ""
    done: bool = False


class Desk(msgspec.Struct, frozen=True):
    """One annotator's place at one match."""

    match: str
    annotator: str


class Change(msgspec.Struct, frozen=True):
    """A label of a desk before and after an action; None where there is no label."""

    comment: CommentId
    before: State | None
    after: State | None


# Acting ------------------------------------------------------------------------------------------


def act(db: sqlite3.Connection, desk: Desk, asked: Act) -> Labelled:
    """Do one action on one comment."""
    row = index.comment_row(db, desk.match, asked.comment)
    label = _label(db, desk, asked.comment)
    if (label.revision if label else 0) != asked.revision:
        raise ApiError("conflict", "somebody else has changed this label", label=label)
    before = _state(label)
    after = _after(db, desk, asked, row, before or State())
    changed = _log(db, desk, asked.action, [Change(asked.comment, before, after)])
    undo, redo = steps(db, desk)
    return Labelled(label=changed[0], latest=latest(db), undo=undo, redo=redo)


def _after(db: sqlite3.Connection, desk: Desk, asked: Act, row: int, state: State) -> State | None:
    replace = msgspec.structs.replace
    match asked.action:
        case "clear":
            return None
        case "unsure":
            return replace(state, unsure=_given(asked.value, "value"))
        case "note":
            return replace(state, note=_given(asked.text, "text"))
        case "none":
            links = index.links(db, row)
            rejected = tuple(dict.fromkeys([*state.rejected, *links, *state.events]))
            return replace(state, events=(), rejected=rejected, none=True, done=True)
        case "accept" if asked.event is None:
            return _accept_all(db, desk, row, state)
    event = _given(asked.event, "event")
    index.check_event(db, desk.match, event)
    return _judged(db, desk, row, state, event, asked.action != "reject")


def _given(value: T | None, field: str) -> T:
    if value is None:
        raise ApiError("action", f"this action needs the field {field!r}")
    return value


def _accept_all(db: sqlite3.Connection, desk: Desk, row: int, state: State) -> State:
    links = [event for event in index.links(db, row) if event not in state.rejected]
    events = index.in_match_order(db, desk.match, {*state.events, *links})
    if not events:
        raise ApiError("action", "there is nothing to accept; add an event or say 'none'")
    return msgspec.structs.replace(state, events=events, none=False, done=True)


def _judged(
    db: sqlite3.Connection, desk: Desk, row: int, state: State, event: str, told: bool
) -> State:
    """The label with one event accepted or rejected."""
    events = {*state.events, event} if told else {*state.events} - {event}
    rejected = [other for other in state.rejected if other != event] + ([] if told else [event])
    judged = events.union(rejected).issuperset(index.links(db, row))
    return msgspec.structs.replace(
        state,
        events=index.in_match_order(db, desk.match, events),
        rejected=tuple(rejected),
        none=state.none and not told,
        done=(state.none and not told) or (bool(events) and (state.done or judged)),
    )


def set_all(db: sqlite3.Connection, desk: Desk, gold: Iterable[tuple[CommentId, State]]) -> Labels:
    """Replace the labels of some comments, as one step."""
    changes = [Change(comment, _state(_label(db, desk, comment)), state) for comment, state in gold]
    changed = _log(db, desk, "import", changes)
    undo, redo = steps(db, desk)
    return Labels(labels=changed, latest=latest(db), undo=undo, redo=redo)


# Undo and redo -----------------------------------------------------------------------------------


def undo(db: sqlite3.Connection, desk: Desk, step: int) -> Labels:
    """Take a step back, if it is still the latest."""
    return _take(db, desk, step, "undo")


def redo(db: sqlite3.Connection, desk: Desk, step: int) -> Labels:
    """Do a step again that was taken back last."""
    return _take(db, desk, step, "redo")


def _take(db: sqlite3.Connection, desk: Desk, step: int, action: str) -> Labels:
    undoable, redoable = steps(db, desk)
    due = undoable if action == "undo" else redoable
    if due is None or due.id != step:
        message = f"this is not the step that {action} would take by now"
        raise ApiError("conflict", message, undo=undoable, redo=redoable)
    back = action == "undo"
    rows = _actions(db, desk, LIVE if back else UNDONE, step)
    wanted = [(_comment(row), _read(row["before" if back else "after"])) for row in rows]
    changes = [Change(c, _state(_label(db, desk, c)), state) for c, state in wanted]
    db.execute(
        f"UPDATE actions SET undone = ? WHERE {OF_STEP}",
        [UNDONE if back else LIVE, desk.match, desk.annotator, LIVE if back else UNDONE, step],
    )
    changed = _log(db, desk, action, changes)
    undoable, redoable = steps(db, desk)
    return Labels(labels=changed, latest=latest(db), undo=undoable, redo=redoable)


def latest(db: sqlite3.Connection) -> int:
    """The number of the last action by anybody, by which older news is known from newer."""
    return int(db.execute("SELECT COALESCE(MAX(id), 0) FROM actions").fetchone()[0])


def steps(db: sqlite3.Connection, desk: Desk) -> tuple[Step | None, Step | None]:
    """The steps that undo and redo would take."""
    return _step(db, desk, LIVE, "MAX"), _step(db, desk, UNDONE, "MIN")


def _step(db: sqlite3.Connection, desk: Desk, undone: int, which: str) -> Step | None:
    found = db.execute(
        f"SELECT {which}(step) FROM actions WHERE match = ? AND annotator = ? AND undone = ?",
        [desk.match, desk.annotator, undone],
    ).fetchone()[0]
    if found is None:
        return None
    rows = _actions(db, desk, undone, found)
    return Step(id=found, action=rows[0]["action"], comments=tuple(map(_comment, rows)))


def _actions(db: sqlite3.Connection, desk: Desk, undone: int, step: int) -> list[sqlite3.Row]:
    return db.execute(
        f"SELECT * FROM actions WHERE {OF_STEP} ORDER BY id",
        [desk.match, desk.annotator, undone, step],
    ).fetchall()


# The log -----------------------------------------------------------------------------------------


def _log(db: sqlite3.Connection, desk: Desk, action: str, changes: Sequence[Change]) -> list[Label]:
    """Write down what was done, and the labels as they are now."""
    of_steps = action in ("undo", "redo")  # which are no steps themselves
    if not of_steps:
        db.execute(
            "UPDATE actions SET undone = ? WHERE match = ? AND annotator = ? AND undone = ?",
            [GONE, desk.match, desk.annotator, UNDONE],
        )
    step, at, labels = None, now(), []
    for change in changes:
        revision = db.execute(
            "INSERT INTO actions (step, match, annotator, comment, action, before, after, at, "
            "undone) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [step or 0, desk.match, desk.annotator, index.key(change.comment), action,
             _written(change.before), _written(change.after), at, GONE if of_steps else LIVE],
        ).lastrowid  # fmt: skip
        step = step or revision
        db.execute("UPDATE actions SET step = ? WHERE id = ?", [step, revision])
        labels.append(_put(db, desk, change, revision or 0, at))
    return labels


def _put(db: sqlite3.Connection, desk: Desk, change: Change, revision: int, at: str) -> Label:
    where = [desk.match, desk.annotator, index.key(change.comment)]
    if change.after is None:
        db.execute("DELETE FROM labels WHERE match = ? AND annotator = ? AND comment = ?", where)
    else:
        db.execute(
            "INSERT OR REPLACE INTO labels VALUES (?, ?, ?, ?, ?, ?, ?)",
            [*where, _written(change.after), change.after.done, revision, at],
        )
    index.tell_again(db, desk.match, change.comment)
    return _as_label(change.comment, change.after, revision, at)


# Reading -----------------------------------------------------------------------------------------


def labels(db: sqlite3.Connection, desk: Desk) -> Labels:
    """All that an annotator has said about a match, in the order of its comments."""
    rows = db.execute(
        "SELECT labels.* FROM labels LEFT JOIN comments ON comments.match = labels.match "
        "AND comments.id = labels.comment WHERE labels.match = ? AND annotator = ? "
        "ORDER BY comments.place, labels.comment",
        [desk.match, desk.annotator],
    )
    found = [_of_row(row) for row in rows]
    undo, redo = steps(db, desk)
    return Labels(labels=found, latest=latest(db), undo=undo, redo=redo)


def progress(db: sqlite3.Connection, match: str | None = None) -> dict[str, list[Progress]]:
    """How far everybody is with each match, or with one."""
    rows = db.execute(
        "SELECT match, annotator, SUM(done) AS done, COUNT(*) - SUM(done) AS open, "
        "SUM(COALESCE(json_extract(state, '$.unsure'), 0)) AS unsure "
        f"FROM labels {'WHERE match = ?' if match else ''} "
        "GROUP BY match, annotator ORDER BY match, annotator",
        [match] if match else [],
    )
    found: dict[str, list[Progress]] = {}
    for row in rows:
        one = Progress(
            name=row["annotator"], done=row["done"], open=row["open"], unsure=row["unsure"]
        )
        found.setdefault(row["match"], []).append(one)
    return found


def queue(db: sqlite3.Connection, desk: Desk, order: str, state: str) -> Queue:
    """The comments of a match in the order to label them in."""
    rows = db.execute(
        "SELECT comments.id, doubt, labels.state FROM comments LEFT JOIN labels "
        "ON labels.match = comments.match AND labels.comment = comments.id AND annotator = ? "
        f"WHERE comments.match = ? ORDER BY {'doubt DESC, ' * (order == 'uncertain')}place",
        [desk.annotator, desk.match],
    )
    found = [
        Queued(comment=index.comment_id(row["id"]), doubt=round(row["doubt"], 3),
               done=said.done, unsure=said.unsure)
        for row in rows
        if (said := _read(row["state"]) or State())
    ]  # fmt: skip
    return Queue(comments=[q for q in found if state == "all" or not q.done or q.unsure])


def forget(db: sqlite3.Connection, match: str) -> None:
    """A deleted match takes its labels with it."""
    for table in ("labels", "actions"):
        db.execute(f"DELETE FROM {table} WHERE match = ?", [match])


def _label(db: sqlite3.Connection, desk: Desk, comment: CommentId) -> Label | None:
    row = db.execute(
        "SELECT * FROM labels WHERE match = ? AND annotator = ? AND comment = ?",
        [desk.match, desk.annotator, index.key(comment)],
    ).fetchone()
    return None if row is None else _of_row(row)


def _of_row(row: sqlite3.Row) -> Label:
    return _as_label(_comment(row), _read(row["state"]), row["revision"], row["at"])


def _as_label(comment: CommentId, state: State | None, revision: int, at: str) -> Label:
    """A label that is gone has revision 0, as one that never was."""
    if state is None:
        return Label(comment=comment)
    return Label(comment=comment, revision=revision, at=at, **msgspec.structs.asdict(state))


def _state(label: Label | None) -> State | None:
    if label is None:
        return None
    return State(**{name: getattr(label, name) for name in State.__struct_fields__})


def _comment(row: sqlite3.Row) -> CommentId:
    return index.comment_id(row["comment"])


def _read(state: str | None) -> State | None:
    return None if state is None else msgspec.json.decode(state, type=State)


def _written(state: State | None) -> str | None:
    return None if state is None else msgspec.json.encode(state).decode()
