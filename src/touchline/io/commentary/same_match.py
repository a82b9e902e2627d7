"""Whether a commentary is about the match of the log, by the names in it.

Three things show it. Names: a commentary on another match is full of people who are in neither
squad. Sides: one that shares a team with the match names the players of that team alone. Time: on
the right match, the players who are named act at that moment more often than at any other, whatever
the names are worth; on another match of the same two teams they do not.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain

import msgspec
import numpy as np

from touchline.core.arrays import Floats, Ints
from touchline.core.records import Comment, CommentId, Match, Player
from touchline.text.names import finder_of
from touchline.text.tokens import FUNCTION_WORDS, Token, tokenise

# A text with fewer names than this says nothing about its match.
MIN_NAMES = 5
# Of the names in a text, the share that belongs to the match: below FOREIGN it is about another
# one, above FAMILIAR about this one. In between, the players of both teams must be named. Where
# the times show that the match is right, only a text of almost nothing but strangers is doubted:
# in some languages every noun has a capital.
FOREIGN, FAMILIAR, ALMOST_ALL_FOREIGN = 0.3, 0.75, 0.15
# The smallest share of the less often named team among the players named.
MIN_SIDE = 0.1
# How many standard deviations more often than by chance named players act when they are named:
# from PROVEN on the match is right, below UNPROVEN it is wrong. The latter only where the right
# match would stand out: ON_THE_BALL of the players named would act, CLEAR standard deviations more
# than by chance. A clock of minutes is too coarse for that.
PROVEN, UNPROVEN = 4.0, 3.5
ON_THE_BALL, CLEAR = 0.6, 6.0
# Seconds before and after a comment in which a named player's actions are looked for.
BEFORE, AFTER = 10.0, 6.0
# The clock may be late or early by the first of these; actions further off are chance.
CLOCK_ERRORS = range(-180, 181, 15)
ELSEWHERE = (*range(-1500, -420, 60), *range(480, 1560, 60))
# A part of a text that is judged by itself has at least so many comments.
MIN_PART = 20
SHOWN = 3  # strangers named in a message

_Times = Mapping[tuple[str, int], Floats]


def wrong_match(match: Match) -> str | None:
    """A sentence on why the comments seem to be about another match; None where they do not."""
    if not match.comments or any(c.candidates is not None for c in match.comments):
        return None
    names = _Names(match)
    comments = match.comments
    if problem := names.problem(comments):
        return f"the commentary {problem}; is it about this match?"
    half = len(comments) // 2
    for part, which in ((comments[:half], "first"), (comments[half:], "second")):
        if len(part) >= MIN_PART and (problem := names.foreign(part)):
            return f"the {which} half of the commentary {problem}; is all of it about this match?"
    return None


class _Mention(msgspec.Struct, frozen=True):
    comment: Comment
    player: Player


class _Names:
    """The names in a match's commentary, known and unknown."""

    def __init__(self, match: Match) -> None:
        self._match = match
        finder = finder_of(match)
        self._known = finder.known_words
        self._mentions = {
            comment.id: [
                _Mention(comment, player) for player in finder.players_mentioned(comment.text)
            ]
            for comment in match.comments
        }
        self._lower = Counter(token.key for token in _tokens(match.comments) if not token.capital)
        self._capitals = {comment.id: list(_capitals(comment)) for comment in match.comments}
        self._capital = Counter(chain.from_iterable(self._capitals.values()))
        self._timings: dict[tuple[CommentId, int], _Timing] = {}

    @cached_property
    def _times(self) -> _Times:
        return _times_of(self._match)

    def problem(self, comments: Sequence[Comment]) -> str | None:
        """What speaks against the match, to stand after "the commentary"."""
        return self.foreign(comments) or self._one_sided(comments) or self._untimely(comments)

    def foreign(self, comments: Sequence[Comment]) -> str | None:
        """Most of the names are not of the match."""
        people, strangers = self._people(comments), self._strangers(comments)
        if len(people) + len(strangers) < MIN_NAMES or not strangers:
            return None
        max_foreign = ALMOST_ALL_FOREIGN if self._timing(comments).proof >= PROVEN else FOREIGN
        if self._familiar(comments) >= max_foreign:
            return None
        if not people:
            return f"names no player of this match, but {_listed(strangers)}"
        players = "1 player" if len(people) == 1 else f"{len(people)} players"
        return f"names {players} of this match and {_listed(strangers)}"

    def _one_sided(self, comments: Sequence[Comment]) -> str | None:
        """The players of one team are named, and strangers instead of those of the other."""
        sides, strangers = self._sides(comments), self._strangers(comments)
        if len(self._people(comments)) + len(strangers) < MIN_NAMES or len(sides) != 2:
            return None
        if not strangers:
            return None
        fewer, more = sorted(sides, key=lambda name: sides[name])
        if sides[fewer] >= MIN_SIDE * sum(sides.values()) or self._familiar(comments) >= FAMILIAR:
            return None
        if self._timing(comments).proof >= PROVEN:
            return None
        return f"names players of {more} but hardly any of {fewer}, and {_listed(strangers)}"

    def _untimely(self, comments: Sequence[Comment]) -> str | None:
        """The right players are named, but at times that have nothing to do with the log."""
        timing = self._timing(comments)
        if timing.expected < CLEAR or timing.proof >= UNPROVEN:
            return None
        return (
            "names players of the match, but not when the log has them on the ball "
            "(another match of these teams, or a wrong clock)"
        )

    def _mentioned(self, comments: Iterable[Comment]) -> list[_Mention]:
        return [mention for comment in comments for mention in self._mentions[comment.id]]

    def _people(self, comments: Iterable[Comment]) -> set[str]:
        return {mention.player.id for mention in self._mentioned(comments)}

    def _timing(self, comments: Sequence[Comment]) -> _Timing:
        """Counted once for the same comments: it is what takes the time."""
        key = comments[0].id, len(comments)
        if key not in self._timings:
            mentioned = self._mentioned(comments)
            self._timings[key] = _Timing(self._match, self._times, mentioned)
        return self._timings[key]

    def _familiar(self, comments: Iterable[Comment]) -> float:
        """The share of the names in a text that belong to the match."""
        known = sum(word in self._known for word in self._capitalised(comments))
        return known / max(known + self._strangers(comments).total(), 1)

    def _strangers(self, comments: Iterable[Comment]) -> Counter[str]:
        """Words that seem to be names, but not of this match."""
        return Counter(
            word
            for word in self._capitalised(comments)
            if word not in self._known and self._lower[word] < self._capital[word]
        )

    def _capitalised(self, comments: Iterable[Comment]) -> Iterator[str]:
        return chain.from_iterable(self._capitals[comment.id] for comment in comments)

    def _sides(self, comments: Iterable[Comment]) -> dict[str, int]:
        """How often players of each team are named."""
        teams = (mention.player.team for mention in self._mentioned(comments))
        named = Counter(team.id for team in teams if team is not None)
        return {team.name: named[team.id] for team in self._match.teams}


