"""The benchmarks' document: tables, ratios in short, and nothing about whose machine it is."""

from __future__ import annotations

import os
import platform
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

from benchmarks.__main__ import MODULES, document, run
from benchmarks.measured import MEASURED, depends_on, measure, sources
from benchmarks.measuring import (
    Ratio,
    Strict,
    Table,
    by_turns,
    in_fresh_process,
    machine,
    peak_memory,
)
from touchline.methods.pairrank.ranking.macro_events import Step


@pytest.fixture
def join(monkeypatch):
    """Makes a benchmark of some functions."""

    def join(name: str, **functions: object) -> None:
        module = ModuleType(f"benchmarks.{name}")
        module.__doc__ = f"All about {name}.\n\nAnd more."
        vars(module).update(functions)
        monkeypatch.setitem(sys.modules, module.__name__, module)

    return join


def test_tables_and_prints_stand_in_the_document(join):
    fair = Strict("a better one", 0.456)
    ratios = [Ratio("ours", "theirs", 12.345, 67.8, fair), Ratio("small", "large", 2)]
    join("first", tables=lambda: iter([Table("Speed", ["a", "b"], [(1, "x")], "Note.", ratios)]))
    join("second", main=lambda: print("by hand"))
    join("third", main=lambda: sys.exit("no data"))
    page = document([("Python", "3")], [run(name) for name in ("first", "second", "third")])
    assert "| ours | theirs | 12.3x | a better one | 0.46x | 68 |" in page
    assert "| small | large | 2.0x |  |  |  |" in page
    assert "## All about first\n\n`python -m benchmarks.first`" in page
    assert "### Speed\n\n| a | b |\n|---|---|\n| 1 | x |\n\nNote." in page
    assert "```text\nby hand\n```" in page
    assert "```text\nnot measured: no data\n```" in page


@pytest.mark.parametrize(("module", "prefix"), [
    ("models", "exemplar SVMs"), ("pairrank", "PairRank"), ("literal", "the paper's system"),
])  # fmt: skip
def test_no_flattering_ratio_stands_alone(module, prefix):
    """The document's own table: each of these headlines has its strict reference beside it."""
    folder = Path(__file__).parent.parent
    page = (folder / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    short = page.partition("## Summary")[2].partition("\n## ")[0]
    rows = [line.split(" | ") for line in short.splitlines() if line.startswith(f"| {prefix}")]
    assert rows
    assert all(row[3].strip() and row[4].endswith("x") for row in rows)
    assert "Strict(" in (folder / "benchmarks" / f"{module}.py").read_text(encoding="utf-8")


def test_every_benchmark_of_the_document_is_there():
    folder = Path(__file__).parent.parent / "benchmarks"
    assert [name for name in MODULES if not (folder / f"{name}.py").is_file()] == []


def test_the_machine_stays_nameless():
    about = " ".join(value for _, value in machine())
    assert platform.python_version() in about
    assert (platform.node() or "no name") not in about
    assert os.path.expanduser("~") not in about
    assert "/" not in about.replace("50/50", "")


def test_work_is_done_by_turns_and_the_first_turn_does_not_count():
    done: list[str] = []
    times = by_turns(2, lambda: done.append("a"), lambda: done.append("b"))
    assert done == ["a", "b"] * 3
    assert len(times) == 2


def _holds(megabytes: int) -> float:
    held = bytearray(megabytes * 1_000_000)
    held[::4096] = b"x" * len(held[::4096])
    return peak_memory()


def test_memory_is_that_of_a_fresh_process():
    before = in_fresh_process(peak_memory)
    assert in_fresh_process(_holds, 300) > before + 250


def test_exponents_are_slopes_from_one_size_to_the_next():
    from benchmarks.matches import Run, exponents

    runs = [Run(2, 0, 3.0, 100.0, ""), Run(4, 0, 12.0, 200.0, ""), Run(8, 0, 96.0, 200.0, "")]
    assert exponents(runs) == [pytest.approx((2.0, 1.0)), pytest.approx((3.0, 0.0))]


def test_submodularity_is_counted_along_the_steps():
    """By hand: event 2 adds .1 to {0} and .3 to {0, 1}; alone it is worth .2."""
    from benchmarks.submodularity import _of_one

    popular = {(0,): 0.2, (0, 1): 0.4, (0, 2): 0.3, (0, 1, 2): 0.7}
    steps = [Step((0,), 0.2, 0.2), Step((0, 1), 0.4, 0.2)]
    pairs = SimpleNamespace(sentence=np.array([5, 5, 5, 6]))
    rho = np.array([0.2, 0.2, 0.2, 0.1])
    found = _of_one(pairs, rho, lambda groups: [popular[group] for group in groups], steps)
    assert (found.returns, found.grow) == (1, 1)
    assert (found.printed, found.fails) == (3, 1)


def test_what_is_measured_is_kept_with_its_command(join):
    def tables():
        assert sys.argv[1:] == ["--sealed", "--models=somewhere"]
        print("not part of the record")
        yield Table("F1", ["a", "b"], [("x", 1.5)], "Note.")

    join("again", tables=tables)
    kept = measure("again", ("--sealed", "--models=somewhere"), "a digest")
    assert (kept.command, kept.depends) == ("python -m benchmarks.again --sealed", "a digest")
    assert kept.tables == [
        {"title": "F1", "head": ["a", "b"], "rows": [["x", "1.5"]], "notes": "Note."}
    ]


def test_it_is_measured_again_when_the_data_change(tmp_path):
    folder = tmp_path / "robocup"
    folder.mkdir()
    name = next(iter(MEASURED))
    before = depends_on(name, tmp_path)
    assert depends_on(name, tmp_path) == before
    (folder / "one").write_text("more")
    assert depends_on(name, tmp_path) != before


def test_it_is_measured_again_when_its_method_changes_and_no_other():
    def modules(name):
        return {str(path) for path in sources(name, MEASURED[name].methods)}

    def has(name, part):
        return any(part in path for path in modules(name))

    assert has("readings", "pairrank/ranking")
    assert not has("readings", "methods/chains")
    assert has("clock", "methods/chains")
    assert not has("clock", "pairrank/ranking")
    assert has("headline", "methods/chains")
    assert has("headline", "pairrank/ranking")
    for name in MEASURED:
        assert has(name, f"benchmarks/{name}.py"), name
        assert has(name, "io/feeds/statsbomb.py"), name
        assert has(name, "evaluation/metrics.py"), name
