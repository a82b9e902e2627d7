"""The consensus: each sentence is judged by models that have not seen it."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from touchline.methods.pairrank.ranking.consensus import FOLDS, consensus, winners

SENTENCES = 4 * FOLDS


class Few:
    """Pairs of sentences that share no word, each with an event of either type."""

    def __init__(self) -> None:
        self.sentence = np.repeat(np.arange(SENTENCES), 2)
        self.words = sparse.identity(SENTENCES, format="csr")
        self.strings = np.ones((2 * SENTENCES, 1))

    def __len__(self) -> int:
        return len(self.sentence)


def test_what_a_sentence_won_does_not_speak_for_itself():
    """Words that no other sentence has say nothing, so all pairs of a type are judged alike."""
    pairs, types = Few(), np.tile([0, 1], SENTENCES)
    rho = np.random.default_rng(0).random(len(pairs))
    probability = consensus(pairs, rho, types)
    for kind in (0, 1):
        for fold in range(FOLDS):
            judged = probability[(types == kind) & (pairs.sentence % FOLDS == fold)]
            assert judged == pytest.approx(judged[0])


def test_one_pair_of_each_sentence_wins_the_first_of_equals():
    sentence = np.array([0, 0, 1, 2, 2, 2])
    won = winners(sentence, np.array([0.1, 0.2, 0.0, 0.5, 0.5, 0.4]))
    assert won.tolist() == [False, True, True, True, False, False]
