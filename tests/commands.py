"""Commands as a user types them, in the tests' own process or in another."""

from __future__ import annotations

import contextlib
import io
import subprocess
import sys
from pathlib import Path
from typing import Any

from touchline import cli

Done = subprocess.CompletedProcess[str]


def run_alone(*words: object, cwd: Path | None = None, **more: Any) -> Done:
    """Run a command in a process of its own."""
    command = [sys.executable, "-m", "touchline", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, **more)


def run(*words: object, cwd: Path | str = ".") -> Done:
    """Run a command in this process, where everything is loaded already."""
    command = [*map(str, words)]
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), contextlib.chdir(cwd):
        code = cli._run(command)
    said = (stream.buffer.getvalue().decode("utf-8") for stream in (out, err))
    return subprocess.CompletedProcess(command, code, *said)
