"""The answer for each comment, from the probabilities of its events."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import numpy as np

from touchline.core.links import CommentLinks
from touchline.core.records import Comment, Match
from touchline.methods.base import Clock, answer
from touchline.methods.chains.data.tables import MatchTables
from touchline.methods.chains.inference.posterior import Posterior
from touchline.methods.chains.labelled.decoding import best_threshold
from touchline.methods.chains.labelled.layer import Judged, Mean

# An event is linked if its probability is above this.
LINKED = 0.5
# Candidates that are less probable are not worth writing down.
NEGLIGIBLE = 1e-6


def answers(
    match: Match,
    prepared: MatchTables,
    posterior: Posterior,
    clock: Clock | None = None,
    judged: Judged | Mean | None = None,
) -> Iterator[CommentLinks]:
    """Links to the events whose probability over all hypotheses is more than a half.

    A comment that describes nothing is placed by the clock. What labels have taught, `judged`, has
    the last word on the events that it has looked at. Its probabilities can be taken at their word,
    so a comment that probably describes something is linked to less probable events as well, if
    that makes a better F1 likely.
    """
    hypotheses, head_event = prepared.hypotheses, prepared.hypotheses.head_event
    marginals = judged.marginals() if judged else None
    silent = judged.none if judged else posterior.none
    enough = best_threshold(judged) if judged else LINKED
    for number, comment in enumerate(match.comments):
        own = slice(hypotheses.start[number], hypotheses.start[number + 1])
        chains, shares = hypotheses.events[own], posterior.chains[own]
        heads = _sums(head_event[own], shares)
        likely = _sums(chains, shares[:, None])
        if marginals is not None:
            others = {event: min(share, enough) for event, share in likely.items()}
            likely = others | marginals[number]
        # Of equally sure events the head comes first: it is what the comment is about.
        best_first = sorted(likely, key=lambda event: (-heads.get(event, 0.0), event))
        above = enough if silent[number] < LINKED else LINKED
        linked = [match.linkable[event].id for event, share in likely.items() if share > above]
        given = [(match.linkable[event], likely[event]) for event in best_first]
        found = answer(match, comment, given, linked, float(silent[number]))
        yield _made_at(found, comment, clock, number) if clock and not linked else found


def _made_at(found: CommentLinks, comment: Comment, clock: Clock, number: int) -> CommentLinks:
    """A comment that describes nothing, placed by the clock."""
    if comment.time is None or np.isnan(clock.lag[number]):
        return found
    time, last, first = (round(comment.time - float(lag[number]), 1) for lag in clock)
    return msgspec.structs.replace(found, period=comment.period, time=time, span=(first, last))


def _sums(events: np.ndarray, shares: np.ndarray) -> dict[int, float]:
    """The probability of each event that is not negligible."""
    known = events >= 0
    total = np.bincount(events[known], weights=np.broadcast_to(shares, events.shape)[known])
    return {int(event): float(total[event]) for event in np.flatnonzero(total >= NEGLIGIBLE)}
