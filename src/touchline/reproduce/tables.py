"""The tables of the paper as sheets of figures."""

from __future__ import annotations

from typing import Any

from touchline.evaluation.sheets import NOTHING, Sheet, difference, percent, with_interval
from touchline.reproduce.systems import PAPER


def sheets(found: dict[str, Any]) -> list[Sheet]:
    """The tables of a reproduction, from its JSON."""
    return robocup_sheets(found) if found["protocol"] == "robocup" else pro_sheets(found)


def robocup_sheets(found: dict[str, Any]) -> list[Sheet]:
    methods = found["methods"]
    games = sorted({g for method in methods.values() for g in method.get("games", {})})
    rows, by_game = [], []
    for name, method in methods.items():
        total, folds = method.get("total"), method.get("folds", {})
        said = found["published"].get(name, {}).get("f1")
        rows.append([
            name, with_interval(total, "f1"), _precision_recall(total),
            with_interval(folds.get("total"), "f1"), _precision_recall(folds.get("total")),
            *_beside(said, folds.get("total") or total),
        ])  # fmt: skip
        by_game.append([
            name,
            *(percent(method["games"][game]["f1"]) if total else NOTHING for game in games),
            *(percent(folds[game]["f1"]) if folds else NOTHING for game in games),
        ])  # fmt: skip
    short = [game.removesuffix("final") for game in games]
    return [
        Sheet(
            "RoboCup (the paper's Table 2): F1 in percent",
            ["method", "all four games", "P/R", "4-fold", "P/R", "published", "4-fold - published"],
            rows,
        ),
        Sheet("RoboCup by game: F1 in percent",
              ["method", *short, *(f"4-fold {game}" for game in short)], by_game),
        _ceilings(found["ceilings"]),
        *(_protocols(found, way) for way in _WAYS),
        *([_readings(found)] if "readings" in found else []),
    ]  # fmt: skip


_CEILINGS = {
    "silent": "right wherever the gold is among the candidates, silent elsewhere",
    "always": "an answer for every comment with candidates",
    "always_listed": "an answer for every comment with candidates or gold",
    "always_given": "the same, comments without candidates given their gold",
    "gold_always": "comments with a gold meaning only, an answer for each with candidates",
    "gold_silent": "comments with a gold meaning only, silent where the gold is no candidate",
    "reachable": "comments whose gold is among the candidates only",
}


def _ceilings(ceilings: dict[str, Any]) -> Sheet:
    rows = [[text, percent(ceilings["f1"][name])] for name, text in _CEILINGS.items()]
    return Sheet("RoboCup: upper bounds of F1, in percent", ["who answers", "F1"], rows)


# How a system learned, and where its figures on sets of sentences are.
_WAYS = {"total": "learned from all four games", "folds": "4-fold"}
_SUBSETS = {"total": "subset", "folds": "subset_folds"}
# The best that systems can do, above their rows.
_TOP = {
    "always": "ceiling: an answer for every comment with candidates",
    "silent": "ceiling: silent where the gold is no candidate",
}


def _protocols(found: dict[str, Any], way: str) -> Sheet:
    """Which sentences count: a column for each set, a row for each system."""
    ceilings = found["ceilings"]["sentences"]
    top = [
        [text, *(percent(own[name]) for own in ceilings.values()), percent(1.0), NOTHING]
        for name, text in _TOP.items()
    ]
    rows = []
    for name, method in found["methods"].items():
        total = _in_total(method, way)
        if total:
            alone, said = method.get(_SUBSETS[way]), found["published"].get(name, {}).get("f1")
            rows.append([
                name, *(percent(total["denominators"][sentences]["f1"]) for sentences in ceilings),
                percent(alone["f1"]) if alone else NOTHING,
                f"{said:.1f}" if said is not None else NOTHING,
            ])  # fmt: skip
    sets = [f"{_SENTENCES[name]}: {own['comments']:,}" for name, own in ceilings.items()]
    title = f"RoboCup by the sentences that count, {_WAYS[way]}: F1 in percent"
    last = [f"{sets[-1]}, learned from these alone", "published"]
    return Sheet(title, ["method", *sets, *last], [*top, *rows])


_SENTENCES = {
    "listed": "with candidates or gold",
    "candidates": "with candidates",
    "gold": "with gold",
    "reachable": "gold among the candidates",
    "spelled": "the same by its spelling",
}


def _readings(found: dict[str, Any]) -> Sheet:
    """Readings of the paper's text under the same protocols, both ways of learning."""
    ceilings = found["ceilings"]["sentences"]
    top = [
        [text, *(percent(own[name]) for _ in _WAYS for own in ceilings.values())]
        for name, text in _TOP.items()
    ]
    rows = [
        [name, *(percent(_in_total(method, way)["denominators"][sentences]["f1"])
                 for way in _WAYS for sentences in ceilings)]
        for name, method in found["readings"].items()
    ]  # fmt: skip
    columns = [
        f"{own['comments']:,}{', 4-fold' if way == 'folds' else ''}"
        for way in _WAYS
        for own in ceilings.values()
    ]
    title = "Readings of the paper on RoboCup, by the sentences that count: F1 in percent"
    return Sheet(title, ["reading", *columns], [*top, *rows])


