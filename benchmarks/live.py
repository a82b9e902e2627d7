"""How soon a comment of a live match is answered: python -m benchmarks.live

A bundled match is played to `touchline live` through a pipe, line by line. The log is
either complete, or rewritten as the match goes on, with the last minute still missing.
`answer` is the time from writing a line until its answer has been read; `half` 1 and 2 are the
medians of the match's first and second half of comments. The processor time for each comment is
measured separately in this process, where the work of other programs does not count.

Then, where TOUCHLINE_DATA has the real matches, how good the answers are: the four dev matches,
minute clock, each comment answered when the log has come to its minute's end. The bundled model has
read these matches, which favours all rows alike.
"""

from __future__ import annotations

import gzip
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from benchmarks.errors import SEALED
from touchline import CommentLinks, Links, Match, make_aligner, read_corpus, read_events
from touchline.evaluation import Score, score_comments
from touchline.io.corpus.layout import LabelledMatch
from touchline.pipeline.live.session import Session
from touchline.pipeline.live.sources import Commentary
from touchline.sample import corpus_path

SAMPLE = corpus_path() / "harrowmere-castlebrook"
LINEUPS = SAMPLE / "lineups.json"
LATE = 60.0


def comments() -> list[dict]:
    return [json.loads(line) for line in (SAMPLE / "comments.jsonl").read_text().splitlines()]


def log() -> list[dict]:
    return json.loads(gzip.decompress((SAMPLE / "events.json.gz").read_bytes()))


def seconds_of(record: dict) -> float:
    hours, minutes, seconds = record["timestamp"].split(":")
    return 3600 * int(hours) + 60 * int(minutes) + float(seconds)


def until(period: int, time: float) -> list[dict]:
    """The log as a feed that is late has it."""
    now = period, time - LATE
    return [r for r in log() if (r["period"], seconds_of(r)) <= now]


def write(records: list[dict], path: Path) -> None:
    whole = path.with_suffix(".new")
    whole.write_text(json.dumps(records or log()[:4]))
    whole.rename(path)


def through_a_pipe(path: Path, before: Callable[[dict], None]) -> Iterator[float]:
    """Milliseconds from each line to its answer; `before` is called ahead of each."""
    words = ["live", "--events", str(path), "--lineups", str(LINEUPS)]
    with subprocess.Popen([sys.executable, "-m", "touchline", *words], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE) as process:  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        for number, comment in enumerate(comments()):
            before(comment)
            begun = time.perf_counter()
            process.stdin.write(json.dumps(comment).encode() + b"\n")
            process.stdin.flush()
            answer: dict = {}
            while answer.get("comment") != comment["id"] or answer.get("revision"):
                answer = json.loads(process.stdout.readline())
            if number:  # the first one waits for the start
                yield 1000 * (time.perf_counter() - begun)
        process.stdin.close()
        process.stdout.read()


def in_process() -> Iterator[float]:
    """Processor milliseconds for each comment: read, prepared, answered, the last ones again."""
    session = Session(make_aligner("chains:unlabelled"), "sample")
    session.follow_log(read_events(SAMPLE / "events.json.gz", lineups=[LINEUPS]))
    commentary = Commentary(Path("-"), None, print)
    for line in (SAMPLE / "comments.jsonl").read_text().splitlines():
        begun = time.process_time()
        commentary.add(line)
        session.follow_comments(commentary.comments(session.match.ends))
        while session.waiting:
            list(session.answer_some())
        yield 1000 * (time.process_time() - begun)


def played(match: Match) -> tuple[Links, Links, int]:
    """The first answer for each comment, the last one before the end, and how many there were."""
    session = Session(make_aligner("chains:unlabelled"), match.name)
    first: dict = {}
    last: dict = {}
    given: list[CommentLinks] = []
    for number, comment in enumerate(match.comments, 1):
        now = comment.period or 0, comment.end or 0.0
        log = tuple(event for event in match.events if (event.period, event.time) <= now)
        session.follow_log(msgspec.structs.replace(match, events=log, comments=()))
        session.follow_comments(match.comments[:number])
        while session.waiting:
            given += session.answer_some()
    for answer in given:
        first.setdefault(answer.comment, answer)
        last[answer.comment] = answer
    at_once, in_the_end = (Links(match, [d[c.id] for c in match.comments]) for d in (first, last))
    return at_once, in_the_end, len(given)


def quality(matches: list[LabelledMatch]) -> None:
    """Scores of live answers beside those of `align`."""
    scores = {name: Score(candidates=[]) for name in ("at once", "last before the end", "align")}
    answered = comments = 0
    for one in matches:
        *links, given = played(one.match)
        # The bundled model with labels has learned from those of these matches.
        links.append(make_aligner("chains:unlabelled").align(one.match))
        for name, found in zip(scores, links, strict=True):
            scores[name] += score_comments(one, found)
        answered, comments = answered + given, comments + len(one.match.comments)
    for name, score in scores.items():
        found = score.metrics()
        shown = "".join(f"{100 * found[key]:>11.1f}" for key in ("precision", "recall", "f1"))
        print(f"{name:34}{shown}")
    print(f"{answered} answers for {comments} comments")


def show(name: str, times: list[float]) -> None:
    half = len(times) // 2
    p99 = statistics.quantiles(times, n=100)[-1]
    figures = (statistics.median(times), p99, max(times),
               statistics.median(times[:half]), statistics.median(times[half:]))  # fmt: skip
    print(f"{name:34}" + "".join(f"{figure:>9.1f}" for figure in figures))


def main() -> None:
    print(f"{'answer, ms':34}" + "".join(f"{h:>9}" for h in ("p50", "p99", "max", "1", "2")))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "events.json"
        write(log(), path)
        show("log as a whole", list(through_a_pipe(path, lambda comment: None)))

        def grow(comment: dict) -> None:
            write(until(comment["period"], comment["time"]), path)
            time.sleep(0.5)  # a match leaves more time between two comments

        show("log written anew each time", list(through_a_pipe(path, grow)))
    show("processor, log as a whole", list(in_process()))
    if folder := os.environ.get("TOUCHLINE_DATA"):
        corpus = read_corpus(Path(folder) / "epl-2015", clock="minute")
        print(f"\n{'answers':34}{'precision':>11}{'recall':>11}{'F1':>11}")
        quality([one for one in corpus if one.match.name not in SEALED])


if __name__ == "__main__":
    main()
