"""The alignment of a method that cuts comments into segments, each about an event or nothing."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from touchline.core.links import Links
from touchline.core.records import CommentId
from touchline.methods.base import Alignment, Model, Words


class SegmentAlignment(Alignment):
    """The links of a match, and the segments of its comments for any events."""

    def __init__(self, links: Links, method: str, model: Model) -> None:
        super().__init__(links, method, model)
        self._places = {comment.id: i for i, comment in enumerate(links.match.comments)}
        self._number = {event.id: i for i, event in enumerate(links.match.linkable)}

    @abstractmethod
    def segments(self, place: int, events: Sequence[int]) -> Words:
        """The characters of a comment about each event, if it could describe no others.

        `place` is the number of the comment, `events` are those of linkable events, in order.
        """

    def words(self, comment: CommentId, events: Sequence[str] | None = None) -> Words:
        """The segments about each event; by default those that the links came with."""
        place = self._places[comment]
        own = self.links[place].events
        if events is None and all(link.words is not None for link in own):
            return {link.id: link.words or () for link in own}
        asked = [link.id for link in own] if events is None else events
        numbers = sorted({self._number[event] for event in asked if event in self._number})
        found = self.segments(place, numbers)
        return {event: found.get(event, ()) for event in asked}
