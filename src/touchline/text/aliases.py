"""Garbled names: spellings that speech recognition, or a hurried typist, made of players' names.

"Klossen" may be Claesson. Two things speak for it: it is spelled or sounds like a name of theirs,
and it keeps turning up when they are on the ball. Neither is enough alone: a pundit may be called
much like a player, and somebody is always on the ball.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

import numpy as np
from rapidfuzz.distance import Indel, JaroWinkler
from rapidfuzz.process import cdist

from touchline.core.records import Comment, Match, Player
from touchline.text.tokens import FUNCTION_WORDS, Token, fold, tokenise

Aliases = Mapping[str, Mapping[str, float]]

# Log-odds that a spelling is the name of a player whom it resembles so much: even at LIKE.
LIKE, STEEP = 0.78, 20.0
# What resembles a name less is not looked at, whatever the ball does.
MIN_LIKE = 0.55
# How often a player who is mentioned has an action near that time, and the most that all times
# together may say; seconds before and after the comment in which their actions are looked for.
ACTING, MAX_TIMING = 0.7, 4.0
BEFORE, AFTER = 10.0, 6.0
# A capital may be any name at all: shares below this are not worth keeping.
MIN_SHARE = 0.2
_SHORTEST = 3

# Letters that sound alike, the longer ones first. Vowels are one sound: they are garbled most.
_SOUNDS = (
    (r"sch|sh|ch|ss|z|x", "s"),
    (r"ph|v|w", "f"),
    (r"ck|qu|q|c|kh|gh", "k"),
    (r"th|dt|d", "t"),
    (r"[aeiouyj]+", "a"),
    (r"h", ""),
    (r"(.)\1+", r"\1"),
)


@lru_cache(maxsize=2**16)
def sound(word: str) -> str:
    """A rough key of how a word sounds: `klossen` and `claesson` are both `klasan`."""
    for letters, key in _SOUNDS:
        word = re.sub(letters, key, word)
    return word


def likeness(spelling: str, names: Sequence[str]) -> np.ndarray:
    """How much a spelling resembles each of some names, 0 to 1, by letters or by sound."""
    return np.asarray(_likenesses([spelling], names)[0])


def resemble(spellings: Iterable[str], names: Iterable[str]) -> set[str]:
    """The spellings that may be one of some names: they are like it, or sound the same."""
    some, known = (
        sorted(word for word in words if len(word) >= _SHORTEST) for words in (spellings, names)
    )
    if not known:
        return set()
    sounds = {key for name in known if len(key := sound(name)) >= _SHORTEST}
    near = _likenesses(some, known).max(axis=1, initial=0) >= LIKE
    return {s for s, alike in zip(some, near, strict=True) if alike or sound(s) in sounds}


def _likenesses(spellings: Sequence[str], names: Sequence[str]) -> np.ndarray:
    """How much each spelling resembles each name, 0 to 1, by letters or by sound."""
    mine, own = ([sound(word) for word in words] for words in (spellings, names))
    # A short key is soon the same by chance.
    lengths = ([len(key) for key in keys] for keys in (mine, own))
    shorter = np.minimum.outer(*map(np.array, lengths))
    trust = shorter / (shorter + 1)
    return np.asarray(np.maximum(_alike(spellings, names), _alike(mine, own) * trust))


def _alike(words: Sequence[str], others: Sequence[str]) -> np.ndarray:
    """The mean of two measures of how alike words are; one considers their beginnings."""
    measures = (JaroWinkler.similarity, Indel.normalized_similarity)
    first, second = (cdist(words, others, scorer=m, dtype=np.float64) for m in measures)
    return np.asarray((first + second) / 2)


def learn_aliases(match: Match) -> dict[str, dict[str, float]]:
    """Spellings in a match's commentary that may be players' names, with players and weights."""
    named = {player.id: own for player in match.players if (own := _names(player))}
    names = [name for own in named.values() for name in own]
    starts = np.cumsum([0, *map(len, named.values())])[:-1]
    heard = _unknown_names(match.comments, match)
    acting = _Acting(match)
    aliases = {}
    for spelling, comments in heard.items() if names else ():
        alike = np.maximum.reduceat(likeness(spelling, names), starts).tolist()
        odds = {
            who: STEEP * (like - LIKE) + acting.evidence(who, comments)
            for who, like in zip(named, alike, strict=True)
            if like >= MIN_LIKE
        }
        if shares := {who: s for who, s in _shares(odds).items() if s >= MIN_SHARE}:
            aliases[spelling] = shares
    return aliases


def spellings_at(tokens: Sequence[Token], i: int) -> Iterator[tuple[str, int]]:
    """The words at a place that may be one garbled name, longest first, with how many they are."""
    if i + 1 < len(tokens) and tokens[i + 1].glued and tokens[i].capital and tokens[i + 1].capital:
        yield tokens[i].key + tokens[i + 1].key, 2
    yield tokens[i].key, 1


def _names(player: Player) -> list[str]:
    """Folded names by which a player may be called: words of their names, and the whole."""
    words = [[fold(word) for word in name.replace("-", " ").split()] for name in player.names]
    own = {word for name in words for word in name} | {"".join(name) for name in words}
    return sorted(word for word in own if len(word) >= _SHORTEST)


def _unknown_names(comments: Iterable[Comment], match: Match) -> dict[str, list[Comment]]:
    """Capitalised spellings that are nobody's proper name, with the comments that hold them."""
    names = [n for p in match.players for n in p.names] + [n for t in match.teams for n in t.names]
    known = {word for name in names for word in _words(name)}
    lower: Counter[str] = Counter()
    heard: dict[str, list[Comment]] = defaultdict(list)
    for comment in comments:
        tokens = tokenise(comment.text)
        for i, token in enumerate(tokens):
            lower[token.key] += not token.capital
            for spelling, count in spellings_at(tokens, i):
                here = tokens[i : i + count]
                proper = all(t.capital and t.key not in FUNCTION_WORDS for t in here)
                if proper and not all(t.key in known for t in here):
                    heard[spelling].append(comment)
    return {
        spelling: where
        for spelling, where in heard.items()
        if len(spelling) >= _SHORTEST and lower[spelling] < len(where)
    }


