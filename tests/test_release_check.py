"""What `make release-check` finds wrong with a commit, and what it does not."""

from __future__ import annotations

import json
import subprocess

import pytest

from docs import release_check
from touchline.reproduce.sources import code_of
from touchline.reproduce.systems import systems


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A repository of one committed source file, which the checks look into."""
    monkeypatch.setattr(release_check, "ROOT", tmp_path)
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "code.py").write_text("one = 1\n")
    git(tmp_path, "init", "--quiet")
    commit(tmp_path)
    return tmp_path


def git(folder, *words: str) -> str:
    named = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
    done = subprocess.run(["git", *named, *words], cwd=folder, check=True, capture_output=True)
    return done.stdout.decode().strip()


def commit(folder) -> None:
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "-m", "more")


def test_every_item_is_printed_and_one_problem_is_enough(capsys):
    items = {"first": lambda: "it is wrong", "second": lambda: ""}
    assert not release_check.check(items)
    assert capsys.readouterr().out == "not ok  first: it is wrong\nok      second\n"
    assert release_check.check({"second": lambda: ""})


def test_a_tree_is_clean_when_all_is_committed(checkout):
    assert release_check.tree() == ""
    (checkout / "new.py").write_text("")
    assert release_check.tree() == "1 files are changed or not committed"


@pytest.mark.parametrize(
    ("citation", "heading", "problem"),
    [
        ("1.2.0", "1.2.0 (2026-11-18)", ""),
        ("1.1.0", "1.2.0 (2026-11-18)", "CITATION.cff is not of 1.2.0"),
        ("1.2.0", "1.2.0 (unreleased)", "CHANGELOG.md has no dated section 1.2.0"),
    ],
)
def test_a_version_is_cited_and_dated(checkout, monkeypatch, citation, heading, problem):
    monkeypatch.setattr(release_check, "__version__", "1.2.0")
    (checkout / "CITATION.cff").write_text(f"cff-version: 1.2.0\nversion: {citation}\n")
    (checkout / "CHANGELOG.md").write_text(
        f"# Changelog\n\n## {heading}\n\n## 1.1.0 (2026-01-01)\n"
    )
    assert release_check.version() == problem


def test_benchmarks_are_of_the_code_that_they_name(checkout, monkeypatch):
    page = checkout / "benchmarks.md"
    monkeypatch.setattr(release_check, "BENCHMARKS", {page: "make bench"})
    assert "names no commit" in release_check.benchmarks()
    page.write_text("| load | 1.0 |\n")
    assert "names no commit" in release_check.benchmarks()
    first = git(checkout, "rev-parse", "--short=12", "HEAD")
    page.write_text(f"| commit | {first} |\n")
    commit(checkout)  # a page is no code
    assert release_check.benchmarks() == ""
    page.write_text(f"| commit | {first}, with changes |\n")
    assert release_check.benchmarks().startswith(f"not of this code: commit {first}, with changes")
    page.write_text(f"| commit | {first} |\n")
    (checkout / "src" / "code.py").write_text("one = 2\n")
    commit(checkout)
    assert release_check.benchmarks() == f"not of this code: commit {first}; run make bench"


def stored(folder, monkeypatch, change) -> str:
    """What is said of results that are of the present code, but for a change to RoboCup's."""
    monkeypatch.setattr(release_check, "RESULTS", folder)
    for protocol in ("robocup", "pro"):
        methods = {
            one.name: {"method": one.method, "code": code_of(protocol, one.method)}
            for one in systems(protocol)
        }
        if protocol == "robocup":
            change(methods)
        found = {"protocol": protocol, "methods": methods}
        (folder / f"{protocol}.json").write_text(json.dumps(found))
    return release_check.results()


def test_results_are_of_the_present_code_and_of_every_system(tmp_path, monkeypatch):
    problem = "not of this code: robocup random; run make results"
    assert stored(tmp_path, monkeypatch, lambda methods: None) == ""
    old = {"method": "random", "code": "of another time"}
    assert stored(tmp_path, monkeypatch, lambda methods: methods.update(random=old)) == problem
    del old["code"]
    assert stored(tmp_path, monkeypatch, lambda methods: methods.update(random=old)) == problem
    assert stored(tmp_path, monkeypatch, lambda methods: methods.pop("random")) == problem


def test_measurements_depend_on_code_and_data(tmp_path, monkeypatch):
    data = tmp_path / "data"
    (data / "robocup").mkdir(parents=True)
    clock = {"clock": release_check.measured.MEASURED["clock"]}
    monkeypatch.setattr(release_check.measured, "MEASURED", clock)
    monkeypatch.setattr(release_check.measured, "KEPT", tmp_path)
    monkeypatch.setenv("TOUCHLINE_DATA", str(data))
    assert release_check.measurements() == "not of this code: clock; run make results"
    depends = release_check.measured.depends_on("clock", data)
    kept = {"command": "", "commit": "", "seconds": 1.0, "depends": depends, "tables": []}
    (tmp_path / "clock.json").write_text(json.dumps(kept))
    assert release_check.measurements() == ""
    (data / "robocup" / "new").write_text("game")
    assert release_check.measurements() == "not of this code: clock; run make results"
    monkeypatch.delenv("TOUCHLINE_DATA")
    assert release_check.measurements() == "TOUCHLINE_DATA is not set"


def test_licences_are_those_of_the_page(tmp_path, monkeypatch):
    assert release_check.licence_table() == ""
    page = tmp_path / "page.md"
    monkeypatch.setattr(release_check.licences, "PAGE", page)
    page.write_text("<!-- licences -->\n| numpy | none |\n<!-- end of licences -->")
    assert release_check.licence_table() == "run python docs/licences.py"


def test_a_failing_command_says_why(checkout):
    (checkout / "Makefile").write_text("wheel-check:\n\t@echo no wheel >&2; exit 1\n")
    assert "wheel-check" in release_check.packages()
    (checkout / "Makefile").write_text("wheel-check:\n\t@true\n")
    assert release_check.packages() == ""
    assert release_check.documentation() != ""  # there is no mkdocs.yml
