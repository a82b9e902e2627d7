"""How the server's modules fit together: SQL in one place, and no cycles."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import touchline.report
import touchline.web

PACKAGE = Path(touchline.web.__file__).parent
ROOT = "touchline.web"
SQL = re.compile(r"\s*(WITH|SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|PRAGMA)\s")


def modules() -> dict[str, ast.Module]:
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        name = ".".join([ROOT, *(part for part in parts if part != "__init__")])
        found[name] = ast.parse(path.read_text(encoding="utf-8"))
    return found


def strings(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def is_sql(text: str) -> bool:
    return SQL.match(text) is not None


def test_sql_is_recognised():
    assert is_sql("SELECT * FROM jobs")
    assert is_sql("\n    CREATE TABLE a (b)")
    assert is_sql("INSERT INTO jobs VALUES (?)")
    assert not is_sql("Delete an uploaded match with its links and labels.")
    assert not is_sql("update it")


def test_sql_is_in_the_store_only():
    with_sql = {
        name for name, tree in modules().items() if any(is_sql(text) for text in strings(tree))
    }
    assert {f"{ROOT}.store.labels", f"{ROOT}.store.jobs", f"{ROOT}.store.matches"} <= with_sql
    assert {name for name in with_sql if not name.startswith(f"{ROOT}.store.")} == set()


def imports(tree: ast.Module, known: set[str]) -> set[str]:
    """The modules of the server that a module imports, wherever in it the import is."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= (names & known) or {node.module}
    return found & known


def graph() -> dict[str, set[str]]:
    trees = modules()
    return {name: imports(tree, set(trees)) - {name} for name, tree in trees.items()}


def reachable(start: str, edges: dict[str, set[str]]) -> set[str]:
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        for name in edges[waiting.pop()] - seen:
            seen.add(name)
            waiting.append(name)
    return seen


def test_no_module_imports_itself_through_others():
    edges = graph()
    assert edges[f"{ROOT}.app"]  # the graph is not empty
    assert [name for name in edges if name in reachable(name, edges)] == []


def test_no_two_packages_import_each_other():
    packages = {"api", "jobs", "labels", "page", "store"}
    edges: dict[str, set[str]] = {package: set() for package in packages}
    for name, imported in graph().items():
        package = name.split(".")[2] if name != ROOT else ""
        if package in packages:
            edges[package] |= {other.split(".")[2] for other in imported if other != ROOT}
    mutual = [(a, b) for a in packages for b in edges[a] & packages if a != b and a in edges[b]]
    assert mutual == []
    assert edges["store"] <= {"errors", "records", "store"}  # SQL knows no other part


# "Comments describe events": words from before the vocabulary was made plain. The scripts of old
# versions of the database keep the names of their time.
PRIVATE = re.compile(r"\b(un)?(tell|tells|told|teller|tellers|retell|desk|he|him|his)\b", re.I)


def test_server_and_report_use_plain_words():
    sources = [path for package in (touchline.web, touchline.report)
               for path in Path(package.__file__).parent.rglob("*")
               if path.suffix in {".py", ".js", ".css", ".html"}
               and path.name != "database.py"]  # fmt: skip
    assert len(sources) > 60
    found = [(path.name, word[0]) for path in sources
             for word in PRIVATE.finditer(path.read_text(encoding="utf-8"))]  # fmt: skip
    assert found == []
