"""A single text against the events that it was written for: nothing may be said beyond the log.

This is stricter than checking a commentary. There a text may know more than the log, here it was
made from the log: a name, a number or an act that is not among the facts is invented.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from touchline.core.links import CommentLinks, Link
from touchline.core.records import Comment, Event, Match, Player
from touchline.generation.check.acts import acts_of
from touchline.generation.check.bound import unbound, wrong_teams
from touchline.generation.check.claims import values_of
from touchline.generation.check.reading import Reading, read_text
from touchline.generation.check.rules import COMPATIBLE, Rules, namesakes
from touchline.generation.facts import EventFacts, MatchFacts, geometry
from touchline.generation.findings import Finding, FindingKind
from touchline.text.names import NameFinder
from touchline.text.tokens import FUNCTION_WORDS, PARTICLES, tokenise

MAX_LENGTH = 600
LED_TO = 10.0  # seconds before its events that a text may also speak of
# Acts that a text may only claim if the log has them.
_BOUND = ("goal", "save", "card", "substitution", "penalty", "offside", "corner", "foul",
          "free kick", "injury", "throw-in")  # fmt: skip
_FOREIGN = re.compile(
    r"https?:|www\.|\w@\w|[<>{}\[\]`\\|#*_^~=]|\n"
    r"|\b(?:ignore|disregard|instructions?|prompt|system|assistant|click|subscribe|language model|"
    r"as an ai|json|forget|secrets?|password|please|your rules)\b",
    re.IGNORECASE,
)  # fmt: skip
_DIGITS = re.compile(r"\d+(?:[.,]\d+)?")
_YARDS = re.compile(
    r"(?P<n>\d+|[a-z]+(?:-[a-z]+)?)[- ](?P<unit>yards?|metres?|meters?)\b(?! box)", re.IGNORECASE
)
_TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50}
_ONES = {word: number for number, word in enumerate(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen".split())}  # fmt: skip
_METRE = 1.0936
_SLACK = 1.0  # yards
# Words that are written with a capital and name nobody.
_COMMON = (
    PARTICLES
    | FUNCTION_WORDS
    | frozenset(
        """goal red yellow card penalty sent off own var monday tuesday wednesday thursday friday
    saturday sunday english spanish premier league cup""".split()
    )
)


class _Known(NamedTuple):
    """What may be said: the facts of the events, and those who take part in them."""

    match: Match
    finder: NameFinder
    facts: Sequence[EventFacts]
    reading: Reading
    rules: Rules

    @property
    def text(self) -> str:
        return self.reading.comment.text


def check_text(
    match: Match,
    text: str | Comment,
    events: Iterable[Event | str],
    *,
    facts: MatchFacts | None = None,
    rules: Rules | None = None,
) -> list[Finding]:
    """Check a text that was written for given events.

    Parameters
    ----------
    match
        The match.
    text
        The text, or a comment.
    events
        The events that it was written for, or their ids.
    facts
        The facts of the match, if they are known already.
    rules
        What `Rules(match, facts)` gives, to check many texts of one match.

    Returns
    -------
    list[Finding]
        What the events do not confirm. Every finding is an error: a name that takes no part, a
        score, an outcome, a card, a side or a distance that is another, an act, a number or a
        capitalised word that is not in the facts, markup and addresses.
    """
    rules = rules or Rules(match, facts)
    given = [match.event_by_id[e] if isinstance(e, str) else e for e in events]
    comment = text if isinstance(text, Comment) else Comment(id="", text=text)
    finder = NameFinder(match.with_comments([]))
    reading = read_text(match, comment, finder, _answer(match, comment, given))
    known = _Known(match, finder, [rules.facts.of(event) for event in given], reading, rules)
    return [finding for check in _CHECKS for finding in check(known)]


def _answer(match: Match, comment: Comment, events: Sequence[Event]) -> CommentLinks:
    times = [event.time for event in events]
    return CommentLinks(
        match=match.name,
        comment=comment.id,
        events=tuple(Link(id=event.id, score=1.0) for event in events),
        none=0.0,
        period=events[0].period if events else None,
        time=times[-1] if times else None,
        span=(min(times), max(times)) if times else None,
    )


def _found(known: _Known, kind: FindingKind, span: tuple[int, int], says: str, log: str) -> Finding:
    return Finding(
        comment=known.reading.comment.id,
        kind=kind,
        severity="error",
        words=(span,),
        text=known.text[span[0] : span[1]],
        says=says,
        log=log,
        events=tuple(one.id for one in known.facts),
        probability=1.0,
    )


def _names(known: _Known) -> Iterator[Finding]:
    """Players who take no part in the events, and teams beside players of the other one."""
    people = {player.id for one in known.facts for player in one.people.values()}
    people |= {one.event.player.id for one in known.facts if one.event.player}
    labels = sorted({one.player for one in known.facts if one.player})
    by_id = {player.id: player for player in known.match.players}
    for who, mentions in known.reading.players.items():
        if who not in people:
            log = f"the events are of {', '.join(labels) or 'nobody'}"
            span = mentions[0].start, mentions[0].end
            yield _found(known, "name", span, by_id[who].label, log)
        yield from _beside(known, by_id[who])


def _beside(known: _Known, player: Player) -> Iterator[Finding]:
    teams = [m for own in known.reading.teams.values() for m in own]
    for mention in known.reading.players[player.id]:
        for team in teams:
            near = known.text[mention.end : team.start] == " ("
            if near and player.team and team.who.id not in namesakes(known.match, player):
                says = f"{player.label} ({known.text[team.start : team.end]})"
                log = f"{player.label} plays for {player.team.name}"
                yield _found(known, "name", (team.start, team.end), says, log)


def _capitals(known: _Known) -> Iterator[Finding]:
    """Capitalised words that are nobody's name in the match."""
    own = known.finder.known_words
    tokens = tokenise(known.text)
    for number, token in enumerate(tokens):
        word = known.text[token.start : token.end]
        if (
            not token.capital
            or token.key in own
            or token.key in _COMMON | FUNCTION_WORDS | PARTICLES
        ):
            continue
        runs_on = (
            number + 1 < len(tokens) and tokens[number + 1].glued and tokens[number + 1].capital
        )
        if token.starts_sentence and not (runs_on and tokens[number + 1].key not in own):
            continue
        if word.isupper() and len(word) > 3:
            continue  # shouted
        yield _found(known, "name", (token.start, token.end), word,
                     "nobody in the match has that name")  # fmt: skip


