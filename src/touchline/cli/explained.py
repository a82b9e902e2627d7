"""Explanations on the terminal; `touchline explain --json` contains everything shown here."""

from __future__ import annotations

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from touchline.methods.explanation import Block, Explanation, Grid, ModelSummary


def show(explained: Explanation | ModelSummary, console: Console) -> None:
    """Print what a method says about a comment, or about its model."""
    for block in explained.blocks():
        console.print(_shown(block))


def _shown(block: Block) -> Text | Padding | Table:
    if isinstance(block, Grid):
        return _table(block)
    line = Text(block.text, style="bold" if block.bold else "")
    return Padding(line, (0, 0, 0, block.indent), expand=False) if block.indent else line


def _table(grid: Grid) -> Table:
    """A table whose columns get narrow, but lose nothing, where there is little room."""
    table = Table(title=grid.title or None, title_justify="left")
    for column in grid.texts:
        table.add_column(column, overflow="fold")
    for column in grid.numbers:
        table.add_column(column, overflow="fold", justify="right")
    for row in grid.rows:
        table.add_row(*map(Text, row))
    return table
