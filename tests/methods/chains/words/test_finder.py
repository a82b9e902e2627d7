"""The words of each event: what a reader would mark, on matches of our own."""

from __future__ import annotations

import pytest

from touchline import UsageError, make_aligner
from touchline.core.records import Comment


@pytest.fixture(scope="module")
def alignment(sample):
    return make_aligner("chains:unlabelled").infer(sample[0].match)


def texts(alignment, comment, spans):
    text = next(c.text for c in alignment.links.match.comments if c.id == comment)
    return [text[start:end] for start, end in spans]


def test_every_linked_event_has_words_of_its_comment(alignment):
    for answer in alignment.links:
        text = next(c.text for c in alignment.links.match.comments if c.id == answer.comment)
        for link in answer.events:
            assert link.words, (answer.comment, link.id)
            ends = [0, *(place for span in link.words for place in span)]
            assert ends == sorted(ends)
            assert ends[-1] <= len(text)
            assert all(start < end for start, end in link.words)


def test_words_of_the_links_are_those_of_the_alignment(alignment):
    for answer in alignment.links:
        own = alignment.words(answer.comment)
        assert own == {link.id: link.words for link in answer.events}
        assert alignment.words(answer.comment, list(own)) == own


def test_a_player_who_is_named_belongs_to_their_event(alignment):
    """Of two events with different players, each has the name of its own player only."""
    seen = 0
    for answer in alignment.links:
        events = [alignment.links.match.event_by_id[link.id] for link in answer.events]
        if len(events) != 2 or not all(event.player for event in events):
            continue
        for link, event, other in zip(answer.events, events, events[::-1], strict=True):
            if event.player.id == other.player.id:
                continue
            said = " ".join(texts(alignment, answer.comment, link.words))
            whole = next(c.text for c in alignment.links.match.comments if c.id == answer.comment)
            name = event.player.label
            others = {role.player.id for role in event.others}
            if name in whole:
                seen += 1
                assert name in said, (whole, said)
            if other.player.label in whole and other.player.id not in others:
                assert other.player.label not in said, (whole, said)
    assert seen >= 3


def test_any_events_can_be_asked_for(alignment):
    match = alignment.links.match
    comment = next(answer.comment for answer in alignment.links if answer.events)
    some = [event.id for event in match.linkable[:9]]
    found = alignment.words(comment, some)
    assert list(found) == some
    assert alignment.words(comment, []) == {}
    assert alignment.words(comment, ["no such event"]) == {"no such event": ()}
    with pytest.raises(UsageError, match="no comment 'nobody'"):
        alignment.words("nobody")


def test_comments_without_words_have_none(sample):
    match = sample[0].match
    empty = [Comment(id=1, text="", period=1, start=60.0, end=61.0),
             Comment(id=2, text="... !", period=1, start=70.0, end=71.0)]  # fmt: skip
    alignment = make_aligner("chains:unlabelled").infer(match.with_comments(empty))
    event = match.linkable[0].id
    assert alignment.words(1, [event]) == {event: ()}
    assert alignment.words(2, [event]) == {event: ()}


def test_a_live_match_has_words_too_and_they_depend_on_no_other_comment(sample):
    match = sample[0].match
    follower = make_aligner("chains:unlabelled").follower()
    follower.follow_log(match)
    some = match.with_comments(match.comments[:6])
    together = {answer.comment: answer for answer in follower.answers(some)}
    assert any(link.words for answer in together.values() for link in answer.events)
    for comment in some.comments:
        (alone,) = follower.answers(match.with_comments([comment]))
        own = {link.id: link.words for link in alone.events}
        for link in together[comment.id].events:
            if set(own) == {one.id for one in together[comment.id].events}:
                assert own[link.id] == link.words
