"""Commentary from speech recognition: python -m benchmarks.speech [PART ...].

    scores     F1, PR-AUC, "no event" and calibration on TV and radio speech, second clock
    parts      the same with parts of the model left out, without the ensemble
    classes    labelled pairs by who is named and how late, and how many of them are found
    goals      goals of the TV logs with a linked line within a minute, also on shifted clocks
    labels     with labels: each labelled match by a layer learned from the labels of the others
    time       seconds for the longest TV match, one process

Needs TOUCHLINE_DATA. But for `labels` nothing learns from labels: matches that have labels are
answered by models learned from those that have none. One match is looked at only for reports, in
`scores` and `labels`.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache

import msgspec

from benchmarks.measuring import Table, real_data, show
from touchline import make_aligner, read_corpus
from touchline.core.links import Links
from touchline.core.records import Comment, Event, Match
from touchline.evaluation.calibration import calibration_error, judged_links
from touchline.evaluation.metrics import add_up, score_comments
from touchline.io.corpus.layout import LabelledMatch
from touchline.methods.base import Aligner
from touchline.methods.chains.aligner import Chains
from touchline.methods.chains.data.mentions import mentions_by, name_finder
from touchline.methods.chains.inference.answers import answers
from touchline.methods.chains.labelled.features import Inferred
from touchline.methods.chains.labelled.kinds import SPEECH
from touchline.methods.chains.labelled.layer import L2, Layer, judge, learn
from touchline.methods.chains.labelled.training import Labelled, example_of
from touchline.text.speech import laid_out

CORPORA = {"TV": "tv-2015", "radio": "radio-2018"}
REPORTED = ("swansea-man-united",)
LEFT_OUT = ("", "states", "heard", "laid_out", "garbled", "contexts", "words", "order", "drift")
SHOWN = ("f1", "precision", "recall", "pr_auc", "none_accuracy")
FIGURES = ("F1 (P/R)", "PR-AUC", '"no event"', "ECE")
NEAR = 60.0
SHIFT = 300.0


@cache
def corpus(kind: str, clock: str = "second") -> list[LabelledMatch]:
    return list(read_corpus(real_data() / CORPORA[kind], clock=clock))


@cache
def unlabelled(kind: str, clock: str = "second", without: str = "") -> Aligner:
    """What the matches without labels teach."""
    return learned([one.match for one in corpus(kind, clock) if not one.gold], without)


def learned(matches: list[Match], without: str = "") -> Aligner:
    aligner = make_aligner("chains", {"without": without})
    aligner.fit(matches)
    return aligner


def scores() -> Table:
    tracks, rows = [("TV", "second"), ("radio", "second"), ("radio", "minute")], []
    for kind, clock in tracks:
        aligner = unlabelled(kind, clock)
        labelled = [one for one in corpus(kind, clock) if one.gold]
        groups = {one.match.name: [one] for one in labelled}
        if len(labelled) > 1:
            groups["dev stretches"] = [m for m in labelled if m.match.name not in REPORTED]
            groups["all"] = labelled
        for name, some in groups.items():
            rows.append([f"{kind}, {clock} clock: {name}", *measured(some, aligner)])
    return Table("Without labels", ["without labels", *FIGURES], rows)


def measured(labelled: list[LabelledMatch], aligner: Aligner) -> list[str]:
    return figures([(one, aligner.align(one.match)) for one in labelled])


def figures(answered: list[tuple[LabelledMatch, Links]]) -> list[str]:
    score = add_up(score_comments(one, links) for one, links in answered).metrics()
    error = calibration_error([j for one, links in answered for j in judged_links(one, links)])
    f1, precision, recall, area, none = (f"{100 * score[name]:.1f}" for name in SHOWN)
    return [f"{f1} ({precision}/{recall})", area, none, f"{error:.3f}"]


def labels() -> Table:
    """Models as in `scores`; a layer from the labels of all other matches, TV and radio."""
    known = [(kind, one, _read(kind, one)) for kind in CORPORA for one in corpus(kind) if one.gold]
    examples = [
        example_of(Labelled(one.match, one.gold or {}), read, SPEECH) for _, one, read in known
    ]
    rows = []
    for strength in (1.0, L2[SPEECH], 10.0):
        answered: dict[str, list[tuple[LabelledMatch, Links]]] = {kind: [] for kind in CORPORA}
        for number, (kind, one, read) in enumerate(known):
            weights = learn([*examples[:number], *examples[number + 1 :]], strength)
            judged = judge(Layer(SPEECH, weights), read)
            links = Links(one.match, answers(one.match, read.tables, read.agreed, None, judged))
            answered[kind].append((one, links))
        for kind, own in answered.items():
            dev = [pair for pair in own if pair[0].match.name not in REPORTED]
            groups = {"dev stretches": dev, "all": own} if len(own) > 1 else {"all": own}
            for name, some in groups.items():
                rows.append([f"{kind}: {name}", f"{strength:g}", *figures(some)])
    notes = f"L2: how strongly weights are drawn to where they start; `fit` uses {L2[SPEECH]:g}."
    return Table("With labels", ["with labels, second clock", "L2", *FIGURES], rows, notes)


@cache
def _readers(kind: str) -> Chains:
    reader = unlabelled(kind)
    assert isinstance(reader, Chains)
    return reader


def _read(kind: str, one: LabelledMatch) -> Inferred:
    return _readers(kind).infer_unlabelled(one.match)


def parts() -> Table:
    rows = []
    for part in LEFT_OUT:
        without = ",".join(["ensemble", *([part] if part else [])])
        for kind in CORPORA:
            aligner = unlabelled(kind, "second", without)
            dev = [one for one in corpus(kind) if one.gold and one.match.name not in REPORTED]
            rows.append([f"{kind}: {f'`{part}`' if part else 'nothing'}", *measured(dev, aligner)])
    notes = "Without the ensemble; dev stretches, second clock, without labels."
    return Table("Parts left out", ["left out", *FIGURES], rows, notes)


def classes() -> Table:
    """By who is named and how many seconds after the event the line is said."""
    rows = []
    for kind in CORPORA:
        dev = [one for one in corpus(kind) if one.gold and one.match.name not in REPORTED]
        labelled, found, false = Counter[str](), Counter[str](), Counter[str]()
        for one in dev:
            links = unlabelled(kind).align(one.match)
            for name, is_gold, is_linked in pairs(one, links):
                labelled[name] += is_gold
                found[name] += is_gold and is_linked
                false[name] += is_linked and not is_gold
        for name in sorted(labelled | false):
            rows.append([f"{kind}: {name}", labelled[name], found[name], false[name]])
    head = ["who is named, when", "labelled pairs", "found", "false links"]
    return Table("Pairs by class", head, rows, "Dev stretches, without labels.")


def pairs(one: LabelledMatch, links: Links) -> Iterator[tuple[str, bool, bool]]:
    """The class of each pair of comment and event that is labelled or linked."""
    match = laid_out(one.match)
    named = mentions_by(name_finder(match), match)
    for comment, mentions, answer in zip(match.comments, named, links, strict=True):
        gold = (one.gold or {}).get(comment.id)
        if gold is None:
            continue
        linked = {link.id for link in answer.events}
        for event in sorted(gold | linked):
            who = {mention.player for mention in mentions}
            name = class_of(match.event_by_id[event], comment, who)
            yield name, event in gold, event in linked


def class_of(event: Event, comment: Comment, named: set[str]) -> str:
    lag = (comment.time or 0.0) - event.time
    when = "early" if lag < -2 else "live" if lag <= 8 else "8-20 s" if lag <= 20 else "later"
    if event.player and event.player.id in named:
        return f"actor named, {when}"
    if any(other.player.id in named for other in event.others):
        return f"receiver named, {when}"
    return f"{'another' if named else 'nobody'} named, {when}"


def goals() -> Table:
    """Each half of the matches answered by what the other half teaches."""
    every = [one.match for one in corpus("TV")]
    halves, rows = (every[::2], every[1::2]), []
    for title, move in (("their clock", 0.0), ("five minutes off", SHIFT)):
        found = scored = 0
        for some, others in (halves, halves[::-1]):
            aligner = _half(tuple(match.name for match in others))
            for match in some:
                links = aligner.align(_shifted(match, move))
                scored += len(goals_of(match))
                found += sum(_is_found(goal, links) for goal in goals_of(match))
        rows.append([title, f"{found} of {scored}"])
    return Table("Goals", ["clock of the TV lines", f"goals with a line within {NEAR:g} s"], rows)


@cache
def _half(names: tuple[str, ...]) -> Aligner:
    return learned([one.match for one in corpus("TV") if one.match.name in names])


def goals_of(match: Match) -> list[Event]:
    return [event for event in match.linkable if event.arguments.get("outcome") == "Goal"]


def _is_found(goal: Event, links: Links) -> bool:
    """Whether a line near a goal is linked to it."""
    comments = {comment.id: comment for comment in links.match.comments}
    linked = (comments[a.comment] for a in links if goal.id in {link.id for link in a.events})
    return any(abs((comment.time or 0.0) - goal.time) <= NEAR for comment in linked)


def _shifted(match: Match, seconds: float) -> Match:
    if not seconds:
        return match
    moved = tuple(comment.moved(seconds) for comment in match.comments)
    return msgspec.structs.replace(match, comments=moved)


def timing() -> Table:
    match = max((one.match for one in corpus("TV")), key=lambda match: len(match.comments))
    aligner = unlabelled("TV")
    began = time.process_time()
    aligner.align(match)
    spent = time.process_time() - began
    row = [match.name, f"{len(match.comments):,}", f"{spent:.1f}"]
    return Table("Time", ["match", "lines", "processor seconds"], [row])


PARTS: dict[str, Callable[[], Table]] = {
    "scores": scores,
    "parts": parts,
    "classes": classes,
    "goals": goals,
    "labels": labels,
    "time": timing,
}


def tables() -> Iterator[Table]:
    asked = [word for word in sys.argv[1:] if word in PARTS]
    return (PARTS[name]() for name in asked or PARTS)


def main() -> None:
    show(tables())


if __name__ == "__main__":
    main()
