"""The English stemmer, without those of the other languages.

`import snowballstemmer` loads the stemmers of some forty languages, which takes longer than to stem
the words of a match.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from types import ModuleType
from typing import Protocol

_PACKAGE = "snowballstemmer"
_ALIAS = "_touchline_snowball"  # the same folder, as a package that loads nothing by itself


class Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...  # noqa: N802 (as the package calls it)


def english_stemmer() -> Stemmer:
    """A stemmer of the package, of its faster C library where that is installed."""
    spec = importlib.util.find_spec(_PACKAGE)
    folders = spec.submodule_search_locations if spec else None
    if importlib.util.find_spec("Stemmer") or not folders:
        return _of_package()
    alias = ModuleType(_ALIAS)
    alias.__path__ = list(folders)
    sys.modules.setdefault(_ALIAS, alias)
    try:
        found = importlib.import_module(f"{_ALIAS}.english_stemmer")
        stemmer: Stemmer = found.EnglishStemmer()
    except (ImportError, AttributeError):  # another version, laid out otherwise
        return _of_package()
    return stemmer


def _of_package() -> Stemmer:
    stemmer: Stemmer = importlib.import_module(_PACKAGE).stemmer("english")
    return stemmer
