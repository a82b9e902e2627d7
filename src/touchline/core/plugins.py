"""Methods, feeds and kinds of commentary of other packages, found through entry points.

A package names them in its metadata, in the groups `touchline.methods`, `touchline.feeds` and
`touchline.commentary`. Nothing of it is imported before it is asked for, and whatever is wrong with
it is said in one sentence that names it.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from touchline.core.errors import TouchlineError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


class PluginError(TouchlineError):
    """A plug-in that cannot be used."""


@cache
def plugins(group: str) -> dict[str, EntryPoint]:
    """The plug-ins of a group by name, in the order of their names."""
    from importlib.metadata import entry_points  # slow to load, and to be asked

    found = entry_points(group=f"touchline.{group}")
    return {entry.name: entry for entry in sorted(found, key=lambda entry: entry.name)}


def load_plugin(entry: EntryPoint) -> Any:
    """What an entry point names."""
    try:
        return entry.load()
    except Exception as error:
        raise PluginError(f"{called(entry)} cannot be loaded: {failure(error)}") from error


def called(entry: EntryPoint) -> str:
    """A plug-in as messages call it."""
    what = {"methods": "method", "feeds": "feed"}.get(entry.group.partition(".")[2], "commentary")
    package = entry.dist.name if entry.dist else entry.value
    return f"the {what} {entry.name!r} of the package {package}"


def failure(error: BaseException) -> str:
    """An exception in one line."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
