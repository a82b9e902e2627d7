"""The records of the API, as in docs/server.md; the OpenAPI file is generated from them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from touchline.generation.findings import Finding

CommentId = int | str
# `machine` is who links what nobody has labelled.
_NOT_THE_MACHINE = r"(?![Mm][Aa][Cc][Hh][Ii][Nn][Ee]$)"
_NAME = rf"^{_NOT_THE_MACHINE}[\w.'-]+(?: [\w.'-]+)*$(?!\n)"
Annotator = Annotated[str, Meta(min_length=1, max_length=40, pattern=_NAME)]

JobState = Literal["waiting", "running", "done", "failed", "cancelled"]
Stage = Literal["waiting", "reading", "learning", "aligning", "checking", "explaining", "writing"]
Action = Literal["accept", "reject", "add", "none", "unsure", "note", "words", "clear"]
# Characters of a comment: start, and end (excluded), in Unicode code points.
Span = tuple[Annotated[int, Meta(ge=0)], Annotated[int, Meta(ge=0)]]

MAX_NOTE = 2000
MAX_SPANS = 50
MAX_HITS = 200


EXACT = 2**53  # browsers round whole numbers from here on


def page_id(comment: CommentId) -> CommentId:
    """The id of a comment as used on the page: numbers too long for a browser become text."""
    return str(comment) if isinstance(comment, int) and abs(comment) >= EXACT else comment


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """A record of the API."""


# The session -------------------------------------------------------------------------------------


class Limits(Record, frozen=True):
    upload_bytes: int
    upload_files: int
    upload_several: int
    waiting: int
    note: int = MAX_NOTE


class Session(Record, frozen=True):
    touchline: str
    token: bool
    signed_in: bool
    csrf: str | None
    formats: tuple[str, ...]
    methods: tuple[str, ...]
    method: str
    limits: Limits
    read_only: bool = False


class SignIn(Record, frozen=True):
    token: str


# Matches and jobs --------------------------------------------------------------------------------


class Job(Record, frozen=True):
    """A job; `files` says what the user calls each stored file, `upload` where they are kept."""

    id: str
    kind: Literal["upload", "align", "learn"]
    match: str | None
    title: str
    method: str
    state: JobState
    created: str
    stage: Stage = "waiting"
    done: float = 0.0
    problem: str | None = None
    ended: str | None = None
    files: dict[str, str] = {}
    upload: str | None = None


class Jobs(Record, frozen=True):
    jobs: list[Job]


class Dismissed(Record, frozen=True):
    """The ids of failed jobs that need not be shown any more."""

    jobs: list[str]


FileRole = Literal["log", "lineups", "commentary", "labels", "links", "archive", "unknown"]


class UploadFile(Record, frozen=True):
    """A file that was uploaded, and what it seems to be.

    `id` is what requests call it, `name` what the user does; `folder` is where it lies on the
    user's disk or in an `archive`. `count` is the number of events, comments, labels or files.
    """

    id: str
    name: str
    folder: str = ""
    bytes: int = 0
    archive: str | None = None
    role: FileRole | None = None
    what: str = ""
    count: int | None = None
    teams: list[str] = []
    date: str | None = None
    problem: str | None = None


class UploadMatch(Record, frozen=True):
    """Files that belong together; `warnings` are doubts, `problem` is why it cannot be read.

    A match that is not `checked` has not been read as a whole yet.
    """

    events: str
    comments: list[str] = []
    lineups: list[str] = []
    labels: str | None = None
    title: str = ""
    date: str | None = None
    warnings: list[str] = []
    problem: str | None = None
    checked: bool = False


class Upload(Record, frozen=True):
    """Files that were sent but are no match yet, and the matches that they would make.

    `jobs` are the files that each job uses.
    """

    id: str
    created: str
    files: list[UploadFile]
    matches: list[UploadMatch] = []
    jobs: dict[str, list[str]] = {}


class StartMatch(Record, frozen=True):
    """A match to start from files of an upload."""

    events: str
    comments: Annotated[list[str], Meta(min_length=1, max_length=4)]
    lineups: Annotated[list[str], Meta(max_length=4)] = []
    labels: str | None = None
    name: Annotated[str, Meta(max_length=80)] = ""


class StartRequest(Record, frozen=True):
    matches: Annotated[list[StartMatch], Meta(min_length=1, max_length=100)]
    method: str | None = None


class Progress(Record, frozen=True):
    """The progress of an annotator on a match."""

    name: str
    done: int
    open: int
    unsure: int


class Match(Record, frozen=True):
    name: str
    title: str
    state: Literal["new", "ready", "failed"]
    problem: str | None = None
    uploaded: bool = False
    gold: bool = False
    comments: int | None = None
    linked: int | None = None
    events: int | None = None
    score: str | None = None
    date: str | None = None
    method: str | None = None
    aligned: str | None = None
    answer: str | None = None
    job: Job | None = None
    annotators: tuple[Progress, ...] = ()


class Matches(Record, frozen=True):
    matches: list[Match]
    folder: str


class AlignRequest(Record, frozen=True):
    method: str | None = None


class Findings(Record, frozen=True):
    """What the log does not confirm of a match's commentary, as `touchline check` writes it."""

    match: str
    comments: int
    findings: list[Finding]


