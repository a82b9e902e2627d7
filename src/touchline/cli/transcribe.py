"""`touchline transcribe`: the speech of a recording as text with word times."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console

from touchline.cli.paths import LOCAL
from touchline.cli.shared import (
    IN_PART,
    LINEUPS_HELP,
    NOTHING_DONE,
    LeftOut,
    refuse_to_overwrite,
    say,
)
from touchline.core.errors import InputError, UsageError
from touchline.io.feeds import providers, read_events

if TYPE_CHECKING:
    from touchline.pipeline.transcribe.engines import Engine

ENGINES = ("whisper", "pocketsphinx")


@click.command("transcribe")
@click.argument("recordings", metavar="RECORDING...", type=LOCAL, nargs=-1, required=True)
@click.option("-o", "--out", type=LOCAL, required=True, metavar="OUT",
              help="JSON file to write; for several recordings, a folder.")  # fmt: skip
@click.option("--events", type=LOCAL, metavar="LOG",
              help="The match log; its players' and teams' names help the recogniser.")  # fmt: skip
@click.option("--lineups", type=LOCAL, multiple=True, help=LINEUPS_HELP)
@click.option("--provider", metavar="P", type=click.Choice(providers()),
              help="Feed format of the log, if not recognised.")  # fmt: skip
@click.option("--match", "name", metavar="ID",
              help="Id of the match, for a log with a whole season.")  # fmt: skip
@click.option("--engine", type=click.Choice(ENGINES), default="whisper",
              help="Recogniser; pocketsphinx needs no weights, but is less accurate.")  # fmt: skip
@click.option("--model", metavar="M", help="Whisper weights: a folder, or a name such as small.en "
              "that is in the Hugging Face cache. Nothing is downloaded.")  # fmt: skip
@click.option("--language", metavar="CODE", default=None,
              help="Language of the speech, for Whisper (default en); `auto` detects "
              "it.")  # fmt: skip
def command(
    recordings: tuple[Path, ...],
    out: Path,
    events: Path | None,
    lineups: tuple[Path, ...],
    provider: str | None,
    name: str | None,
    engine: str,
    model: str | None,
    language: str | None,
) -> int:
    """Transcribe each RECORDING, with the time of every word.

    A RECORDING is an audio or video file. `touchline align` reads the transcript like any other
    commentary. An interrupted run resumes where it stopped when the same command is run again. Of
    several recordings, one that cannot be decoded is left out (exit code 3).
    """
    if events is None and (lineups or provider or name):
        raise UsageError("--lineups, --provider and --match need --events")
    outputs = _outputs(recordings, out)
    for output in outputs:
        refuse_to_overwrite(output, (*recordings, events))
    from touchline.pipeline.transcribe.run import names_of

    names = names_of(read_events(events, provider, lineups, match=name)) if events else []
    recogniser = _engine(engine, model, names, language)
    left_out = LeftOut()
    for recording, output in zip(recordings, outputs, strict=True):
        try:
            _transcribe(recording, output, recogniser)
        except InputError as error:
            if len(recordings) == 1:
                raise
            left_out(str(recording), error.problem)
    if left_out.count == len(recordings):
        return NOTHING_DONE
    return IN_PART if left_out.count else 0


def _transcribe(recording: Path, output: Path, recogniser: Engine) -> None:
    from touchline.pipeline.transcribe.run import transcribe

    with _progress(recording.name) as at:
        found = transcribe(recording, output, recogniser, at)
    if found.resumed:
        say(f"{recording}: resumed at {_time(found.resumed)}")
    if not found.segments:
        say(f"warning: {recording}: no speech was recognised")
    words = sum(len(segment.words) for segment in found.segments)
    say(f"{recording}: {_time(found.seconds)}, {len(found.segments)} lines, "
        f"{words} words -> {output}")  # fmt: skip


def _time(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02d}:{rest:02d}"


def _outputs(recordings: Sequence[Path], out: Path) -> list[Path]:
    """Where each transcript goes: OUT, or a file in it named after the recording."""
    if len(recordings) == 1 and not out.is_dir():
        return [out]
    if out.suffix and not out.is_dir():
        raise UsageError(f"{out}: several recordings need a folder to write to")
    outputs = [out / f"{recording.stem}.json" for recording in recordings]
    if len(set(outputs)) < len(outputs):
        raise UsageError("two recordings have the same output file; transcribe them one at a time")
    out.mkdir(parents=True, exist_ok=True)
    return outputs


def _engine(engine: str, model: str | None, names: list[str], language: str | None) -> Engine:
    from touchline.pipeline.transcribe.engines import Pocketsphinx, Whisper

    if engine == "pocketsphinx":
        if model is not None or language is not None:
            raise UsageError("--model and --language are for --engine whisper")
        return Pocketsphinx(names)
    if model is None:
        raise UsageError("--engine whisper needs --model: the folder of a faster-whisper model, "
                         "or the name of one in the Hugging Face cache")  # fmt: skip
    return Whisper(model, names, None if language == "auto" else language or "en")


@contextmanager
def _progress(what: str) -> Iterator[Callable[[float], None]]:
    """Show on a terminal how far into the recording the recogniser is."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda second: None
        return
    with console.status(f"{what}: listening") as status:
        yield lambda second: status.update(f"{what}: {_time(second)}")
