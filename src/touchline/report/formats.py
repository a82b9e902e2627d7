"""Output formats, chosen by the ending of the file; each file has its origin beside it."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from itertools import chain
from typing import IO, TYPE_CHECKING, Any

from touchline.core.errors import UsageError, need
from touchline.core.links import Links
from touchline.io.files import write_text_whole, write_whole
from touchline.io.links import jsonl
from touchline.io.links.origin import Origin, write_origin
from touchline.io.storage import AnyPath, as_path
from touchline.methods.explanation import Explain

if TYPE_CHECKING:
    from touchline.generation.findings import Finding

Writer = Callable[[Sequence[Links], Origin, IO[str]], None]
BytesWriter = Callable[[Sequence[Links], Origin, IO[bytes]], None]

_REPORT = ".html"
_TASKS = ".label-studio.json"


def _late(module: str, name: str = "write") -> Callable[..., None]:
    """A writer that is loaded when it is first called: a run writes one format."""

    def call(*given: Any) -> None:
        getattr(importlib.import_module(f"touchline.{module}"), name)(*given)

    return call


# The longer ending first: match.chapters.vtt ends in .vtt too, match.label-studio.json in .json.
_TEXT: dict[str, Writer] = {
    ".jsonl": lambda many, origin, out: jsonl.write(chain(*many), out),
    ".csv": lambda many, origin, out: _late("io.links.tabular", "write_csv")(many, out),
    ".chapters.vtt": _late("io.links.chapters"),
    ".vtt": _late("io.links.vtt"),
    _TASKS: _late("report.label_studio"),
    ".json": _late("io.links.soccernet"),
}
_BYTES: dict[str, BytesWriter] = {
    ".parquet": _late("io.links.tabular", "write_parquet"),
    ".xlsx": lambda many, origin, out: _late("io.links.workbook")(many, out),
}
_CSV = ".csv"
ENDINGS = (*_TEXT, _REPORT, *_BYTES)
# The libraries that formats need beyond those of touchline itself.
_NEEDS = {
    ".parquet": ("pyarrow", "Writing Parquet", "touchline[parquet]"),
    ".xlsx": ("openpyxl", "Writing an Excel workbook", "touchline[excel]"),
}


def check_ending(path: str | AnyPath, bom: bool = False) -> str:
    """The ending of an output file, before any work is done for it.

    Raises
    ------
    UsageError
        There is no such format, or it has no byte order mark.
    MissingExtraError
        It needs a library that is not installed.
    """
    name = as_path(path).name.lower()
    ending = next((ending for ending in ENDINGS if name.endswith(ending)), None)
    if ending is None:
        known, given = ", ".join(ENDINGS), as_path(path).suffix.lower()
        raise UsageError(f"{path}: no format for the ending {given!r}; use one of {known}")
    if bom and ending != _CSV:
        raise UsageError(f"{path}: only CSV files have a byte order mark (--bom)")
    if ending in _NEEDS:
        need(*_NEEDS[ending])
    return ending


def is_report(path: str | AnyPath) -> bool:
    """Whether an output file is a report, the only format with explanations."""
    return check_ending(path) == _REPORT


def write_links(
    links: Links | Sequence[Links],
    path: str | AnyPath,
    origin: Origin | None = None,
    explain: Explain | None = None,
    bom: bool = False,
    findings: Sequence[Finding] | None = None,
) -> None:
    """Write the links of one match or several to a file.

    The origin is written next to it (`*.meta.json`), and with tasks for Label Studio its labelling
    interface (`*.label-studio.xml`).

    Parameters
    ----------
    links
        The links of a match, or a sequence of them.
    path
        The output file. Its ending chooses the format: `.jsonl`, `.csv`, `.xlsx`, `.parquet`,
        `.vtt`, `.chapters.vtt`, `.json` (SoccerNet captions), `.label-studio.json` or `.html`.
    origin
        How the links were made; by default only the method is recorded.
    explain
        A function that explains a comment of a match; the report (`.html`) uses it to mark the
        deciding words.
    bom
        Whether a CSV file starts with a byte order mark, so that Excel reads it as UTF-8.
    findings
        The findings of `check` for the one match; the report shows them next to the lines.

    Raises
    ------
    UsageError
        If the ending is not one of these, or there are findings and several matches.
    OutputError
        If the file cannot be written.
    MissingExtraError
        If the format needs a package that is not installed.
    """
    many = [links] if isinstance(links, Links) else links
    origin = origin or Origin(method=next((one.method for one in many if one.method), "unknown"))
    ending = check_ending(path, bom)
    if ending in _BYTES:
        with write_whole(path) as out:
            _BYTES[ending](many, origin, out)
    else:
        with write_text_whole(path) as text:
            text.write("\ufeff" if bom else "")
            if ending == _REPORT:
                from touchline.report import document  # which brings the page and its facts

                document.write(many, origin, text, explain, findings)
            else:
                _TEXT[ending](many, origin, text)
    if ending == _TASKS:
        from touchline.report.label_studio import CONFIG

        with write_text_whole(as_path(path).with_suffix(".xml")) as text:
            text.write(CONFIG)
    write_origin(path, origin)