class LinksQuery(Record, frozen=True):
    format: str = "jsonl"
    annotator: Annotator | None = None


# Labels ------------------------------------------------------------------------------------------


class Label(Record, frozen=True):
    """One annotator's decision about a comment; of an adjudicated one, `by` is who made it."""

    comment: CommentId
    events: tuple[str, ...] = ()
    rejected: tuple[str, ...] = ()
    none: bool = False
    unsure: bool = False
    note: str = ""
    done: bool = False
    segments: dict[str, tuple[Span, ...]] = {}
    revision: int = 0
    at: str | None = None
    by: str = ""


class Step(Record, frozen=True):
    """A step that can be undone or redone."""

    id: int
    action: str
    comments: tuple[CommentId, ...]


class Labels(Record, frozen=True):
    labels: list[Label]
    latest: int
    undo: Step | None
    redo: Step | None


class LabelResult(Record, frozen=True):
    label: Label
    latest: int
    undo: Step | None
    redo: Step | None


class LabelAction(Record, frozen=True, forbid_unknown_fields=True):
    comment: CommentId
    revision: Annotated[int, Meta(ge=0)]
    action: Action
    event: str | None = None
    value: bool | None = None
    text: Annotated[str, Meta(max_length=MAX_NOTE)] | None = None
    spans: Annotated[tuple[Span, ...], Meta(max_length=MAX_SPANS)] | None = None


class StepRequest(Record, frozen=True):
    step: int


class QueueQuery(Record, frozen=True):
    annotator: Annotator
    order: Literal["uncertain", "match", "teaching"] = "uncertain"
    state: Literal["open", "all"] = "open"


class Queued(Record, frozen=True):
    comment: CommentId
    doubt: float
    done: bool
    unsure: bool
    gain: float = 0.0


class Queue(Record, frozen=True):
    comments: list[Queued]


class AnswerOf(Record, frozen=True):
    """Annotators who gave the same answer, and their events."""

    annotators: list[str]
    events: tuple[str, ...]


class Disagreement(Record, frozen=True):
    """A comment on which finished labels differ, and what was decided about it, if anything."""

    comment: CommentId
    answers: list[AnswerOf]
    adjudicated: Label | None = None


class Disagreements(Record, frozen=True):
    disagreements: list[Disagreement]


class Adjudication(Record, frozen=True, forbid_unknown_fields=True):
    """The decision about a comment: its events, and who decided; null takes the decision back."""

    comment: CommentId
    revision: Annotated[int, Meta(ge=0)]
    by: Annotator
    events: Annotated[tuple[str, ...], Meta(max_length=MAX_SPANS)] | None


# Learning from labels ----------------------------------------------------------------------------


class Figures(Record, frozen=True):
    """Scores over (comment, event) pairs; `exact` is the share of comments with equal sets."""

    precision: float
    recall: float
    f1: float
    exact: float


class Comparison(Record, frozen=True):
    """Scores on a match whose labels were left out, on so many labelled comments.

    `bundled` is the method as it comes, null if that has learned from the match; `without` and
    `labels` are a model of the folder's other matches, without their labels and with them; `over`
    is the bundled model with the same labels, null if there is none for all matches.
    """

    match: str
    comments: int
    bundled: Figures | None
    without: Figures
    labels: Figures
    over: Figures | None = None


class LearnedModel(Record, frozen=True):
    """A model that was learned from the folder; `skipped` are labels that no longer fit.

    `over_bundled` says whether it is the bundled model with the folder's labels, `labels_by` how
    labels answer.
    """

    id: str
    method: str
    learned: str
    matches: int
    labelled: int
    comments: int
    skipped: int
    left_out: list[Comparison]
    total: Comparison
    over_bundled: bool = False
    labels_by: str = ""


class LabelCount(Record, frozen=True):
    """How many comments of a match have a finished label, by anybody or in its gold.jsonl."""

    match: str
    title: str
    comments: int


class Learning(Record, frozen=True):
    """What could be learned from, what is being learned, and the models there are.

    `missing` says what must be labelled before learning is possible. `offered` waits for somebody
    to use it, `used` answers alignments.
    """

    labelled: list[LabelCount]
    missing: str | None
    job: Job | None
    offered: LearnedModel | None
    used: LearnedModel | None


