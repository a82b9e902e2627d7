"""Files of every form of speech recognition that is read, made of lines of ours.

Each writer takes lines with the times of their words, and gives what that recogniser would write.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

PACE = 0.4  # seconds that a word takes


class Said(NamedTuple):
    """A line, the second at which it starts, and how long each of its words takes."""

    start: float
    text: str
    pace: float = PACE

    @property
    def words(self) -> list[tuple[str, float, float]]:
        own = self.text.split()
        starts = [round(self.start + self.pace * i, 3) for i in range(len(own) + 1)]
        return list(zip(own, starts, starts[1:], strict=False))

    @property
    def end(self) -> float:
        return self.words[-1][2] if self.words else self.start


Lines = Sequence[Said]


def echoes(lines: Lines) -> Any:
    return {"segments": {str(i): [o.start, o.end, o.text] for i, o in enumerate(lines)}}


def whisper(lines: Lines) -> Any:
    rows = [{"id": i, "seek": 0, **_segment(one), "tokens": [50364, 50760], "temperature": 0.0,
             "avg_logprob": -0.3, "compression_ratio": 1.0, "no_speech_prob": 0.07,
             "words": [{**_word(*word), "word": f" {word[0]}", "probability": 0.7}
                       for word in one.words]}
            for i, one in enumerate(lines)]  # fmt: skip
    return {"text": " ".join(one.text for one in lines), "segments": rows, "language": "en"}


def openai_service(lines: Lines) -> Any:
    words = [_word(*word) for one in lines for word in one.words]
    rows = [{"id": i, "seek": 0, **_segment(one)} for i, one in enumerate(lines)]
    return {"task": "transcribe", "duration": 99.0, "words": words, "segments": rows}


def openai_words(lines: Lines) -> Any:
    return {"task": "transcribe", "text": "", "words": openai_service(lines)["words"]}


def faster_whisper(lines: Lines) -> Any:
    return [{key: value for key, value in row.items() if key != "tokens"}
            for row in whisper(lines)["segments"]]  # fmt: skip


def bare(lines: Lines) -> Any:
    return [_segment(one) for one in lines]


def whisperx(lines: Lines) -> Any:
    """Every fifth word could not be aligned, and has no time."""
    rows = []
    for one in lines:
        words = [{"word": word} if i % 5 == 4
                 else {**_word(word, start, end), "score": 0.5, "speaker": "SPEAKER_00"}
                 for i, (word, start, end) in enumerate(one.words)]  # fmt: skip
        rows.append({**_segment(one), "words": words, "speaker": "SPEAKER_00"})
    return {"segments": rows, "word_segments": [word for row in rows for word in row["words"]]}


def transformers(lines: Lines) -> Any:
    rows = [{"timestamp": [one.start, one.end], "text": f" {one.text}"} for one in lines]
    return {"text": "", "chunks": rows}


def whisper_cpp(lines: Lines) -> Any:
    rows = []
    for one in lines:
        tokens = [{"text": "[_BEG_]", **_cpp(one.start, one.start), "id": 50364, "p": 0.9}]
        for word, start, end in one.words:
            middle = round((start + end) / 2, 3)
            for text, first, last in ((f" {word[:3]}", start, middle), (word[3:], middle, end)):
                tokens += [{"text": text, **_cpp(first, last), "id": 1, "p": 0.9, "t_dtw": -1}]
        tokens = [token for token in tokens if token["text"]]
        rows.append({**_cpp(one.start, one.end), "text": f" {one.text}", "tokens": tokens})
    return {"systeminfo": "", "model": {"type": "base"}, "transcription": rows}


def amazon(lines: Lines) -> Any:
    items: list[dict[str, Any]] = []
    segments = []
    for number, one in enumerate(lines):
        first = len(items)
        for word, start, end in one.words:
            bare, mark = (word[:-1], word[-1]) if word[-1] in ".,?!" else (word, "")
            items += [{"id": len(items), "start_time": f"{start}", "end_time": f"{end}",
                       "type": "pronunciation", **_alternative(bare)}]  # fmt: skip
            if mark:
                items += [{"id": len(items), "type": "punctuation", **_alternative(mark)}]
        segments.append({"id": number, "transcript": one.text, "start_time": f"{one.start}",
                         "end_time": f"{one.end}", "items": list(range(first, len(items)))}
                        )  # fmt: skip
    text = " ".join(one.text for one in lines)
    results = {"transcripts": [{"transcript": text}], "items": items, "audio_segments": segments}
    return {"jobName": "a", "accountId": "1", "status": "COMPLETED", "results": results}


def google_v1(lines: Lines) -> Any:
    return {"results": [_google(one, "Time") for one in lines]}


def google_v2(lines: Lines) -> Any:
    rows = [_google(one, "Offset") for one in lines]
    return {"results": rows, "metadata": {"totalBilledDuration": "99s"}}


def google_operation(lines: Lines) -> Any:
    """Durations as objects, and all words once more at the end, with speakers."""
    rows = [_google(one, "Time") for one in lines]
    words = [word for row in rows for word in row["alternatives"][0]["words"]]
    rows.append({"alternatives": [{"words": [{**word, "speakerTag": 1} for word in words]}]})
    return {"name": "1", "done": True, "response": {"results": _as_objects(rows)}}


def azure(lines: Lines) -> Any:
    rows = [{"recognitionStatus": "Success", "channel": 0, **_ticks(one.start, one.end),
             "nBest": [{"confidence": 0.9, "lexical": _lexical(one.text), "display": one.text,
                        "words": [{"word": _lexical(word), **_ticks(start, end)}
                                  for word, start, end in one.words]}]}
            for one in lines]  # fmt: skip
    return {"source": "a", "combinedRecognizedPhrases": [], "recognizedPhrases": rows}


def azure_iso(lines: Lines) -> Any:
    """As version 3.0 wrote it for display words: ISO durations only."""
    rows = []
    for row in azure(lines)["recognizedPhrases"]:
        best = row["nBest"][0]
        words = [{"displayText": word["word"], **_iso(word)} for word in best["words"]]
        rows.append({**_iso(row), "nBest": [{"display": best["display"], "displayWords": words}]})
    return {"recognizedPhrases": rows}


def azure_fast(lines: Lines) -> Any:
    rows = [{**_milliseconds(one.start, one.end), "text": one.text, "locale": "en-US",
             "words": [{"text": word, **_milliseconds(start, end)}
                       for word, start, end in one.words]}
            for one in lines]  # fmt: skip
    return {"durationMilliseconds": 99, "combinedPhrases": [], "phrases": rows}


FORMS: dict[str, Callable[[Lines], Any]] = {
    "segments/echoes": echoes,
    "segments/whisper": whisper,
    "segments/openai-service": openai_service,
    "segments/openai-words": openai_words,
    "segments/faster-whisper": faster_whisper,
    "segments/bare": bare,
    "segments/whisperx": whisperx,
    "segments/transformers": transformers,
    "whisper-cpp": whisper_cpp,
    "amazon": amazon,
    "google/v1": google_v1,
    "google/v2": google_v2,
    "google/operation": google_operation,
    "azure": azure,
    "azure/iso": azure_iso,
    "azure/fast": azure_fast,
}


def written(form: str, lines: Lines) -> bytes:
    return json.dumps(FORMS[form](lines), ensure_ascii=False).encode()


def _segment(one: Said) -> dict[str, Any]:
    return {"start": one.start, "end": one.end, "text": f" {one.text}"}


def _word(word: str, start: float, end: float) -> dict[str, Any]:
    return {"word": word, "start": start, "end": end}


def _cpp(start: float, end: float) -> dict[str, Any]:
    def stamp(seconds: float) -> str:
        ms = round(1000 * seconds)
        return f"{ms // 3600000:02d}:{ms // 60000 % 60:02d}:{ms // 1000 % 60:02d},{ms % 1000:03d}"

    return {
        "timestamps": {"from": stamp(start), "to": stamp(end)},
        "offsets": {"from": round(1000 * start), "to": round(1000 * end)},
    }


def _alternative(content: str) -> dict[str, Any]:
    return {"alternatives": [{"confidence": "0.99", "content": content}]}


def _google(one: Said, unit: str) -> dict[str, Any]:
    words = [{f"start{unit}": f"{start:.3f}s", f"end{unit}": f"{end:.3f}s", "word": word}
             for word, start, end in one.words]  # fmt: skip
    best = {"transcript": one.text, "confidence": 0.9, "words": words}
    return {"alternatives": [best], f"resultEnd{unit}": f"{one.end:.3f}s", "languageCode": "en-us"}


def _as_objects(tree: Any) -> Any:
    if isinstance(tree, dict):
        return {key: _as_objects(value) for key, value in tree.items()}
    if isinstance(tree, list):
        return [_as_objects(value) for value in tree]
    if isinstance(tree, str) and tree.endswith("s") and tree[:-1].replace(".", "").isdigit():
        whole, _, part = tree[:-1].partition(".")
        return {"seconds": whole, "nanos": int(part.ljust(9, "0") or 0)}
    return tree


def _lexical(text: str) -> str:
    return text.lower().strip(".,?!")


def _ticks(start: float, end: float) -> dict[str, Any]:
    offset, duration = round(start * 1e7), round((end - start) * 1e7)
    return {"offset": f"PT{start:.3f}S", "duration": f"PT{end - start:.3f}S",
            "offsetInTicks": offset, "durationInTicks": duration}  # fmt: skip


def _iso(row: dict[str, Any]) -> dict[str, Any]:
    seconds = float(row["offset"][2:-1])
    minutes, rest = divmod(round(seconds, 3), 60)
    offset = f"PT{int(minutes)}M{rest:.3f}S" if minutes else f"PT{rest:.3f}S"
    return {"offset": offset, "duration": row["duration"]}


def _milliseconds(start: float, end: float) -> dict[str, Any]:
    return {
        "offsetMilliseconds": round(1000 * start),
        "durationMilliseconds": round(1000 * (end - start)),
    }
