"""How well kick-offs are found in recordings: python -m benchmarks.kickoffs.

Every match whose comments know their second is put on the clock of a recording that starts ten
minutes before the kick-off and runs through a break of fifteen, as one subtitle file and as one
per half. The output shows the error of the estimate in seconds, and its certainty. The
real recordings among the data (`asr/`) have no known kick-off: there the estimate itself is shown.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from touchline import read_corpus, read_match
from touchline.core.records import Comment, Kickoff, Match
from touchline.io.commentary import with_commentary
from touchline.sample import corpus_path

BEFORE, BREAK = 600.0, 900.0
PACE = 15.0  # characters of speech a second


def stamp(seconds: float) -> str:
    milliseconds = round(seconds * 1000)
    minutes, rest = divmod(milliseconds, 60_000)
    return f"{minutes // 60:02d}:{minutes % 60:02d}:{rest // 1000:02d},{rest % 1000:03d}"


def subtitles(comments: list[Comment], kickoffs: dict[int, float]) -> str:
    """The comments as SRT, each shown as long as it takes to say."""
    said = [(max(kickoffs[c.period or 1] + (c.time or 0), 0), c.text) for c in comments]
    cues = [(start, start + len(text) / PACE, text) for start, text in said]
    return "\n".join(
        f"{i}\n{stamp(start)} --> {stamp(end)}\n{text}\n"
        for i, (start, end, text) in enumerate(cues, 1)
    )


def recordings(match: Match, folder: Path) -> Iterator[tuple[str, list[Path], dict[int, float]]]:
    """The match as subtitles of one recording and of one per half, with where it kicks off."""
    whole = {1: BEFORE, 2: BEFORE + match.ends[1] + BREAK}
    halves = {1: BEFORE, 2: BEFORE}
    one = folder / "match.srt"
    one.write_text(subtitles(list(match.comments), whole), encoding="utf-8")
    yield "one file", [one], whole
    files = [folder / f"{period}.srt" for period in halves]
    for period, file in enumerate(files, 1):
        said = [comment for comment in match.comments if comment.period == period]
        file.write_text(subtitles(said, halves), encoding="utf-8")
    yield "per half", files, halves


def measure(corpus: Path) -> None:
    for labelled in read_corpus(corpus):
        match = labelled.match
        for how, files, truth in _written(match):
            show(match.name, how, with_commentary(match, files).kickoffs, truth)


def show(name: str, how: str, kickoffs: Iterable[Kickoff], truth: Mapping[int, float]) -> None:
    """By how much each estimate misses; behind a cut, from which second on it holds."""
    missed = [
        f"{k.period}: {k.seconds - truth.get(k.period, 0):+.1f} s ({k.certainty:.2f})"
        + (f" from {k.since:.0f} s on" if k.since is not None else "")
        + ("" if k.applied else " suspected, not applied")
        for k in kickoffs
    ]
    print(f"{name:24}{how:12}{'  '.join(missed)}")


def _written(match: Match) -> Iterator[tuple[str, list[Path], dict[int, float]]]:
    with tempfile.TemporaryDirectory() as folder:
        yield from recordings(match, Path(folder))


def measure_real(folder: Path) -> None:
    files = sorted((folder / "asr").glob("*.json"))
    match = read_match(folder / "events.json", files, lineups=[folder / "lineups.json"])
    show(folder.name, "asr/", match.kickoffs, {})


def main() -> None:
    data = os.environ.get("TOUCHLINE_DATA")
    print(f"{'match':24}{'files':12}period: seconds missed (certainty)")
    measure(corpus_path())
    if data:
        measure(Path(data) / "radio-2018")
        for folder in sorted(path.parent for path in Path(data).glob("epl-2015/*/asr")):
            measure_real(folder)


if __name__ == "__main__":
    main()
