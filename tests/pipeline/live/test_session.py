"""What is answered when: new comments, a log that catches up, comments that change."""

from __future__ import annotations

from collections import defaultdict

import msgspec
import pytest

from touchline import (
    Aligner,
    Alignment,
    Comment,
    CommentLinks,
    Links,
    Match,
    UsageError,
    make_aligner,
    read_match,
)
from touchline.methods import base
from touchline.methods.follower import Follower
from touchline.pipeline.live.session import AGAIN, MATTERS, Session


@pytest.fixture(scope="module")
def match(played, tmp_path_factory) -> Match:
    folder = tmp_path_factory.mktemp("played")
    (folder / "log.json").write_text(played.log(1e9))
    (folder / "comments.jsonl").write_text("".join(played.lines()))
    return read_match(folder / "log.json", folder / "comments.jsonl", lineups=[played.lineups])


@pytest.fixture
def session(match) -> Session:
    return Session(make_aligner("chains"), match.name)


def scores(answer: CommentLinks) -> dict[str, float]:
    """Of the linked events; others have none."""
    return defaultdict(float, {link.id: link.score for link in answer.events})


def without_comments(match: Match) -> Match:
    return match.with_comments(())


def until(match: Match, time: float) -> Match:
    events = tuple(event for event in match.events if event.time <= time)
    return msgspec.structs.replace(match, events=events, comments=())


def drain(session: Session) -> list:
    found = []
    while session.waiting:
        found += session.answer_some()
    return found


def play(session: Session, comments: tuple[Comment, ...]) -> list:
    """The comments one by one."""
    found = []
    for number in range(1, len(comments) + 1):
        session.follow_comments(comments[:number])
        found += drain(session)
    return found


def test_every_comment_is_answered_as_it_comes(session, match):
    session.follow_log(without_comments(match))
    found = play(session, match.comments)
    first = [answer.comment for answer in found if answer.revision == 0]
    assert first == [comment.id for comment in match.comments]
    assert sum(bool(answer.events) for answer in found) > len(first) / 2
    assert all(answer.match == match.name and answer.candidates is None for answer in found)


def test_revisions_count_up_and_bring_something_new(session, match):
    session.follow_log(without_comments(match))
    last = {}
    revised = 0
    for answer in [*play(session, match.comments), *session.finish()]:
        before = last.get(answer.comment)
        assert answer.revision == (0 if before is None else before.revision + 1)
        assert msgspec.structs.replace(answer, revision=0) != before
        revised += before is not None
        last[answer.comment] = answer
    assert revised


def test_only_near_comments_are_revised_by_a_new_one(session, match):
    session.follow_log(without_comments(match))
    for number in range(1, len(match.comments) + 1):
        session.follow_comments(match.comments[:number])
        ids = [comment.id for comment in match.comments[:number]]
        assert {answer.comment for answer in drain(session)} <= set(ids[-AGAIN:])


def test_at_the_end_stands_what_align_says(session, match):
    session.follow_log(without_comments(match))
    last = {a.comment: a for a in [*play(session, match.comments), *session.finish()]}
    for answer in make_aligner("chains").align(match):
        expected = msgspec.structs.replace(answer, candidates=None)
        assert msgspec.structs.replace(last[answer.comment], revision=0) == expected


def test_a_late_log_revises_what_it_concerns(session, match):
    session.follow_comments(match.comments)
    assert all(answer.none == 1 and not answer.events for answer in drain(session))
    session.follow_log(until(match, 400))
    early = drain(session)
    assert any(answer.events for answer in early)
    assert all(answer.revision for answer in early)
    session.follow_log(until(match, 500))
    window = make_aligner("chains").options.bucket_window
    settled = {c.id for c in match.comments if c.time + window.after < 350}
    assert settled
    assert session._waiting.isdisjoint(settled)
    later = drain(session)
    assert any(answer.events for answer in later)


def test_the_same_again_is_no_news(session, match):
    session.follow_log(without_comments(match))
    play(session, match.comments)
    session.follow_log(without_comments(match))
    session.follow_comments(match.comments)
    assert not session.waiting


def test_an_event_that_the_log_corrects_is_looked_at_again(session, match):
    session.follow_log(without_comments(match))
    found = {a.comment: a for a in play(session, match.comments) if a.events}
    linked = next(iter(found.values()))
    gone = {link.id for link in linked.events}
    events = tuple(event for event in match.events if event.id not in gone)
    session.follow_log(msgspec.structs.replace(match, events=events, comments=()))
    again = {answer.comment: answer for answer in drain(session)}
    assert gone.isdisjoint(link.id for link in again[linked.comment].events)


def test_a_comment_that_changes_is_answered_again(session, match):
    session.follow_log(without_comments(match))
    first = {a.comment: a for a in play(session, match.comments)}
    linked = next(a for a in reversed(first.values()) if a.events and a.none < 0.5)
    silent = [
        msgspec.structs.replace(c, text="Rain.") if c.id == linked.comment else c
        for c in match.comments
    ]
    session.follow_comments(silent)
    again = {answer.comment: answer for answer in drain(session)}
    assert again[linked.comment].revision > linked.revision
    assert scores(again[linked.comment])[linked.events[0].id] < linked.events[0].score - MATTERS


class Stub(Aligner):
    """Answers every comment with `none`; the answers depend on the number of events."""

    name = "stub"
    none = 0.5
    chooses = False

    def infer(self, match: Match) -> Alignment:
        return Alignment(Links(match, self.answers(match)), self.name)

    def follower(self) -> Follower:
        return self  # type: ignore[return-value]  # all that a session asks for

    def follow_log(self, match: Match) -> None: ...

    def choose_model(self, match: Match) -> bool:
        return self.chooses

    def depends_on(self, match: Match) -> list[int]:
        return [len(match.events) for _ in match.comments]

    def answers(self, match: Match) -> list[CommentLinks]:
        return [base.answer(match, comment, [], [], self.none) for comment in match.comments]


@pytest.fixture
def stub() -> Stub:
    return Stub()


@pytest.fixture
def followed(stub, match) -> Session:
    """Three comments, answered."""
    session = Session(stub, match.name)
    session.follow_comments(match.comments[:3])
    assert [answer.none for answer in drain(session)] == [0.5] * 3
    return session


@pytest.mark.parametrize(("by", "given"), [(MATTERS - 0.01, 0), (MATTERS + 0.01, 3)])
def test_an_answer_is_given_again_if_it_is_much_surer(followed, stub, match, by, given):
    stub.none += by
    followed.follow_log(without_comments(match))
    assert followed.waiting
    assert len(drain(followed)) == given


def test_another_model_answers_every_comment_again(followed, stub):
    followed.choose_model()
    assert not followed.waiting
    stub.chooses, stub.none = True, 0.9
    followed.choose_model()
    assert [answer.revision for answer in drain(followed)] == [1, 1, 1]


def test_a_comment_that_is_gone_is_not_waited_for(stub, match):
    session = Session(stub, match.name)
    session.follow_comments(match.comments[:2])
    session.follow_comments(match.comments[:1])
    assert [answer.comment for answer in drain(session)] == [match.comments[0].id]


def test_a_method_that_cannot_follow_says_so():
    with pytest.raises(UsageError, match="pairrank cannot follow live matches; use a model of"):
        Session(make_aligner("pairrank"), "match")