def _in_total(method: dict[str, Any], way: str) -> dict[str, Any]:
    """The figures of all games, however the system learned; empty if it was not run so."""
    total: dict[str, Any] = (method.get("folds") or {}).get("total", {})
    return total if way == "folds" else method.get("total", {})


def pro_sheets(found: dict[str, Any]) -> list[Sheet]:
    methods = found["methods"]
    return [
        _clock_sheet(found, "minute", "Live text, minute clock, learned from all matches"),
        _clock_sheet(found, "second", "Live text, second clock, learned from all matches"),
        _table_1(found),
        _halves_sheet(methods),
        _sizes_sheet(methods),
        _radio_sheet(methods),
        _bbc_sheet(methods),
    ]


def _clock_sheet(found: dict[str, Any], track: str, title: str) -> Sheet:
    """A row for each method, and one for each that was also run with every match left out."""
    rows = []
    for name, method in found["methods"].items():
        for row, metrics in ((name, method.get(track)),
                             (f"{name}, left out", method.get(f"{track}_left_out"))):  # fmt: skip
            if metrics:
                rows.append([
                    row, with_interval(metrics, "f1"), percent(metrics["precision"]),
                    percent(metrics["recall"]), with_interval(metrics, "pr_auc"),
                    *difference(metrics.get("against_paper")),
                ])  # fmt: skip
    columns = ["method", "F1", "P", "R", "PR-AUC", f"F1 - {PAPER}", "p"]
    return Sheet(f"{title}: percent, 95 % intervals", columns, rows)


def _table_1(found: dict[str, Any]) -> Sheet:
    rows = []
    for name, method in found["methods"].items():
        metrics = method.get("alone")
        if metrics:
            said = found["published"].get(name, {})
            rows.append([
                name, percent(metrics["average_f1"]), with_interval(metrics, "f1"),
                percent(metrics["precision"]), percent(metrics["recall"]),
                percent(metrics["pr_auc"]), *difference(metrics.get("against_paper")),
                *_beside(said.get("f1"), metrics),
                *(f"{said[m]:.1f}" if m in said else NOTHING
                  for m in ("precision", "recall", "pr_auc")),
            ])  # fmt: skip
    columns = ["method", "F1, mean of half games", "F1", "P", "R", "PR-AUC", f"F1 - {PAPER}", "p",
               "published F1", "F1 - published", "published P", "R", "AUC"]  # fmt: skip
    title = "The paper's Table 1: each half game learned by itself, minute clock, percent"
    return Sheet(title, columns, rows)


def _halves_sheet(methods: dict[str, Any]) -> Sheet:
    halves = list(next((m["alone"]["halves"] for m in methods.values() if "alone" in m), {}))
    rows = [
        [name, *(percent(method["alone"]["halves"][half]["f1"]) for half in halves)]
        for name, method in methods.items()
        if "alone" in method
    ]
    title = "The paper's Figure 4: F1 of each half game, learned by itself, minute clock"
    return Sheet(title, ["method", *halves], rows)


def _sizes_sheet(methods: dict[str, Any]) -> Sheet:
    rows = [
        [f"{name}, {scope}", *(percent(_at(method["k"][k], scope)) for k in sorted(method["k"]))]
        for name, method in methods.items()
        if "k" in method
        for scope in ("all matches", "half games")
    ]
    title = "The paper's Figure 5: F1 against the largest macro-event k, minute clock"
    return Sheet(title, ["method, learned from", *(f"k = {k}" for k in range(1, 7))], rows)


def _at(metrics: dict[str, Any], scope: str) -> float:
    value: float = metrics["f1"] if scope == "all matches" else metrics["alone"]["f1"]
    return value


def _radio_sheet(methods: dict[str, Any]) -> Sheet:
    clocks = {"minute": "radio", "second": "radio_second"}
    rows = [
        [name, *(cell for track in clocks.values() for cell in _radio_cells(method.get(track)))]
        for name, method in methods.items()
        if "radio" in method
    ]
    columns = [f"{column}, {clock}" for clock in clocks
               for column in ("F1", "P/R", f"F1 - {PAPER}", "p")]  # fmt: skip
    return Sheet("Radio (speech recognition), two clocks", ["method", *columns], rows)


def _radio_cells(metrics: dict[str, Any] | None) -> list[str]:
    against = (metrics or {}).get("against_paper")
    return [with_interval(metrics, "f1"), _precision_recall(metrics), *difference(against)]


def _bbc_sheet(methods: dict[str, Any]) -> Sheet:
    rows = [
        [name, with_interval(method["bbc"], "accuracy")]
        for name, method in methods.items()
        if "bbc" in method
    ]
    title = "Templated live text (BBC), minute clock: main events found, percent"
    return Sheet(title, ["method", "main event"], rows)


def _precision_recall(metrics: dict[str, Any] | None) -> str:
    return f"{percent(metrics['precision'])}/{percent(metrics['recall'])}" if metrics else NOTHING


def _beside(said: float | None, metrics: dict[str, Any] | None) -> tuple[str, str]:
    """A published figure, and ours less it."""
    if said is None or not metrics:
        return NOTHING, NOTHING
    return f"{said:.1f}", f"{100 * metrics['f1'] - said:+.1f}"
