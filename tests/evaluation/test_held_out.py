"""Which model answers a match that is scored, and that the report says so."""

from __future__ import annotations

import io
import shutil
from typing import ClassVar

import pytest

from touchline import make_aligner
from touchline.cli.evaluate import print_report
from touchline.cli.terminal import Terminal
from touchline.evaluation import evaluate
from touchline.evaluation.held_out import Answering
from touchline.methods.base import Alignment, Model
from touchline.methods.baselines import Named
from touchline.methods.streaming import Read, Streaming
from touchline.sample import corpus_path


class Boxed(Named):
    """A method that comes with a model; it notes what it has learned from."""

    def __init__(self, box: str) -> None:
        super().__init__()
        self.box = box
        self.learned: list[list[str]] = []

    def bundled_for(self, match):
        return self.box

    def infer(self, match):
        model = Model("bundled test") if self.box == "unseen" else Model("fitted")
        return Alignment(super().infer(match).links, self.name, model)

    def fit(self, matches, labels=None):
        self.learned.append([match.name for match in matches])


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("TOUCHLINE_CACHE", str(tmp_path))
    return tmp_path / "held-out"


def names() -> list[str]:
    return sorted(path.name for path in corpus_path().iterdir() if path.is_dir())


def test_a_model_that_has_not_read_a_match_answers_it(cache):
    aligner = Boxed("unseen")
    evaluate(corpus_path(), aligner)
    assert aligner.learned == []
    assert not cache.exists()


def test_without_a_model_all_matches_are_learned_from_once(cache):
    aligner = Boxed("none")
    evaluate(corpus_path(), aligner)
    assert aligner.learned == [names()]


def test_a_match_that_was_read_is_left_out_and_the_model_kept(cache):
    aligner = Boxed("seen")
    report = evaluate(corpus_path(), aligner)
    assert sorted(aligner.learned) == [[name] for name in names()]
    assert len(list(cache.iterdir())) == len(names())
    again = Boxed("seen")
    assert evaluate(corpus_path(), again).to_json() == report.to_json()
    assert again.learned == []


def test_a_damaged_model_is_made_again(cache):
    evaluate(corpus_path(), Boxed("seen"))
    for path in cache.iterdir():
        path.write_bytes(b"broken")
    aligner = Boxed("seen")
    evaluate(corpus_path(), aligner)
    assert len(aligner.learned) == len(names())


def test_what_is_to_be_learned_from_as_well_is(cache):
    aligner = Boxed("unseen")
    evaluate(corpus_path(), aligner, also_fit=[corpus_path()])
    more = [f"{corpus_path().name}/{name}" for name in names()]
    assert aligner.learned == [names() + more]


@pytest.mark.parametrize(
    ("box", "how"),
    [
        ("unseen", "bundled test"),
        ("seen", "held out: fitted on the other matches, without labels"),
        ("none", "fitted on this corpus, without labels"),
    ],
)
def test_the_report_says_how_each_match_was_answered(cache, box, how):
    report = evaluate(corpus_path(), Boxed(box)).to_json()
    assert report["answered"] == dict.fromkeys(names(), how)
    assert report["labels"] is False


def test_the_table_says_so_too(cache):
    console = Terminal(160, file=io.StringIO())
    print_report(evaluate(corpus_path(), Boxed("none")), console)
    assert "answered by: fitted on this corpus, without labels" in console.file.getvalue()


@pytest.mark.posix
def test_a_match_that_is_alone_in_its_corpus_is_said_to_be_fitted_on(cache, tmp_path):
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / names()[0]).symlink_to(corpus_path() / names()[0])
    report = evaluate(tmp_path / "corpus", Boxed("seen"))
    assert report.answered == {names()[0]: "fitted on this corpus, without labels"}


def test_a_model_that_is_given_is_said_to_be(cache):
    report = evaluate(corpus_path(), Boxed("seen"), fitted=True)
    assert set(report.answered.values()) == {"the model given"}


class Taught(Boxed):
    """The same, and it learns from labels."""

    learns_from_labels = True

    def __init__(self, box: str) -> None:
        super().__init__(box)
        self.taught: list[dict] = []

    def infer(self, match):
        return Alignment(super().infer(match).links, self.name, Model("fitted", labels=True))

    def fit(self, matches, labels=None):
        super().fit(matches, labels)
        self.taught.append(labels)


def test_labels_of_the_other_matches_are_learned_from(cache):
    aligner = Taught("seen")
    report = evaluate(corpus_path(), aligner)
    assert [sorted(labels) for labels in aligner.taught] == [[name] for name in names()[::-1]]
    assert sorted(aligner.learned) == [[name] for name in names()]
    assert report.to_json()["labels"] is True
    assert set(report.answered.values()) == {
        "held out: fitted on the other matches and their labels"
    }


def other_corpus(tmp_path):
    """The second match as a corpus of its own, with one word of its text changed, and labels."""
    copy = tmp_path / "others" / names()[1]
    shutil.copytree(corpus_path() / names()[1], copy)
    comments = copy / "comments.jsonl"
    comments.write_text(comments.read_text("utf-8").replace(" the ", " a ", 1), "utf-8")
    return copy.parent


