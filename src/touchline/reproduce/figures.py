"""Pictures of a reproduction, drawn from its JSON: SVG for documents, PNG for slides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import cycle, groupby
from pathlib import Path
from textwrap import fill
from typing import Any

from touchline.core.errors import MissingExtraError, TouchlineError
from touchline.reproduce.systems import PAPER

try:
    import matplotlib

    matplotlib.use("agg")
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
except ImportError:
    raise MissingExtraError("drawing figures", "touchline[plots]") from None

# The systems that the eye should find, in the colours of Okabe and Ito; the others are grey.
COLOURS = {
    "chains": "#0072B2",
    PAPER: "#D55E00",
    "liang2009": "#009E73",
    "pairrank-euclidean": "#E69F00",
    "pairrank-votes": "#CC79A7",
    "mi-svm": "#56B4E9",
    "named-nearest": "#000000",
}
NAMES = {
    PAPER: "the paper (pairrank:paper)",
    "chains": "touchline (chains)",
    "pairrank-euclidean": "no PairModel (euclidean)",
    "pairrank-votes": "no PairRank (votes)",
    "mi-svm": "MIL (mi-svm)",
    "named-nearest": "baseline (named-nearest)",
}
GREY = "#BBBBBB"
PUBLISHED = "published"
PUBLISHED_K = 4  # of the macro-events behind the paper's Table 1
STEADY = 0.02  # the recall below which a handful of candidates makes a curve jump
_STYLE: Any = {
    "font.family": "sans-serif", "font.size": 9, "axes.spines.top": False,
    "axes.spines.right": False, "axes.grid": True, "grid.color": "#EEEEEE", "legend.frameon": False,
    "axes.titlesize": 9, "axes.axisbelow": True, "svg.hashsalt": "touchline",
    "svg.fonttype": "none",
}  # fmt: skip


def draw_figures(
    found: dict[str, Any], folder: Path, kinds: Sequence[str] = ("svg", "png")
) -> list[Path]:
    """Draw the figures of a reproduction into a folder; the files written."""
    robocup = found["protocol"] == "robocup"
    pictures: dict[str, tuple[Callable[[dict[str, Any], Figure], None], tuple[float, float]]] = (
        {"robocup": (_robocup, (7.2, 5.4))}
        if robocup
        else {
            "figure-4-half-games": (_halves, (7.6, 4.4)),
            "figure-5-macro-events": (_sizes, (7.2, 3.8)),
            "pr-curves": (_curves, (6.4, 4.6)),
        }
    )
    written = []
    for name, (draw, size) in pictures.items():
        with matplotlib.rc_context(_STYLE):
            figure = Figure(figsize=size, layout="constrained")
            draw(found, figure)
            written += [_save(figure, folder / f"{name}.{kind}") for kind in kinds]
    return written


def _save(figure: Figure, path: Path) -> Path:
    """Nothing of the day or the machine goes into the file, so that it changes with its data."""
    nothing = {"Date": None} if path.suffix == ".svg" else {"Software": None}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, dpi=160, metadata=nothing)
    except OSError as error:
        raise TouchlineError(f"{path}: cannot be written ({error.strerror})") from None
    return path


def _lines(axes: Axes, lines: dict[str, tuple[list[float], list[float]]], **style: Any) -> None:
    """Grey lines for all systems, coloured ones above them with a legend."""
    for name in sorted(lines, key=lambda name: name in COLOURS):
        x, y = lines[name]
        known = name in COLOURS
        axes.plot(x, y, color=COLOURS.get(name, GREY), lw=1.6 if known else 0.7,
                  zorder=3 if known else 1, **(style if known else {}))  # fmt: skip
    named = [name for name in COLOURS if name in lines]
    handles = [axes.plot([], [], color=COLOURS[n], lw=1.6, label=NAMES.get(n, n), **style)[0]
               for n in named]  # fmt: skip
    if len(named) < len(lines):
        handles.append(axes.plot([], [], color=GREY, lw=0.7, label="other systems")[0])
    axes.figure.legend(handles=handles, loc="outside upper center", ncols=3)


def _halves(found: dict[str, Any], figure: Figure) -> None:
    """The paper's Figure 4: F1 of each half game, learned by itself."""
    axes, lines, halves = figure.subplots(), {}, []
    for name, method in found["methods"].items():
        if "alone" in method:
            halves = list(method["alone"]["halves"])
            scores = [100 * half["f1"] for half in method["alone"]["halves"].values()]
            lines[name] = list(map(float, range(len(halves)))), scores
    _lines(axes, lines, marker="o", ms=3.5)
    _name_halves(axes, halves)
    axes.set(ylabel="F1, percent (minute clock)", ylim=(0, None))


