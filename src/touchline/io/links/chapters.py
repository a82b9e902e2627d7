"""Links as WebVTT chapters: a mark for each described action, to jump to in a player or an editor.

A chapter lasts until the next one begins, on the one timeline of `vtt`. Its title is the event of
the rarest kind among those described there: in a move of three passes and a shot, the shot.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import IO

from touchline.core.links import Links
from touchline.core.records import Event
from touchline.io.links import vtt
from touchline.io.links.origin import Origin


def write(many: Sequence[Links], origin: Origin, out: IO[str]) -> None:
    """One chapter per described action, in the order of the match."""
    vtt.head(origin, out)
    for links in many:
        for timeline in vtt.timelines(links.match):
            vtt.note(links.match, timeline, out)
            marks = dict(sorted(_marks(links, timeline), key=lambda mark: mark[0]))
            last = (timeline.end(links.match), "")
            for (start, title), (end, _) in pairwise([*marks.items(), last]):
                if end > start:
                    vtt.cue(start, end, title, out)


def _marks(links: Links, timeline: vtt.Timeline) -> Iterator[tuple[float, str]]:
    """Where chapters begin and what they are called; of two at one moment the last stays."""
    counts = Counter(event.type for event in links.match.events)
    for answer in links:
        described = [links.match.event_by_id[link.id] for link in answer.events]
        kickoff = timeline.start(described[0].period, answer.comment) if described else None
        if kickoff is not None:
            event = min(described, key=lambda event: counts[event.type])
            yield max(kickoff + described[0].time, 0.0), _title(event)


def _title(event: Event) -> str:
    return f"{event.clock} {event.describe()}"
