"""`touchline live`: follow a live match."""

from __future__ import annotations

from pathlib import Path

import click

from touchline.cli.shared import FILE, IN_PART, LINEUPS_HELP, provider_option, say
from touchline.io.commentary import BUILT_IN as COMMENTARY
from touchline.io.feeds.records import stem
from touchline.methods.registry import load_aligner, make_aligner
from touchline.pipeline.live.running import Run
from touchline.pipeline.live.session import Session
from touchline.pipeline.live.sources import Commentary, Feed, GrowingFile

_LIVE = [name for name, kind in COMMENTARY.items() if not kind.recorded and name != "json"]


@click.command("live")
@click.option("--events", type=FILE, required=True, metavar="FEED",
              help="The match log; it may grow, be rewritten, or not exist yet.")  # fmt: skip
@click.option("--comments", type=FILE, default=Path("-"), metavar="FILE",
              help="The commentary, newest line last: a file that grows, or - for standard "
              "input.")  # fmt: skip
@click.option("--model", type=FILE, help="A chains model written by `touchline fit` (default: the "
              "bundled model).")  # fmt: skip
@click.option("--lineups", type=FILE, multiple=True, help=LINEUPS_HELP)
@provider_option
@click.option("--kind", type=click.Choice(_LIVE), help="Commentary format, if not recognised.")
@click.option("--match", "name", metavar="NAME", help="Name of the match in the links; "
              "for a file with a whole season, the id of the match to read.")  # fmt: skip
def command(
    events: Path,
    comments: Path,
    model: Path | None,
    lineups: tuple[Path, ...],
    provider: str | None,
    kind: str | None,
    name: str | None,
) -> int:
    """Link comments as they arrive, and revise earlier links.

    Each line printed is the answer for one comment; a later line for the same comment, with a
    "revision" number, replaces it. When standard input ends, all comments are linked once
    more together, and the answers that change are printed.
    """
    aligner = load_aligner(model) if model else make_aligner()
    session = Session(aligner, name or _name(events))
    feed = Feed(events, provider, lineups, name, say)
    commentary = Commentary(comments, kind, say)
    growing = None if str(comments) == "-" else GrowingFile(comments)
    Run(session, feed, commentary, say).follow(growing)
    if feed.error is not None and not session.match.events:
        raise feed.error
    return IN_PART if commentary.left_out else 0


def _name(events: Path) -> str:
    """The name that `align` gives the match: the file's, or its folder's for `events`."""
    name = stem(events)
    return events.resolve().parent.name if name == "events" else name
