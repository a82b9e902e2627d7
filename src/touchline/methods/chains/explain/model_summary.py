"""What has been learned in all: how often each kind of event is described, and by which words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from touchline.core.arrays import Floats, Ints
from touchline.methods.chains.data.language import Language
from touchline.methods.chains.labelled.layer import LabelChoice
from touchline.methods.chains.model.m_step import Parameters
from touchline.methods.chains.model.sufficient_stats import (
    AFTER,
    AFTER_NAMED,
    BEFORE_NAMED,
    LAG_EDGES,
    LIVE,
    STATES,
    Counts,
)
from touchline.methods.explanation import Block, Grid, Line, ModelSummary

MAX_WORDS = 10
# Words that a kind brings less often than this say nothing of it.
MIN_OFTEN = 0.005
# Extensions that are expected to have happened less often were not learned but set out with.
MIN_STEPS = 1.0
# Expected numbers of descriptions, and steps, that are worth a reader's time.
MIN_SHOWN, MAX_SHOWN_STEPS = 0.5, 15
# Whose name a lag is counted from.
NAMED = ("actor", "receiver", "fouled", "replacement", "other", "nobody")


class ChainsModelSummary(ModelSummary, frozen=True, kw_only=True):
    """The parameters in words, the most frequent first."""

    kinds: list[dict[str, Any]]
    arguments: list[dict[str, Any]]
    unnamed: list[dict[str, Any]]
    extensions: list[dict[str, Any]]
    lag: dict[str, Any]
    order: dict[str, float]
    speaker: dict[str, dict[str, float]]
    none: float
    labels: list[dict[str, Any]]

    def blocks(self) -> Iterator[Block]:
        yield Grid(
            title="kinds of events, by how often they are described",
            texts=["kind", "words"],
            numbers=["main", "secondary", "candidates"],
            rows=[_kind_row(kind) for kind in self.kinds if _is_described(kind)],
        )
        if steps := self.extensions[:MAX_SHOWN_STEPS]:
            yield Grid(
                title="neighbours that are described together",
                texts=["from", "to"],
                numbers=["player", "often"],
                rows=[_step_row(step) for step in steps],
            )
        (low, high), order = self.lag["range"], self.order
        yield Line(f"\nno event: {self.none:.0%} of comments")
        yield Line(
            f"time: described events happened {self.lag['median']:g} s before the comment in the "
            f"median, 80% between {low:g} and {high:g} s"
        )
        yield Line(
            f"order: the next comment goes on {order['on']:.0%}, stays {order['same']:.0%}, "
            f"goes back {order['back']:.0%}"
        )
        states = (f"{name} {own['share']:.0%}" for name, own in self.speaker.items())
        yield Line(f"speaker: {', '.join(states)} of comments")
        for own in self.labels:
            yield Line(f"labels: {LabelChoice(**own)}")


def summarise(
    language: Language,
    counts: Counts,
    parameters: Parameters,
    labels: Sequence[LabelChoice] = (),
) -> ChainsModelSummary:
    return ChainsModelSummary(
        method="chains",
        kinds=list(_kinds(language, counts, parameters)),
        arguments=list(_others(language, counts, parameters, "argument")),
        unnamed=list(_others(language, counts, parameters, "type")),
        extensions=list(_extensions(language, counts, parameters)),
        lag=_lag(counts, parameters),
        order=_order(parameters),
        speaker=_states(counts),
        none=round(parameters.none, 4),
        labels=[{**choice._asdict(), "likelihood": dict(choice.likelihood)} for choice in labels],
    )


def _is_described(kind: dict[str, Any]) -> bool:
    return bool(kind["described"] + kind["in_groups"] >= MIN_SHOWN)


def _kind_row(kind: dict[str, Any]) -> list[str]:
    words = ", ".join(word["stem"] for word in kind["words"])
    numbers = f"{kind['described']:.0f}", f"{kind['in_groups']:.0f}", str(kind["available"])
    return [_readable(kind["kind"]), words, *numbers]


def _step_row(step: dict[str, Any]) -> list[str]:
    to = f"{_readable(step['to'])} {step['direction']} it"
    return [step["from"], to, "named" if step["named"] else "unnamed", f"{step['often']:.0%}"]


def _readable(kind: str) -> str:
    """`Pass|set_piece=Corner` as words."""
    return kind.replace("|", ", ").replace("=", " ").replace("_", " ")


def _kinds(language: Language, counts: Counts, p: Parameters) -> Iterator[dict[str, Any]]:
    """What an event of each kind brings when its player is named: its type's words and its own."""
    type_kinds = _type_kinds(language)
    described = _described_by_kind(counts, type_kinds)
    for k in np.argsort(-described, kind="stable").tolist():
        if counts.available[k] > 0:
            both = np.unique([type_kinds[k], k])
            yield {
                "kind": language.kinds[k],
                "described": round(float(counts.heads[k]), 2),
                "in_groups": round(float(max(described[k] - counts.heads[k], 0)), 2),
                "available": int(counts.available[k]),
                "rate": round(float(p.rate[k]), 6),
                "named": round(float(p.named[k]), 4),
                "words": _words(language, p, 1 - (1 - p.cause[both]).prod(axis=0)),
            }


