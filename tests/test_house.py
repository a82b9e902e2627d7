"""The rules of the house that a machine can check: who may import whom, where printing is done."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import touchline

ROOT = Path(__file__).parent.parent
PACKAGE = Path(touchline.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))


def test_the_layers_are_kept():
    run = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    done = subprocess.run([sys.executable, "-c", run], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    assert "0 broken" in done.stdout


def calls(path: Path) -> list[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [
        node.func.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    ]


def test_only_the_command_line_prints():
    free = {"cli", "sample"}  # the sample's modules are scripts
    printing = [
        path.relative_to(PACKAGE).as_posix()
        for path in MODULES
        if "print" in calls(path) and path.relative_to(PACKAGE).parts[0] not in free
    ]
    assert printing == []


def test_every_package_says_what_it_holds():
    silent = [
        path.relative_to(PACKAGE).as_posix()
        for path in MODULES
        if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
        and path.name != "__main__.py"
    ]
    assert silent == []


@pytest.mark.parametrize("name", touchline.__all__)
def test_every_public_name_is_there_and_documented(name):
    value = getattr(touchline, name)
    assert name == "__version__" or value.__doc__


# Words that only we would understand, from before the vocabulary was made plain.
BANNED = ("tellable", "in the box", "of all chance", "is none of a minute", "no match is that",
          "what is no number", "made up and printed", "are gone then")  # fmt: skip


def test_messages_help_and_pages_are_in_plain_words():
    pages = [path for end in ("py", "js", "html") for path in PACKAGE.rglob(f"*.{end}")]
    texts = {path.relative_to(PACKAGE).as_posix(): path.read_text(encoding="utf-8").lower()
             for path in pages}  # fmt: skip
    found = [(path, word) for path, text in texts.items() for word in BANNED if word in text]
    assert found == []
