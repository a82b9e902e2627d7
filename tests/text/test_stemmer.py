"""The English stemmer is that of the package, however it is loaded."""

from __future__ import annotations

import subprocess
import sys

import snowballstemmer

from touchline.text import stemmer

WORDS = (
    "saves",
    "saved",
    "saving",
    "deflected",
    "penalties",
    "crosses",
    "goalkeeper",
    "first-time",
)


def stems(found):
    return [found.stemWord(word) for word in WORDS]


def test_stems_are_those_of_the_package():
    assert stems(stemmer.english_stemmer()) == stems(snowballstemmer.stemmer("english"))


def test_other_languages_are_not_loaded():
    code = (
        "import sys; from touchline.text.stemmer import english_stemmer; english_stemmer(); "
        "print(*(name for name in sys.modules if name.endswith('_stemmer')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["_touchline_snowball.english_stemmer"]


def test_a_package_laid_out_otherwise_is_loaded_whole(monkeypatch):
    """The module of the English stemmer is not where it is looked for."""

    def find(name):
        if name.endswith(".english_stemmer"):
            raise ImportError(name)
        return snowballstemmer

    monkeypatch.setattr(stemmer.importlib, "import_module", find)
    assert stems(stemmer.english_stemmer()) == stems(snowballstemmer.stemmer("english"))
