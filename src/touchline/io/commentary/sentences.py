"""Long comments cut into sentences, each with an id that leads back to its comment."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

import msgspec
import sentencex

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
Part = tuple[int, str]  # offset in the comment's text, and the words from there on


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
    places = [
        part
        for sentence in _placed(comment.text, split(comment.text))
        for part in _chunks(comment, sentence)
    ]
    if len(places) < 2:
        return [comment]
    parts = zip(places, _spans(comment, places), strict=True)
    return [
        msgspec.structs.replace(
            comment,
            id=f"{comment.id}.{number}",
            text=text,
            start=start,
            end=end,
            spoken=_spoken(comment, at, len(text)),
        )
        for number, ((at, text), (start, end)) in enumerate(parts, 1)
    ]


def _placed(text: str, sentences: Iterable[str]) -> Iterator[Part]:
    at = 0
    for sentence in sentences:
        at = max(text.find(sentence, at), at)
        yield at, sentence
        at += len(sentence)


def _chunks(comment: Comment, sentence: Part) -> list[Part]:
    """The sentence, in parts cut at pauses where it takes too long to be one."""
    at, text = sentence
    first, last = _second(comment, at), _second(comment, at + len(text))
    if comment.anywhere or last - first <= MAX_SENTENCE:
        return [sentence]
    words = [(found.start(), found.end()) for found in _WORD.finditer(text)]
    starts = [_second(comment, at + start) for start, _ in words]
    ends = [min(start + WORD, after) for start, after in zip(starts, [*starts[1:], last])]  # noqa: B905
    found = [(words[run[0]][0], words[run[-1]][1]) for run in runs(starts, ends, MAX_SENTENCE)]
    return [(at + start, text[start:end]) for start, end in found]


def _second(comment: Comment, offset: int) -> float:
    return comment.second_at(offset) or 0.0


def _spoken(comment: Comment, at: int, length: int) -> tuple[tuple[int, float], ...]:
    first, last = bisect_left(comment.spoken, (at,)), bisect_left(comment.spoken, (at + length,))
    return tuple((place - at, second) for place, second in comment.spoken[first:last])


def _spans(comment: Comment, parts: Sequence[Part]) -> Iterator[tuple[float | None, float | None]]:
    if comment.start is None or comment.end is None or comment.anywhere:
        yield from [(comment.start, comment.end)] * len(parts)
        return
    for number, (at, text) in enumerate(parts, 1):
        start = _second(comment, at)
        end = comment.end if number == len(parts) else _second(comment, parts[number][0])
        spoken = _spoken(comment, at, len(text))
        if spoken and number < len(parts):  # then there may be a pause
            end = min(end, spoken[-1][1] + WORD)
        yield start, max(start, end)
