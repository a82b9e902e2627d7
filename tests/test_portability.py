"""Tests that need POSIX or Linux are marked so, and the rest can at least be loaded on Windows."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
MODULES = sorted(path for path in TESTS.rglob("test_*.py") if path != Path(__file__))
LINUX = re.compile(r"/proc/|/dev/full")
POSIX = re.compile(
    r"\.symlink_to|mkfifo|send_signal|os\.kill|SIGKILL|SIGSTOP|\bresource\.|preexec_fn"
    r"|['\"]bash['\"], ['\"]-|/dev/|0o600|os\.fsdecode\("
)
MARKED = re.compile(r"mark\.(posix|linux|mount|skipif)\b")
Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions(tree: ast.Module) -> dict[str, Function]:
    """The functions of a module by name: tests, fixtures and helpers."""
    classes = [node.body for node in tree.body if isinstance(node, ast.ClassDef)]
    nodes = [node for body in (tree.body, *classes) for node in body]
    return {node.name: node for node in nodes if isinstance(node, Function)}


def needs(text: str) -> set[str]:
    """The systems whose features some code uses."""
    return {name for name, found in (("linux", LINUX), ("posix", POSIX)) if found.search(text)}


def unmarked(source: str) -> Iterator[tuple[str, str]]:
    """Tests that use such features, by themselves or through a function, and are not marked."""
    tree = ast.parse(source)
    known = functions(tree)
    marks = [ast.unparse(node) for node in tree.body if "pytestmark" in ast.unparse(node)]
    if any(MARKED.search(mark) for mark in marks):
        return
    for name, node in known.items():
        decorators = " ".join(map(ast.unparse, node.decorator_list))
        if name.startswith("test_") and not MARKED.search(decorators):
            yield from ((name, system) for system in sorted(reached(name, known)))


def reached(name: str, known: dict[str, Function], seen: frozenset[str] = frozenset()) -> set[str]:
    """What a function needs, and all that it calls or takes as a fixture."""
    body = ast.unparse(known[name])
    used = set(re.findall(r"\w+", body)) & set(known) - seen - {name}
    deeper = (reached(one, known, seen | used | {name}) for one in used)
    return needs(body).union(*deeper)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(TESTS).as_posix())
def test_tests_of_one_system_are_marked(path):
    assert list(unmarked(path.read_text(encoding="utf-8"))) == []


def test_unmarked_tests_are_found_also_through_helpers():
    source = """
def linked(a):
    a.symlink_to("b")
def test_by_itself(): os.mkfifo("a")
def test_by_a_helper(): linked("a")
def test_by_a_fixture(linked): pass
def test_plain(): pass
@pytest.mark.posix
def test_marked(): linked("a")
def test_of_linux(): open("/proc/1/stat")
"""
    assert list(unmarked(source)) == [
        ("test_by_itself", "posix"),
        ("test_by_a_helper", "posix"),
        ("test_by_a_fixture", "posix"),
        ("test_of_linux", "linux"),
    ]


# Hides what Windows does not have, before any test is loaded.
WINDOWS = """
import os, signal, sys
for name in ("fcntl", "grp", "pty", "pwd", "resource", "termios"):
    sys.modules[name] = None
for name in ("SIGALRM", "SIGCONT", "SIGHUP", "SIGKILL", "SIGSTOP", "SIGUSR1", "setitimer"):
    delattr(signal, name)
for name in ("geteuid", "getpgid", "killpg", "mkfifo", "sched_getaffinity"):
    if hasattr(os, name):
        delattr(os, name)
from importlib import import_module
for module in sys.argv[1:]:
    import_module(module)
"""


@pytest.mark.system
@pytest.mark.posix
def test_every_test_can_be_loaded_without_posix():
    root = TESTS.parent
    modules = [".".join(path.relative_to(root).with_suffix("").parts) for path in MODULES]
    command = [sys.executable, "-c", WINDOWS, *modules]
    done = subprocess.run(command, capture_output=True, text=True, cwd=root)
    assert done.returncode == 0, done.stderr[-3000:]
