"""`touchline data check` and the list of data sets."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from touchline import cli
from touchline.datasets.catalogue import CATALOGUE
from touchline.datasets.checking import check_corpus


@pytest.fixture
def corpus(sample_folder: Path, tmp_path: Path) -> Path:
    """A corpus of a sound match, one without line-ups and labels, and one without comments."""
    for name, leave_out in (("a", []), ("b", ["gold", "lineups"]), ("c", ["comments"])):
        shutil.copytree(sample_folder, tmp_path / name)
        for path in (tmp_path / name).iterdir():
            if path.name.split(".")[0] in leave_out:
                path.unlink()
    (tmp_path / "notes.txt").touch()
    return tmp_path


def test_what_is_there_and_what_is_missing(corpus: Path, capsys) -> None:
    sound, bare, broken = check_corpus(corpus)
    assert (sound.lacks, sound.broken, sound.labels) == ((), None, 126)
    assert [lack.split(":")[0] for lack in bare.lacks] == ["no lineups.*", "no gold.jsonl"]
    assert (broken.match, broken.broken) == (None, "contains no comments.*")
    assert cli._run(["data", "check", str(corpus)]) == 3
    printed = capsys.readouterr().out
    assert "1460" in printed
    assert "c: cannot be used: contains no comments.*" in printed


def test_the_folder_that_one_is_in_has_a_name(corpus: Path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(corpus / "c")
    assert cli._run(["data", "check", "."]) == 1
    assert capsys.readouterr().out == "c: cannot be used: contains no comments.*\n"


def test_exit_codes(corpus: Path, capsys) -> None:
    assert cli._run(["data", "check", str(corpus / "a")]) == 0
    (corpus / "a" / "comments.jsonl").write_text('{"text"')
    assert cli._run(["data", "check", str(corpus / "a")]) == 1
    assert "comments.jsonl, line 1" in capsys.readouterr().out
    assert cli._run(["data", "check", str(corpus / "nowhere")]) == 1
    assert "no such folder" in capsys.readouterr().err
    (corpus / "empty").mkdir()
    assert cli._run(["data", "check", str(corpus / "empty")]) == 1
    assert "contains no match folder" in capsys.readouterr().err


def test_the_list_names_every_set_with_its_terms(capsys) -> None:
    assert cli._run(["data"]) == 0
    printed = capsys.readouterr().out
    for one in CATALOGUE:
        assert one.where in printed
        assert one.terms in printed


@pytest.mark.data
def test_real_corpora(data: Path) -> None:
    for name, matches in (("radio-2018", 5), ("robocup", 4)):
        checked = list(check_corpus(data / name))
        assert len(checked) == matches
        assert all(one.match is not None for one in checked)