def _tokens(comments: Iterable[Comment]) -> Iterator[Token]:
    return (token for comment in comments for token in tokenise(comment.text))


def _capitals(comment: Comment) -> Iterator[str]:
    """Words that are capitalised though no sentence starts with them."""
    for token in tokenise(comment.text):
        within = token.capital and not token.starts_sentence and len(token.key) > 2
        if within and token.key not in FUNCTION_WORDS:
            yield token.key


def _listed(strangers: Counter[str]) -> str:
    names = ", ".join(word.capitalize() for word, _ in strangers.most_common(SHOWN))
    more = " ..." if len(strangers) > SHOWN else ""
    return f"{len(strangers)} other names ({names}{more})"


class _Timing:
    """How often the players who are named act at that time, against other times.

    `times` are those at which each player acts in each period, in order.
    """

    def __init__(self, match: Match, times: _Times, mentions: Sequence[_Mention]) -> None:
        self._ends = match.ends
        self._times = times
        self._mentions = [
            m for m in mentions if m.comment.period in match.ends and m.comment.start is not None
        ]

    @cached_property
    def proof(self) -> float:
        """Standard deviations by which the best clock beats chance."""
        if not self._mentions:
            return 0.0
        return self._beyond_chance(float(self._acting(CLOCK_ERRORS).max()))

    @property
    def expected(self) -> float:
        """The same, for a commentary on the right match."""
        if not self._mentions:
            return 0.0
        return self._beyond_chance(ON_THE_BALL * len(self._mentions))

    def _beyond_chance(self, acting: float) -> float:
        mean, deviation = self._chance
        return (acting - mean) / max(deviation, 1.0)

    @cached_property
    def _chance(self) -> tuple[float, float]:
        elsewhere = self._acting(ELSEWHERE)
        return float(elsewhere.mean()), float(elsewhere.std())

    def _acting(self, shifts: Sequence[float]) -> Ints:
        """How many of the players named act, were all comments made so many seconds later."""
        total, moved = np.zeros(len(shifts), dtype=np.int64), np.array(shifts, dtype=float)
        for (_, period), (times, spans) in self._spans.items():
            # What falls out at one end of the period comes in again at the other.
            start = (spans[0, :, None] + moved) % max(self._ends[period], 1.0)
            after = start + spans[1, :, None] - spans[0, :, None] + AFTER
            acts = np.searchsorted(times, start - BEFORE) < np.searchsorted(times, after)
            total += acts.sum(axis=0)
        return total

    @cached_property
    def _spans(self) -> dict[tuple[str, int], tuple[Floats, Floats]]:
        """Of each player who is named in a period, when they act, and the spans of the comments."""
        spans: dict[tuple[str, int], list[tuple[float, float]]] = defaultdict(list)
        for mention in self._mentions:
            comment, who = mention.comment, mention.player.id
            if comment.period is None or comment.start is None or comment.end is None:
                continue
            if (who, comment.period) in self._times:
                spans[who, comment.period].append((comment.start, comment.end))
        return {key: (self._times[key], np.array(own).T) for key, own in spans.items()}


def _times_of(match: Match) -> _Times:
    """When each player acts in each period, in order."""
    times: dict[tuple[str, int], list[float]] = defaultdict(list)
    for event in match.events:
        if event.player is not None:
            times[event.player.id, event.period].append(event.time)
        for other in event.others:
            times[other.player.id, event.period].append(event.time)
    return {key: np.sort(np.array(own)) for key, own in times.items()}
