"""How often a commentary on another match is noticed: python -m benchmarks.wrong_match.

Every text of TOUCHLINE_DATA is read with the log of its own match and with the logs of all others:
whole, by halves, and in windows of 20 minutes. Texts of two invented squads that meet again and
again stand for the same teams on another date. The intervals are Wilson's, at 95 %.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.measuring import Table, real_data, show
from touchline import Comment, Match, read_corpus
from touchline.io.commentary.same_match import wrong_match
from touchline.sample.season import rematches, write_played

CORPORA = (("epl-2015", "comments"), ("epl-2015", "bbc"), ("radio-2018", "comments"),
           ("tv-2015", "comments"), ("tv-spanish", "comments"))  # fmt: skip
KINDS = ("right", "same teams, another date", "one common team", "no common team")
WINDOW = 1200.0
REMATCHES = 8

Key = tuple[str, str]


def tables() -> Iterator[Table]:
    alarms: Counter[Key] = Counter()
    tried: Counter[Key] = Counter()
    for kind, match in _pairings():
        for part, comments in _parts(match.comments):
            tried[kind, part] += 1
            alarms[kind, part] += wrong_match(match.with_comments(comments)) is not None
    rows = [
        (kind, part, tried[kind, part], alarms[kind, part], _interval(alarms[kind, part], count))
        for kind in KINDS
        for part in ("whole", "half", "20 minutes")
        if (count := tried[kind, part])
    ]
    yield Table("Alarms", ["log and text", "part", "tried", "alarms", "95 % interval"], rows)


def _pairings() -> Iterator[tuple[str, Match]]:
    """Logs with the comments of their own match, and with those of others."""
    read = [
        m.match for corpus, track in CORPORA for m in read_corpus(real_data() / corpus, track=track)
    ]
    logs = {match.name: match for match in reversed(read)}
    for text in read:
        for name, log in logs.items():
            common = len({t.name for t in log.teams} & {t.name for t in text.teams})
            kind = "right" if name == text.name else KINDS[3 - common]
            yield kind, log.with_comments(text.comments)
    with tempfile.TemporaryDirectory() as folder:
        for played in rematches(REMATCHES):
            write_played(Path(folder), played)
        again = [m.match for m in read_corpus(folder)]
    for log in again:
        for text in again:
            yield KINDS[log.name != text.name], log.with_comments(text.comments)


def _parts(comments: Sequence[Comment]) -> Iterator[tuple[str, list[Comment]]]:
    yield "whole", list(comments)
    for period in (1, 2):
        half = [c for c in comments if c.period == period and c.start is not None]
        windows = [[c for c in half if at <= (c.start or 0) < at + WINDOW] for at in (0, WINDOW)]
        for part, own in (("half", half), *(("20 minutes", window) for window in windows)):
            if own:
                yield part, own


def _interval(hits: int, tried: int, z: float = 1.96) -> str:
    """Wilson's interval of a share, in percent."""
    share = hits / tried
    middle = (share + z * z / (2 * tried)) / (1 + z * z / tried)
    spread = z * (share * (1 - share) / tried + z * z / (4 * tried * tried)) ** 0.5
    spread /= 1 + z * z / tried
    return f"{100 * max(middle - spread, 0):.1f} to {100 * min(middle + spread, 1):.1f} %"


if __name__ == "__main__":
    show(tables())
