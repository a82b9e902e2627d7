"""The probability that an event gets described: a logistic model over its features."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources
from pathlib import Path

import msgspec
import numpy as np

from touchline.core.arrays import Floats
from touchline.core.errors import InputError
from touchline.core.links import Links
from touchline.core.records import Match
from touchline.generation.facts.match import MatchFacts
from touchline.generation.selection.features import features

FORMAT = 1
# A feature that fewer events have is left out.
MIN_COUNT = 8
# The strength of the prior, and the steps of Newton's method.
PENALTY, STEPS = 4.0, 12
_BUNDLED = {"robocup": "robocup.json"}
_LIVE_TEXT = "live-text.json"


class SelectionModel(msgspec.Struct, frozen=True, kw_only=True):
    """Weights of features, which say how likely an event is described.

    `rate` is the number of lines a minute in the corpora that it learned from, `threshold` the
    probability from which on picked events have the highest expected F1.
    """

    format: int = FORMAT
    bias: float
    weights: Mapping[str, float]
    rate: float
    threshold: float = 0.5

    def scores(self, facts: MatchFacts | Match) -> dict[str, float]:
        """Return how likely each linkable event of a match is described.

        Parameters
        ----------
        facts
            The facts of a match, or the match.

        Returns
        -------
        dict[str, float]
            A probability by the id of the event, in the order of the log.
        """
        facts = facts if isinstance(facts, MatchFacts) else MatchFacts(facts)
        order = list(facts.all())
        found = features(order, _sides(facts.match))
        sums = [self.bias + sum(self.weights.get(name, 0.0) for name in row) for row in found]
        chances = 1 / (1 + np.exp(-np.asarray(sums, dtype=float)))
        return {one.id: float(p) for one, p in zip(order, chances, strict=True)}

    def to_bytes(self) -> bytes:
        """The model as JSON, the same bytes for the same weights."""
        return msgspec.json.format(msgspec.json.encode(self), indent=1) + b"\n"


def fit_selection(linked: Iterable[Links]) -> SelectionModel:
    """Learn which events get described from linked commentary, without labels.

    Parameters
    ----------
    linked
        The links of each match, by any method; each knows its match.

    Returns
    -------
    SelectionModel
        The weights; they hold kinds and features, no names and no text.
    """
    rows: list[list[str]] = []
    targets: list[float] = []
    lines = minutes = 0.0
    for links in linked:
        facts = MatchFacts(links.match)
        described = _described(links)
        order = list(facts.all())
        rows += features(order, _sides(links.match))
        targets += [described.get(one.id, 0.0) for one in order]
        lines += sum(bool(answer.events) for answer in links)
        minutes += sum(links.match.ends.values()) / 60
    counts = Counter(name for row in rows for name in row)
    names = sorted(name for name, count in counts.items() if count >= MIN_COUNT)
    place = {name: number + 1 for number, name in enumerate(names)}
    table = np.zeros((len(rows), len(names) + 1))
    table[:, 0] = 1
    for number, row in enumerate(rows):
        table[number, [place[name] for name in row if name in place]] = 1
    target = np.asarray(targets)
    weights = _newton(table, target)
    threshold = best_threshold(1 / (1 + np.exp(-table @ weights)))
    return SelectionModel(
        bias=round(float(weights[0]), 4),
        weights={name: round(float(weights[place[name]]), 4) for name in names},
        rate=round(lines / max(minutes, 1.0), 3),
        threshold=round(threshold, 3),
    )


def _described(links: Links) -> dict[str, float]:
    """How likely each event is described by some comment, by everything the links consider."""
    missed: dict[str, float] = {}
    for answer in links:
        for link in answer.candidates or answer.events:
            missed[link.id] = missed.get(link.id, 1.0) * (1.0 - min(link.score, 1.0))
    return {event: 1.0 - share for event, share in missed.items()}


def best_threshold(chances: Floats) -> float:
    """From which probability on events are picked, so that the expected F1 is highest."""
    if not len(chances):
        return 0.5
    ranked = np.sort(chances)[::-1]
    places = np.arange(1, len(ranked) + 1)
    expected = 2 * np.cumsum(ranked) / (places + ranked.sum())
    return float(ranked[expected.argmax()])


def _newton(table: Floats, target: Floats) -> Floats:
    """Logistic regression with a Gaussian prior on every weight but the first."""
    weights = np.zeros(table.shape[1])
    prior = np.full(table.shape[1], PENALTY)
    prior[0] = 1e-6
    for _ in range(STEPS):
        chances = 1 / (1 + np.exp(-table @ weights))
        gradient = table.T @ (chances - target) + prior * weights
        spread = np.maximum(chances * (1 - chances), 1e-9)
        curvature = (table * spread[:, None]).T @ table + np.diag(prior)
        weights = weights - np.linalg.solve(curvature, gradient)
    return np.asarray(weights)


def _sides(match: Match) -> dict[str, int]:
    return {team.id: side for side, team in enumerate(match.teams)}


@cache
def bundled_selection(provider: str) -> SelectionModel:
    """The model that comes with touchline: RoboCup has its own."""
    name = _BUNDLED.get(provider, _LIVE_TEXT)
    data = resources.files(__package__).joinpath("bundled", name).read_bytes()
    return decode_selection(data, name)


def decode_selection(data: bytes, path: str | Path) -> SelectionModel:
    """A model from its JSON; a file of a later format is refused."""
    try:
        model = msgspec.json.decode(data, type=SelectionModel)
    except msgspec.DecodeError as error:
        raise InputError(path, f"not a selection model ({error})") from None
    if model.format > FORMAT:
        raise InputError(path, f"format {model.format}; this touchline reads up to {FORMAT}")
    return model
