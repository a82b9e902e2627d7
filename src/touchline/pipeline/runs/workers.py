"""Workers: this process, several on this machine, or those of a cluster.

All of them apply a pure function to items and give the results in the items' order, so that what
is made of them does not depend on who did the work, nor on how many.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import signal
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from multiprocessing.connection import Connection, wait
from threading import Thread
from typing import Any, Generic, Protocol, TypeVar

from touchline.core.collector import collect_seldom
from touchline.core.errors import TouchlineError

T = TypeVar("T")
R = TypeVar("R")

# Opens a progress bar, given a step's name and number of items; returns what advances it.
Shown = Callable[[str, int], AbstractContextManager[Callable[[], None]]]
# How many times an item is tried whose worker dies; one that kills two is set aside.
TRIES = 2
# Results that wait for an earlier one, for each worker.
AHEAD = 8
# What a worker is started with. The processes share the cores already. The memory of a match is
# kept for the next one: to be given it anew, and cleared, takes a tenth of a round of learning.
SETTINGS = {
    "OPENBLAS_NUM_THREADS": "1",
    "MALLOC_MMAP_THRESHOLD_": str(32 * 2**20),
    "MALLOC_TRIM_THRESHOLD_": str(128 * 2**20),
}


class Workers(Protocol):
    """Map a function over items, in order; to be used as a context."""

    def map(
        self, function: Callable[[Any, T], R], given: Any, items: Iterable[T]
    ) -> Iterator[R | LostError]:
        """`function(given, item)` of every item; `given` goes to each worker only once.

        An item whose worker dies again and again has a LostError as its result.
        """

    def __enter__(self) -> Workers: ...

    def __exit__(self, *error: object) -> None: ...


class LostError(TouchlineError):
    """The worker processes for an item died repeatedly."""

    def __init__(self, why: str = "out of memory?") -> None:
        self.why = why
        super().__init__(f"its worker process died repeatedly ({why})")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.why,)


def cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Here:
    """No other process."""

    def map(self, function: Callable[[Any, T], R], given: Any, items: Iterable[T]) -> Iterator[R]:
        return (function(given, item) for item in items)

    def __enter__(self) -> Here:
        return self

    def __exit__(self, *error: object) -> None:
        pass


class Processes:
    """Processes of this machine; one that dies costs only the item that it had.

    Each has a pipe of its own. When this process ends, however it does, theirs ends with it.
    """

    def __init__(self, count: int) -> None:
        self._count = count
        self._team: list[Worker] = []

    def __enter__(self) -> Processes:
        return self

    def __exit__(self, *error: object) -> None:
        for worker in self._team:
            worker.end()
        self._team = []

    def map(
        self, function: Callable[[Any, T], R], given: Any, items: Iterable[T]
    ) -> Iterator[R | LostError]:
        work: _Work[T, R] = _Work(items, AHEAD * self._count)
        job = pickle.dumps((function, given), pickle.HIGHEST_PROTOCOL)
        try:
            while True:
                self._hand_out(work, job)
                busy = [worker for worker in self._team if worker.item is not None]
                if not busy:
                    return
                for connection in wait([worker.connection for worker in busy]):
                    worker = next(one for one in busy if one.connection is connection)
                    self._take_in(work, worker)
                yield from work.in_order()
        finally:
            for worker in [one for one in self._team if one.item is not None]:
                self._dismiss(worker)  # nobody waits for its result any more

    def _dismiss(self, worker: Worker) -> None:
        self._team.remove(worker)
        worker.end()

    def _hand_out(self, work: _Work[T, R], job: bytes) -> None:
        idle = [worker for worker in self._team if worker.item is None]
        while (idle or len(self._team) < self._count) and (place := work.next()) is not None:
            if not idle:
                self._team.append(Worker())
                idle = self._team[-1:]
            idle.pop().start(place, work.item(place), job)

    def _take_in(self, work: _Work[T, R], worker: Worker) -> None:
        place = worker.item
        assert place is not None
        try:
            good, result = worker.connection.recv()
        except (EOFError, OSError):
            self._dismiss(worker)
            work.lost(place)
            return
        worker.item = None
        if not good:
            raise result
        work.done(place, result)


class _Work(Generic[T, R]):
    """Items to be done, being done, and results that wait for their turn."""

    def __init__(self, items: Iterable[T], ahead: int) -> None:
        self._left = enumerate(items)
        self._ahead = ahead
        self._open: dict[int, T] = {}
        self._again: list[int] = []
        self._tries: dict[int, int] = {}
        self._results: dict[int, R | LostError] = {}
        self._due = 0

    def next(self) -> int | None:
        """The place of the item to be done next; None when there is nothing to do for now."""
        if self._again:
            return self._again.pop()
        if len(self._open) + len(self._results) >= self._ahead:
            return None
        for place, item in self._left:
            self._open[place] = item
            return place
        return None

    def item(self, place: int) -> T:
        return self._open[place]

    def done(self, place: int, result: R | LostError) -> None:
        del self._open[place]
        self._results[place] = result

    def lost(self, place: int) -> None:
        self._tries[place] = self._tries.get(place, 0) + 1
        if self._tries[place] == TRIES:
            self.done(place, LostError())
        else:
            self._again.append(place)

    def in_order(self) -> Iterator[R | LostError]:
        while self._due in self._results:
            yield self._results.pop(self._due)
            self._due += 1


class Worker:
    """Another process: what it knows how to do, and which item it has."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")  # a fork would copy our threads' locks
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(theirs,), daemon=True)
        for name, value in SETTINGS.items():
            os.environ.setdefault(name, value)
        _start(self.process)
        theirs.close()
        self.job: bytes | None = None
        self.item: int | None = None

    def start(self, place: int, item: Any, job: bytes) -> None:
        self.item = place
        with contextlib.suppress(OSError):  # it has died: seen when its answer is waited for
            if self.job is not job:
                self.connection.send_bytes(pickle.dumps(len(job)))
                self.connection.send_bytes(job)
                self.job = job
            self.connection.send_bytes(pickle.dumps((item,), pickle.HIGHEST_PROTOCOL))

    def end(self) -> None:
        self.connection.close()
        self.process.kill()
        self.process.join()


def _start(process: Any) -> None:
    """Start a process, also from one that may have none: Dask's workers are such.

    That rule is there so that no process outlives its parent; ours end with it by themselves.
    """
    config = multiprocessing.current_process()._config  # type: ignore[attr-defined]
    daemon = config.pop("daemon", None)
    try:
        process.start()
    finally:
        if daemon is not None:
            config["daemon"] = daemon


def _serve(connection: Connection) -> None:
    """Work until the pipe is closed; interrupts are left to the main process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    collect_seldom()
    Thread(target=_end_with_the_parent, daemon=True).start()
    function, given = None, None
    with contextlib.suppress(EOFError, OSError):
        while True:
            message = pickle.loads(connection.recv_bytes())
            if isinstance(message, int):
                function, given = pickle.loads(connection.recv_bytes())
                continue
            connection.send(_outcome(function, given, message[0]))


def _end_with_the_parent() -> None:
    """Not at the end of a task: nobody waits for it any more."""
    if parent := multiprocessing.parent_process():
        parent.join()
        os._exit(1)


def _outcome(function: Any, given: Any, item: Any) -> tuple[bool, Any]:
    try:
        return True, function(given, item)
    except TouchlineError as error:
        return False, error
    except Exception:
        return False, RuntimeError(f"in a worker:\n{traceback.format_exc()}")
