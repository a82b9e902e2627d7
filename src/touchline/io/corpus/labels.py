"""Labels to learn from: `<match>/gold.jsonl`, `<match>/labels/<annotator>.jsonl`, `segments.jsonl`.

What is in `gold.jsonl` is adjudicated and counts, whatever annotators say. Of other comments each
annotator's label counts by how well they agree with the others. Labels by a machine count only
where no person has labelled the comment, and never lower what a person's label counts. The words
of an event are those of `segments.jsonl`, else those of the first annotator who has chosen them. A
line that is no label, or not of this match, is named and skipped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from touchline.core.errors import TouchlineError
from touchline.core.records import CommentId, Match
from touchline.io.corpus.gold import GoldLine, GoldLineError, parse_gold
from touchline.io.corpus.segments import FILE as SEGMENTS
from touchline.io.corpus.segments import Segments, problem_of_spans, read_segments
from touchline.io.files import read_utf8
from touchline.io.storage import AnyPath, local_path, named_like

GOLD, ANNOTATORS = "gold.jsonl", "labels"
ADJUDICATED = "gold"  # the annotator of what was decided about disagreements
# A label that its annotator doubts counts so much.
DOUBTED = 0.5

Said = dict[frozenset[str], float]
Annotators = Mapping[AnyPath, Mapping[CommentId, GoldLine]]


class BadLabel(NamedTuple):
    """A line of a file of labels that was skipped, and why."""

    path: AnyPath
    line: int
    problem: str

    def __str__(self) -> str:
        return f"{self.path}: line {self.line}: {self.problem}"


class MatchLabels(NamedTuple):
    """What is said about the comments of a match, and the lines that were skipped.

    Of each comment: sets of event ids, each with how much it counts, one in all at most. `machine`
    are the comments that only machines have labelled. `words` are the words of events, where
    somebody has chosen them.
    """

    said: dict[CommentId, Said]
    bad: list[BadLabel]
    machine: frozenset[CommentId] = frozenset()
    words: Segments = MappingProxyType({})


def annotator_file(folder: AnyPath, annotator: str) -> Path:
    """Where the labels of an annotator are in a match folder."""
    return local_path(folder) / ANNOTATORS / f"{annotator}.jsonl"


def label_files(folder: AnyPath) -> list[AnyPath]:
    """The files of a match folder's labels, the adjudicated ones first."""
    own = [folder / GOLD, *named_like(folder / ANNOTATORS, "*.jsonl")]
    return [path for path in own if path.is_file()]


def listed_labels(
    match: Match, gold: Mapping[CommentId, frozenset[str]], keys: Mapping[str, str]
) -> dict[CommentId, Said]:
    """Labels by meaning, as in the RoboCup layout, as sets of event ids.

    Candidates of the same meaning are equally right. A comment that has none of them teaches
    nothing.
    """
    found: dict[CommentId, Said] = {}
    for comment in match.comments:
        meant = gold.get(comment.id)
        if meant is None:
            continue
        same = [event for event in comment.candidates or () if keys.get(event) in meant]
        if same:
            found[comment.id] = {frozenset({event}): 1 / len(same) for event in same}
        elif not meant:
            found[comment.id] = {frozenset(): 1.0}
    return found


def read_match_labels(
    folder: AnyPath, match: Match, more: Mapping[str, Iterable[GoldLine]] | None = None
) -> MatchLabels:
    """All labels of a match.

    `more` are labels that the folder does not have, by annotator; those of `gold` are adjudicated.
    They replace what the same annotator says of the same comments in the folder.
    """
    found, bad = read_label_files(folder, match)
    for name, labels in (more or {}).items():
        own = dict(_of_match(Path(name), enumerate(labels, 1), match, bad))
        path = folder / GOLD if name == ADJUDICATED else annotator_file(folder, name)
        found[path] = found.get(path, {}) | own
    gold = found.pop(folder / GOLD, {})
    people, machines = labels_by(found, machine=False), labels_by(found, machine=True)
    said = _weighed(people, people, gold)
    said |= {comment: {_events(label): 1.0} for comment, label in gold.items()}
    by_machine = _weighed(machines, {**people, **machines}, gold)
    alone = {comment: counts for comment, counts in by_machine.items() if comment not in said}
    words = _words(folder / SEGMENTS, match, [*people.values(), *machines.values()], bad)
    return MatchLabels(said | alone, bad, frozenset(alone), words)


