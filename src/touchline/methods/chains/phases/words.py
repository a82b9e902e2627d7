"""Phases: comments about what a team is doing for a while, "Rovers are coming forward".

Such a comment describes no single event but the spell (see `possession`) that its team has then. A
comment may name a team for many reasons, most of which have nothing to do with the ball. Two things
say that it is about a spell: how large the team's spell is then, among its spells at all moments of
the match; and whether its words are those of comments that come while there is much play, not of
talk that comes at any moment. Which words those are is learned without labels (see `learning`).

A written comment that describes events of players is about them, and the team in it has won a
corner, as a rule. Speech goes on over the ends of lines: a line that names nobody and describes no
event, with no pause between it and a line about a spell, is about the same spell.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from touchline.core.links import CommentLinks, Links, Phase
from touchline.core.records import Comment, Match, Player, Team
from touchline.methods.chains.data.language import stem
from touchline.methods.chains.labelled.kinds import TEXT
from touchline.methods.chains.labelled.kinds import kind_of as kind_of_text
from touchline.methods.chains.phases.kinds import kind_of
from touchline.methods.chains.phases.possession import Possession, Spell
from touchline.methods.pairs.features import name_words
from touchline.text.names import MENTIONED, Mention, NameFinder
from touchline.text.tokens import Token, tokenise

PATH = Path(__file__).parents[1] / "bundled" / "phases.json"
# From this score on a comment is about a phase, and of so many events it must be at least.
SURE, FEWEST = 0.5, 3
# The rank of a spell that is described, from 0 to 1, has the density POWER * rank ** (POWER - 1).
POWER = 3.0
# A team so close to a player's name says which team they play for: "Smith (Rovers)".
_BESIDE = 3
# Lines with no more seconds between them are said in one breath.
PAUSE = 0.5


class PhaseWords(msgspec.Struct, frozen=True, kw_only=True):
    """What was learned about words: `offset` and, for each stem, how much it speaks of play.

    The sum over a comment has mean 0 and standard deviation 1 over the comments learned from.
    """

    offset: float
    words: dict[str, float]

    def play(self, words: Iterable[str]) -> float:
        """How much words speak of play, in standard deviations from the average comment."""
        return self.offset + sum(self.words.get(word, 0.0) for word in words)

    def score(self, words: Iterable[str], rank: float) -> float:
        """How likely a comment is about a spell of that rank among all of the team's.

        The words set the odds, even ones for the average comment; a smaller spell lowers them.
        """
        odds = self.play(words) + (POWER - 1) * np.log(rank)
        return float(1 / (1 + np.exp(-odds)))


class Naming(NamedTuple):
    """Of a comment: the teams that it names by themselves; whether it names players, or anybody.

    `words` are those of the sentences with the teams; without any, all words.
    """

    teams: tuple[Team, ...]
    words: tuple[str, ...]
    players: bool
    anybody: bool


@lru_cache(maxsize=1)
def bundled_words() -> PhaseWords | None:
    """What comes with touchline; None while it is being made."""
    return msgspec.json.decode(PATH.read_bytes(), type=PhaseWords) if PATH.exists() else None


def with_phases(
    links: Links, words: PhaseWords | None = None, finder: NameFinder | None = None
) -> Links:
    """The links of a match, with the phases that comments are about; nothing else is changed.

    `finder` is one that has found the names of the match already, spelled as they are.
    """
    words = words or bundled_words()
    if words is None:
        return links
    namings = namings_of(links.match, finder)
    possession, written = Possession(links.match), kind_of_text(links.match) == TEXT
    own = [
        None
        if written and answer.events and naming.players
        else _phase(answer, naming, possession, words)
        for answer, naming in zip(links, namings, strict=True)
    ]
    phases = _carried_on(links, namings, own)
    found = (
        msgspec.structs.replace(answer, phase=phase)
        for answer, phase in zip(links, phases, strict=True)
    )
    return Links(links.match, found, links.method)


def _phase(
    answer: CommentLinks, naming: Naming, possession: Possession, words: PhaseWords
) -> Phase | None:
    """The spell of a team that the comment names; of two, of that with the larger one."""
    if not naming.teams or answer.period is None or answer.time is None:
        return None
    spells = {team: possession.spell(team.id, answer.period, answer.time) for team in naming.teams}
    ranks = {team: possession.rank(team.id, spell) for team, spell in spells.items()}
    team = max(naming.teams, key=lambda named: ranks[named])
    score = words.score(naming.words, ranks[team])
    if score < SURE or len(spells[team].events) < FEWEST:
        return None
    return _as_phase(team, spells[team], score)


def _as_phase(team: Team, spell: Spell, score: float) -> Phase:
    return Phase(
        team=team.name,
        kind=kind_of(spell),
        span=(spell.events[0].time, spell.events[-1].time),
        events=tuple(event.id for event in spell.events),
        score=round(score, 6),
    )


def _carried_on(
    links: Links, namings: Sequence[Naming], own: Sequence[Phase | None]
) -> list[Phase | None]:
    """The phases, also of lines in one breath with one about a phase, the earlier one first."""
    comments, phases = links.match.comments, list(own)
    for first, second in pairwise(range(len(own))):
        if _in_one_breath(comments[first], comments[second]):
            for place, beside in ((second, first), (first, second)):
                naming = namings[place]
                if not (naming.anybody or links[place].events) and naming.words:
                    phases[place] = phases[place] or own[beside]
    return phases


def _in_one_breath(first: Comment, second: Comment) -> bool:
    """Whether the second comment is said right after the first."""
    if first.anywhere or second.anywhere or first.period != second.period:
        return False
    if first.end is None or second.start is None or first.exact or second.exact:
        return False
    return abs(second.start - first.end) <= PAUSE


def namings_of(match: Match, finder: NameFinder | None = None) -> list[Naming]:
    """Of each comment the teams that it names, and the words around them without names."""
    finder, names = finder or NameFinder(match), names_in(match)
    return [_naming(comment.text, finder, names) for comment in match.comments]


def names_in(match: Match) -> set[str]:
    """Stems of names: of the match, and those mostly written with a capital, whoever has them."""
    leaning: Counter[str] = Counter()
    for comment in match.comments:
        for token in tokenise(comment.text):
            if not token.starts_sentence:
                leaning[stem(token.key)] += 1 if token.capital else -1
    capitals = {word for word, more in leaning.items() if more > 0}
    return capitals | {stem(name) for name in name_words([match])}


def _naming(text: str, finder: NameFinder, names: set[str]) -> Naming:
    found = [mention for mention in finder.mentions(text) if mention.weight >= MENTIONED]
    players = [mention for mention in found if isinstance(mention.who, Player)]
    apart = [m for m in found if isinstance(m.who, Team) and not _beside(m, players)]
    teams = {m.who.id: m.who for m in apart if isinstance(m.who, Team)}
    near = _sentences_at(tokenise(text), {mention.start for mention in apart})
    return Naming(tuple(teams.values()), stems(near, names), bool(players), bool(found))


def stems(tokens: Iterable[Token], names: set[str]) -> tuple[str, ...]:
    """The stems of words that are no names, each once."""
    return tuple(sorted({stem(token.key) for token in tokens} - names))


def _sentences_at(tokens: Sequence[Token], places: Collection[int]) -> Iterator[Token]:
    """The words of the sentences that hold any of the places; without places all words."""
    firsts = [i for i, token in enumerate(tokens) if token.starts_sentence or i == 0]
    for first, end in pairwise([*firsts, len(tokens)]):
        if not places or any(token.start in places for token in tokens[first:end]):
            yield from tokens[first:end]


def _beside(team: Mention, players: Sequence[Mention]) -> bool:
    gaps = ((team.start - p.end, p.start - team.end) for p in players)
    return any(0 <= gap <= _BESIDE for both in gaps for gap in both)
