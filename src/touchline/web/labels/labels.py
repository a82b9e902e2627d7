"""What annotators do to labels: actions, undo and redo, import.

Each action stores the label before and after it; undo writes the one before. An action carries the
revision of the label that the client saw. If the label has changed since, the action is rejected,
so that neither two people nor two tabs overwrite each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

import msgspec

from touchline.core.records import CommentId
from touchline.io.corpus.segments import problem_of_spans
from touchline.methods.active import teaching_order
from touchline.web.errors import ApiError
from touchline.web.records import (
    Adjudication,
    Label,
    LabelAction,
    LabelResult,
    Labels,
    Queue,
    Span,
    now,
)
from touchline.web.store import index
from touchline.web.store import labels as store
from touchline.web.store.database import Connection
from touchline.web.store.labels import AnnotationScope, Change, LabelState, LoggedAction

T = TypeVar("T")


# Acting ------------------------------------------------------------------------------------------


def act(db: Connection, scope: AnnotationScope, asked: LabelAction) -> LabelResult:
    """Do one action on one comment."""
    row = index.comment_row(db, scope.match, asked.comment)
    before = _as_seen(db, scope, asked.comment, asked.revision)
    after = _after(db, scope, asked, row, before or LabelState())
    return _result(db, scope, asked.action, Change(asked.comment, before, after))


def adjudicate(db: Connection, scope: AnnotationScope, asked: Adjudication) -> LabelResult:
    """Decide about a comment, in place of its annotators; without events, take that back."""
    row = index.comment_row(db, scope.match, asked.comment)
    before = _as_seen(db, scope, asked.comment, asked.revision)
    if asked.events is None:
        return _result(db, scope, "clear", Change(asked.comment, before, None))
    for event in asked.events:
        index.check_event(db, scope.match, event)
    events = index.in_match_order(db, scope.match, set(asked.events))
    rejected = tuple(event for event in index.links(db, row) if event not in events)
    state = LabelState(events=events, rejected=rejected, none=not events, done=True, by=asked.by)
    return _result(db, scope, "adjudicate", Change(asked.comment, before, state))


def _as_seen(
    db: Connection, scope: AnnotationScope, comment: CommentId, revision: int
) -> LabelState | None:
    """The label, if it is still the one that the client has seen."""
    label = store.get_label(db, scope, comment)
    if (label.revision if label else 0) != revision:
        raise ApiError("conflict", "this label has changed since it was read", label=label)
    return _state(label)


def _result(db: Connection, scope: AnnotationScope, action: str, change: Change) -> LabelResult:
    changed = _log(db, scope, action, [change])
    undo, redo = store.steps(db, scope)
    return LabelResult(label=changed[0], latest=store.latest_action(db), undo=undo, redo=redo)


def _after(
    db: Connection, scope: AnnotationScope, asked: LabelAction, row: int, state: LabelState
) -> LabelState | None:
    replace = msgspec.structs.replace
    match asked.action:
        case "clear":
            return None
        case "unsure":
            return replace(state, unsure=_required(asked.value, "value"))
        case "note":
            return replace(state, note=_required(asked.text, "text"))
        case "none":
            links = index.links(db, row)
            rejected = tuple(dict.fromkeys([*state.rejected, *links, *state.events]))
            return replace(state, events=(), rejected=rejected, none=True, done=True, segments={})
        case "accept" if asked.event is None:
            return _accept_all(db, scope, row, state)
    event = _required(asked.event, "event")
    index.check_event(db, scope.match, event)
    judged = _judge(db, scope, row, state, event, asked.action != "reject")
    if asked.action == "words":
        return _worded(db, row, judged, event, _required(asked.spans, "spans"))
    return judged


def _worded(
    db: Connection, row: int, state: LabelState, event: str, spans: tuple[Span, ...]
) -> LabelState:
    """The label with other words for one of its events; without any, those of the machine."""
    if problem := problem_of_spans(spans, index.text(db, row)):
        raise ApiError("action", problem)
    segments = {other: own for other, own in state.segments.items() if other != event}
    return msgspec.structs.replace(state, segments=segments | ({event: spans} if spans else {}))


def _required(value: T | None, field: str) -> T:
    if value is None:
        raise ApiError("action", f"this action needs the field {field!r}")
    return value


def _accept_all(db: Connection, scope: AnnotationScope, row: int, state: LabelState) -> LabelState:
    links = [event for event in index.links(db, row) if event not in state.rejected]
    events = index.in_match_order(db, scope.match, {*state.events, *links})
    if not events:
        raise ApiError("action", "there is nothing to accept; add an event or use 'none'")
    return msgspec.structs.replace(state, events=events, none=False, done=True)


def _judge(
    db: Connection,
    scope: AnnotationScope,
    row: int,
    state: LabelState,
    event: str,
    accept: bool,
) -> LabelState:
    """The label with one event accepted or rejected."""
    events = {*state.events, event} if accept else {*state.events} - {event}
    rejected = [other for other in state.rejected if other != event] + ([] if accept else [event])
    all_judged = events.union(rejected).issuperset(index.links(db, row))
    return msgspec.structs.replace(
        state,
        events=index.in_match_order(db, scope.match, events),
        rejected=tuple(rejected),
        none=state.none and not accept,
        done=(state.none and not accept) or (bool(events) and (state.done or all_judged)),
        segments={own: spans for own, spans in state.segments.items() if own in events},
    )


def set_all(
    db: Connection, scope: AnnotationScope, gold: Iterable[tuple[CommentId, LabelState]]
) -> Labels:
    """Replace the labels of some comments, as one step."""
    changes = [Change(comment, _current(db, scope, comment), state) for comment, state in gold]
    return _answer(db, scope, _log(db, scope, "import", changes))


# Undo and redo -----------------------------------------------------------------------------------


def undo(db: Connection, scope: AnnotationScope, step: int) -> Labels:
    """Take back a step, if it is still the latest."""
    return _take_step(db, scope, step, "undo")


def redo(db: Connection, scope: AnnotationScope, step: int) -> Labels:
    """Repeat the step that was undone last."""
    return _take_step(db, scope, step, "redo")


def _take_step(db: Connection, scope: AnnotationScope, step: int, action: str) -> Labels:
    undoable, redoable = store.steps(db, scope)
    due = undoable if action == "undo" else redoable
    if due is None or due.id != step:
        message = f"this is no longer the next step to {action}"
        raise ApiError("conflict", message, undo=undoable, redo=redoable)
    back = action == "undo"
    before, after = (store.ACTIVE, store.UNDONE) if back else (store.UNDONE, store.ACTIVE)
    logged = [one.change for one in store.actions_of_step(db, scope, before, step)]
    changes = [
        Change(one.comment, _current(db, scope, one.comment), one.before if back else one.after)
        for one in logged
    ]
    store.set_step_status(db, scope, step, before=before, after=after)
    return _answer(db, scope, _log(db, scope, action, changes))


def _log(
    db: Connection, scope: AnnotationScope, action: str, changes: Sequence[Change]
) -> list[Label]:
    """Log an action and write the labels as they are after it."""
    status = store.ACTIVE
    if action in ("undo", "redo"):  # which are not steps themselves
        status = store.REPLACED
    else:
        store.drop_redo(db, scope)
    step, at, labels = None, now(), []
    for change in changes:
        logged = LoggedAction(action, change)
        revision = store.add_action(db, scope, logged, step=step, status=status, at=at)
        step = step or revision
        labels.append(store.put_label(db, scope, change, revision, at))
    return labels


# Reading -----------------------------------------------------------------------------------------


def labels(db: Connection, scope: AnnotationScope) -> Labels:
    """All labels of an annotator on a match, in the order of the comments."""
    return _answer(db, scope, store.get_labels(db, scope))


def queue(db: Connection, scope: AnnotationScope, order: str, state: str) -> Queue:
    """The comments of a match in the order to label them in, with what labels would teach.

    Those that are done come last in the order of what they teach, as they teach no more.
    """
    found = store.queue(db, scope, order)
    open_ones = {one.comment for one in found if not one.done}
    lines = [line for line in store.lines(db, scope.match) if line.comment in open_ones]
    ranked = teaching_order(lines, store.labelled_lines(db))
    gain = {one.line.comment: one.gain for one in ranked}
    found = [msgspec.structs.replace(q, gain=round(gain.get(q.comment, 0.0), 3)) for q in found]
    if order == "teaching":
        place = {one.line.comment: number for number, one in enumerate(ranked)}
        found.sort(key=lambda q: place.get(q.comment, len(place)))
    return Queue(comments=[q for q in found if state == "all" or not q.done or q.unsure])


def _answer(db: Connection, scope: AnnotationScope, labels: list[Label]) -> Labels:
    undo, redo = store.steps(db, scope)
    return Labels(labels=labels, latest=store.latest_action(db), undo=undo, redo=redo)


def _current(db: Connection, scope: AnnotationScope, comment: CommentId) -> LabelState | None:
    return _state(store.get_label(db, scope, comment))


def _state(label: Label | None) -> LabelState | None:
    if label is None:
        return None
    return LabelState(**{name: getattr(label, name) for name in LabelState.__struct_fields__})
