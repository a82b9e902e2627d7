"""The figures of the README, and what labels bring: python -m benchmarks.headline.

Needs TOUCHLINE_DATA. Each figure is that of `touchline evaluate` with the same method, corpus,
clock and track. A row is of one track, without labels or with them.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from benchmarks.measuring import Table, real_data, show
from touchline import evaluate, make_aligner


class Column(NamedTuple):
    """A corpus as it is scored."""

    title: str
    corpus: str
    clock: str = "minute"
    track: str = "comments"
    metric: str = "f1"


class Row(NamedTuple):
    """A method; on RoboCup, where a comment describes one event, with options of its own."""

    method: str
    name: str
    robocup: dict[str, Any] = {}  # noqa: RUF012  # never changed


UNLABELLED = (
    Column("EPL, minute", "epl-2015"),
    Column("EPL, second", "epl-2015", "second"),
    Column("radio, minute", "radio-2018"),
    Column("radio, second", "radio-2018", "second"),
    Column("RoboCup", "robocup"),
    Column("BBC lines: main event", "epl-2015", track="bbc", metric="accuracy"),
)
METHODS = (
    Row("random", "`random`"),
    Row("named", "`named`"),
    Row("named-nearest", "`named-nearest`"),
    Row("pairrank", "`pairrank` (the paper's; RoboCup with `--set k=1`)", {"k": 1}),
    Row("chains:unlabelled", "`chains:unlabelled`"),
)
LABELLED = (
    Column("EPL, minute: F1", "epl-2015"),
    Column("exact set", "epl-2015", metric="exact"),
    Column("EPL, second: F1", "epl-2015", "second"),
    Column("exact set", "epl-2015", "second", metric="exact"),
)
TRACKS = {"without labels": "chains:unlabelled", "with labels": "chains"}
CLOCKS = ("minute", "second")


def tables() -> Iterator[Table]:
    yield _table("Without labels", UNLABELLED, METHODS)
    yield _table("With the labels of the other matches", LABELLED, [Row("chains", "`chains`")])
    yield labels_in_all()
    yield labels_by_match()


def labels_in_all() -> Table:
    rows = []
    for clock in CLOCKS:
        for track, method in TRACKS.items():
            found = _live_text(method, clock)
            f1, precision, recall, exact, none, area = (
                f"{100 * found['total'][name]:.1f}"
                for name in ("f1", "precision", "recall", "exact", "none_accuracy", "pr_auc")
            )
            error = f"{found['calibration']['links']['ece']:.3f}"
            rows.append([track, clock, f"{f1} ({precision}/{recall})", exact, none, area, error])
    head = ["track", "clock", "F1 (P/R)", "exact set", '"no event"', "PR-AUC", "ECE"]
    return Table("What labels bring", head, rows)


def labels_by_match() -> Table:
    """Two rows for each match: no row is of both tracks."""
    scored = {
        track: [_live_text(method, clock)["matches"] for clock in CLOCKS]
        for track, method in TRACKS.items()
    }
    rows = [
        [name, track, *(f"{100 * matches[name]['f1']:.1f}" for matches in by_clock)]
        for name in scored["without labels"][0]
        for track, by_clock in scored.items()
    ]
    head = ["match", "track", *(f"F1, {clock} clock" for clock in CLOCKS)]
    return Table("What labels bring by match", head, rows)


def _table(title: str, columns: Sequence[Column], rows: Sequence[Row]) -> Table:
    found = [[row.name, *(_figure(row, column) for column in columns)] for row in rows]
    return Table(title, ["method", *(column.title for column in columns)], found)


def _figure(row: Row, column: Column) -> str:
    options = row.robocup if column.corpus == "robocup" else {}
    scored = _scored(row.method, column.corpus, column.clock, column.track, tuple(options.items()))
    figure = f"{100 * scored['total'][column.metric]:.1f}"
    if column.metric not in scored["interval"]:
        return figure
    low, high = scored["interval"][column.metric]
    return f"{figure} [{100 * low:.1f}, {100 * high:.1f}]"


def _live_text(method: str, clock: str) -> dict[str, Any]:
    return _scored(method, "epl-2015", clock, "comments", ())


@functools.cache
def _scored(
    method: str,
    corpus: str,
    clock: str,
    track: str,
    options: tuple[tuple[str, Any], ...],
) -> dict[str, Any]:
    aligner, judged = make_aligner(method, dict(options)), track == "comments"
    found = evaluate(
        real_data() / corpus, aligner, clock=clock, track=track, calibration=judged
    ).to_json()
    print(method, corpus, clock, track, f"{100 * next(iter(found['total'].values())):.1f}")
    return found


def main() -> None:
    show(tables())


if __name__ == "__main__":
    main()
