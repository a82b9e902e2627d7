"""Long comments cut into sentences, each with an id that leads back to its comment."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise

import msgspec
import sentencex

from touchline.core.errors import TouchlineError
from touchline.core.records import Comment

# What is cut short in football, besides what any English text cuts short.
ABBREVIATIONS = frozenset("agg. ath. atl. bor. dep. man. min. mins. pen. utd. wolv.".split())


def in_sentences(comments: Iterable[Comment], spread: bool) -> tuple[Comment, ...]:
    """The comments, those of several sentences in parts `<id>.1`, `<id>.2` ...

    With `spread` the time of a comment passes as its words do, as in speech; otherwise every part
    may lie anywhere in the comment's interval, as on a live page.
    """
    parts = [part for comment in comments for part in _parts(comment, spread)]
    seen: set[int | str] = set()
    for part in parts:
        if part.id in seen:
            raise TouchlineError(f"the id {part.id!r} occurs twice after splitting into sentences")
        seen.add(part.id)
    return tuple(parts)


def split(text: str) -> list[str]:
    """The sentences of a text, without the spaces around them."""
    sentences: list[str] = []
    for sentence in sentencex.segment("en", text):
        if sentences and _goes_on(sentences[-1]):
            sentences[-1] += sentence
        else:
            sentences.append(sentence)
    return [stripped for sentence in sentences if (stripped := sentence.strip())]


def _goes_on(sentence: str) -> bool:
    """Whether its last dot only cuts a word short."""
    words = sentence.rsplit(maxsplit=1)
    return bool(words) and words[-1].lower().lstrip("(\"'“‘") in ABBREVIATIONS


def _parts(comment: Comment, spread: bool) -> list[Comment]:
    sentences = split(comment.text)
    if len(sentences) < 2:
        return [comment]
    spans = _spans(comment, sentences, spread)
    return [
        msgspec.structs.replace(
            comment, id=f"{comment.id}.{number}", text=text, start=start, end=end
        )
        for number, (text, (start, end)) in enumerate(zip(sentences, spans, strict=True), 1)
    ]


def _spans(
    comment: Comment, sentences: Sequence[str], spread: bool
) -> list[tuple[float | None, float | None]]:
    start, end = comment.start, comment.end
    if start is None or end is None or not spread:
        return [(start, end)] * len(sentences)
    total = sum(map(len, sentences))
    said = accumulate(map(len, sentences), initial=0)
    moments = [start + (end - start) * characters / total for characters in said]
    return list(pairwise(moments))
