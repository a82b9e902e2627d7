"""Figures of a match for papers and slides: macro-events on pitches, the timeline, sizes.

A macro-event is drawn as in the paper's Figure 3, the sentence beside its events with their type
(E), qualifiers (Q), team (T) and player (P), and the pitch on which they happened.
"""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from touchline.core.comment_view import TINTS, seen
from touchline.core.errors import MissingExtraError
from touchline.core.links import Links
from touchline.core.records import Comment, CommentId, Event
from touchline.io.corpus.gold import Gold
from touchline.io.files import write_whole

try:
    import matplotlib

    matplotlib.use("agg")
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from mplsoccer import Pitch
except ImportError:
    raise MissingExtraError("drawing figures", "touchline[plots]") from None

MAX_ROWS = 8  # kinds of events in the timeline
MAX_MACRO_EVENTS = 6  # drawn if no comments are chosen
MAX_K = 6  # events per comment in the curve over k
INK, SOFT, LINE, GRASS = "#1b2530", "#596774", "#b4c4bb", "#f3f7f4"
_STYLE: Any = {
    "font.family": "sans-serif", "font.size": 9, "text.color": INK, "axes.edgecolor": SOFT,
    "axes.spines.top": False, "axes.spines.right": False, "axes.labelcolor": INK,
    "svg.hashsalt": "touchline", "svg.fonttype": "none",
}  # fmt: skip
Draw = Callable[[Figure], None]


def draw_match(
    links: Links, folder: Path, chosen: Sequence[CommentId] = (), gold: Gold | None = None
) -> list[Path]:
    """Draw the figures of a match into a folder, each as SVG and PNG.

    Parameters
    ----------
    links
        The links of the match.
    folder
        Where the files are written.
    chosen
        The comments whose macro-events are drawn; by default those with most events.
    gold
        Labels; with them, F1 over the number of events per comment is drawn too.

    Returns
    -------
    list of Path
        The files that were written.
    """
    pictures: dict[str, tuple[Draw, tuple[float, float]]] = {
        "timeline": (lambda figure: _timeline(links, figure), (10.0, 3.2)),
        "sizes": (lambda figure: _sizes(links, figure.subplots()), (4.6, 3.0)),
    }
    if gold is not None:
        scores = k_scores(links, gold)
        pictures["k-curve"] = (lambda figure: _k_curve(scores, figure.subplots()), (4.6, 3.0))
    for comment in chosen or _largest(links):
        name = f"macro-event-{quote(str(comment), safe='')}"
        pictures[name] = (_macro_event(links, comment), (10.0, 3.4))
    written = []
    for name, (draw, size) in pictures.items():
        with matplotlib.rc_context(_STYLE):
            figure = Figure(figsize=size, layout="constrained")
            draw(figure)
            written += [_save(figure, folder, f"{name}.{kind}") for kind in ("svg", "png")]
    return written


def _save(figure: Figure, folder: Path, name: str) -> Path:
    """Save without date and versions, so that the file changes only with its data."""
    kind = name.rpartition(".")[2]
    metadata = {"svg": {"Date": None, "Creator": None}, "png": {"Software": None}}[kind]
    with write_whole(folder / name) as out:
        figure.savefig(out, format=kind, dpi=160, metadata=metadata)
    return folder / name


def _largest(links: Links) -> list[CommentId]:
    """The comments with the largest macro-events; among equals, the highest scores first."""
    groups = [answer for answer in links if len(answer.events) > 1]
    groups.sort(key=lambda answer: (-len(answer.events), -min(e.score for e in answer.events)))
    return [answer.comment for answer in groups[:MAX_MACRO_EVENTS]]


def _macro_event(links: Links, comment: CommentId) -> Draw:
    view = links.show(comment)

    def draw(figure: Figure) -> None:
        words, place = figure.subplots(1, 2, width_ratios=(1.15, 1))
        _sentence(words, view.comment, view.events)
        _pitch(place, links, view.events)

    return draw


def _sentence(axes: Axes, comment: Comment, events: Sequence[Event]) -> None:
    """The comment and its events in the paper's notation, from the top down."""
    axes.set_axis_off()
    axes.set(xlim=(0, 1), ylim=(0, 1))
    lines = textwrap.wrap(comment.text, 64) or [""]
    step = min(0.08, 1.0 / (len(lines) + 2.6 * len(events)))
    height = 1.0
    for line in lines:
        axes.text(0, height, _plain(line), va="top", fontsize=9.5)
        height -= step
    for number, event in enumerate(events):
        height -= 0.6 * step
        tint = TINTS[number % len(TINTS)]
        axes.text(0, height, str(number + 1), va="top", color=tint, weight="bold")
        for text, colour in zip(_record(event), (INK, SOFT), strict=True):
            axes.text(0.045, height, _plain(text), va="top", fontsize=8.5, color=colour)
            height -= step


def _record(event: Event) -> tuple[str, str]:
    """An event in the paper's notation: type, player and team; qualifiers."""
    who = [("E", event.type), ("P", event.player.label if event.player else ""),
           ("T", event.team.name if event.team else "")]  # fmt: skip
    shown = [(name, value) for name, value in event.arguments.items() if not name.endswith("zone")]
    qualifiers = [name.replace("_", " ") if value == "yes" else value for name, value in shown]
    line = "    ".join(f"{key}: {value}" for key, value in who if value)
    return line, f"Q: {', '.join(qualifiers[:4])}" if qualifiers else ""


