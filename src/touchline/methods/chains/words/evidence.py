"""What the words and names of a part say for each event, as log-probabilities.

Constants are in nats. They were set by hand with two matches in view (docs/words.md).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from touchline.core.arrays import Floats, Ints
from touchline.core.records import Match
from touchline.methods.chains.data.language import Language
from touchline.methods.chains.data.tables import MatchTables
from touchline.methods.chains.data.word_blocks import causes_of
from touchline.methods.chains.model.m_step import Parameters
from touchline.methods.chains.model.sufficient_stats import ACTS, ACTS_IN_HEAD
from touchline.methods.chains.model.sufficient_stats import OTHER as OTHER_ROLE
from touchline.methods.chains.words.comments import Group
from touchline.methods.segments.lattice import Batch, Flags, States, states_of

# A name in a part, by who it is to the event; a name is never shared by two events.
ACTOR, OTHER, STRANGER, SHARED_NAME = 3.0, 1.0, -4.0, -3.0
# A part that describes two events at once, and one with somebody who is not in the match.
SHARED, OUTSIDER = -0.7, -2.0
# Seconds within which two players of different teams are in one action, written down twice.
TOGETHER = 3.0
# Added to how often a word comes by itself: causes are learned for whole comments, and no word is
# as surely of one event as they say.
DAMPING = 0.05


class Wordings(NamedTuple):
    """How much likelier each stem is in a part about an event than anywhere, and about nothing.

    `event[t, s]` is by the event's type and whether it is of the side that is named first. The
    last stem stands for those that were never seen.
    """

    event: Floats
    none: Floats


class Scene(NamedTuple):
    """What is known of a match's events: the model's tables, and the team of each event."""

    tables: MatchTables
    parameters: Parameters
    restarts: Flags
    event_team: Ints
    player_team: Ints

    @classmethod
    def of(
        cls, match: Match, tables: MatchTables, parameters: Parameters, language: Language
    ) -> Scene:
        number = {team.id: i for i, team in enumerate(match.teams)}
        teams = [number.get(e.team.id, -1) if e.team else -1 for e in match.linkable]
        players = [number.get(p.team.id, -1) if p.team else -1 for p in match.players]
        restarts = [name.startswith("then=") for name in language.causes()]
        return cls(
            tables, parameters, np.array([*restarts, False]),
            np.array([*teams, -1]), np.array([*players, -1]),
        )  # fmt: skip

    def sides(self, group: Group) -> Ints:
        """Of each event 0 if it is of the team that the comment names first, else 1."""
        first = self.player_team[self.tables.comments.mentions[group.comments, 0]]
        team = self.event_team[group.events]
        first = np.where(first < 0, team[:, 0], first)
        return np.asarray((team != first[:, None]) & (team >= 0)).astype(np.int64)

    def kinds(self, group: Group) -> Ints:
        """The rows of `Wordings.event` that are about the events of each comment."""
        return np.asarray(2 * self.tables.events.type[group.events] + self.sides(group))


def batch_of(scene: Scene, group: Group, wordings: Wordings | None) -> tuple[Batch, Floats]:
    """What all says together, for each part and each state, and what of it words say."""
    states = states_of(group.events.shape[1])
    words = np.zeros((*group.there.shape, len(states.events)))
    _add(words, group.words, _words(scene, group, states, wordings))
    score = words + _names(scene, group, states)
    score[..., :-1] += np.where(group.outsider, OUTSIDER, 0.0)[..., None]
    score[..., states.is_pair] += np.where(group.there, SHARED, 0.0)[..., None]
    allowed = _allowed(scene, group, states)
    score[~np.broadcast_to(allowed[:, None], score.shape)] = -np.inf
    return Batch(states, score, group.covers, allowed), words


def _add(score: Floats, rows: Ints, values: Floats) -> None:
    np.add.at(score, (rows[:, 0], rows[:, 1]), values)


def _of_states(of_events: Floats, states: States) -> Floats:
    """The mean over the events of each state; 0 for nothing."""
    weights = states.holds / np.maximum(states.holds.sum(axis=1, keepdims=True), 1)
    return np.asarray(of_events @ weights.T)


def _words(scene: Scene, group: Group, states: States, wordings: Wordings | None) -> Floats:
    """What each word says for each state.

    The words of a set piece that play goes on with describe none of the events before it.
    """
    comment, _, _, stem = group.words.T
    caused, restarted, usual = _causes(scene, group)
    restart = np.log1p(restarted / usual)
    if wordings is None:
        odds = _of_states(caused / usual[:, None], states)
        odds[:, -1] = restarted / usual
        return np.log1p(odds)
    kinds, stem = scene.kinds(group)[comment], np.minimum(stem, len(wordings.none) - 1)
    odds = _of_states(wordings.event[kinds, stem[:, None]], states)
    odds[:, -1] = wordings.none[stem]
    found = np.log(odds)
    found[:, -1] += restart
    return np.asarray(found)


def _causes(scene: Scene, group: Group) -> tuple[Floats, Floats, Floats]:
    """How often each word is brought by each event, by the set piece after it, and by itself."""
    p, (comment, _, word, _) = scene.parameters, group.words.T
    causes = causes_of(scene.tables, group.comments[:, None], group.events)[comment]
    # Padding brings nothing, nor does anything bring a word that the model does not know.
    known = (causes >= 0) & (word >= 0)[:, None, None]
    brings = np.zeros(causes.shape)
    brings[known] = p.cause[causes[known], word[np.nonzero(known)[0]]]
    then = scene.restarts[causes]
    caused = 1 - np.where(then, 1.0, 1 - brings).prod(axis=2)
    restarted = 1 - np.where(then, 1 - brings, 1.0).min(axis=(1, 2))
    return caused, restarted, np.append(p.background, 1.0)[word] + DAMPING


def _names(scene: Scene, group: Group, states: States) -> Floats:
    """What names say: each event is about its actor, less about others, hardly about strangers."""
    comment, part, player = group.names.T
    events, about = group.events[comment], scene.tables.events
    acts = about.actor[events] == player[:, None]
    meets = (about.others[events] == player[:, None, None]).any(axis=2)
    beside = _beside(scene, group)
    of_event = np.select([acts, meets], [ACTOR + beside[:, :1], OTHER + beside[:, 1:]], STRANGER)
    rows = np.zeros((len(player), len(states.events)))
    rows[:, : events.shape[1]] = of_event
    rows[:, states.is_pair] = SHARED_NAME
    best = np.full((*group.there.shape, len(states.events)), -np.inf)
    np.maximum.at(best, (comment, part), rows)  # a name may mean one of several players
    return np.where(np.isinf(best), 0.0, best)


def _beside(scene: Scene, group: Group) -> Floats:
    """What the words beside each name say for its player as actor, and as the other player.

    They are known of the first mention of a player: "to Novak", "Novak receives".
    """
    comment, _, player = group.names.T
    said, context = scene.tables.comments, scene.parameters.context
    found = np.zeros((len(player), 2))
    if not len(player):
        return found
    own = group.comments[comment]
    is_it = said.mentions[own] == player[:, None]
    which = is_it.argmax(axis=1)
    _, first = np.unique(comment * (len(said.mentioned[0]) + 1) + player, return_index=True)
    known = np.zeros(len(player), dtype=bool)
    known[first] = True
    known &= is_it.any(axis=1)
    around = context[:, said.before[own, which]] + context[:, said.after[own, which]]
    found[:, 0] = np.maximum(around[ACTS], around[ACTS_IN_HEAD])
    found[:, 1] = around[OTHER_ROLE]
    return np.where(known[:, None], found, 0.0)


def _allowed(scene: Scene, group: Group, states: States) -> Flags:
    """Each event, nothing, and pairs of opponents who are in one action."""
    allowed = np.ones((len(group.comments), len(states.events)), dtype=bool)
    about = scene.tables.events
    for k in np.flatnonzero(states.is_pair).tolist():
        one, two = (group.events[:, e] for e in states.events[k])
        teams = scene.event_team[one], scene.event_team[two]
        near = np.abs(about.time[one] - about.time[two]) <= TOGETHER
        known = (about.actor[one] >= 0) & (about.actor[two] >= 0)
        opponents = (teams[0] != teams[1]) & (teams[0] >= 0) & (teams[1] >= 0)
        allowed[:, k] = near & known & opponents
    return allowed
