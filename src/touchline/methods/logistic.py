"""Ridge-penalised logistic models of sparse features."""

from __future__ import annotations

import numpy as np
from scipy import sparse
from scipy.optimize import minimize

from touchline.core.arrays import Floats

RIDGE = 1.0


def sigmoid(margin: Floats) -> Floats:
    return np.asarray(0.5 * (1 + np.tanh(margin / 2)))


def logistic(features: sparse.csr_matrix, chosen: np.ndarray) -> Floats:
    """Weights that separate the chosen rows from the others."""

    def loss(weights: Floats) -> tuple[float, Floats]:
        margin = features @ weights
        value = np.logaddexp(0, margin).sum() - margin[chosen].sum() + RIDGE / 2 * weights @ weights
        return float(value), features.T @ (sigmoid(margin) - chosen) + RIDGE * weights

    start = np.zeros(features.shape[1])
    return np.asarray(minimize(loss, start, jac=True, method="L-BFGS-B").x)
