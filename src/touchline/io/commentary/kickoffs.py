"""Where in a recording each period kicks off, found by who is named when.

A broadcast starts some time before the kick-off, or is cut, and its clock knows nothing of the
match. But a player is mostly named while on the ball, or just after. So each offset between
the two clocks is scored by how well it explains the names: a mention is either about something
that the player does at that moment (their events, blurred), or about anything (evenly spread).
The best offset wins. How sure that is, is measured by drawing the recording's minutes anew, with
repetition: the share of such draws that agree with the whole.

A recording may be cut within a period. Each stretch of it may therefore go over to another offset
nearby, if that explains the names better by more than chance would among so many offsets and
stretches.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from touchline.core.arrays import Floats
from touchline.core.errors import UsageError
from touchline.core.records import Comment, Kickoff, Match, Player
from touchline.io.commentary.entries import Entry, on_recording
from touchline.text.names import MENTIONED, NameFinder

LAG = 3.0  # a name is said about so long after the event, in seconds
BLUR = 4.0  # give or take this much
ABOUT_NOW = 0.3  # the smallest share of mentions that are about the moment
DRAWS, AGREE = 200, 5.0  # how often the minutes are drawn anew; what counts as the same answer
MAX_BLOCKS = 120  # minutes, or longer stretches of a recording that goes on for hours
# A cut is a jump of so many seconds, at least and at most; what is less is the pace of speech.
MIN_CUT, MAX_CUT = 15, 600
MIN_FIRST_HALF = 120.0  # seconds of a first half; a recording with less begins at the break

Scores = NDArray[np.float32]


class _Mention(NamedTuple):
    time: float
    player: str
    weight: float
    period: int | None


class _Evidence(NamedTuple):
    """How well each offset explains the names in each stretch of the recording."""

    period: int
    length: int  # of the period, in seconds
    starts: Floats  # second of the recording at which each stretch begins
    scores: Scores  # stretches x offsets


def find_kickoffs(
    match: Match, entries: Sequence[Entry], known: Sequence[Kickoff]
) -> tuple[Kickoff, ...]:
    """The kick-off of each period in the recording that the entries are timed by.

    Entries that know their period are on that period's own recording; those that do not are on
    one recording of the whole match, where the periods follow each other. Those `known` are kept.
    """
    given = {kickoff.period: kickoff.seconds for kickoff in known if kickoff.since is None}
    mentions = _mentions(match, entries)
    periods = _periods(match, entries)
    apart = all(entry.period is not None for entry in entries)
    if not apart:
        _check_order(given)
    if not mentions:
        named = [p for p in periods if apart or p in given or p == periods[0]]
        found = [_kickoff(period, 0.0, 0.0, given) for period in named]
        return tuple(part for one in found for part in _given_cuts(one, known))
    offsets = _offsets(match, periods, mentions, given)
    evidence = [_evidence(match, period, mentions, offsets) for period in periods]
    for one in evidence:
        if one.period in given:  # no other offset is possible
            one.scores[:, offsets != round(given[one.period])] = -np.inf
    places = _search([one.scores.sum(0) for one in evidence], evidence, apart)
    agreeing = _agreeing(places, evidence, apart, offsets)
    kickoffs = [
        _kickoff(one.period, float(offsets[at]), share, given)
        for one, at, share in zip(evidence, places, agreeing, strict=True)
    ]
    by_period = {one.period: one for one in evidence}
    ends = {one.period: one.seconds + by_period[one.period].length for one in kickoffs}
    kept = kickoffs if apart else _recorded(kickoffs, ends, mentions)
    return tuple(
        stretch
        for kickoff in kept
        for stretch in (
            _given_cuts(kickoff, known)
            if kickoff.given
            else _cuts(kickoff, by_period[kickoff.period], offsets)
        )
    )


def _kickoff(period: int, seconds: float, certainty: float, given: Mapping[int, float]) -> Kickoff:
    if period in given:
        return Kickoff(period=period, seconds=given[period])
    return Kickoff(period=period, seconds=seconds, certainty=round(certainty, 3))


def _given_cuts(kickoff: Kickoff, known: Sequence[Kickoff]) -> list[Kickoff]:
    return [one for one in known if one.period == kickoff.period] if kickoff.given else [kickoff]


def _check_order(given: Mapping[int, float]) -> None:
    for (first, before), (second, after) in pairwise(sorted(given.items())):
        if after <= before:
            problem = f"period {second} kicks off before period {first} in the same recording"
            raise UsageError(f"--kickoff {first}={before:g} and {second}={after:g}: {problem}")


def _recorded(
    kickoffs: Sequence[Kickoff], ends: Mapping[int, float], mentions: Sequence[_Mention]
) -> list[Kickoff]:
    """Without periods of which a recording has nothing, or of later ones nothing that is sure."""
    times = [mention.time for mention in mentions]
    kept = [
        kickoff
        for number, kickoff in enumerate(kickoffs)
        if number == 0 or kickoff.given or (kickoff.sure and kickoff.seconds < max(times))
    ]
    before = [
        one for one in kept if not one.given and ends[one.period] < min(times) + MIN_FIRST_HALF
    ]
    return [one for one in kept if one not in before] or kept


def _periods(match: Match, entries: Sequence[Entry]) -> list[int]:
    known = {entry.period for entry in entries if entry.period is not None}
    return sorted(known & set(match.periods) or match.periods)


def _length(match: Match, period: int) -> int:
    return max(int(match.ends.get(period, 0.0)), 0) + 1


def _offsets(
    match: Match, periods: Sequence[int], mentions: Sequence[_Mention], given: Mapping[int, float]
) -> NDArray[np.int64]:
    """Where a period may kick off: between the first and the last mention.

    There is room around that for all periods, as a recording need not have every one.
    """
    times = [mention.time for mention in mentions]
    lengths = [_length(match, period) for period in periods]
    first = min(min(times) - sum(lengths), *given.values(), 0.0)
    last = max(max(times) + sum(lengths), *given.values(), 0.0)
    return np.arange(int(first) - 1, int(last) + 2)


def _mentions(match: Match, entries: Sequence[Entry]) -> list[_Mention]:
    """Who is named when; a line that a recogniser only repeats names nobody again."""
    comments = [on_recording(entry, i) for i, entry in enumerate(entries)]
    finder = NameFinder(match.with_comments(comments))
    found = []
    for entry, comment in zip(entries, comments, strict=True):
        if comment.repeated:
            continue
        for mention in finder.mentions(entry.text):
            if isinstance(mention.who, Player) and mention.weight >= MENTIONED:
                time = _second(comment, mention.start)
                found.append(_Mention(time, mention.who.id, mention.weight, entry.period))
    return found


def _second(comment: Comment, offset: int) -> float:
    """When a character is said; without word times by the share of characters before it.

    The accuracy that the documentation gives was measured that way.
    """
    if comment.spoken:
        return comment.second_at(offset) or 0.0
    start, end = comment.start or 0.0, comment.end or 0.0
    return start + (end - start) * offset / len(comment.text)


def _evidence(
    match: Match, period: int, mentions: Sequence[_Mention], offsets: NDArray[np.int64]
) -> _Evidence:
    own = gains(match, period)
    length = _length(match, period)
    start = min(mention.time for mention in mentions)
    stretch = max(60.0, (max(m.time for m in mentions) - start) / (MAX_BLOCKS - 1))
    scores = np.zeros((MAX_BLOCKS, len(offsets)), np.float32)
    for mention in mentions:
        gain = own.get(mention.player)
        if gain is None or mention.period not in (None, period):
            continue
        # At the offset k the mention falls on second time - k of the period.
        last = round(mention.time) - int(offsets[0])
        block = scores[int((mention.time - start) // stretch)]
        begin = max(last - length + 1, 0)
        block[begin : last + 1] += mention.weight * gain[::-1][length - 1 - last + begin :]
    used = np.flatnonzero(scores.any(axis=1))
    used = used if len(used) else np.arange(1)
    starts = start + stretch * used.astype(np.float64)
    return _Evidence(period, length, starts, scores[used])


def gains(match: Match, period: int, lag: float = LAG, blur: float = BLUR) -> dict[str, Scores]:
    """For each player and second: how much better their events explain a mention than chance."""
    length = _length(match, period)
    times: dict[str, list[float]] = {}
    for event in match.linkable:
        if event.period == period:
            for who in [event.player, *(other.player for other in event.others)]:
                if who is not None:
                    times.setdefault(who.id, []).append(event.time)
    reach = np.arange(-3 * blur, 3 * blur + 1)
    bell = np.exp(-0.5 * (reach / blur) ** 2) / (blur * np.sqrt(2 * np.pi))
    found = {}
    for player, acted in times.items():
        seconds = np.clip(np.rint(np.array(acted) + lag).astype(int), 0, length - 1)
        counts = np.bincount(seconds, minlength=length).astype(float)
        density = np.convolve(counts, bell, mode="full")[len(bell) // 2 :][:length]
        ratio = density * length / len(acted)
        found[player] = np.log1p(ABOUT_NOW * (ratio - 1)).astype(np.float32)
    return found


def _search(totals: Sequence[Scores], evidence: Sequence[_Evidence], apart: bool) -> list[int]:
    """The best offset of each period; in one recording no period starts before the last ended."""
    if apart:
        return [int(total.argmax()) for total in totals]
    best: list[Scores] = []
    for number, total in enumerate(totals):
        if number:
            wait = evidence[number - 1].length
            before = np.maximum.accumulate(best[-1])
            later = np.full_like(total, -np.inf)
            later[wait:] = before[: len(total) - wait] if wait < len(total) else later[wait:]
            total = total + later
        best.append(total)
    found = [int(best[-1].argmax())]
    for number in range(len(best) - 2, -1, -1):
        room = max(found[0] - evidence[number].length + 1, 1)
        found.insert(0, int(best[number][:room].argmax()))
    return found


def _cuts(kickoff: Kickoff, evidence: _Evidence, offsets: NDArray[np.int64]) -> list[Kickoff]:
    """The kick-off on each side of every cut that the recording has in its period."""
    near = np.flatnonzero(np.abs(offsets - kickoff.seconds) <= MAX_CUT)
    scores = evidence.scores[:, near]
    path = _best_path(scores)
    jumps = np.flatnonzero(np.abs(np.diff(path)) >= MIN_CUT) + 1
    if not len(jumps):
        return [kickoff]
    stretches = []
    for first, last in pairwise([0, *jumps.tolist(), len(path)]):
        at = int(scores[first:last].sum(0).argmax())
        stretches.append(
            Kickoff(
                period=kickoff.period,
                seconds=float(offsets[near[at]]),
                certainty=_stands(scores[first:last], at),
                since=round(float(evidence.starts[first]), 1) if first else None,
                until=round(float(evidence.starts[last]), 1) if last < len(path) else None,
            )
        )
    return _sure_cuts(kickoff, stretches)


def _sure_cuts(kickoff: Kickoff, stretches: Sequence[Kickoff]) -> list[Kickoff]:
    """The sure stretches, each up to the next one; the others are suspected and not applied.

    An unsure stretch goes by the sure one before it, or after it if it is the first.
    """
    sure = [stretch for stretch in stretches if stretch.sure] or [kickoff]
    applied = [msgspec.structs.replace(sure[0], since=None, until=None)]
    for stretch in sure[1:]:
        if abs(stretch.seconds - applied[-1].seconds) >= MIN_CUT:
            applied.append(msgspec.structs.replace(stretch, until=None))
    suspected = [
        msgspec.structs.replace(stretch, applied=False)
        for stretch in stretches
        if not stretch.sure and abs(stretch.seconds - _in_force(applied, stretch)) > AGREE
    ]
    return applied + suspected


def _in_force(applied: Sequence[Kickoff], stretch: Kickoff) -> float:
    """Where the period kicks off by the cuts that are applied when a stretch begins."""
    begun = [one for one in applied if (one.since or 0.0) <= (stretch.since or 0.0)]
    return (begun or applied)[-1].seconds


def _best_path(scores: Scores) -> NDArray[np.intp]:
    """The offset of each stretch, where going over to another one has its price."""
    stretches, offsets = scores.shape
    price = np.log(stretches * offsets)
    best, before = scores[0], []
    for score in scores[1:]:
        over = int(best.argmax())
        stays = best >= best[over] - price
        before.append(np.where(stays, np.arange(offsets), over))
        best = score + np.where(stays, best, best[over] - price)
    path = [int(best.argmax())]
    for came_from in reversed(before):
        path.append(int(came_from[path[-1]]))
    return np.array(path[::-1])


def _stands(scores: Scores, at: int) -> float:
    """The share of draws of some stretches in which their offset stays the best."""
    chance = np.random.default_rng(0)
    drawn = [int(_drawn(scores, chance).argmax()) for _ in range(DRAWS)]
    return round(float(np.mean([abs(one - at) <= AGREE for one in drawn])), 3)


def _agreeing(
    found: Sequence[int], evidence: Sequence[_Evidence], apart: bool, offsets: NDArray[np.int64]
) -> list[float]:
    """For each period, the share of draws of the recording's stretches with the same answer."""
    chance = np.random.default_rng(0)
    agreeing = np.zeros(len(found))
    for _ in range(DRAWS):
        totals = [_drawn(one.scores, chance) for one in evidence]
        drawn = _search(totals, evidence, apart)
        agreeing += np.abs(offsets[drawn] - offsets[list(found)]) <= AGREE
    return [float(share) for share in agreeing / DRAWS]


def _drawn(scores: Scores, chance: np.random.Generator) -> Scores:
    stretches = len(scores)
    drawn = chance.multinomial(stretches, np.full(stretches, 1 / stretches))
    weights = drawn.astype(np.float32)
    total: Scores = (
        weights[weights > 0] @ scores[weights > 0]
    )  # 0 times minus infinity is no number
    return total
