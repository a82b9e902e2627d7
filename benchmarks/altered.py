"""Human comments with one thing altered on purpose, for measuring `touchline check`.

A third of the comments of a match is altered in one way; the others stay as they are, as an error
stands among true lines. What can be altered is found without labels, apart from the outcome of a
shot: its words come from another comment on a shot that ended otherwise, by the labels.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from touchline.core.clocks import live_clock
from touchline.core.records import Comment, CommentId, Event, Match, Player, Team
from touchline.io.commentary import minute_only
from touchline.text.names import MENTIONED, Mention, NameFinder

SHARE = 1 / 3
OFF = (600.0, 1200.0)  # seconds
_SCORE = re.compile(r"(?<![\d:.])(\d)([-:])(\d)(?![\d:]|\.\d)")
_TEAM_SCORE = re.compile(r"\b(\d)(, [A-Z][\w ]+ )(\d)\b")

Gold = Mapping[CommentId, frozenset[str]]


class Altered(NamedTuple):
    """A match some of whose comments are `changed`, of those for which it is `possible`; ids."""

    match: Match
    changed: frozenset[CommentId]
    possible: frozenset[CommentId]


class Donor(NamedTuple):
    """A comment on a shot, to take its words from."""

    match: Match
    comment: Comment
    outcome: str


Alter = Callable[[Comment], Comment | None]


def alter(match: Match, change: Alter, chance: random.Random) -> Altered:
    """Alter a third of the comments that can be altered that way."""
    possible = {c.id: new for c in match.comments if (new := change(c)) is not None}
    chosen = set(
        chance.sample(
            sorted(possible, key=str), min(len(possible), max(1, round(SHARE * len(possible))))
        )
    )
    comments = [possible[c.id] if c.id in chosen else c for c in match.comments]
    return Altered(match.with_comments(comments), frozenset(chosen), frozenset(possible))


def wrong_player(match: Match, chance: random.Random) -> Alter:
    """One name becomes that of another player of the team who played."""
    finder, playing = NameFinder(match), _playing(match)

    def change(comment: Comment) -> Comment | None:
        named = _named(finder, comment.text)
        if not named:
            return None
        mention = chance.choice(named)
        mates = _mates(playing, mention.who, {m.who.id for m in named})
        if not mates:
            return None
        return _replaced(comment, mention, chance.choice(mates).label)

    return change


def wrong_team(match: Match, chance: random.Random) -> Alter:
    """Every mention of one team becomes the other."""
    finder = NameFinder(match)

    def change(comment: Comment) -> Comment | None:
        found = [m for m in finder.mentions(comment.text) if isinstance(m.who, Team)]
        if not found or len({m.who.id for m in found}) > 1:
            return None
        other = next(team for team in match.teams if team.id != found[0].who.id)
        text = comment.text
        for mention in reversed(found):
            text = text[: mention.start] + other.name + text[mention.end :]
        return msgspec.structs.replace(comment, text=text)

    return change


def wrong_time(match: Match, chance: random.Random) -> Alter:
    """The comment is made 10 to 20 minutes earlier or later, within its half."""

    def change(comment: Comment) -> Comment | None:
        if comment.time is None or comment.period is None:
            return None
        off = chance.uniform(*OFF)
        ways = [comment.time + sign * off for sign in (1, -1)]
        fits = [t for t in ways if 0 <= t <= match.ends.get(comment.period, 0.0)]
        if not fits:
            return None
        moved = comment.moved(chance.choice(fits) - comment.time)
        exact = msgspec.structs.replace(
            moved, clock=live_clock(comment.period, max(moved.time or 0.0, 0.0))
        )
        return minute_only(exact) if comment.anywhere else exact

    return change


def wrong_score(match: Match, chance: random.Random) -> Alter:
    """One team has a goal more or less than the comment says."""

    def change(comment: Comment) -> Comment | None:
        hit = _SCORE.search(comment.text) or _TEAM_SCORE.search(comment.text)
        if hit is None:
            return None
        goals = [int(hit[1]), int(hit[3])]
        which = chance.randrange(2)
        goals[which] += chance.choice([1, -1]) if goals[which] else 1
        text = f"{goals[0]}{hit[2]}{goals[1]}"
        changed = comment.text[: hit.start()] + text + comment.text[hit.end() :]
        return msgspec.structs.replace(comment, text=changed)

    return change


def wrong_outcome(donors: Sequence[Donor], gold: Gold) -> Callable[[Match, random.Random], Alter]:
    """The words of another comment on a shot that ended otherwise, with this one's players."""

    def of(match: Match, chance: random.Random) -> Alter:
        finder = NameFinder(match)
        finders = {donor.match.name: NameFinder(donor.match) for donor in donors}

        def change(comment: Comment) -> Comment | None:
            outcome = shot_outcome(match, gold.get(comment.id, frozenset()))
            own = _named(finder, comment.text)
            if outcome is None or not own:
                return None
            others = [d for d in donors if d.outcome != outcome and d.comment.text != comment.text]
            for donor in chance.sample(others, len(others)):
                text = _worded_as(donor, finders[donor.match.name], own, match)
                if text is not None:
                    return msgspec.structs.replace(comment, text=text)
            return None

        return change

    return of


