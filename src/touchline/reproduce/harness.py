"""Runs every system on every track of a protocol, keeps what is finished, puts it together.

Each finished run is stored at once, under a name made of all that it depends on: the code that it
goes through, the data, the system, the seed. An interrupted reproduction therefore goes on where it
stopped, and after a change only those runs are made anew that it touches.
"""

from __future__ import annotations

import hashlib
import platform
import subprocess
import time
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from touchline.core.errors import InputError, TouchlineError
from touchline.core.version import __version__
from touchline.evaluation.bootstrap import paired_difference
from touchline.io.corpus.layout import LabelledMatch, corpus_matches, read_corpus
from touchline.io.files import read_bytes, sha256, write_whole
from touchline.io.storage import local_path
from touchline.pipeline.runs.choice import workers
from touchline.pipeline.runs.workers import LostError
from touchline.reproduce import pro, robocup
from touchline.reproduce.published import published
from touchline.reproduce.runs import Run
from touchline.reproduce.sources import code_of
from touchline.reproduce.systems import PAPER, System

PROTOCOLS = ("robocup", "pro")
FORMAT = 1
# The longest runs go first, so that none is left over for one process at the end.
_ORDER = ("k", "radio", "radio_second", "alone", "minute_left_out", "second_left_out", "folds")


class Task(msgspec.Struct, frozen=True):
    """A system on a track of a protocol."""

    protocol: str
    system: System
    track: str
    data: str
    seed: int

    @property
    def source(self) -> tuple[str, str, str]:
        """Corpus, clock and commentary."""
        if self.protocol == "robocup":
            return "robocup", "second", "comments"
        return pro.TRACKS[self.track]

    @property
    def has_data(self) -> bool:
        """Whether there is a corpus with this commentary; only a protocol's main one must be.

        To leave a match out, others must be left.
        """
        corpus, _, track = self.source
        min_matches = 2 if self.track in pro.LEFT_OUT.values() else 1
        try:
            return len(corpus_matches(Path(self.data) / corpus, track)) >= min_matches
        except InputError:
            return False

    def run(self) -> Run:
        started = time.perf_counter()
        matches = _read(str(Path(self.data) / self.source[0]), *self.source[1:])
        run = robocup.run if self.protocol == "robocup" else pro.run
        done = run(self.system, self.track, matches, self.seed)
        return msgspec.structs.replace(done, seconds=round(time.perf_counter() - started, 2))


def tasks(protocol: str, chosen: Sequence[System], data: Path, seed: int) -> list[Task]:
    """What there is to do, the longest first; a track whose corpus is missing is left out."""
    _check_data(protocol, data)
    found = [
        Task(protocol, system, track, str(data), seed)
        for system in chosen
        for track in (robocup.tasks_of if protocol == "robocup" else pro.tracks_of)(system)
    ]
    there = [task for task in found if task.has_data]
    first = {track: place for place, track in enumerate(_ORDER)}
    return sorted(there, key=lambda task: first.get(task.track, len(first)))


def _check_data(protocol: str, data: Path) -> None:
    corpus = "robocup" if protocol == "robocup" else "epl-2015"
    if not (data / corpus).is_dir():
        raise TouchlineError(
            f"{data / corpus}: no such folder; `reproduce {protocol}` needs the corpus {corpus}. "
            "docs/data.md says where to get it and how to lay it out; set TOUCHLINE_DATA or "
            "--data to the folder that contains it"
        )


def missing_corpora(protocol: str, data: Path) -> list[str]:
    """Corpora that a protocol would use and that are not there."""
    used = ["robocup"] if protocol == "robocup" else [corpus for corpus, *_ in pro.TRACKS.values()]
    return [corpus for corpus in dict.fromkeys(used) if not (data / corpus).is_dir()]


def finished(todo: Sequence[Task], store: Path, jobs: int) -> Iterator[tuple[Task, Run]]:
    """Every task with its run: those that are stored, then the others as they are done."""
    left = []
    for task in todo:
        kept = _stored(_place(task, store))
        if kept is None:
            left.append(task)
        else:
            yield task, kept
    with workers(jobs, None, len(left)) as crew:
        # Runs come in the order of the tasks, but each is stored when it is done.
        for task, run in zip(left, crew.map(_run_and_store, store, left), strict=True):
            if isinstance(run, LostError):
                raise run
            yield task, run


def _run_and_store(store: Path, task: Task) -> Run:
    run = task.run()
    with write_whole(_place(task, store)) as out:
        out.write(msgspec.json.encode(run))
    return run


