"""Who is mentioned: players and teams in a comment, where, and how surely.

A name in the text is a run of words that stand in one of a player's known names in that order:
`Diego Costa` in "Diego da Silva Costa". The longest run wins; what the run holds says how surely
it means the player (a surname more than a first name); several players of one surname are
distinguished by the first name, by the team beside the name, by an earlier full mention, or share
the weight. Capitals next to a run that belong to nobody in the match mean another person: a
manager, a referee, a pundit.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice, product

import msgspec
from rapidfuzz import fuzz

from touchline.core.records import Match, Player, Team
from touchline.text.aliases import Aliases, spellings_at
from touchline.text.tokens import FUNCTION_WORDS, PARTICLES, Token, fold, spellings, tokenise

# How surely a run of words means a player, by what the run holds.
FULL, SURNAME, MIDDLE, FIRST, UNUSED = 0.99, 0.95, 0.85, 0.5, 0.3
# From this weight on a player counts as mentioned: two who share a surname still do.
MENTIONED = 0.4
_MAX_WORDS, _MAX_VARIANTS = 8, 64  # of one name; no real one comes near
# Mentions of so many texts are kept: linking and explaining ask about the same comments in turn.
_MAX_TEXTS = 4096
_MAX_PLAYERS = 256  # of two matches, with all substitutes
_CLUB_LETTERS = 3  # "FC", "AFC", "SC" beside a club's name


class Mention(msgspec.Struct, frozen=True):
    """A player or team in a text: the span, and a weight from 0 to 1."""

    who: Player | Team
    start: int
    end: int
    weight: float


class _Run(msgspec.Struct, frozen=True):
    """Words `first` to `last` (excluded) of the text that may name somebody.

    They are `garbled` when they are a spelling learned from the commentary, not the proper name.
    """

    first: int
    last: int
    who: Player | Team
    strength: float
    garbled: bool = False


class NameFinder:
    """Finds the players and teams of one match in any text about it.

    The match's own comments, when it has some, show which words also occur without a capital
    and are therefore weak evidence at the start of a sentence ("Young", "Can").
    """

    def __init__(self, match: Match, aliases: Aliases | None = None) -> None:
        self._aliases = aliases or {}
        self._heard = {s for s, own in self._aliases.items() if max(own.values()) >= MENTIONED}
        self._players = {player.id: player for player in match.players}
        self._acting = _acting(match)
        self._variants: dict[str, list[tuple[Player, _Variant]]] = defaultdict(list)
        self._initials: dict[str, list[tuple[Player, _Variant]]] = defaultdict(list)
        for player in match.players:
            for variant in _variants(player.names):
                for key in set(variant.keys) - PARTICLES:
                    self._variants[key].append((player, variant))
                    self._initials[key[0]].append((player, variant))
        self._teams = [(team, keys) for team in match.teams for keys in _team_variants(team)]
        self._known = set(self._variants) | {key for _, keys in self._teams for key in keys}
        self._usage = _Usage(tokenise(comment.text) for comment in match.comments)
        self._found: dict[str, list[Mention]] = {}

    def mentions(self, text: str) -> list[Mention]:
        """Find every mention of a player or team.

        Parameters
        ----------
        text
            A text about the match.

        Returns
        -------
        list[Mention]
            In the order of the text; an ambiguous mention is listed for each one it may mean.
        """
        found = self._found.get(text)
        if found is None:
            if len(self._found) >= _MAX_TEXTS:
                self._found.clear()
            found = self._found[text] = self._mentions(text)
        return list(found)

    def _mentions(self, text: str) -> list[Mention]:
        tokens = tokenise(text)
        cased = self._usage.cased and _cased(tokens)
        runs = [run for i in range(len(tokens)) for run in self._runs(tokens, i, cased)]
        groups = list(_longest(runs))
        teams = _Borders(group[0] for group in groups if isinstance(group[0].who, Team))
        clear: set[str] = set()
        found = []
        for group in groups:
            people = self._disambiguate(group, teams, clear)
            if len(people) == 1:
                clear.add(people[0].who.id)
            for run in people:
                trust = 1.0 if teams.beside(run) else self._trust(tokens, run, cased)
                weight = run.strength * trust / len(people)
                start, end = tokens[run.first].start, tokens[run.last - 1].end
                if weight > 0:
                    found.append(Mention(run.who, start, end, round(weight, 4)))
        return found

    def players(self, text: str) -> dict[str, float]:
        """Find the players mentioned in a text.

        Parameters
        ----------
        text
            A text about the match.

        Returns
        -------
        dict[str, float]
            The best weight of each player, by id, in order of first mention.
        """
        return self._best(text, Player)

    def players_mentioned(self, text: str, min_weight: float = MENTIONED) -> list[Player]:
        """Find the players mentioned with at least a certain weight.

        Parameters
        ----------
        text
            A text about the match.
        min_weight
            The smallest weight, from 0 to 1, that counts.

        Returns
        -------
        list[Player]
            The players in order of first mention.
        """
        weights = self.players(text).items()
        return [self._players[who] for who, weight in weights if weight >= min_weight]

    @property
    def known_words(self) -> frozenset[str]:
        """The folded words of all names of players and teams."""
        return frozenset(self._known)

    @property
    def garbled(self) -> bool:
        """Whether it also knows spellings that the commentary makes of names."""
        return bool(self._aliases)

    def teams(self, text: str) -> dict[str, float]:
        """Find the teams mentioned in a text.

        Parameters
        ----------
        text
            A text about the match.

        Returns
        -------
        dict[str, float]
            The best weight of each team, by id.
        """
        return self._best(text, Team)

    def _best(self, text: str, kind: type[Player] | type[Team]) -> dict[str, float]:
        weights: dict[str, float] = {}
        for mention in self.mentions(text):
            if isinstance(mention.who, kind):
                weights[mention.who.id] = max(mention.weight, weights.get(mention.who.id, 0.0))
        return weights

    def _runs(self, tokens: Sequence[Token], i: int, cased: bool) -> Iterator[_Run]:
        """Runs that start at a word: one for each player and team that it may name."""
        token = tokens[i]
        known = self._initials if len(token.key) == 1 else self._variants
        best: dict[str, _Run] = {}
        for player, variant in known.get(token.key, ()):
            run = variant.run(tokens, i, player, cased)
            if run is not None:
                so_far = best.get(player.id)
                if so_far is None or (run.last, run.strength) > (so_far.last, so_far.strength):
                    best[player.id] = run
        yield from best.values()
        if not best and self._aliases:
            yield from self._garbled(tokens, i)
        if token.capital or not cased:
            for team, keys in self._teams:
                length = _team_run(tokens[i : i + len(keys)], keys)
                if length:
                    yield _Run(i, i + length, team, SURNAME)

    def _garbled(self, tokens: Sequence[Token], i: int) -> Iterator[_Run]:
        """Runs that spell somebody's name as learned from the commentary itself."""
        for spelling, count in spellings_at(tokens, i):
            if spelling in self._aliases:
                for who, share in self._aliases[spelling].items():
                    yield _Run(i, i + count, self._players[who], share, garbled=True)
                return

    def _disambiguate(self, group: Sequence[_Run], teams: _Borders, clear: set[str]) -> list[_Run]:
        """Of runs over the same words those that remain when all clues are used."""
        top = max(run.strength for run in group)
        people = [run for run in group if run.strength >= top - 0.1]
        clues = (
            {run.who.id for run in people if run.who.id in clear},
            {run.who.id for run in people if teams.beside(run)},
            {run.who.id for run in people if run.who.id in self._acting},
        )
        for fits in clues:
            if left := [run for run in people if run.who.id in fits]:
                people = left
        return people

    def _trust(self, tokens: Sequence[Token], run: _Run, cased: bool) -> float:
        """How far the words around a run, and the commentary's usage, let it stand."""
        if isinstance(run.who, Team) or not cased:
            return 1.0
        if run.first > 0 and tokens[run.first].glued:
            before = tokens[run.first - 1]
            if self._is_foreign(before) and not _same_person(before.key, run.who):
                return 0.4 if before.starts_sentence else 0.0
        single = run.last == run.first + 1
        if single and run.last < len(tokens) and tokens[run.last].glued:
            after = tokens[run.last]
            if self._is_foreign(after) and not after.starts_sentence:
                return 0.0
        token = tokens[run.first]
        if single and token.starts_sentence and not run.garbled:
            return self._usage.as_name(token.key)
        return 1.0

    def _is_foreign(self, token: Token) -> bool:
        """A capital that belongs to nobody of the match and is no common word either.

        Without commas, the name before another may be a garbled one: "Damian Rooney".
        """
        return (
            token.capital
            and len(token.key) > 1
            and token.key not in self._known
            and token.key not in self._heard
            and token.key not in FUNCTION_WORDS
            and not self._usage.lower[token.key]
        )


