"""The semi-Markov model: sums and best paths against plain enumeration; memory; learning."""

from __future__ import annotations

import tracemalloc
from itertools import pairwise, product

import numpy as np
import pytest

from touchline import Comment, evaluate, make_aligner
from touchline.methods.prior_work.liang2009._kernels import best_records, expect
from touchline.methods.prior_work.liang2009.parameters import allowed_steps
from touchline.sample import corpus_path

TYPES, FIELDS, WORDS = 2, 3, 4
NONE = START = TYPES  # the last column, the last row
RECORD_TYPES = np.array([0, 1, 1])
# Field 1 is categorical, field 2 a string; the third record lacks its first field.
VALUES = np.array([[-1, 0, -2 - 3], [-1, 1, -1], [-1, -1, -2 - 0]])


def shares(chance: np.random.Generator, *shape: int) -> np.ndarray:
    some = chance.random(shape) + 0.05
    return some / some.sum(axis=-1, keepdims=True)


@pytest.fixture(params=range(4))
def model(request) -> tuple[np.ndarray, ...]:
    chance = np.random.default_rng(request.param)
    chain = shares(chance, TYPES, FIELDS + 1, FIELDS + 1) * allowed_steps([3, 3], FIELDS)
    own = chance.random((TYPES, FIELDS))
    return (
        shares(chance, TYPES + 1, TYPES + 1), chain, own, shares(chance, TYPES, WORDS),
        shares(chance, 2, WORDS), shares(chance, WORDS), shares(chance, WORDS),
    )  # fmt: skip


def compositions(n: int, max_parts: int):
    """All ways to cut n words into at most `most` runs, as lengths."""
    for cuts in product([False, True], repeat=n - 1):
        ends = [0, *(i + 1 for i, cut in enumerate(cuts) if cut), n]
        if len(ends) - 1 <= max_parts:
            yield [b - a for a, b in pairwise(ends)]


def word_probability(model, record: int, field: int, word: int) -> float:
    _, _, own, null_words, value_words, _, generic = model
    t, value = RECORD_TYPES[record], VALUES[record, field]
    if field == 0:
        return null_words[t, word]
    if value == -1:
        return 0.0
    mine = value_words[value, word] if value >= 0 else float(word == -2 - value)
    return own[t, field] * mine + (1 - own[t, field]) * generic[word]


def segment_paths(model, record: int, words: list[int]):
    """The probability of every way in which the record's fields describe a segment."""
    chain = model[1][RECORD_TYPES[record]]
    for lengths in compositions(len(words), len(words)):
        for fields in product(range(FIELDS), repeat=len(lengths)):
            steps = [chain[f, g] for f, g in pairwise([FIELDS, *fields, FIELDS])]
            each = [f for f, n in zip(fields, lengths, strict=True) for _ in range(n)]
            said = [word_probability(model, record, f, w) for f, w in zip(each, words, strict=True)]
            yield np.prod(steps) * np.prod(said)


def enumerate_readings(model, words: list[int], single: bool):
    """Every segmentation: its records (None for NONE), total and best probability."""
    types, none_words = model[0], model[5]
    for lengths in compositions(len(words), 1 if single else len(words)):
        for records in product([None, *range(len(RECORD_TYPES))], repeat=len(lengths)):
            if any(a is None and b is None for a, b in pairwise(records)):
                continue
            total, best, previous, place = 1.0, 1.0, START, 0
            for record, n in zip(records, lengths, strict=True):
                said = words[place : place + n]
                place += n
                if record is None:
                    ways = [types[previous, NONE] * np.prod(none_words[said])]
                else:
                    t = RECORD_TYPES[record]
                    choice = types[previous, t] / (t == RECORD_TYPES).sum()
                    ways = [choice * p for p in segment_paths(model, record, said)]
                    previous = t
                total, best = total * sum(ways), best * max(ways)
            yield records, lengths, total, best


@pytest.mark.parametrize("single", [True, False])
@pytest.mark.parametrize("words", [[3], [0, 3, 2], [1, 0, 0, 3]])
def test_sums_and_best_path_are_those_of_enumeration(model, words, single):
    counts = [np.zeros_like(array) for array in model]
    counts[2] = np.zeros((TYPES, FIELDS, 2))
    given = (np.array(words), RECORD_TYPES, VALUES, single, *model)
    segments, likelihood = expect(*given, *counts)

    readings = list(enumerate_readings(model, words, single))
    total = sum(p for _, _, p, _ in readings)
    assert likelihood == pytest.approx(np.log(total))
    for record in range(len(RECORD_TYPES)):
        expected = sum(records.count(record) * p for records, _, p, _ in readings) / total
        assert segments[record] == pytest.approx(expected)
    nothing = sum(records.count(None) * p for records, _, p, _ in readings) / total
    assert counts[0][:, NONE].sum() == pytest.approx(nothing)
    assert counts[0][:, :NONE].sum() == pytest.approx(segments.sum())
    words_counted = counts[3].sum() + counts[2].sum() + counts[5].sum()
    assert words_counted == pytest.approx(len(words))

    records, lengths, _, _ = max(readings, key=lambda reading: reading[3])
    path = [-1 if r is None else r for r, n in zip(records, lengths, strict=True) for _ in range(n)]
    assert best_records(*given).tolist() == path


def test_a_round_makes_the_corpus_likelier(model):
    """Expectation-maximisation without smoothing never loses likelihood."""
    corpus = [[0, 3, 2], [1, 0, 0, 3], [2, 2]]

    def one_round(parameters):
        counts = [np.zeros_like(array) for array in parameters]
        counts[2] = np.zeros((TYPES, FIELDS, 2))
        likelihood = sum(
            expect(np.array(words), RECORD_TYPES, VALUES, False, *parameters, *counts)[1]
            for words in corpus
        )
        counts = [np.maximum(array, 1e-12) for array in counts]
        counts[1] *= allowed_steps([3, 3], FIELDS)
        again = [array / np.maximum(array.sum(-1, keepdims=True), 1e-12) for array in counts]
        again[2] = again[2][..., 1]
        return likelihood, tuple(again)

    likelihoods = []
    for _ in range(6):
        likelihood, model = one_round(model)
        likelihoods.append(likelihood)
    assert likelihoods == sorted(likelihoods)
    assert likelihoods[-1] > likelihoods[0] + 0.1


def peak_of(match, arguments: str) -> int:
    aligner = make_aligner("liang2009", {"arguments": arguments, "rounds": 1})
    aligner.fit([match])
    tracemalloc.start()
    try:
        aligner.align(match)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_memory_is_linear_in_arguments_and_long_sentences_run(sample):
    """The paper's out-of-memory case: more than six arguments, a sentence of 600 words."""
    match = sample[0].match
    long = Comment(id="long", text=" ".join(c.text for c in match.comments)[:4000], period=1,
                   start=1500, end=1500)  # fmt: skip
    match = match.with_comments([long])
    few, many = peak_of(match, "player,team"), peak_of(match, "*,player,team,others")
    fields = 1 + len({name for event in match.linkable for name in event.arguments}) + 9
    assert fields > 12
    assert many < few * fields


def test_it_learns_from_the_bundled_matches():
    """Names alone are what it starts from; words and fields come with learning."""
    scores = [
        evaluate(corpus_path(), make_aligner("liang2009", {"rounds": rounds})).total.metrics()["f1"]
        for rounds in (0, 15)
    ]
    assert scores[1] > scores[0] + 0.05
