"""`touchline live`: follow a live match."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import click

from touchline.cli.paths import LOCAL
from touchline.cli.shared import IN_PART, LINEUPS_HELP, column_options, provider_option, say
from touchline.core.errors import UsageError
from touchline.generation.commentary import json_line
from touchline.generation.live import LiveWriter
from touchline.generation.style.file import read_style
from touchline.io.commentary import BUILT_IN as COMMENTARY
from touchline.io.commentary.columns import Columns
from touchline.io.feeds.records import stem
from touchline.methods.registry import load_aligner, make_aligner
from touchline.pipeline.live.running import LOOK, Run
from touchline.pipeline.live.session import Session
from touchline.pipeline.live.sources import Commentary, Feed, GrowingFile

# A log that has not changed for so many seconds belongs to a match that is over.
IDLE = 45 * 60.0
_LIVE = [name for name, kind in COMMENTARY.items() if not kind.recorded and name != "json"]


@click.command("live")
@click.option("--events", type=LOCAL, required=True, metavar="FEED",
              help="The match log; it may grow, be rewritten, or not exist yet.")  # fmt: skip
@click.option("--comments", type=LOCAL, default=Path("-"), metavar="FILE",
              help="The commentary, newest line last: a file that grows, or - for standard "
              "input.")  # fmt: skip
@click.option("--model", type=LOCAL, help="A chains model written by `touchline fit` (default: the "
              "bundled model).")  # fmt: skip
@click.option("--lineups", type=LOCAL, multiple=True, help=LINEUPS_HELP)
@provider_option
@click.option("--kind", type=click.Choice(_LIVE), help="Commentary format, if not recognised.")
@column_options
@click.option("--generate", "generated", is_flag=True,
              help="Write commentary from the log instead of linking one. A line appears once "
              "later events can no longer change it.")  # fmt: skip
@click.option("--style", type=LOCAL, metavar="S", help="With --generate: a style written by "
              "`touchline fit --style`.")  # fmt: skip
@click.option("--seed", metavar="N", type=click.IntRange(0, 2**32 - 1), default=0,
              help="With --generate: random seed.")  # fmt: skip
@click.option("--match", "name", metavar="NAME", help="Name of the match in the links; "
              "for a file with a whole season, the id of the match to read.")  # fmt: skip
def command(
    events: Path,
    comments: Path,
    model: Path | None,
    lineups: tuple[Path, ...],
    provider: str | None,
    kind: str | None,
    columns: Columns,
    generated: bool,
    style: Path | None,
    seed: int,
    name: str | None,
) -> int:
    """Link comments as they arrive, and revise earlier links.

    Each line printed is the answer for one comment; a later line for the same comment, with a
    "revision" number, replaces it. When standard input ends, all comments are linked once
    more together, and the answers that change are printed.

    With --generate no commentary is read: lines are written from the log alone, in the form of
    `touchline generate -o OUT.jsonl`. The command ends with the match.
    """
    feed = Feed(events, provider, lineups, name, say)
    if generated:
        if model or kind or any(columns) or str(comments) != "-":
            raise UsageError("--generate reads no commentary; use it without --comments, --kind, "
                             "--text-column, --clock-column and --model")  # fmt: skip
        return _generate(feed, LiveWriter(read_style(style) if style else None, seed))
    if style:
        raise UsageError("--style needs --generate")
    aligner = load_aligner(model) if model else make_aligner()
    session = Session(aligner, name or _name(events))
    commentary = Commentary(comments, kind, say, columns)
    growing = None if str(comments) == "-" else GrowingFile(comments)
    if growing and not comments.exists():
        say(f"{comments}: no such file; waiting for it")
    Run(session, feed, commentary, say).follow(growing)
    if feed.error is not None and not session.match.events:
        raise feed.error
    return IN_PART if commentary.left_out else 0


def _generate(feed: Feed, writer: LiveWriter) -> int:
    """Print lines as they can be written, until the match is over or nothing more happens."""
    changed = time.monotonic()
    while not writer.over and time.monotonic() - changed < IDLE:
        if (match := feed.look()) is not None:
            changed = time.monotonic()
            for line in writer.follow(match):
                sys.stdout.buffer.write(json_line(line).encode())
                sys.stdout.buffer.flush()
        else:
            time.sleep(LOOK)
    return 0


def _name(events: Path) -> str:
    """The name that `align` gives the match: the file's, or its folder's for `events`."""
    name = stem(events)
    return events.resolve().parent.name if name == "events" else name