# The last finder of proper names, and all that it depends on.
_last: deque[tuple[object, NameFinder]] = deque(maxlen=1)


def finder_of(match: Match) -> NameFinder:
    """The finder of a match's proper names, shared by those who ask about one match in turn.

    Reading checks whether the commentary is about the match by the same names that it is then
    linked by.
    """
    about = (match.players, match.teams, _acting(match), [c.text for c in match.comments])
    for known, finder in tuple(_last):
        if known == about:
            return finder
    finder = NameFinder(match)
    _last.append((about, finder))
    return finder


def _acting(match: Match) -> set[str]:
    """The players who have a part in the match."""
    return {event.player.id for event in match.events if event.player}


class _Variant(msgspec.Struct, frozen=True):
    """One of a player's names as keys, with how surely each of its words means the player."""

    keys: tuple[str, ...]
    strengths: tuple[float, ...]

    def run(self, tokens: Sequence[Token], i: int, player: Player, cased: bool) -> _Run | None:
        """The longest run from word i on whose words stand in this name in that order."""
        position, matched, j = 0, [], i
        while j < len(tokens) and (j == i or tokens[j].glued):
            at = self._find(tokens[j], position, cased)
            if at is None:
                break
            matched.append(at)
            position, j = at + 1, j + 1
        while matched and self.keys[matched[-1]] in PARTICLES:
            matched.pop()  # "Silva de ..." goes on with something else
        whole = [at for at in matched if len(tokens[i + matched.index(at)].key) > 1]
        strong = [at for at in whole if self.keys[at] not in PARTICLES]
        if not strong:
            return None
        strength = max(self.strengths[at] for at in strong)
        if len(strong) > 1 or (len(matched) > len(whole) and strength >= MIDDLE):
            strength = FULL
        return _Run(i, i + len(matched), player, strength)

    def _find(self, token: Token, position: int, cased: bool) -> int | None:
        for at in range(position, len(self.keys)):
            key = self.keys[at]
            if key in PARTICLES:
                if token.key == key:
                    return at
            elif (token.capital or not cased) and (
                token.key == key or (len(token.key) == 1 and key.startswith(token.key))
            ):
                return at
        return None


