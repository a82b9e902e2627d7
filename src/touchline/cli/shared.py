"""Options and helpers that several commands share."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import Any, TypeVar, cast

import click
import msgspec

from touchline.cli.paths import FILE
from touchline.core.clocks import MAX_MATCH
from touchline.core.errors import TouchlineError, UsageError
from touchline.core.records import Kickoff, Match
from touchline.io.commentary import kinds
from touchline.io.commentary.checks import reports
from touchline.io.commentary.columns import Columns
from touchline.io.feeds import check_provider, kloppy_files, providers
from touchline.io.files import STANDARD_INPUT, write_text_whole
from touchline.io.links.origin import origin_path
from touchline.io.storage import AnyPath
from touchline.methods.base import ALONE, Model
from touchline.methods.registry import (
    DEFAULT,
    Aligner,
    class_of,
    load_aligner,
    make_aligner,
    methods,
)

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])

IN_PART = 3  # the exit code where some of many could not be done
NOTHING_DONE = 1  # and where none could
LINEUPS_HELP = (
    "File with players' names: line-ups, Opta F7, Wyscout players, teams, matches; repeatable."
)


def write_json(found: Any, path: AnyPath | None) -> bool:
    """Write JSON to a file, or print it for `-`; whether it was printed."""
    if path is None:
        return False
    encoded = msgspec.json.format(msgspec.json.encode(found), indent=1).decode() + "\n"
    if str(path) == "-":
        sys.stdout.write(encoded)
        return True
    with write_text_whole(path) as out:
        out.write(encoded)
    return False


def or_standard_output(
    _context: click.Context, _option: click.Parameter, path: AnyPath | None
) -> AnyPath | None:
    """`-o -` is standard output, as without `-o`."""
    return None if str(path) == "-" else path


class ListingOption(click.Option):
    """An option whose help lists names, `{}` in it, that are looked up when the help is shown.

    Plug-ins are among them, and to find those the metadata of every installed package is read.
    """

    def __init__(self, *given: Any, names: Callable[[], Iterable[str]], **more: Any) -> None:
        super().__init__(*given, **more)
        self._names = names

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        record = super().get_help_record(ctx)
        return record and (record[0], record[1].replace("{}", ", ".join(self._names())))


class ListedChoice(click.Choice[str]):
    """A choice among names that are looked up when one is given or the help is shown."""

    def __init__(self, names: Callable[[], Iterable[str]]) -> None:
        self._names = names
        self.case_sensitive = True

    @property
    def choices(self) -> tuple[str, ...]:  # type: ignore[override]
        return tuple(self._names())


def method_options(function: F) -> F:
    """`--method`, `--model`, `--set` and `--seed`, which choose the model."""
    for option in reversed(
        [
            click.option(
                "--method",
                metavar="M",
                default=None,
                cls=ListingOption,
                names=methods,
                help="NAME, NAME:PRESET, or MODULE:CLASS of your own; one of {} "
                f"(default {DEFAULT}).",
            ),
            click.option(
                "--model",
                type=FILE,
                help="A model written by `touchline fit`, instead of --method and --set.",
            ),
            click.option(
                "--set",
                "settings",
                metavar="KEY=VALUE",
                multiple=True,
                help="An option of the method, such as window=150; repeatable.",
            ),
            click.option(
                "--seed",
                metavar="N",
                type=click.IntRange(0, 2**32 - 1),
                default=0,
                help="Random seed.",
            ),
        ]
    ):
        function = option(function)
    return function


def _checked_provider(ctx: click.Context, param: click.Parameter, name: str | None) -> str | None:
    try:
        return None if name is None else check_provider(name)
    except TouchlineError as error:
        raise click.BadParameter(str(error), ctx, param) from None


def _complete_provider(ctx: click.Context, param: click.Parameter, start: str) -> list[str]:
    every = (*providers(), *(f"kloppy:{name}" for name in kloppy_files.names()))
    return [name for name in every if name.startswith(start)]


provider_option = click.option(
    "--provider",
    metavar="NAME",
    callback=_checked_provider,
    shell_complete=_complete_provider,
    cls=ListingOption,
    names=providers,
    help="Feed format, if not recognised: {}, or kloppy:NAME through "
    f"kloppy ({', '.join(kloppy_files.names())}).",
)


def match_options(function: F) -> F:
    """`--provider`, `--kind`, `--kickoff` and `--sentences`: how a match's files are read."""
    for option in reversed(
        [
            provider_option,
            click.option(
                "--kind", type=ListedChoice(kinds), help="Commentary format, if not recognised."
            ),
            click.option(
                "--kickoff",
                "kickoffs",
                metavar="PERIOD=SECONDS",
                multiple=True,
                help="When a period kicks off in the recording that the comments' times refer to "
                "(subtitles, speech recognition), such as 1=95 or 2=1:02:30; estimated if not "
                "given. If the recording is cut, 2=170@1234 applies from its second 1234 on.",
            ),
            click.option(
                "--sentences",
                is_flag=True,
                help="Link long comments sentence by sentence, as <id>.1, <id>.2 ...",
            ),
        ]
    ):
        function = option(function)
    return function


