"""Hypotheses: every chain of events that a comment may tell, as arrays.

A chain is one to four events of the bucket, each at most a few seconds and places after the one
before. If the comment mentions players, a longer chain must hold an event of one of them. The head
is the first event by the player who is mentioned first, else the first event of the chain.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from touchline.core.arrays import Floats, Ints
from touchline.core.records import Match
from touchline.methods.buckets import Window, buckets
from touchline.methods.chains.data.candidate_chains import LONGEST, Flags, build_chains, heads_of
from touchline.methods.chains.data.extensions import Steps, met_from, steps_along
from touchline.methods.chains.data.language import (
    Language,
    arguments_in,
    content_words,
    finest_known,
    names_of,
)
from touchline.methods.chains.data.mentions import Mentioned
from touchline.methods.chains.model.ablation import WHOLE, Parts
from touchline.methods.chains.model.sufficient_stats import (
    ACTS,
    ACTS_IN_HEAD,
    LAG_BIN,
    LAG_BINS,
    LAG_RANGE,
    OTHER,
    STRANGER,
)
from touchline.methods.pairs.pairing import padded


class Log(NamedTuple):
    """The events of a match as arrays.

    Of event e: `kind`, `type`, `time`, `period`, `actor`, `others` (players), and `causes`, what
    of it may bring words: its type, its kind, its arguments, and last the part of a player who is
    not named.
    """

    kind: Ints
    type: Ints
    causes: Ints
    time: Floats
    period: Ints
    actor: Ints
    others: Ints


class Prepared(NamedTuple):
    """A match as arrays: its events (see `Log`), its comments, and the hypotheses of each comment.

    Of comment c: `words`, the players in `mentions` with the words `before` and `after` them,
    `said`, when, and `half`, its period; `spoken[c]` are flags of all players, the last for -1;
    `weight` is how much it counts where it is learned from. Pairs `first[c]` to `first[c + 1]` are
    its own, one for each event of its bucket: pair q is of `comment[q]` and `event[q]`. Hypotheses
    `start[c]` to `start[c + 1]` are its own, the single events of its bucket first: `chains[h]` are
    numbers of events, `pairs[h]` the same as pairs, `head[h]` the head's place in the chain,
    `lag[h]` the bin of how long before the comment the head happened, `roles[h]` what the
    mentioned players are to it; `steps` are the steps along all
    chains. From `unnamed` on causes are parts of unnamed players. Padding is -1 throughout.
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
    spoken: Flags
    weight: Floats
    first: Ints
    comment: Ints
    event: Ints
    start: Ints
    chains: Ints
    pairs: Ints
    head: Ints
    lag: Ints
    roles: NDArray[np.int8]
    steps: Steps
    unnamed: int

    @property
    def of(self) -> Ints:
        """The comment of each hypothesis."""
        return _numbers(self.start)

    @property
    def leader(self) -> Ints:
        """The event that is each hypothesis' head."""
        return _at(self.chains, self.head)

    @property
    def leading(self) -> Ints:
        """The pair that is each hypothesis' head."""
        return _at(self.pairs, self.head)


class BareLog(NamedTuple):
    """The events of a match before it is known which language they are read in.

    `kind` and `arguments` are numbers in the lists `kinds` and `values`; the rest is as in Log.
    """

    kinds: list[str]
    values: list[str]
    kind: Ints
    arguments: Ints
    time: Floats
    period: Ints
    actor: Ints
    others: Ints


class BareComments(NamedTuple):
    """The comments of a match and their hypotheses before it is known which language they are in.

    `words`, `before` and `after` are numbers in the lists `stems` and `contexts`; the rest is as
    in Prepared.
    """

    stems: list[str]
    contexts: list[str]
    words: Ints
    mentions: Ints
    before: Ints
    after: Ints
    said: Floats
    half: Ints
    spoken: Flags
    first: Ints
    event: Ints
    start: Ints
    pairs: Ints
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
    return in_language(*condense(match, mentioned, window, parts), language, parts)


def condense(
    match: Match, mentioned: Sequence[Sequence[Mentioned]], window: Window, parts: Parts = WHOLE
) -> tuple[BareLog, BareComments]:
    """All that is used of a match, given the mentions of its comments."""
    log = _bare_log(match)
    return log, _bare_comments(match, log, mentioned, window, parts)


def in_language(
    log: BareLog, comments: BareComments, language: Language, parts: Parts = WHOLE
) -> Prepared:
    """A condensed match with the numbers that its words and kinds have in a language."""
    return _comments_in_language(comments, _log_in_language(log, language, parts), language)


