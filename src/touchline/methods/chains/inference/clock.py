"""The clock of a commentary: how far behind the match it runs, comment by comment.

A clock that is off stays off, and may jump. Per period the lag of each comment is a hidden state in
bins of a few seconds: from one comment to the next it stays, creeps to a neighbouring bin, or, once
in a while, jumps to just any lag. What the state shows itself by are the comments' heads, which lie
about it; a comment that describes nothing shows nothing and takes its lag from those around it.
"""

from __future__ import annotations

from functools import lru_cache

import msgspec
import numpy as np

from touchline.core.arrays import Floats, distinct
from touchline.core.records import Comment, Match
from touchline.methods.base import Clock
from touchline.methods.chains.data.tables import MatchTables
from touchline.methods.chains.inference.posterior import Posterior, runs
from touchline.methods.chains.model.sufficient_stats import LAG_BINS as BINS
from touchline.methods.chains.model.sufficient_stats import LAG_EDGES, UNNAMED_LAG, sums

# Heads lie so many seconds about the clock (in the mean, to either side), but for a few that lie
# anywhere; the clock jumps once in so many comments, and creeps by a bin once in so many.
SPREAD, ASTRAY = 6.0, 0.1
JUMP, CREEP = 0.03, 0.2
# Names within so many seconds show how late speech is around them, against so many names that show
# nothing; a name counts if its event is that probable, and is said within so many seconds of it.
CREEP_SECONDS, CREEP_PRIOR = 60.0, 5.0
CLEAR, CREEP_REACH = 0.5, 15.0
# Speech that is never so many seconds later than usual, or earlier, does not creep: names vary.
CREEPS = 3.0
# Comments that are looked at together.
_TOGETHER = 256
# How much of the probability lies within the span that is given.
WITHIN = 0.8

# Bins of lags, in seconds.
LAG_BIN, LAG_RANGE = 5.0, 200.0
LAG_BINS = int(2 * LAG_RANGE / LAG_BIN) + 1
_LAGS = (np.arange(LAG_BINS) + 0.5) * LAG_BIN - LAG_RANGE


def set_right(match: Match, clock: Clock) -> Match:
    """The match with its comments at the times that the clock implies."""
    return moved_by(match, -clock.lag)


def moved_by(match: Match, seconds: Floats) -> Match:
    """The match with each comment moved by so many seconds, if they are known."""
    moved = (
        comment if np.isnan(more) else comment.moved(more)
        for comment, more in zip(match.comments, seconds.tolist(), strict=True)
    )
    return msgspec.structs.replace(match, comments=tuple(moved))


def infer_clock(
    comments: tuple[Comment, ...], prepared: MatchTables, posterior: Posterior
) -> Clock:
    """The clock that the heads of the comments imply."""
    evidence = _heads(prepared, posterior)
    found = np.full((3, len(comments)), np.nan)
    for own in runs(prepared.comments.period):
        timed = own[~np.isnan(prepared.comments.time[own])]
        shown = [posterior.none[c] + _about(evidence[c], comments[c]) for c in timed]
        for c, share in zip(timed, _smoothed(shown), strict=True):
            found[:, c] = _quantiles(share)
    return Clock(*found)


def creeping(prepared: MatchTables, posterior: Posterior) -> Floats:
    """By how many seconds names are said later than usual, around each comment of speech.

    A recording that was cut, or put onto the clock of the match by hand, runs ahead in one stretch
    and behind in another. A stretch shows by the names in it, each against the lag that is usual
    for its role; few names show little. Written comments have no names with a time of their own.
    """
    comments, candidates = prepared.comments, prepared.candidates
    if not prepared.spoken:
        return np.zeros(len(comments.time))
    often = sums(prepared.hypotheses.head_candidate, posterior.chains, len(candidates.event))
    whose, bins = np.divmod(candidates.lag[:, 0], BINS)
    lag = np.append(LAG_EDGES[0], LAG_EDGES)[bins] + 0.5
    clear = (whose != UNNAMED_LAG) & (np.abs(lag) <= CREEP_REACH) & (often > CLEAR)
    late = np.zeros(len(often))
    for row in distinct(whose[clear]):
        own = clear & (whose == row)
        late[own] = lag[own] - _median(lag[own], often[own])
    weight = np.where(clear, often, 0.0)
    size = len(comments.time)
    shown = sums(candidates.comment, weight, size)
    total = sums(candidates.comment, weight * late, size)
    found = np.zeros(size)
    for own in runs(comments.period):
        time = np.nan_to_num(comments.time[own])
        for first in range(0, len(own), _TOGETHER):  # all pairs of comments would be too many
            some = slice(first, first + _TOGETHER)
            near = np.exp(-np.abs(time[some, None] - time) / CREEP_SECONDS)
            found[own[some]] = near @ total[own] / (near @ shown[own] + CREEP_PRIOR)
    return np.clip(found, -CREEP_REACH, CREEP_REACH)


