"""How well `touchline check` finds altered comments: python -m benchmarks.check.

A third of the human comments of a match is altered in one way (`benchmarks.altered`). Links come
from a model that has not seen the match, weights and thresholds from the other matches: nothing of
a match decides how it is judged itself. Then come the findings in every text as it is (`--texts`:
only these). `--weights` learns the bundled weights from all matches and prints them. Intervals are
of a bootstrap over comments, at 95 %.
"""

from __future__ import annotations

import argparse
import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize

from benchmarks.altered import (
    Alter,
    alter,
    donors_of,
    wrong_outcome,
    wrong_player,
    wrong_score,
    wrong_team,
    wrong_time,
)
from benchmarks.measuring import Table, real_data, show
from touchline import Aligner, Match, check, load_aligner, make_aligner, read_corpus
from touchline.core.records import CommentId
from touchline.evaluation.held_out import Answering
from touchline.generation.check.checking import Checker, Thresholds
from touchline.generation.check.features import (
    EVENT_FEATURES,
    NAME_FEATURES,
    event_features,
    name_features,
)
from touchline.generation.check.model import Weights
from touchline.generation.check.reading import Reading, read
from touchline.io.corpus.layout import LabelledMatch
from touchline.sample import corpus_path

SEEDS = 3
L2 = 1.0
# Which kind of finding is right for an alteration, and the false alarms at which it is measured.
AIMS = {
    "wrong player": ("name", 0.05),
    "wrong team": ("name", 0.05),
    "wrong time": ("no-event", 0.08),
    "wrong outcome": ("outcome", 0.08),
    "wrong score": ("score", 0.05),
}
# Rules have no threshold to choose: they are measured at the one that is reported.
LIMITS = {"outcome": Thresholds().other, "score": Thresholds().other}
# A rate chosen on other matches is exceeded on half of all new ones: it is set this much lower.
MARGIN = 0.8
DRAWS = 1000
CORPORA = (
    ("epl-2015", "comments", "live text"), ("epl-2015", "bbc", "BBC lines"),
    ("sample", "comments", "bundled sample"), ("tv-spanish", "comments", "Spanish TV"),
    ("radio-2018", "comments", "radio"), ("tv-2015", "comments", "TV"),
)  # fmt: skip


Way = Callable[[Match, random.Random], Alter]


class Case(NamedTuple):
    """A match of which a third was altered, as it was read by a model that has not seen it."""

    alteration: str
    text: str
    match: Match
    changed: frozenset[CommentId]
    possible: frozenset[CommentId]
    readings: Sequence[Reading]
    named: dict[CommentId, set[str]]


class Judged(NamedTuple):
    """The scores of a comment, by kind of finding; whether it was altered; of which match."""

    match: str
    altered: bool
    scores: dict[str, float]


class LeftOut:
    """Models that have not seen a match, nor the labels of its log; kept in a folder if given.

    It is for one version of the code; nothing checks that.
    """

    def __init__(self, every: Sequence[LabelledMatch], labels: bool, folder: Path | None) -> None:
        self._method = "chains" if labels else "chains:unlabelled"
        golds = {one.match.name: one.gold or {} for one in every}
        self._answering = Answering(make_aligner(self._method), [m.match for m in every], golds)
        self._folder = folder

    def __call__(self, match: Match) -> Aligner:
        if self._folder is None:
            return self._answering.left_out(match)
        path = self._folder / f"{self._method.replace(':', '-')}-{match.name}.npz"
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._answering.left_out(match).save(path)
        return load_aligner(path)


def cases(
    data: Path, labels: bool, only: Sequence[str] = (), models: Path | None = None
) -> list[Case]:
    """Every match with every alteration, several times."""
    every = list(read_corpus(data / "epl-2015", clock="minute"))
    second = {m.match.name: m for m in read_corpus(data / "epl-2015", clock="minute", track="bbc")}
    left_out = LeftOut(every, labels, models)
    found = []
    for one in every:
        if only and one.match.name not in only:
            continue
        aligner = left_out(one.match)
        others = [other for other in every if other is not one]
        donors = list(donors_of([o.match for o in others], [o.gold or {} for o in others]))
        found += _cases("live text", one.match, aligner, {
            "wrong player": wrong_player,
            "wrong team": wrong_team,
            "wrong time": wrong_time,
            "wrong outcome": wrong_outcome(donors, one.gold or {}),
            "wrong score": wrong_score,
        })  # fmt: skip
        ways = {"wrong player": wrong_player, "wrong score": wrong_score}
        found += _cases("BBC lines", second[one.match.name].match, aligner, ways)
    return found


