"""Annotations of Label Studio as labels: its export (JSON or JSON-MIN) of our tasks.

A task names its match and comment, and an annotation the chosen events, by their ids or by what
they are called in the list of candidates. An annotation that was skipped or left empty is no label.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from touchline.core.errors import InputError
from touchline.core.records import CommentId
from touchline.io.corpus.gold import GoldLine, annotator_line, parse_gold
from touchline.io.corpus.label_file import check_annotator
from touchline.io.corpus.labels import annotator_file, of_match
from touchline.io.corpus.layout import corpus_matches
from touchline.io.files import read_utf8, write_whole

EVENTS, NO_EVENT = "events", "no event"
_UNSAFE = re.compile(r"[^\w.-]+")


class Annotation(NamedTuple):
    """What one annotator says about a comment of a match."""

    match: str
    annotator: str
    label: GoldLine


def read_export(path: Path, annotator: str | None = None) -> Iterator[Annotation]:
    """The annotations of an export, those of all annotators or under one given name.

    Raises
    ------
    InputError
        The file is no export of tasks that touchline wrote.
    """
    try:
        tasks = msgspec.json.decode(read_utf8(path), type=list[dict[str, Any]])
    except (msgspec.DecodeError, RecursionError) as error:
        expected = "expected a JSON export of Label Studio, a list of tasks"
        raise InputError(path, f"{expected} ({error})") from None
    for number, task in enumerate(tasks, 1):
        try:
            yield from _of_task(task, annotator)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise InputError(path, _problem(error), f"task {number}") from None


class Imported(NamedTuple):
    """The files of labels that were written, and how many labels each has got; what was skipped."""

    files: dict[Path, int]
    bad: list[str]


def import_labels(path: Path, corpus: Path, annotator: str | None = None) -> Imported:
    """Put the annotations of an export into the match folders of a corpus.

    A label replaces what the same annotator has said of the same comment before. What is not about
    the match is skipped and named.

    Raises
    ------
    InputError
        The file is no export of tasks that touchline wrote, or the folder is no corpus.
    """
    folders = {one.name: one for one in corpus_matches(corpus)}
    found: dict[tuple[str, str], dict[CommentId, GoldLine]] = {}
    bad: list[str] = []
    for match, name, label in read_export(path, annotator):
        if match not in folders:
            bad.append(f"{path}: the match {match!r} is not in {corpus}")
        else:
            found.setdefault((match, check_annotator(name)), {})[label.id] = label
    files = {}
    for (match, name), labels in found.items():
        read = folders[match].read(labels=False).match
        kept, skipped = of_match(path, enumerate(labels.values(), 1), read)
        bad += [f"{match}: {one.problem}" for one in skipped]
        if kept:
            file = annotator_file(folders[match].path, name)
            _write(file, kept)
            files[file] = len(kept)
    return Imported(files, list(dict.fromkeys(bad)))


def _write(file: Path, labels: Mapping[CommentId, GoldLine]) -> None:
    before = parse_gold(file.read_bytes(), lambda error: None) if file.exists() else ()
    merged = {label.id: label for _, label in before} | dict(labels)
    with write_whole(file) as out:
        out.writelines(map(annotator_line, merged.values()))


def _problem(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"no {error.args[0]!r}; expected a task that touchline wrote"
    if isinstance(error, AttributeError | TypeError):  # a list where an object should be, or so
        return "not a task that touchline wrote"
    return str(error)


def _of_task(task: Mapping[str, Any], annotator: str | None) -> Iterator[Annotation]:
    if "annotations" not in task and "data" not in task:
        yield from _of_min(task, annotator)
        return
    data = task["data"]
    for given in task.get("annotations") or task.get("completions") or ():
        if given.get("was_cancelled"):
            continue
        regions = {region.get("from_name"): region.get("value", {}) for region in given["result"]}
        chosen = regions.get(EVENTS, {}).get("choices")
        if not chosen:
            continue
        sure = "unsure" not in regions.get("sure", {}).get("choices", ())
        note = " ".join(regions.get("note", {}).get("text", ()))
        name = annotator or _annotator(given.get("completed_by"))
        yield Annotation(data["match"], name, _label(data, chosen, sure, note))


def _of_min(task: Mapping[str, Any], annotator: str | None) -> Iterator[Annotation]:
    """A task of the short export: fields of data and answers side by side."""
    chosen = task.get(EVENTS)
    if not chosen:
        return
    chosen = [chosen] if isinstance(chosen, str) else chosen.get("choices", ())
    sure = task.get("sure") != "unsure"
    note = task.get("note") or ""
    name = annotator or _annotator(task.get("annotator"))
    label = _label(task, chosen, sure, note if isinstance(note, str) else " ".join(note))
    yield Annotation(task["match"], name, label)


def _label(data: Mapping[str, Any], chosen: list[str], sure: bool, note: str) -> GoldLine:
    ids = {one["value"]: one["alias"] for one in data["candidates"] if "alias" in one}
    known = {*ids.values(), NO_EVENT}
    events = [ids.get(name, name) for name in chosen]
    for event in events:
        if event not in known:
            raise ValueError(f"the choice {event!r} is not one of the task's candidates")
    comment: CommentId = data["comment"]
    if not isinstance(comment, int | str) or not isinstance(data["match"], str):
        raise TypeError("comment and match")
    described = tuple(event for event in events if event != NO_EVENT)
    return GoldLine(id=comment, events=described, sure=sure, note=note)


def _annotator(given: Any) -> str:
    """A name that is safe as a file's, of the number or the record of a user."""
    if isinstance(given, Mapping):
        given = given.get("email") or given.get("username") or given.get("id")
    name = _UNSAFE.sub("-", str(given)).strip("-._") if given is not None else ""
    return f"label-studio-{name}" if name else "label-studio"
