"""Hypotheses: every chain of events that a comment may describe, as arrays.

A chain is one to four events of the bucket, each at most a few seconds and places after the one
before; up to six where a comment names many players. If the comment mentions players, a longer
chain must hold an event of one of them. The head is the first event by the player who is mentioned
first, else the first event of the chain.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from touchline.core.arrays import Floats, Ints
from touchline.core.records import Comment, Event, Match
from touchline.methods.buckets import Window, buckets
from touchline.methods.chains.data.budget import (
    MAX_TOGETHER,
    USUAL_LIMITS,
    Budget,
    Limits,
    TooManyChainsError,
    lengths,
)
from touchline.methods.chains.data.candidate_chains import (
    MAX_CHAIN,
    MAX_CHAINS,
    Flags,
    build_chains,
    heads_of,
)
from touchline.methods.chains.data.extensions import Steps, met_from, steps_along
from touchline.methods.chains.data.language import (
    Language,
    arguments_in,
    content_words,
    finest_known,
    names_of,
)
from touchline.methods.chains.data.mentions import Mentioned
from touchline.methods.chains.data.tables import (
    Candidates,
    Comments,
    Events,
    Hypotheses,
    MatchTables,
    PlainComments,
    PlainEvents,
    at_place,
    looked_up,
    owners,
)
from touchline.methods.chains.model.ablation import WHOLE, Parts
from touchline.methods.chains.model.sufficient_stats import (
    ACTOR_LAG,
    ACTS,
    ACTS_IN_HEAD,
    LAG_BINS,
    LAG_OF_ROLE,
    OTHER,
    OTHER_LAG,
    STRANGER,
    UNNAMED_LAG,
    lag_bin,
)
from touchline.methods.pairs.pairing import padded
from touchline.text.speech import is_spoken

# Candidates that are looked at together.
_TOGETHER = 10_000


def prepare(
    match: Match,
    language: Language,
    mentioned: Sequence[Sequence[Mentioned]],
    window: Window,
    parts: Parts = WHOLE,
    limits: Limits = USUAL_LIMITS,
) -> MatchTables:
    """Arrays of a match for a given language and the mentions of its comments."""
    return in_language(*condense(match, mentioned, window, parts, limits), language, parts)


def condense(
    match: Match,
    mentioned: Sequence[Sequence[Mentioned]],
    window: Window,
    parts: Parts = WHOLE,
    limits: Limits = USUAL_LIMITS,
) -> tuple[PlainEvents, PlainComments]:
    """All that is used of a match, given the mentions of its comments."""
    events = _plain_events(match)
    own = _plain_comments(match, events, mentioned, window, parts, limits=limits)
    return events, own


def in_language(
    events: PlainEvents, comments: PlainComments, language: Language, parts: Parts = WHOLE
) -> MatchTables:
    """A condensed match with the numbers that its words and kinds have in a language."""
    return _comments_in_language(comments, _events_in_language(events, language, parts), language)


def event_table(match: Match, language: Language, parts: Parts = WHOLE) -> Events:
    """Arrays of a match's events for a given language."""
    return _events_in_language(_plain_events(match), language, parts)


def prepare_comments(
    match: Match,
    events: Events,
    language: Language,
    mentioned: Sequence[Sequence[Mentioned]],
    window: Window,
    parts: Parts = WHOLE,
    spoken: bool | None = None,
) -> MatchTables:
    """Arrays of a match whose events are arrays already: `events` is what `event_table` gave.

    `spoken` says whether its comments are, if they are too few to show it.
    """
    comments = _plain_comments(match, events, mentioned, window, parts, spoken)
    return _comments_in_language(comments, events, language)


def _plain_events(match: Match) -> PlainEvents:
    number = {player.id: i for i, player in enumerate(match.players)}
    events = match.linkable
    kinds, kind = _numbered([[names_of(event)[-1]] for event in events])
    values, arguments = _numbered(arguments_in(match))
    return PlainEvents(
        kinds=kinds,
        values=values,
        kind=kind[:, 0],
        arguments=arguments,
        time=np.array([event.time for event in events], dtype=float),
        period=np.array([event.period for event in events], dtype=np.int64),
        actor=np.array([number.get(e.player.id, -1) if e.player else -1 for e in events], np.int64),
        others=padded([[number.get(r.player.id, -1) for r in e.others] for e in events]),
        other_lag=np.array([_lag_of_other(event) for event in events], dtype=np.int64),
    )