def _cases(text: str, match: Match, aligner: Aligner, ways: Mapping[str, Way]) -> Iterator[Case]:
    named = {r.comment.id: set(r.players) for r in read(match, aligner, hide=False)}
    for name, way in ways.items():
        for seed in range(SEEDS):
            chance = random.Random(f"{match.name} {text} {name} {seed}")
            changed = alter(match, way(match, chance), chance)
            hide = AIMS[name][0] == "name"
            yield Case(name, text, changed.match, changed.changed, changed.possible,
                       read(changed.match, aligner, hide), named)  # fmt: skip


def learn(some: Sequence[Case]) -> Weights:
    """Weights of names from altered players, of events from altered times."""
    names: list[tuple[list[float], bool]] = []
    events: list[tuple[list[float], bool]] = []
    for case in some:
        checker = Checker(case.match)
        if case.text != "live text":
            continue
        index, people = checker.rules.index, {p.id: p for p in case.match.players}
        for reading in case.readings if case.alteration == "wrong player" else ():
            for player in reading.hidden:
                values, *_ = name_features(case.match, index, reading, people[player])
                new = player not in case.named[reading.comment.id]
                names.append((values, new and reading.comment.id in case.changed))
        for reading in case.readings if case.alteration == "wrong time" else ():
            if reading.time is not None and reading.acts and (reading.players or reading.teams):
                values = event_features(case.match, index, reading)
                events.append((values, reading.comment.id in case.changed))
    return Weights(
        dict(zip(NAME_FEATURES, _logistic(names), strict=True)),
        dict(zip(EVENT_FEATURES, _logistic(events), strict=True)),
    )


def _logistic(rows: Sequence[tuple[list[float], bool]]) -> list[float]:
    """Weights of a logistic regression; all but the constant are drawn to zero."""
    x = np.array([values for values, _ in rows])
    y = np.array([wrong for _, wrong in rows], dtype=float)

    def loss(w: np.ndarray) -> tuple[float, np.ndarray]:
        z = x @ w
        drawn = np.append(0.0, w[1:])
        gradient = x.T @ (1 / (1 + np.exp(-z)) - y) + L2 * drawn
        return float(np.logaddexp(0, z).sum() - y @ z + L2 / 2 * drawn @ drawn), gradient

    found = minimize(loss, np.zeros(x.shape[1]), jac=True, method="L-BFGS-B")
    return [round(float(weight), 2) for weight in found.x]


def judge(case: Case, weights: Weights) -> Iterator[Judged]:
    """The comments that the alteration is about: the altered, and those that could have been."""
    checker = Checker(case.match, weights)
    for reading in case.readings:
        if reading.comment.id not in case.possible:
            continue
        scores: dict[str, float] = defaultdict(float)
        for doubt in checker.doubts(reading):
            scores[doubt.kind] = max(scores[doubt.kind], doubt.probability)
        scores["any"] = max(scores.values(), default=0.0)
        yield Judged(case.match.name, reading.comment.id in case.changed, scores)


def measured(every: Sequence[Case]) -> dict[tuple[str, str], list[Judged]]:
    """The comments of each alteration, each judged by what the other matches have taught."""
    found: dict[tuple[str, str], list[Judged]] = defaultdict(list)
    for name in dict.fromkeys(case.match.name for case in every):
        weights = learn([case for case in every if case.match.name != name])
        for case in every:
            if case.match.name == name:
                found[case.text, case.alteration] += judge(case, weights)
    return found