def read_log(match: Match, language: Language, parts: Parts = WHOLE) -> Log:
    """Arrays of a match's events for a given language."""
    return _log_in_language(_bare_log(match), language, parts)


def prepare_comments(
    match: Match,
    log: Log,
    language: Language,
    mentioned: Sequence[Sequence[Mentioned]],
    window: Window,
    parts: Parts = WHOLE,
) -> Prepared:
    """Arrays of a match whose events are arrays already: `log` is what `read_log` gave."""
    comments = _bare_comments(match, log, mentioned, window, parts)
    return _comments_in_language(comments, log, language)


def _bare_log(match: Match) -> BareLog:
    number = {player.id: i for i, player in enumerate(match.players)}
    events = match.linkable
    kinds, kind = _numbered([[names_of(event)[-1]] for event in events])
    values, arguments = _numbered(arguments_in(match))
    return BareLog(
        kinds=kinds,
        values=values,
        kind=kind[:, 0],
        arguments=arguments,
        time=np.array([event.time for event in events], dtype=float),
        period=np.array([event.period for event in events], dtype=np.int64),
        actor=np.array([number.get(e.player.id, -1) if e.player else -1 for e in events], np.int64),
        others=padded([[number.get(r.player.id, -1) for r in e.others] for e in events]),
    )


def _bare_comments(
    match: Match,
    log: BareLog | Log,
    mentioned: Sequence[Sequence[Mentioned]],
    window: Window,
    parts: Parts,
) -> BareComments:
    number = {player.id: i for i, player in enumerate(match.players)}
    comments = match.comments
    mentions = padded([[number[m.player] for m in own] for own in mentioned])
    said = np.array([np.nan if c.time is None else c.time for c in comments], dtype=float)
    spoken = _spoken(mentions, len(number))
    longest = LONGEST if parts.groups else 1
    first, event, start, pairs = _hypotheses(match, window, longest, log, spoken)
    head = heads_of(_chosen(event, pairs), log.actor, mentions[_numbers(start), 0])
    stems, words = _numbered([content_words(comment.text) for comment in comments])
    before = [[m.before for m in own] for own in mentioned]
    after = [[m.after for m in own] for own in mentioned]
    contexts, around = _numbered(before + after)
    return BareComments(
        stems=stems,
        contexts=contexts,
        words=words,
        mentions=mentions,
        before=around[: len(comments)],
        after=around[len(comments) :],
        said=said,
        half=np.array([comment.period or 0 for comment in comments], dtype=np.int64),
        spoken=spoken,
        first=first,
        event=event,
        start=start,
        pairs=pairs,
        head=head,
        lag=_lags(said[_numbers(start)], log.time[event[_at(pairs, head)]]),
    )


def _log_in_language(log: BareLog, language: Language, parts: Parts) -> Log:
    kind, types = _kinds(log.kinds, language)
    argument = {name: i for i, name in enumerate(language.arguments, len(language.kinds))}
    of_value = _table([argument.get(name, -1) if parts.arguments else -1 for name in log.values])
    kinds = {name: i for i, name in enumerate(language.kinds)}
    of_type = np.array([kinds.get(name, 0) for name in language.types], dtype=np.int64)
    own, coarse = kind[log.kind], of_type[types[log.kind]]
    finer = np.where(own == coarse, -1, own)
    unnamed = language.unnamed + types[log.kind] if parts.unnamed else np.full(len(own), -1)
    causes = np.column_stack([coarse, finer, of_value[log.arguments], unnamed])
    return Log(
        kind=own,
        type=types[log.kind],
        causes=_filled_first(causes),
        time=log.time,
        period=log.period,
        actor=log.actor,
        others=log.others,
    )


def _comments_in_language(own: BareComments, log: Log, language: Language) -> Prepared:
    vocabulary = {word: i for i, word in enumerate(language.vocabulary)}
    context = {name: i for i, name in enumerate(language.contexts)}
    word_of = _table([vocabulary.get(word, -1) for word in own.stems])
    context_of = _table([context.get(name, 0) for name in own.contexts])
    return Prepared(
        *log,
        words=_filled_first(word_of[own.words]),
        mentions=own.mentions,
        before=context_of[own.before],
        after=context_of[own.after],
        said=own.said,
        half=own.half,
        spoken=own.spoken,
        weight=np.ones(len(own.said)),
        first=own.first,
        comment=_numbers(own.first),
        event=own.event,
        start=own.start,
        chains=_chosen(own.event, own.pairs),
        pairs=own.pairs,
        head=own.head,
        lag=own.lag,
        roles=_roles(log, own),
        steps=_steps(log, language, own),
        unnamed=language.unnamed,
    )


