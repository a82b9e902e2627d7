"""Hypotheses: every chain of events that a comment may tell, as arrays.

A chain is one to four events of the bucket, each at most a few seconds and places after the one
before. If the comment mentions players, a longer chain must hold an event of one of them. The head
is the first event by the player who is mentioned first, else the first event of the chain.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from touchline.chains._kernels import build_chains, heads_of
from touchline.chains.counting import LAG_BIN, LAG_BINS, LAG_RANGE
from touchline.chains.language import Language, content_words, kind_of
from touchline.chains.mentions import Mentioned
from touchline.chains.parts import WHOLE, Parts
from touchline.match import Comment, Match
from touchline.pairs.buckets import Window, buckets
from touchline.pairs.pairing import Floats, Ints, padded

LONGEST = 4


class Prepared(NamedTuple):
    """A match as arrays: its events, its comments, and the hypotheses of each comment.

    Of event e: `kind`, `type`, `time`, `period`, `actor`, `others` (players), and `causes`, what
    of it may bring words: its type, its kind, and last the part of a player who is not named.
    Of comment c: `words`, the players in `mentions` with the words `before` and `after` them,
    `said`, when, and `half`, its period. Hypotheses `start[c]` to `start[c + 1]` are its own, the
    single events of its bucket first: `chains[h]` are numbers of events, `places[h]` the same as
    places in the bucket, `head[h]` the head's place in the chain, `lag[h]` the bin of how long
    before the comment the head happened. Padding is -1 throughout.
    """

    kind: Ints
    type: Ints
    causes: Ints
    time: Floats
    period: Ints
    actor: Ints
    others: Ints
    words: Ints
    mentions: Ints
    before: Ints
    after: Ints
    said: Floats
    half: Ints
    start: Ints
    chains: Ints
    places: Ints
    head: Ints
    lag: Ints


def prepare(
    match: Match,
    language: Language,
    mentioned: Sequence[Sequence[Mentioned]],
    window: Window,
    parts: Parts = WHOLE,
) -> Prepared:
    """Arrays of a match for a given language and the mentions of its comments."""
    number = {player.id: i for i, player in enumerate(match.players)}
    context = {name: i for i, name in enumerate(language.contexts)}
    vocabulary = {word: i for i, word in enumerate(language.vocabulary)}
    events, comments = match.tellable, match.comments
    time = np.array([event.time for event in events], dtype=float)
    period = np.array([event.period for event in events], dtype=np.int64)
    actor = np.array([number.get(e.player.id, -1) if e.player else -1 for e in events], np.int64)
    mentions = padded([[number[m.player] for m in own] for own in mentioned])
    said = np.array([np.nan if c.time is None else c.time for c in comments], dtype=float)
    start, chains, places = _hypotheses(
        match, window, LONGEST if parts.groups else 1, time, period, actor, mentions
    )
    head = heads_of(start, chains, actor, mentions)
    kind, types, causes = _kinds(match, language)
    if not parts.unnamed:
        causes = np.where(causes >= len(language.kinds), -1, causes)
    return Prepared(
        kind=kind,
        type=types,
        causes=causes,
        time=time,
        period=period,
        actor=actor,
        others=padded([[number.get(r.player.id, -1) for r in e.others] for e in events]),
        words=padded([_known(comment, vocabulary) for comment in comments]),
        mentions=mentions,
        before=padded([[context.get(m.before, 0) for m in own] for own in mentioned]),
        after=padded([[context.get(m.after, 0) for m in own] for own in mentioned]),
        said=said,
        half=np.array([comment.period or 0 for comment in comments], dtype=np.int64),
        start=start,
        chains=chains,
        places=places,
        head=head,
        lag=_lags(said, start, chains, head, time),
    )


def _hypotheses(
    match: Match,
    window: Window,
    longest: int,
    time: Floats,
    period: Ints,
    actor: Ints,
    mentions: Ints,
) -> tuple[Ints, Ints, Ints]:
    """Where each comment's hypotheses start, their chains, and their places in the bucket."""
    start = [0]
    chains, places = [], []
    for number, (comment, bucket) in enumerate(
        zip(match.comments, buckets(match, window), strict=True)
    ):
        # A corpus that lists the candidates of a comment has it tell one of them.
        most = 1 if comment.candidates is not None else longest
        found = build_chains(bucket, time, period, actor, mentions[number], most)
        places.append(found)
        chains.append(np.where(found >= 0, np.append(bucket, -1)[found], -1))
        start.append(start[-1] + len(found))
    nothing = np.zeros((0, LONGEST), dtype=np.int64)
    return (
        np.array(start, dtype=np.int64),
        np.concatenate([nothing, *chains]),
        np.concatenate([nothing, *places]),
    )


def _kinds(match: Match, language: Language) -> tuple[Ints, Ints, Ints]:
    """Kind, type and causes of each event."""
    kinds = {name: i for i, name in enumerate(language.kinds)}
    types = language.type_numbers()
    kind = [kind_of(event, kinds) for event in match.tellable]
    rows = [
        [*dict.fromkeys((kinds.get(event.type, 0), k)), len(kinds) + types[k]]
        for event, k in zip(match.tellable, kind, strict=True)
    ]
    own_types = np.array([types[k] for k in kind], dtype=np.int64)
    return np.array(kind, dtype=np.int64), own_types, padded(rows, 3)


def _known(comment: Comment, vocabulary: dict[str, int]) -> list[int]:
    return [vocabulary[word] for word in content_words(comment.text) if word in vocabulary]


def _lags(said: Floats, start: Ints, chains: Ints, head: Ints, time: Floats) -> Ints:
    """The bin of how long before the comment each hypothesis' head happened."""
    if not len(chains):
        return np.zeros(0, dtype=np.int64)
    happened = time[chains[np.arange(len(chains)), head]]
    lag = np.nan_to_num(np.repeat(said, np.diff(start)) - happened, nan=0.0)
    bins = np.floor((lag + LAG_RANGE) / LAG_BIN)
    return np.clip(bins, 0, LAG_BINS - 1).astype(np.int64)