def column_options(function: F) -> F:
    """`--text-column` and `--clock-column`, which the command gets as one argument `columns`."""

    @wraps(function)
    def with_columns(*given: Any, text_column: str | None, clock_column: str | None,
                     **more: Any) -> Any:  # fmt: skip
        return function(*given, columns=Columns(text_column, clock_column), **more)

    for name, what in (("clock", "clock or minute"), ("text", "text")):
        help_text = f"Column of a table of comments that has the {what}, if not recognised."
        option = click.option(f"--{name}-column", metavar="NAME", help=help_text)
        with_columns = option(with_columns)
    return cast(F, with_columns)


bom_option = click.option(
    "--bom", is_flag=True, help="Start a CSV file with a byte order mark, as Excel expects."
)


def check_standard_input(paths: Iterable[AnyPath]) -> None:
    """Refuse `-` for two files: what comes through a pipe can be read once."""
    if sum(str(path) == STANDARD_INPUT for path in paths) > 1:
        raise UsageError("standard input (-) can be given for one file only")


def clock_option(default: str) -> Callable[[F], F]:
    """`--clock`; the default of `evaluate` is the minute, as on any live page."""
    return click.option(
        "--clock",
        type=click.Choice(["second", "minute"]),
        default=default,
        help="Precision of the comments' times: the second, or only the minute, as on a live page.",
    )


def workers_options(function: F) -> F:
    """`--jobs` and `--cluster`: the workers for the matches of a corpus."""
    for option in (
        click.option(
            "--cluster",
            metavar="ADDRESS",
            help="Work on a Dask cluster: its scheduler's address, or local:N for N processes.",
        ),
        click.option(
            "--jobs",
            type=click.IntRange(1),
            metavar="N",
            help="Number of processes for the matches of a corpus (default: one per core).",
        ),
    ):
        function = option(function)
    return function


def parse_settings(settings: Sequence[str]) -> dict[str, str]:
    """What `--set` asks for, by option."""
    return dict(_setting(text) for text in settings)


def choose_aligner(
    method: str | None, model: AnyPath | None, settings: Sequence[str], seed: int
) -> Aligner:
    """The aligner that the options ask for."""
    if model is not None:
        if settings or (method is not None and ":" not in method):
            raise UsageError(
                "--model already fixes method and options; use it instead of --method and --set"
            )
        return load_aligner(model, None if method is None else class_of(method))
    return make_aligner(method or DEFAULT, {"seed": seed, **parse_settings(settings)})


_SECONDS = r"-?(?:\d+:){0,2}\d+(?:\.\d+)?"


def parse_kickoffs(texts: Sequence[str]) -> list[Kickoff]:
    """`1=95`, `2=1:02:30`, after a cut `2=170@1234`: where periods kick off in a recording."""
    kickoffs: dict[tuple[int, float | None], Kickoff] = {}
    for text in texts:
        found = re.fullmatch(rf"([1-5])=({_SECONDS})(?:@({_SECONDS}))?", text.strip())
        period = int(found[1]) if found else 0
        since = _seconds(found[3]) if found and found[3] else None
        if found is None or (period, since) in kickoffs:
            raise UsageError(
                f"--kickoff {text!r}; expected PERIOD=SECONDS, once per period, e.g. 1=95"
            )
        seconds = _seconds(found[2])
        if max(abs(seconds), since or 0) > MAX_MATCH:
            raise UsageError(f"--kickoff {text!r}; out of range for a match recording")
        kickoffs[period, since] = Kickoff(period=period, seconds=seconds, since=since)
    return list(kickoffs.values())