def _pitch(axes: Axes, links: Links, events: Sequence[Event]) -> None:
    pitch = Pitch(pitch_type="statsbomb", line_color=LINE, pitch_color=GRASS, linewidth=0.9)
    pitch.draw(ax=axes)
    places: list[tuple[float, float]] = []
    for number, event in enumerate(events):
        if event.location is None:
            continue
        tint = TINTS[number % len(TINTS)]
        x, y = seen(links.match, event, event.location)
        if event.end_location is not None:
            to = seen(links.match, event, event.end_location)
            pitch.arrows(x, y, *to, ax=axes, color=tint, width=1.4, headwidth=6, headlength=6)
        pitch.scatter(x, y, ax=axes, s=90, color=tint, edgecolors="white", zorder=3)
        axes.text(x, y, str(number + 1), color="white", fontsize=7, weight="bold", zorder=4,
                  ha="center", va="center_baseline")  # fmt: skip
        above = not any(abs(x - a) < 24 and abs(y - b) < 7 for a, b in places)
        who = event.player.label.rpartition(" ")[2] if event.player else event.type
        axes.text(x, y - 4 if above else y + 6, _plain(who), fontsize=7, ha="center", zorder=4)
        places.append((x, y))


def _timeline(links: Links, figure: Figure) -> None:
    """Each period: the comments above, the kinds of linked events below, and the links."""
    match = links.match
    linked = Counter(match.event_by_id[link.id].type for answer in links for link in answer.events)
    row = {kind: -1.5 - number for number, (kind, _) in enumerate(linked.most_common(MAX_ROWS))}
    periods = match.periods
    for axes, period in zip(
        figure.subplots(1, len(periods), sharey=True, squeeze=False)[0], periods, strict=True
    ):
        shown = [e for e in match.linkable if e.period == period and e.type in row]
        _ticks(axes, [(e.time, row[e.type]) for e in shown], color="#c9d1d8", lw=0.8)
        _links(axes, links, period, row)
        axes.set(xlabel="minute of the period", title=f"Period {period}")
        axes.set_yticks([0.5, *row.values()], ["comments", *map(_plain, row)])
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)


def _links(axes: Axes, links: Links, period: int, row: dict[str, float]) -> None:
    """The comments of a period, dark if they are linked, and their events."""
    match = links.match
    comments: dict[str, list[tuple[float, float]]] = {INK: [], LINE: []}
    events: dict[str, list[tuple[float, float]]] = {TINTS[0]: [], TINTS[2]: []}
    for comment, answer in zip(match.comments, links, strict=True):
        here = comment.period == period and comment.time is not None
        if here:
            comments[INK if answer.events else LINE].append((comment.time or 0.0, 0.5))
        for event in (match.event_by_id[link.id] for link in answer.events):
            if event.period == period and event.type in row:
                events[TINTS[_side(links, event)]].append((event.time, row[event.type]))
                if here:
                    ends = [(comment.time or 0.0) / 60, event.time / 60]
                    axes.plot(ends, [0.2, row[event.type] + 0.3], color=SOFT, lw=0.4, alpha=0.5)
    for colour, places in [*comments.items(), *events.items()]:
        _ticks(axes, places, color=colour, lw=1.3)


def _ticks(axes: Axes, places: Sequence[tuple[float, float]], **style: Any) -> None:
    """Upright ticks at seconds and heights."""
    heights = [height for _, height in places]
    axes.vlines([time / 60 for time, _ in places], [h - 0.3 for h in heights],
                [h + 0.3 for h in heights], **style)  # fmt: skip


def _side(links: Links, event: Event) -> int:
    """0 for the first team, 2 for the other: the tints of the teams."""
    return 2 if len(links.match.teams) > 1 and event.team == links.match.teams[1] else 0


def _sizes(links: Links, axes: Axes) -> None:
    """How many events the comments describe."""
    sizes = Counter(len(answer.events) for answer in links)
    axes.bar(list(sizes), list(sizes.values()), color=TINTS[0], width=0.7)
    axes.set_xticks(range(max(sizes, default=0) + 1))
    axes.set(xlabel="events per comment (k)", ylabel="comments")


def k_scores(links: Links, gold: Gold) -> list[float]:
    """F1 if each labelled comment keeps its 1, 2 ... events with the highest scores."""
    found = []
    for k in range(1, MAX_K + 1):
        right = kept = 0
        for answer in links:
            if answer.comment in gold:
                best = sorted(answer.events, key=lambda link: -link.score)[:k]
                kept += len(best)
                right += sum(link.id in gold[answer.comment] for link in best)
        found.append(2 * right / max(kept + sum(map(len, gold.values())), 1))
    return found


def _k_curve(scores: Sequence[float], axes: Axes) -> None:
    axes.plot(range(1, MAX_K + 1), scores, color=TINTS[0], marker="o", ms=4)
    axes.set_xticks(range(1, MAX_K + 1))
    axes.set(xlabel="maximum events per comment (k)", ylabel="F1", ylim=(0, 1))


def _plain(text: str) -> str:
    """Text with escapes, so that matplotlib finds no formula in it."""
    return text.replace("$", r"\$")
