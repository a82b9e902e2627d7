"""Generated commentary measured: which events get a line, in which words, whole matches.

Selection is learned from links of `chains:unlabelled` on the other matches and scored by the
labels of the match that was left out. Wording is compared with the human comment on the same
events. Whole matches are generated from the log alone; what they say is held against the log.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from touchline.core.errors import TouchlineError
from touchline.core.records import Comment, Match
from touchline.evaluation.sheets import Sheet, percent
from touchline.evaluation.wording import bleu, rouge_l
from touchline.generation.check import Rules, check_text
from touchline.generation.commentary import Commentary
from touchline.generation.facts.chains import Chain, build_chains
from touchline.generation.facts.match import MatchFacts
from touchline.generation.generate import generate
from touchline.generation.selection.model import SelectionModel, fit_selection
from touchline.generation.wording.writer import Writer
from touchline.io.corpus.layout import LabelledMatch, read_corpus
from touchline.methods.registry import make_aligner

METHOD = "chains:unlabelled"
# A live page starts late, and what happened before its first comment was not left out by choice.
BEFORE_FIRST = 60.0


class Described(NamedTuple):
    """The events of a match that people could have described, and those that they did."""

    possible: tuple[str, ...]
    described: frozenset[str]


def run(data: Path, seed: int = 0) -> dict[str, Any]:
    """Measure generation on the corpora of a folder."""
    found: dict[str, Any] = {"protocol": "generation", "seed": seed, "links": METHOD}
    started = time.perf_counter()
    if not (data / "epl-2015").is_dir():
        raise TouchlineError(
            f"{data / 'epl-2015'}: no such folder; `reproduce generation` needs the corpus epl-2015"
        )
    if (data / "robocup").is_dir():
        found["robocup"] = robocup(list(read_corpus(data / "robocup")), seed)
    games = list(read_corpus(data / "epl-2015", clock="minute"))
    second = list(read_corpus(data / "epl-2015", clock="minute", track="bbc"))
    found["epl"] = live_text(games, second, seed)
    found["seconds"] = round(time.perf_counter() - started, 1)
    return found


# Selection ----------------------------------------------------------------------------------------


def selection(games: Sequence[LabelledMatch], described: Mapping[str, Described]) -> dict[str, Any]:
    """Each match by a model of the others' links: F1 at the model's threshold, and AP."""
    predicted: list[tuple[float, bool]] = []
    right = picked = 0
    for game in games:
        model = _left_out(games, game)
        scores, own = model.scores(game.match), described[game.match.name]
        for event in own.possible:
            is_described = event in own.described
            predicted.append((scores[event], is_described))
            picked += scores[event] >= model.threshold
            right += scores[event] >= model.threshold and is_described
    golds = sum(is_described for _, is_described in predicted)
    return {
        "f1": _f1(right, picked, golds),
        "ap": average_precision(predicted),
        "events": len(predicted),
        "described": golds,
    }


def _left_out(games: Sequence[LabelledMatch], game: LabelledMatch) -> SelectionModel:
    others = [other.match for other in games if other is not game]
    aligner = make_aligner(METHOD)
    aligner.fit(others)
    return fit_selection(aligner.infer(other).links for other in others)


def average_precision(scored: Iterable[tuple[float, bool]]) -> float:
    """The mean precision at each event that was described, the likeliest first."""
    ranked = sorted(scored, key=lambda one: -one[0])
    right, total = 0, 0.0
    for place, (_, is_described) in enumerate(ranked, 1):
        right += is_described
        total += right / place if is_described else 0.0
    return total / right if right else 0.0


def by_labels(game: LabelledMatch) -> Described:
    """What the labelled comments of a match describe, from the first comment on."""
    gold = game.gold or {}
    said = frozenset(event for events in gold.values() for event in events)
    first = min((c.period or 1, (c.start or 0.0) - BEFORE_FIRST) for c in game.match.comments)
    possible = tuple(e.id for e in game.match.linkable if (e.period, e.time) >= first)
    return Described(possible, said & frozenset(possible))


def by_meanings(game: LabelledMatch) -> Described:
    """RoboCup: labels are meanings; of several such candidates the latest is meant."""
    said = {event for _, event in _meant(game)}
    return Described(tuple(e.id for e in game.match.linkable), frozenset(said))


def _meant(game: LabelledMatch) -> Iterator[tuple[Comment, str]]:
    """Each comment with the event that its label means."""
    for comment in game.match.comments:
        gold = (game.gold or {}).get(comment.id, frozenset())
        same = [event for event in comment.candidates or () if game.key(event) in gold]
        if same:
            yield comment, max(same, key=lambda e: game.match.place_of[e])


def agreement(games: Sequence[LabelledMatch], second: Sequence[LabelledMatch]) -> dict[str, Any]:
    """How far another publisher describes the same events: F1 of the two sets.

    What the other publisher's lines describe is what they are linked to, as for selection; their
    silver labels name only the main event of a line.
    """
    aligner = make_aligner(METHOD)
    aligner.fit([other.match for other in second])
    by_name = {other.match.name: other.match for other in second}
    right = picked = golds = 0
    for game in games:
        own = by_labels(game)
        links = aligner.infer(by_name[game.match.name]).links
        theirs = {link.id for answer in links for link in answer.events} & set(own.possible)
        right += len(theirs & own.described)
        picked += len(theirs)
        golds += len(own.described)
    return {"f1": _f1(right, picked, golds)}


def _f1(right: int, picked: int, golds: int) -> float:
    return 2 * right / (picked + golds) if picked + golds else 0.0


# Wording ------------------------------------------------------------------------------------------


class Worded(NamedTuple):
    """Our text, the human one, the events, and whether ours says no more than who did what."""

    text: str
    reference: str
    events: tuple[str, ...]
    thin: bool


def worded(
    match: Match, asked: Iterable[tuple[str, frozenset[str]]], seed: int
) -> Iterator[Worded]:
    """Our line for the events of each human text; the chain that shares most of them is taken."""
    facts = MatchFacts(match)
    chains, writer = build_chains(facts), Writer(facts, seed)
    by_event: dict[str, list[Chain]] = {}
    for chain in chains:
        for event in chain.ids:
            by_event.setdefault(event, []).append(chain)
    for text, events in asked:
        near = [chain for event in sorted(events) for chain in by_event.get(event, ())]
        if not near:
            continue
        chain = max(near, key=lambda c: (_f1_of(c, events), -len(c.ids)))
        line = writer.write(chain, needed=True)
        if line is not None:
            yield Worded(line.text, text, chain.ids, line.thin)


def _f1_of(chain: Chain, events: frozenset[str]) -> float:
    return _f1(len(set(chain.ids) & events), len(chain.ids), len(events))


def wording(every: Sequence[tuple[Match, Sequence[Worded]]]) -> dict[str, Any]:
    """BLEU and ROUGE-L, and what is wrong by `check`."""
    lines = [(match, one) for match, own in every for one in own]
    pairs = [(one.text, one.reference) for _, one in lines]
    return {
        "bleu": bleu(pairs),
        "rouge_l": rouge_l(pairs),
        "lines": len(lines),
        "thin": sum(one.thin for _, one in lines) / max(len(lines), 1),
        **_wrong((match, [(o.text, o.events) for o in own]) for match, own in every),
    }


def _wrong(every: Iterable[tuple[Match, Sequence[tuple[str, Sequence[str]]]]]) -> dict[str, int]:
    """Lines with a wrong name, a wrong score, or anything else that `check_text` objects to."""
    wrong = {"names_wrong": 0, "scores_wrong": 0, "details_wrong": 0}
    for match, lines in every:
        rules = Rules(match)
        for text, events in lines:
            kinds = {finding.kind for finding in check_text(match, text, events, rules=rules)}
            wrong["names_wrong"] += "name" in kinds
            wrong["scores_wrong"] += "score" in kinds
            wrong["details_wrong"] += bool(kinds - {"name", "score"})
    return wrong


# The two corpora ----------------------------------------------------------------------------------


def robocup(games: Sequence[LabelledMatch], seed: int) -> dict[str, Any]:
    """Four games, each left out once."""
    described = {game.match.name: by_meanings(game) for game in games}
    every = []
    for game in games:
        asked = [(comment.text, frozenset([event])) for comment, event in _meant(game)]
        every.append((game.match, list(worded(game.match, asked, seed))))
    pairs = [(one.text, one.reference) for _, own in every for one in own]
    return {
        "selection": selection(games, described),
        "wording": {"bleu": bleu(pairs), "rouge_l": rouge_l(pairs), "lines": len(pairs)},
    }


def live_text(
    games: Sequence[LabelledMatch], second: Sequence[LabelledMatch], seed: int
) -> dict[str, Any]:
    """Six matches with live text, and another publisher's lines on them."""
    described = {game.match.name: by_labels(game) for game in games}
    every = []
    for game in games:
        gold = game.gold or {}
        asked = [(c.text, gold[c.id]) for c in game.match.comments if gold.get(c.id)]
        every.append((game.match, list(worded(game.match, asked, seed))))
    return {
        "selection": selection(games, described),
        "agreement": agreement(games, second),
        "wording": wording(every),
        "whole": {game.match.name: whole(game, seed) for game in games},
    }


