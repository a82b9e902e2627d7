"""Who answers a match that is scored."""

from __future__ import annotations

import pytest

from touchline.aligners.floors import Named
from touchline.evaluation import evaluate
from touchline.sample import corpus_path


class Boxed(Named):
    """A method that comes with a model; it notes what it has learned from."""

    def __init__(self, box: str) -> None:
        super().__init__()
        self.box = box
        self.learned: list[list[str]] = []

    def in_the_box(self, match):
        return self.box

    def fit(self, matches):
        self.learned.append([match.name for match in matches])


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "touchline" / "left-out"


def names() -> list[str]:
    return sorted(path.name for path in corpus_path().iterdir() if path.is_dir())


def test_a_model_that_has_not_read_a_match_answers_it(cache):
    aligner = Boxed("unread")
    evaluate(corpus_path(), aligner)
    assert aligner.learned == []
    assert not cache.exists()


def test_without_a_model_all_matches_are_learned_from_once(cache):
    aligner = Boxed("none")
    evaluate(corpus_path(), aligner)
    assert aligner.learned == [names()]


def test_a_match_that_was_read_is_left_out_and_the_model_kept(cache):
    aligner = Boxed("read")
    report = evaluate(corpus_path(), aligner)
    assert sorted(aligner.learned) == [[name] for name in names()]
    assert len(list(cache.iterdir())) == len(names())
    again = Boxed("read")
    assert evaluate(corpus_path(), again).to_json() == report.to_json()
    assert again.learned == []


def test_a_damaged_model_is_made_again(cache):
    evaluate(corpus_path(), Boxed("read"))
    for path in cache.iterdir():
        path.write_bytes(b"broken")
    aligner = Boxed("read")
    evaluate(corpus_path(), aligner)
    assert len(aligner.learned) == len(names())


def test_what_is_to_be_learned_from_as_well_is(cache):
    aligner = Boxed("unread")
    evaluate(corpus_path(), aligner, also_fit=[corpus_path()])
    assert aligner.learned == [names() + names()]
