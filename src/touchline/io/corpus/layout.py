"""A corpus folder: match folders with a log, a commentary and, where there are some, labels.

`<match>/events.*` and `lineups*.*` are the provider's own files, `comments.*` the commentary,
`gold.jsonl` the labels (`{"id", "events": [...]}` a labelled comment), `phases.jsonl` those of
phases (see `touchline.io.corpus.phases`). `bbc.jsonl` and
`bbc-silver.jsonl` are a second, templated commentary with the one event that each line is about.
The RoboCup corpus of Chen & Mooney is read in its own layout.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from touchline.core.errors import InputError, TouchlineError, warn_of
from touchline.core.records import CommentId, Match
from touchline.io.commentary import minute_only, read_comments, with_commentary
from touchline.io.commentary.columns import ANY, Columns
from touchline.io.corpus.folder import KNOWN, candidates, input_files, match_files
from touchline.io.corpus.gold import Gold, GoldLine, as_gold, check_comments, read_labels
from touchline.io.corpus.labels import label_files
from touchline.io.corpus.phases import FILE as PHASES
from touchline.io.corpus.phases import GoldPhase, read_phases
from touchline.io.corpus.segments import FILE as SEGMENTS
from touchline.io.corpus.segments import Segments, read_segments
from touchline.io.feeds import read_events, robocup
from touchline.io.files import is_text, read_bytes, readable
from touchline.io.storage import AnyPath, RemotePath, as_path, named_like

if TYPE_CHECKING:
    from lxml import etree

# The commentaries that a match may have, and what can be scored: of the first, its words and
# phases as well.
TEXTS = ("comments", "bbc")
TRACKS = (*TEXTS, "segments", "phases")
# The files of a track: its commentary, whatever the ending, and its labels.
_COMMENTARY = {"bbc": "bbc", "comments": "comments", "segments": "comments", "phases": "comments"}
_LABELS = {
    "bbc": "bbc-silver.jsonl", "comments": "gold.jsonl", "segments": "gold.jsonl",
    "phases": "gold.jsonl",
}  # fmt: skip

# Called with the name of a match that cannot be read, and why.
Broken = Callable[[str, str], None]


class LabelledMatch(msgspec.Struct, frozen=True, kw_only=True):
    """A match and what its labelled comments describe; `gold` is None where nothing is labelled.

    What a comment describes is a set of keys; `keys` gives the key of an event where that is not
    its id: in RoboCup two events of one meaning are the same answer. `unsure` are the comments
    whose labels their annotator doubts; they are scored like all others. `respelt` are the comments
    of RoboCup whose label is spaced differently from the log, so that strings do not match.
    `segments` are the characters that describe each event, on the track `segments`, where there are
    some; on the track `phases`, `phases` are those of the labelled comments that are about one.
    """

    match: Match
    gold: Mapping[CommentId, frozenset[str]] | None = None
    keys: Mapping[str, str] | None = None
    unsure: frozenset[CommentId] = frozenset()
    respelt: frozenset[CommentId] = frozenset()
    segments: Segments | None = None
    phases: Mapping[CommentId, GoldPhase] | None = None

    def __repr__(self) -> str:
        labels = "no labels" if self.gold is None else f"{len(self.gold)} labelled"
        return f"LabelledMatch({self.match!r}, {labels})"

    def key(self, event_id: str) -> str:
        return self.keys[event_id] if self.keys is not None else event_id


class CorpusMatch(msgspec.Struct, frozen=True, kw_only=True):
    """A match of a corpus that is still to be read, so that one broken match stops no other.

    `path` is its folder, or its log in the RoboCup layout. With `strict`, doubts about what was
    read make it unreadable. `columns` are those of its commentary, where the user has named them.
    """

    name: str
    path: AnyPath
    track: str = "comments"
    strict: bool = False
    columns: Columns = ANY

    @property
    def files(self) -> list[AnyPath]:
        """What an alignment reads: log, line-ups, commentary; the labels are not among them."""
        if self.path.is_dir():
            return input_files(self.path, _commentary_name(self.track))
        return [self.path, *_robocup_files(self.path, self.name)[:2]]

    @property
    def versions(self) -> dict[str, str] | None:
        """What the store says of its files by which contents differ; None if local."""
        files = [path for path in self.files if isinstance(path, RemotePath)]
        found = {path.name: path.version for path in files if path.version}
        return found if found and len(found) == len(self.files) else None

    def fetched(self) -> CorpusMatch:
        """The match with its files in memory, where each is a request away."""
        if isinstance(self.path, Path) or not self.path.is_dir():
            return self
        names = [path.name for path in (*self.files, self.labels) if path]
        return msgspec.structs.replace(self, path=self.path.fetched(names))

    @property
    def labels(self) -> AnyPath | None:
        """The file of its labels, where it has some."""
        in_folder = self.path / _LABELS[self.track]
        path = in_folder if self.path.is_dir() else _robocup_files(self.path, self.name)[2]
        return path if path.exists() else None

    @property
    def label_files(self) -> list[AnyPath]:
        """What `fit --labels` reads; of a templated text nothing."""
        if self.track != "comments":
            return []
        if self.path.is_dir():
            words = self.path / SEGMENTS
            return [*label_files(self.path), *([words] if words.is_file() else [])]
        return [self.labels] if self.labels else []

    def read(
        self, *, clock: str = "second", track: str | None = None, labels: bool = True
    ) -> LabelledMatch:
        """Read it; with `clock="minute"` comments know their period and a live page's clock.

        Without `labels` their file is not even opened.
        """
        labelled = self._read(clock, track or self.track, labels)
        if self.strict and labelled.match.warnings:
            raise InputError(self.path, "; ".join(labelled.match.warnings))
        return labelled

    def _read(self, clock: str, track: str, labels: bool) -> LabelledMatch:
        if self.path.is_dir():
            return read_match_folder(
                self.path, clock=clock, track=track, labels=labels, columns=self.columns
            )
        _check_robocup_track(self.path, track)
        return _read_robocup(self.path, self.name)


def corpus_matches(
    path: str | AnyPath, track: str = "comments", *, strict: bool = False, columns: Columns = ANY
) -> list[CorpusMatch]:
    """The matches of a corpus folder, in the order of their names, not read yet."""
    path = listed_corpus(path)
    if not is_robocup(path):
        folders = match_folders(path, track)
        return [
            CorpusMatch(name=_name(f), path=f, track=track, strict=strict, columns=columns)
            for f in folders
        ]
    _check_robocup_track(path, track)
    logs = named_like(path / "events", f"*{_ROBOCUP_LOG}")
    if not logs:
        raise InputError(path, f"contains no game; expected events/*{_ROBOCUP_LOG}")
    return [CorpusMatch(name=log.name.removesuffix(_ROBOCUP_LOG), path=log) for log in logs]


def read_corpus(
    path: str | AnyPath,
    *,
    clock: str = "second",
    track: str = "comments",
    broken: Broken | None = None,
    text_column: str | None = None,
    clock_column: str | None = None,
) -> Iterator[LabelledMatch]:
    """Read the matches of a corpus folder, in the order of their names.

    Doubts about a match are issued as `TouchlineWarning`.

    Parameters
    ----------
    path
        The corpus folder, or a single match folder.
    clock
        `second` for the comments' exact times where known; `minute` for only their period and
        minute, as on a live page.
    track
        `comments`, `bbc` for the templated commentary and its main events, or `phases` for the
        comments and the phases they are about.
    broken
        Called with name and problem of each match that cannot be read, which is then left out;
        without it, such a match is an error.
    text_column
        The column of tables of comments that has the text, if it is not recognised.
    clock_column
        The column of tables of comments that has the clock or minute.

    Yields
    ------
    LabelledMatch
        A match and its labels, if it has any.

    Raises
    ------
    InputError
        The folder is not a corpus, or a match cannot be read.
    """
    columns = Columns(text_column, clock_column)
    for match in corpus_matches(path, track, columns=columns):
        try:
            labelled = match.read(clock=clock)
        except TouchlineError as error:
            if broken is None:
                raise
            broken(match.name, str(error))
        else:
            warn_of(f"{match.name}: {doubt}" for doubt in labelled.match.warnings)
            yield labelled


def match_folders(path: str | AnyPath, track: str = "comments") -> list[AnyPath]:
    """The match folders of a corpus, or the folder itself when it is one."""
    text = _commentary_name(track)
    folders = [f for f in corpus_folders(listed_corpus(path)) if is_text(f.name)]
    found = _with_log_and_text(folders, text)
    if not found:
        # An archive of a folder has the folder in it; what is listed can be looked through.
        listed = (f for f in folders if isinstance(f, RemotePath))
        below = (f for f in listed if _with_log_and_text(corpus_folders(f), text))
        problem = f"contains no match folder; expected <match>/events.* and {text}.* {KNOWN}"
        if (corpus := next(below, None)) is not None:
            problem = f"contains no match folder, but its folder {corpus.name} does; give {corpus}"
        raise InputError(path, problem)
    return found


def _with_log_and_text(folders: Iterable[AnyPath], text: str) -> list[AnyPath]:
    return [f for f in folders if candidates(f, "events") and candidates(f, text)]


def listed_corpus(path: str | AnyPath) -> AnyPath:
    """A corpus with all that is in it: a folder, an archive, or a URL, which is asked once."""
    path = as_path(path)
    if path.suffix.lower() == ".zip" and path.is_file():
        path = as_path(f"zip::{path.url if isinstance(path, RemotePath) else path}")
    return path.listed() if isinstance(path, RemotePath) else path


def corpus_folders(path: AnyPath) -> list[AnyPath]:
    """The folders in which a corpus has its matches: those in it, or itself when it is a match."""
    if path.is_file():
        raise InputError(path, "is a file; expected a corpus (a folder of match folders)")
    if not path.is_dir():
        raise InputError(path, "no such folder; expected a corpus (a folder of match folders)")
    if candidates(path, "events"):
        return [path]
    return [p for p in named_like(path, "*") if p.is_dir() and not p.name.startswith(".")]


def half_matches(path: str | AnyPath, track: str = "comments") -> Iterator[tuple[str, str]]:
    """Folders of a corpus that look like a match and are none, and why."""
    path = listed_corpus(path)
    if is_robocup(path):
        return
    for folder in corpus_folders(path):
        fault = fault_of(folder)
        looks = candidates(folder, "events") or candidates(folder, "comments")
        # Not every match has the other track.
        if fault and looks and (track == "comments" or not is_text(folder.name)):
            yield readable(_name(folder)), fault


def fault_of(folder: AnyPath) -> str | None:
    """Why a folder of a corpus is no match; None for one that is."""
    missing = [f"{name}.*" for name in ("events", "comments") if not candidates(folder, name)]
    if missing:
        return f"contains no {' and no '.join(missing)}"
    return None if is_text(folder.name) else "the folder's name is not valid UTF-8; rename it"


def read_match_folder(
    folder: str | AnyPath,
    *,
    clock: str = "second",
    track: str = "comments",
    labels: bool = True,
    columns: Columns = ANY,
) -> LabelledMatch:
    """One match folder with its commentary, the templated one on the track `bbc`."""
    folder = as_path(folder)
    text = _commentary_name(track)
    files = match_files(folder, text)
    if files.events is None or files.comments is None:
        raise InputError(folder, f"not a match folder; expected events.* and {text}.* {KNOWN}")
    match = read_events(files.events, lineups=files.lineups).named(_name(folder))
    match = with_commentary(match, files.comments, columns=columns)
    if clock == "minute":
        comments_by_minute = map(minute_only, match.comments)
        match = match.with_comments(comments_by_minute, match.kickoffs, match.second_half)
    found = read_labels(folder / _LABELS[track], match) if labels else None
    segments = read_segments(folder / SEGMENTS, match) if labels and track == "segments" else None
    if track == "phases":
        return _with_phases(folder, match, found) if labels else LabelledMatch(match=match)
    if found is None:
        return LabelledMatch(match=match, segments=segments)
    unsure = frozenset(comment for comment, label in found.items() if not label.sure)
    return LabelledMatch(match=match, gold=as_gold(found), unsure=unsure, segments=segments)


def _with_phases(
    folder: AnyPath, match: Match, found: Mapping[CommentId, GoldLine] | None
) -> LabelledMatch:
    """A match with its labelled phases; without labels of events, every comment is labelled."""
    phases = read_phases(folder / PHASES, match)
    if phases is None:
        return LabelledMatch(match=match)
    labelled = {comment.id for comment in match.comments} if found is None else set(found)
    gold = dict.fromkeys(sorted(labelled | set(phases), key=str), frozenset[str]())
    return LabelledMatch(match=match, gold=gold, phases=phases)


def _commentary_name(track: str) -> str:
    if track not in _COMMENTARY:
        raise TouchlineError(f"unknown track {track!r}; expected one of {', '.join(TRACKS)}")
    return _COMMENTARY[track]


def _name(folder: AnyPath) -> str:
    """The folder's name, be it given as `.` or `..`; a link keeps its own."""
    return folder.name if isinstance(folder, RemotePath) else Path(os.path.abspath(folder)).name