def donors_of(matches: Sequence[Match], golds: Sequence[Gold]) -> Iterator[Donor]:
    """Comments on a single shot that state no score."""
    for match, gold in zip(matches, golds, strict=True):
        for comment in match.comments:
            outcome = shot_outcome(match, gold.get(comment.id, frozenset()))
            if outcome is not None and not _SCORE.search(comment.text):
                yield Donor(match, comment, outcome)


def shot_outcome(match: Match, events: frozenset[str]) -> str | None:
    """How the single shot among some events ended, in plain classes."""
    shots = [match.event_by_id[e] for e in events if match.event_by_id[e].type == "Shot"]
    return _outcome(shots[0]) if len(shots) == 1 else None


def _outcome(shot: Event) -> str | None:
    given = shot.arguments.get("outcome", "")
    plain = {
        "Goal": "goal",
        "Blocked": "blocked",
        "Off T": "off",
        "Wayward": "off",
        "Saved": "saved",
    }
    return plain.get(given)


def _worded_as(
    donor: Donor, finder: NameFinder, own: Sequence[Mention], match: Match
) -> str | None:
    """The donor's text with the players and teams of another comment, in their order."""
    text = donor.comment.text
    found = _named(finder, text)
    if len({m.who.id for m in found}) != len({m.who.id for m in own}) or not found:
        return None
    people = dict(
        zip(
            dict.fromkeys(m.who.id for m in found),
            dict.fromkeys(m.who.id for m in own),
            strict=True,
        )
    )
    by_id = {m.who.id: m.who for m in own}
    first = found[0].who.team if isinstance(found[0].who, Player) else None
    mine = own[0].who.team if isinstance(own[0].who, Player) else None
    if first is None or mine is None:
        return None
    other = next(team for team in match.teams if team.id != mine.id)
    spans = [(m.start, m.end, by_id[people[m.who.id]].names[0]) for m in found]
    for mention in finder.mentions(text):
        if isinstance(mention.who, Team):
            name = mine.name if mention.who.id == first.id else other.name
            spans.append((mention.start, mention.end, name))
    for start, end, name in sorted(spans, reverse=True):
        text = text[:start] + name + text[end:]
    return text


def _named(finder: NameFinder, text: str) -> list[Mention]:
    """The players whom a text surely names."""
    every = [m for m in finder.mentions(text) if isinstance(m.who, Player)]
    spans = [(m.start, m.end) for m in every]
    return [m for m in every if m.weight >= MENTIONED and spans.count((m.start, m.end)) == 1]


def _playing(match: Match) -> list[Player]:
    acting = {event.player.id for event in match.events if event.player}
    return [player for player in match.players if player.id in acting]


def _mates(playing: Sequence[Player], who: Player | Team, apart: set[str]) -> list[Player]:
    team = who.team.id if isinstance(who, Player) and who.team else None
    return [p for p in playing if p.team and p.team.id == team and p.id not in apart]


def _replaced(comment: Comment, mention: Mention, name: str) -> Comment:
    text = comment.text[: mention.start] + name + comment.text[mention.end :]
    return msgspec.structs.replace(comment, text=text)