def _place(task: Task, store: Path) -> Path:
    """Where a run is kept: its name contains everything that it depends on."""
    system = task.system
    settings = sorted(system.settings.items())
    code = code_of(task.protocol, system.method)
    depends = (FORMAT, __version__, code, _data_digest(task), system.method, settings,
               task.protocol, task.track, task.seed)  # fmt: skip
    digest = hashlib.sha256(repr(depends).encode()).hexdigest()[:16]
    readable = f"{task.protocol}-{system.name}-{task.track}".replace(":", "-")
    return store / f"{readable}-{digest}.json"


def _stored(path: Path) -> Run | None:
    if not path.exists():
        return None
    try:
        return msgspec.json.decode(read_bytes(path), type=Run)
    except (msgspec.DecodeError, TouchlineError):
        return None  # damaged: run anew


def _data_digest(task: Task) -> str:
    corpus, _, track = task.source
    return repr(sorted(checksums(task.data, corpus, track).items()))


@cache
def checksums(data: str, corpus: str, track: str) -> dict[str, str]:
    """The files of a track, labels too, with their checksums."""
    found: dict[str, str] = {}
    for match in corpus_matches(Path(data) / corpus, track):
        for path in [*match.files, *([match.labels] if match.labels else [])]:
            found[local_path(path).relative_to(data).as_posix()] = sha256(path)
    return found


@cache
def _read(corpus: str, clock: str, track: str) -> list[LabelledMatch]:
    return list(read_corpus(corpus, clock=clock, track=track))


def assemble(
    protocol: str, runs: Sequence[tuple[Task, Run]], seed: int, seconds: float
) -> dict[str, Any]:
    """The JSON of a reproduction; methods in the order in which they were asked for."""
    of_readings = [found for found in runs if found[0].system.reading]
    methods = _methods(protocol, [found for found in runs if found not in of_readings], seed)
    used: dict[str, str] = {}
    for task, _ in runs:
        corpus, _, track = task.source
        used |= checksums(task.data, corpus, track)
    found: dict[str, Any] = {"protocol": protocol, "methods": methods}
    if of_readings:
        found["readings"] = _methods(protocol, of_readings, seed)
    found |= {"published": published()[protocol], "source": published()["source"]}
    if protocol == "robocup" and runs:
        games = _read(str(Path(runs[0][0].data) / "robocup"), "second", "comments")
        found["ceilings"] = robocup.ceilings(games)
    found["run"] = {"seed": seed, "seconds": round(seconds, 1), "versions": _versions(),
                    "commit": _commit(), "files": dict(sorted(used.items()))}  # fmt: skip
    return found


def _methods(protocol: str, runs: Sequence[tuple[Task, Run]], seed: int) -> dict[str, Any]:
    """The figures of each system, by its name."""
    by_system: dict[str, dict[str, Run]] = {}
    systems = {task.system.name: task.system for task, _ in runs}
    for task, run in runs:
        by_system.setdefault(task.system.name, {})[task.track] = run
    return {
        name: {
            "method": systems[name].method,
            "settings": systems[name].settings,
            "code": code_of(protocol, systems[name].method),
            **(
                _robocup(tracks)
                if protocol == "robocup"
                else _pro(tracks, by_system.get(PAPER), seed)
            ),
            "seconds": round(sum(run.seconds for run in tracks.values()), 1),
        }
        for name, tracks in by_system.items()
    }


def _robocup(tracks: dict[str, Run]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if "total" in tracks:
        found |= {name: tracks["total"].report[name] for name in ("games", "total")}
    if "folds" in tracks:
        report = tracks["folds"].report
        found["folds"] = {**report["games"], "total": report["total"]}
    return found | {
        name: tracks[name].report["total"] for name in robocup.SUBSET_TASKS if name in tracks
    }


def _pro(tracks: dict[str, Run], paper: dict[str, Run] | None, seed: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for track, run in tracks.items():
        found[track] = dict(run.report)
        other = (paper or {}).get(track)
        if run.tallies and other and other is not run:
            pair = np.array(run.tallies), np.array(other.tallies)
            found[track]["against_paper"] = paired_difference(*pair, seed)
    if "minute" in found:
        found |= {"halves": found["minute"].pop("halves"), "curve": found["minute"].pop("curve")}
    return found


def _commit() -> str | None:
    """The commit of a source checkout, and whether it was changed since; None if installed."""
    root = Path(__file__).resolve().parents[3]
    if not (root / ".git").exists():
        return None
    git = ("git", "-C", str(root))
    try:
        name, changed = (
            subprocess.run([*git, *words], capture_output=True, text=True, check=True).stdout
            for words in (("rev-parse", "--short=12", "HEAD"), ("status", "--porcelain", "src"))
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return name.strip() + (", with changes" if changed else "")


def _versions() -> dict[str, str]:
    packages = ("numpy", "scipy", "numba", "msgspec", "rapidfuzz")
    return {"touchline": __version__, "python": platform.python_version(),
            **{package: version(package) for package in packages}}  # fmt: skip
