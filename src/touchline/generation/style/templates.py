"""From a linked comment to a template.

A comment becomes one if every name in it has a role in the chain that it describes. What the chain
was like is kept with it: kind, outcome, card, period and place of the events that it is used for
later must be the same, so that words about them stay true.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from touchline.core.links import Links
from touchline.core.records import Comment, Player
from touchline.generation.check.claims import claims_of, values_of
from touchline.generation.facts.chains import Chain, build_chains
from touchline.generation.facts.match import MatchFacts
from touchline.generation.style.file import Fact, Template
from touchline.generation.style.words import colour_of
from touchline.io.commentary.sentences import split
from touchline.text.names import Mention, NameFinder

# Facts that must be the same whatever the words are.
ALWAYS = (
    "kind", "outcome", "card", "penalty", "handball", "injury", "set_piece", "body", "technique",
    "effect", "comeback", "shootout", "mode", "level", "at_break", "ended", "short", "through",
    "switch", "rebound",
)  # fmt: skip
# Facts that must be the same for shots: where from, where to.
_SHOT = ("area", "side", "tight", "target", "narrow", "run")
# Facts that must be the same if a word of the text may be about them.
_IF_SAID = {
    r"left|right|wing|flanks?|sides?|sideline|touchline|centre|middle|edge|box|area|half|range|"
    r"distance|far|near|deep|close|long|short|yards?|midfield|halfway|third": (
        "area", "side", "end_area", "end_side", "spot_area", "spot_side"),
    r"corner|free[- ]kick|throw(?:-in)?|goal[- ]kick|set[- ]piece|counter\w*|break": (
        "restart", "follows", "assist_kind"),
    r"first[- ]time": ("first_time",),
    r"late|added|stoppage|dying|final|last|early|minutes?": ("late", "added", "minute"),
    r"pass\w*|cross\w*|ball|through|cut\w*|lofted|chip\w*|deliver\w*|set up|assist\w*": (
        "assist_kind",),
    r"parr\w*|hold\w*|held|catch\w*|caught|push\w*|palm\w*|gather\w*|collect\w*|keeper": (
        "save",),
    r"second|third|another|again|brace|double|hat-trick|first": (
        "tally", "reply", "change", "again"),
    r"dribbl\w*|beats?|past|run\w*|solo": ("run",),
}  # fmt: skip
_IF_SAID_RES = {re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE): names
                for pattern, names in _IF_SAID.items()}  # fmt: skip
# Words that need one of these facts: a log without places confirms no "back" and no "middle".
_NEEDED = {
    r"left|right|wing|flanks?|sides?|sideline|touchline|centre|middle|edge|box|area|half|range|"
    r"distance|deep|midfield|halfway|third|forwards?|back(?:wards?)?|out|inside|outside|"
    r"upfield|(?:in the |up )front": ("area", "end_area", "spot_area", "restart", "ended"),
    r"again|another|yet|still|once more": ("tally", "change", "again"),
    r"kick(?:s|ed)? off": ("set_piece",),
    r"cross(?:es|ed|ing)?": ("is cross", "assist_kind"),
    r"just|narrowly|close|inches": ("narrow",),
    r"breaks? (?:into|away|through)": ("run",),
}
_NEEDED_RES = {re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE): names
               for pattern, names in _NEEDED.items()}  # fmt: skip
# Slots for people, the one that a line is about first.
PEOPLE = ("player", "assist", "keeper", "blocker", "fouled", "fouler", "recipient", "opponent",
          "replacement", "first", "beaten", "ender", "passer", "shooter", "interceptor",
          "winner")  # fmt: skip
TEAMS = ("team", "opponents")
_PRONOUNS = re.compile(r"\b(?:he|him|she|her|hers|himself|herself)\b", re.IGNORECASE)
# No log knows the gender of players: the effort is "the effort".
_POSSESSIVE = re.compile(r"\bhis\b")
_WORD = re.compile(r"[^\W\d_][\w'’-]*")
MIN_WORDS, MAX_WORDS = 4, 60
# A name that is found more surely than this is one.
SURE = 0.9


def templates(links: Links) -> Iterator[Template]:
    """The templates of a match's comments."""
    match = links.match
    facts = MatchFacts(match)
    chains = build_chains(facts)
    finder = NameFinder(match)
    comments = {comment.id: comment for comment in match.comments}
    for answer in links:
        ids = frozenset(link.id for link in answer.events)
        chain = _described(chains, ids)
        if chain is None:
            continue
        found = template_of(comments[answer.comment], chain, finder, facts, match.name)
        if found is not None:
            yield found


