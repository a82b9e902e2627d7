"""The command line: one module per command, loaded when the command is used."""

from __future__ import annotations

import importlib
import os
import sys
from typing import Any

import click

from touchline.errors import TouchlineError

# Command -> what it does, shown by --help without loading the command's module.
COMMANDS = {
    "align": "Link the comments on a match, or on every match of a corpus, to events.",
    "fit": "Learn from corpora without labels and store the model.",
    "evaluate": "Score a method, or a links file, against the labels of a corpus.",
    "demo": "Align the two bundled matches and show what comes out.",
}
INTERRUPTED = 130


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

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="touchline", message="touchline %(version)s")
def cli() -> None:
    """Link every line of football commentary to the events of the match log it tells."""


def main(arguments: list[str] | None = None) -> Any:
    """Run the command line; exits with 0, 1 (bad input), 2 (usage), 3 (in part) or 130."""
    try:
        # Not click's own main: it ends a closed pipe with 1 and an interrupt with 1.
        words = sys.argv[1:] if arguments is None else list(arguments)
        with cli.make_context("touchline", words) as context:
            code = cli.invoke(context)
        sys.stdout.flush()
    except click.exceptions.Exit as stop:
        code = stop.exit_code
    except (click.Abort, KeyboardInterrupt):
        code = INTERRUPTED
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except BrokenPipeError:
        # Whoever read our output has seen enough; keep Python from complaining at its own exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except TouchlineError as error:
        click.echo(f"touchline: {error}", err=True)
        code = 1
    if code == INTERRUPTED:
        click.echo("touchline: interrupted", err=True)
    sys.exit(code or 0)
