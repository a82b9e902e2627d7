"""The bundled models of speech: one for each corpus, one layer for all."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from touchline import load_aligner
from touchline.pipeline.fit_speech import main
from touchline.sample import corpus_path

SHORT = 30


def corpus(folder: Path, labelled: bool) -> Path:
    """The sample, cut short, with the labels of its first match or without any."""
    shutil.copytree(corpus_path(), folder)
    for number, match in enumerate(sorted(path for path in folder.iterdir() if path.is_dir())):
        for name in ("comments.jsonl", "gold.jsonl"):
            lines = (match / name).read_text().splitlines(keepends=True)
            (match / name).write_text("".join(lines[:SHORT]))
        if number or not labelled:
            (match / "gold.jsonl").unlink()
    return folder


def test_every_model_has_the_same_layer(tmp_path: Path) -> None:
    one, two = corpus(tmp_path / "one", True), corpus(tmp_path / "two", False)
    main([f"{one}={tmp_path / 'one.npz'}", f"{two}={tmp_path / 'two.npz'}"])
    first, second = (load_aligner(tmp_path / name) for name in ("one.npz", "two.npz"))
    assert first.labelled_matches() == second.labelled_matches() == {"speech": 1}


def test_what_is_no_pair_is_wrong_usage(capsys) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["corpus"])
    assert "expected CORPUS=MODEL" in capsys.readouterr().err
