"""The server's log: on the terminal, and in a file of at most a few megabytes.

Internal errors are logged with their traceback; clients get one sentence. An error that is repeated
many times, as under an attack, is logged only the first times.
"""

from __future__ import annotations

import logging
import time
from logging.handlers import RotatingFileHandler
from pathlib import Path

FILE = "server.log"
MAX_BYTES, OLD_FILES = 1 << 20, 3
MAX_EQUAL, PER_SECONDS = 20, 60.0  # records of one kind within that time
NAMES = ("touchline.web", "uvicorn", "asyncio")
_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


class Throttle(logging.Filter):
    """Limits how many records of one kind are logged."""

    def __init__(self) -> None:
        super().__init__()
        self._seen: dict[tuple[str, str], tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        key, now = (record.name, str(record.msg)), time.monotonic()
        start, count = self._seen.get(key, (now, 0))
        if now - start > PER_SECONDS:
            start, count = now, 0
        if len(self._seen) > 1000:  # messages that contain part of the request
            self._seen.clear()
        self._seen[key] = (start, count + 1)
        return count < MAX_EQUAL


class QuietFileHandler(RotatingFileHandler):
    """A log file that ignores write errors, such as those of a full disk."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        pass


def start_log(home: Path) -> list[logging.Handler]:
    """Log to the terminal and to a file in the server's own folder."""
    file = QuietFileHandler(
        home / FILE, maxBytes=MAX_BYTES, backupCount=OLD_FILES, encoding="utf-8", delay=True
    )
    handlers: list[logging.Handler] = [logging.StreamHandler(), file]
    for handler in handlers:
        handler.setFormatter(logging.Formatter(_FORMAT))
        handler.addFilter(Throttle())
    for name in NAMES:
        logger = logging.getLogger(name)
        logger.setLevel(logging.WARNING)
        logger.propagate = False
        logger.handlers = list(handlers)
    return handlers
