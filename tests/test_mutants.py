"""The kept mutants apply to the code as it is, and killed ones are distinguished from survivors."""

from __future__ import annotations

from pathlib import Path

import pytest

from mutants.listed import MUTANTS
from mutants.running import DoesNotApplyError, Mutant, Tree, mutated, run_all, unsound

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_every_mutant_applies_and_has_tests(mutant):
    mutated((ROOT / mutant.file).read_text(encoding="utf-8"), mutant)
    assert mutant.tests
    for test in mutant.tests:
        file, _, name = test.partition("::")
        text = (ROOT / file).read_text(encoding="utf-8")
        assert f"def {name.partition('[')[0]}" in text


def test_names_of_mutants_differ():
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS) >= 60


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A package of one function, with one test."""
    root = tmp_path / "project"
    for folder in ("src/small", "tests"):
        (root / folder).mkdir(parents=True)
    (root / "src/small/__init__.py").write_text("def half(x):\n    return x / 2 if x else 0\n")
    test = "from small import half\n\n\ndef test_half():\n    assert half(8) == 4\n"
    (root / "tests/test_small.py").write_text(test)
    return root


def change(old: str, new: str, test: str = "tests/test_small.py") -> Mutant:
    return Mutant(f"{old} -> {new}", "src/small/__init__.py", old, new, (test,))


def test_killed_and_survived_in_a_copy_of_the_project(project, tmp_path):
    trees = [Tree(project, tmp_path / str(number)) for number in range(2)]
    for tree in trees:
        tree.check("small")
    tried = [
        (change("x / 2", "x / 3"), "killed"),
        (change("x / 2", "x / 4"), "killed"),  # of the same size, right after it
        (change("else 0", "else 1"), "survived"),
        (change("x / 2", "x * .5"), "survived"),
        (change("x / 5", "x / 3"), "does not apply"),
        (change("x", "y"), "does not apply"),
        (change("else 0", "else"), "does not apply"),
        (change("x / 2", "x / 3", "tests/test_gone.py"), "tests not found"),
    ]
    verdicts = {r.mutant: r.verdict for r in run_all(trees, [mutant for mutant, _ in tried])}
    assert verdicts == dict(tried)
    for root in (project, *(tree.root for tree in trees)):
        assert "x / 2 if x else 0" in (root / "src/small/__init__.py").read_text()


def test_tests_that_fail_without_a_mutant_say_nothing_about_it(project, tmp_path):
    (project / "tests/test_broken.py").write_text("def test_broken():\n    assert False\n")
    failing = Tree(project, tmp_path / "copy").failures(["tests"])
    assert failing == ["tests/test_broken.py::test_broken"]
    assert unsound(change("x / 2", "x / 3"), failing) is None
    found = unsound(change("x / 2", "x / 3", "tests/test_broken.py"), failing)
    assert (found.verdict, found.detail) == ("tests fail anyway", failing[0])


def test_a_copy_that_is_not_what_python_loads_is_refused(project, tmp_path):
    tree = Tree(project, tmp_path / "copy")
    with pytest.raises(RuntimeError, match="json is loaded from"):
        tree.check("json")


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [("a", "b", "3 times"), ("z", "b", "0 times"), ("(a)", "(a)", "changes nothing"),
     ("f(", "f((", "no Python")],
)  # fmt: skip
def test_what_does_not_apply_says_why(old, new, problem):
    with pytest.raises(DoesNotApplyError, match=problem):
        mutated("a = f(a) + a", change(old, new))
