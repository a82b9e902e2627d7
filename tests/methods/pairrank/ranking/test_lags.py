"""How usual a lag is: learned from popularity, counted by hand."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from touchline.methods.pairrank.ranking.lags import lag_weights


def test_lags_of_popular_pairs_weigh_more():
    """Three sentences with two events each, 5 s and 45 s ago; the nearer ones are popular."""
    pairs = SimpleNamespace(
        lag=np.array([5.0, 45.0] * 3), sentence=np.array([0, 0, 1, 1, 2, 2], dtype=np.int64)
    )
    weights = lag_weights(pairs, np.array([0.9, 0.1, 1.8, 0.2, 0.009, 0.001]))
    # Bins of 10 s hold 3, 0, 0, 0, 3 of all pairs and shares of 2.7 and .3 of what is described;
    # each has one more, so that no lag is impossible.
    near, far = (3.7 / 8) / (4 / 11), (1.3 / 8) / (4 / 11)
    assert weights == pytest.approx([near, far] * 3)
    assert near > 1 > far
