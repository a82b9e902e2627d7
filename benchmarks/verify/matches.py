"""Every log of TOUCHLINE_DATA: generated, verified, and lines drawn to be read by people."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.measuring import Table
from benchmarks.verify.feeds import read
from benchmarks.verify.verifier import KINDS, Verifier

STYLED = "epl-2015"  # the corpus with live text, from which styles are learned
_MORE = {
    "Opta packed": ("socceraction_match-2017-8-918893.json", ()),
    "Opta F24, cut": ("kloppy_opta_f24.xml", ("kloppy_opta_f7.xml",)),
    "Wyscout 2499719": ("koenvo_2499719.json", ()),
    "Wyscout 2499773": ("kloppy_wyscout_events_v2.json", ()),
}


class Source(NamedTuple):
    """A match: a name, the log, the files with names."""

    name: str
    log: Path
    lineups: Sequence[Path] = ()


def sources(data: Path) -> Iterator[Source]:
    """Each log once."""
    seen = set()
    for corpus in ("epl-2015", "tv-2015", "radio-2018"):
        for log in sorted((data / corpus).glob("*/events.json")):
            if log.parent.name not in seen:
                seen.add(log.parent.name)
                yield Source(log.parent.name, log, sorted(log.parent.glob("lineups.json")))
    feeds = data / "feeds"
    for log in sorted((feeds / "opta-f24").glob("f24*.xml")):
        yield Source("Opta F24", log, sorted(log.parent.glob("f7*.xml")))
    for name, folder in (("Stats Perform MA3", "statsperform-ma3"), ("WhoScored", "whoscored"),
                         ("Wyscout", "wyscout")):  # fmt: skip
        yield from (Source(name, log) for log in sorted((feeds / folder).glob("*.json")))
    more = data / "feeds-more"
    for name, (log_name, lineups) in _MORE.items():
        if (more / log_name).exists():
            yield Source(name, more / log_name, [more / one for one in lineups])
    for log in sorted((data / "robocup" / "events").glob("*-processed-events")):
        yield Source(f"RoboCup {log.name[:4]}", log)


def generate(source: Source, out: Path, *options: str) -> None:
    """Run `touchline generate`, as a user would."""
    words = [str(source.log), "-o", str(out), *options]
    words += [word for path in source.lineups for word in ("--lineups", str(path))]
    subprocess.run([sys.executable, "-m", "touchline", "generate", *words], check=True)


def generate_all(data: Path, folder: Path, seed: int = 0) -> list[tuple[Source, Path]]:
    """Every log in our own phrases."""
    folder.mkdir(parents=True, exist_ok=True)
    made = []
    for source in sources(data):
        out = folder / f"{source.name}.jsonl"
        generate(source, out, "--seed", str(seed))
        made.append((source, out))
    return made


def generate_styled(data: Path, folder: Path, seed: int = 0) -> list[tuple[Source, Path]]:
    """Matches in a style of others: of the five other EPL matches, the three other RoboCup finals,
    and for every other log of all EPL matches.
    """
    folder.mkdir(parents=True, exist_ok=True)
    corpus = sorted(path.parent for path in (data / STYLED).glob("*/events.json"))
    every, made = _style(corpus, folder / "all.style"), []
    for source in sources(data):
        style = every
        if source.log.parent in corpus:
            others = [one for one in corpus if one != source.log.parent]
            style = _style(others, folder / f"without {source.name}.style")
        elif source.name.startswith("RoboCup"):
            others = [_other_finals(data / "robocup", folder / f"without {source.name}", source)]
            style = _style(others, folder / f"without {source.name}.style")
        out = folder / f"{source.name}.jsonl"
        generate(source, out, "--seed", str(seed), "--style", str(style))
        made.append((source, out))
    return made


def _other_finals(corpus: Path, out: Path, source: Source) -> Path:
    """A copy of the RoboCup corpus without one final."""
    shutil.copytree(corpus, out, dirs_exist_ok=True)
    for path in out.rglob(f"{source.log.name[:9]}*"):
        path.unlink()
    return out


def _style(matches: Sequence[Path], out: Path) -> Path:
    words = [*map(str, matches), "--style", "-o", str(out)]
    subprocess.run([sys.executable, "-m", "touchline", "fit", *words], check=True,
                   stderr=subprocess.DEVNULL)  # fmt: skip
    return out


def table(made: Sequence[tuple[Source, Path]], title: str, show: bool = False) -> Table:
    """A row for each match, and one for all."""
    rows, total = [], Counter[str]()
    for source, out in made:
        found = verify(source.log, out, source.lineups, print if show else None)
        total.update(found)
        rows.append([source.name, *found.values()])
    rows.append(["all", *(total[kind] for kind in ("lines", *KINDS))])
    head = ["match", "lines", "wrong names", "wrong scores", "wrong details"]
    return Table(title, head, rows)


def verify(
    log: Path,
    generated: Path,
    lineups: Sequence[Path] = (),
    show: Callable[[str], None] | None = None,
) -> dict[str, int]:
    """How many lines have a wrong name, score or detail; `show` gets those lines."""
    verifier = Verifier(read(log, lineups))
    count: Counter[str] = Counter()
    for line in _lines(generated):
        found = list(verifier.problems(line))
        count["lines"] += 1
        count.update({kind for kind, _ in found})
        if show is not None and found:
            show(f"{generated.stem} {line['clock']:>6} {line['text']} {line['wording']}")
            for kind, problem in found:
                show(f"       !! {kind}: {problem}")
    return {name: count[name] for name in ("lines", *KINDS)}


def _lines(generated: Path) -> list[dict[str, Any]]:
    return [json.loads(row) for row in generated.read_text("utf-8").splitlines()]


def drawn(made: Sequence[tuple[Source, Path]], number: int, seed: int) -> Iterator[str]:
    """Random lines of all matches, each with the file's records around it, to be read by people.

    Every match has as many lines as every other, so that no feed is too few to be seen.
    """
    chance = random.Random(seed)
    share = -(-number // len(made))
    picked = []
    for source, out in made:
        lines = _lines(out)
        picked += [(source, line) for line in chance.sample(lines, min(share, len(lines)))]
    for count, (source, line) in enumerate(
        sorted(chance.sample(picked, min(number, len(picked))), key=_place), 1
    ):
        log = read(source.log, source.lineups)
        yield f"#{count} {source.name} {line['clock']} {line['text']}"
        yield from (f"    {mark} {record.raw}" for mark, record in _around(log.records, line))


def _place(one: tuple[Source, dict[str, Any]]) -> tuple[str, int, float]:
    return one[0].name, one[1]["period"], one[1]["time"]


def _around(records: Sequence[Any], line: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """The records of a line, marked, and what has to do with the ball in the seconds around."""
    own = set(map(str, line["events"]))
    times = [r.time for r in records if r.id in own and r.period == line["period"]]
    first, last = min(times, default=0) - 4, max(times, default=0) + 5
    for record in records:
        quiet = record.kind in ("Carry", "Ball Receipt*", "Pressure", "Camera On", "ballstopped")
        if record.id in own:
            yield "*", record
        elif record.period == line["period"] and first <= record.time <= last and not quiet:
            yield " ", record
