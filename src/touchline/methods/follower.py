"""What a method needs in order to follow a live match: answers for a few comments at a time."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable

from touchline.core.links import CommentLinks
from touchline.core.records import Match


class Follower(ABC):
    """Answers comments of a match whose log is still growing.

    `touchline.pipeline.live` decides which comments to answer, and when. A follower answers them in
    a time that does not depend on how long the match has been going on.
    """

    @abstractmethod
    def follow_log(self, match: Match) -> None:
        """Take over the log as it is now, whatever it was before."""

    @abstractmethod
    def choose_model(self, match: Match) -> bool:
        """Choose a model for the comments so far; whether it is another one than before."""

    @abstractmethod
    def fits(self, match: Match) -> bool:
        """Whether the model knows enough of the match's words and events."""

    @abstractmethod
    def depends_on(self, match: Match) -> list[Hashable]:
        """The part of the log that the answer for each comment depends on.

        A comment is answered again when that part has changed.
        """

    @abstractmethod
    def answers(self, match: Match) -> list[CommentLinks]:
        """Answers for the comments of a match, which are a few neighbouring ones of all."""