class UseRequest(Record, frozen=True):
    model: str


# Agreement ---------------------------------------------------------------------------------------


class AgreementQuery(Record, frozen=True):
    a: Annotator
    b: Annotator
    match: str | None = None


class Pairs(Record, frozen=True):
    a: int
    b: int
    both: int


class Difference(Record, frozen=True):
    """A comment on which two annotators differ: their events by id, and in words."""

    match: str
    comment: CommentId
    a: tuple[str, ...]
    b: tuple[str, ...]
    title: str
    clock: str | None
    text: str
    a_events: list[str]
    b_events: list[str]


class Agreement(Record, frozen=True):
    a: str
    b: str
    comments: int
    pairs: Pairs
    pair_f1: float | None
    exact: float | None
    kappa: float | None
    differences: list[Difference]


# Search ------------------------------------------------------------------------------------------

Minute = Annotated[int, Meta(ge=0, le=10_000)]


Standing = Literal["leading", "level", "trailing"]
_Name = Annotated[str, Meta(max_length=500)]
_RENAMED = {"first": "from", "last": "to"}


class Filters(Record, frozen=True, rename=_RENAMED):
    """What a comment must say and describe; `standing` is the score as the event's team sees it."""

    q: Annotated[str, Meta(max_length=1000)] = ""
    player: _Name | None = None
    kind: _Name | None = None
    team: _Name | None = None
    outcome: _Name | None = None
    standing: Standing | None = None
    phase: _Name | None = None
    match: _Name | None = None
    first: Minute | None = None
    last: Minute | None = None


class SearchQuery(Filters, frozen=True, rename=_RENAMED):
    limit: Annotated[int, Meta(ge=1, le=MAX_HITS)] = 50
    offset: Annotated[int, Meta(ge=0, le=1_000_000)] = 0
    facets: bool = False


class ExportQuery(Filters, frozen=True, rename=_RENAMED):
    format: Literal["csv", "vtt"] = "csv"


class Recorded(Record, frozen=True):
    """A place in the recording of a commentary: its seconds, and the time code `HH:MM:SS.mmm`."""

    seconds: float
    code: str


class HitEvent(Record, frozen=True):
    """An event of a hit; `code` is its time on the match clock.

    `recorded` is where it is seen in the comment's recording.
    """

    id: str
    what: str
    clock: str
    period: int
    time: float
    code: str | None = None
    recorded: Recorded | None = None


class HitPhase(Record, frozen=True):
    team: str
    kind: str | None
    period: int
    span: tuple[float, float]


class Hit(Record, frozen=True):
    """A comment that was found; `code` is the time of its first event on the match clock.

    `recorded` is where it is said, if a recording timed it.
    """

    match: str
    title: str
    comment: CommentId
    clock: str | None
    minute: int | None
    text: str
    marks: list[tuple[int, int]]
    events: list[HitEvent]
    by: str
    phase: HitPhase | None
    code: str | None = None
    recorded: Recorded | None = None


class Meant(Record, frozen=True):
    """A text with near spellings that are found, and how many comments it finds."""

    q: str
    total: int


class FacetValue(Record, frozen=True):
    value: str
    count: int


class Facets(Record, frozen=True):
    """How many of the comments that were found have each value, the most frequent first."""

    players: list[FacetValue]
    teams: list[FacetValue]
    kinds: list[FacetValue]
    outcomes: list[FacetValue]
    standings: list[FacetValue]
    phases: list[FacetValue]


class Hits(Record, frozen=True):
    """The comments that were found; `meant` is a near spelling where there are none."""

    total: int
    hits: list[Hit]
    meant: Meant | None = None
    facets: Facets | None = None


class SavedSearch(Record, frozen=True):
    """A search that somebody saved for everybody who uses the server."""

    name: str
    query: Filters
    saved: str


class SavedSearches(Record, frozen=True):
    searches: list[SavedSearch]


class SaveRequest(Record, frozen=True):
    name: Annotated[str, Meta(min_length=1, max_length=80)]
    query: Filters


class ChoicesQuery(Record, frozen=True):
    match: str | None = None


class Choices(Record, frozen=True):
    players: list[str]
    kinds: list[str]
    teams: list[str]


class EventsQuery(Record, frozen=True):
    match: str | None = None


# Errors ------------------------------------------------------------------------------------------


class ErrorDetail(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    code: str
    message: str
    label: Label | None = None
    undo: Step | None = None
    redo: Step | None = None


class ErrorResponse(Record, frozen=True):
    error: ErrorDetail