def _type_kinds(language: Language) -> Ints:
    """The kind that is nothing but the type, for each kind."""
    number = {kind: i for i, kind in enumerate(language.kinds)}
    return np.array([number.get(kind.partition("|")[0], 0) for kind in language.kinds])


def _described_by_kind(counts: Counts, type_kinds: Ints) -> Floats:
    """How often events of each kind are described, as heads or beside one.

    The causes of an event are its type and its kind, so that a type counts its finer kinds too.
    """
    finer = type_kinds != np.arange(len(type_kinds))
    described = counts.described[: len(type_kinds)].copy()
    np.subtract.at(described, type_kinds[finer], counts.described[: len(type_kinds)][finer])
    return described


def _others(
    language: Language, counts: Counts, p: Parameters, what: str
) -> Iterator[dict[str, Any]]:
    """What an event of each argument, or of each type if its player is not named, brings on top."""
    first = {"argument": len(language.kinds), "type": language.unnamed}[what]
    names = {"argument": language.arguments, "type": language.types}[what]
    described = counts.described[first : first + len(names)]
    for number in np.argsort(-described, kind="stable").tolist():
        words = _words(language, p, p.cause[first + number])
        if words:
            yield {
                what: names[number],
                "described": round(float(described[number]), 2),
                "words": words,
            }


def _words(language: Language, p: Parameters, often: Floats) -> list[dict[str, Any]]:
    """The words that speak most for a cause: brought often, and rare by themselves."""
    present = 1 - (1 - often) * (1 - p.background)
    weight = often * np.log(present / p.background)
    return [
        {
            "stem": language.vocabulary[w],
            "often": round(float(often[w]), 4),
            "background": round(float(p.background[w]), 4),
        }
        for w in np.argsort(-weight, kind="stable")[:MAX_WORDS].tolist()
        if often[w] >= MIN_OFTEN
    ]


def _extensions(language: Language, counts: Counts, p: Parameters) -> Iterator[dict[str, Any]]:
    """From which type chains go on to which kind, the most frequent steps first."""
    seen = np.argwhere(counts.steps >= MIN_STEPS)
    often = p.extend[tuple(seen.T)]
    for i in np.argsort(-often, kind="stable").tolist():
        direction, before, after = seen[i].tolist()
        yield {
            "from": language.types[before],
            "to": language.kinds[after],
            "direction": "after" if direction in (AFTER, AFTER_NAMED) else "before",
            "named": direction in (BEFORE_NAMED, AFTER_NAMED),
            "often": round(float(often[i]), 4),
            "described": round(float(counts.steps[direction, before, after]), 2),
        }


def _lag(counts: Counts, p: Parameters) -> dict[str, Any]:
    """How many seconds before a comment what it describes happened; odds against all that did."""
    seconds = np.append(LAG_EDGES, LAG_EDGES[-1])
    described = counts.lag.sum(axis=0)
    reached = np.cumsum(described) / max(described.sum(), 1e-9)
    low, middle, high = (float(seconds[np.argmax(reached >= q)]) for q in (0.1, 0.5, 0.9))
    return {
        "median": middle,
        "range": [low, high],
        "bins": [
            {
                "named": named,
                "seconds": float(seconds[i]),
                "described": round(float(counts.lag[row, i]), 2),
                "odds": round(float(p.lag[row, i]), 4),
            }
            for row, named in enumerate(NAMED)
            for i in np.flatnonzero(counts.lag_available).tolist()
        ],
    }


def _order(p: Parameters) -> dict[str, float]:
    """How heads move from comment to comment, as shares."""
    moves = p.order[:, LIVE, LIVE].sum(axis=0) / p.order[:, LIVE, LIVE].sum()
    return dict(zip(("on", "same", "back"), moves.round(4).tolist(), strict=True))


def _states(counts: Counts) -> dict[str, dict[str, float]]:
    """What the speaker does: in which share of the comments, and how often still in the next."""
    steps = counts.order.sum(axis=(0, 3))
    before, after = steps.sum(axis=1), steps.sum(axis=0) / max(float(steps.sum()), 1e-9)
    stays = np.diag(steps) / np.maximum(before, 1e-9)
    return {
        name: {"share": round(float(after[i]), 4), "stays": round(float(stays[i]), 4)}
        for i, name in enumerate(STATES)
    }
