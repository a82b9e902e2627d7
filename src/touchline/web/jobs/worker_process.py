"""Worker processes, seen from the server: one task at a time each, kept warm, killed at will."""

from __future__ import annotations

import contextlib
import logging
import os
import subprocess
import sys
import threading

import msgspec

from touchline.core.errors import TouchlineError
from touchline.web.jobs.align_worker import Said, Say, Task

LOG = logging.getLogger("touchline.web")


class StoppedError(TouchlineError):
    """The process was killed before it had finished."""


class FailedError(TouchlineError):
    """The task cannot be done; says why in a sentence for the user."""


class Worker:
    """A process that does tasks; started when there is one, and again after it was killed."""

    def __init__(self, memory: int) -> None:
        self.memory = memory  # bytes that the process may use
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()

    def start(self) -> None:
        with self._lock:
            if self._process is None or self._process.poll() is not None:
                self._process = subprocess.Popen(
                    [sys.executable, "-m", "touchline.web.jobs.align_worker", str(self.memory)],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
                    start_new_session=True,  # an interrupt at the terminal is for the server
                )

    def do(self, task: Task, say: Say, seconds: float) -> str:
        """Do a task and hand on what the process says; its result, within that many seconds.

        The process must have been started; killed since, it does not come back for this task.
        """
        with self._lock:
            process = self._process
        if process is None:
            raise StoppedError("the worker has ended")
        timer = threading.Timer(seconds, process.kill)
        timer.daemon = True
        timer.start()
        try:
            return self._follow(process, task, say)
        except (OSError, ValueError):  # its pipes are closed, or it ended in the middle of a line
            raise StoppedError("the worker has ended") from None
        finally:
            timer.cancel()

    def kill(self) -> None:
        with self._lock:
            process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    with contextlib.suppress(OSError):  # what it was just being told is lost
                        pipe.close()

    def _follow(self, process: subprocess.Popen[bytes], task: Task, say: Say) -> str:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(msgspec.json.encode(task) + b"\n")
        process.stdin.flush()
        for line in process.stdout:
            said = msgspec.json.decode(line, type=Said)
            if said.traceback is not None:
                LOG.error("a worker failed\n%s", said.traceback)
            if said.ends:
                self.kill()  # else it could be found alive for the next task
            if said.problem is not None:
                raise FailedError(said.problem)
            if said.name is not None:
                return said.name
            say(said)
        raise StoppedError("the worker has ended")
