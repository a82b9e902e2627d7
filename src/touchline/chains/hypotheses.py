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
from touchline.chains.language import Language, content_words, finest_known, names_of
from touchline.chains.mentions import Mentioned
from touchline.chains.parts import WHOLE, Parts
from touchline.match import Match
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


class Condensed(NamedTuple):
    """All that is used of a match, before it is known which language it is read in.

    `kind`, `words`, `before` and `after` are numbers in the match's own lists `kinds`, `stems` and
    `contexts`; everything else is as in Prepared.
    """

    kinds: list[str]
    stems: list[str]
    contexts: list[str]
    kind: Ints
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
    return in_language(condense(match, mentioned, window, parts), language, parts)


def condense(
    match: Match,
    mentioned: Sequence[Sequence[Mentioned]],
    window: Window,
    parts: Parts = WHOLE,
) -> Condensed:
    """A match in its own language, given the mentions of its comments."""
    number = {player.id: i for i, player in enumerate(match.players)}
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
    kinds, kind = _numbered([[names_of(event)[-1]] for event in events])
    stems, words = _numbered([content_words(comment.text) for comment in comments])
    contexts, around = _numbered(
        [[m.before for m in own] for own in mentioned]
        + [[m.after for m in own] for own in mentioned]
    )
    return Condensed(
        kinds=kinds,
        stems=stems,
        contexts=contexts,
        kind=kind[:, 0],
        time=time,
        period=period,
        actor=actor,
        others=padded([[number.get(r.player.id, -1) for r in e.others] for e in events]),
        words=words,
        mentions=mentions,
        before=around[: len(comments)],
        after=around[len(comments) :],
        said=said,
        half=np.array([comment.period or 0 for comment in comments], dtype=np.int64),
        start=start,
        chains=chains,
        places=places,
        head=head,
        lag=_lags(said, start, chains, head, time),
    )


def in_language(own: Condensed, language: Language, parts: Parts = WHOLE) -> Prepared:
    """A condensed match with the numbers that its words and kinds have in a language."""
    kind, types, causes = _kinds(own.kinds, language)
    if not parts.unnamed:
        causes = np.where(causes >= len(language.kinds), -1, causes)
    vocabulary = {word: i for i, word in enumerate(language.vocabulary)}
    context = {name: i for i, name in enumerate(language.contexts)}
    word_of = _table([vocabulary.get(word, -1) for word in own.stems])
    context_of = _table([context.get(name, 0) for name in own.contexts])
    same = {name: getattr(own, name) for name in Prepared._fields if name not in _TRANSLATED}
    return Prepared(
        kind=kind[own.kind],
        type=types[own.kind],
        causes=causes[own.kind],
        words=_filled_first(word_of[own.words]),
        before=context_of[own.before],
        after=context_of[own.after],
        **same,
    )


_TRANSLATED = ("kind", "type", "causes", "words", "before", "after")


def _numbered(rows: Sequence[Sequence[str]]) -> tuple[list[str], Ints]:
    """The different names of all rows, sorted, and the rows as their numbers."""
    names = sorted({name for row in rows for name in row})
    number = {name: i for i, name in enumerate(names)}
    return names, padded([[number[name] for name in row] for row in rows])


def _table(numbers: list[int]) -> Ints:
    """What numbers become; the -1 of padding stays, for it is the last place."""
    return np.array([*numbers, -1], dtype=np.int64)


def _filled_first(rows: Ints) -> Ints:
    """Rows with their -1 at the end, not wider than the longest."""
    missing = rows < 0
    width = max(1, int((~missing).sum(axis=1).max(initial=0)))
    order = np.argsort(missing, axis=1, kind="stable")
    return np.take_along_axis(rows, order, axis=1)[:, :width]


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


def _kinds(names: Sequence[str], language: Language) -> tuple[Ints, Ints, Ints]:
    """Number, type and causes of each kind in a language."""
    kinds = {name: i for i, name in enumerate(language.kinds)}
    types = language.type_numbers()
    kind = [finest_known(name, kinds) for name in names]
    rows = [
        [*dict.fromkeys((kinds.get(name.partition("|")[0], 0), k)), len(kinds) + types[k]]
        for name, k in zip(names, kind, strict=True)
    ]
    own_types = np.array([types[k] for k in kind], dtype=np.int64)
    return np.array(kind, dtype=np.int64), own_types, padded(rows, 3)


def _lags(said: Floats, start: Ints, chains: Ints, head: Ints, time: Floats) -> Ints:
    """The bin of how long before the comment each hypothesis' head happened."""
    if not len(chains):
        return np.zeros(0, dtype=np.int64)
    happened = time[chains[np.arange(len(chains)), head]]
    lag = np.nan_to_num(np.repeat(said, np.diff(start)) - happened, nan=0.0)
    bins = np.floor((lag + LAG_RANGE) / LAG_BIN)
    return np.clip(bins, 0, LAG_BINS - 1).astype(np.int64)
