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
    digest = hashlib.sha256()
    for name in sorted(reached(f"{PACKAGE}.reproduce.{protocol}", module_of(method))):
        digest.update(name.encode() + b"\0" + path_of(name).read_bytes())
    return digest.hexdigest()


def module_of(method: str) -> str:
    """The module of a method, `NAME` or `NAME:PRESET`."""
    home = BUILT_IN[method.partition(":")[0]]
    return f"{PACKAGE}.methods.{home.rpartition('.')[0]}"


def reached(*modules: str) -> set[str]:
    """The modules, and all of touchline's that they import, wherever in their code."""
    found: set[str] = set()
    left = list(modules)
    while left:
        module = left.pop()
        if module not in found:
            found.add(module)
            left += imported_by(path_of(module))
    return found


@cache
def imported_by(path: Path) -> frozenset[str]:
    """The modules of touchline that a file imports."""
    tree = ast.parse(path.read_bytes())
    names = (name for node in ast.walk(tree) for name in _names(node))
    return frozenset(found for name in names if (found := _containing(name)))


def _names(node: ast.AST) -> Iterator[str]:
    """What a statement imports, as dotted names; relative imports are not used here."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module:
        yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _containing(name: str) -> str | None:
    """The module that a dotted name is in.

    Not the package itself: it gives out what is public, and nothing within learns from it.
    """
    while name.startswith(f"{PACKAGE}."):
        if path_of(name).is_file():
            return name
        name = name.rpartition(".")[0]
    return None


def path_of(module: str) -> Path:
    """The file of a module."""
    root = Path(str(files(PACKAGE)))
    place = root.joinpath(*module.split(".")[1:])
    return place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
