"""The annotator's command: a process that is sent lines and answers with lines.

It is started without a shell, so that nothing in its words is expanded or run. Its standard error
is ours. Reading and writing have a thread each: a command that hangs, that does not read what it is
sent or that ends can never block the run.
"""

from __future__ import annotations

import contextlib
import os
import queue
import shlex
import subprocess
import time
from collections.abc import Sequence
from threading import Thread
from typing import IO

from touchline.core.errors import TouchlineError, UsageError

# An answer is a few ids and a note; a line that is longer than this is cut and then no answer.
MAX_LINE = 1 << 20
# Seconds in which a command should end by itself once it has been sent everything.
GRACE = 5.0


class NoAnswerError(TouchlineError):
    """The command did not answer; `ended` says whether that is because it is no longer running."""

    def __init__(self, problem: str, *, ended: bool = False) -> None:
        super().__init__(problem)
        self.ended = ended


def split_command(command: str | Sequence[str]) -> list[str]:
    """The words of a command, split as a shell would, but by no shell."""
    try:
        words = shlex.split(command, posix=os.name == "posix") if isinstance(command, str) else None
    except ValueError as error:
        raise UsageError(f"the command {command!r} cannot be split into words ({error})") from None
    words = list(command) if words is None else words
    if not words or not words[0]:
        raise UsageError("the command is empty; expected a program and its arguments")
    return words


class Command:
    """A running command, which should answer within `timeout` seconds."""

    def __init__(self, words: Sequence[str], timeout: float) -> None:
        self.timeout = timeout
        try:
            self._process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or error
            raise TouchlineError(f"cannot start {words[0]!r} ({why})") from None
        self._sent: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._received: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        pipes = (self._write, self._process.stdin), (self._read, self._process.stdout)
        for work, pipe in pipes:
            Thread(target=work, args=[pipe], daemon=True).start()

    def send(self, line: bytes) -> None:
        """Hand it a line, without waiting until it is read."""
        self._sent.put(line)

    def receive(self, since: float) -> bytes:
        """Its next line that is not blank.

        Parameters
        ----------
        since
            When the time for an answer began, by `time.monotonic`.

        Raises
        ------
        NoAnswerError
            It said nothing in time, or it ended.
        """
        while True:
            left = since + self.timeout - time.monotonic()
            try:
                line = self._received.get(timeout=max(left, 0))
            except queue.Empty:
                raise NoAnswerError(f"no answer within {self.timeout:g} s") from None
            if line is None:
                self._received.put(None)  # it stays at its end
                raise NoAnswerError(self._how_it_ended(), ended=True)
            if line.strip():
                return line

    def close(self) -> None:
        """Let it know that nothing more will be sent."""
        self._sent.put(None)

    def finish(self) -> None:
        """Let it end by itself, and end it if it does not."""
        self.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(GRACE)
        self.stop()

    def stop(self) -> None:
        """End it, gently where that is enough."""
        self.close()
        for end in (self._process.terminate, self._process.kill):
            if self._process.poll() is None:
                end()
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self._process.wait(GRACE)

    def _how_it_ended(self) -> str:
        try:
            code = self._process.wait(GRACE)
        except subprocess.TimeoutExpired:
            return "the command closed its output"
        if code < 0:
            return f"the command was ended by signal {-code}"
        return f"the command ended with exit code {code}"

    def _write(self, pipe: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError), pipe:  # it ended; the reader notices that
            while (line := self._sent.get()) is not None:
                pipe.write(line)
                pipe.flush()

    def _read(self, pipe: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError), pipe:
            while line := pipe.readline(MAX_LINE):
                self._received.put(line)
        self._received.put(None)
