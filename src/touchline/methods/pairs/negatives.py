"""Negative examples of a PairModel (lines 3-6 of Algorithm 1).

Half of them join sentences near to the positive's with events far from its event, half the other
way round, by Euclidean distance. Neither sentence nor event is identical to the positive's, and
no negative has a matching name. Where the string part counts players over consecutive events, a
neighbour of a negative's event may still match, and is counted as for any other pair. Distances
of binary vectors tie everywhere: of equals, the one that comes first in the corpus is taken.
"""

from __future__ import annotations

from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from touchline.core.arrays import Floats, Ints
from touchline.methods.pairs._kernels import (
    draw_block,
    draw_zip,
    farthest,
    matched_players,
    nearest,
)
from touchline.methods.pairs.pairing import Pairs

# Of how many candidates the events of one half are taken, in multiples of the number wanted: the
# spare ones stand in for events whose player the sentence names.
SPARE = 4


class Negatives(msgspec.Struct, frozen=True):
    """The negatives of each pair, first near sentence x far event, then far x near.

    All are pairs x (2 x count). `sentences`, `events` and the events' `rows` are -1 where a corpus
    is too small to fill them. `strings` is the first element of the string part; the others, which
    only distinguish the event's own players, are 0.
    """

    sentences: Ints
    events: Ints
    rows: Ints
    strings: Floats


def choose_negatives(
    pairs: Pairs,
    sentence_products: NDArray[np.float32],
    event_products: NDArray[np.float32],
    count: int,
    pairing: Literal["zip", "block"] = "zip",
    seed: int = 0,
) -> Negatives:
    """Choose `count` negatives of each half for every pair.

    `zip` joins the nearest sentence with the farthest event, the second nearest with the second
    farthest and so on; `block` joins them by chance.
    """
    sentence_row = np.arange(pairs.words.shape[0])
    row_of_pair = pairs.row[pairs.event]
    sentences, used = np.unique(pairs.sentence), np.unique(row_of_pair)
    near_s = nearest(sentence_products, sentence_row, sentences, count)
    far_s = farthest(sentence_products, sentence_row, sentences, count)
    near_e = nearest(event_products, pairs.row, used, SPARE * count)
    far_e = farthest(event_products, pairs.row, used, SPARE * count)
    draw = draw_zip if pairing == "zip" else draw_block
    halves = [
        draw(pairs.sentence, row_of_pair, s, e, pairs.mentioned, pairs.named, count, seed + half)
        for half, (s, e) in enumerate([(near_s, far_e), (far_s, near_e)])
    ]
    sentences, events = (np.concatenate(both, axis=1) for both in zip(*halves, strict=True))
    return Negatives(
        sentences=sentences,
        events=events,
        rows=np.where(events >= 0, pairs.row[events], -1),
        strings=matched_players(sentences, events, pairs.mentioned, pairs.around),
    )