_ROBOCUP_LOG = "-processed-events"


def is_robocup(path: AnyPath) -> bool:
    return all((path / room).is_dir() for room in ("events", "nl", "training"))


def _check_robocup_track(path: AnyPath, track: str) -> None:
    if track != "comments":
        raise InputError(path, f"the RoboCup corpus has no track {track!r}")


def _robocup_files(log: AnyPath, name: str) -> tuple[AnyPath, AnyPath, AnyPath]:
    """Comments, candidates and labels of the game with that log."""
    corpus = log.parent.parent
    rooms = {"nl": "comments", "training": "train", "gold": "gold"}
    comments, training, gold = (corpus / room / f"{name}-{end}" for room, end in rooms.items())
    return comments, training, gold


def _read_robocup(log: AnyPath, name: str) -> LabelledMatch:
    said, training, gold = _robocup_files(log, name)
    match = read_events(log, "robocup")
    comments = read_comments(said, "robocup")
    match = match.with_comments(comments)
    candidates = _robocup_candidates(training, match)
    listed = [
        msgspec.structs.replace(comment, candidates=candidates.get(comment.id, ()))
        for comment in comments
    ]
    meanings, respelt = _robocup_gold(gold, match) if gold.exists() else (None, frozenset())
    return LabelledMatch(
        match=match.with_comments(listed),
        gold=meanings,
        keys={event.id: robocup.meaning(event) for event in match.events},
        respelt=respelt,
    )