def row(text: str, alteration: str, judged: Sequence[Judged]) -> list[str]:
    """Found and false alarms at a threshold that the other matches give, and the AUC."""
    kind, rate = AIMS[alteration]
    score = np.array([one.scores.get(kind, 0.0) for one in judged])
    wrong = np.array([one.altered for one in judged], dtype=bool)
    match = np.array([one.match for one in judged])
    alarm = np.zeros(len(judged), dtype=bool)
    for name in set(match):
        here = match == name
        limit = LIMITS.get(kind) or _threshold(score[~here & ~wrong], MARGIN * rate)
        alarm[here] = score[here] > limit
    return [
        text, alteration, kind, str(wrong.sum()), _share(alarm[wrong]), _share(alarm[~wrong]),
        f"{_auc(score, wrong):.2f} [{', '.join(f'{b:.2f}' for b in _auc_interval(score, wrong))}]",
    ]  # fmt: skip


def _threshold(of_true: np.ndarray, rate: float) -> float:
    """The score that only such a share of unaltered comments exceeds."""
    ordered = np.sort(of_true)[::-1]
    return float(ordered[min(int(rate * len(ordered)), len(ordered) - 1)]) if len(ordered) else 1.0


def _share(hits: np.ndarray) -> str:
    chance = np.random.default_rng(0)
    drawn = [chance.choice(hits, len(hits)).mean() for _ in range(DRAWS)]
    low, high = np.percentile(drawn, (2.5, 97.5))
    return f"{100 * hits.mean():.1f} [{100 * low:.1f}, {100 * high:.1f}]"


def _auc(score: np.ndarray, wrong: np.ndarray) -> float:
    """The probability that an altered comment scores higher than another; ties count half."""
    pairs = score[wrong][:, None] - score[~wrong][None]
    return float((pairs > 0).mean() + (pairs == 0).mean() / 2)


def _auc_interval(score: np.ndarray, wrong: np.ndarray) -> tuple[float, float]:
    chance = np.random.default_rng(0)
    drawn = []
    for _ in range(200):
        some = chance.integers(len(score), size=len(score))
        drawn.append(_auc(score[some], wrong[some]))
    low, high = np.percentile(drawn, (2.5, 97.5))
    return float(low), float(high)


def altered_comments(labels: bool, only: Sequence[str], models: Path | None) -> Table:
    """How many altered comments are found, and how many others."""
    every = cases(real_data(), labels, only, models)
    rows = [row(*name, judged) for name, judged in measured(every).items() if judged]
    head = ["text", "altered", "finding", "comments", "found %", "false alarms %", "AUC"]
    return Table(f"Altered comments, links {'with' if labels else 'without'} labels", head, rows)


def unaltered_texts(models: Path | None) -> Table:
    """Errors and warnings in every text as it is; written text by a model that has not seen it."""
    data = real_data()
    left_out = LeftOut(list(read_corpus(data / "epl-2015", clock="minute")), True, models)
    rows: list[list[object]] = []
    for corpus, track, name in CORPORA:
        folder = corpus_path() if corpus == "sample" else data / corpus
        is_known = corpus == "epl-2015"
        for one in read_corpus(folder, clock="minute" if is_known else "second", track=track):
            own = left_out(one.match) if is_known else make_aligner("chains")
            found = check(one.match, method=own)
            errors = sum(f.severity == "error" for f in found)
            counts = (len(one.match.comments), errors, len(found) - errors, int(errors > 0))
            rows.append([name, one.match.name, *counts])
    head = ["text", "match", "comments", "errors", "warnings", "exit"]
    exits = sum(row[-1] == 1 for row in rows)
    return Table("Unaltered texts", head, rows, f"{exits} of {len(rows)} texts exit with 1.")


def tables() -> Iterator[Table]:
    given = _asked()
    if not given.texts:
        for labels in (False,) if given.unlabelled else (True, False):
            yield altered_comments(labels, given.only, given.models)
    if not given.unlabelled:
        yield unaltered_texts(given.models)


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.check")
    parser.add_argument("--weights", action="store_true", help="learn and print the weights")
    parser.add_argument("--texts", action="store_true", help="only the texts as they are")
    parser.add_argument("--unlabelled", action="store_true", help="only links without any label")
    parser.add_argument("--only", nargs="*", default=(), help="matches to look at")
    parser.add_argument("--models", type=Path, help="folder to keep the learned models in")
    return parser.parse_args()


def main() -> None:
    given = _asked()
    if given.weights:
        weights = learn(cases(real_data(), True, given.only, given.models))
        print(weights.name, weights.event, sep="\n")
    else:
        show(tables())


if __name__ == "__main__":
    main()
