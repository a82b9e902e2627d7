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
from collections.abc import Callable, Iterable, Iterator
from functools import cache

import msgspec

from benchmarks.measuring import real_data
from touchline import make_aligner, read_corpus
from touchline.core.links import Links
from touchline.core.records import Comment, Event, Match
from touchline.evaluation.calibration import calibration_error, judged_links
from touchline.evaluation.metrics import add_up, score_comments
from touchline.io.corpus.layout import LabelledMatch
from touchline.methods.base import Aligner
from touchline.methods.chains.aligner import Chains, answers
from touchline.methods.chains.data.mentions import mentions_by, name_finder
from touchline.methods.chains.labelled.features import Inferred
from touchline.methods.chains.labelled.kinds import SPEECH
from touchline.methods.chains.labelled.layer import L2, Layer, judge, learn
from touchline.methods.chains.labelled.training import Labelled, example_of
from touchline.text.speech import laid_out

CORPORA = {"TV": "tv-2015", "radio": "radio-2018"}
REPORTED = ("swansea-man-united",)
LEFT_OUT = ("", "states", "heard", "laid_out", "garbled", "contexts", "words", "order", "drift")
SHOWN = {
    "P": "precision",
    "R": "recall",
    "F1": "f1",
    "PR-AUC": "pr_auc",
    "none": "none_accuracy",
}
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


def scores() -> None:
    tracks = [("TV", "second"), ("radio", "second"), ("radio", "minute")]
    for kind, clock in tracks:
        aligner = unlabelled(kind, clock)
        labelled = [one for one in corpus(kind, clock) if one.gold]
        groups = {one.match.name: [one] for one in labelled}
        groups["dev"] = [one for one in labelled if one.match.name not in REPORTED]
        groups["all"] = labelled
        for name, some in groups.items():
            print(f"{kind + ', ' + clock:16}{name:24}{measured(some, aligner)}", flush=True)


def measured(labelled: list[LabelledMatch], aligner: Aligner) -> str:
    return figures([(one, aligner.align(one.match)) for one in labelled])


def figures(answered: list[tuple[LabelledMatch, Links]]) -> str:
    score = add_up(score_comments(one, links) for one, links in answered)
    error = calibration_error([j for one, links in answered for j in judged_links(one, links)])
    shown = [f"{name} {100 * score.metrics()[key]:5.1f}" for name, key in SHOWN.items()]
    return "  ".join([*shown, f"ECE {error:.3f}"])


def labels() -> None:
    """Models as in `scores`; a layer from the labels of all other matches, TV and radio."""
    known = [(kind, one, _read(kind, one)) for kind in CORPORA for one in corpus(kind) if one.gold]
    examples = [
        example_of(Labelled(one.match, one.gold or {}), read, SPEECH) for _, one, read in known
    ]
    for strength in (1.0, L2[SPEECH], 10.0):
        answered: dict[str, list[tuple[LabelledMatch, Links]]] = {kind: [] for kind in CORPORA}
        for number, (kind, one, read) in enumerate(known):
            weights = learn([*examples[:number], *examples[number + 1 :]], strength)
            judged = judge(Layer(SPEECH, weights), read)
            links = Links(one.match, answers(one.match, read.tables, read.agreed, None, judged))
            answered[kind].append((one, links))
        for kind, own in answered.items():
            dev = [pair for pair in own if pair[0].match.name not in REPORTED]
            for name, some in {"dev": dev, "all": own}.items():
                print(f"labels, L2 {strength:4}  {kind:6}{name:5}{figures(some)}", flush=True)


@cache
def _readers(kind: str) -> Chains:
    reader = unlabelled(kind)
    assert isinstance(reader, Chains)
    return reader


def _read(kind: str, one: LabelledMatch) -> Inferred:
    return _readers(kind).infer_unlabelled(one.match)


def parts() -> None:
    for part in LEFT_OUT:
        without = ",".join(["ensemble", *([part] if part else [])])
        for kind in CORPORA:
            aligner = unlabelled(kind, "second", without)
            dev = [one for one in corpus(kind) if one.gold and one.match.name not in REPORTED]
            print(f"without {part or '-':12}{kind:8}{measured(dev, aligner)}", flush=True)


def classes() -> None:
    """By who is named and how many seconds after the event the line is said."""
    for kind in CORPORA:
        dev = [one for one in corpus(kind) if one.gold and one.match.name not in REPORTED]
        labelled, found, false = Counter[str](), Counter[str](), Counter[str]()
        for one in dev:
            links = unlabelled(kind).align(one.match)
            for name, is_gold, is_linked in pairs(one, links):
                labelled[name] += is_gold
                found[name] += is_gold and is_linked
                false[name] += is_linked and not is_gold
        print(f"{kind}: class, labelled, found, false links")
        for name in sorted(labelled | false):
            print(f"  {name:28}{labelled[name]:6}{found[name]:6}{false[name]:6}", flush=True)


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


def goals() -> None:
    """Each half of the matches answered by what the other half teaches."""
    every = [one.match for one in corpus("TV")]
    halves = every[::2], every[1::2]
    for title, move in (("their clock", 0.0), ("five minutes off", SHIFT)):
        found = scored = 0
        for some, others in (halves, halves[::-1]):
            aligner = _half(tuple(match.name for match in others))
            for match in some:
                links = aligner.align(_shifted(match, move))
                scored += len(goals_of(match))
                found += sum(_is_found(goal, links) for goal in goals_of(match))
        print(
            f"goals with a linked line within {NEAR:g} s, {title}: {found} of {scored}", flush=True
        )


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


def timing() -> None:
    match = max((one.match for one in corpus("TV")), key=lambda match: len(match.comments))
    aligner = unlabelled("TV")
    began = time.process_time()
    aligner.align(match)
    spent = time.process_time() - began
    print(f"{match.name}: {len(match.comments)} lines in {spent:.1f} processor seconds")


PARTS: dict[str, Callable[[], None]] = {
    "scores": scores,
    "parts": parts,
    "classes": classes,
    "goals": goals,
    "labels": labels,
    "time": timing,
}


def main(names: Iterable[str]) -> None:
    for name in names or PARTS:
        PARTS[name]()


if __name__ == "__main__":
    main(sys.argv[1:])
