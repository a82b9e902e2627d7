"""The rules of the house that a machine can check: who may import whom, where printing is done."""

from __future__ import annotations

import ast
import functools
import inspect
import io
import re
import subprocess
import sys
import textwrap
import tokenize
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import grimp
import pytest

import touchline
import touchline.testing
from touchline.core.comment_view import CommentView
from touchline.datasets.checking import check_corpus
from touchline.datasets.download import get_statsbomb, get_wyscout

ROOT = Path(__file__).parent.parent
PACKAGE = Path(touchline.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))
DATASETS = (check_corpus, get_statsbomb, get_wyscout)


def test_the_layers_are_kept():
    run = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    done = subprocess.run([sys.executable, "-c", run], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    assert "0 broken" in done.stdout


def in_cycles(imports: dict[str, set[str]]) -> set[str]:
    """The modules that import each other, directly or not, and those that import them."""
    left = {name: set(used) for name, used in imports.items()}
    while free := [name for name, used in left.items() if not used & left.keys()]:
        for name in free:
            del left[name]
    return set(left)


def test_no_modules_import_each_other():
    """Not even within functions; imports for type checking alone do not count."""
    graph = grimp.build_graph("touchline", exclude_type_checking_imports=True, cache_dir=None)
    imports = {name: graph.find_modules_directly_imported_by(name) for name in graph.modules}
    assert in_cycles(imports) == set()
    assert in_cycles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": set()}) == {"a", "b", "c"}


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def found_in(paths: Iterable[Path], find: Callable[[Path], list[str]]) -> dict[str, list[str]]:
    """What is found in each file that has any of it."""
    found = {path.relative_to(ROOT).as_posix(): find(path) for path in paths}
    return {name: what for name, what in found.items() if what}


def calls(path: Path) -> list[str]:
    return [
        node.func.id
        for node in ast.walk(parsed(path))
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
        if not ast.get_docstring(parsed(path)) and path.name != "__main__.py"
    ]
    assert silent == []


def test_every_public_name_is_there_and_documented():
    values = {name: getattr(touchline, name) for name in touchline.__all__}
    assert [name for name, value in values.items() if not value.__doc__] == []


# Words that only we would understand, from before the vocabulary was made plain.
BANNED = ("tellable", "in the box", "of all chance", "none of a minute", "no match is that",
          "what is no number", "holds what is no", "made up and printed", "are gone then",
          "the server has said")  # fmt: skip
# Whole words that neither a message nor a name in the code may use: events are described, limits
# are `min_*` and `max_*`, simple methods are baselines, matches are seen or unseen.
PRIVATE = {"tell", "tells", "told", "telling", "tellings", "tellable", "untold",
           "everyone", "floors", "unread"}  # fmt: skip
PRONOUNS = {"he", "him", "his"}  # players are "they"
# Literals that are data: the random seed of the invented season, phrases of its commentary, words
# that commentators use, the function words of English, and tables that a migration renames.
DATA = {
    "sample/season.py": {"told"},
    "sample/phrases.py": PRONOUNS,
    "generation/check/lexicon.py": PRONOUNS,
    "generation/style/templates.py": PRONOUNS,
    "text/tokens.py": PRONOUNS,
    "web/store/database.py": {"told"},
}


def test_messages_help_and_pages_are_in_plain_words():
    pages = [path for end in ("py", "js", "html") for path in PACKAGE.rglob(f"*.{end}")]
    texts = {path.relative_to(PACKAGE).as_posix(): path.read_text(encoding="utf-8").lower()
             for path in pages}  # fmt: skip
    found = [(path, word) for path, text in texts.items() for word in BANNED if word in text
             # The penalty area, where commentary is written or read.
             and not (word == "in the box" and path.startswith("generation/"))]  # fmt: skip
    assert found == []


def is_command(node: ast.AST) -> bool:
    """Whether a function is a command of the command line: its docstring is its help."""
    marks = [ast.unparse(mark) for mark in getattr(node, "decorator_list", [])]
    return any(".command" in mark or ".group" in mark for mark in marks)


def literals(tree: ast.AST) -> Iterator[str]:
    """The strings of a module that a user may see: all but docstrings, those of commands too."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    first = [(node, node.body[0]) for node in ast.walk(tree)
             if isinstance(node, documented) and node.body]  # fmt: skip
    docstrings = {
        id(statement.value)
        for node, statement in first
        if isinstance(statement, ast.Expr) and not is_command(node)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) not in docstrings:
            yield from [node.value] if isinstance(node.value, str) else []


def identifiers(tree: ast.AST) -> Iterator[str]:
    """The names that a module defines or uses."""
    for node in ast.walk(tree):
        for field in ("id", "attr", "arg", "name", "asname"):
            if isinstance(name := getattr(node, field, None), str):
                yield name


@functools.cache
def names_in(path: Path) -> frozenset[str]:
    return frozenset(identifiers(parsed(path)))


def words(text: str) -> set[str]:
    """The words of a sentence, or of a name in snake case or camel case."""
    return set(re.findall(r"[a-z]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text).lower()))


def private_literals(path: Path) -> list[str]:
    data = DATA.get(path.relative_to(PACKAGE).as_posix(), set())
    private = (PRIVATE | PRONOUNS) - data
    return [text for text in literals(parsed(path)) if words(text) & private]


def private_names(path: Path) -> list[str]:
    return sorted(name for name in names_in(path) if words(name) & PRIVATE)


def test_literals_and_names_are_in_plain_words():
    assert found_in(MODULES, private_literals) == {}
    assert found_in(MODULES, private_names) == {}


def prose(text: str) -> Iterator[str]:
    """The docstrings and comments of a module."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, documented) and (docstring := ast.get_docstring(node)):
            yield docstring
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.string


OTHERS = [path for folder in ("benchmarks", "docs", "examples", "fuzzing", "mutants")
          for path in (ROOT / folder).rglob("*.py")]  # fmt: skip


def private_prose(path: Path) -> list[str]:
    return [
        text
        for text in prose(path.read_text(encoding="utf-8"))
        if words(text) & (PRIVATE | PRONOUNS) or any(phrase in text.lower() for phrase in BANNED)
    ]


def test_docstrings_and_comments_are_in_plain_words():
    assert found_in([*MODULES, *OTHERS], private_prose) == {}


def test_names_in_scripts_are_plain():
    assert found_in(OTHERS, private_names) == {}


PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), PACKAGE / "sample/README.md",
         ROOT / "Makefile", *ROOT.glob(".github/**/*.*")]  # fmt: skip


