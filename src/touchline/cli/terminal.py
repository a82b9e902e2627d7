"""What is drawn on a terminal with Rich: tables, spinners and progress bars."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, track
from rich.table import Table

from touchline.evaluation.sheets import Sheet

T = TypeVar("T")


class Terminal(Console):
    """Rich's console, which leaves a closed pipe to us and is as wide as needed in one."""

    def __init__(self, width_in_pipe: int, **more: Any) -> None:
        super().__init__(**more)
        if not self.is_terminal:
            self.width = width_in_pipe

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def print_sheet(sheet: Sheet, console: Console) -> None:
    """A table of figures on the terminal."""
    table = Table(title=sheet.title, title_justify="left")
    for number, column in enumerate(sheet.columns):
        table.add_column(column, justify="right" if number else "left", overflow="fold")
    for row in sheet.rows:
        table.add_row(*row)
    console.print(table)


@contextmanager
def spinner(what: str) -> Iterator[Callable[[], None]]:
    """Yields a function that removes the spinner before its time."""
    with Console(stderr=True).status(what) as status:
        yield status.stop


@contextmanager
def progress_bar(what: str, total: int) -> Iterator[Callable[[], None]]:
    """Yields a function that advances the bar by one."""
    columns = (*Progress.get_default_columns(), MofNCompleteColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda: bar.advance(task)


def tracked(items: Sequence[T], what: str) -> Iterable[T]:
    """The items, with a bar that shows how many are done."""
    return track(items, description=what, console=Console(stderr=True), transient=True)