def creeps(late: Floats) -> bool:
    """Whether that is more than how names vary."""
    return bool(np.abs(late).max(initial=0.0) > CREEPS)


def _median(values: Floats, weights: Floats) -> float:
    order = np.argsort(values)
    reached = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(reached, reached[-1] / 2)])


def _heads(prepared: MatchTables, posterior: Posterior) -> Floats:
    """The probability of each lag of each comment's head."""
    shares = np.zeros((len(prepared.comments.time), LAG_BINS))
    comment = np.repeat(np.arange(len(prepared.comments.time)), np.diff(prepared.hypotheses.start))
    lag = prepared.comments.time[comment] - prepared.events.time[prepared.hypotheses.head_event]
    bins = np.floor((np.nan_to_num(lag, nan=0.0) + LAG_RANGE) / LAG_BIN)
    bins = np.clip(bins, 0, LAG_BINS - 1).astype(np.int64)
    np.add.at(shares, (comment, bins), posterior.chains)
    return shares


def _about(heads: Floats, comment: Comment) -> Floats:
    """How likely heads lie as they do, for each state of the clock, against just anywhere."""
    near = _spread_over((comment.end or 0.0) - (comment.start or 0.0))
    return np.asarray(np.convolve(heads, near)[LAG_BINS - 1 : 2 * LAG_BINS - 1])


@lru_cache(maxsize=256)
def _spread_over(width: float) -> Floats:
    """How likely a head lies so far from the clock, if its comment is known to so many seconds."""
    apart = (np.arange(2 * LAG_BINS - 1) - LAG_BINS + 1) * LAG_BIN
    near = np.exp(-np.abs(apart) / SPREAD)
    if width > LAG_BIN:  # a minute is known, not the second: the head lies anywhere in it
        near = np.convolve(near, np.abs(apart) <= width / 2, mode="same")
    return np.asarray((1 - ASTRAY) * LAG_BINS * near / near.sum() + ASTRAY)


def _smoothed(shown: list[Floats]) -> list[Floats]:
    """Forward and backward: the probability of each state given all comments of a period."""
    before, after = [np.full(LAG_BINS, 1 / LAG_BINS)], [np.ones(LAG_BINS)]
    for own in shown[:-1]:
        before.append(_step(before[-1] * own))
    for own in shown[:0:-1]:
        after.append(_step(after[-1] * own))
    share = [b * own * a for b, own, a in zip(before, shown, reversed(after), strict=False)]
    return [one / one.sum() for one in share]


def _step(state: Floats) -> Floats:
    """From a comment to the next; the same backwards."""
    here = state / state.sum()
    wide = np.concatenate([here[:1], here, here[-1:]])
    crept = (1 - CREEP) * here + CREEP / 2 * (wide[:-2] + wide[2:])
    return np.asarray((1 - JUMP) * crept + JUMP / LAG_BINS)


def _quantiles(share: Floats) -> tuple[float, float, float]:
    """The median and the ends of the span, read off between the bins' borders."""
    borders = np.append(_LAGS - LAG_BIN / 2, _LAGS[-1] + LAG_BIN / 2)
    reached = np.append(0.0, np.cumsum(share))
    low, middle, high = np.interp([(1 - WITHIN) / 2, 0.5, (1 + WITHIN) / 2], reached, borders)
    return float(middle), float(low), float(high)
