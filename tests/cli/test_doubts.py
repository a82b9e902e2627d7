"""Doubts: printed, written into the origin, shown on the page, and refused with --strict."""

from __future__ import annotations

import json
import shutil
import warnings
from pathlib import Path

import pytest

import touchline
from touchline import TouchlineWarning, cli
from touchline.sample import corpus_path

FIRST, SECOND = sorted(p for p in corpus_path().iterdir() if p.is_dir())
RIGHT = [str(FIRST / "events.json.gz"), str(FIRST / "comments.jsonl")]
WRONG = [str(FIRST / "events.json.gz"), str(SECOND / "comments.jsonl")]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A right match, and one with the text of another."""
    folder = tmp_path / "corpus"
    for name, text in (("right", FIRST), ("wrong", SECOND)):
        shutil.copytree(FIRST, folder / name)
        for file in ("comments.jsonl", "gold.jsonl"):
            shutil.copy(text / file, folder / name / file)
    (folder / "wrong" / "gold.jsonl").unlink()
    return folder


def run(capsys, *words: object) -> tuple[int, str]:
    code = cli._run(list(map(str, words)))
    return code, capsys.readouterr().err


def test_another_matchs_text_is_doubted_aloud_and_in_the_origin(capsys, tmp_path):
    out = tmp_path / "links.jsonl"
    code, said = run(capsys, "align", *WRONG, "-o", out)
    assert code == 0
    assert "touchline: warning: the commentary names " in said
    assert "is it about this match?" in said
    origin = json.loads((tmp_path / "links.jsonl.meta.json").read_text())
    assert "is it about this match?" in origin["warnings"][0]


def test_the_right_text_is_not_doubted(capsys, tmp_path):
    code, said = run(capsys, "align", *RIGHT, "--strict", "-o", tmp_path / "links.jsonl")
    assert (code, "warning" in said) == (0, False)
    assert json.loads((tmp_path / "links.jsonl.meta.json").read_text())["warnings"] == []


def test_strict_writes_nothing(capsys, tmp_path):
    code, said = run(capsys, "align", *WRONG, "--strict", "-o", tmp_path / "links.jsonl")
    assert code == 1
    assert said.endswith("touchline: nothing is written because of the warning above (--strict)\n")
    assert list(tmp_path.iterdir()) == []


def test_nothing_linked_is_said(capsys, tmp_path):
    text = tmp_path / "talk.jsonl"
    text.write_text('{"id": 1, "period": 1, "time": 90, "text": "What a lovely evening."}\n')
    code, said = run(capsys, "align", RIGHT[0], text, "--method", "named")
    assert code == 0
    assert "touchline: warning: no comment is linked to any event" in said
    code, said = run(capsys, "align", RIGHT[0], text, "--method", "named", "--strict")
    assert code == 1


@pytest.fixture
def spanish(tmp_path: Path) -> Path:
    """The right match, told in another language."""
    folder = tmp_path / "spanish"
    shutil.copytree(FIRST, folder)
    lines = map(json.loads, (FIRST / "comments.jsonl").read_text().splitlines()[:12])
    told = ["Saque de esquina por la derecha.", "Gran parada del portero.", "Falta muy peligrosa."]
    text = [{**line, "text": told[number % 3]} for number, line in enumerate(lines)]
    (folder / "comments.jsonl").write_text("\n".join(map(json.dumps, text)))
    labels = (FIRST / "gold.jsonl").read_text().splitlines()
    known = {line["id"] for line in text}
    kept = [line for line in labels if json.loads(line)["id"] in known]
    (folder / "gold.jsonl").write_text("\n".join(kept))
    return folder


def test_another_language_is_doubted_like_everything_else(capsys, spanish, tmp_path):
    files, out = (spanish / "events.json.gz", spanish / "comments.jsonl"), tmp_path / "links.jsonl"
    code, said = run(capsys, "align", *files, "-o", out)
    assert code == 0
    assert "touchline: warning: the bundled models are English and know " in said
    doubt, *_ = json.loads((tmp_path / "links.jsonl.meta.json").read_text())["warnings"]
    assert doubt.startswith("the bundled models are English and know ")
    with pytest.warns(TouchlineWarning, match="bundled models are English"):
        links = touchline.align(*files)
    assert doubt in links.warnings
    out.unlink()
    code, said = run(capsys, "align", *files, "--strict", "-o", out)
    assert (code, out.exists()) == (1, False)


def test_evaluate_doubts_links_as_align_does(capsys, spanish):
    code, said = run(capsys, "evaluate", spanish, "--method", "named")
    assert code == 0
    assert "touchline: warning: spanish: no comment is linked to any event" in said
    assert run(capsys, "evaluate", spanish, "--method", "named", "--strict")[0] == 1


def test_python_gets_them_as_warnings_and_with_the_match():
    with pytest.warns(TouchlineWarning, match="is it about this match") as heard:
        match = touchline.read_match(*WRONG)
    assert heard[0].filename == __file__
    assert len(match.warnings) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error", TouchlineWarning)
        assert touchline.read_match(*RIGHT).warnings == ()


def test_the_page_has_them(capsys, tmp_path):
    from touchline.io.links.origin import Origin
    from touchline.report.data import report

    with pytest.warns(TouchlineWarning):
        match = touchline.read_match(*WRONG)
    links = touchline.align(match)
    (shown,) = report([links], Origin(method="chains")).matches
    assert shown.warnings == links.warnings != ()


def test_a_corpus_is_aligned_with_warnings_or_strictly_without_the_doubtful(
    capsys, corpus, tmp_path
):
    out = tmp_path / "out"
    code, said = run(capsys, "align", "--corpus", corpus, "-o", out, "--jobs", 1)
    assert code == 0
    assert "touchline: warning: wrong: the commentary names " in said
    assert "warning: right" not in said
    code, said = run(capsys, "align", "--corpus", corpus, "-o", out, "--jobs", 1, "--strict")
    assert code == 1
    assert "touchline: wrong left out: " in said
    assert not (out / "wrong.jsonl").exists()


def test_fit_and_evaluate_are_strict_too(capsys, corpus, tmp_path):
    model, scores = tmp_path / "model.npz", tmp_path / "scores.json"
    fit = ["fit", corpus, "-o", model, "--jobs", 1, "--set", "rounds=1"]
    code, said = run(capsys, *fit, "--strict")
    assert (code, model.exists()) == (1, False)
    assert "no model is written because of --strict: wrong: " in said
    assert run(capsys, *fit)[0] == 0
    evaluate = ["evaluate", corpus, "--method", "named", "--json", scores]
    code, said = run(capsys, *evaluate, "--strict")
    assert (code, scores.exists()) == (1, False)
    code, said = run(capsys, *evaluate)
    assert code == 0
    assert "touchline: warning: wrong: the commentary names " in said