def _plain_comments(
    match: Match,
    events: PlainEvents | Events,
    mentioned: Sequence[Sequence[Mentioned]],
    window: Window,
    parts: Parts,
    spoken: bool | None = None,
    limits: Limits = USUAL_LIMITS,
) -> PlainComments:
    number = {player.id: i for i, player in enumerate(match.players)}
    comments = match.comments
    mentions = padded([[number[m.player] for m in own] for own in mentioned])
    flags = _mentioned_flags(mentions, len(number))
    longest = MAX_CHAIN if parts.groups else 1
    said_words = [content_words(comment.text) for comment in comments]
    sizes = lengths(said_words), lengths(mentioned), lengths(buckets(match, window))
    budget = Budget(*sizes, len(match.events), limits)
    built = _build(match, window, longest, events, flags, budget)
    first = mentions[:, 0].take(owners(built.hypotheses_of))
    head = heads_of(looked_up(built.event, built.chains), events.actor, first)
    said = np.array([np.nan if c.time is None else c.time for c in comments], dtype=float)
    heard = _heard(comments, mentioned, mentions.shape[1])
    spoken = is_spoken(comments) if spoken is None else spoken
    named = mentions if spoken and parts.heard else np.full_like(mentions, -1)
    stems, words = _numbered(said_words)
    before = [[m.before for m in own] for own in mentioned]
    after = [[m.after for m in own] for own in mentioned]
    contexts, around = _numbered(before + after)
    return PlainComments(
        stems=stems,
        contexts=contexts,
        words=words,
        mentions=mentions,
        before=around[: len(comments)],
        after=around[len(comments) :],
        heard=heard,
        time=said,
        period=np.array([comment.period or 0 for comment in comments], dtype=np.int64),
        mentioned=flags,
        weight=np.array([0.0 if comment.repeated else 1.0 for comment in comments]),
        **built._asdict(),
        head=head,
        lag=_lags(said, events, built, named, heard),
        spoken=np.array(spoken),
    )


def _events_in_language(events: PlainEvents, language: Language, parts: Parts) -> Events:
    kind, types = _kinds(events.kinds, language)
    argument = {name: i for i, name in enumerate(language.arguments, len(language.kinds))}
    of_value = _table([argument.get(name, -1) if parts.arguments else -1 for name in events.values])
    kinds = {name: i for i, name in enumerate(language.kinds)}
    of_type = np.array([kinds.get(name, 0) for name in language.types], dtype=np.int64)
    own, coarse = kind[events.kind], of_type[types[events.kind]]
    finer = np.where(own == coarse, -1, own)
    unnamed = language.unnamed + types[events.kind] if parts.unnamed else np.full(len(own), -1)
    causes = np.column_stack([coarse, finer, of_value[events.arguments], unnamed])
    return Events(
        kind=own,
        type=types[events.kind],
        causes=filled_first(causes),
        time=events.time,
        period=events.period,
        actor=events.actor,
        others=events.others,
        other_lag=events.other_lag,
    )


def _comments_in_language(own: PlainComments, events: Events, language: Language) -> MatchTables:
    # There are many hypotheses: what is known of them is kept in small numbers, and their places in
    # columns that each lie in one piece, for rows are short.
    chains = np.asfortranarray(own.chains, dtype=np.int32)
    head = own.head.astype(np.int8, copy=False)
    own, chained = own._replace(chains=chains, head=head), looked_up(own.event, chains)
    vocabulary = {word: i for i, word in enumerate(language.vocabulary)}
    context = {name: i for i, name in enumerate(language.contexts)}
    word_of = _table([vocabulary.get(word, -1) for word in own.stems])
    context_of = _table([context.get(name, 0) for name in own.contexts])
    return MatchTables(
        events,
        Comments(
            words=filled_first(word_of[own.words]),
            mentions=own.mentions,
            before=context_of[own.before],
            after=context_of[own.after],
            heard=own.heard,
            time=own.time,
            period=own.period,
            mentioned=own.mentioned,
            weight=own.weight,
        ),
        Candidates(own.candidates_of, owners(own.candidates_of), own.event, own.lag),
        Hypotheses(
            start=own.hypotheses_of,
            events=chained,
            candidates=own.chains,
            head=own.head,
            roles=_roles(events, own),
            steps=_steps(events, language, own, chained),
        ),
        language.unnamed,
        bool(own.spoken),
        most=int(own.most),
    )