def _words(
    path: AnyPath,
    match: Match,
    annotators: Iterable[Mapping[CommentId, GoldLine]],
    bad: list[BadLabel],
) -> Segments:
    """The words of events, the adjudicated ones first."""

    def skip(line: int, problem: str) -> None:
        bad.append(BadLabel(path, line, problem))

    try:
        own = read_segments(path, match, skip) or {}
    except TouchlineError as error:
        skip(1, str(error).removeprefix(f"{path}: "))
        own = {}
    found = {comment: dict(words) for comment, words in own.items()}
    for labels in annotators:
        for comment, label in labels.items():
            for event, spans in label.segments.items():
                if spans and event in label.described:
                    found.setdefault(comment, {}).setdefault(event, spans)
    return found


def read_label_files(
    folder: AnyPath, match: Match
) -> tuple[dict[AnyPath, dict[CommentId, GoldLine]], list[BadLabel]]:
    """The labels of each file of a match folder, and the lines that were skipped."""
    bad: list[BadLabel] = []
    return {path: dict(_readable(path, match, bad)) for path in label_files(folder)}, bad


def labels_by(files: Annotators, *, machine: bool) -> dict[AnyPath, dict[CommentId, GoldLine]]:
    """Those labels of annotators' files that machines made, or those that people made."""
    chosen = {
        path: {comment: label for comment, label in labels.items() if label.machine == machine}
        for path, labels in files.items()
    }
    return {path: labels for path, labels in chosen.items() if labels}


def _readable(
    path: AnyPath, match: Match, bad: list[BadLabel]
) -> Iterator[tuple[CommentId, GoldLine]]:
    """The labels of a file that belong to the match."""

    def skip(error: GoldLineError) -> None:
        bad.append(BadLabel(path, error.line, error.problem))

    try:
        text = read_utf8(path)
    except TouchlineError as error:
        bad.append(BadLabel(path, 1, str(error).removeprefix(f"{path}: ")))
        return
    yield from _of_match(path, parse_gold(text, skip), match, bad)


def _of_match(
    path: AnyPath, labels: Iterable[tuple[int, GoldLine]], match: Match, bad: list[BadLabel]
) -> Iterator[tuple[CommentId, GoldLine]]:
    """The labels whose comment and events the match has."""
    texts = {comment.id: comment.text for comment in match.comments}
    for number, label in labels:
        unknown = sorted(e for e in label.described if e not in match.event_by_id)
        if label.id not in texts:
            problem = f"the comment {label.id!r} is not in the commentary"
            bad.append(BadLabel(path, number, problem))
        elif unknown:
            bad.append(BadLabel(path, number, f"the event {unknown[0]!r} is not in the log"))
        elif wrong := _problem_of_words(label, texts[label.id]):
            bad.append(BadLabel(path, number, wrong))
        else:
            yield label.id, label


def _problem_of_words(label: GoldLine, text: str) -> str | None:
    found = (problem_of_spans(spans, text) for spans in label.segments.values())
    return next((problem for problem in found if problem), None)


def of_match(
    path: AnyPath, labels: Iterable[tuple[int, GoldLine]], match: Match
) -> tuple[dict[CommentId, GoldLine], list[BadLabel]]:
    """The labels whose comment and events the match has, and the others."""
    bad: list[BadLabel] = []
    return dict(_of_match(path, labels, match, bad)), bad


def _agreement(path: AnyPath, own: Mapping[CommentId, GoldLine], others: Annotators) -> float:
    """How far an annotator agrees with the others and with gold, in the mean; 1 if all alone."""
    shared = [
        _f1(_events(label), _events(other[comment]))
        for another, other in others.items()
        for comment, label in own.items()
        if another != path and comment in other
    ]
    return sum(shared) / len(shared) if shared else 1.0


def _weighed(
    annotators: Annotators, others: Annotators, gold: Mapping[CommentId, GoldLine]
) -> dict[CommentId, Said]:
    """What annotators say of each comment, each counting by the agreement with others and gold."""
    said: dict[CommentId, Said] = {}
    several: dict[CommentId, int] = {}
    for path, labels in annotators.items():
        weight = _agreement(path, labels, {Path(GOLD): gold, **others})
        for comment, label in labels.items():
            counts = weight * (1.0 if label.sure else DOUBTED)
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
