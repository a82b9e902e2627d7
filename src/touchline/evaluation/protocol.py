"""How a method is scored on a corpus: which matches it learns from, which clock it is given."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

import msgspec

from touchline.core.errors import InputError, TouchlineError, UsageError, warn_of
from touchline.core.links import CommentLinks
from touchline.core.records import CommentId, Match
from touchline.evaluation.bootstrap import rate_intervals, share_interval
from touchline.evaluation.calibration import Calibration
from touchline.evaluation.held_out import FITTED, Answering, OwnModels
from touchline.evaluation.metrics import LineScore, Score, add_up, score_each, score_each_line
from touchline.evaluation.phases import PhaseScore, score_phases
from touchline.evaluation.segments import SegmentReport, SegmentScore
from touchline.io.corpus.layout import Broken, LabelledMatch, read_corpus
from touchline.io.corpus.segments import FILE as SEGMENTS
from touchline.io.links.origin import read_origin
from touchline.io.links.predictions import read_predictions
from touchline.io.storage import AnyPath, as_path, named_like
from touchline.methods.base import Alignment, Labels, WordLabels
from touchline.methods.registry import Aligner
from touchline.methods.streaming import Streaming

Progress = Callable[[Sequence[LabelledMatch]], Iterable[LabelledMatch]]
AnyScore = Score | LineScore | SegmentScore | PhaseScore
# What the scores of each track add up from, and the file of its labels.
_NOTHING: dict[str, Callable[[], AnyScore]] = {
    "comments": lambda: Score(candidates=[]), "bbc": LineScore, "segments": SegmentScore,
    "phases": PhaseScore,
}  # fmt: skip
_FILES = {
    "comments": "gold.jsonl", "bbc": "bbc-silver.jsonl", "segments": SEGMENTS,
    "phases": "phases.jsonl",
}  # fmt: skip


class Evaluation(msgspec.Struct, kw_only=True):
    """Scores of one method on one corpus, per match and in total.

    `answered` says for each match which model answered it; for a links file this is not known.
    `labels` says whether any match was answered by a model that learned from the labels of other
    matches; a match's own labels are never learned from. `calibration`, if requested, says how well
    scores agree with the share of right answers. `interval` has 95 % intervals over comments, on
    the tracks `comments` and `bbc`; `segments`, on the track of that name, has its own intervals
    and the baselines.
    """

    corpus: str
    method: str
    clock: str
    track: str
    scores: dict[str, AnyScore]
    answered: dict[str, str] = {}
    labels: bool = False
    calibration: Calibration | None = None
    interval: dict[str, list[float]] = {}
    segments: SegmentReport | None = None

    def __repr__(self) -> str:
        first, value = next(iter(self.total.metrics().items()))
        figure = self.total.metrics().get("f1", value)
        name = "F1" if "f1" in self.total.metrics() else first
        return (
            f"Evaluation({self.corpus!r}, {self.method}, {self.clock} clock, track {self.track}, "
            f"{len(self.scores)} matches, {name} {figure:.3f})"
        )

    @property
    def total(self) -> AnyScore:
        """The scores of all matches together."""
        total = _NOTHING[self.track]()
        for score in self.scores.values():
            total = total + score  # type: ignore[operator]  # one track has one kind of score
        return total

    def to_json(self) -> dict[str, Any]:
        """Return the scores in the documented form.

        Returns
        -------
        dict[str, Any]
            The JSON of `touchline evaluate`; fractions, not percent.
        """
        calibration = {"calibration": self.calibration.to_json()} if self.calibration else {}
        return {
            "corpus": self.corpus,
            "method": self.method,
            "clock": self.clock,
            "track": self.track,
            "matches": {name: score.metrics() for name, score in self.scores.items()},
            "total": self.total.metrics(),
            "answered": self.answered,
            "labels": self.labels,
            **({"interval": self.interval} if self.interval else {}),
            **calibration,
            **(self.segments.to_json() if self.segments else {}),
        }


def evaluate(
    corpus: str | AnyPath,
    aligner: Aligner,
    *,
    method: str | None = None,
    clock: str = "minute",
    track: str = "comments",
    fitted: bool = False,
    also_fit: Iterable[str | AnyPath] = (),
    only: Iterable[str] = (),
    progress: Progress = iter,
    broken: Broken | None = None,
    calibration: bool = False,
    text_column: str | None = None,
    clock_column: str | None = None,
) -> Evaluation:
    """Score an aligner against the labels of a corpus.

    Parameters
    ----------
    corpus
        The corpus folder.
    aligner
        The method to score.
    method
        The name to report, such as one with its preset; the aligner's own when None.
    clock
        `minute`: comments know their period and minute, as on any live page. `second`: the exact
        time.
    track
        `comments`; `bbc` for the templated commentary and its main events; `segments` for the
        words of each event; `phases` for the spells of a team that comments are about.
    fitted
        Whether the aligner has learned already. If not, it answers with its bundled model, or
        learns from the corpus itself, see `touchline.evaluation.held_out`.
    also_fit
        Further corpora to learn from. A method that learns from labels learns from theirs too: no
        match is then answered by what its text or the labels of its log have taught, see
        `touchline.evaluation.held_out`. Other methods learn from all matches, without labels.
    only
        Names of the matches to score; all are still read and learned from.
    progress
        Wraps the sequence of scored matches, for instance with a progress bar.
    broken
        Called with name and problem of each match that cannot be read, which is then left out;
        without it, such a match is an error.
    calibration
        Whether to judge scores as well; on the track `comments` only.
    text_column
        The column of tables of comments that has the text, if it is not recognised.
    clock_column
        The column of tables of comments that has the clock or minute.

    Returns
    -------
    Evaluation
        The scores per match and in total.

    Raises
    ------
    InputError
        The corpus cannot be read or has no labels.
    TouchlineError
        A name in `only` is not that of a labelled match.
    """
    read = partial(
        read_corpus, clock=clock, broken=broken, text_column=text_column, clock_column=clock_column
    )
    matches = list(read(corpus, track=track))
    own = [labelled.match for labelled in matches]
    corpora = {as_path(p).resolve(): list(also_read(p, read)) for p in also_fit}
    more = [m for some in corpora.values() for m in some]
    labels = {} if track == "bbc" else labels_of([*matches, *more])
    names = [path.name for path in corpora]
    answering: Answering | OwnModels | None = None
    if not fitted and (not more or (aligner.learns_from_labels and labels)):
        every = {**corpora, as_path(corpus).resolve(): matches}
        if more and isinstance(aligner, Streaming) and OwnModels.can_be(every):
            answering = OwnModels(aligner, every)
        else:
            every_match = [*own, *(m.match for m in more)]
            answering = Answering(aligner, every_match, labels, names, words_of(matches))
    elif not fitted:
        aligner.fit([*own, *(m.match for m in more)])
    given = "the model given" if fitted else f"{FITTED}, and on others"
    answered: dict[str, str] = {}
    with_labels: set[str] = set()

    def infer(match: Match) -> Alignment:
        alignment, how = answering.infer(match) if answering else (aligner.infer(match), given)
        answered[match.name] = how
        if alignment.model.labels:
            with_labels.add(match.name)
        new = (doubt for doubt in alignment.links.warnings if doubt not in match.warnings)
        warn_of(f"{match.name}: {doubt}" for doubt in new)
        return alignment

    judged = Calibration([], []) if calibration else None
    scores: dict[str, AnyScore] = {}
    each = _Comments(track)
    segments = SegmentReport()
    for labelled in progress(labelled_matches(corpus, matches, only, track)):
        alignment = infer(labelled.match)
        if track == "segments":
            scores[labelled.match.name] = segments.add(labelled, alignment)
        else:
            scores[labelled.match.name] = each.score(labelled, alignment.links)
        if judged is not None:
            judged.add(labelled, alignment.links)
    method = method or aligner.name
    return Evaluation(
        corpus=_name(corpus), method=method, clock=clock, track=track, scores=scores,
        answered=answered, labels=bool(with_labels), calibration=judged, interval=each.interval(),
        segments=segments if track == "segments" else None,
    )  # fmt: skip


def _name(corpus: str | AnyPath) -> str:
    return as_path(corpus).resolve().name


def also_read(
    path: str | AnyPath, read: Callable[[str | AnyPath], Iterator[LabelledMatch]]
) -> Iterator[LabelledMatch]:
    """The matches of a further corpus, under names that no match of the first one has."""
    corpus = _name(path)
    for one in read(path):
        named = one.match.named(f"{corpus}/{one.match.name}")
        yield msgspec.structs.replace(one, match=named)


def labels_of(matches: Iterable[LabelledMatch]) -> Labels:
    """The golds of a corpus as labels; those that are not events by id cannot be learned from."""
    return {m.match.name: m.gold for m in matches if m.gold is not None and m.keys is None}


def words_of(matches: Iterable[LabelledMatch]) -> WordLabels:
    """The words of events that are labelled; they are read on the track of segments only."""
    return {m.match.name: m.segments for m in matches if m.segments}


def evaluate_predictions(
    corpus: str | AnyPath,
    links: str | AnyPath,
    *,
    clock: str = "minute",
    track: str = "comments",
    only: Iterable[str] = (),
    broken: Broken | None = None,
    text_column: str | None = None,
    clock_column: str | None = None,
) -> Evaluation:
    """Score a links file of one or more matches of a corpus, or a folder of links files.

    Predictions of any system are accepted, see `touchline.io.links.predictions`.

    Parameters
    ----------
    corpus
        The corpus folder.
    links
        The links file (JSON Lines or CSV), or a folder of them.
    clock
        The clock to report where the links do not say with which one they were made.
    track
        `comments`, `bbc` for the templated commentary and its main events, or `phases` for the
        spells of a team that comments are about.
    only
        Names of the matches to score; by default all that the links cover.
    broken
        Called with name and problem of each match that cannot be read, which is then left out;
        without it, such a match is an error.
    text_column
        The column of tables of comments that has the text, if it is not recognised.
    clock_column
        The column of tables of comments that has the clock or minute.

    Returns
    -------
    Evaluation
        The scores per match and in total.

    Raises
    ------
    InputError
        The corpus or the links cannot be read, or do not belong together.
    """
    if track == "segments":
        raise UsageError("a links file cannot say which words describe the gold events; "
                         "use --method on the track segments")  # fmt: skip
    matches = read_corpus(corpus, clock=clock, track=track, broken=broken,
                          text_column=text_column, clock_column=clock_column)  # fmt: skip
    labelled = labelled_matches(corpus, matches, only, track)
    answers = predicted(links, labelled)
    known = [m for m in labelled if m.match.name in answers]
    each = _Comments(track)
    scores = {m.match.name: each.score(m, answers[m.match.name]) for m in known}
    name = as_path(corpus).resolve().name
    origin = read_origin(links_files(as_path(links))[0])
    if origin is not None:
        clock = str(origin.command.get("clock", clock))
    return Evaluation(
        corpus=name, method="predictions", clock=clock, track=track, scores=scores,
        labels=origin is not None and origin.labels, interval=each.interval(),
    )  # fmt: skip


def predicted(
    links: str | AnyPath, labelled: Sequence[LabelledMatch]
) -> dict[str, list[CommentLinks]]:
    """The predictions of a file or folder about labelled matches, checked, by match."""
    found: dict[str, list[CommentLinks]] = {}
    for answer in (a for file in links_files(as_path(links)) for a in read_predictions(file)):
        found.setdefault(answer.match, []).append(answer)
    known = {m.match.name: m for m in labelled if m.match.name in found}
    if not known:
        names = ", ".join(m.match.name for m in labelled)
        raise InputError(
            links, f"contains no labelled match of the corpus; expected one of {names}"
        )
    answers = {name: _by_id(found[name], m.match) for name, m in known.items()}
    for name, m in known.items():
        _check_answers(links, m, answers[name])
    return answers


def _by_id(answers: Iterable[CommentLinks], match: Match) -> list[CommentLinks]:
    """The answers under the ids that comments have; in a table all of them are text."""
    ids = {comment.id for comment in match.comments}
    by_text = {str(comment.id): comment.id for comment in match.comments}
    return [
        answer
        if answer.comment in ids
        else msgspec.structs.replace(
            answer, comment=by_text.get(str(answer.comment), answer.comment)
        )
        for answer in answers
    ]


def links_files(path: AnyPath) -> list[AnyPath]:
    if not path.is_dir():
        return [path]
    files = named_like(path, "*.jsonl")
    if not files:
        raise InputError(path, "contains no links; expected MATCH.jsonl")
    return files


def labelled_matches(
    corpus: str | AnyPath, matches: Iterable[LabelledMatch], only: Iterable[str], track: str
) -> list[LabelledMatch]:
    """The matches with labels, or those of them that are asked for."""
    only = set(only)
    labelled = [m for m in matches if (m.segments if track == "segments" else m.gold) is not None]
    if not labelled:
        expected = f"expected <match>/{_FILES[track]}"
        raise InputError(corpus, f"no labels to score against; {expected}")
    names = {m.match.name for m in labelled}
    if unknown := sorted(only - names):
        known = ", ".join(sorted(names))
        raise TouchlineError(
            f"no labelled match {unknown[0]!r} in {corpus}; expected one of {known}"
        )
    return [m for m in labelled if not only or m.match.name in only]


def _check_answers(
    path: str | AnyPath, labelled: LabelledMatch, answers: Iterable[CommentLinks]
) -> None:
    """Answers that do not fit the match would be scored as something they are not."""
    events = labelled.match.event_by_id
    comments = {comment.id for comment in labelled.match.comments}
    answered: set[CommentId] = set()
    for answer in answers:
        where = f"match {answer.match}, comment {answer.comment!r}"
        if answer.comment not in comments:
            raise InputError(path, "no such comment in the corpus", where)
        if answer.comment in answered:
            raise InputError(path, "the comment is answered twice", where)
        answered.add(answer.comment)
        for link in (*answer.events, *(answer.candidates or ())):
            if link.id not in events:
                raise InputError(path, f"the event {link.id!r} is not in the match log", where)
            if not 0 <= link.score <= 1:
                raise InputError(path, f"score {link.score}; expected 0 to 1", where)


class _Comments:
    """The scores of comments one by one, from which intervals are drawn."""

    def __init__(self, track: str) -> None:
        self._track = track
        self._comments: list[Score] = []
        self._lines: list[bool] = []

    def score(self, labelled: LabelledMatch, answers: Iterable[CommentLinks]) -> AnyScore:
        """The score of a match."""
        if self._track == "phases":
            return score_phases(labelled, answers)
        if self._track == "bbc":
            hits = list(score_each_line(labelled, answers).values())
            self._lines += hits
            return LineScore(right=sum(hits), lines=len(hits))
        scores = list(score_each(labelled, answers).values())
        self._comments += scores
        return add_up(scores)

    def interval(self) -> dict[str, list[float]]:
        """95 % intervals of the figures of all matches together."""
        if self._lines:
            return {"accuracy": share_interval(self._lines, seed=0)}
        return rate_intervals(self._comments, seed=0) if self._comments else {}
