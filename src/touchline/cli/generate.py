"""`touchline generate`: commentary from a match log."""

from __future__ import annotations

import sys

import click

from touchline.cli.paths import FILE, OUTPUT
from touchline.cli.shared import (
    LINEUPS_HELP,
    busy,
    or_standard_output,
    provider_option,
    refuse_to_overwrite,
    say,
    share,
)
from touchline.core.errors import UsageError, warn_of
from touchline.generation.commentary import METHOD, Commentary, OutsideUse
from touchline.generation.generate import COLOURS, generate
from touchline.io.files import sha256, write_text_whole
from touchline.io.links.origin import Origin, checksums, write_origin
from touchline.io.storage import AnyPath
from touchline.pipeline.read import read_log
from touchline.report.formats import write_links

ENDINGS = (".txt", ".jsonl", ".vtt", ".html")


@click.command("generate")
@click.argument("log", metavar="LOG", type=FILE)
@click.option("--lineups", type=FILE, multiple=True, help=LINEUPS_HELP)
@provider_option
@click.option("--match", "name", metavar="NAME", help="Name of the match; for a file with a whole "
              "season, the id of the match to read.")  # fmt: skip
@click.option("--style", type=FILE, metavar="S",
              help="A style file, written by `touchline fit --style`.")  # fmt: skip
@click.option("--colour", type=click.Choice(COLOURS), default="none",
              help="Words of the style that the log cannot confirm: leave them out (none) or allow "
              "them (style).")  # fmt: skip
@click.option("--wording", metavar="CMD",
              help="A program that words each line from its facts, such as a language model; run "
              "without a shell. Answers that the log does not confirm are dropped.")  # fmt: skip
@click.option("--lines", metavar="N", type=click.IntRange(1), default=None,
              help="How many lines to write (default: about as many as a live page). Goals, cards, "
              "penalties, substitutions, kick-offs and ends of periods are always "
              "written.")  # fmt: skip
@click.option("--min-score", metavar="P", type=float, default=None,
              help="Instead of --lines: write all events that people describe with at least this "
              "probability.")  # fmt: skip
@click.option("--seed", metavar="N", type=click.IntRange(0, 2**32 - 1), default=0,
              help="Random seed; a different seed gives different wording.")  # fmt: skip
@click.option("-o", "--output", type=OUTPUT, callback=or_standard_output,
              help="File to write (.txt .jsonl .vtt .html); default "
              "text on standard output.")  # fmt: skip
def command(
    log: AnyPath,
    lineups: tuple[AnyPath, ...],
    provider: str | None,
    name: str | None,
    style: AnyPath | None,
    colour: str,
    wording: str | None,
    lines: int | None,
    min_score: float | None,
    seed: int,
    output: AnyPath | None,
) -> int:
    """Write commentary on a match from its log.

    Lines say only what the LOG records: without coordinates, no side or distance; without
    players, only teams.
    """
    if min_score is not None:
        share(min_score)
    ending = check_ending(output)
    if output is not None:
        refuse_to_overwrite(output, [log, *lineups, style])
    if colour == "style" and style is None:
        raise UsageError("--colour style needs --style")
    match = read_log(log, lineups=lineups, provider=provider, name=name)
    warn_of(match.warnings)
    if match.players and not any(player.names for player in match.players):
        say("the log contains no player names; pass them with --lineups")
    with busy("writing"):
        commentary = generate(match, style, wording, lines=lines, min_score=min_score,
                              colour=colour, seed=seed)  # fmt: skip
    if commentary.outside is not None:
        _summarise(commentary.outside)
    # Not the command: its arguments may have a key in them.
    asked = {"lines": lines, "min_score": min_score, "colour": colour if style else None,
             "wording": True if wording else None}  # fmt: skip
    origin = Origin(
        method=METHOD,
        command={key: value for key, value in asked.items() if value is not None},
        model=sha256(style) if style else None,
        inputs=checksums([log, *lineups]),
        seed=seed,
    )
    write(commentary, output, ending, origin)
    return 0


def _summarise(use: OutsideUse) -> None:
    """What became of the command's answers."""
    for problem in use.problems:
        say(f"wording: {problem}; dropped")
    say(
        f"wording: {use.asked} lines requested, {use.kept} kept ({use.repaired} on the second "
        f"attempt), {use.dropped} dropped ({use.drop_rate:.1%})"
    )


def check_ending(output: AnyPath | None) -> str:
    """The ending of the output file; text for standard output."""
    if output is None:
        return ".txt"
    ending = output.suffix.lower()
    if ending not in ENDINGS:
        raise UsageError(
            f"{output}: no format for the ending {ending!r}; use one of {', '.join(ENDINGS)}"
        )
    return ending


def write(commentary: Commentary, output: AnyPath | None, ending: str, origin: Origin) -> None:
    """Write the commentary, whole or not at all; a file has its origin beside it."""
    if output is None:
        sys.stdout.write(commentary.to_text())
    elif ending in (".vtt", ".html"):
        write_links(commentary.to_links(), output, origin)
    else:
        with write_text_whole(output) as out:
            out.write(commentary.to_text() if ending == ".txt" else commentary.to_jsonl())
        write_origin(output, origin)
