"""What the site writes itself: the command reference, and the list of data sets.

mkdocs calls `on_page_markdown` for each page; a comment such as `<!-- commands -->` on it is
replaced by what the code says.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import click

from touchline.cli import COMMANDS, cli
from touchline.datasets.catalogue import CATALOGUE


def on_page_markdown(markdown: str, **_: Any) -> str:
    for marker, write in (("<!-- commands -->", commands), ("<!-- data sets -->", data_sets)):
        if marker in markdown:
            markdown = markdown.replace(marker, write())
    return markdown


def commands() -> str:
    """Every command with its usage, what it does and its options."""
    context = click.Context(cli, info_name="touchline", **cli.context_settings)
    parts = []
    for name in COMMANDS:
        command = cli.get_command(context, name)
        assert command is not None
        parts += _command(command, context, name)
    return "\n\n".join(parts)


def _command(
    command: click.Command, parent: click.Context, name: str, level: int = 2
) -> Iterator[str]:
    context = click.Context(command, info_name=name, parent=parent)
    yield f"{'#' * level} `{context.command_path}`"
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    yield f"```text\n{usage}\n```"
    yield inspect.cleandoc(command.help or "")
    for option in command.get_params(context):
        record = option.get_help_record(context)
        if record is not None and record[1]:
            yield f"`{record[0]}`\n:   {_plain(record[1])}"
    if isinstance(command, click.Group):
        for inner in command.list_commands(context):
            found = command.get_command(context, inner)
            if found is not None:
                yield from _command(found, context, inner, level + 1)


def _plain(text: str) -> str:
    """Help as a sentence of Markdown: what looks like a tag is none."""
    return text.replace("<", "&lt;").replace("*", "\\*")


def data_sets() -> str:
    """The table of `touchline data`."""
    rows = ["| data | what | terms |", "|---|---|---|"]
    for one in CATALOGUE:
        name = f"[{one.name}]({one.where})" if one.where.startswith("http") else one.name
        get = f"<br>`{one.get}`" if one.get else ""
        rows.append(f"| {name} | {one.contents}{get} | {one.terms} |")
    return "\n".join(rows)
