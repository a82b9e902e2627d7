"""`touchline check`: what of a commentary the match log does not confirm."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import click
from rich.text import Text

from touchline.cli.paths import FILE, OUTPUT
from touchline.cli.shared import (
    LINEUPS_HELP,
    busy,
    clock_option,
    column_options,
    match_options,
    parse_kickoffs,
    refuse_to_overwrite,
    say_about_clocks,
    write_json,
)
from touchline.cli.terminal import Terminal
from touchline.core.errors import UsageError
from touchline.core.records import Match
from touchline.generation.check import Finding, check
from touchline.io.commentary.columns import Columns
from touchline.io.storage import AnyPath
from touchline.methods.base import explain_by
from touchline.methods.registry import DEFAULT, make_aligner
from touchline.pipeline.provenance import answered, provenance
from touchline.pipeline.read import read_match
from touchline.report.formats import write_links

ERRORS = 1  # the exit code where an error is found
_STYLES = {"error": "bold red", "warning": "yellow"}


@click.command("check")
@click.argument("log", type=FILE)
@click.argument("texts", metavar="TEXT...", type=FILE, nargs=-1, required=True)
@click.option("--lineups", type=FILE, multiple=True, help=LINEUPS_HELP)
@match_options
@column_options
@clock_option("second")
@click.option("--match", "name", metavar="NAME", help="Name of the match in the output; "
              "for a file with a whole season, the id of the match to read.")  # fmt: skip
@click.option("-o", "--output", type=OUTPUT, metavar="PAGE", help="Also write the match page "
              "(.html), with the findings next to the lines.")  # fmt: skip
@click.option(
    "--json", "json_path", type=OUTPUT, metavar="OUT", help="Write JSON to this file; - prints it."
)
def command(
    log: AnyPath,
    texts: tuple[AnyPath, ...],
    lineups: tuple[AnyPath, ...],
    provider: str | None,
    kind: str | None,
    kickoffs: tuple[str, ...],
    sentences: bool,
    columns: Columns,
    clock: str,
    name: str | None,
    output: AnyPath | None,
    json_path: AnyPath | None,
) -> int:
    """Check a commentary against the match log.

    LOG is the match log, TEXT the commentary: one file, or one per half, in order. Lists names,
    scores, outcomes of shots and details that the log does not confirm. Exits with 1 if any of
    them is an error. Warnings are less certain and do not change the exit code.
    """
    for path in (json_path, output):
        refuse_to_overwrite(path, [log, *texts, *lineups])
    if output is not None and output.suffix.lower() != ".html":
        raise UsageError(f"{output}: expected a file name that ends in .html")
    match = read_match(log, texts, lineups=lineups, provider=provider, kind=kind,
                       kickoffs=parse_kickoffs(kickoffs), sentences=sentences, clock=clock,
                       name=name, text_column=columns.text,
                       clock_column=columns.clock)  # fmt: skip
    say_about_clocks(match)
    with busy(f"checking {len(match.comments)} comments"):
        findings = check(match)
    if output is not None:
        _write_page(match, findings, output, [log, *texts, *lineups])
    if not write_json(_as_json(match, findings), json_path):
        _print(match, findings, Terminal(100))
    return ERRORS if any(finding.severity == "error" for finding in findings) else 0


def _write_page(
    match: Match, findings: Sequence[Finding], output: AnyPath, inputs: Sequence[AnyPath]
) -> None:
    aligner = make_aligner(DEFAULT)
    alignment = aligner.infer(match)
    origin = answered(provenance(aligner, inputs), alignment)
    write_links(alignment.links, output, origin, explain_by([alignment]), findings=findings)


def _as_json(match: Match, findings: Sequence[Finding]) -> dict[str, Any]:
    return {
        "match": match.name,
        "comments": len(match.comments),
        "findings": [finding.to_json() for finding in findings],
    }


def _print(match: Match, findings: Sequence[Finding], console: Terminal) -> None:
    """Each comment that has findings, and a sentence for each of them."""
    comments = {comment.id: comment for comment in match.comments}
    last = None
    for finding in findings:
        comment = comments[finding.comment]
        if finding.comment != last:
            where = f"{comment.clock or ''} ({comment.id})".strip()
            console.print(Text(f"{where} {comment.text}"), soft_wrap=False)
        last = finding.comment
        line = Text("  ")
        line.append(finding.severity, style=_STYLES[finding.severity])
        line.append(f" {finding.kind}: {finding.sentence} ({finding.probability:.2f})")
        console.print(line)
    console.print(Text(_summary(findings, len(match.comments))))


def _summary(findings: Sequence[Finding], comments: int) -> str:
    count = Counter(finding.severity for finding in findings)
    found = [_number(count["error"], "error"), _number(count["warning"], "warning")]
    return f"{' and '.join(found)} in {_number(comments, 'comment')}"


def _number(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