def private_words(page: Path) -> list[str]:
    """Pronouns are left to the lines of commentary that the pages quote; people may tell people."""
    prose = re.sub(r"`[^`\n]*`", "", page.read_text(encoding="utf-8"))  # not what is code
    # The penalty area, in samples of commentary.
    banned = set(BANNED) - ({"in the box"} if page.name == "generate.md" else set())
    phrases = [phrase for phrase in banned if phrase in prose.lower()]
    return [*sorted(words(prose) & PRIVATE - {"everyone", "tell"}), *phrases]


def test_documents_are_in_plain_words():
    assert found_in(PAGES, private_words) == {}


def other_limits(path: Path) -> list[str]:
    private = re.compile(r"(least|most|longest|fewest)_(?!common$)", re.IGNORECASE)
    return sorted(name for name in names_in(path) if private.match(name))


def test_limits_are_called_min_and_max():
    assert found_in(MODULES, other_limits) == {}


def test_a_private_word_is_found_in_each_kind_of_file(tmp_path, monkeypatch):
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    monkeypatch.setitem(globals(), "PACKAGE", tmp_path)
    module, page = tmp_path / "module.py", tmp_path / "page.md"
    module.write_text('"""What is told."""\nmost_words = untold = "his"\n')
    page.write_text("It was `told`, and untold.\n")
    finders = (private_prose, private_literals, private_names, other_limits)
    found = [found_in([module], find) for find in finders]
    told = [["What is told."], ["his"], ["untold"], ["most_words"]]
    assert found == [{"module.py": what} for what in told]
    assert found_in([page], private_words) == {"page.md": ["untold"]}


def test_private_words_are_found_in_docstrings_and_comments():
    module = '"""What he told."""\nx = 1  # unread\ny = "his"\n'
    assert [words(text) & (PRIVATE | PRONOUNS) for text in prose(module)] == [
        {"he", "told"},
        {"unread"},
    ]


def test_private_words_are_found_in_messages_names_and_help():
    module = ast.parse(
        '"""Told."""\n@click.command("x")\ndef command(most_told):\n    """What he told."""\n'
        'def helper():\n    """What it tells."""\n    raise Error(f"{a} is told")\n'
    )
    assert [text for text in literals(module) if words(text) & PRIVATE] == [
        "What he told.",
        " is told",
    ]
    assert [name for name in identifiers(module) if words(name) & PRIVATE] == ["most_told"]


def public_functions() -> Iterator[tuple[str, Any]]:
    """The public functions of the package, and the public methods of its classes."""
    exported = {name: getattr(touchline, name) for name in touchline.__all__}
    exported |= {name: getattr(touchline.testing, name) for name in touchline.testing.__all__}
    exported |= {value.__name__: value for value in (CommentView, *DATASETS)}
    for name, value in exported.items():
        if inspect.isfunction(value):
            yield name, value
        methods = [key for key in vars(value) if key[0] != "_"] if inspect.isclass(value) else []
        for method in methods:
            function = getattr(value, method)
            if inspect.isfunction(function) or inspect.ismethod(function):
                yield f"{name}.{method}", function


PUBLIC = dict(public_functions())


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_function_documents_what_it_takes_and_gives(name):
    text = inspect.getdoc(PUBLIC[name]) or ""
    signature = inspect.signature(PUBLIC[name])
    taken = set(signature.parameters) - {"self"}
    described = set(re.findall(r"^[*]*([\w]+)$", section(text, "Parameters"), re.MULTILINE))
    assert described == taken
    if signature.return_annotation not in ("None", None):
        assert section(text, "Returns") or section(text, "Yields")


def raises(function: Any) -> bool:
    """Whether a function itself raises an error; re-raising does not count."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    return any(isinstance(node, ast.Raise) and node.exc for node in ast.walk(tree))


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_function_documents_what_it_raises(name):
    if raises(PUBLIC[name]):
        assert section(inspect.getdoc(PUBLIC[name]) or "", "Raises")


def public_properties() -> Iterator[tuple[str, Any]]:
    """The public properties of exported classes."""
    for name in touchline.__all__:
        value = getattr(touchline, name)
        for key, found in vars(value).items() if inspect.isclass(value) else ():
            if key[0] != "_" and isinstance(found, property | functools.cached_property):
                yield f"{name}.{key}", found


def test_every_public_property_has_a_docstring():
    assert [name for name, found in public_properties() if not inspect.getdoc(found)] == []


def section(text: str, title: str) -> str:
    """A section of a docstring in numpy's style."""
    found = re.search(rf"^{title}\n-+\n(.*?)(?=\n\n\w+\n-+\n|\Z)", text, re.MULTILINE | re.DOTALL)
    return found[1] if found else ""
