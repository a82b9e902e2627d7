"""Links as captions in SoccerNet's form (`Labels-caption.json`), at corrected times.

`gameTime` is the half and its clock, `position` the milliseconds since the half's kick-off (not
since the start of a video, which is not in links). `events` is ours: what the caption describes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import IO, Any

import msgspec

from touchline.core.links import CommentLinks, Link, Links
from touchline.core.records import Comment, Match
from touchline.io.links.origin import Origin
from touchline.io.links.vtt import described_at


def write(many: Sequence[Links], origin: Origin, out: IO[str]) -> None:
    """One object with the captions of a match; of several, a list of such objects."""
    found = [_captions(links, origin) for links in many]
    whole: Any = found[0] if len(found) == 1 else found
    out.write(msgspec.json.format(msgspec.json.encode(whole), indent=1).decode() + "\n")


def _captions(links: Links, origin: Origin) -> dict[str, Any]:
    match = links.match
    comments = {comment.id: comment for comment in match.comments}
    teams = [team.name for team in match.teams]
    sides = zip(("gameHomeTeam", "gameAwayTeam"), teams, strict=False)
    rows = (_caption(answer, comments[answer.comment], match) for answer in links)
    return {
        "UrlLocal": match.name,
        **dict(sides),
        "touchline": {"version": origin.touchline, "method": origin.method},
        "annotations": [row for row in rows if row is not None],
    }


def _caption(answer: CommentLinks, comment: Comment, match: Match) -> dict[str, Any] | None:
    """The caption at the described action; at its own time, if any, where it describes none."""
    placed = described_at(answer, comment)
    if placed is None:
        return None
    period, start, _ = placed
    seconds = max(start, 0.0)
    return {
        "gameTime": f"{period} - {int(seconds // 60):02d}:{int(seconds % 60):02d}",
        "label": "comments",
        "position": str(round(1000 * seconds)),
        "description": comment.text,
        "comment": comment.id,
        "none": answer.none,
        "events": [_event(link, match) for link in answer.events],
    }


def _event(link: Link, match: Match) -> dict[str, Any]:
    event = match.event_by_id[link.id]
    return {
        "id": event.id,
        "label": event.type,
        "player": event.player.label if event.player else None,
        "team": event.team.name if event.team else None,
        "position": str(round(1000 * max(event.time, 0.0))),
        "score": link.score,
    }
