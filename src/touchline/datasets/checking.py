"""What a corpus folder holds, match by match, and what it lacks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from touchline.commentary.doubts import doubts
from touchline.corpus import CorpusMatch, candidates, corpus_matches, is_robocup
from touchline.errors import InputError, TouchlineError
from touchline.match import Match


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """What a match holds and `lacks`; `broken` says why it cannot be used at all."""

    name: str
    match: Match | None = None
    labels: int = 0
    lacks: tuple[str, ...] = ()
    broken: str | None = None


def check_corpus(folder: Path) -> Iterator[Checked]:
    """Every match of a corpus folder, read once; and every folder in it that is none."""
    if not folder.is_dir():
        raise InputError(folder, "no such folder; expected a corpus (a folder of match folders)")
    if is_robocup(folder):
        yield from map(_check, corpus_matches(folder))
        return
    inner = (
        [folder]
        if candidates(folder, "events")
        else sorted(p for p in folder.iterdir() if p.is_dir())
    )
    for path in inner:
        missing = [name for name in ("events", "comments") if not candidates(path, name)]
        if missing:
            lacking = " and ".join(f"{name}.*" for name in missing)
            yield Checked(name=path.name, broken=f"no {lacking} in it")
        else:
            yield _check(CorpusMatch(name=path.resolve().name, path=path))


def _check(one: CorpusMatch) -> Checked:
    try:
        labelled = one.read()
    except TouchlineError as error:
        return Checked(name=one.name, broken=str(error))
    lacks = [*doubts(labelled.match)]
    if one.path.is_dir() and not candidates(one.path, "lineups*"):
        lacks.append("no lineups.*: players are known by the names in the log alone")
    if labelled.gold is None:
        lacks.append("no gold.jsonl: it is learned from, but not scored")
    return Checked(
        name=one.name, match=labelled.match, labels=len(labelled.gold or ()), lacks=tuple(lacks)
    )