@lru_cache(maxsize=_MAX_PLAYERS)
def _variants(names: tuple[str, ...]) -> tuple[_Variant, ...]:
    """Every spelling of every name of a player; each match is searched more than once."""
    return tuple(_spelled(names))


def _spelled(names: Sequence[str]) -> Iterator[_Variant]:
    seen = set()
    goes_by = {key for name in names[:-1] for word in _split(name) for key in spellings(word)}
    for number, name in enumerate(names):
        words = _split(name)
        official = bool(goes_by) and number == len(names) - 1
        ways = product(*(spellings(word) for word in words))
        for keys in islice(ways, _MAX_VARIANTS):
            for joined in _joined(keys):
                if joined and joined not in seen:
                    seen.add(joined)
                    used = goes_by if official else frozenset(joined)
                    yield _Variant(joined, tuple(_strengths(joined, used)))


def _split(name: str) -> list[str]:
    return [word for word in name.replace("-", " ").replace(".", " ").split() if fold(word)][
        :_MAX_WORDS
    ]


def _joined(keys: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The keys, and once more with each particle joined to what follows: mac allister."""
    yield keys
    for at, key in enumerate(keys[:-1]):
        if key in PARTICLES:
            yield (*keys[:at], key + keys[at + 1], *keys[at + 2 :])


def _strengths(keys: Sequence[str], used: Iterable[str]) -> Iterator[float]:
    """How surely each word alone means the player.

    The last word of a short name is the surname. Of a long official name any but the first may
    be what they are called by, unless a nickname is known: then its other words are hardly used.
    """
    used = set(used)
    for at, key in enumerate(keys):
        if key not in used:
            yield UNUSED
        elif at == len(keys) - 1:
            yield SURNAME
        elif at == 0 and len(keys) > 1:
            yield FIRST
        else:
            yield MIDDLE


def _same_person(key: str, who: Player | Team) -> bool:
    """Whether a word before the surname may be a form of one of the player's other names."""
    for name in who.names:
        for own in (fold(word) for word in _split(name)):
            shared = 2 if min(len(own), len(key)) <= 3 else 3  # Joe and Joseph, Alex and Aleksandar
            if own[:shared] == key[:shared] or own == key[0] or fuzz.ratio(own, key) >= 70:
                return True
    return False


def _team_variants(team: Team) -> Iterator[tuple[str, ...]]:
    """A team's names as keys, without the letters of a club's legal form."""
    for name in team.names:
        words = [word for word in name.replace("-", " ").split() if fold(word)]
        plain = [w for w in words if not (w.isupper() and len(w) <= _CLUB_LETTERS)] or words
        plain = plain[:_MAX_WORDS]
        yield tuple(fold(word) for word in plain)


def _team_run(tokens: Sequence[Token], keys: Sequence[str]) -> int:
    """How many words from the first on name the team: a stretch of its name, or a short form.

    `City` and `West Brom` and `Man Utd` are stretches of a name; a shortened word alone is not.
    """
    best = 0
    for first in range(len(keys)):
        length = exact = 0
        for token, key in zip(tokens, keys[first:], strict=False):
            if (length and not token.glued) or not _abbreviates(token.key, key):
                break
            length, exact = length + 1, exact + (token.key == key)
        if length > 1 or exact:
            best = max(best, length)
    return best


def _abbreviates(word: str, key: str) -> bool:
    """`man` for manchester, `utd` for united."""
    if word == key:
        return True
    if len(word) < 3 or word[0] != key[0]:
        return False
    letters = iter(key)
    consonants = len(word) <= 4 and not set(word[1:]) & set("aeiou")
    return key.startswith(word) or (consonants and all(letter in letters for letter in word))


class _Borders:
    """Where the teams that a text names begin and end, to see which stand beside a player."""

    def __init__(self, teams: Iterable[_Run]) -> None:
        runs = list(teams)
        self._firsts = {(run.who.id, run.first) for run in runs}
        self._lasts = {(run.who.id, run.last) for run in runs}

    def beside(self, run: _Run) -> bool:
        """Whether the player's own team stands next to their name: `Chelsea's Costa`.

        The gap of one word lets "Costa (Chelsea)" and "Costa of Chelsea" count.
        """
        if isinstance(run.who, Team) or run.who.team is None:
            return False
        team = run.who.team.id
        before = any((team, at) in self._lasts for at in range(run.first - 2, run.first + 1))
        return before or any((team, at) in self._firsts for at in (run.last, run.last + 1))


def _longest(runs: Sequence[_Run]) -> Iterator[list[_Run]]:
    """Groups of runs over the same words, left to right, the longest run at each place."""
    reached = 0
    at: dict[int, list[_Run]] = defaultdict(list)
    for run in runs:
        at[run.first].append(run)
    for first in sorted(at):
        if first < reached:
            continue
        last = max(run.last for run in at[first])
        reached = last
        yield [run for run in at[first] if run.last == last]


def _cased(tokens: Sequence[Token]) -> bool:
    """Whether capitals mean something: not in all-upper or title-case text."""
    inside = [token.capital for token in tokens if not token.starts_sentence and len(token.key) > 2]
    return len(inside) < 4 or sum(inside) <= 0.7 * len(inside)


class _Usage:
    """How a commentary writes its words: with a capital in mid-sentence, or without one."""

    def __init__(self, texts: Iterable[Sequence[Token]]) -> None:
        self.lower: Counter[str] = Counter()
        self.capital: Counter[str] = Counter()
        with_capitals = without = 0
        for tokens in texts:
            if any(token.capital for token in tokens):
                with_capitals += 1
            else:
                without += bool(tokens)
            for token in tokens:
                if not token.capital:
                    self.lower[token.key] += 1
                elif not token.starts_sentence:
                    self.capital[token.key] += 1
        self.cased = with_capitals >= without  # not the raw output of speech recognition

    def as_name(self, key: str) -> float:
        """How far a capital at the start of a sentence, where every word has one, is a name."""
        lower, capital = self.lower[key], self.capital[key]
        if key in FUNCTION_WORDS:
            lower += 2
        return 1.0 if not lower else (capital + 0.5) / (capital + lower + 1)
