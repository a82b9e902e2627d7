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
from touchline.errors import InputError
from touchline.feeds import read_events, robocup
from touchline.files import read_bytes, read_utf8
from touchline.match import Comment, CommentId, Match

TRACKS = ("comments", "bbc")


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
        yield from _read_robocup(path)
        return
    for folder in match_folders(path, track):
        yield read_match_folder(folder, clock=clock, track=track)


def match_folders(path: str | Path, track: str = "comments") -> list[Path]:
    """The match folders of a corpus, or the folder itself when it is one."""
    path = Path(path)
    if not path.is_dir():
        raise InputError(path, "no such folder; expected a corpus (a folder of match folders)")
    text = "bbc" if track == "bbc" else "comments"
    folders = [path] if _find(path, "events") else sorted(p for p in path.iterdir() if p.is_dir())
    found = [folder for folder in folders if _find(folder, "events") and _find(folder, text)]
    if not found:
        raise InputError(path, f"no match folder in it; expected <match>/events.* and {text}.*")
    return found


def read_match_folder(
    folder: Path, *, clock: str = "second", track: str = "comments"
) -> LabelledMatch:
    """One match folder with its commentary, the templated one on the track `bbc`."""
    events, comments = (
        _find(folder, "events"),
        _find(folder, "bbc" if track == "bbc" else "comments"),
    )
    if events is None or comments is None:
        raise InputError(folder, "no match folder; expected events.* and comments.*")
    match = read_events(events, lineups=sorted(folder.glob("lineups*.*"))).named(folder.name)
    said: Iterable[Comment] = read_comments(comments, extra_time=3 in match.periods)
    said = map(minute_only, said) if clock == "minute" else said
    return LabelledMatch(match=match.with_comments(said), gold=_read_gold(folder, track, match))


def _find(folder: Path, stem: str) -> Path | None:
    """The file of that name, whatever its ending, packed or not."""
    return min((p for p in folder.glob(f"{stem}.*") if p.is_file()), default=None)


class _Label(msgspec.Struct):
    id: int | str
    events: list[str] = []
    event: str | None = None


def _read_gold(folder: Path, track: str, match: Match) -> dict[CommentId, frozenset[str]] | None:
    path = folder / ("bbc-silver.jsonl" if track == "bbc" else "gold.jsonl")
    if not path.exists():
        return None
    gold = {}
    for number, line in enumerate(read_utf8(path).splitlines(), 1):
        if not line.strip():
            continue
        try:
            label = msgspec.json.decode(line, type=_Label)
        except msgspec.DecodeError as error:
            raise InputError(path, f"not a label ({error})", f"line {number}") from None
        events = [*label.events, *([label.event] if label.event else [])]
        for event in events:
            if event not in match.event_by_id:
                problem = f"the event {event!r} is not in the log"
                raise InputError(path, problem, f"line {number}")
        gold[label.id] = frozenset(events)
    return gold


def is_robocup(path: Path) -> bool:
    return all((path / room).is_dir() for room in ("events", "nl", "training"))


def _read_robocup(path: Path) -> Iterator[LabelledMatch]:
    for events in sorted((path / "events").glob("*-processed-events")):
        match = read_events(events, "robocup")
        candidates = _robocup_candidates(path / "training" / f"{match.name}-train", match)
        comments = [
            msgspec.structs.replace(comment, candidates=candidates.get(comment.id, ()))
            for comment in read_comments(path / "nl" / f"{match.name}-comments", "robocup")
        ]
        gold: dict[CommentId, frozenset[str]] = {comment.id: frozenset() for comment in comments}
        gold |= _robocup_gold(path / "gold" / f"{match.name}-gold")
        keys = {event.id: robocup.meaning(event) for event in match.events}
        yield LabelledMatch(match=match.with_comments(comments), gold=gold, keys=keys)


def _examples(path: Path) -> Iterator[tuple[int, etree._Element]]:
    parser = etree.XMLParser(recover=True, resolve_entities=False, no_network=True)
    root = etree.fromstring(read_bytes(path).lstrip(), parser)
    if root is None:
        raise InputError(path, "not the XML of the RoboCup corpus")
    for example in root.iter("example"):
        yield int(example.get("id", "-1")), example


def _robocup_candidates(path: Path, match: Match) -> dict[CommentId, tuple[str, ...]]:
    """Candidates per comment; a `semid` counts the events of the log from 0."""
    candidates: dict[CommentId, tuple[str, ...]] = {}
    for number, example in _examples(path):
        ids = (example.findtext("semid") or "").split()
        candidates[number] = tuple(i for i in ids if i in match.event_by_id)
    return candidates


def _robocup_gold(path: Path) -> dict[CommentId, frozenset[str]]:
    gold: dict[CommentId, frozenset[str]] = {}
    for number, example in _examples(path) if path.exists() else ():
        meaning = robocup.parse_meaning(example.findtext("mrl") or "")
        if meaning is None:
            raise InputError(path, "a meaning that is not understood", f"example {number}")
        gold[number] = frozenset([meaning])
    return gold
