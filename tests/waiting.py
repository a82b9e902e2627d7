"""Waiting for what another thread or process does."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest


def wait_for(done: Callable[[], Any], seconds: float = 60) -> Any:
    """What `done` gives once it gives something; a hang is a failure."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := done():
            return found
        time.sleep(0.02)
    pytest.fail("nothing happened")
