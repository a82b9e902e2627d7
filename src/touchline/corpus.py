"""A corpus folder: match folders with a log, a commentary and, where there are some, labels.

`<match>/events.*` and `lineups*.*` are the provider's own files, `comments.*` the commentary,
`gold.jsonl` the labels (`{"id", "events": [...]}` a labelled comment). `bbc.jsonl` and
`bbc-silver.jsonl` are a second, templated commentary with the one event that each line is about.
The RoboCup corpus of Chen & Mooney is read in its own layout.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import msgspec
from lxml import etree

from touchline.commentary import minute_only, read_comments
from touchline.errors import InputError, TouchlineError
from touchline.feeds import read_events, robocup
from touchline.files import read_bytes, read_utf8
from touchline.match import Comment, CommentId, Match

TRACKS = ("comments", "bbc")
# The files of a track: its commentary, whatever the ending, and its labels.
_COMMENTARY = {"comments": "comments", "bbc": "bbc"}
_LABELS = {"comments": "gold.jsonl", "bbc": "bbc-silver.jsonl"}

Gold = dict[CommentId, frozenset[str]]


class LabelledMatch(msgspec.Struct, frozen=True, kw_only=True):
    """A match and what its labelled comments tell; `gold` is None where nothing is labelled.

    What a comment tells is a set of keys; `keys` gives the key of an event where that is not
    its id: in RoboCup two events of one meaning are the same answer.
    """

    match: Match
    gold: Mapping[CommentId, frozenset[str]] | None = None
    keys: Mapping[str, str] | None = None

    def key(self, event_id: str) -> str:
        return self.keys[event_id] if self.keys is not None else event_id


def read_corpus(
    path: str | Path, *, clock: str = "second", track: str = "comments"
) -> Iterator[LabelledMatch]:
    """The matches of a corpus folder, in the order of their names.

    With `clock="minute"` comments know nothing but their period and a live page's clock.
    """
    path = Path(path)
    if is_robocup(path):
        if track != "comments":
            raise InputError(path, f"the RoboCup corpus has no track {track!r}")
        yield from _read_robocup(path)
        return
    for folder in match_folders(path, track):
        yield read_match_folder(folder, clock=clock, track=track)


def match_folders(path: str | Path, track: str = "comments") -> list[Path]:
    """The match folders of a corpus, or the folder itself when it is one."""
    path = Path(path)
    if not path.is_dir():
        raise InputError(path, "no such folder; expected a corpus (a folder of match folders)")
    text = _commentary_name(track)
    folders = [path] if _find(path, "events") else sorted(p for p in path.iterdir() if p.is_dir())
    found = [folder for folder in folders if _find(folder, "events") and _find(folder, text)]
    if not found:
        raise InputError(path, f"no match folder in it; expected <match>/events.* and {text}.*")
    return found


def read_match_folder(
    folder: Path, *, clock: str = "second", track: str = "comments"
) -> LabelledMatch:
    """One match folder with its commentary, the templated one on the track `bbc`."""
    text = _commentary_name(track)
    events, comments = _find(folder, "events"), _find(folder, text)
    if events is None or comments is None:
        raise InputError(folder, f"no match folder; expected events.* and {text}.*")
    match = read_events(events, lineups=sorted(folder.glob("lineups*.*"))).named(folder.name)
    said: Iterable[Comment] = read_comments(comments, extra_time=3 in match.periods)
    said = map(minute_only, said) if clock == "minute" else said
    match = match.with_comments(said)
    return LabelledMatch(match=match, gold=_read_gold(folder / _LABELS[track], match))


def _commentary_name(track: str) -> str:
    if track not in _COMMENTARY:
        raise TouchlineError(f"unknown track {track!r}; one of {', '.join(TRACKS)}")
    return _COMMENTARY[track]


def _find(folder: Path, stem: str) -> Path | None:
    """The file of that name, whatever its ending, packed or not."""
    return min((p for p in folder.glob(f"{stem}.*") if p.is_file()), default=None)


class _Label(msgspec.Struct):
    """A line of labels: the comment's events, or the one event of a templated line."""

    id: int | str
    events: list[str] = []
    event: str | None = None


