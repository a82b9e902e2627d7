"""Labels to learn from: `<match>/gold.jsonl`, and `<match>/labels/<annotator>.jsonl`.

What is in `gold.jsonl` is adjudicated and counts, whatever annotators say. Of other comments each
annotator's label counts by how well they agree with the others. A line that is no label, or not of
this match, is named and skipped.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from touchline.core.errors import TouchlineError
from touchline.core.records import CommentId, Match
from touchline.io.corpus.gold import GoldLine, GoldLineError, parse_gold
from touchline.io.files import read_utf8

GOLD, ANNOTATORS = "gold.jsonl", "labels"
# A label that its annotator doubts counts so much.
DOUBTED = 0.5

Said = dict[frozenset[str], float]


class BadLabel(NamedTuple):
    """A line of a file of labels that was skipped, and why."""

    path: Path
    line: int
    problem: str

    def __str__(self) -> str:
        return f"{self.path}: line {self.line}: {self.problem}"


class MatchLabels(NamedTuple):
    """What is said about the comments of a match, and the lines that were skipped.

    Of each comment: sets of event ids, each with how much it counts, one in all at most.
    """

    said: dict[CommentId, Said]
    bad: list[BadLabel]


def label_files(folder: Path) -> list[Path]:
    """The files of a match folder's labels, the adjudicated ones first."""
    own = [folder / GOLD, *sorted((folder / ANNOTATORS).glob("*.jsonl"))]
    return [path for path in own if path.is_file()]


def read_match_labels(folder: Path, match: Match) -> MatchLabels:
    """All labels of a match."""
    bad: list[BadLabel] = []
    gold: dict[CommentId, GoldLine] = {}
    annotators: dict[str, dict[CommentId, GoldLine]] = {}
    for path in label_files(folder):
        found = dict(_readable(path, match, bad))
        if path == folder / GOLD:
            gold = found
        else:
            annotators[path.stem] = found
    weights = {name: _agreement(name, annotators, gold) for name in annotators}
    said = _weighed(annotators, weights)
    said |= {comment: {_events(label): 1.0} for comment, label in gold.items()}
    return MatchLabels(said, bad)


def _readable(
    path: Path, match: Match, bad: list[BadLabel]
) -> Iterator[tuple[CommentId, GoldLine]]:
    """The labels of a file that belong to the match."""
    comments = {comment.id for comment in match.comments}

    def skip(error: GoldLineError) -> None:
        bad.append(BadLabel(path, error.line, error.problem))

    try:
        text = read_utf8(path)
    except TouchlineError as error:
        bad.append(BadLabel(path, 1, str(error).removeprefix(f"{path}: ")))
        return
    for number, label in parse_gold(text, skip):
        unknown = sorted(e for e in label.described if e not in match.event_by_id)
        if label.id not in comments:
            skip(GoldLineError(number, f"the comment {label.id!r} is not in the commentary"))
        elif unknown:
            skip(GoldLineError(number, f"the event {unknown[0]!r} is not in the log"))
        else:
            yield label.id, label


def _agreement(
    name: str,
    annotators: Mapping[str, Mapping[CommentId, GoldLine]],
    gold: Mapping[CommentId, GoldLine],
) -> float:
    """How far an annotator agrees with the others and with gold, in the mean; 1 if all alone."""
    own = annotators[name]
    others = [gold, *(labels for other, labels in annotators.items() if other != name)]
    shared = [
        _f1(_events(label), _events(other[comment]))
        for other in others
        for comment, label in own.items()
        if comment in other
    ]
    return sum(shared) / len(shared) if shared else 1.0


def _weighed(
    annotators: Mapping[str, Mapping[CommentId, GoldLine]], weights: Mapping[str, float]
) -> dict[CommentId, Said]:
    """What annotators say of each comment, each of them counting by their weight."""
    said: dict[CommentId, Said] = {}
    several: dict[CommentId, int] = {}
    for name, labels in annotators.items():
        for comment, label in labels.items():
            counts = weights[name] * (1.0 if label.sure else DOUBTED)
            own = said.setdefault(comment, {})
            own[_events(label)] = own.get(_events(label), 0.0) + counts
            several[comment] = several.get(comment, 0) + 1
    return {
        comment: {events: counts / several[comment] for events, counts in own.items() if counts}
        for comment, own in said.items()
    }


def _events(label: GoldLine) -> frozenset[str]:
    return frozenset(label.described)


def _f1(one: frozenset[str], other: frozenset[str]) -> float:
    return 2 * len(one & other) / (len(one) + len(other)) if one or other else 1.0
