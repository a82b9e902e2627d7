"""The sound of a recording: decoded as a stream, cut where it is quiet."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from touchline.core.arrays import Floats
from touchline.core.errors import InputError, MissingExtraError

if TYPE_CHECKING:
    from numpy.typing import NDArray

RATE = 16_000  # samples per second, what recognisers expect
EXTRA = "touchline[speech]"


class Chunk(NamedTuple):
    """A stretch of a recording, `start` seconds into it; `samples` are from -1 to 1."""

    start: float
    samples: NDArray[np.float32]

    @property
    def end(self) -> float:
        return self.start + len(self.samples) / RATE


def chunks(path: Path, seconds: float, search: float, since: float = 0.0) -> Iterator[Chunk]:
    """Cut a recording into chunks of at most so many `seconds`, from `since` on.

    A cut is made at the quietest moment of a chunk's last `search` seconds, so that it is seldom
    inside a word. Only one chunk is in memory at a time.
    """
    start, waiting = since, np.empty(0, np.float32)
    most, reach = round(seconds * RATE), round(search * RATE)
    skip = round(since * RATE)
    for block in decoded(path):
        skipped, skip = block[:skip], max(skip - len(block), 0)
        waiting = np.concatenate([waiting, block[len(skipped) :]])
        while len(waiting) >= most:
            cut = most - reach + quietest(waiting[most - reach : most])
            yield Chunk(start, waiting[:cut])
            start, waiting = start + cut / RATE, waiting[cut:]
    if len(waiting):
        yield Chunk(start, waiting)


def quietest(samples: NDArray[np.float32], window: float = 0.2) -> int:
    """The middle of the window with the lowest energy."""
    width = min(round(window * RATE), len(samples))
    energy: Floats = np.cumsum(np.concatenate([[0.0], np.square(samples, dtype=np.float64)]))
    return int(np.argmin(energy[width:] - energy[:-width])) + width // 2


def decoded(path: Path) -> Iterator[NDArray[np.float32]]:
    """The samples of a recording, a few seconds at a time; any format that FFmpeg reads."""
    av = _library()
    try:
        with av.open(str(path), metadata_errors="ignore") as container:
            if not container.streams.audio:
                raise InputError(path, "the file has no audio")
            resampler = av.AudioResampler(format="s16", layout="mono", rate=RATE)
            for frame in _whole_frames(container, av):
                yield from _samples(resampler.resample(frame))
            yield from _samples(resampler.resample(None))
    except (av.error.FFmpegError, UnicodeError) as error:
        if isinstance(error, OSError) and not isinstance(error, av.error.InvalidDataError):
            raise InputError(path, error.strerror or str(error)) from None
        raise InputError(path, "not an audio or video file that can be decoded") from None


def _whole_frames(container: Any, av: Any) -> Iterator[Any]:
    """The frames of the first sound track; damaged ones are left out, as players do."""
    frames = container.decode(audio=0)
    while True:
        try:
            yield next(frames)
        except StopIteration:
            return
        except av.error.InvalidDataError:
            continue


def _samples(frames: list[Any]) -> Iterator[NDArray[np.float32]]:
    for frame in frames:
        yield frame.to_ndarray().reshape(-1).astype(np.float32) / 32768


def _library() -> Any:
    try:
        import av
    except ImportError:
        raise MissingExtraError("Reading sound", EXTRA) from None
    return av
