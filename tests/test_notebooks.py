"""The notebooks of `examples` run, and show what is stored in them."""

from __future__ import annotations

import copy
import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SPEC = importlib.util.spec_from_file_location("notebook_runner", ROOT / "examples/notebooks/run.py")
runner = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(runner)


def shown(notebook: dict) -> list[str]:
    """What the cells show; of a value with HTML that, as its text depends on the width."""
    outputs = [one for cell in notebook["cells"] for one in cell.get("outputs", ())]
    forms = [{"text/plain": one["text"]} if "text" in one else one["data"] for one in outputs]
    return ["".join(form.get("text/html", form.get("text/plain", ""))) for form in forms]


@pytest.mark.parametrize("path", runner.notebooks(), ids=lambda path: path.stem)
def test_a_notebook_shows_what_is_stored_in_it(path):
    stored = runner.read(path)
    again = copy.deepcopy(stored)
    for cell in again["cells"]:
        cell.pop("outputs", None)
    with runner.empty_folder():
        runner.run(again)
    assert shown(again) == shown(stored)
    assert len(shown(stored)) >= 2


def test_a_cell_that_fails_is_not_passed_over():
    cell = {"cell_type": "code", "source": ["1 / 0"]}
    with pytest.raises(ZeroDivisionError):
        runner.run({"cells": [cell]})


def test_there_are_four_notebooks():
    assert [path.stem[:1] for path in runner.notebooks()] == ["1", "2", "3", "4"]
