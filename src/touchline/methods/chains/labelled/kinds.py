"""Kinds of text, each with a layer of its own: a layer of one kind answers another badly."""

from __future__ import annotations

from touchline.core.records import Match
from touchline.methods.chains.data.language import pace_of

TEXT, SPEECH, LISTED = "text", "speech", "listed"
NAMES = {
    TEXT: "written commentary",
    SPEECH: "speech",
    LISTED: "commentary that lists its candidates",
}
# Written commentary has about one comment a minute, speech five and more.
SPEECH_PACE = 3.0
# So many labelled matches of a kind a layer needs, and so many labelled comments in them; with
# fewer it is no better than none.
MIN_MATCHES = {TEXT: 2, SPEECH: 3, LISTED: 2}
MIN_LABELS = 50
# Clamped EM needs no more than so many labelled comments of a kind, of one match or of several.
MIN_CLAMPED = 20


def kind_of(match: Match) -> str | None:
    """What a commentary is, by its pace; None if that is not known.

    Where each comment lists its candidates, as in the RoboCup corpus, pace says nothing.
    """
    if any(comment.candidates is not None for comment in match.comments):
        return LISTED
    pace = pace_of(match)
    if not pace:
        return None
    return SPEECH if pace >= SPEECH_PACE else TEXT
