"""When comments are made where candidates are listed: learned from the names that they mention."""

from __future__ import annotations

import msgspec
import pytest

from touchline import Match, make_aligner
from touchline.core.records import Comment, Event, Player, Role, Team
from touchline.methods.chains.data.listed import Usual, timed, usual_lags
from touchline.methods.chains.data.mentions import mentions_of

TEAM = Team(id="red", name="Red")
PLAYERS = tuple(Player(id=f"red{i}", name=f"Red{i}", team=TEAM, shirt=i) for i in range(1, 9))
# Passes last 2, 5 or 8 seconds, so that what follows their starts does not follow their ends.
LASTING = (2, 5, 8)


def game(lag: int, *, after_ends: bool) -> Match:
    """A pass every 20 s, each followed by a comment that lists what ended just before it."""
    events, comments = [], []
    for number in range(40):
        start = 20.0 * number
        end = start + LASTING[number % 3]
        passer, receiver = PLAYERS[number % 8], PLAYERS[(number * 3 + 1) % 8]
        events.append(Event(id=str(number), type="pass", period=1, time=start, end=end, team=TEAM,
                            player=passer, others=(Role("recipient", receiver),)))  # fmt: skip
        time = (end if after_ends else start) + lag
        listed = (str(number),) if 0 <= time - end <= 1 else ()
        comments.append(Comment(id=number, text=f"{passer.name} passes to {receiver.name}",
                                period=1, start=time, end=time, candidates=listed))  # fmt: skip
    return Match(name="game", provider="robocup", events=tuple(events),
                 comments=tuple(comments), teams=(TEAM,), players=PLAYERS)  # fmt: skip


def usual(match: Match) -> Usual | None:
    return usual_lags(match, mentions_of(match))


@pytest.mark.parametrize("lag", [0, 3])
@pytest.mark.parametrize("after_ends", [True, False])
def test_what_comments_follow_and_after_how_long(lag, after_ends):
    assert usual(game(lag, after_ends=after_ends)) == Usual(after_ends, lag, lag)


def test_what_is_told_late_becomes_a_candidate():
    match = game(3, after_ends=False)
    placed = timed(match, mentions_of(match))
    assert all(comment.candidates == (str(comment.id),) for comment in placed.comments)
    assert [event.time for event in placed.events] == [event.time for event in match.events]


def test_events_are_placed_at_their_ends_where_comments_follow_those():
    match = game(0, after_ends=True)
    placed = timed(match, mentions_of(match))
    assert [event.time for event in placed.events] == [event.end for event in match.events]
    assert [c.candidates for c in placed.comments] == [c.candidates for c in match.comments]


def test_nothing_is_known_without_lists_ends_or_names():
    match = game(3, after_ends=False)
    bare = [msgspec.structs.replace(comment, candidates=None) for comment in match.comments]
    mute = [msgspec.structs.replace(comment, text="on it goes") for comment in match.comments]
    endless = tuple(msgspec.structs.replace(event, end=None) for event in match.events)
    for other in (match.with_comments(bare), match.with_comments(mute),
                  msgspec.structs.replace(match, events=endless)):  # fmt: skip
        assert usual(other) is None
        assert timed(other, mentions_of(other)) is other


def test_links_reach_beyond_the_lists():
    """The listed candidates alone have nothing to say about most comments of this game."""
    match = game(3, after_ends=False)
    aligners = {part: make_aligner("chains", {"without": part}) for part in ("", "usual_lag")}
    linked = {part: sum(bool(answer.events) for answer in aligner.align(match))
              for part, aligner in aligners.items()}  # fmt: skip
    assert linked["usual_lag"] < 20 < linked[""]
