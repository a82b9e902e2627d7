"""Errors of a method by kind, on real matches: python -m benchmarks.errors [METHOD].

Needs TOUCHLINE_DATA. The four dev matches of `epl-2015`, minute clock, learned from all six; with
`chains:labels`, each by what the other five and their labels teach. An error is classified by the
event's type, whether the comment names its player, and whether the comment has any other event
right.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable

from benchmarks.measuring import real_data
from touchline import NameFinder, make_aligner, read_corpus
from touchline.core.links import Links
from touchline.core.records import Match
from touchline.evaluation.held_out import Answering
from touchline.io.corpus.layout import LabelledMatch
from touchline.text.names import MENTIONED

SEALED = frozenset(["newcastle-chelsea", "southampton-man-united"])
Kinds = Counter[tuple[str, str, str]]


def main() -> None:
    folder = real_data()
    matches = list(read_corpus(folder / "epl-2015", clock="minute"))
    answering = answered_by(sys.argv[1] if len(sys.argv) > 1 else "chains", matches)
    missed: Kinds = Counter()
    false: Kinds = Counter()
    for labelled in (m for m in matches if m.match.name not in SEALED):
        for comment, answer in zip(labelled.match.comments, answering(labelled.match), strict=True):
            gold = (labelled.gold or {}).get(comment.id)
            if gold is not None:
                linked = {link.id for link in answer.events}
                missed.update(kinds(labelled, comment.text, gold - linked, bool(gold & linked)))
                false.update(kinds(labelled, comment.text, linked - gold, bool(gold & linked)))
    for title, errors in (("missed", missed), ("false", false)):
        print(f"{title}: {sum(errors.values())}")
        for (kind, named, others), count in errors.most_common(10):
            print(f"  {count:4}  {kind}, {named}, {others}")


def answered_by(method: str, matches: list[LabelledMatch]) -> Callable[[Match], Links]:
    """What answers a match: with labels, a model that has not seen it."""
    aligner, own = make_aligner(method), [one.match for one in matches]
    if method.endswith(":labels"):
        labels = {one.match.name: one.gold for one in matches if one.gold is not None}
        answering = Answering(aligner, own, labels)
        return lambda match: answering.left_out(match).align(match)
    aligner.fit(own)
    return aligner.align


def kinds(
    labelled: LabelledMatch, text: str, events: Iterable[str], right: bool
) -> Iterable[tuple[str, str, str]]:
    players = NameFinder(labelled.match).players(text)
    for event in (labelled.match.event_by_id[i] for i in sorted(events)):
        named = event.player is not None and players.get(event.player.id, 0) >= MENTIONED
        yield (
            event.type,
            "named" if named else "not named",
            "beside a right event" if right else "nothing right",
        )


if __name__ == "__main__":
    main()
