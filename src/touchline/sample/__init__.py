"""Two invented matches, in the layout of a corpus folder, to try the library on."""

from __future__ import annotations

from pathlib import Path


def corpus_path() -> Path:
    """The folder with one folder per match."""
    return Path(__file__).with_name("matches")