def _mentioned_flags(mentions: Ints, players: int) -> Flags:
    """Whether each comment mentions each player; the last column, for nobody, says no."""
    flags = np.zeros((len(mentions), players + 1), dtype=bool)
    comment, place = np.nonzero(mentions >= 0)
    flags[comment, mentions[comment, place]] = True
    return flags


class _Built(NamedTuple):
    """Where each comment's candidates start, and their events; the same of its chains.

    `most` is how many chains each comment may have.
    """

    candidates_of: Ints
    event: Ints
    hypotheses_of: Ints
    chains: Ints
    most: Ints


def _build(
    match: Match,
    window: Window,
    longest: int,
    events: PlainEvents | Events,
    mentioned: Flags,
    budget: Budget,
) -> _Built:
    """The chains of all comments; fewer of each, where there are too many for one match."""
    budget.most(match.name, budget.pairs)  # single events at least must not be too many

    def chains(most: int) -> Iterator[tuple[Ints, Ints]]:
        return _chains(match, window, longest, events, mentioned, most)

    try:
        return _collected(chains(MAX_CHAINS), budget, MAX_CHAINS)
    except TooManyChainsError as error:
        most = budget.most(match.name, error.chains)
    return _collected(chains(most), budget, most)


def _chains(
    match: Match,
    window: Window,
    longest: int,
    events: PlainEvents | Events,
    mentioned: Flags,
    most: int,
) -> Iterator[tuple[Ints, Ints]]:
    """The bucket of each comment, and at most so many chains as places in it."""
    for comment, bucket, who in zip(match.comments, buckets(match, window), mentioned, strict=True):
        # A corpus that lists the candidates of a comment has it describe one of them.
        limit = 1 if comment.candidates is not None else longest
        named, people = who[events.actor], int(who.sum())
        yield bucket, build_chains(bucket, events.time, events.period, named, people, limit, most)


def _collected(every: Iterable[tuple[Ints, Ints]], budget: Budget, most: int) -> _Built:
    """All chains as numbers of candidates; if they are too many, only how many each comment has."""
    candidates_of, hypotheses_of = [0], [0]
    event, chains = [np.zeros(0, dtype=np.int64)], [np.zeros((0, MAX_CHAIN), dtype=np.int32)]
    for bucket, found in every:
        hypotheses_of.append(hypotheses_of[-1] + len(found))
        if hypotheses_of[-1] > MAX_TOGETHER:
            chains.clear()
            continue
        chains.append(np.where(found >= 0, found + candidates_of[-1], -1))
        event.append(bucket)
        candidates_of.append(candidates_of[-1] + len(bucket))
    counts = np.diff(hypotheses_of)
    if not budget.allows(counts):
        raise TooManyChainsError(counts)
    joined = np.concatenate(chains)
    longest = sum(bool((column >= 0).any()) for column in joined.T)  # mostly less than it may be
    return _Built(
        np.array(candidates_of),
        np.concatenate(event),
        np.array(hypotheses_of),
        joined[:, : max(2, longest)],
        np.array(most),
    )


def _steps(events: Events, language: Language, own: PlainComments, chained: Ints) -> Steps:
    """The steps along all chains: who is met is looked up by direction, type and kind."""
    near, met = met_from(events.time, events.period)
    types, kinds, nobody = len(language.types), len(language.kinds), own.mentioned.shape[1] - 1
    way = np.array([[1], [0]])  # forwards, backwards
    place = (way * types + events.type[:, None, None]) * kinds + events.kind[near]
    place = np.where(met, place, -1).astype(np.int32)
    actor = np.where(events.actor < 0, nobody, events.actor).astype(np.int32)[near]
    # What is known of each event is looked up for each pair with a comment.
    place, actor = place.take(own.event, axis=0), actor.take(own.event, axis=0)
    flag = owners(own.candidates_of)[:, None, None] * (nobody + 1) + actor
    named = own.mentioned.reshape(-1).take(flag) & (place >= 0)
    place += np.int32(2 * types * kinds) * named
    return Steps(steps_along(own.chains, chained, own.head), place)


