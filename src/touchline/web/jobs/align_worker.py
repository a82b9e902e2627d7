"""What a worker process does: read a match, align it, explain it, write the answer's files.

`python -m touchline.web.jobs.align_worker` takes tasks as JSON lines on its standard input, one at
a time, and says on its standard output how far it is. It ends with its input, so that it never
outlives the server, however that one ends.
"""

from __future__ import annotations

import gzip
import os
import queue
import sys
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import msgspec

from touchline.core.errors import InputError, TouchlineError
from touchline.core.links import Links
from touchline.core.records import CommentId, Match
from touchline.io import files
from touchline.io.corpus.layout import candidates
from touchline.methods.base import Alignment
from touchline.methods.explanation import Explanation
from touchline.methods.registry import make_aligner
from touchline.pipeline.provenance import answered, provenance
from touchline.pipeline.read import read_match
from touchline.report.data import report
from touchline.report.formats import write_links
from touchline.web.store import disk

PAGE, LINKS, MATCH = "page.json.gz", "links.jsonl", "match.msgpack"
COMMENTS, PART = "comments.jsonl", "part-"
EXACT = 2**53  # from here on, browsers round numbers
# Where each stage starts, as a share of the whole; by the bundled matches.
STAGES = {"reading": 0.0, "aligning": 0.05, "explaining": 0.45, "writing": 0.95}


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """A match folder to align; `name` is None where the teams are to name it."""

    folder: str
    out: str
    method: str
    most: int  # bytes of one file, unpacked: a small packed one may hold a great deal
    name: str | None = None


class Said(msgspec.Struct, frozen=True, kw_only=True):
    """What a worker says: how far it is, or at the end the match's name, or what is wrong.

    `problem` is a sentence for the user, `traceback` is for the server's log. A worker that `ends`
    takes no more tasks.
    """

    stage: str = ""
    done: float = 0.0
    name: str | None = None
    problem: str | None = None
    traceback: str | None = None
    ends: bool = False


Say = Callable[[Said], None]


def do(task: Task, say: Say) -> str:
    """Align a match folder; the name that the match would like to have."""
    _stage(say, "reading")
    files.MAX_BYTES = task.most
    folder, out = Path(task.folder), Path(task.out)
    match = read_folder(folder, task.name)
    aligner = make_aligner(task.method, registered=True)
    _stage(say, "aligning")
    alignment = aligner.infer(match)
    links = alignment.links
    _stage(say, "explaining")
    origin = answered(provenance(aligner, _inputs(folder)), alignment)
    explained = report([links], origin, _Explaining(alignment, len(links), say))
    _stage(say, "writing")
    out.mkdir(parents=True)
    with files.write_whole(out / PAGE) as file:
        file.write(gzip.compress(msgspec.json.encode(explained), 6, mtime=0))
    with files.write_whole(out / MATCH) as file:
        file.write(msgspec.msgpack.encode(_without_raw(links.match)))
    write_links(Links(links.match, links, task.method), out / LINKS, origin)
    return " ".join(team.name for team in match.teams) or match.name


def read_folder(folder: Path, name: str | None) -> Match:
    """The match of a folder; a commentary in several parts becomes one, as a corpus wants it."""
    events, lineups = candidates(folder, "events"), candidates(folder, "lineups*")
    comments, parts = candidates(folder, "comments"), candidates(folder, f"{PART}*")
    if len(events) != 1 or len(comments) + len(parts) == 0 or len(comments) > 1:
        problem = "no match folder; expected one events.* and one comments.*"
        raise InputError(folder.name, problem)
    match = read_match(events[0], comments or parts, lineups=lineups, name=name or "match")
    named = (msgspec.structs.replace(one, id=page_id(one.id)) for one in match.comments)
    match = msgspec.structs.replace(match, comments=tuple(named))
    if not comments:
        with files.write_text_whole(folder / COMMENTS) as out:
            out.writelines(map(_line, match.comments))
    return match


