"""Items of a cluster's worker, each done in another process than the worker itself.

If the process dies or needs more memory than the worker may use, the worker stays, and so do the
items that wait for it. An item that has ended two processes is set aside.
"""

from __future__ import annotations

import contextlib
import importlib
import threading
from typing import Any

from touchline.pipeline.runs.workers import TRIES, LostError, Worker

# Seconds between two looks at the memory of a process.
LOOK = 0.2
_DIED = "out of memory?"


def plugin() -> Any:
    """What a Dask worker has for a run: the processes of its threads, which end with the run."""
    base = importlib.import_module("distributed").WorkerPlugin

    class Isolation(base):  # type: ignore[misc, valid-type]
        def setup(self, worker: Any) -> None:
            self.processes: dict[int, Worker] = {}

        def teardown(self, worker: Any) -> None:
            for process in self.processes.values():
                process.end()

    return Isolation()


def run_isolated(run: str, job: bytes, item: Any) -> Any:
    """The result for an item; a LostError where the processes that did it have died.

    `run` is the name under which the run has registered its plug-in.
    """
    worker = importlib.import_module("distributed").get_worker()
    processes, thread = worker.plugins[run].processes, threading.get_ident()
    limit, problem = _memory_limit(worker), _DIED
    for _ in range(TRIES):
        if thread not in processes:
            processes[thread] = Worker()
        process = processes[thread]
        process.start(0, item, job)
        try:
            _wait(process, limit)
            good, result = process.connection.recv()
        except (EOFError, OSError) as error:
            problem = str(error) if isinstance(error, MemoryLimitError) else _DIED
            processes.pop(thread).end()
            continue
        if not good:
            raise result
        return result
    return LostError(problem)


class MemoryLimitError(OSError):
    """A process needs more memory than its worker may use."""


def _wait(process: Worker, limit: int | None) -> None:
    """Wait for an answer; a process that grows too large is not waited for."""
    if limit is None:
        return
    psutil = importlib.import_module("psutil")  # which Dask has brought
    while not process.connection.poll(LOOK):
        with contextlib.suppress(psutil.Error):
            if psutil.Process(process.process.pid).memory_info().rss > limit:
                raise MemoryLimitError(f"more than the worker's {limit / 1e6:.0f} MB of memory")


def _memory_limit(worker: Any) -> int | None:
    """What a thread of a worker may use, where Dask limits it."""
    limit = getattr(getattr(worker, "memory_manager", None), "memory_limit", None)
    return int(limit / max(1, worker.state.nthreads)) if limit else None
