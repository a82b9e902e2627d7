"""A small data set: the bundled matches with their gold links, a word each and a phase."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from touchline.core.links import Links, Phase
from touchline.io.corpus.layout import LabelledMatch, corpus_matches
from touchline.io.links.origin import Origin
from touchline.methods.base import answer
from touchline.pipeline.runs.dataset_folder import DatasetFolder
from touchline.sample import corpus_path


def write_dataset(folder: Path, sample: Iterable[LabelledMatch], season: str = "2015/16") -> Path:
    """Write the matches as one season of a data set."""
    out, entries = DatasetFolder(folder, season, "Sample League"), {}
    places = {one.name: one for one in corpus_matches(corpus_path())}
    for one in sample:
        name = one.match.name
        origin = Origin(method="gold", key=name.rjust(16, "0"))
        entries[name] = out.write(places[name], gold_links(one), origin)
    out.commit(Origin(method="gold"), entries)
    return folder


def gold_links(one: LabelledMatch) -> Links:
    match, answers = one.match, []
    for comment in match.comments:
        events = (one.gold or {}).get(comment.id, frozenset())
        scored = [(event, 0.75) for event in match.events if event.id in events]
        found = answer(match, comment, scored, events, 0.25 if scored else 0.9)
        found = found.with_words({event.id: ((0, 4), (5, 7)) for event, _ in scored[:1]})
        answers.append(msgspec.structs.replace(found, candidates=None))
    first = next(number for number, found in enumerate(answers) if len(found.events) > 1)
    described = answers[first]
    assert described.span is not None
    phase = Phase(
        team=match.teams[0].name, kind="counter", span=described.span, score=0.5,
        events=tuple(link.id for link in described.events),
    )  # fmt: skip
    answers[first] = msgspec.structs.replace(described, phase=phase)
    return Links(match, answers, "gold")
