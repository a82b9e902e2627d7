"""Learning from condensed matches: nothing is lost, and it makes no difference where they are."""

from __future__ import annotations

import numpy as np
import pytest

from touchline import make_aligner
from touchline.methods.buckets import Window
from touchline.methods.chains.data import language
from touchline.methods.chains.data.hypotheses import condense, in_language, prepare
from touchline.methods.chains.data.language import Survey, language_of, learn_language, survey
from touchline.methods.chains.data.mentions import mentions_of
from touchline.methods.chains.model.serialization import pack_match, unpack_match, unpack_survey
from touchline.methods.chains.model.sufficient_stats import BY_WORD, Counts
from touchline.methods.match_store import InMemory

WINDOW = Window(150, 150)


def around(match) -> list[str]:
    return [word for own in mentions_of(match) for m in own for word in m.around]


def arrays_of(record) -> list[np.ndarray]:
    """The arrays of a record and of the records in it."""
    if isinstance(record, tuple):
        return [array for field in record for array in arrays_of(field)]
    return [np.asarray(record)]


@pytest.fixture(scope="module")
def packed(sample):
    """The bundled matches as they lie on disk."""
    return [
        pack_match(
            *condense(one.match, mentions_of(one.match), WINDOW),
            survey(one.match, around(one.match)),
        )
        for one in sample
    ]


def test_a_condensed_match_is_the_same_in_any_language(sample, packed):
    first, second = (one.match for one in sample)
    for matches in ([first], [second], [first, second]):
        known = learn_language(matches, [w for match in matches for w in around(match)])
        for match, arrays in zip((first, second), packed, strict=True):
            direct = prepare(match, known, mentions_of(match), WINDOW)
            again = in_language(*unpack_match(arrays), known)
            for mine, theirs in zip(arrays_of(direct), arrays_of(again), strict=True):
                assert mine.dtype == theirs.dtype
                np.testing.assert_array_equal(mine, theirs)


def test_surveys_of_matches_add_up_to_their_language(sample, packed):
    matches = [one.match for one in sample]
    found = Survey.nothing()
    for arrays in packed:
        found.add(unpack_survey(arrays))
    expected = learn_language(matches, [w for match in matches for w in around(match)])
    assert language_of(found) == expected


def test_numbers_are_kept_as_narrow_as_they_are(packed):
    assert packed[0]["comments.chains"].dtype == np.int16
    assert packed[0]["comments.head"].dtype == np.int8
    assert sum(array.nbytes for array in packed[0].values()) < 1_000_000


def test_of_endless_words_the_most_common_are_learned(packed, monkeypatch):
    found = unpack_survey(packed[0])
    every = language_of(found).vocabulary
    monkeypatch.setattr(language, "MAX_WORDS", 10)
    few = language_of(found).vocabulary
    assert len(few) == 10 < len(every)
    assert few == sorted(few)
    rarest = min(found.comments[word] for word in few)
    assert all(found.comments[word] <= rarest for word in set(every) - set(few))


def test_counts_of_a_part_of_the_words_add_up_like_whole_ones(sample):
    match = sample[0].match
    known = learn_language([match], around(match))
    counts, total = Counts.zero(known), Counts.zero(known)
    words = np.array([[3, 5, -1], [5, -1, -1]])
    for name, array in zip(counts._fields, counts, strict=True):
        if name in BY_WORD:
            array[..., [3, 5]] = 2.5
        else:
            array += 1.25
    part = counts.part(words)
    assert part.words.tolist() == [3, 5]
    total.add(part)
    for mine, theirs in zip(total, counts, strict=True):
        np.testing.assert_array_equal(mine, theirs)


def test_learning_goes_on_from_what_was_kept(sample):
    """Whatever round it is interrupted in, the same is learned."""
    aligner = make_aligner("chains", {"rounds": 6})
    short = [one.match.with_comments(one.match.comments[:20]) for one in sample]
    condensed = [aligner.condense(match) for match in short]
    states = []

    class Remembering(InMemory):
        def save_checkpoint(self, state):
            states.append(state)

        def load_checkpoint(self):
            return states[-1] if states else None

    aligner.learn(Remembering(condensed))
    assert len(states) == 6
    expected = aligner.parameters()
    for done in (1, 4, 6):
        del states[done:]
        aligner.learn(Remembering(condensed))
        for name, array in aligner.parameters().items():
            np.testing.assert_array_equal(array, expected[name])
        assert len(states) == 6
