""" "No event" by consensus (ours): does what was chosen look like what else was chosen?

For each event type a logistic model separates the pairs of that type which won their sentence
from those which lost, by the sentence's words and the string match. Each sentence is judged by
models that have not seen it. The winners are chosen anew by these probabilities until they stay the
same; a sentence whose best pair is improbable describes nothing and has no winner.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse

from touchline.core.arrays import Floats, Ints
from touchline.methods.logistic import logistic, sigmoid
from touchline.methods.pairs.pairing import Pairs

ROUNDS = 20
FOLDS = 10
PROBABLE = 0.5


def consensus(pairs: Pairs, rho: Floats, types: Ints) -> Floats:
    """Probability of each pair, starting from the winners by popularity."""
    ones = np.ones((len(pairs), 1))
    features = sparse.hstack([pairs.words[pairs.sentence], pairs.strings, ones]).tocsr()
    fold = pairs.sentence % FOLDS
    chosen = winners(pairs.sentence, rho)
    probability = np.zeros(len(pairs))
    for _ in range(ROUNDS):
        for kind in np.unique(types):
            for part in range(FOLDS):
                judged = np.flatnonzero((types == kind) & (fold == part))
                others = np.flatnonzero((types == kind) & (fold != part))
                weights = logistic(features[others], chosen[others])
                probability[judged] = sigmoid(features[judged] @ weights)
        # Popularity breaks the ties of pairs that nothing else distinguishes.
        again = winners(pairs.sentence, probability + 1e-9 * rho) & (probability >= PROBABLE)
        if np.array_equal(again, chosen):
            break
        chosen = again
    return probability


def winners(sentence: Ints, score: Floats) -> np.ndarray:
    """Which pairs are the best of their sentence; the first of equals."""
    order = np.lexsort((np.arange(len(score)), -score, sentence))
    first = np.ones(len(order), dtype=bool)
    first[1:] = np.diff(sentence[order]) != 0
    chosen = np.zeros(len(score), dtype=bool)
    chosen[order[first]] = True
    return chosen
