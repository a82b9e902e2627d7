"""A match with links and explanations, small enough to look at whole."""

from __future__ import annotations

import pytest

from touchline import CommentLinks, Link, Links
from touchline.io.links.origin import Origin
from touchline.methods.chains.explain.records import (
    ChainsExplanation,
    EventEvidence,
    Hypothesis,
    NameEvidence,
    Nothing,
    Order,
    WordEvidence,
)
from touchline.methods.explanation import Explanation

ORIGIN = Origin(method="chains")
HOSTILE = (
    "<img src=x onerror='document.title=\"hacked\"'></script><script>document.title='hacked'"
    "</script><!-- data --> Ünïcode 🏟️ &amp; \u2028 done"
)


def answer(comment, *events, none=0.0, candidates=None):
    links = tuple(Link(id=event.id, score=score) for event, score in events)
    times = [event.time for event, _ in events]
    return CommentLinks(
        match="small",
        comment=comment,
        events=links,
        none=none,
        period=1 if events else None,
        time=times[0] if times else None,
        span=(min(times), max(times)) if times else None,
        candidates=candidates,
    )


@pytest.fixture
def links(small_match):
    e = small_match.event_by_id
    also = (Link(id="e1", score=0.9), Link(id="e2", score=0.3), Link(id="e3", score=0.001))
    return Links(
        small_match,
        [
            answer(0, (e["e0"], 0.97), (e["e1"], 0.9), candidates=also),
            answer(1, none=0.95),
            answer("x", (e["e4"], 0.55), none=0.2),
            answer(3, none=0.4),
        ],
    )


def _word(text: str, word: str, share: float) -> WordEvidence:
    return WordEvidence(word, word, text.index(word), text.index(word) + len(word), share)


def _name(text: str, name: str, player: str, garbled: bool) -> NameEvidence:
    return NameEvidence(name, player, text.index(name), text.index(name) + len(name), garbled)


@pytest.fixture
def explain(links):
    """Explains the first comment as the default method would, the others by nothing."""

    def explain(match, comment):
        text = next(c.text for c in match.comments if c.id == comment)
        if comment != 0:
            return Explanation(method="chains", match=match.name, comment=comment, text=text)
        shoots = [_word(text, "shoots", share) for share in (0.1, 0.7)]
        first = EventEvidence("e0", "Pass", "Pass", 0.97, [_word(text, "finds", 0.8), shoots[0]],
                              [_name(text, "Archer", "Ann Archer", False)])  # fmt: skip
        second = EventEvidence("e1", "Shot", "Shot", 0.9, [shoots[1]],
                               [_name(text, "Reis", "Bo Reis", True)])  # fmt: skip
        return ChainsExplanation(
            method="chains",
            match=match.name,
            comment=comment,
            text=text,
            none=0.0,
            events=[first, second],
            by_itself=[_word(text, "who", 1.0)],
            unexplained=[],
            best=Hypothesis(["e0", "e1"], [], 0.9, {"words": 4.0, "lag": 0.5}),
            runner_up=Hypothesis(["e1"], ["Shot (Saved) Bo Reis"], 0.2, {}),
            no_event=Nothing(0.0, {"words": 1.0, "lag": 0.5}),
            order=Order(alone=0.61, together=0.93),
            speaker={"live": 0.9, "looking back": 0.1, "talk": 0.0},
        )

    return explain
