"""Which texts a model has seen: copies are recognised, other texts are not."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

import msgspec
import pytest

from touchline import Match, read_corpus
from touchline.methods.chains.bundled.loader import KINDS, bundled_model
from touchline.methods.chains.model.seen import BYTES, KEPT, SEEN, is_seen, share_seen, sketch_of
from touchline.methods.chains.model.serialization import pack_learned, unpack_learned

TEXTS = {
    "live-text": ("epl-2015", "comments"),
    "templated": ("epl-2015", "bbc"),
    "speech-radio": ("radio-2018", "comments"),
    "speech-tv": ("tv-2015", "comments"),
    "RoboCup": ("robocup", "comments"),
    "Spanish speech": ("tv-spanish", "comments"),
}


def half(texts: list[str]) -> list[str]:
    return texts[: len(texts) // 2]


def twenty_minutes(texts: list[str]) -> list[str]:
    first = len(texts) // 2
    return texts[first : first + 2 * len(texts) // 9]


def merged(texts: list[str]) -> list[str]:
    return [" ".join(texts[i : i + 5]) for i in range(0, len(texts), 5)]


def split(texts: list[str]) -> list[str]:
    return [part for text in texts for part in re.split(r"(?<=[.!?])\s+", text)]


def edited(texts: list[str]) -> list[str]:
    """One word in twenty replaced, no punctuation, everything in capitals, no numbers."""
    chance = random.Random(1)
    words = [[w if chance.random() > 0.05 else "otherwise" for w in text.split()] for text in texts]
    return [re.sub(r"[.,!?;:]|\b\d+\b", "", " ".join(own)).upper() for own in words]


COPIES: list[Callable[[list[str]], list[str]]] = [list, half, twenty_minutes, merged, split, edited]


def copied(match: Match, change: Callable[[list[str]], list[str]]) -> Match:
    texts = change([comment.text for comment in match.comments])
    first = match.comments[0]
    copies = (msgspec.structs.replace(first, id=i, text=text) for i, text in enumerate(texts))
    return match.with_comments(copies)


@pytest.fixture(scope="module")
def matches(data) -> dict[str, list[Match]]:
    return {
        kind: [labelled.match for labelled in read_corpus(data / corpus, track=track)]
        for kind, (corpus, track) in TEXTS.items()
    }


@pytest.mark.parametrize("change", COPIES)
@pytest.mark.parametrize("kind", KINDS)
def test_a_copy_of_what_a_model_was_learned_from_is_seen(matches, kind, change):
    seen = bundled_model(kind).seen
    for match in matches[kind]:
        assert is_seen(copied(match, change), seen), match.name


@pytest.mark.parametrize("kind", KINDS)
def test_other_texts_are_not_seen(matches, kind):
    """Not even another match in the same templates, when its own sketch is taken out."""
    seen = bundled_model(kind).seen
    for other, texts in matches.items():
        for match in texts:
            own = sketch_of(match)
            others = [sketch for sketch in seen if sketch != own]
            assert other != kind or len(others) == len(seen) - 1
            assert share_seen(match, others) <= SEEN / 2, (other, match.name)


def test_a_sketch_is_small_and_holds_no_text(sample):
    sketch = sketch_of(sample[0].match)
    assert 0 < len(sketch) <= KEPT
    assert all(0 <= digest < 2 ** (8 * BYTES) for digest in sketch)


@pytest.mark.parametrize("change", COPIES)
def test_copies_of_a_sample_are_seen_and_the_other_match_is_not(sample, change):
    first, second = (one.match for one in sample)
    assert is_seen(copied(first, change), [sketch_of(first)])
    assert not is_seen(copied(first, change), [sketch_of(second)])


def test_a_log_without_names_is_recognised_as_well(sample):
    match = msgspec.structs.replace(sample[0].match, players=())
    assert is_seen(match, [sketch_of(match)])


def test_an_empty_text_is_not_seen(sample):
    match = sample[0].match.with_comments([])
    assert sketch_of(match) == []
    assert not is_seen(match, [sketch_of(sample[0].match), []])


def test_short_sketches_come_back_from_a_model_file(data):
    model = bundled_model()
    seen = ([1, 5, 9], list(range(KEPT)))
    again = unpack_learned(pack_learned(model._replace(seen=seen)))
    assert again.seen == seen