def page_id(comment: CommentId) -> CommentId:
    """The id of a comment as a page can say it: long numbers, of posts for one, are texts there."""
    return str(comment) if isinstance(comment, int) and abs(comment) >= EXACT else comment


def _line(comment: Any) -> str:
    told = {"id": comment.id, "period": comment.period, "clock": comment.clock,
            "time": comment.start, "end": comment.end, "text": comment.text}  # fmt: skip
    known = {field: value for field, value in told.items() if value is not None}
    return msgspec.json.encode(known).decode() + "\n"


def _without_raw(match: Match) -> Match:
    """What the feed itself said stays in its file; the server has no use for it."""
    events = tuple(msgspec.structs.replace(event, raw={}) for event in match.events)
    return msgspec.structs.replace(match, events=events)


def _inputs(folder: Path) -> list[Path]:
    stems = ("events", "lineups*", "comments*")
    return [path for stem in stems for path in candidates(folder, stem)]


class _Explaining:
    """Explanations, with word of how far they are."""

    def __init__(self, alignment: Alignment, comments: int, say: Say) -> None:
        self.alignment, self.comments, self.say, self.count = alignment, comments, say, 0

    def __call__(self, match: Match, comment: CommentId) -> Explanation:
        explained = self.alignment.explain(comment)
        self.count += 1
        if self.count % max(self.comments // 20, 1) == 0:
            start, end = STAGES["explaining"], STAGES["writing"]
            share = start + (end - start) * self.count / self.comments
            self.say(Said(stage="explaining", done=round(share, 3)))
        return explained


def _stage(say: Say, stage: str) -> None:
    say(Said(stage=stage, done=STAGES[stage]))


# The process -------------------------------------------------------------------------------------


def main() -> None:
    _limit_memory(int(sys.argv[1]))
    if hasattr(os, "nice"):
        os.nice(5)  # people who read and label go first
    out, sys.stdout = sys.stdout, sys.stderr  # nothing that prints may speak for us
    tasks: queue.Queue[Task] = queue.Queue()
    threading.Thread(target=_listen, args=(sys.stdin.buffer, tasks), daemon=True).start()

    def say(said: Said) -> None:
        out.write(msgspec.json.encode(said).decode() + "\n")
        out.flush()

    while True:
        say(_done(tasks.get(), say))


def _limit_memory(most: int) -> None:
    """Let a match that needs too much fail here, before the machine runs out of memory."""
    if sys.platform == "linux":  # elsewhere the limit does not count what is mapped
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def _listen(stdin: IO[bytes], tasks: queue.Queue[Task]) -> None:
    try:
        for line in stdin:
            tasks.put(msgspec.json.decode(line, type=Task))
    finally:
        os._exit(0)  # the server is gone, and nobody waits for what is being done


def _done(task: Task, say: Say) -> Said:
    """Do a task whatever comes of it; what is not the input's fault is said without details."""
    try:
        return Said(done=1.0, name=do(task, say))
    except Exception as error:
        problem = _problem(error)
        if problem is not None:
            # What is left of a task that took all memory may be in the way of the next one.
            return Said(problem=problem, ends=isinstance(error, MemoryError))
        whole = "".join(traceback.format_exception(error))
        return Said(problem="internal error; see the server's log", traceback=whole)


def _problem(error: Exception) -> str | None:
    """What is wrong with the input or the machine; None where it is touchline's fault."""
    if disk.is_full(error):
        return disk.NOT_ALIGNED
    if isinstance(error, InputError):
        place = f", {error.where}" if error.where else ""
        return f"{Path(error.path).name}{place}: {error.problem}"
    if isinstance(error, TouchlineError):
        return str(error)
    if isinstance(error, MemoryError):
        return "the match needs more memory than the server gives to an alignment"
    return None


if __name__ == "__main__":
    main()
