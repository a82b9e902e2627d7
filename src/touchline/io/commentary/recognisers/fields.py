"""Single values of a recogniser's JSON, which may be missing, null or of another type."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from touchline.core.clocks import MAX_MATCH
from touchline.core.errors import InputError
from touchline.io.commentary.cells import as_float

_SECONDS = re.compile(r"\s*(-?\d{1,12}(?:\.\d{1,12})?)\s*s\s*")
_ISO = re.compile(
    r"PT(?:(\d{1,4}(?:\.\d{1,12})?)H)?(?:(\d{1,6}(?:\.\d{1,12})?)M)?(?:(\d{1,9}(?:\.\d{1,12})?)S)?"
)
_STAMP = re.compile(r"(\d{1,3}):([0-5]\d):([0-5]\d)[.,](\d{3})")
TICKS = 10_000_000  # of Azure, to the second


class Source:
    """The file that is read, for what is wrong with it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def fail(self, problem: str, where: str | None = None) -> InputError:
        return InputError(self.path, problem, where)

    def objects(self, value: Any, what: str, where: str | None = None) -> Iterator[dict[str, Any]]:
        """The objects of a list; none where it is missing."""
        if value is None:
            return
        if not isinstance(value, list):
            raise self.fail(f"`{what}` is not a list", where)
        for number, item in enumerate(value):
            if not isinstance(item, dict):
                raise self.fail("expected an object", f"{what} {number}")
            yield item

    def text(self, value: Any, where: str) -> str:
        if value is None:
            return ""
        if not isinstance(value, str):
            raise self.fail(f"the text {value!r} is not a string", where)
        return value

    def seconds(self, value: Any, what: str, where: str) -> float | None:
        """A number of seconds, also as text; None for what is missing or not a number (NaN)."""
        return self.in_range(self.number(value, what, where), where)

    def milliseconds(self, value: Any, what: str, where: str) -> float | None:
        number = self.number(value, what, where)
        return self.in_range(None if number is None else number / 1000, where)

    def number(self, value: Any, what: str, where: str) -> float | None:
        found = as_float(value)
        if found is None and value is not None and not _is_nan(value):
            raise self.fail(f"its {what} {value!r} is not a number of seconds", where)
        return found

    def duration(self, value: Any, what: str, where: str) -> float | None:
        """Seconds as protocol buffers write them: "1.300s", or seconds and nanos."""
        if isinstance(value, dict):
            seconds, nanos = as_float(value.get("seconds", 0)), as_float(value.get("nanos", 0))
            if seconds is None or nanos is None:
                raise self.fail(f"its {what} {value!r} is not a duration", where)
            return self.in_range(seconds + nanos / 1e9, where)
        found = _SECONDS.fullmatch(value) if isinstance(value, str) else None
        return self.seconds(found[1] if found else value, what, where)

    def iso(self, value: Any, what: str, where: str) -> float | None:
        """Seconds as ISO 8601 writes a duration: "PT1M2.3S"."""
        found = _ISO.fullmatch(value) if isinstance(value, str) else None
        if found is None or not any(found.groups()):
            return self.seconds(value, what, where)
        hours, minutes, seconds = (float(part or 0) for part in found.groups())
        return self.in_range(3600 * hours + 60 * minutes + seconds, where)

    def stamp(self, value: Any, what: str, where: str) -> float | None:
        """Seconds as subtitles write them: "00:12:34,500"."""
        found = _STAMP.fullmatch(value) if isinstance(value, str) else None
        if found is None:
            return self.seconds(value, what, where)
        hours, minutes, seconds, thousandths = map(int, found.groups())
        return self.in_range(3600 * hours + 60 * minutes + seconds + thousandths / 1000, where)

    def in_range(self, seconds: float | None, where: str) -> float | None:
        if seconds is not None and abs(seconds) > MAX_MATCH:
            problem = f"{seconds:g} seconds is out of range for a match recording"
            raise self.fail(problem, where)
        return seconds


def _is_nan(value: Any) -> bool:
    return isinstance(value, str) and value.strip().lower() in ("nan", "null", "none", "")
