"""Sheets of figures, and how they look in Markdown and LaTeX."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

NOTHING = ""


class Sheet(msgspec.Struct, frozen=True):
    """A table: the first column has names, the others figures, or text as well."""

    title: str
    columns: list[str]
    rows: list[list[str]]
    text: bool = False


def percent(value: float | None, digits: int = 1) -> str:
    return NOTHING if value is None else f"{100 * value:.{digits}f}"


def with_interval(metrics: dict[str, Any] | None, name: str) -> str:
    """A figure with its 95 % interval."""
    if not metrics:
        return NOTHING
    low, high = metrics["interval"][name]
    return f"{percent(metrics[name])} [{percent(low)}, {percent(high)}]"


def to_markdown(sheet: Sheet) -> str:
    rule = "---" if sheet.text else "---:"
    lines = [sheet.columns, ["---", *[rule] * (len(sheet.columns) - 1)], *sheet.rows]
    table = "\n".join(f"| {' | '.join(map(_cell, row))} |" for row in lines)
    return f"**{sheet.title}**\n\n{table}\n"


def _cell(text: str) -> str:
    """A text that cannot break out of its cell."""
    return " ".join(text.split()).replace("|", "\\|")


_SPECIAL = str.maketrans({c: f"\\{c}" for c in "&%$#_{}"})


def to_latex(sheet: Sheet) -> str:
    """A `tabular` inside a `table`, with rules of the package booktabs."""

    def line(cells: Iterable[str]) -> str:
        return " & ".join(cell.translate(_SPECIAL) for cell in cells) + r" \\"

    body = "\n".join(line(row) for row in sheet.rows)
    return (
        f"\\begin{{table}}\n\\caption{{{sheet.title.translate(_SPECIAL)}}}\n"
        f"\\begin{{tabular}}{{l{'r' * (len(sheet.columns) - 1)}}}\n\\toprule\n"
        f"{line(sheet.columns)}\n\\midrule\n{body}\n\\bottomrule\n"
        "\\end{tabular}\n\\end{table}\n"
    )


def difference(against: dict[str, Any] | None) -> tuple[str, str]:
    """A paired difference with its interval, and its p."""
    if not against:
        return NOTHING, NOTHING
    low, high = (100 * bound for bound in against["interval"])
    return f"{100 * against['f1']:+.1f} [{low:+.1f}, {high:+.1f}]", f"{against['p']:.3f}"
