"""How long after an event it is described (ours): a histogram learned from popularity itself."""

from __future__ import annotations

import numpy as np

from touchline.core.arrays import Floats, Ints
from touchline.methods.pairs.pairing import Pairs

WIDTH = 10.0
ROUNDS = 5
SMOOTHING = 1.0


def lag_weights(pairs: Pairs, rho: Floats) -> Floats:
    """How much likelier each pair's lag is among popular pairs than among all."""
    bins = _bins(pairs.lag)
    every = np.bincount(bins) + SMOOTHING
    shares = rho / np.maximum(np.bincount(pairs.sentence, weights=rho), 1e-300)[pairs.sentence]
    popular = np.bincount(bins, weights=shares) + SMOOTHING
    ratio = (popular / popular.sum()) / (every / every.sum())
    return np.asarray(ratio[bins])


def _bins(lag: Floats) -> Ints:
    number = np.floor(lag / WIDTH).astype(np.int64)
    return number - number.min() if len(number) else number
