"""Worker processes, as the server sees them: one task at a time, reused, killed when needed."""

from __future__ import annotations

import contextlib
import logging
import os
import subprocess
import sys
import threading

import msgspec

from touchline.core.errors import TouchlineError
from touchline.web.jobs.tasks import AnyTask, Send, WorkerMessage

LOG = logging.getLogger("touchline.web")


class StoppedError(TouchlineError):
    """The process was killed before it had finished."""


class FailedError(TouchlineError):
    """The task cannot be done; the message is a sentence for the user."""


class Worker:
    """A process that runs tasks; started on demand, and again after it was killed."""

    def __init__(self, max_memory: int) -> None:
        self.max_memory = max_memory  # bytes
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()

    def start(self) -> None:
        with self._lock:
            if self._process is None or self._process.poll() is not None:
                self._process = subprocess.Popen(
                    [sys.executable, "-m", "touchline.web.jobs.align_worker", str(self.max_memory)],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
                    start_new_session=True,  # Ctrl-C at the terminal goes to the server only
                )

    def run(self, task: AnyTask, send: Send, max_seconds: float) -> str:
        """Run a task and pass on its progress; gives the name of the match, if it is about one.

        The process must have been started; if it was killed since, it is not started again.
        """
        with self._lock:
            process = self._process
        if process is None:
            raise StoppedError("the worker has ended")
        timer = threading.Timer(max_seconds, process.kill)
        timer.daemon = True
        timer.start()
        try:
            return self._follow(process, task, send)
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
                    with contextlib.suppress(OSError):  # unsent input is lost
                        pipe.close()

    def _follow(self, process: subprocess.Popen[bytes], task: AnyTask, send: Send) -> str:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(msgspec.json.encode(task) + b"\n")
        process.stdin.flush()
        for line in process.stdout:
            message = msgspec.json.decode(line, type=WorkerMessage)
            if message.traceback is not None:
                LOG.error("a worker failed\n%s", message.traceback)
            if message.ends:
                self.kill()  # else it could still be alive when the next task comes
            if message.problem is not None:
                raise FailedError(message.problem)
            if message.name is not None:
                return message.name
            send(message)
        raise StoppedError("the worker has ended")
