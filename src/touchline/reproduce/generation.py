"""Generated commentary measured: which events get a line, in which words, whole matches.

Selection is learned from links of `chains:unlabelled` on the other matches and scored by the
labels of the match that was left out. Wording is compared with the human comment on the same
events. Whole matches are generated from the log alone and held against it by `check_text`, which
templates have already passed: `benchmarks/verify` checks them independently.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from touchline.core.errors import TouchlineError
from touchline.core.records import Comment, Match
from touchline.evaluation.sheets import Sheet, percent
from touchline.evaluation.wording import bleu, rouge_l
from touchline.generation.check import Rules, check_text
from touchline.generation.commentary import Commentary
from touchline.generation.composing import Worder
from touchline.generation.facts.chains import Chain, build_chains
from touchline.generation.facts.match import MatchFacts
from touchline.generation.generate import generate
from touchline.generation.selection.choice import Picked
from touchline.generation.style.file import Style
from touchline.generation.style.learning import fit_style
from touchline.generation.style.worder import StyleWorder
from touchline.io.corpus.layout import LabelledMatch, read_corpus
from touchline.methods.registry import make_aligner

METHOD = "chains:unlabelled"
# A live page starts late, and what happened before its first comment was not left out by choice.
BEFORE_FIRST = 60.0
# How lines are worded: in our phrases, by templates of the other matches, by those with colour.
PHRASES, STYLE, COLOURED = WAYS = ("our phrases", "style", "style with colour")


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


def left_out(games: Sequence[LabelledMatch], game: LabelledMatch) -> Style:
    """What the links of the other matches teach about a match: selection and templates."""
    others = [other.match for other in games if other is not game]
    aligner = make_aligner(METHOD)
    aligner.fit(others)
    return fit_style(aligner.infer(other).links for other in others)


def selection(
    games: Sequence[LabelledMatch],
    styles: Mapping[str, Style],
    described: Mapping[str, Described],
) -> dict[str, Any]:
    """Each match by a model of the others' links: F1 at the model's threshold, and AP."""
    predicted: list[tuple[float, bool]] = []
    right = picked = 0
    for game in games:
        model = styles[game.match.name].selection
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
    match: Match, asked: Iterable[tuple[str, frozenset[str]]], way: str, style: Style, seed: int
) -> Iterator[Worded]:
    """A line for the events of each human text; the chain that shares most of them is taken."""
    facts = MatchFacts(match)
    worder = _worder(facts, way, style, seed)
    by_event: dict[str, list[Chain]] = {}
    for chain in build_chains(facts):
        for event in chain.ids:
            by_event.setdefault(event, []).append(chain)
    for text, events in asked:
        near = [chain for event in sorted(events) for chain in by_event.get(event, ())]
        if not near:
            continue
        chain = max(near, key=lambda c: (_f1_of(c, events), -len(c.ids)))
        draft = worder.draft(Picked(chain, 1.0, True))
        if draft is not None:
            yield Worded(draft.line.text, text, chain.ids, draft.thin)


def _worder(facts: MatchFacts, way: str, style: Style, seed: int) -> Worder:
    if way == PHRASES:
        return Worder(facts, seed)
    return StyleWorder(facts, seed, style, free=way == COLOURED)


def _f1_of(chain: Chain, events: frozenset[str]) -> float:
    return _f1(len(set(chain.ids) & events), len(chain.ids), len(events))


def wording(every: Sequence[tuple[Match, Sequence[Worded]]]) -> dict[str, Any]:
    """BLEU and ROUGE-L against people's words."""
    lines = [one for _, own in every for one in own]
    pairs = [(one.text, one.reference) for one in lines]
    return {
        "bleu": bleu(pairs),
        "rouge_l": rouge_l(pairs),
        "lines": len(lines),
        "thin": sum(one.thin for one in lines) / max(len(lines), 1),
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
    asked = {
        game.match.name: [(comment.text, frozenset([event])) for comment, event in _meant(game)]
        for game in games
    }
    styles = {game.match.name: left_out(games, game) for game in games}
    return {
        "selection": selection(games, styles, described),
        "wording": _by_way(games, asked, styles, seed),
    }


def live_text(
    games: Sequence[LabelledMatch], second: Sequence[LabelledMatch], seed: int
) -> dict[str, Any]:
    """Six matches with live text, and another publisher's lines on them."""
    described = {game.match.name: by_labels(game) for game in games}
    asked = {}
    for game in games:
        gold = game.gold or {}
        labelled = [comment for comment in game.match.comments if gold.get(comment.id)]
        asked[game.match.name] = [(comment.text, gold[comment.id]) for comment in labelled]
    styles = {game.match.name: left_out(games, game) for game in games}
    return {
        "selection": selection(games, styles, described),
        "agreement": agreement(games, second),
        "wording": _by_way(games, asked, styles, seed),
        "whole": {game.match.name: whole(game, styles[game.match.name], seed) for game in games},
    }


def _by_way(
    games: Sequence[LabelledMatch],
    asked: Mapping[str, Sequence[tuple[str, frozenset[str]]]],
    styles: Mapping[str, Style],
    seed: int,
) -> dict[str, Any]:
    found = {}
    for way in WAYS:
        every = []
        for game in games:
            name = game.match.name
            lines = worded(game.match, asked[name], way, styles[name], seed)
            every.append((game.match, list(lines)))
        found[way] = wording(every)
    return found


def whole(game: LabelledMatch, style: Style, seed: int) -> dict[str, Any]:
    """A match from its log alone, by what the others teach, in our phrases and in their style."""
    plain = msgspec.structs.replace(style, templates=())
    return {way: _whole(game, own, seed) for way, own in ((PHRASES, plain), (STYLE, style))}


def _whole(game: LabelledMatch, style: Style, seed: int) -> dict[str, Any]:
    """Its lines, how long they take, how many human comments they cover."""
    match = game.match
    started = time.perf_counter()
    lines: Commentary = generate(match, style, seed=seed)
    seconds = time.perf_counter() - started
    said = {event for line in lines for event in line.events}
    golds = [events for events in (game.gold or {}).values() if events]
    return {
        "lines": len(lines),
        **_wrong([(match, [(line.text, line.events) for line in lines])]),
        "thin": lines.thin / max(len(lines), 1),
        "templates": sum(line.wording.startswith("template") for line in lines),
        "distinct": len({_without_names(match, line.text) for line in lines}) / max(len(lines), 1),
        "covered": sum(bool(events & said) for events in golds) / max(len(golds), 1),
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
    epl, robots = found["epl"], found.get("robocup")
    chosen = [["live text, each match left out", *_selection(epl["selection"])]]
    chosen.append(["another publisher (BBC lines)", percent(epl["agreement"]["f1"]), "", "", ""])
    said = [["live text", way, *_wording(own)] for way, own in epl["wording"].items()]
    if robots is not None:
        chosen.append(["RoboCup, each game left out", *_selection(robots["selection"])])
        said += [["RoboCup", way, *_wording(own)] for way, own in robots["wording"].items()]
    tokens = "lower case, no punctuation, one reference"
    return [
        Sheet("Whole matches from the log alone, by what the other matches teach",
              ["match", "words", "lines", "wrong names", "wrong scores", "wrong details",
               "thin %", "templates", "distinct %", "comments covered %", "seconds"],
              [[name, way, *_line_figures(m)]
               for name, own in epl["whole"].items() for way, m in own.items()]),
        Sheet("Selection: which events get described, percent, without labels",
              ["corpus", "F1", "AP", "events", "described"], chosen),
        Sheet(f"Wording, given the events ({tokens})",
              ["corpus", "words", "BLEU-4", "ROUGE-L", "lines", "thin %"], said),
    ]  # fmt: skip


def _line_figures(m: Mapping[str, Any]) -> list[str]:
    counts = (m["lines"], m["names_wrong"], m["scores_wrong"], m["details_wrong"])
    shares = (percent(m["distinct"]), percent(m["covered"]))
    return [*map(str, counts), percent(m["thin"]), str(m["templates"]), *shares,
            f"{m['seconds']:.2f}"]  # fmt: skip


def _wording(own: Mapping[str, Any]) -> list[str]:
    return [percent(own["bleu"]), percent(own["rouge_l"]), str(own["lines"]), percent(own["thin"])]


def _selection(own: Mapping[str, Any]) -> list[str]:
    return [percent(own["f1"]), percent(own["ap"]), str(own["events"]), str(own["described"])]
