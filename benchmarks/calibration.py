"""Whether scores mean what they say: python -m benchmarks.calibration [OPTIONS].

    --models DIR   keep what is learned in this folder
    --sealed       with the two matches that are looked at only for reports

Needs TOUCHLINE_DATA. Matches of `epl-2015` are answered by a model learned from the five others,
the labelled match of `radio-2018` by one learned from all five without labels. For links and for
"no event": ten bins of as many answers each, from the lowest scores to the highest, and the
expected calibration error (ECE), with the members' scores and with the model's own. Draws them
to docs/images/calibration.svg.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from benchmarks.left_out import DEV, Asked, asked, left_out, radio, without_ensemble
from benchmarks.measuring import Table, show
from touchline.core.links import Links
from touchline.evaluation.calibration import (
    Judged,
    calibration_error,
    judged_links,
    judged_none,
    reliability,
)
from touchline.io.corpus.layout import LabelledMatch
from touchline.methods.chains.aligner import Chains

FIGURE = Path(__file__).parents[1] / "docs" / "images" / "calibration.svg"
SEALED = ("newcastle-chelsea", "southampton-man-united")
MEMBERS, OWN = "ensemble", "single model"
KINDS: dict[str, Callable[[LabelledMatch, Links], list[Judged]]] = {
    "links": judged_links,
    "no event": judged_none,
}


class Measured(NamedTuple):
    """What was judged on a track, of links or "no event", with the members or without."""

    track: str
    kind: str
    scores: str
    judged: list[Judged]


def tables() -> Iterator[Table]:
    given = asked("calibration", "with the two matches that are looked at only for reports")
    found: list[Measured] = []
    for track, models in tracks(given).items():
        found += measure(track, models())
        print(track, flush=True)
    draw(found, FIGURE)
    yield errors(found)
    yield bins(found)


def tracks(
    given: Asked,
) -> dict[str, Callable[[], Iterable[tuple[LabelledMatch, Chains]]]]:
    names = DEV + SEALED * given.sealed
    return {
        "EPL, minute": lambda: left_out(given, "minute", names),
        "EPL, second": lambda: left_out(given, "second", names),
        "radio, second": lambda: radio(given, "second"),
    }


def measure(track: str, models: Iterable[tuple[LabelledMatch, Chains]]) -> list[Measured]:
    found = {(kind, scores): Measured(track, kind, scores, [])
             for kind in KINDS for scores in (MEMBERS, OWN)}  # fmt: skip
    for one, aligner in models:
        answered = {MEMBERS: aligner, OWN: without_ensemble(aligner)}
        for scores, links in {name: own.align(one.match) for name, own in answered.items()}.items():
            for kind, judge in KINDS.items():
                found[kind, scores].judged.extend(judge(one, links))
    return list(found.values())


def errors(found: list[Measured]) -> Table:
    """A row for each track: the errors of links and of "no event", and how many there are."""
    rows = []
    for track in dict.fromkeys(one.track for one in found):
        own = {(one.kind, one.scores): one.judged for one in found if one.track == track}
        sizes = ", ".join(f"{len(own[kind, MEMBERS])} {kind}" for kind in KINDS)
        rows.append([f"{track} ({sizes})", *(f"{calibration_error(j):.3f}" for j in own.values())])
    head = ["ECE", *(f"{kind}, {scores}" for kind in KINDS for scores in (MEMBERS, OWN))]
    return Table("", head, rows)


def bins(found: list[Measured]) -> Table:
    """Scores of links and how many of them are right, from the lowest scores to the highest."""
    rows = []
    for one in found:
        if (one.kind, one.scores) == ("links", MEMBERS):
            own = reliability(one.judged)
            rows.append([f"{one.track}: score", *(f"{bin_.score:.3f}" for bin_ in own)])
            rows.append(["right", *(f"{bin_.right:.3f}" for bin_ in own)])
    return Table("", ["bin", *map(str, range(1, len(rows[0])))], rows)


def draw(found: list[Measured], path: Path) -> None:
    import matplotlib
    from matplotlib.figure import Figure

    named = list(dict.fromkeys(one.track for one in found))
    style = {"font.size": 8, "svg.hashsalt": "touchline", "svg.fonttype": "none"}
    with matplotlib.rc_context(style):
        figure = Figure(figsize=(7.4, 5.0), layout="constrained")
        panels = figure.subplots(len(KINDS), len(named), sharex=True, sharey=True, squeeze=False)
        for one in found:
            axes = panels[list(KINDS).index(one.kind)][named.index(one.track)]
            bins = reliability(one.judged)
            colour, lead = ("#0072B2", 2) if one.scores == MEMBERS else ("#BBBBBB", 1)
            label = f"{one.scores}, ECE {calibration_error(one.judged):.3f}"
            axes.plot([b.score for b in bins], [b.right for b in bins], marker="o", ms=3.5,
                      color=colour, zorder=lead, label=label)  # fmt: skip
            axes.set(title=f"{one.track}: {one.kind}", aspect="equal")
        for axes in panels.flat:
            axes.axline((0, 0), slope=1, color="#888888", lw=0.6, ls="--", zorder=0)
            axes.legend(frameon=False, loc="lower right", fontsize=6)
        figure.supxlabel("mean score of a bin", fontsize=8)
        figure.supylabel("share that is right", fontsize=8)
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, metadata={"Date": None})


def main() -> None:
    show(tables())


if __name__ == "__main__":
    main()