def _read_gold(path: Path, match: Match) -> Gold | None:
    if not path.exists():
        return None
    gold: Gold = {}
    for number, line in enumerate(read_utf8(path).splitlines(), 1):
        if not line.strip():
            continue
        try:
            label = msgspec.json.decode(line, type=_Label)
        except msgspec.DecodeError as error:
            raise InputError(path, f"not a label ({error})", f"line {number}") from None
        if label.id in gold:
            raise InputError(path, f"a second label of comment {label.id!r}", f"line {number}")
        events = [*label.events, *([label.event] if label.event else [])]
        for event in events:
            if event not in match.event_by_id:
                problem = f"the event {event!r} is not in the log"
                raise InputError(path, problem, f"line {number}")
        gold[label.id] = frozenset(events)
    _check_comments(path, gold, match)
    return gold


def _check_comments(path: Path, ids: Iterable[CommentId], match: Match) -> None:
    """Labels of comments that are not there belong to another file, or the file is cut off."""
    known = {comment.id for comment in match.comments}
    for name in ids:
        if name not in known:
            raise InputError(path, f"the comment {name!r} is not in the commentary")


def is_robocup(path: Path) -> bool:
    return all((path / room).is_dir() for room in ("events", "nl", "training"))


def _read_robocup(path: Path) -> Iterator[LabelledMatch]:
    logs = sorted((path / "events").glob("*-processed-events"))
    if not logs:
        raise InputError(path, "no game in it; expected events/*-processed-events")
    for log in logs:
        match = read_events(log, "robocup")
        comments = read_comments(path / "nl" / f"{match.name}-comments", "robocup")
        match = match.with_comments(comments)
        candidates = _robocup_candidates(path / "training" / f"{match.name}-train", match)
        listed = [
            msgspec.structs.replace(comment, candidates=candidates.get(comment.id, ()))
            for comment in comments
        ]
        yield LabelledMatch(
            match=match.with_comments(listed),
            gold=_robocup_gold(path / "gold" / f"{match.name}-gold", match),
            keys={event.id: robocup.meaning(event) for event in match.events},
        )


def _examples(path: Path) -> Iterator[tuple[int, etree._Element]]:
    """The examples of an XML file of the corpus, by the comment that each is about."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    try:
        root = etree.fromstring(read_bytes(path).lstrip(), parser)
    except etree.XMLSyntaxError as error:
        problem = f"not the XML of the RoboCup corpus ({error.msg})"
        raise InputError(path, problem, f"line {error.lineno}") from None
    for example in root.iter("example"):
        number = example.get("id", "")
        if not number.isdecimal():
            problem = f"an example with the id {number!r}; expected a number"
            raise InputError(path, problem, f"line {example.sourceline}")
        yield int(number), example


def _robocup_candidates(path: Path, match: Match) -> dict[CommentId, tuple[str, ...]]:
    """Candidates per comment; a `semid` counts the events of the log from 0."""
    candidates: dict[CommentId, tuple[str, ...]] = {}
    for number, example in _examples(path):
        ids = (example.findtext("semid") or "").split()
        unknown = [i for i in ids if i not in match.event_by_id]
        if unknown:
            problem = f"the event {unknown[0]!r} is not in the log"
            raise InputError(path, problem, f"example {number}")
        candidates[number] = tuple(ids)
    _check_comments(path, candidates, match)
    return candidates


def _robocup_gold(path: Path, match: Match) -> Gold | None:
    """The meaning of each comment; those that the file leaves out tell no event."""
    if not path.exists():
        return None
    gold: Gold = {comment.id: frozenset() for comment in match.comments}
    for number, example in _examples(path):
        meaning = robocup.parse_meaning(example.findtext("mrl") or "")
        if meaning is None:
            raise InputError(path, "a meaning that is not understood", f"example {number}")
        gold[number] = frozenset([meaning])
    _check_comments(path, gold, match)
    return gold
