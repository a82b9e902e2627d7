"""Tables of examples like the paper's Figures 2 and 3: what PairModels look at, macro-events.

They hold sentences of the commentary, so they are made for the reader at hand and kept apart from
the figures of a reproduction.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from touchline.core.links import CommentLinks
from touchline.core.records import CommentId, Event, Match
from touchline.evaluation.sheets import Sheet
from touchline.methods.base import explain_by
from touchline.methods.registry import make_aligner
from touchline.reproduce.systems import PAPER

MODELS, MACRO_EVENTS, WORDS = 3, 6, 10

Answered = tuple[Match, CommentLinks]


def example_sheets(matches: Sequence[Match]) -> list[Sheet]:
    """The tables for some matches, learned from them together."""
    aligner = make_aligner(PAPER)
    aligner.fit(matches)
    alignments = [aligner.infer(match) for match in matches]
    answers = [(a.links.match, answer) for a in alignments for answer in a.links]
    groups = [(match, answer) for match, answer in answers if len(answer.events) > 1]
    groups.sort(key=lambda pair: -max(link.score for link in pair[1].events))
    varied = _of_several_types(groups)
    return [_figure_2(explain_by(alignments), varied[:MODELS]), _figure_3(varied[:MACRO_EVENTS])]


def _of_several_types(groups: Sequence[Answered]) -> list[Answered]:
    """The best answers, each with another type of event at its heart."""
    chosen: dict[str, Answered] = {}
    for match, answer in groups:
        heart = max(answer.events, key=lambda link: link.score)
        chosen.setdefault(match.event_by_id[heart.id].type, (match, answer))
    return list(chosen.values())


def _figure_2(explain: Callable[[Match, CommentId], Any], chosen: Sequence[Answered]) -> Sheet:
    """Models as rows: the pair, the heaviest features, the nearest other sentence."""
    rows = []
    for match, answer in chosen:
        why = explain(match, answer.comment)
        model = why.models[0]
        heaviest = ", ".join(name for name, _ in model.weights[:WORDS])
        nearest = model.nearest[0].text if model.nearest else ""
        rows.append([why.text, model.what, heaviest, nearest])
    columns = ["sentence", "event", "heaviest features", "nearest sentence"]
    return Sheet("Figure 2: what PairModels look at", columns, rows, text=True)


def _figure_3(groups: Sequence[Answered]) -> Sheet:
    rows = []
    for match, answer in groups:
        text = {comment.id: comment.text for comment in match.comments}
        events = [match.event_by_id[link.id] for link in answer.events]
        rows.append([text[answer.comment], "; ".join(map(_described, events))])
    return Sheet("Figure 3: macro-events", ["sentence", "discovered events"], rows, text=True)


def _described(event: Event) -> str:
    team = f" ({event.team.name})" if event.team else ""
    return event.describe() + team
