"""Long comments cut into sentences, each with an id that leads back to its comment."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

import msgspec

from touchline.core.errors import TouchlineError
from touchline.core.records import Comment
from touchline.io.commentary.pauses import runs

# What is cut short in football, besides what any English text cuts short.
ABBREVIATIONS = frozenset("agg. ath. atl. bor. dep. man. min. mins. pen. utd. wolv.".split())
# Recognisers that write no full stops also write lines of a minute: a sentence that takes longer
# than this many seconds is cut into parts that do not.
MAX_SENTENCE = 30.0
# A word takes about so long to say, in seconds; what follows it is a pause.
WORD = 1.0

_WORD = re.compile(r"\S+")


class _Part(NamedTuple):
    """Some words of a comment, from an offset in its text on, and when they are said."""

    at: int
    text: str
    start: float | None
    end: float | None


def in_sentences(comments: Iterable[Comment]) -> tuple[Comment, ...]:
    """The comments, those of several sentences in parts `<id>.1`, `<id>.2` ...

    In speech each part has its own time, by its words. Where a comment may lie anywhere in an
    interval, as on a live page, so may each of its parts.
    """
    parts = [part for comment in comments for part in _parts(comment)]
    seen: set[int | str] = set()
    for part in parts:
        if part.id in seen:
            raise TouchlineError(f"the id {part.id!r} occurs twice after splitting into sentences")
        seen.add(part.id)
    return tuple(parts)


def split(text: str) -> list[str]:
    """The sentences of a text, without the spaces around them."""
    import sentencex  # most comments are not split

    sentences: list[str] = []
    for sentence in sentencex.segment("en", text):
        if sentences and goes_on(sentences[-1]):
            sentences[-1] += sentence
        else:
            sentences.append(sentence)
    return [stripped for sentence in sentences if (stripped := sentence.strip())]


def goes_on(sentence: str) -> bool:
    """Whether its last dot only cuts a word short."""
    words = sentence.rsplit(maxsplit=1)
    return bool(words) and words[-1].lower().lstrip("(\"'“‘") in ABBREVIATIONS


def _parts(comment: Comment) -> list[Comment]:
    parts = _sentences(comment)
    if len(parts) < 2:
        return [comment]
    return [
        msgspec.structs.replace(
            comment,
            id=f"{comment.id}.{number}",
            text=part.text,
            start=part.start,
            end=part.end,
            spoken=_spoken(comment, part),
        )
        for number, part in enumerate(parts, 1)
    ]


def _sentences(comment: Comment) -> list[_Part]:
    places = list(_placed(comment.text, split(comment.text)))
    start, end = comment.start, comment.end
    if start is None or end is None or comment.anywhere:
        return [_Part(at, text, start, end) for at, text in places]
    moments = pairwise([*_moments(comment, start, end, [at for at, _ in places]), end])
    found: list[_Part] = []
    for (at, text), (first, last) in zip(places, moments, strict=True):
        found += _chunks(comment, at, text, first, last)
    # After the last word of a part there may be a pause.
    ended = [part._replace(end=_end(comment, part)) for part in found[:-1]]
    return [*ended, *found[-1:]]


def _placed(text: str, sentences: Iterable[str]) -> Iterator[tuple[int, str]]:
    at = 0
    for sentence in sentences:
        at = max(text.find(sentence, at), at)
        yield at, sentence
        at += len(sentence)


def _moments(comment: Comment, start: float, end: float, offsets: Sequence[int]) -> list[float]:
    """When the words at these offsets are said, as `Comment.second_at` has it for each."""
    if comment.spoken:
        return [second or 0.0 for second in comment.seconds_at(offsets)]
    pieces = (comment.text[at:after] for at, after in pairwise([0, *offsets, len(comment.text)]))
    before = list(accumulate(len(piece.split()) for piece in pieces))
    share = (end - start) / max(before[-1], 1)
    return [start + share * words for words in before[:-1]]


def _chunks(comment: Comment, at: int, text: str, first: float, last: float) -> list[_Part]:
    """The sentence, in parts cut at pauses where it takes too long to be one."""
    words = [(found.start(), found.end()) for found in _WORD.finditer(text)]
    if last - first <= MAX_SENTENCE or not words:
        return [_Part(at, text, first, max(first, last))]
    share = (last - first) / len(words)
    starts = [first + share * i for i in range(len(words))]
    if comment.spoken:
        seconds = comment.seconds_at([at + start for start, _ in words])
        starts = [second or 0.0 for second in seconds]
    following = [*starts[1:], last]
    ends = [min(now + WORD, after) for now, after in zip(starts, following, strict=True)]
    return [
        _Part(
            at + words[run[0]][0],
            text[words[run[0]][0] : words[run[-1]][1]],
            starts[run[0]],
            max(starts[run[0]], following[run[-1]]),
        )
        for run in runs(starts, ends, MAX_SENTENCE)
    ]


def _end(comment: Comment, part: _Part) -> float | None:
    words = _spoken(comment, part)
    if part.start is None or part.end is None or not words:
        return part.end
    return max(part.start, min(part.end, words[-1][1] + WORD))


def _spoken(comment: Comment, part: _Part) -> tuple[tuple[int, float], ...]:
    first = bisect_left(comment.spoken, (part.at,))
    last = bisect_left(comment.spoken, (part.at + len(part.text),))
    return tuple((place - part.at, second) for place, second in comment.spoken[first:last])
