"""Phases: comments about what a team is doing for a while, "Rovers are coming forward".

Such a comment describes no single event but the spell (see `spells`) that its team has then. A
comment may name a team for many reasons, most of which have nothing to do with the ball. Two things
say that it is about a spell: how large the team's spell is then, among its spells at all moments of
the match; and words that, in other matches, stand in comments whose team has the ball just then
more than by chance. Which words those are is learned without labels: a comment is about a spell or
it is not, and if it is not, any rank of the spell is as likely as any other. Words are weighed
once, by the ranks alone: weighed again by their own verdict, they soon believe only themselves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from touchline.core.arrays import Floats
from touchline.core.links import CommentLinks, Links, Phase
from touchline.core.records import Match, Player, Team
from touchline.methods.chains.data.language import content_words, stem
from touchline.methods.chains.phases.possession import Possession
from touchline.methods.pairs.features import name_words
from touchline.text.names import MENTIONED, Mention, NameFinder
from touchline.text.tokens import Token, tokenise

PATH = Path(__file__).parents[1] / "bundled" / "phases.json"
# From this score on a comment is about a phase, and of so many events it must be at least.
SURE, FEWEST = 0.5, 3
# A word's own comments weigh against so many that are as all others.
DOUBT = 10.0
ROUNDS = 20
# The rank of a spell that is described, from 0 to 1, has the density POWER * rank ** (POWER - 1).
POWER = 3.0
# A team so close to a player's name says which team they play for: "Smith (Rovers)".
_BESIDE = 3
EDGE = "."


class PhaseWords(msgspec.Struct, frozen=True, kw_only=True):
    """What was learned about comments that name one team.

    `share` of them are about a spell; `words` raise or lower the log-odds of that. Those directly
    before and after the team's name are `<with` and `with>`.
    """

    share: float
    words: dict[str, float]

    def score(self, words: Iterable[str], rank: float) -> float:
        """How probably a comment is about a spell of that rank among all of the team's."""
        odds = _logit(self.share) + sum(self.words.get(word, 0.0) for word in words)
        return float(_about(odds, np.log(rank)))


class Naming(NamedTuple):
    """A comment that names one team by itself: which, the words, and whether players as well."""

    team: Team
    words: tuple[str, ...]
    players: bool


@lru_cache(maxsize=1)
def bundled_words() -> PhaseWords | None:
    """What comes with touchline; None while it is being made."""
    return msgspec.json.decode(PATH.read_bytes(), type=PhaseWords) if PATH.exists() else None


def with_phases(links: Links, words: PhaseWords | None = None) -> Links:
    """The links of a match, with the phases that comments are about; nothing else is changed."""
    words = words or bundled_words()
    if words is None:
        return links
    possession, namings = Possession(links.match), namings_of(links.match)
    found = (
        msgspec.structs.replace(answer, phase=_phase(answer, naming, possession, words))
        for answer, naming in zip(links, namings, strict=True)
    )
    return Links(links.match, found, links.method)


def _phase(
    answer: CommentLinks, naming: Naming | None, possession: Possession, words: PhaseWords
) -> Phase | None:
    """A comment that describes events is about them, unless all that it names is a team."""
    if naming is None or answer.period is None or answer.time is None:
        return None
    if answer.events and naming.players:
        return None
    spell = possession.spell(naming.team.id, answer.period, answer.time)
    score = words.score(naming.words, possession.rank(naming.team.id, spell))
    if score < SURE or len(spell.events) < FEWEST:
        return None
    return Phase(
        team=naming.team.name,
        span=(spell.events[0].time, spell.events[-1].time),
        events=tuple(event.id for event in spell.events),
        score=round(score, 6),
    )


def namings_of(match: Match) -> list[Naming | None]:
    """Of each comment the one team that it names; None where it names none or both."""
    finder = NameFinder(match)
    names = {stem(name) for name in name_words([match])} | _capitals(match)
    return [_naming(comment.text, finder, names) for comment in match.comments]


def _capitals(match: Match) -> set[str]:
    """Stems that are mostly written with a capital: names of people and places, of any match."""
    leaning: Counter[str] = Counter()
    for comment in match.comments:
        for token in tokenise(comment.text):
            if not token.starts_sentence:
                leaning[stem(token.key)] += 1 if token.capital else -1
    return {word for word, capitals in leaning.items() if capitals > 0}


