"""The words of phases that come with touchline are those that `make model` learns."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from touchline.methods.chains.phases.words import PATH, PhaseWords
from touchline.pipeline.fit_phases import main
from touchline.sample import corpus_path


def test_words_of_a_corpus_are_written_without_names(tmp_path: Path) -> None:
    out = tmp_path / "phases.json"
    main([str(corpus_path()), str(out)])
    learned = msgspec.json.decode(out.read_bytes(), type=PhaseWords)
    assert 0 < learned.share < 1
    assert {"kick", "corner"} < set(learned.words)
    assert not {"rovers", "harrowmere", "marsac"} & set(learned.words)


@pytest.mark.data
def test_the_bundled_words_are_learned_from_radio_byte_for_byte(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "phases.json"
    main([str(data / "radio-2018"), str(out)])
    assert out.read_bytes() == PATH.read_bytes()
