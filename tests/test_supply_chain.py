"""Pins, hashes, lower bounds and licences: what is written down agrees with what is installed."""

from __future__ import annotations

import importlib.util
import re
import tomllib
from pathlib import Path
from types import ModuleType

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parent.parent
LOCK = (ROOT / "requirements.lock").read_text()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
PIN = re.compile(r"^([\w.-]+)==([\w.]+)", re.MULTILINE)


def script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "docs" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def pins(text: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for name, version in PIN.findall(text):
        found.setdefault(canonicalize_name(name), set()).add(version)
    return found


def run_time() -> list[Requirement]:
    extras = PROJECT["optional-dependencies"]
    listed = [extras[name] for name in script("lock").extras()]
    return [Requirement(text) for one in [PROJECT["dependencies"], *listed] for text in one]


def test_the_lock_has_the_pins_that_are_tested():
    tested, locked = pins((ROOT / "constraints.txt").read_text()), pins(LOCK)
    assert {name: locked[name] for name in tested.keys() & locked.keys()} == {
        name: tested[name] for name in tested.keys() & locked.keys()
    }
    assert {canonicalize_name(one.name) for one in run_time()} <= locked.keys()


def test_the_lock_has_nothing_that_only_development_needs():
    everywhere = re.findall(r"^([\w.-]+)==[\w.]+ \\$", LOCK, re.MULTILINE)
    assert len(everywhere) > 50
    assert set(everywhere) <= script("licences").runtime().keys()


def test_everything_in_the_lock_has_hashes_and_no_index_is_named():
    entries = re.split(r"\n(?=[\w])", LOCK)[1:]
    assert all("--hash=sha256:" in entry for entry in entries)
    assert not re.search(r"://|--index|--find-links|@ ", LOCK)


def test_lower_bounds_are_those_of_the_docs():
    page = (ROOT / "docs" / "supply-chain.md").read_text()
    table = page[page.index("## Lower bounds") : page.index("## Container")]
    rows = re.findall(r"^\| ([\w, -]+) \| ([\d.]+) \|", table, re.MULTILINE)
    assert len(rows) >= 5
    bounds = {canonicalize_name(one.name): one.specifier for one in run_time()}
    for names, least in rows:
        name = canonicalize_name(names.partition(",")[0])
        assert Version(least) in bounds[name]
        assert "0.0.1" not in bounds[name]


def test_every_licence_is_in_the_docs():
    page = (ROOT / "docs" / "supply-chain.md").read_text()
    for name, (licence, _) in script("licences").runtime().items():
        assert f"| {name} | {licence} |" in page, f"run python docs/licences.py ({name})"


def test_the_container_runs_as_a_user_of_its_own():
    lines = (ROOT / "Containerfile").read_text().splitlines()
    users = [line for line in lines if line.startswith("USER ")]
    assert users == ["USER 10001"]
    assert lines.index(users[0]) < next(i for i, x in enumerate(lines) if "ENTRYPOINT" in x)
