"""Speech services: Amazon Transcribe, Google Speech-to-Text, Azure Speech.

- Amazon: `{"results": {"items": [{"start_time": "1.15", "type": "pronunciation", ...}]}}`, one item
  for each word and each mark; in newer files `audio_segments` beside them.
- Google: `{"results": [{"alternatives": [{"transcript", "words": [...]}]}]}`, with "1.300s" or
  seconds and nanos; `startTime` in version 1, `startOffset` in version 2.
- Azure: `{"recognizedPhrases": [{"offsetInTicks", "nBest": [{"display", "words": [...]}]}]}` from
  batch transcription, `{"phrases": [{"offsetMilliseconds", "text", "words"}]}` from the fast one.

Amazon's and Google's words are put together to lines; Azure's phrases are lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from touchline.io.commentary.recognisers.fields import TICKS, Source
from touchline.io.commentary.recognisers.lines import Line, Word, from_pieces, in_lines

Row = dict[str, Any]


# Amazon -----------------------------------------------------------------------------------------


def is_amazon(content: Any) -> bool:
    results = content.get("results") if isinstance(content, dict) else None
    if not isinstance(results, dict):
        return False
    items = results.get("items")
    first = items[0] if isinstance(items, list) and items else None
    timed = isinstance(first, dict) and "alternatives" in first and "type" in first
    return timed or isinstance(results.get("audio_segments"), list)


def amazon(source: Source, content: Any) -> Iterable[Line]:
    """Lines of the words; where there are no words, the segments as they are."""
    results = content.get("results") if isinstance(content, dict) else None
    if not isinstance(results, dict):
        raise source.fail("no `results`; expected a transcript of Amazon Transcribe")
    if results.get("items"):
        return in_lines(from_pieces(_items(source, results["items"])))
    return _audio_segments(source, results.get("audio_segments"))


def _items(source: Source, rows: Any) -> Iterator[Word]:
    for number, row in enumerate(source.objects(rows, "items")):
        where = f"item {number}"
        said = _best(source, row.get("alternatives"), where)
        text = source.text(said.get("content"), where).strip()
        if row.get("type") == "punctuation":
            yield Word(text)
            continue
        speaker = row.get("speaker_label")
        yield Word(
            f" {text}",
            source.seconds(row.get("start_time"), "start_time", where),
            source.seconds(row.get("end_time"), "end_time", where),
            speaker if isinstance(speaker, str) else None,
        )


def _audio_segments(source: Source, rows: Any) -> Iterator[Line]:
    for number, row in enumerate(source.objects(rows, "audio_segments")):
        where = f"audio_segment {number}"
        yield Line(
            source.text(row.get("transcript"), where),
            source.seconds(row.get("start_time"), "start_time", where),
            source.seconds(row.get("end_time"), "end_time", where),
            id=number,
            where=where,
        )


def _best(source: Source, alternatives: Any, where: str) -> Row:
    """The first of several readings, which is the best."""
    return next(source.objects(alternatives, "alternatives", where), {})


# Google -----------------------------------------------------------------------------------------


def is_google(content: Any) -> bool:
    found = _results(content)
    first = found[0] if found else None
    return isinstance(first, dict) and isinstance(first.get("alternatives"), list)


def google(source: Source, content: Any) -> Iterable[Line]:
    """Lines of each result's words; where there are no words, the results as they are."""
    rows = _results(content)
    if rows is None:
        raise source.fail("no `results` list; expected a transcript of Google Speech-to-Text")
    results = [_result(source, row, n) for n, row in enumerate(source.objects(rows, "results"))]
    lines: list[Line] = []
    for line in _each_once(results):
        if line.words:
            lines += in_lines(line.words)
        elif line.text:
            before = lines[-1].end if lines else 0.0
            lines.append(Line(line.text, before, line.end, id=line.id, where=line.where))
    # Where some results have no words, numbers of results and of lines would meet.
    return [Line(one.text, one.start, one.end, one.words, where=one.where) for one in lines]


def _results(content: Any) -> list[Any] | None:
    """The results of an answer, of an operation, or of the files of a batch."""
    if isinstance(content, dict) and isinstance(content.get("response"), dict):
        content = content["response"]
    results = content.get("results") if isinstance(content, dict) else None
    if isinstance(results, dict):  # of a batch, by file
        inner = [_transcript(one) for one in results.values()]
        return [row for rows in inner if rows is not None for row in rows] or None
    return results if isinstance(results, list) else None


