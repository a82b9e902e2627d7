"""Write the table of docs/supply-chain.md: python docs/licences.py

The licences of what touchline runs with, from the metadata of the installed packages: its own
dependencies, those of its extras, and theirs.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
PAGE = Path(__file__).parent / "supply-chain.md"
START, END = "<!-- licences -->\n", "<!-- end of licences -->"
FOR_DEVELOPMENT = ("bench", "dev", "docs")
_CLASSIFIER = "License :: OSI Approved :: "


def runtime() -> dict[str, tuple[str, list[str]]]:
    """Every installed package that touchline may load: its licence, and the extras that need it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    asked = {"": project["dependencies"], **project["optional-dependencies"]}
    found: dict[str, tuple[str, list[str]]] = {}
    for extra, requirements in asked.items():
        if extra in FOR_DEVELOPMENT:
            continue
        for name in _closure([Requirement(text) for text in requirements]):
            _, extras = found.setdefault(name, (licence_of(distribution(name)), []))
            extras.append(extra)
    return dict(sorted(found.items()))


def _closure(asked: list[Requirement]) -> Iterator[str]:
    seen: set[tuple[str, str]] = set()
    waiting = [(one, extra) for one in asked for extra in ("", *sorted(one.extras))]
    while waiting:
        requirement, extra = waiting.pop()
        name = canonicalize_name(requirement.name)
        if (name, extra) in seen:
            continue
        seen.add((name, extra))
        try:
            package = distribution(name)
        except PackageNotFoundError:
            continue
        if not any(other == name for other, before in seen if before != extra):
            yield name
        for text in package.requires or ():
            inner = Requirement(text)
            if inner.marker is None or inner.marker.evaluate({"extra": extra}):
                waiting += [(inner, more) for more in ("", *sorted(inner.extras))]


def licence_of(package: Distribution) -> str:
    """The licence's expression, else its classifiers, else the first line of its field."""
    about = package.metadata
    if expression := about.get("License-Expression"):
        return str(expression)
    classifiers = [line for line in about.get_all("Classifier") or () if "License ::" in line]
    named = [line.removeprefix(_CLASSIFIER).rpartition(" :: ")[2] for line in classifiers]
    if named:
        return ", ".join(dict.fromkeys(named))
    first = str(about.get("License") or "not stated").strip().partition("\n")[0]
    return re.sub(r"\s+", " ", first)[:60]


def table() -> str:
    rows = ["| package | licence | needed by |", "|---|---|---|"]
    for name, (licence, extras) in runtime().items():
        needed = ", ".join(f"`{extra}`" for extra in dict.fromkeys(extras) if extra)
        rows.append(f"| {name} | {licence} | {'always' if '' in extras else needed} |")
    return "\n".join(rows) + "\n"


def main() -> None:
    head, _, rest = PAGE.read_text(encoding="utf-8").partition(START)
    _, _, tail = rest.partition(END)
    PAGE.write_text(f"{head}{START}{table()}{END}{tail}", encoding="utf-8")


if __name__ == "__main__":
    main()
