"""Features of sentences, events and their string match (Section 3.1 of the paper).

A pair's vector is made of three parts: the words of the sentence, the type and categorical
arguments of the event, and how the event's string arguments (its players' names) match the
sentence. The parts stay apart as matrices, because every inner product of two pairs is the sum of
the parts' inner products.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from touchline.core.records import Event, Match
from touchline.text.tokens import fold, tokenise

if TYPE_CHECKING:
    from scipy import sparse


def sentence_words(text: str) -> list[str]:
    """The distinct words of a sentence in a fixed order."""
    return sorted({token.key for token in tokenise(text)})


def player_words(matches: Iterable[Match]) -> set[str]:
    """Words that can occur in string arguments: the names of players, and nothing else.

    The team is a categorical argument in the paper, and its Figure 2 has words of teams.
    """
    return _words(name for match in matches for player in match.players for name in player.names)


def name_words(matches: Sequence[Match]) -> set[str]:
    """Words of all names, of players and of teams."""
    return player_words(matches) | _words(
        name for match in matches for team in match.teams for name in team.names
    )


def _words(names: Iterable[str]) -> set[str]:
    return {fold(word) for name in names for word in name.replace("-", " ").split()}


def vocabulary(matches: Sequence[Match], min_count: int) -> list[str]:
    """The frequent words of all sentences, without words of string arguments."""
    names = player_words(matches)
    counts = Counter(
        word
        for match in matches
        for comment in match.comments
        for word in sentence_words(comment.text)
    )
    return sorted(word for word, n in counts.items() if n >= min_count and word not in names)


def event_values(event: Event, arguments: Sequence[str]) -> list[str]:
    """The event's features: its type, and `name=value` of the arguments that count.

    `*` stands for every categorical argument, `team` for the acting team's name.
    """
    values = [f"type={event.type}"]
    for name, value in sorted(event.arguments.items()):
        if name in arguments or ("*" in arguments and f"-{name}" not in arguments):
            values.append(f"{name}={value}")
    if "team" in arguments and event.team is not None:
        values.append(f"team={event.team.name}")
    return values


def binary(rows: Iterable[Sequence[str]], columns: Sequence[str]) -> sparse.csr_matrix:
    """Rows of features as a binary matrix; features without a column are dropped."""
    from scipy import sparse  # slow to load, and not every method needs it

    index = {name: i for i, name in enumerate(columns)}
    found = [[index[name] for name in row if name in index] for row in rows]
    lengths = [len(row) for row in found]
    indices = np.array([i for row in found for i in row], dtype=np.int32)
    starts = np.concatenate([[0], np.cumsum(lengths)])
    data = np.ones(len(indices), dtype=np.float32)
    return sparse.csr_matrix((data, indices, starts), shape=(len(found), len(columns)))


def inner_products(rows: sparse.csr_matrix) -> NDArray[np.float32]:
    """All inner products between the rows."""
    return np.asarray((rows @ rows.T).toarray(), dtype=np.float32)
