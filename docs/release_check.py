"""Whether this commit can be released: python -m docs.release_check (`make release-check`).

Prints a line for each item and exits with 1 if one of them is not ok. A figure belongs to this
commit if the code behind it is the same: stored runs and measurements keep a digest of that code,
the pages of benchmarks name their commit. Needs TOUCHLINE_DATA, on which measurements depend too.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from benchmarks import measured
from docs import licences
from touchline.core.version import __version__
from touchline.reproduce.sources import code_of
from touchline.reproduce.systems import systems

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "docs" / "results"
BENCHMARKS = {
    ROOT / "docs" / "benchmarks.md": "make bench",
    ROOT / "docs" / "benchmarks-seasons.md": "make bench-seasons",
}
# What these pages measure.
TIMED = ("src", "benchmarks")
_COMMIT = re.compile(r"\bcommit\b\W+([0-9a-f]{7,40}\b(?:, with changes)?)")


def check(items: Mapping[str, Callable[[], str]]) -> bool:
    """Print each item with what is wrong with it; whether nothing is."""
    problems = []
    for name, problem_of in items.items():
        problem = problem_of()
        print(f"not ok  {name}: {problem}" if problem else f"ok      {name}", flush=True)
        problems.append(problem)
    return not any(problems)


def tree() -> str:
    changed = _git("status", "--porcelain").stdout.splitlines()
    return f"{len(changed)} files are changed or not committed" if changed else ""


def version() -> str:
    """Whether the citation and a dated section of the changelog are of this version."""
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    problems = []
    if f"\nversion: {__version__}\n" not in citation:
        problems.append(f"CITATION.cff is not of {__version__}")
    dated = rf"^## {re.escape(__version__)} \(\d{{4}}-\d\d-\d\d\)$"
    if not re.search(dated, changes, re.MULTILINE):
        problems.append(f"CHANGELOG.md has no dated section {__version__}")
    return "; ".join(problems)


def results() -> str:
    """Whether every system's figures are of the present code, and no system lacks them."""
    paths = [RESULTS / f"{protocol}.json" for protocol in ("robocup", "pro")]
    found = (msgspec.json.decode(path.read_bytes()) for path in paths)
    return _listed([name for result in found for name in _stale(result)], "make results")


def _stale(found: Mapping[str, Any]) -> Iterator[str]:
    protocol, methods = found["protocol"], found["methods"]
    runs = {**methods, **found.get("readings", {})}
    for name, run in runs.items():
        if run.get("code") != code_of(protocol, run["method"]):
            yield f"{protocol} {name}"
    yield from (f"{protocol} {one.name}" for one in systems(protocol) if one.name not in methods)


def measurements() -> str:
    data = os.environ.get("TOUCHLINE_DATA")
    if not data:
        return "TOUCHLINE_DATA is not set"
    old = [
        name
        for name in measured.MEASURED
        if not (kept := measured.read_kept(name))
        or kept.depends != measured.depends_on(name, Path(data))
    ]
    return _listed(old, "make results")


def benchmarks() -> str:
    """Whether no code was changed since the commits that the pages name."""
    return "; ".join(filter(None, (_outdated(*page) for page in BENCHMARKS.items())))


def _outdated(page: Path, remedy: str) -> str:
    text = page.read_text(encoding="utf-8") if page.is_file() else ""
    commits = list(dict.fromkeys(_COMMIT.findall(text)))
    if not commits:
        return f"docs/{page.name} names no commit; run {remedy}"
    # What git does not know, "with changes" included, is not this code either.
    old = [name for name in commits if _git("diff", "--quiet", name, "--", *TIMED).returncode]
    return _listed([f"commit {name}" for name in old], remedy)


def licence_table() -> str:
    text = licences.PAGE.read_text(encoding="utf-8")
    inside = text.partition(licences.START)[2].partition(licences.END)[0]
    return "" if inside == licences.table() else "run python docs/licences.py"


def documentation() -> str:
    with tempfile.TemporaryDirectory() as site:
        command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-d", site]
        return _failure(command, {"NO_MKDOCS_2_WARNING": "1"})


def packages() -> str:
    return _failure(["make", "wheel-check"])


def _listed(old: list[str], remedy: str) -> str:
    """Some of what is not of the present code, and what brings it up to date."""
    if not old:
        return ""
    some = ", ".join(old[:5]) + (f" and {len(old) - 5} more" if len(old) > 5 else "")
    return f"not of this code: {some}; run {remedy}"


def _failure(command: list[str], more: Mapping[str, str] = {}) -> str:
    """The last line of what a command printed, if it failed."""
    done = _run(command, {**os.environ, **more})
    if not done.returncode:
        return ""
    lines = (done.stdout + done.stderr).strip().splitlines()
    return lines[-1] if lines else f"exit code {done.returncode}"


def _git(*words: str) -> subprocess.CompletedProcess[str]:
    return _run(["git", *words], os.environ)


def _run(command: list[str], env: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)


ITEMS = {
    "clean tree": tree,
    "version": version,
    "results": results,
    "measurements": measurements,
    "benchmarks": benchmarks,
    "licences": licence_table,
    "documentation": documentation,
    "wheel and sdist": packages,
}

if __name__ == "__main__":
    sys.exit(0 if check(ITEMS) else 1)
