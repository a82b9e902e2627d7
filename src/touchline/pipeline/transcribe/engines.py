"""Recognisers: what turns the sound of a chunk into words with times.

Each finds speech by itself: faster-whisper with the voice activity detector that it brings,
Pocketsphinx with its endpointer. Times are seconds from the start of the chunk.
"""

from __future__ import annotations

import io
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import msgspec
import numpy as np

from touchline.core.errors import MissingExtraError, TouchlineError
from touchline.pipeline.transcribe.audio import EXTRA, RATE
from touchline.pipeline.transcribe.pronunciation import pronounce
from touchline.text.tokens import fold

if TYPE_CHECKING:
    from numpy.typing import NDArray

MIN_LETTERS = 4  # of a name that is spotted by its sound; shorter ones are heard everywhere


class Word(msgspec.Struct, frozen=True, kw_only=True):
    word: str
    start: float
    end: float
    probability: float | None = None


class Segment(msgspec.Struct, frozen=True, kw_only=True):
    start: float
    end: float
    text: str
    words: tuple[Word, ...] = ()

    def later(self, seconds: float) -> Segment:
        """The segment of a chunk that starts so many seconds into the recording."""

        def at(time: float) -> float:
            return round(time + seconds, 2)

        words = tuple(
            msgspec.structs.replace(word, start=at(word.start), end=at(word.end))
            for word in self.words
        )
        return Segment(start=at(self.start), end=at(self.end), text=self.text, words=words)


class Engine(Protocol):
    """A recogniser; `about` is what its output depends on, besides the sound."""

    about: dict[str, Any]

    def segments(self, samples: NDArray[np.float32]) -> Iterable[Segment]:
        """What is said in a chunk."""
        ...


class Whisper:
    """faster-whisper with weights that are on this machine; nothing is ever downloaded."""

    def __init__(self, model: str, names: Sequence[str], language: str | None) -> None:
        self._model = _loaded(model)
        self._names, self._language = ", ".join(names) or None, language
        self.about = {
            "engine": "whisper", "model": Path(model).name, "language": language, "names": names,
        }  # fmt: skip

    def segments(self, samples: NDArray[np.float32]) -> Iterator[Segment]:
        found, _ = self._model.transcribe(
            samples,
            language=self._language,
            # Unlike a prompt, hot words are given to the model with every 30 seconds of sound.
            hotwords=self._names,
            word_timestamps=True,
            vad_filter=True,
            condition_on_previous_text=False,  # or an invented line goes on for minutes
        )
        for segment in found:
            words = tuple(
                Word(word=word.word, start=word.start, end=word.end, probability=word.probability)
                for word in segment.words or ()
            )
            yield Segment(start=segment.start, end=segment.end, text=segment.text, words=words)


def _loaded(model: str) -> Any:
    try:
        import faster_whisper
    except ImportError:
        raise MissingExtraError("touchline transcribe", EXTRA) from None
    advice = (
        "give --model the folder of a faster-whisper model, or the name of one that is in the "
        "Hugging Face cache already; touchline downloads nothing"
    )
    try:
        return faster_whisper.WhisperModel(model, local_files_only=True)
    except Exception as error:  # of three libraries, each with its own kinds
        missing = not Path(model).is_dir()
        why = "its weights are not on this machine" if missing else f"cannot be loaded ({error})"
        raise TouchlineError(f"Whisper model {model!r}: {why}; {advice}") from None


class Pocketsphinx:
    """A small recogniser whose weights come with its package; far less accurate than Whisper.

    Its language model knows no players, so names are spotted by their sound in a second pass and
    take the place of whatever the first one has heard there.
    """

    SPOTTED = 1e-20  # how unlike its background a name must sound; the manual's range is 1e-50 to 1

    def __init__(self, names: Sequence[str]) -> None:
        try:
            import pocketsphinx
        except ImportError:
            raise MissingExtraError(
                "touchline transcribe --engine pocketsphinx", "touchline[pocketsphinx]"
            ) from None
        self._library = pocketsphinx
        self.about = {"engine": "pocketsphinx", "names": names}
        self._spelling = {
            key: part
            for name in names
            for part in name.split()
            if (key := fold(part)).isalpha() and len(key) >= MIN_LETTERS and pronounce(key)
        }

    def _make_spotter(self) -> Any:
        spotter = self._library.Decoder(samprate=RATE, loglevel="FATAL", lm=None)
        for key in self._spelling:
            if spotter.lookup_word(key) is None:
                spotter.add_word(key, pronounce(key), False)
        with tempfile.TemporaryDirectory() as folder:  # it takes the names from a file only
            path = Path(folder, "names")
            path.write_text("".join(f"{key} /{self.SPOTTED}/\n" for key in self._spelling))
            spotter.add_kws("names", str(path))
        spotter.activate_search("names")
        return spotter

    def segments(self, samples: NDArray[np.float32]) -> Iterator[Segment]:
        # Decoders adapt to what they hear. A resumed run has not heard the chunks before, so each
        # chunk has decoders of its own.
        listener = self._library.Decoder(samprate=RATE, loglevel="FATAL")
        spotter = self._make_spotter() if self._spelling else None
        for start, sound in self._speech(samples):
            words = _heard(listener, sound)
            names = _heard(spotter, sound) if spotter else []
            merged = [self._placed(word, start) for word in _merged(words, names)]
            if merged:
                text = " ".join(word.word for word in merged)
                yield Segment(
                    start=merged[0].start, end=merged[-1].end, text=text, words=tuple(merged)
                )

    def _placed(self, word: Word, start: float) -> Word:
        return Word(
            word=self._spelling.get(word.word, word.word),
            start=round(start + word.start, 2),
            end=round(start + word.end, 2),
        )

    def _speech(self, samples: NDArray[np.float32]) -> Iterator[tuple[float, bytes]]:
        """When somebody starts to speak, and the sound until they pause."""
        sound = (np.clip(samples, -1, 1) * 32767).astype("<i2").tobytes()
        for found in self._library.Segmenter(sample_rate=RATE).segment(io.BytesIO(sound)):
            yield found.start_time, found.pcm


def _heard(decoder: Any, sound: bytes) -> list[Word]:
    """The words that a decoder of Pocketsphinx finds in a stretch of speech, by time."""
    decoder.start_utt()
    decoder.process_raw(sound, full_utt=True)
    decoder.end_utt()
    frames = decoder.config["frate"]
    words = [
        Word(word=word, start=found.start_frame / frames, end=(found.end_frame + 1) / frames)
        for found in decoder.seg() or ()
        # Without silence and noise; `read(2)` is the second way to say `read`.
        if (word := found.word.strip().partition("(")[0]) and word[0] not in "<["
    ]
    return sorted(words, key=lambda word: word.start)


def _merged(words: Sequence[Word], names: Sequence[Word]) -> list[Word]:
    """The words, with each name instead of those whose middle lies in it."""
    kept: list[Word] = []
    for name in names:
        if not kept or name.start >= kept[-1].end:
            kept.append(name)
    others = [
        word
        for word in words
        if not any(name.start <= (word.start + word.end) / 2 <= name.end for name in kept)
    ]
    return sorted([*others, *kept], key=lambda word: word.start)