def _described(chains: Iterable[Chain], ids: frozenset[str]) -> Chain | None:
    """The chain that the links are: its head is one of them, and the others go with it."""
    fitting = [chain for chain in chains if chain.head.id in ids and ids <= _with_copies(chain)]
    return max(fitting, key=lambda chain: len(ids & set(chain.ids)), default=None)


def _with_copies(chain: Chain) -> set[str]:
    """The events of a chain and other records of the same actions, such as a keeper's of a goal."""
    return {key for one in chain.events for key in (one.id, *one.event.related)}


def template_of(
    comment: Comment, chain: Chain, finder: NameFinder, facts: MatchFacts, match: str
) -> Template | None:
    """The comment with slots; None where something in it has no place in the chain."""
    text = _POSSESSIVE.sub("the", " ".join(comment.text.split()))
    words = len(text.split())
    if re.search(r"[{}\[\]<>]", text) or not MIN_WORDS <= words <= MAX_WORDS:
        return None
    slotted = _slotted(text, finder.mentions(text), chain, facts)
    if slotted is None or "{player}" not in slotted or _has_other_names(slotted):
        return None
    if re.search(r"\d", slotted):  # a score or a distance; the names of robots have digits too
        return None
    sentences = tuple(split(slotted))
    return Template(
        source=f"{match}/{comment.id}",
        sentences=sentences,
        plain=tuple(_is_plain(one, chain) for one in sentences),
        core=tuple(_says_outcome(one, chain) for one in sentences),
        facts=agreeing(slotted, chain),
    )


def _is_plain(sentence: str, chain: Chain) -> bool:
    """Whether the log can confirm every word of a sentence."""
    kind = str(chain.known["kind"])
    if colour_of(sentence, kind) or _PRONOUNS.search(sentence):
        return False
    known = {**chain.known, "is cross": kind == "cross"}
    return not any(
        pattern.search(sentence) and not any(known.get(name) for name in names)
        for pattern, names in _NEEDED_RES.items()
    )


def agreeing(text: str, chain: Chain) -> dict[str, Fact]:
    """What must be the same for a template to be true of another chain; None is unknown."""
    known = chain.known
    names = dict.fromkeys(ALWAYS)
    if known.get("kind") == "shot":
        names |= dict.fromkeys(_SHOT)
    for pattern, more in _IF_SAID_RES.items():
        if pattern.search(text):
            names |= dict.fromkeys(more)
    return {name: known.get(name) for name in names}


def _slotted(text: str, mentions: Iterable[Mention], chain: Chain, facts: MatchFacts) -> str | None:
    slots = _slots(chain, facts)
    parts, place = [], 0
    for mention in sorted(mentions, key=lambda one: one.start):
        slot = slots.get((isinstance(mention.who, Player), mention.who.id))
        if slot is None or mention.weight < SURE or mention.start < place:
            return None
        parts += [text[place : mention.start], f"{{{slot}}}"]
        place = mention.end
    return "".join([*parts, text[place:]])


def _slots(chain: Chain, facts: MatchFacts) -> dict[tuple[bool, str], str]:
    """The slot of each player and team of a chain, by whether it is a player and the id."""
    known = chain.known
    by_name: dict[str, Player] = {}
    for one in chain.events:
        for player in (one.event.player, *one.people.values()):
            name = facts.names.player(player)
            if player is not None and name is not None:
                by_name.setdefault(name, player)
    found: dict[tuple[bool, str], str] = {}
    for slot in PEOPLE:
        player = by_name.get(str(known.get(slot)))
        if player is not None:
            found.setdefault((True, player.id), slot)
    for slot in TEAMS:
        team = facts.team(known.get(slot))
        if team is not None:
            found.setdefault((False, team.id), slot)
    return found


def _has_other_names(text: str) -> bool:
    """Whether a word inside a sentence has a capital, and so may name somebody else."""
    plain = re.sub(r"\{[^}]*\}(?:['’]s)?", "x", text)
    for sentence in split(plain):
        words = _WORD.findall(sentence)
        if any(word[0].isupper() and not word.isupper() for word in words[1:]):
            return True
    return False


def _says_outcome(sentence: str, chain: Chain) -> bool:
    """Whether a sentence holds how it ended: one that does is never cut."""
    outcomes = values_of(claims_of(re.sub(r"[{}]", "", sentence)), "outcome")
    return bool(outcomes) or chain.known.get("kind") != "shot"


def fits(template: Template, known: Mapping[str, Any]) -> bool:
    """Whether the facts of a chain are those of a template."""
    return all(known.get(name) == value for name, value in template.facts.items())
