"""Checks that a method or a feed of your own meets the requirements of touchline.

>>> from touchline.testing import check_aligner
>>> check_aligner(MyAligner)

A check that fails raises an AssertionError that names the requirement.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from touchline.core.errors import InputError, TouchlineError
from touchline.core.links import CommentLinks, Links
from touchline.core.records import Comment, Event, Match, Player, Role, Team
from touchline.io.links.jsonl import to_lines
from touchline.methods.base import Aligner, Alignment
from touchline.methods.registry import load_aligner

__all__ = ["check_aligner", "check_feed", "example_match"]

_STRANGE = (
    Comment(id=0, text=""),
    Comment(id=0, text="", period=1, start=9e9, end=9e9),
    Comment(id=0, text="Ñandú 🙂 ‏عربي <b>", period=1, start=10, end=10),
    Comment(id=0, text="Archer " * 2000, period=1, start=10, end=10),
    Comment(id=0, text="word", period=7, start=0, end=0),
    Comment(id=0, text="word", candidates=()),
)
_BROKEN_FILES = (b"", b"{", b"[]", b"{}", b"<a>", b"\xff\xfe\x00", b"type,minute\n")


def example_match() -> Match:
    """Return a small match: two teams, three players, six events, four comments.

    Returns
    -------
    Match
        The same match every time.
    """
    reds, blues = Team(id="r", name="Redfield City"), Team(id="b", name="Blueport United")
    archer = Player(id="1", name="Ann Archer", team=reds)
    reis = Player(id="2", name="Boaventura Reis", nickname="Bo Reis", team=reds)
    meer = Player(id="3", name="Cyril van der Meer", team=blues)

    def event(number: int, kind: str, time: float, player: Player, **more: Any) -> Event:
        return Event(
            id=f"e{number}", type=kind, period=1, time=time, player=player, team=player.team, **more
        )

    events = (
        event(0, "Pass", 10.0, archer, others=(Role("recipient", reis),)),
        event(1, "Shot", 14.0, reis, arguments={"outcome": "Saved"}, location=(108.0, 40.0)),
        event(2, "Goal Keeper", 15.0, meer),
        event(3, "Pass", 100.0, meer),
        event(4, "Foul Committed", 130.0, archer),
        event(5, "Carry", 131.0, archer, linkable=False),
    )
    said = ((15.0, "Archer finds Reis, who shoots."), (90.0, "It is raining."),
            (133.0, "Foul by Archer!"), (900.0, ""))  # fmt: skip
    comments = tuple(
        Comment(id=number, text=text, period=1, start=time, end=time)
        for number, (time, text) in enumerate(said)
    )
    return Match(
        name="example",
        provider="example",
        events=events,
        teams=(reds, blues),
        players=(archer, reis, meer),
        comments=comments,
    )


def check_aligner(
    aligner: Callable[[], Aligner], matches: Sequence[Match] = (), *, storable: bool = True
) -> None:
    """Check that a method meets the requirements of `touchline.Aligner`.

    Parameters
    ----------
    aligner
        The class, or any callable that returns a new aligner.
    matches
        Matches to try besides the small example; real ones find more.
    storable
        Whether it must be unchanged by `save` and `load_aligner`.

    Raises
    ------
    AssertionError
        A requirement is not met; the message says which.
    """
    example = example_match()
    _require(isinstance(getattr(aligner(), "name", None), str), "has a name")
    for match in (example, *matches):
        _check_answers(_fitted(aligner, match).infer(match), match)
        first, second = (_lines(_fitted(aligner, match).align(match)) for _ in range(2))
        _require(first == second, "the same matches and seed give the same bytes")
        if storable:
            _check_stored(_fitted(aligner, match), match)
    fitted = _fitted(aligner, example)
    _check_unfitted(aligner(), example)
    for comment in _STRANGE:
        links = fitted.align(example.with_comments([comment]))
        _require(len(links) == 1 and 0 <= links[0].none <= 1, f"answers for {comment.text[:20]!r}")
    _require(len(fitted.align(example.with_comments([]))) == 0, "answers a match without comments")
    empty = msgspec.structs.replace(example, events=(), players=())
    _require(not any(a.events for a in fitted.align(empty)), "links nothing to an empty log")


def check_feed(feed: Any, path: str | Path, *, lineups: Sequence[str | Path] = ()) -> Match:
    """Check that a feed reads a file of its own, and refuses others with a clear error.

    Parameters
    ----------
    feed
        The feed: `what`, `recognise(data)`, `read(path, data, lineups)`.
    path
        A file that it must read.
    lineups
        Files with names of players that belong to it.

    Returns
    -------
    Match
        What was read.

    Raises
    ------
    AssertionError
        A requirement is not met; the message says which.
    """
    from touchline.io.feeds.records import Source
    from touchline.io.files import read_utf8

    path = Path(path)
    data = read_utf8(path)
    _require(bool(feed.recognise(data)), f"recognises {path.name}")
    match: Match = feed.read(path, data, [Source(Path(file)) for file in lineups])
    _require(isinstance(match, Match) and bool(match.events), "reads a match with events")
    _check_log(match)
    for broken in _BROKEN_FILES:
        _require(not feed.recognise(broken), f"does not recognise {broken!r}")
        _refuses(lambda broken=broken: feed.read(path, broken, ()), f"refuses {broken!r}")  # type: ignore[misc]
    _refuses(lambda: feed.read(path, data[: len(data) // 2], ()), "refuses a truncated file")
    return match


def _check_log(match: Match) -> None:
    ids = [event.id for event in match.events]
    _require(len(set(ids)) == len(ids), "gives every event a unique id")
    order = [(event.period, event.time) for event in match.events]
    _require(order == sorted(order), "gives events in the order of the match")
    for event in match.events:
        _require(1 <= event.period <= 5, f"gives event {event.id} a period from 1 to 5")
        for place in (event.location, event.end_location):
            inside = place is None or (0 <= place[0] <= 120 and 0 <= place[1] <= 80)
            _require(inside, f"places event {event.id} on a pitch of 120 by 80")
    _require(bool(match.linkable), "gives events that a comment can be linked to")


def _check_answers(alignment: Alignment, match: Match) -> None:
    _require(isinstance(alignment, Alignment), "infer returns an Alignment")
    links = alignment.links
    ids = [comment.id for comment in match.comments]
    _require([answer.comment for answer in links] == ids, "answers every comment in order")
    for answer in links:
        _check_answer(answer, match)


def _check_answer(answer: CommentLinks, match: Match) -> None:
    where = f"(comment {answer.comment!r})"
    _require(answer.match == match.name, f"names the match {where}")
    scored = [*answer.events, *(answer.candidates or ())]
    scores = [link.score for link in scored]
    _require(all(0 <= score <= 1 for score in [*scores, answer.none]), f"scores 0 to 1 {where}")
    known = all(link.id in match.event_by_id for link in scored)
    _require(known, f"links to events of the match {where}")
    events = [match.event_by_id[link.id] for link in answer.events]
    _require(all(event.linkable for event in events), f"links to linkable events {where}")
    places = [match.place_of[event.id] for event in events]
    _require(places == sorted(places), f"gives events in match order {where}")
    if events:
        times = [event.time for event in events]
        _require(answer.span == (min(times), max(times)), f"gives the events' span {where}")


def _check_stored(aligner: Aligner, match: Match) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model"
        aligner.save(path)
        again = load_aligner(path, type(aligner))
    same = _lines(again.align(match)) == _lines(aligner.align(match))
    _require(same and again.options == aligner.options, "is unchanged by saving and loading")


def _check_unfitted(aligner: Aligner, match: Match) -> None:
    try:
        aligner.align(match)
    except TouchlineError:
        return  # a method may insist on being fitted, in a sentence
    except Exception as error:
        raise AssertionError(
            f"check failed: answers without a fit, or raises a TouchlineError ({error!r})"
        ) from error


def _refuses(read: Callable[[], Any], requirement: str) -> None:
    try:
        read()
    except InputError:
        return
    except Exception as error:
        raise AssertionError(
            f"check failed: {requirement} with InputError, got {error!r}"
        ) from error
    raise AssertionError(f"check failed: {requirement}")


def _fitted(aligner: Callable[[], Aligner], match: Match) -> Aligner:
    made = aligner()
    made.fit([match])
    return made


def _lines(links: Links) -> str:
    return "".join(to_lines(links))


def _require(kept: bool, requirement: str) -> None:
    if not kept:
        raise AssertionError(f"check failed: {requirement}")
