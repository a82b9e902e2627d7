"""The RoboCup protocol: four games, transductive and 4-fold, which sentences count, ceilings.

Standard: precision over all comments that are answered, recall over all gold meanings. Papers do
not say which sentences they count, so every run is scored on several sets of them, and every system
also learns from the smallest set alone, as if it were the corpus.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from touchline.core.records import Comment, CommentId
from touchline.evaluation.bootstrap import intervals
from touchline.evaluation.metrics import Score, add_up, score_each
from touchline.io.corpus.layout import LabelledMatch
from touchline.reproduce.runs import Run, make
from touchline.reproduce.systems import System

# Learned from all four games, or from the three that are not answered.
TASKS = ("total", "folds")
# The same, where the corpus is no more than the sentences of `SUBSET`.
SUBSET_TASKS = {"subset": "total", "subset_folds": "folds"}
# Sentences that count: with candidates or gold; with candidates; with gold; with gold among the
# candidates; the same where meanings are compared as strings.
SENTENCES = ("listed", "candidates", "gold", "reachable", "spelled")
SUBSET = "spelled"


def run(system: System, task: str, games: Sequence[LabelledMatch], seed: int) -> Run:
    """Learn from all games and answer them (`total`), or from three and answer the fourth."""
    if task in SUBSET_TASKS:
        games, task = [only(game, SUBSET) for game in games], SUBSET_TASKS[task]
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


def tasks_of(system: System) -> tuple[str, ...]:
    """A reading is scored on all sets, but not learned from a set alone: there are too many."""
    return TASKS if system.reading else (*TASKS, *SUBSET_TASKS)


def only(game: LabelledMatch, sentences: str) -> LabelledMatch:
    """A game whose commentary is no more than a set of sentences."""
    kept = [comment for comment in game.match.comments if counts(game, comment, sentences)]
    gold = {comment.id: _gold(game, comment) for comment in kept}
    return msgspec.structs.replace(game, match=game.match.with_comments(kept), gold=gold)


def counts(game: LabelledMatch, comment: Comment, sentences: str) -> bool:
    """Whether a comment belongs to a set of sentences."""
    gold, candidates = _gold(game, comment), comment.candidates or ()
    reachable = bool(gold & {game.key(event) for event in candidates})
    return {
        "listed": bool(gold or candidates),
        "candidates": bool(candidates),
        "gold": bool(gold),
        "reachable": reachable,
        "spelled": reachable and comment.id not in game.respelt,
    }[sentences]


def _gold(game: LabelledMatch, comment: Comment) -> frozenset[str]:
    return (game.gold or {}).get(comment.id, frozenset())


def _total(
    games: Sequence[LabelledMatch], scores: dict[str, dict[CommentId, Score]], seed: int
) -> dict[str, Any]:
    every = [score for each in scores.values() for score in each.values()]
    by_sentences = {
        name: add_up(
            scores[game.match.name][comment.id] for game, comment in _counted(games, name)
        ).metrics()
        for name in SENTENCES
    }
    return {
        **add_up(every).metrics(),
        "interval": intervals(every, seed),
        "denominators": by_sentences,
    }


def _counted(
    games: Sequence[LabelledMatch], sentences: str
) -> Iterable[tuple[LabelledMatch, Comment]]:
    for game in games:
        for comment in game.match.comments:
            if counts(game, comment, sentences):
                yield game, comment


def ceilings(games: Sequence[LabelledMatch]) -> dict[str, Any]:
    """What can be reached at most with the listed candidates, counted from the files.

    Of each set of sentences: `always` with an answer for every comment that has candidates,
    `silent` right wherever the gold is among them and silent elsewhere. A comment without
    candidates cannot be answered, so it costs recall and no precision. Two more for all sentences:
    `always_listed` with an answer for those without candidates too, as the literature counts
    pairs; `always_given` the same where these are given their gold.
    """
    found = {name: _ceiling(games, name) for name in SENTENCES}
    every, answered, gold = (found[name] for name in ("listed", "candidates", "gold"))
    given = every["gold"] - answered["gold"]
    right, listed, golds = every["reachable"], every["comments"], every["gold"]
    return {
        "counts": {
            "comments": sum(len(game.match.comments) for game in games),
            "with_candidates": answered["comments"], "gold": golds,
            "with_candidates_or_gold": listed, "gold_among_candidates": right,
        },
        "f1": {
            "silent": every["silent"], "always": every["always"],
            "always_listed": _f1(right, listed, golds),
            "always_given": _f1(right + given, listed, golds),
            "gold_always": gold["always"], "gold_silent": gold["silent"],
            "reachable": found["reachable"]["silent"],
        },
        "sentences": found,
    }  # fmt: skip


def _ceiling(games: Sequence[LabelledMatch], sentences: str) -> dict[str, Any]:
    counted = list(_counted(games, sentences))
    golds = sum(len(_gold(game, comment)) for game, comment in counted)
    right = sum(counts(game, comment, "reachable") for game, comment in counted)
    answered = sum(bool(comment.candidates) for _, comment in counted)
    by_game = {game.match.name: 0 for game in games}
    for game, _ in counted:
        by_game[game.match.name] += 1
    return {
        "comments": len(counted), "gold": golds, "reachable": right, "games": by_game,
        "always": _f1(right, answered, golds), "silent": _f1(right, right, golds),
    }  # fmt: skip


def _f1(right: int, predicted: int, gold: int) -> float:
    return 2 * right / (predicted + gold) if predicted + gold else 0.0