def _scores(known: _Known) -> Iterator[Finding]:
    held = {score for one in known.facts for score in (one.before, one.after) if score}
    goals = [one for one in known.facts if one.effect is not None]
    if goals:
        held = {one.after for one in goals if one.after}
    for claim in known.reading.scores:
        span = claim.start, claim.end
        if claim.level:
            if held and not any(home == away for home, away in held):
                yield _found(known, "score", span, "that the score is level",
                             f"the score was {_shown(held)}")  # fmt: skip
        elif not any(
            s == claim.goals or (not claim.ordered and s == claim.goals[::-1]) for s in held
        ):
            yield _found(known, "score", span, f"{claim.goals[0]}-{claim.goals[1]}",
                         f"the score was {_shown(held)}")  # fmt: skip


def _shown(held: Iterable[tuple[int, int]]) -> str:
    return " or ".join(f"{home}-{away}" for home, away in sorted(held)) or "not known"


def _outcomes(known: _Known) -> Iterator[Finding]:
    """Every way in which a shot is said to have ended must be that of one of the shots."""
    shots = [one for one in known.facts if one.kind == "shot"]
    may = {word for one in shots for word in COMPATIBLE.get(str(one.outcome), {str(one.outcome)})}
    kinds = {one.kind for one in known.facts}
    if kinds & {"own goal", "own goal for"}:
        may.add("goal")
    if "keeper" in kinds:
        may |= {"saved", "blocked"}
    if not shots:  # crosses are blocked, passes go over the bar
        may |= {"blocked", "off", "post"}
    for value, claim in values_of(known.reading.claims, "outcome").items():
        if value not in may:
            ended = ", ".join(str(one.outcome) for one in shots) or "there is no shot"
            yield _found(known, "outcome", (claim.start, claim.end), value, f"the log has: {ended}")


def _acts(known: _Known) -> Iterator[Finding]:
    """Acts that neither the events nor what comes before and after them is."""
    done = {act for one in known.facts for act in acts_of(one.event)}
    done |= {act for event in _just_before(known) for act in acts_of(event)} - {"goal"}
    for one in known.facts:
        done |= {str(word) for word in (one.set_piece, one.follows, one.restart, one.assist_kind)}
        done |= {"card"} if one.card else set()
        done |= {"penalty"} if one.penalty else set()
        done |= {"injury"} if one.injury else set()
        done |= {"offside"} if one.outcome == "offside" else set()
        done |= {"save", "goal"} if one.kind == "keeper" else set()
    if "foul" in done:
        done.add("free kick")
    if "free kick" in done:
        done.add("foul")
    for value, claim in values_of(known.reading.claims, "act").items():
        if value in _BOUND and value not in done and not (value == "goal" and "own goal" in done):
            said = values_of(known.reading.claims, "outcome")
            if value in ("goal", "save") and ({"save": "saved"}.get(value, value)) in said:
                continue  # already an outcome
            yield _found(known, "no-event", (claim.start, claim.end), f"a {value}",
                         "the events have none")  # fmt: skip


