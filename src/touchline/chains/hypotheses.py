"""Hypotheses: every chain of events that a comment may tell, with what can be read off at once.

A chain is one to four events of the bucket, each at most a few seconds and events after the one
before. If the comment mentions players, a longer chain must hold an event of one of them. The head
is the first event by the player who is mentioned first, else the first event of the chain.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

import msgspec
import numpy as np

from touchline.chains._kernels import GAP, REACH
from touchline.chains.language import Language, content_words, kind_of
from touchline.match import Comment, Match
from touchline.names import MENTIONED, NameFinder
from touchline.pairs.buckets import Window, buckets
from touchline.pairs.pairing import Floats, Ints, padded

LONGEST = 4
# Without a mentioned player any neighbours could be a chain: only pairs of them are looked at.
LONGEST_UNNAMED = 2
# Of one comment. Real buckets stay far below; one without a clock has the whole match as its own.
MOST_CHAINS = 6000
LAG_BIN, LAG_RANGE = 5.0, 200.0
LAG_BINS = int(2 * LAG_RANGE / LAG_BIN) + 1


class Prepared(msgspec.Struct, frozen=True, kw_only=True):
    """A match as arrays: its events, its comments, and the hypotheses of each comment.

    Hypotheses `start[c]` to `start[c + 1]` belong to comment c; `chains[h]` are numbers of events,
    padded with -1, `head[h]` the head's place in the chain. `unexplained[h]` counts players whom
    the comment mentions and the chain leaves out; `first_named[h]` says whether the head is by the
    player mentioned first. Padding is -1 throughout.
    """

    kind: Ints
    time: Floats
    actor: Ints
    other: Ints
    words: Ints
    mentions: Ints
    period: Ints
    chains: Ints
    start: Ints
    head: Ints
    unexplained: Ints
    first_named: Ints
    lag: Ints


def prepare(match: Match, language: Language, window: Window) -> Prepared:
    """Arrays of a match for a given language."""
    number = {player.id: i for i, player in enumerate(match.players)}
    kinds = {name: i for i, name in enumerate(language.kinds)}
    vocabulary = {word: i for i, word in enumerate(language.vocabulary)}
    events = match.tellable
    time = np.array([event.time for event in events], dtype=float)
    actor = np.array([number.get(e.player.id, -1) if e.player else -1 for e in events], np.int64)
    others = [[number.get(role.player.id, -1) for role in event.others] for event in events]
    finder = NameFinder(match)
    mentions = [_mentions(finder, comment, number) for comment in match.comments]
    clock = np.array([event.period for event in events], dtype=np.int64)
    chains: list[list[int]] = []
    start = [0]
    for comment, named, bucket in zip(
        match.comments, mentions, buckets(match, window), strict=True
    ):
        one = comment.candidates is not None  # a corpus that lists its events tells one of them
        chains += _chains(bucket.tolist(), time, clock, actor, set(named), 1 if one else LONGEST)
        start.append(len(chains))
    rows = padded(chains, LONGEST)
    owner = np.repeat(np.arange(len(mentions)), np.diff(start))
    head, unexplained, first_named = _read_off(rows, owner, actor, others, mentions)
    return Prepared(
        kind=np.array([kind_of(event, kinds) for event in events], dtype=np.int64),
        time=time,
        actor=actor,
        other=np.array([who[0] if who else -1 for who in others], dtype=np.int64),
        words=padded([_known(c, vocabulary) for c in match.comments]),
        mentions=padded(mentions),
        period=np.array([comment.period or 0 for comment in match.comments], dtype=np.int64),
        chains=rows,
        start=np.array(start, dtype=np.int64),
        head=head,
        unexplained=unexplained,
        first_named=first_named,
        lag=_lags(match.comments, owner, rows, head, time),
    )


def _mentions(finder: NameFinder, comment: Comment, number: dict[str, int]) -> list[int]:
    weights = finder.players(comment.text)
    return [number[who] for who, weight in weights.items() if weight >= MENTIONED]


def _known(comment: Comment, vocabulary: dict[str, int]) -> list[int]:
    return [vocabulary[word] for word in content_words(comment.text) if word in vocabulary]


def _chains(
    bucket: list[int], time: Floats, clock: Ints, actor: Ints, named: set[int], longest: int
) -> Iterator[list[int]]:
    """Chains from short to long, so that a bucket without end keeps at least its single events."""
    inside = set(bucket)
    longest = longest if named else min(longest, LONGEST_UNNAMED)
    waiting = deque([event] for event in bucket)
    given = 0
    while waiting and (given < MOST_CHAINS or len(waiting[0]) == 1):
        chain = waiting.popleft()
        if len(chain) == 1 or not named or any(int(actor[event]) in named for event in chain):
            given += 1
            yield chain
        if len(chain) < longest:
            last = chain[-1]
            for after in range(last + 1, min(last + 1 + REACH, len(time))):
                near = clock[after] == clock[last] and abs(time[after] - time[last]) <= GAP
                if near and after in inside:
                    waiting.append([*chain, after])


def _read_off(
    chains: Ints, owner: Ints, actor: Ints, others: list[list[int]], mentions: list[list[int]]
) -> tuple[Ints, Ints, Ints]:
    """Head, unexplained mentions, and whether the first mention is the head's, of each chain."""
    count = len(chains)
    head, unexplained, first_named = (np.zeros(count, dtype=np.int64) for _ in range(3))
    for h in range(count):
        events = [e for e in chains[h].tolist() if e >= 0]
        named = mentions[owner[h]]
        actors = [int(actor[e]) for e in events]
        if named and named[0] in actors:
            head[h], first_named[h] = actors.index(named[0]), 1
        involved = set(actors).union(*(others[e] for e in events))
        unexplained[h] = sum(who not in involved for who in named)
    return head, unexplained, first_named


def _lags(comments: Sequence[Comment], owner: Ints, chains: Ints, head: Ints, time: Floats) -> Ints:
    """The bin of how long before the comment each hypothesis' head happened."""
    said = np.array([np.nan if c.time is None else c.time for c in comments])
    if not len(chains):
        return np.zeros(0, dtype=np.int64)
    happened = time[chains[np.arange(len(chains)), head]]
    lag = np.nan_to_num(said[owner] - happened, nan=0.0)
    bins = np.floor((lag + LAG_RANGE) / LAG_BIN)
    return np.clip(bins, 0, LAG_BINS - 1).astype(np.int64)
