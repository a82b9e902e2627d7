"""Learns the words of phases that come with touchline: those of `bundled/phases.json`.

Every comment counts, whoever it names: how much play there is when it is made (see `play`) is
regressed on its words. Words of the ball, of passes and of possession come while there is much of
it; words of talk about the season come at any moment, or while the ball is out. Ridge regression
keeps rare words near zero.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec
import numpy as np
from scipy.sparse import csr_matrix

from touchline.core.arrays import Floats
from touchline.core.records import Match
from touchline.methods.chains.data.language import MinCounts, Survey, plain_words, survey
from touchline.methods.chains.phases.play import Play
from touchline.methods.chains.phases.words import PhaseWords, names_in, stems
from touchline.text.tokens import tokenise

# A word must be ordinary in so many matches where nobody has a name like it.
MIN_ORDINARY = 2
# How many comments must hold a word, and how many matches.
MIN_COMMENTS, MIN_MATCHES = 8, 3
# The ridge: a word's own comments weigh against about so many without any play in particular.
DOUBT = 100.0


class Seen(NamedTuple):
    """What learning uses of a comment: its words, and how much play there is then."""

    words: tuple[str, ...]
    play: float


def seen_in(match: Match) -> list[Seen]:
    """The comments of a match where their own clock puts them, repeated lines only once."""
    play, names = Play(match), names_in(match)
    found = []
    for comment in match.comments:
        if comment.period is None or comment.time is None or comment.repeated:
            continue
        much = play.at(comment.period, comment.time)
        if much is not None:
            found.append(Seen(stems(tokenise(comment.text), names), much))
    return found


def learn_bundled_words(matches: Sequence[Match]) -> PhaseWords:
    """What is learned from several matches, without anybody's name."""
    found = Survey.nothing()
    for match in matches:
        found.add(survey(match, ()))
    is_plain = plain_words(found, MinCounts(matches=MIN_ORDINARY))
    return learn_words([seen_in(match) for match in matches], is_plain)


def learn_words(
    matches: Sequence[Sequence[Seen]], is_plain: Callable[[str], bool] = lambda word: True
) -> PhaseWords:
    """Regress how much play there is on words; rare ones and those of few matches are left out.

    So are words that are not plain, see `touchline.methods.chains.data.language.plain_words`.
    """
    known = _known(matches, is_plain)
    comments = [seen for match in matches for seen in match]
    if not known:
        return PhaseWords(offset=0.0, words={})
    held = _table(comments, known)
    weight, mean = _ridge(held, np.array([seen.play for seen in comments]))
    spread = float(np.std(held @ weight)) or 1.0
    words = {word: round(float(weight[i]) / spread, 4) for word, i in known.items()}
    return PhaseWords(offset=round(-float(mean @ weight) / spread, 4), words=words)


def _ridge(held: csr_matrix, play: Floats) -> tuple[Floats, Floats]:
    """The weight of each word, and the share of comments that hold it."""
    mean = np.asarray(held.mean(axis=0)).ravel()
    covered = (held.T @ held).toarray() - held.shape[0] * np.outer(mean, mean)
    covered[np.diag_indices_from(covered)] += DOUBT
    return np.linalg.solve(covered, held.T @ (play - play.mean())), mean


def _table(comments: Sequence[Seen], known: Mapping[str, int]) -> csr_matrix:
    """Which comments hold which words."""
    pairs = [(i, known[w]) for i, seen in enumerate(comments) for w in seen.words if w in known]
    row, column = np.array(pairs, dtype=int).reshape(-1, 2).T
    shape = len(comments), len(known)
    return csr_matrix((np.ones(len(pairs)), (row, column)), shape=shape)


def _known(matches: Iterable[Sequence[Seen]], is_plain: Callable[[str], bool]) -> dict[str, int]:
    """A number for each plain word that enough comments and matches hold."""
    comments: Counter[str] = Counter()
    held_in: Counter[str] = Counter()
    for match in matches:
        own = Counter(word for seen in match for word in seen.words)
        comments.update(own)
        held_in.update(own.keys())
    words = [
        word
        for word, n in comments.items()
        if n >= MIN_COMMENTS and held_in[word] >= MIN_MATCHES and is_plain(word)
    ]
    return {word: i for i, word in enumerate(sorted(words))}


def to_bytes(words: PhaseWords) -> bytes:
    """The content of a file of words: JSON, one word per line, so that changes can be reviewed."""
    return msgspec.json.format(msgspec.json.encode(words), indent=1) + b"\n"
