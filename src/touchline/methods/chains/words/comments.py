"""Comments as parts and numbers: what the words of each event are found from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from touchline.core.arrays import Ints
from touchline.core.records import Match
from touchline.methods.chains.data.language import Language, stem
from touchline.methods.segments.lattice import Flags
from touchline.text.names import NameFinder
from touchline.text.parts import Part, parts_of
from touchline.text.tokens import FUNCTION_WORDS


class Cut(NamedTuple):
    """A comment in parts.

    Content words are rows of `words`: the part, the word's number in the model, -1 if it has none,
    and its number among the match's own stems. Names are rows of `names`: the part, the player.
    """

    parts: list[Part]
    words: Ints
    names: Ints


class Commentary:
    """The comments of a match, cut into parts when they are asked for."""

    def __init__(self, match: Match, language: Language, finder: NameFinder | None) -> None:
        self.match, self._finder = match, finder
        self._player = {player.id: i for i, player in enumerate(match.players)}
        self._word = {word: i for i, word in enumerate(language.vocabulary)}
        self._stem: dict[str, int] = {}
        self._cut: dict[int, Cut] = {}

    @property
    def stems(self) -> int:
        """How many different stems there have been so far."""
        return len(self._stem)

    def cut(self, comment: int) -> Cut:
        if comment not in self._cut:
            text = self.match.comments[comment].text
            self._cut[comment] = self._cut_text(text)
        return self._cut[comment]

    def _cut_text(self, text: str) -> Cut:
        parts = parts_of(text, self._finder.mentions(text) if self._finder else ())
        words = [
            (i, self._word.get(word, -1), self._stem.setdefault(word, len(self._stem)))
            for i, part in enumerate(parts)
            for word in content_of(part)
        ]
        names = [(i, self._player[who]) for i, part in enumerate(parts) for who in part.players]
        return Cut(parts, _rows(words, 3), _rows(names, 2))


def content_of(part: Part) -> list[str]:
    """The stems of a part's words, without words of grammar."""
    return [stem(word) for word in part.words if len(word) > 1 and word not in FUNCTION_WORDS]


def _rows(rows: Sequence[Sequence[int]], width: int) -> Ints:
    return np.array(rows, dtype=np.int64).reshape(len(rows), width)


class Group(NamedTuple):
    """Comments with the same number of events, `events[c]`.

    `words` and `names` are those of all of them, with the comment's place in the group first;
    `outsider`, `covers` and `there` have a flag for each part; padding is not `there`.
    """

    comments: Ints
    events: Ints
    cuts: list[Cut]
    words: Ints
    names: Ints
    outsider: Flags
    covers: Flags
    there: Flags


def group_of(commentary: Commentary, asked: Sequence[tuple[int, Sequence[int]]]) -> Group:
    """Comments and their events, by number, in one group; each has at least one part."""
    cuts = [commentary.cut(comment) for comment, _ in asked]
    width = max(len(cut.parts) for cut in cuts)
    outsider, named, there = (np.zeros((len(cuts), width), dtype=bool) for _ in range(3))
    for c, cut in enumerate(cuts):
        size = len(cut.parts)
        there[c, :size] = True
        outsider[c, :size] = [part.outsider for part in cut.parts]
        named[c, :size] = [bool(part.players) for part in cut.parts]
    return Group(
        comments=np.array([comment for comment, _ in asked]),
        events=np.array([events for _, events in asked]),
        cuts=cuts,
        words=_together([cut.words for cut in cuts]),
        names=_together([cut.names for cut in cuts]),
        outsider=outsider,
        covers=there & ~named,
        there=there,
    )


def _together(tables: Sequence[Ints]) -> Ints:
    """The rows of several tables with the number of the table before them."""
    number = np.repeat(np.arange(len(tables)), [len(table) for table in tables])
    return np.column_stack([number, np.concatenate(tables)])
