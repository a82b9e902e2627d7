"""Scores against labels: metrics and the protocols that use them."""

from touchline.evaluation.comparison import compare
from touchline.evaluation.metrics import Score, score_comments, score_lines
from touchline.evaluation.protocol import Evaluation, evaluate, evaluate_predictions

__all__ = [
    "Evaluation",
    "Score",
    "compare",
    "evaluate",
    "evaluate_predictions",
    "score_comments",
    "score_lines",
]
