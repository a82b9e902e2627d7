"""A match as tables of arrays: events, comments, candidates, hypotheses.

A candidate is an event of a comment's bucket; a hypothesis is a chain of them that a comment may
describe. Events, players, words and kinds are numbers; padding is -1 throughout.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from touchline.core.arrays import Floats, Ints
from touchline.methods.chains.data.candidate_chains import MAX_CHAINS, Flags
from touchline.methods.chains.data.extensions import Steps
from touchline.methods.chains.data.word_blocks import WordBlocks, word_blocks
from touchline.methods.chains.model.sufficient_stats import ROLES, STRANGER

# Hypotheses whose mentions are looked at together.
_TOGETHER = 100_000


class Events(NamedTuple):
    """The linkable events of a match.

    `causes` are what of an event may bring words: its type, its kind, its arguments, and last the
    part of a player who is not named. `other_lag` is which lags those of
    its first other player are.
    """

    kind: Ints
    type: Ints
    causes: Ints
    time: Floats
    period: Ints
    actor: Ints
    others: Ints
    other_lag: Ints


class Comments(NamedTuple):
    """The comments of a match.

    `mentions` are the players that a comment names, in order, with the words `before` and `after`
    each, and the second at which each is `heard`; a spoken comment may name a player again.
    `mentioned` has a flag for each player, the last for nobody. `weight` is how much a comment
    counts in learning.
    """

    words: Ints
    mentions: Ints
    before: Ints
    after: Ints
    heard: Floats
    time: Floats
    period: Ints
    mentioned: Flags
    weight: Floats

    @property
    def first(self) -> Flags:
        """Which mentions are the first of their player in the comment."""
        return first_of(self.mentions)


class Candidates(NamedTuple):
    """The events of all buckets; those of comment c are `start[c]` to `start[c + 1]`.

    `lag` are places in `Parameters.lag` of how long after the event it is mentioned, one for each
    time that its player is named.
    """

    start: Ints
    comment: Ints
    event: Ints
    lag: Ints


class _Hypotheses(NamedTuple):
    start: Ints
    events: Ints
    candidates: Ints
    head: Ints
    roles: NDArray[np.int8]
    steps: Steps


class Hypotheses(_Hypotheses):
    """The chains that comments may describe; those of comment c are `start[c]` to `start[c + 1]`.

    The single events of a bucket come first. `candidates` and `events` are the same chains in two
    numberings. `head` is the head's place in the chain, `roles` what the player of each mention is
    to the chain, `steps` how the chain grew from its head.
    """

    @cached_property
    def comment(self) -> Ints:
        return owners(self.start).astype(np.int32)

    @cached_property
    def head_event(self) -> Ints:
        return at_place(self.events, self.head)

    @cached_property
    def head_candidate(self) -> Ints:
        return at_place(self.candidates, self.head)


class Heads(NamedTuple):
    """Candidates as heads: the kind of each, and who of it is named.

    `acting` says whether it has an actor, `named` whether that is mentioned; `naming` who is:
    nobody, its actor, the other, both, -1 without two players. `naming_anybody` says whether its
    comment mentions a player, `leads` whether it starts with the actor, or with the other player
    and never has the actor.
    """

    kind: Ints
    acting: Flags
    named: Flags
    naming: Ints
    naming_anybody: Flags
    leads: Flags


class Allowed(NamedTuple):
    """Which hypotheses labels leave, and for which comments "no event"."""

    chains: Flags
    none: Flags


class _MatchTables(NamedTuple):
    events: Events
    comments: Comments
    candidates: Candidates
    hypotheses: Hypotheses
    unnamed: int
    spoken: bool
    allowed: Allowed | None = None
    most: int = MAX_CHAINS


class MatchTables(_MatchTables):
    """All that the model uses of a match, in the numbers of one language.

    From `unnamed` on, causes are parts of players who are not named. `spoken` says whether the
    commentary was spoken: only then names have a time of their own, and the speaker states.
    `allowed` are the hypotheses that are possible; None if all are. `most` is how many chains each
    comment may have: fewer than usual where the match has too many.
    """

    @cached_property
    def word_blocks(self) -> WordBlocks:
        return word_blocks(self)

    @cached_property
    def candidates_of(self) -> Ints:
        """The candidates of each comment, in order, padded with -1."""
        start = self.candidates.start
        places = start[:-1, None] + np.arange(np.diff(start).max(initial=0))
        return np.where(places < start[1:, None], places, -1)

    @cached_property
    def heads(self) -> Heads:
        """What is known of each candidate as a head, which does not depend on parameters."""
        comment, event = self.candidates.comment, self.candidates.event
        actor, other = self.events.actor[event], self.events.others[event, 0]
        acts = self.comments.mentioned[comment, actor]
        first = self.comments.mentions[comment, 0]
        who = acts + 2 * self.comments.mentioned[comment, other]
        return Heads(
            kind=self.events.kind[event],
            acting=actor >= 0,
            named=acts,
            naming=np.where((actor >= 0) & (other >= 0), who, -1),
            naming_anybody=first >= 0,
            leads=(first >= 0) & ((actor == first) | ((other == first) & ~acts)),
        )

    @cached_property
    def parts_in_chains(self) -> tuple[Ints, Ints]:
        """Each mention of a player with a part in a hypothesis: the hypothesis, and the place.

        The place is by comment, mention and role. Most mentions are of strangers to a chain.
        """
        chains, found = self.hypotheses, []
        for first in range(0, max(len(chains.roles), 1), _TOGETHER):
            roles = chains.roles[first : first + _TOGETHER]
            row, which = np.nonzero((roles >= 0) & (roles != STRANGER))
            mention = chains.comment[first + row] * roles.shape[1] + which
            place = mention * ROLES + roles[row, which]
            found.append(((first + row).astype(np.int32), place.astype(np.int32)))
        hypothesis, place = map(np.concatenate, zip(*found, strict=True))
        return hypothesis, place

    def weighted(self, weight: Floats) -> MatchTables:
        """The same match with its comments weighted by so much more or less."""
        weight = self.comments.weight * weight
        return self._replace(comments=self.comments._replace(weight=weight))


class PlainEvents(NamedTuple):
    """The events of a match before its language is known.

    `kind` and `arguments` are numbers in the lists `kinds` and `values`; the rest is as in Events.
    """

    kinds: list[str]
    values: list[str]
    kind: Ints
    arguments: Ints
    time: Floats
    period: Ints
    actor: Ints
    others: Ints
    other_lag: Ints


class PlainComments(NamedTuple):
    """The comments of a match and their hypotheses before its language is known.

    `words`, `before` and `after` are numbers in the lists `stems` and `contexts`. `candidates_of`
    and `hypotheses_of` are where those of each comment start, `spoken` is a single flag and `most`
    a single number; the rest is as in the other tables.
    """

    stems: list[str]
    contexts: list[str]
    words: Ints
    mentions: Ints
    before: Ints
    after: Ints
    heard: Floats
    time: Floats
    period: Ints
    mentioned: Flags
    weight: Floats
    candidates_of: Ints
    event: Ints
    hypotheses_of: Ints
    chains: Ints
    most: Ints
    head: Ints
    lag: Ints
    spoken: Flags


def first_of(mentions: Ints) -> Flags:
    """Which of each row's mentions name a player for the first time."""
    again = np.zeros(mentions.shape, dtype=bool)
    for i in range(1, mentions.shape[1]):
        again[:, i] = (mentions[:, :i] == mentions[:, i : i + 1]).any(axis=1)
    return (mentions >= 0) & ~again


def owners(start: Ints) -> Ints:
    """The owner of each item, where items `start[i]` to `start[i + 1]` belong to i."""
    return np.repeat(np.arange(len(start) - 1), np.diff(start))


def at_place(rows: Ints, place: Ints) -> Ints:
    """The element of each row at its place; the rows are mostly laid out column by column."""
    at = place * np.int64(len(rows)) + np.arange(len(rows))
    return np.asarray(rows.T.reshape(-1).take(at))


def looked_up(values: Ints, numbers: Ints) -> Ints:
    """The values with these numbers, as small as these are; -1 stays."""
    known, found = np.append(values, -1), np.empty_like(numbers)
    for place, column in enumerate(numbers.T):
        found[:, place] = known.take(column)
    return found