def _name_halves(axes: Axes, halves: Sequence[str]) -> None:
    """Each half by its number, each match by its name in the middle of its halves."""
    matches = [half.rpartition(" ")[0] for half in halves]
    axes.set_xticks(range(len(halves)), [half.rpartition(" ")[2] for half in halves])
    axes.grid(visible=False, axis="x")
    axes.set_xlim(-0.5, len(halves) - 0.5)
    first = 0
    for name, own in groupby(matches):
        last = first + len(list(own))
        axes.axvline(last - 0.5, color="#DDDDDD", lw=0.8)
        axes.annotate(fill(name, 14), ((first + last - 1) / 2, 0),
                      xycoords=("data", "axes fraction"), xytext=(0, -18),
                      textcoords="offset points", ha="center", va="top", fontsize=8,
                      annotation_clip=False)  # fmt: skip
        first = last


def _sizes(found: dict[str, Any], figure: Figure) -> None:
    """The paper's Figure 5: F1 against the largest macro-event, learned in two ways."""
    sized = {name: method["k"] for name, method in found["methods"].items() if "k" in method}
    together, alone = figure.subplots(1, 2, sharey=True)
    markers = cycle("s^D")  # of those without a colour
    for name, sizes in sized.items():
        x = sorted(map(int, sizes))
        style: dict[str, Any] = {"color": COLOURS.get(name), "marker": "o", "ms": 4, "lw": 1.4}
        if name not in COLOURS:
            style |= {"color": "#777777", "marker": next(markers), "lw": 0.8}
        together.plot(x, [100 * sizes[str(k)]["f1"] for k in x], **style)
        alone.plot(x, [100 * sizes[str(k)]["alone"]["f1"] for k in x], label=name, **style)
    said = found["published"].get(PAPER, {}).get("f1")
    if said is not None:
        alone.plot(PUBLISHED_K, said, "x", color="black", ms=7, mew=1.5, ls="", label=PUBLISHED)
    together.set(title="learned from all matches", ylabel="F1, percent (minute clock)")
    alone.set(title="each half game by itself")
    figure.supxlabel("largest macro-event k", fontsize=9)
    figure.legend(loc="outside upper center", ncols=4)


def _curves(found: dict[str, Any], figure: Figure) -> None:
    """Precision and recall as more is taken; dots are what the methods themselves take."""
    axes, lines = figure.subplots(), {}
    for name, method in found["methods"].items():
        points = [point for point in method.get("curve", ()) if point[0] >= STEADY]
        if points:
            recall, precision = zip(*points, strict=True)
            lines[name] = [100 * r for r in recall], [100 * p for p in precision]
    _lines(axes, lines)
    for name in [name for name in COLOURS if name in lines]:
        taken = found["methods"][name]["minute"]
        axes.plot(100 * taken["recall"], 100 * taken["precision"], "o", ms=6, mec="white",
                  color=COLOURS[name], zorder=4)  # fmt: skip
    axes.set(xlabel="recall, percent", ylabel="precision, percent (minute clock)",
             xlim=(0, 100), ylim=(0, 100))  # fmt: skip


def _robocup(found: dict[str, Any], figure: Figure) -> None:
    """4-fold F1 with its interval, the transductive one, the published one, the ceilings."""
    axes = figure.subplots()
    scored = {n: m for n, m in found["methods"].items() if "total" in m and "folds" in m}
    order = sorted(scored, key=lambda name: scored[name]["folds"]["total"]["f1"])
    for place, name in enumerate(order):
        folds, colour = scored[name]["folds"]["total"], COLOURS.get(name, "#555555")
        low, high = folds["interval"]["f1"]
        axes.plot([100 * low, 100 * high], [place, place], color=colour, lw=1.2)
        axes.plot(100 * scored[name]["total"]["f1"], place, "o", mfc="white", mec=colour, ms=8)
        axes.plot(100 * folds["f1"], place, "o", color=colour, ms=4)
        said = found["published"].get(name, {}).get("f1")
        if said is not None:
            axes.plot(said, place, "x", color="black", ms=6, mew=1.5)
    ceilings = found["ceilings"]["f1"]
    for name, text in (("always", "always answering"), ("silent", "5-step window")):
        axes.axvline(100 * ceilings[name], color="#888888", lw=0.8, ls="--")
        axes.text(100 * ceilings[name], len(order) - 0.4, f"ceiling, {text} ", fontsize=7,
                  ha="right", color="#666666")  # fmt: skip
    axes.set_yticks(range(len(order)), order)
    axes.set(xlabel="F1, percent", ylim=(-0.8, len(order) + 0.3))
    handles = [
        axes.plot([], [], "o", color="#555555", ms=4, label="4-fold, 95 % interval")[0],
        axes.plot([], [], "o", mfc="white", mec="#555555", ms=8, label="all four games")[0],
        axes.plot([], [], "x", color="black", label=PUBLISHED)[0],
    ]
    axes.figure.legend(handles=handles, loc="outside upper center", ncols=3)
