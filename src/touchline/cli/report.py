"""`touchline report`: reports and exports of links on disk."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NoReturn

import click

from touchline.cli.paths import FILE, OUTPUT
from touchline.cli.shared import (
    LINEUPS_HELP,
    bom_option,
    busy,
    check_standard_input,
    column_options,
    match_options,
    parse_kickoffs,
    refuse_to_overwrite,
    say,
    say_about_clocks,
)
from touchline.core.errors import InputError, UsageError, need
from touchline.core.links import CommentLinks, Links
from touchline.core.records import CommentId, Match
from touchline.io.commentary.columns import Columns
from touchline.io.corpus.gold import Gold, as_gold, read_labels
from touchline.io.files import sha256
from touchline.io.links.jsonl import read_links
from touchline.io.links.origin import Origin, read_origin
from touchline.io.storage import AnyPath, local_path
from touchline.methods.explanation import Explain
from touchline.pipeline.explain_stored import explain_again
from touchline.pipeline.read import read_match
from touchline.report.formats import check_ending, is_report, write_links


@click.command("report")
@click.argument("links", type=FILE)
@click.option(
    "--events", type=FILE, required=True, help="The match log that the links were made from."
)
@click.option("--comments", type=FILE, multiple=True, required=True,
              help="The commentary; one file or several in order (one per half).")  # fmt: skip
@click.option("-o", "--output", type=OUTPUT, help="File to write: .html for the report; "
              ".vtt .chapters.vtt .csv .xlsx .json .label-studio.json .parquet .jsonl for other "
              "tools.")  # fmt: skip
@bom_option
@click.option("--figures", type=FILE, metavar="DIR",
              help="Draw the timeline, macro-events on pitches, and their sizes.")  # fmt: skip
@click.option("--gold", type=FILE, metavar="FILE",
              help="With --figures: labels, for the curve of F1 over k.")  # fmt: skip
@click.option("--comment", "chosen", metavar="ID", multiple=True,
              help="With --figures: draw this comment; repeatable (default: those with most "
              "events).")  # fmt: skip
@click.option("--lineups", type=FILE, multiple=True, help=LINEUPS_HELP)
@match_options
@column_options
@click.option("--model", type=FILE, help="The model that the links were made with, to mark the "
              "deciding words; not needed if they were made without one.")  # fmt: skip
@click.option("--match", "name", metavar="NAME", help="Which match, if the links cover several; "
              "for a file with a whole season, the id of the match to read.")  # fmt: skip
def command(
    links: AnyPath,
    events: AnyPath,
    comments: tuple[AnyPath, ...],
    output: AnyPath | None,
    figures: AnyPath | None,
    gold: AnyPath | None,
    chosen: tuple[str, ...],
    lineups: tuple[AnyPath, ...],
    provider: str | None,
    kind: str | None,
    kickoffs: tuple[str, ...],
    sentences: bool,
    columns: Columns,
    bom: bool,
    model: AnyPath | None,
    name: str | None,
) -> int:
    """Turn LINKS written by `touchline align` into a report, subtitles, tables or figures."""
    if output is None and figures is None:
        raise UsageError("nothing to write; give -o FILE, --figures DIR, or both")
    if (chosen or gold) and figures is None:
        raise UsageError("--comment and --gold need --figures DIR")
    check_standard_input([links, events, *comments, *lineups])
    if figures is not None:
        need("matplotlib", "Drawing figures", "touchline[plots]")
    if output is not None:
        check_ending(output, bom)
        refuse_to_overwrite(output, [links, events, *comments, *lineups, model])
    match = read_match(events, comments, lineups=lineups, provider=provider, kind=kind,
                       kickoffs=parse_kickoffs(kickoffs), sentences=sentences,
                       name=name, text_column=columns.text,
                       clock_column=columns.clock)  # fmt: skip
    say_about_clocks(match)
    _say_which_are_others(links, [events, *comments, *lineups])
    found = _of_match(links, read_links(links), match, name)
    drawn = _ids(found, chosen)
    if output is not None:
        origin = read_origin(links)
        explain = _explanation(found, match, origin, model) if is_report(output) else None
        write_links(found, output, origin or Origin(method="unknown"), explain, bom)
    if figures is not None:
        from touchline.report.figures import draw_match  # matplotlib only where needed

        for path in draw_match(found, local_path(figures), drawn, _gold(gold, match)):
            say(f"written: {path}")
    return 0


def _say_which_are_others(links: AnyPath, given: Iterable[AnyPath]) -> None:
    """Warn of input files that differ: their comments and events may have the same ids."""
    origin = read_origin(links)
    made_from = set(origin.inputs.values()) if origin else set()
    if not made_from or None in made_from:
        return
    for path in given:
        if path.is_file() and sha256(path) not in made_from:
            say(f"warning: {path} is not one of the files that the links were made from")


def _explanation(
    links: Links, match: Match, origin: Origin | None, model: AnyPath | None
) -> Explain:
    """What explains the links on the page, or says why they cannot be explained."""
    try:
        with busy("explaining"):
            return explain_again(links, match, origin, model)
    except UsageError as error:
        reason = error
        say(f"comments are not explained: {reason}")

    def refuse(*_: object) -> NoReturn:
        raise reason

    return refuse


def _of_match(path: AnyPath, answers: list[CommentLinks], match: Match, name: str | None) -> Links:
    """The answers about this match, beside the comments that they answer."""
    names = dict.fromkeys(answer.match for answer in answers)
    wanted = name if name in names else match.name if match.name in names else None
    if wanted is None and len(names) > 1:
        raise InputError(path, f"links of {', '.join(names)}; choose one with --match")
    mine = [answer for answer in answers if wanted in (None, answer.match)]
    comments = {comment.id: comment for comment in match.comments}
    for answer in mine:
        if answer.comment not in comments:
            raise InputError(path, f"comment {answer.comment!r} is not in the commentary given")
        for link in answer.events:
            if link.id not in match.event_by_id:
                raise InputError(path, f"event {link.id!r} is not in the match log given")
    own = [comments[a.comment] for a in mine]
    answered = match.with_comments(own, match.kickoffs, match.second_half)
    return Links(answered.named(wanted or match.name), mine)


def _gold(path: AnyPath | None, match: Match) -> Gold | None:
    if path is None:
        return None
    labels = read_labels(path, match)
    if labels is None:
        raise InputError(path, "no such file")
    return as_gold(labels)


def _ids(links: Links, texts: tuple[str, ...]) -> list[CommentId]:
    """The comments asked for, under the ids that they have."""
    ids = {str(comment.id): comment.id for comment in links.match.comments}
    for text in texts:
        if text not in ids:
            raise UsageError(f"no comment {text!r} in the links")
    return [ids[text] for text in texts]
