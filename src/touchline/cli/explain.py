"""`touchline explain`: why comments are linked as they are."""

from __future__ import annotations

import click

from touchline.cli.explained import show
from touchline.cli.paths import FILE, OUTPUT
from touchline.cli.shared import (
    LINEUPS_HELP,
    busy,
    check_standard_input,
    choose_aligner,
    clock_option,
    column_options,
    match_options,
    method_options,
    parse_kickoffs,
    say,
    write_json,
)
from touchline.cli.terminal import Terminal
from touchline.core.errors import UsageError
from touchline.core.records import CommentId, Match
from touchline.io.commentary.columns import Columns
from touchline.io.corpus.layout import read_corpus
from touchline.io.storage import AnyPath
from touchline.methods.base import Aligner, cannot_explain
from touchline.methods.explanation import Explanation
from touchline.pipeline.read import read_match


@click.command("explain")
@click.argument("paths", metavar="EVENTS COMMENTS... | CORPUS", type=FILE, nargs=-1, required=True)
@click.option(
    "--comment", metavar="ID", help="Explain this comment; without it, summarise what was learned."
)
@click.option("--lineups", type=FILE, multiple=True, help=LINEUPS_HELP)
@match_options
@column_options
@click.option(
    "--match", "name", metavar="NAME", help="The match of CORPUS that contains the comment."
)
@method_options
@clock_option("second")
@click.option(
    "--json", "json_path", type=OUTPUT, metavar="OUT", help="Write JSON to this file; - prints it."
)
def command(
    paths: tuple[AnyPath, ...],
    comment: str | None,
    lineups: tuple[AnyPath, ...],
    provider: str | None,
    kind: str | None,
    kickoffs: tuple[str, ...],
    sentences: bool,
    columns: Columns,
    name: str | None,
    method: str | None,
    model: AnyPath | None,
    settings: tuple[str, ...],
    seed: int,
    clock: str,
    json_path: AnyPath | None,
) -> int:
    """Explain why a comment is linked as it is, or summarise what was learned.

    Given EVENTS and COMMENTS, links that match as `align` does; given a CORPUS folder, learns from
    all of its matches. Only chains and pairrank have explanations.
    """
    aligner = choose_aligner(method, model, settings, seed)
    if not aligner.explains:
        raise UsageError(cannot_explain(aligner.name))
    check_standard_input([*paths, *lineups])
    given = parse_kickoffs(kickoffs)
    if len(paths) == 1:
        if any((*lineups, provider, kind, given, sentences)):
            raise UsageError("options for reading a match's files need EVENTS and COMMENTS")
        corpus = read_corpus(paths[0], clock=clock, text_column=columns.text,
                             clock_column=columns.clock)  # fmt: skip
        matches = [labelled.match for labelled in corpus]
    else:
        matches = [read_match(paths[0], paths[1:], lineups=lineups, provider=provider, kind=kind,
                              kickoffs=given, sentences=sentences, clock=clock,
                              text_column=columns.text, clock_column=columns.clock)]  # fmt: skip
    asked = None if comment is None else _find(matches, comment, name)
    with busy("learning"):
        if model is None and not (asked and len(matches) == 1):  # one match: as `align` reads it
            aligner.fit(matches)
        explained = _explain(aligner, *asked) if asked else aligner.explain_model()
    if not write_json(explained, json_path):
        show(explained, Terminal(100))
    return 0


def _explain(aligner: Aligner, match: Match, comment: CommentId) -> Explanation:
    return aligner.infer(match).explain(comment)


def _find(matches: list[Match], comment: str, name: str | None) -> tuple[Match, CommentId]:
    """The match and the comment's id in the type that it has there."""
    asked = [match for match in matches if name in (None, match.name)]
    ids = [(match, one.id) for match in asked for one in match.comments]
    found = [(match, one) for match, one in ids if str(one) == comment]
    if not asked:
        raise UsageError(f"no match {name!r}; the matches are {_some([m.name for m in matches])}")
    if not found:
        where = f" in match {name!r}" if name else ""
        known = f"; the comments are {_some([str(one) for _, one in ids])}" if ids else ""
        raise UsageError(f"no comment {comment!r}{where}{known}")
    if len(found) > 1:
        first, *others = (match.name for match, _ in found)
        say(f"explaining comment {comment} of {first}; use --match for {', '.join(others)}")
    return found[0]


def _some(names: list[str]) -> str:
    """The first names and the last."""
    return ", ".join(names if len(names) < 5 else [*names[:3], "...", names[-1]])
