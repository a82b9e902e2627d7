"""The RoboCup protocol: four games, transductive and 4-fold, denominators and ceilings.

Standard: precision over all comments that are answered, recall over all gold meanings. The
alternatives look only at comments that have a gold meaning, or whose gold is among the candidates
that the corpus lists.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from touchline.core.records import CommentId
from touchline.evaluation.bootstrap import intervals
from touchline.evaluation.metrics import Score, add_up, score_each
from touchline.io.corpus.layout import LabelledMatch
from touchline.reproduce.runs import Run, make
from touchline.reproduce.systems import System

TASKS = ("total", "folds")
DENOMINATORS = ("gold", "reachable")


def run(system: System, task: str, games: Sequence[LabelledMatch], seed: int) -> Run:
    """Learn from all games and answer them (`total`), or from three and answer the fourth."""
    scores: dict[str, dict[CommentId, Score]] = {}
    aligner = make(system, seed)
    if task == "total":
        aligner.fit([game.match for game in games])
    for game in games:
        if task == "folds":
            aligner = make(system, seed)
            aligner.fit([other.match for other in games if other is not game])
        scores[game.match.name] = score_each(game, aligner.align(game.match))
    report = {
        "games": {name: add_up(each.values()).metrics() for name, each in scores.items()},
        "total": _total(games, scores, seed),
    }
    return Run(report)


def _total(
    games: Sequence[LabelledMatch], scores: dict[str, dict[CommentId, Score]], seed: int
) -> dict[str, Any]:
    every = [score for each in scores.values() for score in each.values()]
    alternatives = {}
    for name in DENOMINATORS:
        counted = [
            scores[game.match.name][comment] for game in games for comment in _counted(game, name)
        ]
        alternatives[name] = add_up(counted).metrics()
    return {
        **add_up(every).metrics(),
        "interval": intervals(every, seed),
        "denominators": alternatives,
    }


def _counted(game: LabelledMatch, denominator: str) -> Iterable[CommentId]:
    """The comments that an alternative denominator looks at."""
    for comment in game.match.comments:
        gold = (game.gold or {}).get(comment.id, frozenset())
        if gold and (denominator == "gold" or gold & _meanings(game, comment.candidates)):
            yield comment.id


def _meanings(game: LabelledMatch, candidates: Iterable[str] | None) -> set[str]:
    return {game.key(event) for event in candidates or ()}


def ceilings(games: Sequence[LabelledMatch]) -> dict[str, Any]:
    """What can be reached at most, counted from the files.

    `silent`: right wherever the gold is among the candidates, silent elsewhere. `always`: an
    answer for every comment with candidates; `always_listed`: for every comment with candidates
    or gold, as the literature counts pairs; `always_given`: the same where comments without
    candidates are given their gold. `gold_always` and `gold_silent`: the first two where only
    comments with a gold meaning count. A comment without candidates cannot be answered, so it
    costs recall and no precision. `reachable`: only comments whose gold is among the candidates.
    """
    golds = reachable = answered = listed = given = comments = 0
    for game in games:
        for comment in game.match.comments:
            gold = (game.gold or {}).get(comment.id, frozenset())
            candidates = comment.candidates or ()
            comments += 1
            golds += len(gold)
            reachable += bool(gold & _meanings(game, candidates))
            answered += bool(candidates)
            listed += bool(candidates or gold)
            given += bool(gold and not candidates)
    return {
        "counts": {"comments": comments, "with_candidates": answered, "gold": golds,
                   "with_candidates_or_gold": listed, "gold_among_candidates": reachable},
        "f1": {
            "silent": _f1(reachable, reachable, golds),
            "always": _f1(reachable, answered, golds),
            "always_listed": _f1(reachable, listed, golds),
            "always_given": _f1(reachable + given, listed, golds),
            "gold_always": _f1(reachable, golds - given, golds),
            "gold_silent": _f1(reachable, reachable, golds),
            "reachable": _f1(reachable, reachable, reachable),
        },
    }  # fmt: skip


def _f1(right: int, predicted: int, gold: int) -> float:
    return 2 * right / (predicted + gold) if predicted + gold else 0.0
