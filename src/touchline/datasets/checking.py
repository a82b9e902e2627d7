"""What a corpus folder contains, match by match, and what it lacks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from touchline.core.errors import TouchlineError
from touchline.core.records import Match
from touchline.io.corpus.folder import candidates
from touchline.io.corpus.layout import (
    CorpusMatch,
    corpus_folders,
    corpus_matches,
    fault_of,
    is_robocup,
)
from touchline.io.files import readable


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """What a match has and `lacks`; `broken` says why it cannot be used at all."""

    name: str
    match: Match | None = None
    labels: int = 0
    lacks: tuple[str, ...] = ()
    broken: str | None = None


def check_corpus(folder: Path) -> Iterator[Checked]:
    """Read every match of a corpus folder and report what it contains and lacks.

    Parameters
    ----------
    folder
        The corpus folder.

    Yields
    ------
    Checked
        The result for a match, or for a folder that is not a match folder.
    """
    if is_robocup(folder):
        yield from map(_check, corpus_matches(folder))
        return
    for path in corpus_folders(folder):
        if (fault := fault_of(path)) is not None:
            yield Checked(name=readable(path.resolve().name), broken=fault)
        else:
            yield _check(CorpusMatch(name=path.resolve().name, path=path))


def _check(one: CorpusMatch) -> Checked:
    try:
        labelled = one.read()
    except TouchlineError as error:
        return Checked(name=one.name, broken=str(error))
    lacks = [*labelled.match.warnings]
    if one.path.is_dir() and not candidates(one.path, "lineups*"):
        lacks.append("no lineups.*: only the player names in the log are known")
    if labelled.gold is None:
        lacks.append("no gold.jsonl: used for training, not scored")
    return Checked(
        name=one.name, match=labelled.match, labels=len(labelled.gold or ()), lacks=tuple(lacks)
    )
