"""A finding: what a text says, what the log has instead, and how probably the text is wrong."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from touchline.core.records import CommentId

FindingKind = Literal["name", "score", "no-event", "outcome", "detail"]
Severity = Literal["error", "warning"]


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """Something in a comment that the match log does not confirm.

    Attributes
    ----------
    comment
        The comment's id.
    kind
        `name`: it cannot be that player or team; `score`: the score differs from the log's;
        `no-event`: nothing near that time fits; `outcome`: a shot ended differently; `detail`: the
        card, the part of the body, the side or the distance differs.
    severity
        `error` if it is certain enough for `touchline check` to exit with 1, else `warning`.
    words
        The characters of the comment in question: start, and end (excluded), in code points.
    text
        These words.
    says, log
        What the comment says, and what the log has.
    events
        Ids of the events that the finding is based on.
    probability
        The probability that the comment is wrong.
    """

    comment: CommentId
    kind: FindingKind
    severity: Severity
    words: tuple[tuple[int, int], ...]
    text: str
    says: str
    log: str
    events: tuple[str, ...] = ()
    probability: float

    @property
    def sentence(self) -> str:
        """The finding in plain English."""
        return f"says {self.says}; {self.log}"

    def to_json(self) -> dict[str, Any]:
        """Return the finding as `touchline check --json` writes it.

        Returns
        -------
        dict[str, Any]
            The fields by name, of JSON's types.
        """
        found: dict[str, Any] = msgspec.to_builtins(self)
        return found