def _words(name: str) -> list[str]:
    return [fold(word) for word in name.replace("-", " ").split()]


class _Acting:
    """Which players have an action near which comments."""

    def __init__(self, match: Match) -> None:
        self._times: dict[str, dict[int, list[float]]] = {}
        grouped: dict[str, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
        for event in match.events:
            if event.player:
                grouped[event.player.id][event.period].append(event.time)
        for who, periods in grouped.items():
            self._times[who] = {p: sorted(times) for p, times in periods.items()}
        timed = [c for c in match.comments if c.start is not None and c.period is not None]
        self._usual = {
            who: (sum(self._acts(who, c) for c in timed) + 1) / (len(timed) + 2)
            for who in self._times
        }

    def evidence(self, who: str, comments: list[Comment]) -> float:
        """Log-odds from times alone that these comments mention a player."""
        timed = [c for c in comments if c.start is not None and c.period is not None]
        usual = self._usual.get(who, 1.0)
        if usual >= ACTING or not timed:
            return 0.0
        hits = sum(self._acts(who, comment) for comment in timed)
        odds = hits * np.log(ACTING / usual)
        odds += (len(timed) - hits) * np.log((1 - ACTING) / (1 - usual))
        return float(np.clip(odds, -MAX_TIMING, MAX_TIMING))

    def _acts(self, who: str, comment: Comment) -> bool:
        times = self._times.get(who, {}).get(comment.period or 0)
        if times is None or comment.start is None or comment.end is None:
            return False
        first = bisect_left(times, comment.start - BEFORE)
        return first < bisect_left(times, comment.end + AFTER)


def _shares(odds: Mapping[str, float]) -> dict[str, float]:
    """Probability of each player, against nobody's odds of one."""
    weights = {who: float(np.exp(value)) for who, value in odds.items()}
    total = 1 + sum(weights.values())
    return {who: weight / total for who, weight in weights.items()}
