"""The command line: one module per command, loaded when the command is used."""

from __future__ import annotations

import atexit
import gc
import importlib
import os
import signal
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

import click
from click.shell_completion import shell_complete

from touchline.core.collector import collect_seldom
from touchline.core.errors import TouchlineError, TouchlineWarning, UsageError
from touchline.io.files import is_text, readable

# Command -> what it does, shown by --help without loading the command's module.
COMMANDS = {
    "align": "Link the comments on a match, or on every match of a corpus, to events.",
    "fit": "Learn a model from corpora, without labels or with them.",
    "annotate": "Label comments with a program of your own, such as a language model.",
    "evaluate": "Score a method, or a links file, against the labels of a corpus.",
    "reproduce": "Reproduce the paper's tables and figures, with published numbers next to ours.",
    "generate": "Write commentary from a match log, line by line.",
    "explain": "Explain why comments are linked as they are.",
    "check": "Check a commentary against the match log: names, scores, outcomes, details.",
    "live": "Follow a live match: link comments as they arrive and revise earlier links.",
    "transcribe": "Transcribe a recording, with the time of every word.",
    "report": "Turn links into an HTML report, subtitles, tables or figures.",
    "serve": "Serve the matches of a folder to a browser, to search and label them.",
    "data": "List data sets and their terms; fetch public ones; check a corpus folder.",
    "demo": "Align the two bundled matches and show the result.",
}
# Shells set this to ask for completions; `_TOUCHLINE_COMPLETE=bash_source touchline` sets it up.
_COMPLETE = "_TOUCHLINE_COMPLETE"
# Commands that multiply small matrices only, unless a method is chosen. A second thread of BLAS
# waits for its share of each product in a busy loop, which takes a sixth of the time of `align`.
_SMALL_MATRICES = ("align", "explain", "live")
_THREADS = "OPENBLAS_NUM_THREADS"
BAD_INPUT, WRONG_USAGE, INTERRUPTED, TERMINATED = 1, 2, 130, 143


class _Group(click.Group):
    """Finds the commands by name, so that `touchline --version` need not load numpy."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"touchline.cli.{cmd_name}")
        command: click.Command = module.command
        return command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            import difflib  # for a mistake only

            near = difflib.get_close_matches(args[0], COMMANDS, 1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise click.UsageError(error.message + hint, ctx) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=_Group, context_settings={"help_option_names": ["-h", "--help"], "show_default": True}
)
@click.version_option(package_name="touchline", message="touchline %(version)s")
def cli() -> None:
    """Link every line of football commentary to the events of the match log it describes."""


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command line; exits with 0, 1 (bad input), 2 (usage), 3 (in part) or 130."""
    collect_seldom()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(TERMINATED))  # so that temporaries go
    _prepare_streams()
    if instruction := os.environ.get(_COMPLETE):
        sys.exit(shell_complete(cli, {}, "touchline", _COMPLETE, instruction))
    words = sys.argv[1:] if arguments is None else arguments
    chosen = any(word.startswith(("--method", "--model")) for word in words)
    if words and words[0] in _SMALL_MATRICES and not chosen:
        os.environ.setdefault(_THREADS, "1")  # read when numpy is loaded
    code = _run([_as_text(word) for word in words])
    if arguments is None and threading.active_count() == 1:
        _end_at_once(code)
    gc.freeze()  # Python would go through all objects once more before it ends
    sys.exit(code)


def _end_at_once(code: int) -> NoReturn:
    """End the process as Python does, but without freeing all objects one by one.

    That takes a fortieth of the time of `align`, and the system takes all memory back at once.
    """
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def _run(words: list[str]) -> int:
    try:
        for word in words:
            _check_text(word)
        # Not click's own main: it ends a closed pipe and an interrupt with 1.
        with (
            _warnings_printed() as printed,
            cli.make_context("touchline", words, obj=printed) as context,
        ):
            code: Any = cli.invoke(context)
        sys.stdout.flush()
        return int(code or 0)
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        return _complain("interrupted", INTERRUPTED)
    except RuntimeError as error:
        # Before 3.12 Python wraps an interrupt that comes while a class is made.
        if isinstance(error.__cause__, KeyboardInterrupt):
            return _complain("interrupted", INTERRUPTED)
        raise
    except BrokenPipeError:
        _drop_output()  # the reader of our output has closed the pipe
        return 0
    except UsageError as error:
        return _complain(str(error), WRONG_USAGE)
    except TouchlineError as error:
        return _complain(str(error), BAD_INPUT)
    except OSError as error:
        _drop_output()
        return _complain(f"cannot write to standard output ({error.strerror})", BAD_INPUT)


@contextmanager
def _warnings_printed() -> Iterator[list[str]]:
    """Print warnings in our own form; yields those printed so far, for --strict."""
    printed: list[str] = []
    usual = warnings.showwarning

    def show(message: Warning | str, category: type[Warning], *where: Any, **more: Any) -> None:
        if not issubclass(category, TouchlineWarning):
            return usual(message, category, *where, **more)
        printed.append(str(message))
        click.echo(f"touchline: warning: {message}", err=True)

    with warnings.catch_warnings():
        warnings.simplefilter("always", TouchlineWarning)
        warnings.showwarning = show
        yield printed


def _complain(sentence: str, code: int) -> int:
    click.echo(f"touchline: {sentence}", err=True)
    return code


def _prepare_streams() -> None:
    """Replace closed streams by empty ones; characters the terminal lacks become `?`."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115 (open as long as we run)
        getattr(sys, name).reconfigure(errors="replace")


def _drop_output() -> None:
    """Discard buffered output, so that Python prints no error at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _as_text(word: str) -> str:
    """An argument that the locale could not decode, decoded as UTF-8."""
    return word.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")


def _check_text(word: str) -> None:
    """File names may be any bytes; messages about them are text."""
    if not is_text(word):
        raise UsageError(f"{readable(word)!r} is not valid UTF-8; rename the file")
