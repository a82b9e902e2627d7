"""Garbled names: spellings that speech recognition, or a hurried typist, made of players' names.

"Klossen" may be Claesson, "Asta La Quetta" Azpilicueta, and "matter" Mata. Two things support it:
it is spelled or sounds like a name of theirs, and it keeps turning up when they are on the ball.
Neither is enough alone: a pundit may be called much like a player, and somebody is always on the
ball.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import compress

import numpy as np
from rapidfuzz.distance import Indel, JaroWinkler
from rapidfuzz.process import cdist

from touchline.core.errors import InputError
from touchline.core.records import Comment, Match, Player
from touchline.text.tokens import FUNCTION_WORDS, PARTICLES, Token, fold, tokenise
from touchline.text.touches import Touches, places

Aliases = Mapping[str, Mapping[str, float]]
_At = tuple[int, int]  # a comment, and a word of it

# Log-odds that a spelling is the name of a player whom it resembles so much: even at LIKE. A word
# that is mostly written without a capital has to resemble the name more, and so has one that is
# like a first name, by which players are seldom called. The constants of this module are explained
# in docs/names.md; those not inherited were chosen without labels.
LIKE, STEEP = 0.78, 20.0
LOWER, FIRST_NAME = 0.17, 0.05
# What resembles a name less is not looked at, whatever the ball does.
MIN_LIKE = 0.55
# By how much several words together must resemble a name more than some of them do.
TOGETHER = 0.1
# How far the times at which a spelling is used count: counted in full, they would show names even
# in commentary on another clock. One coincidence with a player who hardly plays is no proof.
TRUST, MAX_RATIO = 0.7, 20.0
# How far it counts that a player's proper name is heard less often than their touches suggest, and
# how many such names everybody is thought to have beside the real ones.
SELDOM, IMAGINED = 0.5, 2
# Log-odds that are added for a commentary that hardly garbles names, and how much less likely that
# must be for names to be garbled as often as by speech recognition.
SPELLED_RIGHT, SURELY = -2.5, 1.0
# How many spellings are compared with names at a time, and how many a match may need: both take
# memory. Television speech of a match needs 130,000.
BLOCK, MAX_COMPARISONS = 500_000, 2_500_000
# Shares below this are not worth keeping.
MIN_SHARE = 0.2
_SHORTEST, _MOST_WORDS = 3, 3

# Letters that sound alike, the longer ones first. Vowels are one sound: they are garbled most.
_SOUNDS = (
    (re.compile(r"sch|sh|ch|ss|z|x"), "s"),
    (re.compile(r"ph|v|w"), "f"),
    (re.compile(r"ck|qu|q|c|kh|gh"), "k"),
    (re.compile(r"th|dt|d"), "t"),
    (re.compile(r"[aeiouyj]+"), "a"),
    (re.compile(r"h"), ""),
    (re.compile(r"(.)\1+"), r"\1"),
)


@lru_cache(maxsize=2**16)
def sound(word: str) -> str:
    """A rough key of how a word sounds: `klossen` and `claesson` are both `klasan`."""
    for letters, key in _SOUNDS:
        word = letters.sub(key, word)
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
    touches = Touches(match)
    names = _Names(match, touches.players)
    heard = _Heard(match.comments, names)
    if not names.words:
        return {}
    _check_comparisons(match, heard, names)
    like = names.likeness(list(heard.spellings))
    near = like.max(axis=1, initial=0) >= MIN_LIKE
    heard.keep_only(near.tolist())
    if not heard.spellings:
        return {}
    odds = _prior(heard, names, like[near])
    if touches.players and any(comment.time is not None for comment in match.comments):
        odds = _with_timing(odds, heard, touches, match.comments)
    aliases = {}
    for spelling, own in zip(heard.spellings, _shares(odds).tolist(), strict=True):
        shares = zip(names.players, own, strict=True)
        if kept := {who: share for who, share in shares if share >= MIN_SHARE}:
            aliases[spelling] = kept
    return aliases


def _check_comparisons(match: Match, heard: _Heard, names: _Names) -> None:
    words, called = len(heard.spellings), len(names.words)
    if words * called > MAX_COMPARISONS:
        problem = f"{words:,} different words and pairs of words to compare with {called:,} names"
        limit = f"the limit for one match is {MAX_COMPARISONS:,} comparisons"
        raise InputError(
            match.name, f"{problem}; {limit}; give fewer or shorter comments at a time"
        )


def spellings_at(tokens: Sequence[Token], i: int) -> Iterator[tuple[str, int]]:
    """The words at a place that may be one garbled name, longest first, with how many they are."""
    last = i + 1
    while last < min(i + _MOST_WORDS, len(tokens)) and tokens[last].glued and tokens[last].capital:
        last += 1
    for end in range(last if tokens[i].capital else i + 1, i, -1):
        yield "".join(token.key for token in tokens[i:end]), end - i


class _Names:
    """What players may be called, and which words are somebody's proper name.

    Only players who take part are looked for: nobody else is on the ball.
    """

    def __init__(self, match: Match, acting: Sequence[str]) -> None:
        self.proper = {word for t in match.teams for name in t.names for word in _split(name)}
        self.words: list[str] = []
        self.rows: list[int] = []  # of the players, in their order
        self.handicaps: list[float] = []
        self._owners: dict[str, set[str]] = defaultdict(set)
        wanted = set(acting) or {player.id for player in match.players}
        self.players = [player.id for player in match.players if player.id in wanted]
        row = {who: at for at, who in enumerate(self.players)}
        for player in match.players:
            for word in (word for name in player.names for word in _split(name)):
                self._owners[word].add(player.id)
            for word, handicap in _called(player).items() if player.id in wanted else ():
                self.words.append(word)
                self.rows.append(row[player.id])
                self.handicaps.append(handicap)
        self.proper |= set(self._owners)

    def owner(self, word: str) -> str | None:
        """The player whose name a word is, if it is nobody else's."""
        owners = self._owners.get(word, ())
        return next(iter(owners)) if len(owners) == 1 else None

    def owned(self, word: str) -> list[bool]:
        """Of which players a word is the proper name."""
        return [who in self._owners.get(word, ()) for who in self.players]

    def likeness(self, spellings: Sequence[str]) -> np.ndarray:
        """How much spellings (rows) resemble a name of each player (columns)."""
        best = np.zeros((len(spellings), len(self.players)))
        together = max(1, BLOCK // len(self.words))
        for first in range(0, len(spellings), together):
            some = slice(first, first + together)
            alike = _likenesses(spellings[some], self.words) - np.array(self.handicaps)
            np.maximum.at(best[some].T, self.rows, alike.T)
        return best


def _split(name: str) -> list[str]:
    return [fold(word) for word in name.replace("-", " ").split()]


def _called(player: Player) -> dict[str, float]:
    """Folded words that a player may be called by, with what likeness to each is worth less.

    Where a name is known that they go by, the other words of the official one are hardly used.
    """
    called: dict[str, float] = {}
    for name in player.names[:-1] or player.names:
        words = _split(name)
        for word in ("".join(words), *words[:1]) if len(words) > 1 else ():
            called.setdefault(word, FIRST_NAME)
        called.update(dict.fromkeys(words[1:] if len(words) > 1 else words, 0.0))
    return {word: less for word, less in called.items() if len(word) >= _SHORTEST}


class _Heard:
    """What a commentary says: proper names, and spellings that are nobody's, with their places."""

    def __init__(self, comments: Sequence[Comment], names: _Names) -> None:
        self.named: list[tuple[str, _At]] = []
        self.spellings: dict[str, list[_At]] = {}
        self.parts: dict[str, tuple[str, ...]] = {}
        self._capitals: Counter[str] = Counter()
        for c, comment in enumerate(comments):
            tokens = tokenise(comment.text)
            for i, token in enumerate(tokens):
                owner = names.owner(token.key) if token.capital else None
                if owner is not None:
                    self.named.append((owner, (c, i)))
                for spelling, count in spellings_at(tokens, i):
                    self._add(spelling, tokens[i : i + count], (c, i), names)

    def _add(self, spelling: str, words: Sequence[Token], at: _At, names: _Names) -> None:
        proper = all(word.capital and word.key in names.proper for word in words)
        grammar = any(word.key in FUNCTION_WORDS for word in words)
        if proper or grammar or spelling in PARTICLES or len(spelling) < _SHORTEST:
            return
        self.spellings.setdefault(spelling, []).append(at)
        self.parts.setdefault(spelling, tuple(word.key for word in words))
        self._capitals[spelling] += words[0].capital

    def keep_only(self, kept: Iterable[bool]) -> None:
        """Drop the other spellings: those that resemble no name enough to be looked at."""
        self.spellings = dict(compress(self.spellings.items(), kept))

    def is_lower(self, spelling: str) -> bool:
        return 2 * self._capitals[spelling] <= len(self.spellings[spelling])


def _prior(heard: _Heard, names: _Names, like: np.ndarray) -> np.ndarray:
    """Log-odds by likeness alone, `like`, that spellings (rows) mean players (columns)."""
    for row, spelling in enumerate(heard.spellings):
        parts = heard.parts[spelling]
        if len(parts) > 1:
            some = names.likeness(sorted(_some_of(parts)))
            like[row, like[row] < some.max(axis=0) + TOGETHER] = 0.0
        elif spelling in names.proper:
            like[row, ~np.array(names.owned(spelling))] = 0.0
        like[row] -= LOWER * heard.is_lower(spelling)
    return np.where(like >= MIN_LIKE, STEEP * (like - LIKE), -np.inf)


def _some_of(parts: Sequence[str]) -> set[str]:
    """Every run of some of the words, but not of all."""
    runs = ((i, j) for i in range(len(parts)) for j in range(i + 1, len(parts) + 1))
    return {"".join(parts[i:j]) for i, j in runs if j - i < len(parts)}


def _with_timing(
    prior: np.ndarray, heard: _Heard, touches: Touches, comments: Sequence[Comment]
) -> np.ndarray:
    """Log-odds by likeness and by the times at which spellings are used.

    How often a name is that of whoever is on the ball, and whether a comment's words follow one
    another in time, is learned from the names that are spelled right.
    """
    ways = [places(comments, spoken) for spoken in (False, True)]
    named = [[(who, p) for who, (c, i) in heard.named if (p := way[c][i])] for way in ways]
    found = [touches.on_the_ball(own) for own in named]
    (share, _), way = max(zip(found, ways, strict=True), key=lambda it: it[0][1])
    prior = prior - _often(heard, touches)
    odds = prior.copy()
    for row, (spelling, said) in enumerate(heard.spellings.items()):
        where = [place for c, i in said if (place := way[c][i])]
        if heard.is_lower(spelling) and not all(place.to_the_second for place in where):
            prior[row] = odds[row] = -np.inf  # a minute does not make a name of a common word
        elif where and np.isfinite(odds[row]).any():
            ratios = np.minimum(touches.ratios(where), MAX_RATIO)
            odds[row] += TRUST * np.log(share * ratios + 1 - share).sum(axis=1)
    return odds if _garbles(prior, odds) else odds + SPELLED_RIGHT


def _often(heard: _Heard, touches: Touches) -> np.ndarray:
    """How much more often than usual each player is called by the proper name, in log-odds.

    Whoever has the ball and is hardly ever named must be named in some other way.
    """
    counts = Counter(who for who, _ in heard.named)
    named = np.array([counts[who] for who in touches.players])
    expected = len(heard.named) * touches.usual
    return np.asarray(SELDOM * np.log((named + IMAGINED) / (expected + IMAGINED)))


def _garbles(prior: np.ndarray, odds: np.ndarray) -> bool:
    """Whether a commentary garbles names at all, by how likely that makes its times.

    People who write spell names right, and what else they write with a capital is nobody's name.
    """
    after, before = (np.exp(np.minimum(some, 500.0)).sum(axis=1) for some in (odds, prior))
    often, hardly = (
        (np.log1p(rate * after) - np.log1p(rate * before)).sum()
        for rate in (1.0, np.exp(SPELLED_RIGHT))
    )
    return bool(often >= hardly + SURELY)


def _shares(odds: np.ndarray) -> np.ndarray:
    """Probability of each player (columns), against nobody's odds of one."""
    top = odds.max(axis=1, keepdims=True, initial=0.0)
    weights = np.exp(odds - top)
    return np.asarray(weights / (np.exp(-top) + weights.sum(axis=1, keepdims=True)))
