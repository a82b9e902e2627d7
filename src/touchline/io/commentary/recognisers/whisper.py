"""Whisper and what is built on it: segments with their words, if those were asked for.

- OpenAI Whisper, stable-ts: `{"segments": [{"start", "end", "text", "words": [{"word", ...}]}]}`;
  OpenAI's service puts the `words` of all segments beside them, or has words only.
- faster-whisper has no file form of its own; what people write is the list of its segments.
- WhisperX: as Whisper, with `word_segments` beside, `speaker`, and words without times.
- Transformers: `{"chunks": [{"timestamp": [start, end], "text"}]}`, segments or words.
- SoccerNet-Echoes: `{"segments": {"0": [start, end, text]}}`.
- whisper.cpp: `{"transcription": [{"offsets": {"from", "to"}, "text", "tokens": [...]}]}`, in
  milliseconds; its tokens are parts of words.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from touchline.core.records import CommentId
from touchline.io.commentary.recognisers.fields import Source
from touchline.io.commentary.recognisers.lines import (
    Line,
    Word,
    from_pieces,
    in_lines,
    rejoined,
)

_SPECIAL = re.compile(r"\s*(?:\[_[A-Z]+_(?:\d+\])?\]?|<\|[^|<>]*\|>)\s*")
# Fields that only a recogniser's list of segments has, beside start, end and text.
_MARKS = ("words", "seek", "avg_logprob", "no_speech_prob", "compression_ratio")
# A list of segments with no more than these fields is one, if its times are numbers.
_BARE = frozenset(["id", "index", "start", "end", "text", "speaker", "language", "confidence"])


def is_segments(content: Any) -> bool:
    """Whether decoded JSON is one of the forms, but for that of whisper.cpp."""
    if isinstance(content, list):
        rows = [row for row in content[:20] if isinstance(row, dict)]
        return bool(rows) and len(rows) == len(content[:20]) and all(map(_is_segment, rows))
    if not isinstance(content, dict):
        return False
    segments = content.get("segments")
    if isinstance(segments, dict):
        return all(isinstance(row, list) for row in segments.values())
    if isinstance(segments, list):
        return not segments or any(isinstance(row, list) or _is_timed(row) for row in segments)
    words = _words_beside(content)
    return _is_chunks(content) or (isinstance(words, list) and bool(words) and _is_word(words[0]))


def _is_timed(row: Any) -> bool:
    return isinstance(row, dict) and "text" in row and ("start" in row or "end" in row)


def _is_segment(row: dict[str, Any]) -> bool:
    if not _is_timed(row) or "start" not in row or "end" not in row:
        return False
    if any(mark in row for mark in _MARKS):
        return True
    return row.keys() <= _BARE and all(_is_second(row[side]) for side in ("start", "end"))


def _is_second(value: Any) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


def _is_word(row: Any) -> bool:
    return isinstance(row, dict) and "word" in row and ("start" in row or "end" in row)


def _is_chunks(content: dict[str, Any]) -> bool:
    chunks = content.get("chunks")
    first = chunks[0] if isinstance(chunks, list) and chunks else None
    return isinstance(first, dict) and "timestamp" in first and "text" in first


def is_cpp(content: Any) -> bool:
    rows = content.get("transcription") if isinstance(content, dict) else None
    first = rows[0] if isinstance(rows, list) and rows else None
    return isinstance(first, dict) and ("offsets" in first or "timestamps" in first)


def segments(source: Source, content: Any) -> Iterable[Line]:
    """The segments, under the numbers that they have in the file."""
    if isinstance(content, dict) and _is_chunks(content):
        return rejoined(list(_chunks(source, content["chunks"])))
    rows = content.get("segments") if isinstance(content, dict) else content
    beside = _words_beside(content) if isinstance(content, dict) else None
    if not rows and beside:
        return in_lines(_words(source, beside, "word"))
    lines = [_segment(source, name, row) for name, row in _numbered(source, rows)]
    if beside and not any(line.words for line in lines):
        lines = _with_words(lines, list(_words(source, beside, "word")))
    return lines


def _words_beside(content: dict[str, Any]) -> Any:
    return content.get("words") or content.get("word_segments")


def _numbered(source: Source, rows: Any) -> Iterator[tuple[CommentId, Any]]:
    if isinstance(rows, dict):
        yield from ((int(key) if _is_number(key) else key, row) for key, row in rows.items())
    elif isinstance(rows, list):
        yield from enumerate(rows)
    else:
        raise source.fail('no segments; expected {"segments": {"0": [start, end, text], ...}}')


def _is_number(key: str) -> bool:
    return key.isascii() and key.isdigit() and (key == "0" or key[0] != "0") and len(key) < 18


def _segment(source: Source, name: CommentId, row: Any) -> Line:
    where = f"segment {name}"
    words: Any = None
    if isinstance(row, dict):
        words = row.get("words")
        row = [row.get("start"), row.get("end"), row.get("text")]
    if not isinstance(row, list) or len(row) < 3 or not isinstance(row[2], str):
        raise source.fail("expected [start, end, text]", where)
    return Line(
        text=row[2],
        start=source.seconds(row[0], "start", where),
        end=source.seconds(row[1], "end", where),
        words=tuple(_words(source, words, where)),
        id=name,
        where=where,
    )


def _words(source: Source, rows: Any, where: str) -> Iterator[Word]:
    for row in source.objects(rows, "words", where):
        speaker = row.get("speaker")
        yield Word(
            source.text(row.get("word", row.get("text")), where).strip(),
            source.seconds(row.get("start"), "start of a word", where),
            source.seconds(row.get("end"), "end of a word", where),
            speaker if isinstance(speaker, str) else None,
        )


def _with_words(lines: Sequence[Line], words: Sequence[Word]) -> list[Line]:
    """The lines with those words that begin in them, by time."""
    starts = [line.start for line in lines]
    if any(start is None for start in starts):
        return list(lines)
    known = [start for start in starts if start is not None]
    own: list[list[Word]] = [[] for _ in lines]
    at = 0
    for word in words:
        if word.start is not None:
            at = max(bisect_right(known, word.start + 0.01) - 1, 0)
        own[at].append(word)
    return [
        msgspec.structs.replace(line, words=tuple(found))
        for line, found in zip(lines, own, strict=True)
    ]


def _chunks(source: Source, rows: Any) -> Iterator[Line]:
    for number, row in enumerate(source.objects(rows, "chunks")):
        where = f"chunk {number}"
        times = row.get("timestamp")
        if not isinstance(times, list) or len(times) != 2:
            raise source.fail(f"its timestamp {times!r} is not [start, end]", where)
        start, end = (source.seconds(time, "timestamp", where) for time in times)
        yield Line(source.text(row.get("text"), where), start, end, id=number, where=where)


def cpp(source: Source, content: Any) -> Iterable[Line]:
    """The segments of whisper.cpp, with words where it was asked for all (`-ojf`)."""
    rows = content.get("transcription") if isinstance(content, dict) else None
    if not isinstance(rows, list):
        raise source.fail("no `transcription` list; expected the JSON of whisper.cpp")
    lines = []
    for number, row in enumerate(source.objects(rows, "transcription")):
        where = f"transcription {number}"
        start, end = _span(source, row, where)
        pieces = list(_tokens(source, row.get("tokens"), where))
        text = source.text(row.get("text"), where)
        words = tuple(from_pieces(pieces))
        lines.append(Line(text, start, end, words, id=number, where=where))
    return rejoined(lines)


def _tokens(source: Source, rows: Any, where: str) -> Iterator[Word]:
    for row in source.objects(rows, "tokens", where):
        text = source.text(row.get("text"), where)
        if not _SPECIAL.fullmatch(text):
            yield Word(text, *_span(source, row, where))


def _span(source: Source, row: dict[str, Any], where: str) -> tuple[float | None, float | None]:
    offsets, stamps = row.get("offsets"), row.get("timestamps")
    if isinstance(offsets, dict):
        found = (source.milliseconds(offsets.get(side), side, where) for side in ("from", "to"))
    elif isinstance(stamps, dict):
        found = (source.stamp(stamps.get(side), side, where) for side in ("from", "to"))
    else:
        return None, None
    start, end = found
    return start, end