def whole(game: LabelledMatch, seed: int) -> dict[str, Any]:
    """A match from its log alone: its lines, how long it takes, how many comments it covers."""
    match = game.match
    started = time.perf_counter()
    lines: Commentary = generate(match, seed=seed)
    seconds = time.perf_counter() - started
    said = {event for line in lines for event in line.events}
    golds = [events for events in (game.gold or {}).values() if events]
    wrong = _wrong([(match, [(line.text, line.events) for line in lines])])
    return {
        "lines": len(lines),
        "covered": sum(bool(events & said) for events in golds) / max(len(golds), 1),
        "distinct": len({_without_names(match, line.text) for line in lines}) / max(len(lines), 1),
        "thin": lines.thin / max(len(lines), 1),
        **wrong,
        "seconds": round(seconds, 3),
    }


def _without_names(match: Match, text: str) -> str:
    """A line with its names blanked: two lines that differ in names only are the same."""
    names = {name for player in match.players for name in player.names}
    names |= {name for team in match.teams for name in team.names}
    words = {word for name in names for word in name.split()}
    return " ".join(word for word in text.split() if word.strip(".,;:!?()'’s") not in words)


# Tables -------------------------------------------------------------------------------------------


def sheets(found: Mapping[str, Any]) -> list[Sheet]:
    """The tables, the most important figures first."""
    epl = found["epl"]
    whole_rows = [
        [name, str(m["lines"]), str(m["names_wrong"]), str(m["scores_wrong"]),
         str(m["details_wrong"]), percent(m["thin"]), percent(m["distinct"]),
         percent(m["covered"]), f"{m['seconds']:.2f}"]
        for name, m in epl["whole"].items()
    ]  # fmt: skip
    columns = ["match", "lines", "wrong names", "wrong scores", "wrong details", "thin %",
               "distinct %", "comments covered %", "seconds"]  # fmt: skip
    tables = [Sheet("Whole matches from the log alone, checked by `check`", columns, whole_rows)]
    rows = [
        ["live text, each match left out", *_selection(epl["selection"])],
        ["another publisher (BBC lines)", percent(epl["agreement"]["f1"]), "", "", ""],
    ]
    if "robocup" in found:
        rows.append(["RoboCup, each game left out", *_selection(found["robocup"]["selection"])])
    head = ["corpus", "F1", "AP", "events", "described"]
    tables.append(Sheet("Selection: which events get described, percent, no labels", head, rows))
    own = epl["wording"]
    rows = [["live text", percent(own["bleu"]), percent(own["rouge_l"]), str(own["lines"]),
             percent(own["thin"]), str(own["names_wrong"]), str(own["details_wrong"])]]  # fmt: skip
    if "robocup" in found:
        own = found["robocup"]["wording"]
        rows.append(["RoboCup", percent(own["bleu"]), percent(own["rouge_l"]), str(own["lines"]),
                     "", "", ""])  # fmt: skip
    head = ["corpus", "BLEU-4", "ROUGE-L", "lines", "thin %", "wrong names", "wrong details"]
    title = "Wording given the events: our phrases; lower case, no punctuation, one reference"
    tables.append(Sheet(title, head, rows))
    return tables


def _selection(own: Mapping[str, Any]) -> list[str]:
    return [percent(own["f1"]), percent(own["ap"]), str(own["events"]), str(own["described"])]
