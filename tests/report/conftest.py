"""A match with links and explanations, small enough to look at whole."""

from __future__ import annotations

import pytest

from touchline import CommentLinks, Link, Links
from touchline.io.links.origin import Origin

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


def _stretch(whole, part, **more):
    start = whole.index(part)
    return {"start": start, "end": start + len(part), **more}


@pytest.fixture
def explain(links):
    """Explains the first comment as the default method would, the others by nothing."""

    def explain(match, comment):
        text = next(c.text for c in match.comments if c.id == comment)
        if comment != 0:
            return {"events": [], "unexplained": []}
        name = {"text": "Archer", "player": "Ann Archer", "garbled": False}
        other = {"text": "Reis", "player": "Bo Reis", "garbled": True}
        return {
            "events": [
                {"id": "e0", "names": [_stretch(text, "Archer", **name)],
                 "words": [_stretch(text, "finds", word="finds", share=0.8),
                           _stretch(text, "shoots", word="shoots", share=0.1)]},
                {"id": "e1", "names": [_stretch(text, "Reis", **other)],
                 "words": [_stretch(text, "shoots", word="shoots", share=0.7)]},
            ],
            "by_itself": [_stretch(text, "who", word="who", share=1.0)],
            "unexplained": [],
            "best": {"events": ["e0", "e1"], "parts": {"words": 4.0, "lag": 0.5}},
            "no_event": {"score": 0.0, "parts": {"words": 1.0, "lag": 0.5}},
            "runner_up": {"events": ["e1"], "describe": ["Shot (Saved) Bo Reis"], "score": 0.2},
            "order": {"alone": 0.61, "together": 0.93},
        }  # fmt: skip

    return explain
