"""A worker process: reads a match, aligns, checks and explains it, writes the answer's files.

It also learns from labels (`learn_task.py`).

`python -m touchline.web.jobs.align_worker` takes tasks as JSON lines on its standard input, one at
a time, and reports its progress on its standard output. It ends with its input, so that it never
outlives the server, however that one stops.
"""

from __future__ import annotations

import gzip
import os
import queue
import sys
import threading
import traceback
from pathlib import Path
from typing import IO, Any

import msgspec

from touchline.core.errors import InputError, TouchlineError
from touchline.core.links import Links
from touchline.core.records import CommentId, Match
from touchline.generation.check import check_alignment
from touchline.generation.commentary import METHOD as GENERATE
from touchline.generation.own_words import write_commentary
from touchline.io import files
from touchline.io.corpus.folder import candidates, input_files, match_files
from touchline.io.links.origin import Origin
from touchline.methods.base import Alignment
from touchline.methods.explanation import Explanation
from touchline.methods.registry import load_aligner, make_aligner
from touchline.pipeline.provenance import answered, provenance
from touchline.pipeline.read import read_match
from touchline.report.data import Report, report
from touchline.report.formats import write_links
from touchline.web.jobs.inspect_task import run_inspect_task
from touchline.web.jobs.learn_task import run_learn_task
from touchline.web.jobs.tasks import (
    AnyTask,
    InspectTask,
    LearnTask,
    Send,
    Task,
    WorkerMessage,
)
from touchline.web.records import page_id
from touchline.web.store import disk

PAGE, LINKS, MATCH = "page.json.gz", "links.jsonl", "match.msgpack"
FINDINGS, GENERATED = "findings.json", "generated.json.gz"
COMMENTS, PART = "comments.jsonl", "part-"
# The progress at which each stage starts, measured on the bundled matches.
STAGES = {"reading": 0.0, "aligning": 0.05, "checking": 0.2, "explaining": 0.6, "writing": 0.95}


def run_task(task: Task, send: Send) -> str:
    """Align a match folder; gives the preferred name of the match."""
    _stage(send, "reading")
    folder, out = Path(task.folder), Path(task.out)
    with files.limit_size(task.max_file_bytes):
        match = read_folder(folder, task.name)
    match = msgspec.structs.replace(
        match, warnings=tuple(_as_called(one, task) for one in match.warnings)
    )
    model = Path(task.model) if task.model else None
    aligner = load_aligner(model) if model else make_aligner(task.method, registered=True)
    _stage(send, "aligning")
    alignment = aligner.infer(match)
    links = alignment.links
    _stage(send, "checking")
    findings = check_alignment(alignment, aligner)
    _stage(send, "explaining")
    inputs = input_files(folder, "comments*")
    origin = answered(provenance(aligner, inputs, model=model), alignment)
    progress = _ExplainWithProgress(alignment, len(links), send)
    explained = report([links], origin, progress, findings)
    _stage(send, "writing")
    write_answer(out, explained, Links(links.match, links, task.method), origin)
    with files.write_whole(out / FINDINGS) as file:
        file.write(msgspec.json.encode(findings))
    _write_generated(match, out)
    return " ".join(team.name for team in match.teams) or match.name


def write_answer(out: Path, page: Report, links: Links, origin: Origin) -> None:
    """Write what every answer has, into a new folder: the page, the match and its links."""
    out.mkdir(parents=True)
    _write_packed(out / PAGE, page)
    with files.write_whole(out / MATCH) as file:
        file.write(msgspec.msgpack.encode(_without_raw(links.match)))
    write_links(links, out / LINKS, origin)


def _write_generated(match: Match, out: Path) -> None:
    """Commentary from the log alone, as a page; none if the log has nothing to describe."""
    try:
        commentary = write_commentary(match)
    except TouchlineError:
        return
    links = commentary.to_links()
    _write_packed(out / GENERATED, report([links], Origin(method=GENERATE)))


def _write_packed(path: Path, page: Report) -> None:
    with files.write_whole(path) as file:
        file.write(gzip.compress(msgspec.json.encode(page), 6, mtime=0))


def read_folder(folder: Path, name: str | None) -> Match:
    """The match of a folder; a commentary in several parts is joined into one file."""
    found, parts = match_files(folder), candidates(folder, f"{PART}*")
    comments = [found.comments] if found.comments else parts
    if found.events is None or not comments:
        problem = "not a match folder; expected one events.* and one comments.* file"
        raise InputError(folder.name, problem)
    match = read_match(found.events, comments, lineups=found.lineups, name=name or "match")
    named = (msgspec.structs.replace(one, id=page_id(one.id)) for one in match.comments)
    match = msgspec.structs.replace(match, comments=tuple(named))
    if not found.comments:
        with files.write_text_whole(folder / COMMENTS) as out:
            out.writelines(map(_line, match.comments))
    return match


