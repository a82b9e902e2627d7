"""What the server asks of a worker process, and what that one reports; both are lines of JSON."""

from __future__ import annotations

from collections.abc import Callable

import msgspec


class Task(msgspec.Struct, frozen=True, kw_only=True, tag="align"):
    """A match folder to align; with `name` None, the match is named after its teams.

    `model` is the file of a model that was learned from this folder's labels. `files` says what the
    user calls each file.
    """

    folder: str
    out: str
    method: str
    max_file_bytes: int  # uncompressed: a small gzip file may contain a lot
    name: str | None = None
    model: str | None = None
    files: dict[str, str] = {}


class LearnTask(msgspec.Struct, frozen=True, kw_only=True, tag="learn"):
    """Match folders, by name, to learn from, and the file with people's labels (`StoredLabels`).

    `id` is the name of the model. `work` is kept while the job is unfinished, so that after a crash
    it goes on from there.
    """

    id: str
    folders: dict[str, str]
    labels: str
    work: str
    out: str
    method: str
    max_file_bytes: int


class InspectTask(msgspec.Struct, frozen=True, kw_only=True, tag="inspect"):
    """The folder of an upload whose files are to be recognised."""

    folder: str
    max_files: int
    max_file_bytes: int


AnyTask = Task | LearnTask | InspectTask


class WorkerMessage(msgspec.Struct, frozen=True, kw_only=True):
    """A message of a worker: its progress, or at the end the match's name or a problem.

    `problem` is a sentence for the user, `traceback` is for the server's log. A worker that `ends`
    takes no more tasks.
    """

    stage: str = ""
    done: float = 0.0
    name: str | None = None
    problem: str | None = None
    traceback: str | None = None
    ends: bool = False


Send = Callable[[WorkerMessage], None]
