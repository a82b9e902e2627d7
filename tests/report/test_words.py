"""The words of links in the report, in tables and in WebVTT."""

from __future__ import annotations

import io
from random import Random

import msgspec

from touchline import Comment, Event, Match, Player
from touchline.core.links import CommentLinks, Link, Links
from touchline.io.links import vtt
from touchline.io.links.origin import Origin
from touchline.methods.explanation import Claim, Explanation
from touchline.report.data import report
from touchline.report.why import why

ORIGIN = Origin(method="test", options={}, inputs={})
TEXT = "🎉 Bell heads <on>, Okafor saves"
BELL, OKAFOR = Player(id="b", name="Tom Bell"), Player(id="o", name="Sam Okafor")


def links() -> Links:
    events = (
        Event(id="s", type="Shot", period=1, time=60.0, player=BELL),
        Event(id="k", type="Goal Keeper", period=1, time=61.0, player=OKAFOR),
    )
    comment = Comment(id=1, text=TEXT, period=1, start=62.0, end=63.0)
    match = Match(name="m", provider="t", events=events, players=(BELL, OKAFOR),
                  comments=(comment,))  # fmt: skip
    own = (
        Link(id="s", score=0.9, words=((2, 17),)),
        Link(id="k", score=0.8, words=((7, 12), (19, 31))),
    )
    answer = CommentLinks(match="m", comment=1, events=own, none=0.1, period=1, time=60.0,
                          span=(60.0, 61.0))  # fmt: skip
    return Links(match, [answer])


class Named(Explanation, frozen=True, kw_only=True):
    def claims(self):
        return [
            Claim(start=2, end=6, event="s", kind="name", weight=2.0),
            Claim(start=13, end=15, event="k", kind="word", weight=9.0),
        ]


class Claimed(Explanation, frozen=True, kw_only=True):
    some: tuple[Claim, ...]

    def claims(self):
        return list(self.some)


def test_marks_are_the_words_of_the_links_in_utf16():
    (answer,) = links()
    explained = Named(method="test", match="m", comment=1, text=TEXT)
    marks = [
        (m.start, m.end, m.event, m.kind, m.also) for m in why(explained, TEXT, answer.events).marks
    ]
    assert marks == [
        (3, 7, 0, "name", ()),  # the emoji counts twice
        (7, 8, 0, "word", ()),
        (8, 13, 0, "word", (1,)),
        (13, 18, 0, "word", ()),
        (20, 32, 1, "word", ()),
    ]


def test_a_report_without_explanations_marks_them_too():
    (comment,) = report([links()], ORIGIN).matches[0].comments
    assert [mark.event for mark in comment.why.marks] == [0, 0, 0, 1]


def test_rows_have_the_words_as_text_and_as_places():
    first, second = links().rows()
    assert (first["words"], first["word_spans"]) == ("Bell heads <on>", "2-17")
    assert (second["words"], second["word_spans"]) == ("heads … Okafor saves", "7-12;19-31")


def test_webvtt_has_them_as_class_spans():
    out = io.StringIO()
    vtt.write([links()], ORIGIN, out)
    assert out.getvalue().splitlines()[-1] == (
        "🎉 <c.event1.Shot>Bell </c><c.event1.Shot.event2.Goal-Keeper>heads</c>"
        "<c.event1.Shot> &lt;on&gt;</c>, <c.event2.Goal-Keeper>Okafor saves</c>"
    )


def test_of_claims_that_overlap_the_strongest_is_marked():
    """Compared with one claim after another, for claims of all kinds of overlap."""
    random = Random(3)
    text = "x" * 60
    (answer,) = links()
    unknown = [msgspec.structs.replace(link, words=None) for link in answer.events]
    for _ in range(200):
        starts = [random.randrange(50) for _ in range(20)]
        claims = [
            Claim(start=s, end=s + random.randrange(9), event="s", kind="word", weight=n)
            for n, s in enumerate(starts)
        ]
        kept: list[Claim] = []
        for claim in reversed(claims):
            free = all(claim.end <= k.start or k.end <= claim.start for k in kept)
            if claim.start < claim.end and free:
                kept.append(claim)
        explained = Claimed(method="test", match="m", comment=1, text=text, some=tuple(claims))
        marked = [(mark.start, mark.end) for mark in why(explained, text, unknown).marks]
        assert marked == sorted((claim.start, claim.end) for claim in kept)
