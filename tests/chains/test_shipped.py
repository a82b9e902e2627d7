"""The model that comes with touchline: what it holds, and when it is used."""

from __future__ import annotations

import re

import msgspec
import pytest

from touchline import Links, make_aligner, read_corpus
from touchline.chains.shipped import KINDS, PATHS, fits, shipped_for, shipped_model
from touchline.pairs.features import name_words


def scores(links: Links) -> list[list[float]]:
    return [[link.score for link in answer.candidates] for answer in links]


@pytest.mark.parametrize("kind", KINDS)
def test_it_holds_stems_and_labels_only(kind):
    language, counts, readers, read = shipped_model(kind)
    assert len(readers) == 6
    assert len(read) >= 5
    assert len(language.vocabulary) > 50
    assert all(re.fullmatch(r"[a-z0-9]+", word) for word in language.vocabulary)
    assert all(re.fullmatch(r"\?|<[a-z.]+|[a-z.]+>", word) for word in language.contexts)
    for own in (counts, *readers):
        assert own.caused.shape == (len(language.causes()), len(language.vocabulary))
    assert all(re.fullmatch(r"[0-9a-f]{16}", digest) for digest in read)


def test_they_are_a_few_megabytes_in_all():
    assert sum(path.stat().st_size for path in PATHS) < 2**22


@pytest.mark.parametrize("kind", KINDS)
def test_it_holds_no_names(data, kind):
    language = shipped_model(kind).language
    corpus = data / ("radio-2018" if kind == "speech" else "epl-2015")
    names = name_words([labelled.match for labelled in read_corpus(corpus)])
    assert not names & set(language.vocabulary)
    assert not names & {word.strip("<>") for word in language.contexts}


def test_live_text_is_answered_with_it(data):
    match = next(iter(read_corpus(data / "epl-2015", clock="minute"))).match
    language = shipped_model().language
    assert fits(language, match)
    with_it = make_aligner("chains").align(match)
    without_it = make_aligner("chains", {"shipped": False}).align(match)
    assert scores(with_it) != scores(without_it)


def test_each_kind_of_text_gets_the_model_of_its_kind(data):
    sources = {
        "live-text": ("epl-2015", "comments"),
        "templated": ("epl-2015", "bbc"),
        "speech": ("radio-2018", "comments"),
    }
    for kind, (corpus, track) in sources.items():
        match = next(iter(read_corpus(data / corpus, track=track))).match
        assert shipped_for(match) is shipped_model(kind), kind


@pytest.mark.parametrize("strange", ["words", "events"])
def test_what_is_unlike_it_is_learned_from_by_itself(data, strange):
    match = next(iter(read_corpus(data / "epl-2015", clock="minute"))).match
    match = match.with_comments(match.comments[:20])
    if strange == "words":
        match = match.with_comments(
            msgspec.structs.replace(c, text=re.sub(r"\b([a-z]{3,})\b", r"\1ovic", c.text))
            for c in match.comments
        )
    else:
        other = tuple(msgspec.structs.replace(e, type=f"kind of {e.type}") for e in match.events)
        match = msgspec.structs.replace(match, events=other)
    assert shipped_for(match) is None
    as_is, alone = (make_aligner("chains", {"shipped": s}).align(match) for s in (True, False))
    assert scores(as_is) == scores(alone)


def test_what_is_fitted_goes_before_it(sample, data):
    match = next(iter(read_corpus(data / "epl-2015", clock="minute"))).match
    aligner = make_aligner("chains")
    aligner.fit([labelled.match for labelled in sample])
    assert scores(aligner.align(match)) != scores(make_aligner("chains").align(match))
