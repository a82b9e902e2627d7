"""How far an annotator agrees with `gold.jsonl` and with the other annotators."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from touchline.core.agreement import kappa, pair_f1
from touchline.core.records import CommentId, Match
from touchline.io.corpus.gold import GoldLine
from touchline.io.corpus.labels import GOLD, annotator_file, labels_by, read_label_files
from touchline.io.corpus.layout import CorpusMatch
from touchline.methods.buckets import Window, buckets


class Agreement(msgspec.Struct, frozen=True, kw_only=True):
    """The agreement with another file of labels, over the comments that both have labelled.

    `other` is `gold.jsonl` or an annotator's name; `machine` says who made its labels. A file with
    labels of both kinds has an agreement for each.
    """

    other: str
    machine: bool
    comments: int
    pair_f1: float
    exact: float
    kappa: float | None


class _Counts:
    """Pairs and comments of two annotators, over several matches."""

    def __init__(self) -> None:
        self.a = self.b = self.both = self.comments = self.equal = self.possible = 0

    def add(self, a: frozenset[str], b: frozenset[str], bucket: frozenset[str]) -> None:
        self.a, self.b, self.both = self.a + len(a), self.b + len(b), self.both + len(a & b)
        self.comments, self.equal = self.comments + 1, self.equal + (a == b)
        self.possible += len(bucket | a | b)

    def agreement(self, other: str, machine: bool) -> Agreement:
        return Agreement(
            other=other,
            machine=machine,
            comments=self.comments,
            pair_f1=pair_f1(self),
            exact=self.equal / self.comments,
            kappa=kappa(self, self.possible),
        )


def agreements(matches: Iterable[CorpusMatch], annotator: str, clock: str) -> list[Agreement]:
    """The agreement with each other file of labels: people's first, gold before all."""
    counts: dict[tuple[bool, str], _Counts] = {}
    for one in matches:
        own = annotator_file(one.path, annotator)
        if own.exists() and len(one.label_files) > 1:
            _compare(one, one.read(clock=clock, labels=False).match, annotator, counts)
    found = [count.agreement(other, machine) for (machine, other), count in counts.items()]
    return sorted(found, key=lambda one: (one.machine, one.other != GOLD, one.other))


def _compare(
    one: CorpusMatch, match: Match, annotator: str, counts: dict[tuple[bool, str], _Counts]
) -> None:
    files, _ = read_label_files(one.path, match)
    own = files.pop(annotator_file(one.path, annotator))
    inside = dict(_bucket_ids(match))
    for machine in (False, True):
        for path, labels in labels_by(files, machine=machine).items():
            other = GOLD if path == one.path / GOLD else path.stem
            for comment, a, b in _shared(own, labels):
                counts.setdefault((machine, other), _Counts()).add(a, b, inside[comment])


def _shared(
    own: Mapping[CommentId, GoldLine], other: Mapping[CommentId, GoldLine]
) -> Iterator[tuple[CommentId, frozenset[str], frozenset[str]]]:
    for comment, label in own.items():
        if comment in other:
            yield comment, frozenset(label.described), frozenset(other[comment].described)


def _bucket_ids(match: Match) -> Iterator[tuple[CommentId, frozenset[str]]]:
    """The events that each comment could describe, for the agreement that chance alone gives."""
    for comment, inside in zip(match.comments, buckets(match, Window()), strict=True):
        yield comment.id, frozenset(match.linkable[index].id for index in inside)