def _naming(text: str, finder: NameFinder, names: set[str]) -> Naming | None:
    found = [mention for mention in finder.mentions(text) if mention.weight >= MENTIONED]
    players = [mention for mention in found if isinstance(mention.who, Player)]
    teams = {m.who.id: m.who for m in found if isinstance(m.who, Team)}
    apart = [m for m in found if isinstance(m.who, Team) and not _beside(m, players)]
    if len(teams) != 1 or not apart:
        return None
    around = _around(apart[0], tokenise(text))
    words = set(content_words(text)) - names
    words.update(word for word in around if stem(word.strip("<>")) not in names)
    return Naming(next(iter(teams.values())), tuple(sorted(words)), bool(players))


def _beside(team: Mention, players: Sequence[Mention]) -> bool:
    gaps = ((team.start - p.end, p.start - team.end) for p in players)
    return any(0 <= gap <= _BESIDE for both in gaps for gap in both)


def _around(team: Mention, tokens: Sequence[Token]) -> tuple[str, str]:
    """The words before and after a team's name, within its sentence."""
    first = next(i for i, token in enumerate(tokens) if token.start == team.start)
    last = next(i for i, token in enumerate(tokens) if token.end == team.end)
    before = EDGE if tokens[first].starts_sentence else tokens[first - 1].key
    ends = last + 1 == len(tokens) or tokens[last + 1].starts_sentence
    return f"<{before}", f"{EDGE if ends else tokens[last + 1].key}>"


class Seen(NamedTuple):
    """What learning uses of a comment: its words, and the rank of its team's spell."""

    words: tuple[str, ...]
    rank: float


def seen_in(match: Match) -> list[Seen]:
    """The comments of a match that name one team, where their own clock puts them."""
    possession = Possession(match)
    found = []
    for comment, naming in zip(match.comments, namings_of(match), strict=True):
        if naming and comment.period is not None and comment.time is not None:
            spell = possession.spell(naming.team.id, comment.period, comment.time)
            found.append(Seen(naming.words, possession.rank(naming.team.id, spell)))
    return found


def learn_words(
    matches: Sequence[Sequence[Seen]], is_plain: Callable[[str], bool] = lambda word: True
) -> PhaseWords:
    """Learn from several matches; words that only one of them holds are left out.

    So are words that are not plain, see `touchline.methods.chains.data.language.plain_words`.
    """
    known = _shared(matches, is_plain)
    comments = [seen for match in matches for seen in match]
    pairs = [(i, known[w]) for i, seen in enumerate(comments) for w in seen.words if w in known]
    of, word = np.array(pairs, dtype=int).reshape(-1, 2).T
    rank = np.log(np.array([seen.rank for seen in comments]))
    share = _share(rank)
    about = _about(_logit(share), rank)
    said, counted = (np.bincount(word, of_each, len(known)) for of_each in (None, about[of]))
    weight = np.asarray(_logit((counted + DOUBT * share) / (said + DOUBT)) - _logit(share))
    words = {w: round(float(weight[i]), 4) for w, i in known.items()}
    return PhaseWords(share=round(share, 4), words=words)


def _share(rank: Floats) -> float:
    """How many comments are about a spell, by the logarithms of ranks alone."""
    share = 0.5
    for _ in range(ROUNDS if len(rank) else 0):
        share = float(_about(_logit(share), rank).mean())
    return share


def _about(odds: float | Floats, rank: float | Floats) -> Floats:
    """How probably comments are about a spell, by log-odds and the logarithm of its rank."""
    return np.asarray(1 / (1 + np.exp(-(odds + np.log(POWER) + (POWER - 1) * rank))))


def _shared(
    matches: Sequence[Sequence[Seen]], is_plain: Callable[[str], bool]
) -> Mapping[str, int]:
    """A number for each plain word that more than one match holds."""
    vocabularies = [{word for seen in match for word in seen.words} for match in matches]
    words = sorted(filter(is_plain, set().union(*vocabularies)))
    shared = [word for word in words if sum(word in own for own in vocabularies) > 1]
    return {word: i for i, word in enumerate(shared)}


def _logit(share: float | Floats) -> float | Floats:
    return np.log(share) - np.log1p(-share)
