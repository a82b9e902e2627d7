"""How much a generated text shares with a human one: BLEU and ROUGE-L.

Tokens are runs of letters and digits in lower case; punctuation and hyphens part them. There is one
reference for each text. Neither says whether a text is true.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence

ORDER = 4
_TOKEN = re.compile(r"[^\W_]+")


def tokens(text: str) -> list[str]:
    """The tokens that both measures compare."""
    return _TOKEN.findall(text.lower())


def bleu(pairs: Iterable[tuple[str, str]]) -> float:
    """BLEU-4 of a corpus of (generated, human) texts: no smoothing, with a brevity penalty."""
    right, total = [0] * ORDER, [0] * ORDER
    ours = theirs = 0
    for text, reference in pairs:
        own, other = tokens(text), tokens(reference)
        ours, theirs = ours + len(own), theirs + len(other)
        for n in range(1, ORDER + 1):
            made, there = _runs(own, n), _runs(other, n)
            right[n - 1] += sum(min(count, there[run]) for run, count in made.items())
            total[n - 1] += sum(made.values())
    if not ours or not all(right):
        return 0.0
    precision = sum(math.log(r / t) for r, t in zip(right, total, strict=True)) / ORDER
    return math.exp(precision + min(0.0, 1 - theirs / ours))


def rouge_l(pairs: Sequence[tuple[str, str]]) -> float:
    """The mean F1 of the longest common subsequences."""
    if not pairs:
        return 0.0
    return sum(_rouge_l(tokens(text), tokens(reference)) for text, reference in pairs) / len(pairs)


def _runs(words: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


def _rouge_l(own: Sequence[str], other: Sequence[str]) -> float:
    lengths = [0] * (len(other) + 1)
    for word in own:
        last = 0
        for place, there in enumerate(other, 1):
            last, lengths[place] = (
                lengths[place],
                (last + 1 if word == there else max(lengths[place], lengths[place - 1])),
            )
    both = len(own) + len(other)
    return 2 * lengths[-1] / both if both else 0.0
