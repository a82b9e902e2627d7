"""Transcribe recordings, chunk by chunk; what an interrupted run has finished is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from touchline.core.errors import InputError, OutputError
from touchline.core.records import Match, label_of
from touchline.core.version import __version__
from touchline.io.files import sha256, write_text_whole
from touchline.pipeline.transcribe.audio import chunks
from touchline.pipeline.transcribe.engines import Engine, Segment

CHUNK = 300.0  # seconds; at most so much is done again after an interruption
SEARCH = 60.0  # of its last seconds, where a chunk may end
FORMAT = 1


class Done(msgspec.Struct, frozen=True, kw_only=True):
    """The segments of a recording up to a second."""

    until: float
    segments: tuple[Segment, ...]


class Transcript(NamedTuple):
    """What was recognised in a recording."""

    segments: list[Segment]
    seconds: float
    resumed: float  # how much of it an earlier run had done


def names_of(match: Match) -> list[str]:
    """The teams' and players' names as commentators say them, in the order of the log."""
    teams = [team.name for team in match.teams]
    players = [label_of(player) or "" for player in match.players]
    return list(dict.fromkeys(name for name in (*teams, *players) if name))


def transcribe(
    recording: Path,
    out: Path,
    engine: Engine,
    progress: Callable[[float], None] = lambda second: None,
) -> Transcript:
    """Transcribe a recording into a file of segments, as Whisper's JSON.

    Finished chunks are kept in `OUT.partial` until the whole file is written; a run that is started
    again with the same recording, engine and names goes on after them.
    """
    about = {
        "format": FORMAT, "touchline": __version__, "recording": recording.name,
        "sha256": sha256(recording), **engine.about,
    }  # fmt: skip
    partial = Partial(out.with_name(out.name + ".partial"), about)
    done = partial.read()
    resumed = seconds = done[-1].until if done else 0.0
    try:
        for chunk in chunks(recording, CHUNK, SEARCH, since=resumed):
            found = tuple(segment.later(chunk.start) for segment in engine.segments(chunk.samples))
            done.append(Done(until=chunk.end, segments=found))
            partial.add(done[-1])
            seconds = chunk.end
            progress(seconds)
    except InputError:
        if not done:  # nothing to go on from
            partial.remove()
        raise
    segments = [segment for one in done for segment in one.segments]
    _write(out, {**about, "seconds": round(seconds, 2)}, segments)
    partial.remove()
    return Transcript(segments, seconds, resumed)


def _write(out: Path, about: dict[str, Any], segments: list[Segment]) -> None:
    numbered = [
        {"id": number, **msgspec.to_builtins(segment)} for number, segment in enumerate(segments)
    ]
    with write_text_whole(out) as file:
        encoded = msgspec.json.encode({"transcription_of": about, "segments": numbered})
        file.write(msgspec.json.format(encoded, indent=1).decode() + "\n")


class Partial:
    """The finished chunks of a transcription, one per line, after a line that says of what."""

    def __init__(self, path: Path, about: dict[str, Any]) -> None:
        self.path = path
        self._about = msgspec.json.encode(about)

    def read(self) -> list[Done]:
        """What an earlier run has done of the same; a line that was cut off is dropped."""
        done = list(self._done())
        lines = [self._about, *map(msgspec.json.encode, done)]
        with self._writing("wb") as file:
            file.write(b"".join(line + b"\n" for line in lines))
        return done

    def _done(self) -> Iterator[Done]:
        try:
            first, *lines = self.path.read_bytes().split(b"\n")
        except OSError:
            return
        if first != self._about:
            return
        for line in lines:
            try:
                yield msgspec.json.decode(line, type=Done)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                return  # the end of what was written when the run was interrupted

    def add(self, done: Done) -> None:
        with self._writing("ab") as file:
            file.write(msgspec.json.encode(done) + b"\n")

    def remove(self) -> None:
        with suppress(FileNotFoundError):
            self.path.unlink()

    def _writing(self, mode: str) -> Any:
        try:
            return self.path.open(mode)
        except OSError as error:
            raise OutputError(f"{self.path}: cannot be written ({error.strerror})") from None