def _just_before(known: _Known) -> Iterator[Event]:
    """What led to the events: the shot before a rebound, the foul before a free kick."""
    if not known.facts:
        return
    period, time = min(one.time for one in known.facts)
    for event in known.match.events:
        if event.period == period and time - LED_TO <= event.time < time:
            yield event


def _details(known: _Known) -> Iterator[Finding]:
    for wrong in known.rules.details(known.reading, known.facts, 1.0):
        yield _found(known, wrong.kind, wrong.spans[0], wrong.says, wrong.log)
    for value, claim in values_of(known.reading.claims, "place").items():
        areas = {one.area for one in known.facts if one.area}
        if areas and value == "inside the box" and not areas & {"box", "six-yard box", "own box"}:
            ends = {one.end_area for one in known.facts}
            if not ends & {"box", "six-yard box"} and known.facts[0].kind != "shot":
                yield _found(known, "detail", (claim.start, claim.end), value,
                             f"it was in the {', '.join(sorted(areas))}")  # fmt: skip


def _bound(known: _Known) -> Iterator[Finding]:
    """Words that need a fact, and what is said of a team."""
    teams = [mention for own in known.reading.teams.values() for mention in own]
    for wrong in (
        *unbound(known.text, known.facts),
        *wrong_teams(known.text, teams, known.facts, known.rules.facts),
    ):
        said = known.text[wrong.span[0] : wrong.span[1]]
        yield _found(known, wrong.kind, wrong.span, said, wrong.log)


def _numbers(known: _Known) -> Iterator[Finding]:
    """Numbers that are no score, minute, distance or shirt."""
    used = [(claim.start, claim.end) for claim in known.reading.scores]
    used += [(m.start, m.end) for own in known.reading.players.values() for m in own]  # robots'
    distances = [one.distance for one in known.facts if one.distance is not None]
    distances += [one.length for one in known.facts if one.length is not None]
    distances += list(_to_other_goal(known))
    for hit in _YARDS.finditer(known.text):
        number = _number(hit["n"])
        if number is None:
            continue
        yards = number * (_METRE if hit["unit"].lower().startswith("m") else 1.0)
        used.append(hit.span())
        if not any(abs(yards - distance) <= _SLACK for distance in distances):
            shown = ", ".join(map(str, distances)) or "not known"
            yield _found(known, "detail", hit.span(), hit[0], f"the distance was {shown} yards")
    may = {str(one.minute) for one in known.facts} | {str(one.tally) for one in known.facts}
    may |= {part for one in known.facts for part in re.findall(r"\d+", one.clock)}
    for hit in _DIGITS.finditer(known.text):
        if not any(a <= hit.start() and hit.end() <= b for a, b in used) and hit[0] not in may:
            yield _found(known, "detail", hit.span(), hit[0], "that number is not in the log")


def _to_other_goal(known: _Known) -> Iterator[int]:
    """How far a foul is from the goal of those who commit it: the free kick is the others'."""
    for one in known.facts:
        place = geometry.in_yards(known.match.provider, one.event.location)
        if place is not None and one.kind == "foul":
            yield round(geometry.distance(geometry.mirrored(place)))


def _number(word: str) -> int | None:
    word = word.lower()
    if word.isdigit():
        return int(word)
    ten, _, one = word.partition("-")
    if ten in _TENS and (not one or one in _ONES):
        return _TENS[ten] + _ONES.get(one, 0)
    return _ONES.get(word)


def _foreign(known: _Known) -> Iterator[Finding]:
    """Markup, addresses, instructions: no words of a commentary."""
    for hit in _FOREIGN.finditer(known.text):
        yield _found(known, "detail", hit.span(), hit[0].strip() or "a new line",
                     "this is not commentary")  # fmt: skip
        return
    if len(known.text) > MAX_LENGTH or not known.text.strip():
        log = f"a line has 1 to {MAX_LENGTH} characters"
        yield _found(known, "detail", (0, len(known.text)), f"{len(known.text)} characters", log)


_CHECKS: Sequence[Callable[[_Known], Iterator[Finding]]] = (
    _names, _capitals, _scores, _outcomes, _acts, _details, _bound, _numbers,
    _foreign,
)  # fmt: skip
