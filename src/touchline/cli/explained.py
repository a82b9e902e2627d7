"""Explanations as text for people; `touchline explain --json` has all of what is said here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

Explained = Mapping[str, Any]

# The parts of a score by their names in JSON.
_PARTS = {
    "rate": "how often told",
    "lag": "time",
    "groups": "neighbours",
    "words": "words",
    "names": "names",
}
# Shares of a word, expected numbers of tellings, and steps that are worth a reader's time.
_LEAST_SHARE, _LEAST_TOLD, _MOST_STEPS = 0.1, 0.5, 15


def show(explained: Explained, console: Console) -> None:
    """Print what an aligner's `explain` or `explain_model` gave."""
    of_comment = "text" in explained
    if explained["method"] == "chains":
        (_chains_comment if of_comment else _chains_model)(explained, console)
    else:
        (_pairs_comment if of_comment else _pairs_model)(explained, console)


def _chains_comment(explained: Explained, console: Console) -> None:
    console.print(Text(explained["text"], style="bold"))
    for event in explained["events"]:
        console.print(Text(f"\n{event['describe']}  {event['score']:.2f}"))
        _indented("names", (_name(name) for name in event["names"]), console)
        _indented("words", _shares(event["words"]), console)
    if not explained["events"]:
        sure = explained["none"] > 0.5
        why = "no event" if sure else "no event is more probable than a half; none at all"
        console.print(f"\n{why}  {explained['none']:.2f}")
    console.print()
    _indented("words by themselves", _shares(explained["by_itself"]), console, 0)
    _indented("names of nobody told", map(_name, explained["unexplained"]), console, 0)
    console.print()
    _rivals(explained, console)
    alone, together = explained["order"]["alone"], explained["order"]["together"]
    console.print(f"best by itself {alone:.2f}, with the comments around it {together:.2f}")


def _indented(what: str, items: Iterable[str], console: Console, indent: int = 2) -> None:
    if listed := ", ".join(items):
        line = Text(f"{what}: {listed}")
        console.print(Padding(line, (0, 0, 0, indent), expand=False) if indent else line)


def _name(name: Explained) -> str:
    means = name["player"] + (", garbled" if name.get("garbled") else "")
    return name["text"] if means == name["text"] else f"{name['text']} ({means})"


def _shares(words: Sequence[Explained]) -> Iterable[str]:
    """The words with their shares, the largest first, each stem once."""
    shares: dict[str, Explained] = {}
    for word in sorted(words, key=lambda word: -word["share"]):
        shares.setdefault(word["stem"], word)
    return (f"{w['word']} {w['share']:.0%}" for w in shares.values() if w["share"] >= _LEAST_SHARE)


def _rivals(explained: Explained, console: Console) -> None:
    """The parts of the scores of the best hypothesis and those that it was weighed against."""
    rivals = {"best": explained["best"]}
    if explained["runner_up"]:
        rivals["runner-up"] = explained["runner_up"]
    for title, rival in rivals.items():
        console.print(Text(f"{title}: {'; '.join(rival['describe']) or 'no event'}"))
    if all(rival["events"] for rival in rivals.values()):
        rivals["no event"] = explained["no_event"]
    table = _table("", ["log-score"], rivals)
    for part, label in _PARTS.items():
        table.add_row(label, *(f"{rival['parts'][part]:+.1f}" for rival in rivals.values()))
    table.add_row("sum", *(f"{sum(rival['parts'].values()):+.1f}" for rival in rivals.values()))
    table.add_row("probability", *(f"{rival['score']:.2f}" for rival in rivals.values()))
    console.print(table)


def _chains_model(explained: Explained, console: Console) -> None:
    title = "kinds of events, by how often they are told"
    table = _table(title, ["kind", "words"], ["head", "beside", "of"])
    for kind in explained["kinds"]:
        if kind["told"] + kind["in_groups"] >= _LEAST_TOLD:
            words = ", ".join(word["stem"] for word in kind["words"])
            numbers = f"{kind['told']:.0f}", f"{kind['in_groups']:.0f}", str(kind["available"])
            table.add_row(Text(_readable(kind["kind"])), Text(words), *numbers)
    console.print(table)
    _steps(explained["extensions"][:_MOST_STEPS], console)
    order, lag = explained["order"], explained["lag"]
    console.print(
        f"\nno event: {explained['none']:.0%} of comments\n"
        f"time: told events happened {lag['median']:g} s before the comment in the median, "
        f"80% between {lag['range'][0]:g} and {lag['range'][1]:g} s\n"
        f"order: the next comment goes on {order['on']:.0%}, stays {order['same']:.0%}, "
        f"goes back {order['back']:.0%}"
    )


def _steps(steps: Sequence[Explained], console: Console) -> None:
    if not steps:
        return
    table = _table("neighbours that are told together", ["from", "to"], ["player", "often"])
    for step in steps:
        to = f"{_readable(step['to'])} {step['direction']} it"
        named = "named" if step["named"] else "unnamed"
        table.add_row(Text(step["from"]), Text(to), named, f"{step['often']:.0%}")
    console.print(table)


def _table(title: str, texts: Iterable[str], numbers: Iterable[str] = ()) -> Table:
    """A table whose columns get narrow, but lose nothing, where there is little room."""
    table = Table(title=title or None, title_justify="left")
    for column in texts:
        table.add_column(column, overflow="fold")
    for column in numbers:
        table.add_column(column, overflow="fold", justify="right")
    return table


def _readable(kind: str) -> str:
    """`Pass|set_piece=Corner` as words."""
    return kind.replace("|", ", ").replace("=", " ").replace("_", " ")


def _pairs_model(explained: Explained, console: Console) -> None:
    table = _table(f"{explained['pairs']} pairs learned", ["event type", "words that weigh most"])
    for kind, words in explained["words"].items():
        table.add_row(Text(kind), Text(", ".join(word for word, _ in words)))
    console.print(table)


def _pairs_comment(explained: Explained, console: Console) -> None:
    console.print(Text(explained["text"], style="bold"))
    if not explained["growth"]:
        console.print("no event")
    for size, step in enumerate(explained["growth"], 1):
        console.print(Text(f"{size}. {step['what']}  rho {step['rho']:.2e}, Δ {step['gain']:+.2e}"))
    for model in explained["models"]:
        console.print(Text(f"\n{model['what']}", style="bold"))
        weights = ", ".join(f"{word} {weight:.2f}" for word, weight in model.get("weights", ()))
        console.print(Text(f"  heaviest: {weights}"))
        for near in model.get("nearest", ()):
            console.print(Text(f"  {near['confidence']:+.2f}  {near['text']}"))