def _roles(events: Events, own: PlainComments) -> NDArray[np.int8]:
    """What each mentioned player is to each hypothesis of the comment."""
    mentions = own.mentions.astype(np.int32).take(owners(own.candidates_of), axis=0)
    # The last row is for padding, which nobody acts in. Small numbers, for there are many.
    role = np.full((len(mentions) + 1, mentions.shape[1]), STRANGER, dtype=np.int8)
    for others in events.others[own.event].T:
        role[:-1][others[:, None] == mentions] = OTHER
    role[:-1][events.actor[own.event][:, None] == mentions] = ACTS
    role[:-1][mentions < 0] = -1
    found = role.take(own.chains[:, 0], axis=0)
    for candidate in own.chains.T[1:]:
        np.minimum(found, role.take(candidate, axis=0), out=found)
    leads = role.take(at_place(own.chains, own.head), axis=0) == ACTS
    np.copyto(found, ACTS_IN_HEAD, where=leads)
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


def filled_first(rows: Ints) -> Ints:
    """Rows with their -1 at the end, not wider than the longest."""
    missing = rows < 0
    width = max(1, int((~missing).sum(axis=1).max(initial=0)))
    order = np.argsort(missing, axis=1, kind="stable")
    return np.take_along_axis(rows, order, axis=1)[:, :width]


def _heard(
    comments: Sequence[Comment], mentioned: Sequence[Sequence[Mentioned]], width: int
) -> Floats:
    """The second at which each mention is heard; nan for padding, and where nothing is known."""
    heard = np.full((len(comments), width), np.nan)
    for c, (comment, own) in enumerate(zip(comments, mentioned, strict=True)):
        seconds = comment.seconds_at([mention.offset for mention in own])
        heard[c, : len(own)] = [np.nan if second is None else second for second in seconds]
    return heard


def _lag_of_other(event: Event) -> int:
    """Which lags those of the event's first other player are."""
    return LAG_OF_ROLE.get(event.others[0].role, OTHER_LAG) if event.others else OTHER_LAG


def _lags(
    said: Floats, events: PlainEvents | Events, built: _Built, mentions: Ints, heard: Floats
) -> Ints:
    """The lags of each candidate, by the player of it who is named, each time that they are.

    A lag is whose name it is counted from, and the lag's bin; padded with -1. Some candidates at a
    time: a long comment has many names, of which few are those of one event.
    """
    of = owners(built.candidates_of)
    found = [np.zeros((0, 1), dtype=np.int64)]
    for first in range(0, len(of), _TOGETHER):
        some = slice(first, first + _TOGETHER)
        own = said[of[some]], events, built.event[some], mentions[of[some]], heard[of[some]]
        found.append(_lags_of(*own))
    lags = np.full((len(of), max(rows.shape[1] for rows in found)), -1)
    for first, rows in zip(range(0, len(of), _TOGETHER), found[1:], strict=True):
        lags[first : first + len(rows), : rows.shape[1]] = rows
    return lags


def _lags_of(
    said: Floats, events: PlainEvents | Events, own: Ints, mentions: Ints, heard: Floats
) -> Ints:
    actor, other = events.actor[own][:, None], events.others[own, :1]
    by_actor = (mentions == actor) & (actor >= 0)
    by_other = (mentions == other) & (other >= 0)
    acts = by_actor.any(axis=1, keepdims=True)  # where both are named, the actor counts
    named = np.where(acts, by_actor, by_other)
    whose = np.where(acts, ACTOR_LAG, events.other_lag[own][:, None])
    lags = whose * LAG_BINS + lag_bin(heard - events.time[own][:, None])
    nobody = UNNAMED_LAG * LAG_BINS + lag_bin(said - events.time[own])
    lags = np.where(named, lags, -1)
    lags[:, 0] = np.where(named.any(axis=1), lags[:, 0], nobody)
    return filled_first(lags)
