"""The models that come with touchline: what they hold, and when they are used."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from touchline import Comment, Links, Match, make_aligner, read_corpus
from touchline.io.feeds import read_events
from touchline.methods.chains.bundled import loader as bundled
from touchline.methods.chains.bundled.loader import KINDS, PATHS, bundled_model, choose, fits
from touchline.methods.chains.data.language import Language, Survey, stem, survey
from touchline.methods.chains.phases.words import bundled_words
from touchline.methods.pairs.features import name_words
from touchline.text.aliases import resemble
from touchline.text.tokens import FUNCTION_WORDS

SOURCES = {
    "live-text": ("epl-2015", "comments"),
    "templated": ("epl-2015", "bbc"),
    "speech-radio": ("radio-2018", "comments"),
    "speech-tv": ("tv-2015", "comments"),
}


def scores(links: Links) -> list[list[float]]:
    return [[link.score for link in answer.candidates] for answer in links]


@pytest.mark.parametrize("kind", KINDS)
def test_it_holds_stems_and_labels_only(kind):
    language, counts, members, seen, *_ = bundled_model(kind)
    assert len(members) == 6
    assert len(seen) >= 5
    assert len(language.vocabulary) > 50
    assert all(re.fullmatch(r"[a-z]+", word) for word in language.vocabulary)
    assert all(re.fullmatch(r"\?|<[a-z.]+|[a-z.]+>", word) for word in language.contexts)
    for own in (counts, *members):
        assert own.caused.shape == (len(language.causes()), len(language.vocabulary))


def test_they_are_small():
    assert all(path.stat().st_size < 400_000 for path in PATHS)


@pytest.fixture(scope="module")
def texts(data) -> dict[str, list[Match]]:
    return {
        kind: [labelled.match for labelled in read_corpus(data / corpus, track=track)]
        for kind, (corpus, track) in SOURCES.items()
    }


@pytest.fixture(scope="module")
def surveys(texts) -> list[Survey]:
    """What the matches of each kind say about their words."""
    found = [Survey.nothing() for _ in texts]
    for own, matches in zip(found, texts.values(), strict=True):
        for match in matches:
            own.add(survey(match, ()))
    return found


def feeds(data: Path) -> Iterator[Match]:
    """The matches of the feeds, for their players' names."""
    yield from (read_events(path) for path in sorted((data / "feeds").glob("[!o]*/*.json")))
    log, teams = sorted((data / "feeds" / "opta-f24").glob("*.xml"))
    yield read_events(log, lineups=[teams])


@pytest.fixture(scope="module")
def squads(data, texts) -> set[str]:
    """The words of all names at hand: of the corpora, and of the feeds' matches."""
    return name_words([*(m for own in texts.values() for m in own), *feeds(data)])


def plain(word: str) -> str:
    return word.strip("<>")


def held_by(kind: str) -> set[str]:
    """Every word that a bundled file holds."""
    if kind == "phases":
        return {plain(word) for word in bundled_words().words}
    language = bundled_model(kind).language
    return set(language.vocabulary) | {plain(word) for word in language.contexts}


@pytest.mark.parametrize("kind", [*KINDS, "phases"])
def test_it_holds_no_names(surveys, squads, kind):
    """Nothing that is like a name of any squad, unless it is an ordinary word.

    That is a word that two matches write in lower case in which nobody has a name like it, or that
    more than two thirds of all matches of a kind do.
    """

    def is_ordinary(word: str) -> bool:
        apart = sum(own.apart[word] for own in surveys)
        common = (3 * own.ordinary[word] > 2 * len(own.seen) for own in surveys)
        starting = (2 * own.initial[word] > len(own.seen) for own in surveys)
        return apart >= 2 or any(common) or any(starting)

    words = {w for w in held_by(kind) if w.isalpha() and w not in FUNCTION_WORDS}
    near = resemble(words, squads) | words & {stem(name) for name in squads}
    assert {w for w in near if not is_ordinary(w) and not is_ordinary(stem(w))} == set()
    assert not any(c.isdigit() for word in held_by(kind) for c in word)


@pytest.mark.parametrize("kind", KINDS)
def test_it_holds_no_name_of_a_squad_that_it_was_learned_from(texts, kind):
    names = name_words(texts[kind])
    assert not names & held_by(kind)


def test_live_text_is_answered_with_it(data):
    match = next(iter(read_corpus(data / "epl-2015", clock="minute"))).match
    language = bundled_model().language
    assert fits(language, match)
    with_it = make_aligner("chains").align(match)
    without_it = make_aligner("chains", {"bundled": False}).align(match)
    assert scores(with_it) != scores(without_it)


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_text_gets_the_model_of_its_kind(texts, kind):
    chosen = {match.name: choose(match) for match in texts[kind]}
    assert {choice.kind for choice in chosen.values()} == {kind}
    assert all(choice.fits for choice in chosen.values())


def test_a_small_vocabulary_does_not_win_by_being_small(monkeypatch, small_match):
    """Words that no model knows must not speak for the model with the fewest words."""
    wide = "find shoot rain foul pass run head cross corner block save clear wide high low"
    known = {"small": "find goal", "wide": wide}
    monkeypatch.setattr(bundled, "KINDS", tuple(known))
    monkeypatch.setattr(bundled, "_frequency", lambda kind: frequency(known[kind]))
    said = "Corner cross, shot, run: " + " ".join(f"un{c}heard" for c in "abcdefghijklm")
    comment = msgspec.structs.replace(small_match.comments[0], text=said)
    assert choose(small_match.with_comments([comment])).kind == "wide"


def frequency(words: str) -> bundled._Frequency:
    """A model in which a hundred comments hold each of some words."""
    vocabulary = sorted(words.split())
    language = Language(vocabulary=vocabulary, kinds=["?"], types=["?"], contexts=["?"])
    return bundled._Frequency(language, dict.fromkeys(vocabulary, 100.0), 0.0)


def test_written_text_is_not_taken_for_speech(sample):
    """Speech models know more words of any text, but their comments come ten times as fast."""
    for labelled in sample:
        assert choose(labelled.match).kind in ("live-text", "templated")


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
    assert not choose(match).fits
    as_is, alone = (make_aligner("chains", {"bundled": s}).align(match) for s in (True, False))
    assert scores(as_is) == scores(alone)


def test_speech_in_lines_of_a_minute_is_not_taken_for_written_text(texts):
    """However a recogniser cuts its lines."""
    match = texts["speech-tv"][0]
    minutes: dict[int, list[str]] = {}
    for comment in match.comments:
        if comment.period == 1 and comment.start is not None:
            minutes.setdefault(int(comment.start // 60), []).append(comment.text)
    long = [
        Comment(id=m, text=" ".join(own), period=1, start=60.0 * m, end=60.0 * m + 59)
        for m, own in sorted(minutes.items())
    ]
    assert choose(match.with_comments(long)).kind.startswith("speech")


def test_what_is_fitted_goes_before_it(sample, data):
    match = next(iter(read_corpus(data / "epl-2015", clock="minute"))).match
    aligner = make_aligner("chains")
    aligner.fit([labelled.match for labelled in sample])
    assert scores(aligner.align(match)) != scores(make_aligner("chains").align(match))