def _seconds(text: str) -> float:
    """Seconds of `95`, `12:34` or `1:02:30`."""
    parts = [float(part) for part in text.removeprefix("-").split(":")]
    seconds = 0.0
    for part in parts:
        seconds = 60 * seconds + part
    return -seconds if text.startswith("-") else seconds


def say(sentence: str) -> None:
    """Print a note for the user on standard error."""
    click.echo(f"touchline: {sentence}", err=True)


class LeftOut:
    """Report each match that is left out, or whatever else of many, and count them."""

    def __init__(self, corpora: Iterable[AnyPath] = (), track: str = "comments") -> None:
        from touchline.io.corpus.layout import half_matches  # a single match has no corpus

        self.count = 0
        for corpus in corpora:
            for name, problem in half_matches(corpus, track):
                self(name, problem)

    def __call__(self, name: str, problem: str) -> None:
        say(f"{name} left out: {problem}")
        self.count += 1


def say_about_clocks(match: Match, name: str = "") -> None:
    """What was found out about the clocks; doubts have been printed as warnings."""
    for sentence in reports(match):
        say(f"{name}{sentence}")


strict_option = click.option(
    "--strict", is_flag=True, help="Treat warnings as errors: write nothing, exit with 1."
)


def refuse_doubts(strict: bool) -> None:
    """With `--strict`, stop because of the warnings that were printed so far."""
    printed = click.get_current_context().find_object(list)
    if strict and printed:
        what = "the warning" if len(printed) == 1 else f"{len(printed)} warnings"
        raise TouchlineError(f"nothing is written because of {what} above (--strict)")


def say_who_answers(answered: Model, model: AnyPath | None) -> None:
    """With which model a match is answered, and why where none could be used."""
    if model is not None:
        say(f"answered with the model {model}")
    elif answered.name.startswith("bundled "):
        taught = ", learned with labels" if answered.labels else ""
        kind = answered.name.removeprefix("bundled ")
        say(f"answered with the bundled model {kind} (English{taught})")
    elif answered.name == ALONE.name:
        say("; ".join(filter(None, [answered.reason, f"learned from {ALONE.name}"])))


def summarise(linked: str, answered_by: str, output: AnyPath | None) -> None:
    """What came out and where it is, on a terminal; pipes and logs stay as they are."""
    if sys.stderr.isatty():
        by = f"; answered by {answered_by}" if answered_by else ""
        say(f"{linked}{by}" + (f" -> {output}" if output else ""))


def _setting(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals:
        raise UsageError(f"--set {text!r}; expected KEY=VALUE")
    return key.strip().replace("-", "_"), value.strip()


def share(value: float) -> float:
    """A number that must lie between 0 and 1."""
    if math.isnan(value) or not 0 <= value <= 1:
        raise UsageError(f"--min-score {value}; expected a number from 0 to 1")
    return value


def refuse_to_overwrite(output: AnyPath | None, inputs: Iterable[AnyPath | None]) -> None:
    """Refuse to overwrite an input with the output."""
    if output is None:
        return
    written = {output.resolve(), origin_path(output).resolve()}
    for path in inputs:
        if path is not None and path.resolve() in written:
            raise UsageError(f"{path}: would be overwritten by the output; give -o another name")


@contextmanager
def busy(what: str) -> Iterator[Callable[[], None]]:
    """Show a spinner on a terminal during slow work; yields a function that removes it."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from touchline.cli.terminal import spinner  # brings Rich, which is slow to load

    with spinner(what) as remove:
        yield remove


@contextmanager
def shown(what: str, total: int) -> Iterator[Callable[[], None]]:
    """Show a progress bar on a terminal; yields a function that advances it by one."""
    if not sys.stderr.isatty() or total < 2:
        yield lambda: None
        return
    from touchline.cli.terminal import progress_bar  # brings Rich, which is slow to load

    with progress_bar(what, total) as advance:
        yield advance


def progress(items: Sequence[T], what: str) -> Iterable[T]:
    """The items with a progress bar on a terminal; silent in pipes and for a single item."""
    if not sys.stderr.isatty() or len(items) < 2:
        return items
    from touchline.cli.terminal import tracked  # brings Rich, which is slow to load

    return tracked(items, what)