def _numbers(start: Ints) -> Ints:
    """What each of those belongs to of which `start[i]` to `start[i + 1]` belong to i."""
    return np.repeat(np.arange(len(start) - 1), np.diff(start))


def _at(rows: Ints, place: Ints) -> Ints:
    """What stands at a place of each row."""
    return np.asarray(rows[np.arange(len(rows)), place])


def _chosen(values: Ints, numbers: Ints) -> Ints:
    """The values with these numbers; -1 stays."""
    return np.append(values, -1)[numbers]


def _spoken(mentions: Ints, players: int) -> Flags:
    """Whether each comment mentions each player; the last column, for nobody, says no."""
    spoken = np.zeros((len(mentions), players + 1), dtype=bool)
    comment, place = np.nonzero(mentions >= 0)
    spoken[comment, mentions[comment, place]] = True
    return spoken


def _hypotheses(
    match: Match, window: Window, longest: int, log: BareLog | Log, spoken: Flags
) -> tuple[Ints, Ints, Ints, Ints]:
    """Where each comment's pairs start, and their events; where its chains start, and as pairs."""
    first, start = [0], [0]
    events, chains = [np.zeros(0, dtype=np.int64)], [np.zeros((0, LONGEST), dtype=np.int64)]
    for comment, bucket, who in zip(match.comments, buckets(match, window), spoken, strict=True):
        # A corpus that lists the candidates of a comment has it tell one of them.
        most = 1 if comment.candidates is not None else longest
        found = build_chains(bucket, log.time, log.period, who[log.actor], bool(who.any()), most)
        chains.append(np.where(found >= 0, found + first[-1], -1))
        events.append(bucket)
        first.append(first[-1] + len(bucket))
        start.append(start[-1] + len(found))
    return np.array(first), np.concatenate(events), np.array(start), np.concatenate(chains)


def _steps(log: Log, language: Language, own: BareComments) -> Steps:
    """The steps along all chains: who is met is looked up by direction, type and kind."""
    near, met = met_from(log.time, log.period).of(own.event)
    named = own.spoken[_numbers(own.first)[:, None, None], log.actor[near]]
    ahead = np.array([True, False])[:, None]
    shape = (4, len(language.types), len(language.kinds))
    type_of = log.type[own.event][:, None, None]
    place = (2 * named + ahead, np.broadcast_to(type_of, near.shape), log.kind[near])
    taken = steps_along(own.pairs, _chosen(own.event, own.pairs), own.head)
    return Steps(taken, np.ravel_multi_index(place, shape), met)


def _roles(log: Log, own: BareComments) -> NDArray[np.int8]:
    """What each mentioned player is to each hypothesis of his comment."""
    mentions = own.mentions[_numbers(own.first)]
    other = (log.others[own.event][:, :, None] == mentions[:, None]).any(axis=1)
    actor = log.actor[own.event][:, None] == mentions
    # The last row is for padding, which nobody acts in. Small numbers, for there are many.
    role = np.full((len(mentions) + 1, mentions.shape[1]), STRANGER, dtype=np.int8)
    role[:-1][other] = OTHER
    role[:-1][actor] = ACTS
    found = role[own.pairs[:, 0]]
    for pair in own.pairs.T[1:]:
        np.minimum(found, role[pair], out=found)
    found[role[_at(own.pairs, own.head)] == ACTS] = ACTS_IN_HEAD
    found[own.mentions[_numbers(own.start)] < 0] = -1
    return found


def _kinds(names: Sequence[str], language: Language) -> tuple[Ints, Ints]:
    """Kind and type of each name of a kind."""
    kinds = {name: i for i, name in enumerate(language.kinds)}
    kind = [finest_known(name, kinds) for name in names]
    types = language.type_numbers()
    return np.array(kind, dtype=np.int64), np.array([types[k] for k in kind], dtype=np.int64)


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


def _lags(said: Floats, happened: Floats) -> Ints:
    """The bin of how long before it was told each head happened."""
    lag = np.nan_to_num(said - happened, nan=0.0)
    bins = np.floor((lag + LAG_RANGE) / LAG_BIN)
    return np.clip(bins, 0, LAG_BINS - 1).astype(np.int64)
