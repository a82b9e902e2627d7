"""Output formats, chosen by the ending of the file; each file has its origin beside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from pathlib import Path
from typing import IO

from touchline import report
from touchline.core.errors import UsageError
from touchline.core.links import Links
from touchline.io.files import write_text_whole, write_whole
from touchline.io.links import chapters, jsonl, soccernet, tabular, vtt
from touchline.io.links.origin import Origin, write_origin
from touchline.methods.explanation import Explain

Writer = Callable[[Sequence[Links], Origin, IO[str]], None]

_REPORT = ".html"
# The longer ending first: match.chapters.vtt ends in .vtt too.
_TEXT: dict[str, Writer] = {
    ".jsonl": lambda many, origin, out: jsonl.write(chain(*many), out),
    ".csv": lambda many, origin, out: tabular.write_csv(many, out),
    ".chapters.vtt": chapters.write,
    ".vtt": vtt.write,
    ".json": soccernet.write,
    _REPORT: report.write,
}
ENDINGS = (*_TEXT, ".parquet")


def check_ending(path: str | Path) -> str:
    """The ending of an output file; raises `UsageError` if there is no such format."""
    name = Path(path).name.lower()
    ending = next((ending for ending in ENDINGS if name.endswith(ending)), None)
    if ending is None:
        known, given = ", ".join(ENDINGS), Path(path).suffix.lower()
        raise UsageError(f"{path}: no format for the ending {given!r}; use one of {known}")
    return ending


def is_report(path: str | Path) -> bool:
    """Whether an output file is a report, the only format with explanations."""
    return check_ending(path) == _REPORT


def write_links(
    links: Links | Sequence[Links],
    path: str | Path,
    origin: Origin | None = None,
    explain: Explain | None = None,
) -> None:
    """Write the links of one match or several to a file.

    The origin is written beside it (`*.meta.json`).

    Parameters
    ----------
    links
        The links of a match, or a sequence of them.
    path
        The output file. Its ending chooses the format: `.jsonl`, `.csv`, `.parquet`, `.vtt`,
        `.chapters.vtt`, `.json` or `.html`.
    origin
        What made the links; by default only the method is recorded.
    explain
        Explains a comment of a match; the report (`.html`) uses it to mark the words that
        decided.

    Raises
    ------
    UsageError
        If the ending is not one of these.
    OutputError
        If the file cannot be written.
    MissingExtraError
        If the format needs a package that is not installed.
    """
    many = [links] if isinstance(links, Links) else links
    origin = origin or Origin(method=next((one.method for one in many if one.method), "unknown"))
    ending = check_ending(path)
    if ending == ".parquet":
        with write_whole(path) as out:
            tabular.write_parquet(many, origin, out)
    else:
        with write_text_whole(path) as text:
            if ending == _REPORT:
                report.write(many, origin, text, explain)
            else:
                _TEXT[ending](many, origin, text)
    write_origin(path, origin)