def test_labels_of_further_corpora_are_learned_from(cache, tmp_path):
    aligner = Taught("unseen")
    report = evaluate(corpus_path(), aligner, also_fit=[other_corpus(tmp_path)])
    other = f"others/{names()[1]}"
    first, second = aligner.taught
    assert sorted(first) == sorted([names()[1], other])
    assert sorted(second) == [names()[0]]  # not those of its own log
    assert aligner.learned == [[names()[1], other], [names()[0], other]]
    assert set(report.answered.values()) == {
        "held out: fitted on the other matches and on others and their labels"
    }


def test_the_same_text_in_a_further_corpus_is_left_out_too(cache):
    aligner = Taught("unseen")
    evaluate(corpus_path(), aligner, also_fit=[corpus_path()])
    copies = [f"{corpus_path().name}/{name}" for name in names()]
    assert aligner.learned == [[names()[1], copies[1]], [names()[0], copies[0]]]


class Reading(Streaming):
    """Notes what it learns from, and by whom labelled matches are read."""

    name = "reading"
    learns_from_labels = True
    notes: ClassVar[list] = []

    def __init__(self) -> None:
        super().__init__()
        self.learned: list[str] = []
        self.taught = False

    def asks(self, matches, labelled=0):
        return 0

    def condense(self, match):
        raise NotImplementedError

    def learn(self, store):
        raise NotImplementedError

    def fit(self, matches, labels=None):
        self.learned = [match.name for match in matches]

    def learn_read(self, labelled, labels):
        self.taught = True
        by = {one.match.name: one.reader.learned for one in labelled}
        assert sorted(by) == sorted(labels)
        Reading.notes.append((self.learned, by))

    def infer(self, match):
        links = Named().infer(match).links
        return Alignment(links, self.name, Model("fitted", labels=self.taught))


def half_labelled(folder):
    """Two corpora with three matches each, of which the first has labels; the texts all differ."""
    for corpus, source in zip(("near", "far"), names(), strict=True):
        for i, name in enumerate(("a", "b", "c")):
            copy = folder / corpus / name
            shutil.copytree(corpus_path() / source, copy)
            if i:
                (copy / "gold.jsonl").unlink()
                comments = copy / "comments.jsonl"
                text = comments.read_text("utf-8").replace(" the ", f" {'the ' * (i + 1)}", 1)
                comments.write_text(text, "utf-8")
    return folder / "near", folder / "far"


def test_corpora_with_unlabelled_matches_have_models_of_their_own(cache, tmp_path, monkeypatch):
    near, far = half_labelled(tmp_path)
    monkeypatch.setattr(Reading, "notes", [])
    report = evaluate(near, Reading(), also_fit=[far])
    assert Reading.notes == [(["b", "c"], {"far/a": ["far/b", "far/c"]})]
    assert report.answered == {
        "a": "held out: fitted on the matches of this corpus that have no labels, "
        "and on labels of other matches (far)"
    }
    assert report.labels


def test_a_layer_is_learned_from_what_others_read(sample):
    matches = [one.match.with_comments(one.match.comments[:40]) for one in sample]
    labels = {
        match.name: {c.id: one.gold[c.id] for c in match.comments if c.id in one.gold}
        for match, one in zip(matches, sample, strict=True)
    }
    fast = {"rounds": 4, "adapt": 1}
    readers = [make_aligner("chains", fast) for _ in matches]
    for reader, other in zip(readers, matches[::-1], strict=True):
        reader.fit([other])
    taught = make_aligner("chains", fast)
    taught.fit(matches[:1])
    pairs = [Read(match, reader) for match, reader in zip(matches, readers, strict=True)]
    taught.learn_read(pairs, labels)
    assert taught.labelled_matches() == {"text": 2}
    assert taught.infer(matches[1]).model.labels_by == "layer"
    taught.learn_read(pairs[:1], labels)
    assert taught.labelled_matches() == {}


def test_who_does_not_learn_from_labels_gets_none(cache):
    aligner = Taught("seen")
    aligner.learns_from_labels = False
    evaluate(corpus_path(), aligner)
    assert aligner.taught == [{}] * len(names())


def test_labels_of_the_same_log_under_another_text_are_left_out(cache, sample):
    aligner, (first, second) = Taught("seen"), sample
    copy = second.match.with_comments(first.match.comments).named("another text")
    labels = {one.match.name: one.gold for one in sample} | {copy.name: first.gold}
    matches = [first.match, second.match, copy]
    Answering(aligner, matches, labels).left_out(second.match)
    assert [sorted(given) for given in aligner.taught] == [[first.match.name]]


def test_the_table_says_which_track_it_is(cache):
    for aligner, track in ((Taught("seen"), "with labels"), (Boxed("seen"), "without labels")):
        out = io.StringIO()
        print_report(evaluate(corpus_path(), aligner), Terminal(160, file=out))
        assert f"track comments, {track}" in out.getvalue()
