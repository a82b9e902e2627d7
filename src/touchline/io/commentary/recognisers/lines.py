"""What all recognisers have in common: words with times, and the lines that they make up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from touchline.io.commentary.pauses import runs
from touchline.io.commentary.sentences import goes_on

# Words that are further apart than this many seconds belong to different lines.
PAUSE = 0.8
# A line of words takes no longer than this many seconds to say, as far as it has pauses.
MAX_LINE = 15.0
# How far ahead in a line one of its words is looked for, in characters: numbers and names may be
# written in another way there ("twenty five", "25"), and one word not found must not lose the rest.
AHEAD = 80
# Lines are single words if nine in ten are, and there are enough to say so.
SINGLE, ENOUGH = 0.9, 20

_STOPS = (".", "?", "!", "…", "。", "？", "！")
_CLOSING = "\"'”’)]"


class Word(msgspec.Struct, frozen=True):
    """A word and when it is said, in seconds of the recording; None where that is not known."""

    text: str
    start: float | None = None
    end: float | None = None
    speaker: str | None = None


class Line(msgspec.Struct, frozen=True):
    """A line of a recogniser; its times may be missing, or wrong.

    `where` is its place in the file, for messages; `id` the number or name that it has there.
    """

    text: str
    start: float | None
    end: float | None
    words: tuple[Word, ...] = ()
    id: int | str | None = None
    where: str | None = None


def spoken(text: str, words: Iterable[Word]) -> tuple[tuple[int, float], ...]:
    """Where each word stands in the text and when it is said; in the order of both.

    Words that the text does not have, that have no time, or that are said before the word before
    them, are left out.
    """
    folded = _folded(text)
    found: list[tuple[int, float]] = []
    at = 0
    for word in words:
        form = _folded(word.text.strip())
        place = folded.find(form, at, at + len(form) + AHEAD) if form else -1
        if place < 0:
            continue
        at = place + len(form)
        if word.start is not None and (not found or word.start >= found[-1][1]):
            found.append((place, word.start))
    return tuple(found)


def _folded(text: str) -> str:
    """The text in lower case, character for character."""
    return "".join(low if len(low := character.lower()) == 1 else character for character in text)


def from_pieces(pieces: Iterable[Word]) -> list[Word]:
    """Whole words from parts of words and punctuation; a space before a part starts a word."""
    words: list[list[Word]] = []
    for piece in pieces:
        if words and not piece.text[:1].isspace():
            words[-1].append(piece)
        else:
            words.append([piece])
    return [word for own in words if (word := _word_of(own)).text]


def _word_of(pieces: Sequence[Word]) -> Word:
    return Word(
        text="".join(piece.text for piece in pieces).strip(),
        start=next((piece.start for piece in pieces if piece.start is not None), None),
        end=max((piece.end for piece in pieces if piece.end is not None), default=None),
        speaker=pieces[0].speaker,
    )


def in_lines(words: Iterable[Word]) -> Iterator[Line]:
    """Lines made of words alone: to the end of the sentence, to a pause, to another speaker."""
    for run in _unbroken(words):
        for part in runs(*_times(run), MAX_LINE):
            yield line_of(run[part.start : part.stop])


def line_of(words: Sequence[Word]) -> Line:
    """One line of all the words."""
    text = " ".join(" ".join(word.text.split()) for word in words)
    start = next((word.start for word in words if word.start is not None), None)
    known = [second for word in words for second in (word.start, word.end) if second is not None]
    return Line(text, start, max(known, default=None), tuple(words))


def _unbroken(words: Iterable[Word]) -> Iterator[list[Word]]:
    """Words without a full stop, a pause or a change of speaker between them."""
    run: list[Word] = []
    until: float | None = None
    for word in words:
        paused = word.start is not None and until is not None and word.start - until > PAUSE
        if run and (paused or _ends_sentence(run[-1].text) or _change(run[-1], word)):
            yield run
            run = []
        run.append(word)
        until = next((second for second in (word.end, word.start) if second is not None), until)
    if run:
        yield run


def _change(word: Word, following: Word) -> bool:
    return None not in (word.speaker, following.speaker) and word.speaker != following.speaker


def _ends_sentence(word: str) -> bool:
    bare = word.rstrip(_CLOSING)
    initial = len(bare) == 2 and bare[0].isalpha()  # J. Cole
    return bare.endswith(_STOPS) and not initial and not goes_on(bare)


def _times(words: Sequence[Word]) -> tuple[list[float], list[float]]:
    """Starts and ends of words; one that is not known is that of the word before."""
    starts: list[float] = []
    ends: list[float] = []
    now = next((word.start for word in words if word.start is not None), 0.0)
    for word in words:
        now = now if word.start is None else max(word.start, now)
        starts.append(now)
        now = now if word.end is None else max(word.end, now)
        ends.append(now)
    return starts, ends


def word_by_word(lines: Sequence[Line]) -> bool:
    """Whether each of the lines is a word, as recognisers write them when asked for word times."""
    single = sum(len(line.text.split()) <= 1 for line in lines)
    return len(lines) >= ENOUGH and single >= SINGLE * len(lines)


def rejoined(lines: Sequence[Line]) -> Sequence[Line]:
    """The lines, put together again where each of them is a word or a part of one."""
    if not word_by_word(lines):
        return lines
    spaced = any(line.text[:1].isspace() for line in lines[1:])
    pieces = (
        Word(line.text if spaced else f" {line.text}", line.start, line.end) for line in lines
    )
    return list(in_lines(from_pieces(pieces)))
