"""Which of touchline's own modules a run goes through, and a checksum of them.

A stored run is as good as the code that it came from. A change to one method's code must not cost
the runs of all others, so each method has a checksum of what its modules import, directly or not.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path

from touchline.methods.registry import BUILT_IN

PACKAGE = "touchline"


@cache
def code_of(protocol: str, method: str) -> str:
    """The checksum of the code behind a protocol and a method, `NAME` or `NAME:PRESET`."""
    module = BUILT_IN[method.partition(":")[0]].rpartition(".")[0]
    roots = f"{PACKAGE}.reproduce.{protocol}", f"{PACKAGE}.methods.{module}"
    digest = hashlib.sha256()
    for name in sorted(reached(*roots)):
        digest.update(name.encode() + b"\0" + _path(name).read_bytes())
    return digest.hexdigest()


def reached(*modules: str) -> set[str]:
    """The modules, and all of touchline's that they import, wherever in their code."""
    found: set[str] = set()
    left = list(modules)
    while left:
        module = left.pop()
        if module not in found:
            found.add(module)
            left += _imported(module)
    return found


@cache
def _imported(module: str) -> frozenset[str]:
    tree = ast.parse(_path(module).read_bytes())
    names = (name for node in ast.walk(tree) for name in _names(node))
    return frozenset(found for name in names if (found := _module_of(name)))


def _names(node: ast.AST) -> Iterator[str]:
    """What a statement imports, as dotted names; relative imports are not used here."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module:
        yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _module_of(name: str) -> str | None:
    """The module that a dotted name is in.

    Not the package itself: it gives out what is public, and nothing within learns from it.
    """
    while name.startswith(f"{PACKAGE}."):
        if _path(name).is_file():
            return name
        name = name.rpartition(".")[0]
    return None


def _path(module: str) -> Path:
    root = Path(str(files(PACKAGE)))
    place = root.joinpath(*module.split(".")[1:])
    return place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