def _examples(path: AnyPath) -> Iterator[tuple[int, etree._Element]]:
    """The examples of an XML file of the corpus, by the comment that each is about."""
    from lxml import etree  # which no other corpus needs

    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    try:
        root = etree.fromstring(read_bytes(path).lstrip(), parser)
    except etree.XMLSyntaxError as error:
        problem = f"not the XML of the RoboCup corpus ({error.msg})"
        raise InputError(path, problem, f"line {error.lineno}") from None
    for example in root.iter("example"):
        number = example.get("id", "")
        if not number.isdecimal() or len(number) > 9:
            problem = f"example id {number!r} is not a number"
            raise InputError(path, problem, f"line {example.sourceline}")
        yield int(number), example


def _robocup_candidates(path: AnyPath, match: Match) -> dict[CommentId, tuple[str, ...]]:
    """Candidates per comment; a `semid` counts the events of the log from 0."""
    candidates: dict[CommentId, tuple[str, ...]] = {}
    for number, example in _examples(path):
        ids = (example.findtext("semid") or "").split()
        unknown = [i for i in ids if i not in match.event_by_id]
        if unknown:
            problem = f"the event {unknown[0]!r} is not in the log"
            raise InputError(path, problem, f"example {number}")
        candidates[number] = tuple(ids)
    check_comments(path, candidates, match)
    return candidates


def _robocup_gold(path: AnyPath, match: Match) -> tuple[Gold, frozenset[CommentId]]:
    """The meaning of each comment, and the comments whose meaning is spaced in another way.

    Those that the file leaves out describe no event.
    """
    gold: Gold = {comment.id: frozenset() for comment in match.comments}
    respelt = set()
    for number, example in _examples(path):
        written = example.findtext("mrl") or ""
        meaning = robocup.parse_meaning(written)
        if meaning is None:
            raise InputError(path, "the meaning cannot be parsed", f"example {number}")
        gold[number] = frozenset([meaning])
        if written.split() != meaning.split():
            respelt.add(number)
    check_comments(path, gold, match)
    return gold, frozenset(respelt)