def _line(comment: Any) -> str:
    fields = {"id": comment.id, "period": comment.period, "clock": comment.clock,
              "time": comment.start, "end": comment.end, "text": comment.text,
              "spoken": comment.spoken or None, "anywhere": comment.anywhere or None}  # fmt: skip
    known = {field: value for field, value in fields.items() if value is not None}
    return msgspec.json.encode(known).decode() + "\n"


def _without_raw(match: Match) -> Match:
    """The match without the raw records of its feed, which the server does not use."""
    events = tuple(msgspec.structs.replace(event, raw={}) for event in match.events)
    return msgspec.structs.replace(match, events=events)


class _ExplainWithProgress:
    """Explains comments and reports the progress."""

    def __init__(self, alignment: Alignment, comments: int, send: Send) -> None:
        self.alignment, self.comments, self.send, self.count = alignment, comments, send, 0

    def __call__(self, match: Match, comment: CommentId) -> Explanation:
        explained = self.alignment.explain(comment)
        self.count += 1
        if self.count % max(self.comments // 20, 1) == 0:
            start, end = STAGES["explaining"], STAGES["writing"]
            share = start + (end - start) * self.count / self.comments
            self.send(WorkerMessage(stage="explaining", done=round(share, 3)))
        return explained


def _stage(send: Send, stage: str) -> None:
    send(WorkerMessage(stage=stage, done=STAGES[stage]))


# The process -------------------------------------------------------------------------------------


def main() -> None:
    _limit_memory(int(sys.argv[1]))
    if hasattr(os, "nice"):
        os.nice(5)  # requests of users have priority
    out, sys.stdout = sys.stdout, sys.stderr  # so that a stray print is not taken for a message
    tasks: queue.Queue[AnyTask] = queue.Queue()
    threading.Thread(target=_listen, args=(sys.stdin.buffer, tasks), daemon=True).start()

    def send(message: WorkerMessage) -> None:
        out.write(msgspec.json.encode(message).decode() + "\n")
        out.flush()

    while True:
        send(_result(tasks.get(), send))


def _limit_memory(max_bytes: int) -> None:
    """Make a match that needs too much fail before the machine runs out of memory."""
    if sys.platform == "linux":  # elsewhere the limit does not count mapped memory
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (max_bytes, max_bytes))


def _listen(stdin: IO[bytes], tasks: queue.Queue[AnyTask]) -> None:
    try:
        for line in stdin:
            tasks.put(msgspec.json.decode(line, type=AnyTask))
    finally:
        os._exit(0)  # the server has stopped, so nobody waits for the result


def _result(task: AnyTask, send: Send) -> WorkerMessage:
    """Run a task; errors become messages, without details if they are not the input's fault."""
    try:
        return WorkerMessage(done=1.0, name=_run(task, send))
    except Exception as error:
        problem = _problem(error, "learning" if isinstance(task, LearnTask) else "an alignment")
        if problem is not None:
            problem = _as_called(problem, task)
            # Memory that a failed task still holds may be missing for the next one.
            return WorkerMessage(problem=problem, ends=isinstance(error, MemoryError))
        whole = "".join(traceback.format_exception(error))
        return WorkerMessage(problem="internal error; see the server's log", traceback=whole)


def _run(task: AnyTask, send: Send) -> str:
    if isinstance(task, LearnTask):
        return run_learn_task(task, send)
    return run_inspect_task(task, send) if isinstance(task, InspectTask) else run_task(task, send)


def _as_called(text: str, task: AnyTask) -> str:
    """A message with the names that the user knows, in place of ours and without our paths."""
    if not isinstance(task, Task):
        return text
    text = text.replace(f"{task.folder}{os.sep}", "")
    for stored, called in task.files.items():
        text = text.replace(stored, called)
    return text


def _problem(error: Exception, what: str) -> str | None:
    """What is wrong with the input or the machine; None for an error of touchline itself."""
    if disk.is_full(error):
        return disk.NOT_ALIGNED
    if isinstance(error, InputError):
        place = f", {error.where}" if error.where else ""
        return f"{Path(error.path).name}{place}: {error.problem}"
    if isinstance(error, TouchlineError):
        return str(error)
    if isinstance(error, MemoryError):
        return f"this needs more memory than the server allows for {what}"
    return None


if __name__ == "__main__":
    main()
