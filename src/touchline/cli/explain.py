"""`touchline explain`: why comments are linked as they are."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.table import Table
from rich.text import Text

from touchline.api import read_match
from touchline.cli.shared import (
    FILE,
    LINEUPS_HELP,
    Terminal,
    busy,
    choose_aligner,
    clock_option,
    method_options,
)
from touchline.corpus import read_corpus
from touchline.errors import UsageError
from touchline.files import write_text_whole
from touchline.match import CommentId, Match

DEFAULT = "pairrank"


@click.command("explain")
@click.argument("paths", metavar="EVENTS COMMENTS... | CORPUS", type=FILE, nargs=-1, required=True)
@click.option("--comment", metavar="ID", help="Explain this comment; else what was learned in all.")
@click.option("--lineups", type=FILE, multiple=True, help=LINEUPS_HELP)
@click.option("--match", "name", metavar="NAME", help="The match of CORPUS with the comment.")
@method_options
@clock_option
@click.option("--json", "json_path", type=FILE, metavar="OUT", help="Write JSON; - to print it.")
def command(
    paths: tuple[Path, ...],
    comment: str | None,
    lineups: tuple[Path, ...],
    name: str | None,
    method: str | None,
    model: Path | None,
    settings: tuple[str, ...],
    seed: int,
    clock: str | None,
    json_path: Path | None,
) -> int:
    """Say why a comment is linked as it is, or what was learned in all (default method pairrank).

    Given a corpus, the method learns from all of it; given one match, from that match.
    """
    method = method or (None if model else DEFAULT)
    aligner = choose_aligner(method, model, settings, seed)
    matches = _read(paths, lineups, clock or "second")
    with busy("learning"):
        if model is None:
            aligner.fit(matches)
        if comment is None:
            explained = aligner.explain_model()
        else:
            explained = aligner.explain(*_find(matches, comment, name))
    encoded = msgspec.json.format(msgspec.json.encode(explained), indent=1).decode() + "\n"
    if json_path is not None and str(json_path) == "-":
        sys.stdout.write(encoded)
        return 0
    if json_path is not None:
        with write_text_whole(json_path) as out:
            out.write(encoded)
    _show(explained, Terminal(100))
    return 0


def _read(paths: tuple[Path, ...], lineups: tuple[Path, ...], clock: str) -> list[Match]:
    if len(paths) == 1:
        return [labelled.match for labelled in read_corpus(paths[0], clock=clock)]
    return [read_match(paths[0], paths[1:], lineups=lineups, clock=clock)]


def _find(matches: list[Match], comment: str, name: str | None) -> tuple[Match, CommentId]:
    """The match and the comment's id in the type that it has there."""
    for match in matches:
        for told in match.comments if name in (None, match.name) else ():
            if str(told.id) == comment:
                return match, told.id
    raise UsageError(f"no comment {comment!r}" + (f" in a match {name!r}" if name else ""))


def _show(explained: dict[str, Any], console: Terminal) -> None:
    if "words" in explained:
        table = Table(title=f"{explained['pairs']} pairs learned", title_justify="left")
        table.add_column("event type", overflow="fold")
        table.add_column("words that weigh most", overflow="fold")
        for kind, words in explained["words"].items():
            table.add_row(Text(kind), Text(", ".join(word for word, _ in words)))
        console.print(table)
        return
    console.print(Text(explained["text"], style="bold"))
    if not explained["growth"]:
        console.print("no event")
    for size, step in enumerate(explained["growth"], 1):
        console.print(Text(f"{size}. {step['what']}  rho {step['rho']:.2e}, Δ {step['gain']:+.2e}"))
    for model in explained["models"]:
        console.print(Text(f"\n{model['what']}", style="bold"))
        weights = ", ".join(f"{word} {weight:.2f}" for word, weight in model.get("weights", ()))
        console.print(Text(f"  heaviest: {weights}"))
        for near in model.get("nearest", ()):
            console.print(Text(f"  {near['confidence']:+.2f}  {near['text']}"))
