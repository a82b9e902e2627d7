"""Numbers that others have published, from `published.json`: the only ones not measured here."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

import msgspec


@cache
def published() -> dict[str, Any]:
    """Published figures in percent, by protocol and method; where each was printed."""
    data = files("touchline.evaluation").joinpath("published.json").read_bytes()
    found: dict[str, Any] = msgspec.json.decode(data)
    return found