def _transcript(file: Any) -> list[Any] | None:
    if isinstance(file, dict) and isinstance(file.get("inlineResult"), dict):
        file = file["inlineResult"]
    transcript = file.get("transcript") if isinstance(file, dict) else None
    rows = transcript.get("results") if isinstance(transcript, dict) else None
    return rows if isinstance(rows, list) else None


def _result(source: Source, row: Row, number: int) -> Line:
    where = f"result {number}"
    best = _best(source, row.get("alternatives"), where)
    end = _first(row, "resultEndTime", "result_end_time", "resultEndOffset", "result_end_offset")
    return Line(
        source.text(best.get("transcript"), where).strip(),
        None,
        source.duration(end, "end", where),
        tuple(_google_words(source, best.get("words"), where)),
        id=number,
        where=where,
    )


def _google_words(source: Source, rows: Any, where: str) -> Iterator[Word]:
    before = 0.0
    for row in source.objects(rows, "words", where):
        text = source.text(row.get("word"), where).strip()
        start = _first(row, "startTime", "start_time", "startOffset", "start_offset")
        end = _first(row, "endTime", "end_time", "endOffset", "end_offset")
        until = source.duration(end, "end of a word", where)
        begin = source.duration(start, "start of a word", where)
        if begin is None and until is not None:
            begin = min(before, until)  # a start of 0 is left out
        speaker = _first(row, "speakerLabel", "speaker_label", "speakerTag", "speaker_tag")
        before = until if until is not None else before
        if text:
            yield Word(text, begin, until, str(speaker) if speaker else None)


def _each_once(results: list[Line]) -> list[Line]:
    """Without the results whose words the last one has again, with their speakers.

    That is how version 1 of the service distinguishes speakers.
    """
    *others, last = results or [Line("", None, None)]
    words = [word.text for line in others for word in line.words]
    again = bool(words) and [word.text for word in last.words[: len(words)]] == words
    return [last] if again else results


def _first(row: Row, *names: str) -> Any:
    return next((row[name] for name in names if row.get(name) is not None), None)


# Azure ------------------------------------------------------------------------------------------


def is_azure(content: Any) -> bool:
    if not isinstance(content, dict):
        return False
    phrases = content.get("phrases")
    first = phrases[0] if isinstance(phrases, list) and phrases else None
    fast = isinstance(first, dict) and "text" in first and "offsetMilliseconds" in first
    return fast or isinstance(content.get("recognizedPhrases"), list)


def azure(source: Source, content: Any) -> Iterable[Line]:
    """The phrases; of several audio channels, the phrases in the order of time."""
    what = "recognizedPhrases"
    if isinstance(content, dict) and what not in content:
        what = "phrases"
    rows = content.get(what) if isinstance(content, dict) else None
    if not isinstance(rows, list):
        raise source.fail("no `recognizedPhrases` list; expected a transcript of Azure Speech")
    lines = [_phrase(source, row, n) for n, row in enumerate(source.objects(rows, what))]
    channels = {row["channel"] for row in rows if isinstance(row.get("channel"), int | str)}
    if len(channels) > 1:
        lines.sort(key=lambda line: line.start or 0.0)
    return lines


def _phrase(source: Source, row: Row, number: int) -> Line:
    where = f"phrase {number}"
    best = _best(source, row.get("nBest"), where) if "nBest" in row else row
    text = _first(best, "display", "text", "itn", "lexical")
    start, end = _azure_span(source, row, where)
    words = [word for word in _azure_words(source, best, where) if word.text]
    return Line(source.text(text, where), start, end, tuple(words), id=number, where=where)


def _azure_words(source: Source, best: Row, where: str) -> Iterator[Word]:
    for row in source.objects(_first(best, "displayWords", "words"), "words", where):
        text = source.text(_first(row, "displayText", "word", "text"), where)
        yield Word(text.strip(), *_azure_span(source, row, where))


def _azure_span(source: Source, row: Row, where: str) -> tuple[float | None, float | None]:
    start = _azure_time(source, row, "offset", where)
    length = _azure_time(source, row, "duration", where)
    return start, None if start is None or length is None else start + length


def _azure_time(source: Source, row: Row, what: str, where: str) -> float | None:
    if row.get(f"{what}InTicks") is not None:
        ticks = source.number(row[f"{what}InTicks"], what, where)
        return source.in_range(None if ticks is None else ticks / TICKS, where)
    if row.get(f"{what}Milliseconds") is not None:
        return source.milliseconds(row[f"{what}Milliseconds"], what, where)
    return source.iso(row.get(what), what, where)
