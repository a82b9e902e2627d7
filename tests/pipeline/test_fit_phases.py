"""The words of phases that come with touchline are those that `make model` learns."""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec
import pytest

from touchline.methods.chains.phases.words import PATH, PhaseWords
from touchline.pipeline.fit_phases import main
from touchline.sample import corpus_path


def test_words_of_a_corpus_are_written_without_names(tmp_path: Path) -> None:
    """Matches with labels are left out: they are there to score what was learned."""
    corpora = tmp_path / "one", tmp_path / "other"
    for corpus in corpora:
        shutil.copytree(corpus_path(), corpus)
    labelled, out = tmp_path / "labelled.json", tmp_path / "phases.json"
    main([*map(str, corpora), str(labelled)])
    assert msgspec.json.decode(labelled.read_bytes(), type=PhaseWords).words == {}
    for gold in tmp_path.rglob("gold.jsonl"):
        gold.unlink()
    main([*map(str, corpora), str(out)])
    learned = msgspec.json.decode(out.read_bytes(), type=PhaseWords)
    assert {"kick", "corner"} < set(learned.words)
    assert not {"rovers", "harrowmere", "marsac"} & set(learned.words)


@pytest.mark.system
@pytest.mark.data
def test_the_bundled_words_are_learned_from_speech_byte_for_byte(
    data: Path, tmp_path: Path
) -> None:
    out = tmp_path / "phases.json"
    main([str(data / "tv-2015"), str(data / "radio-2018"), str(out)])
    assert out.read_bytes() == PATH.read_bytes()
