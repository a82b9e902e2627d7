"""Titles as they are shown."""

from __future__ import annotations

import pytest

from touchline.core.display import plain_line


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Real Zaragoza – São Paulo", "Real Zaragoza – São Paulo"),
        ("\u202eReds\u202c – \u2067Blues", "Reds – Blues"),
        (" a\n\tb\x00c\x1b[31m ", "a bc[31m"),
        ("هلال – نصر", "هلال – نصر"),
    ],
)
def test_what_cannot_be_seen_is_left_out(text, shown):
    assert plain_line(text) == shown
