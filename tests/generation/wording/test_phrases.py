"""The table of phrases: every claim in a phrase's words is one of its conditions."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from touchline.generation.wording.grammar import Phrase, plural_of, possessive
from touchline.generation.wording.phrases import ALL
from touchline.generation.wording.slots import SLOTS


def literal(phrase: Phrase) -> str:
    """The words that a phrase says by itself, whatever the facts."""
    return re.sub(r"\{[^}]*\}", " ", phrase.text).replace("[", " ").replace("]", " ").lower()


def says(phrase: Phrase, pattern: str) -> bool:
    return re.search(rf"\b(?:{pattern})\b", literal(phrase)) is not None


def has(phrase: Phrase, **wanted: object) -> bool:
    """Whether a condition holds the fact to one of the wanted values."""
    for name, values in wanted.items():
        given = phrase.when.get(name)
        given = given if isinstance(given, tuple) else (given,)
        allowed = values if isinstance(values, tuple) else (values,)
        if given != (None,) and all(value in allowed for value in given):
            return True
    return False


# Words that claim something, and the conditions one of which must be there.
CLAIMS: dict[str, dict[str, object]] = {
    r"heads?|headed|header|head": {"body": "head", "ended": ("headed clear",), "technique": ()},
    r"first[- ]time": {"first_time": True},
    r"volley": {"technique": ("volley", "half-volley")},
    r"penalty|spot kick": {"set_piece": "penalty", "penalty": True, "period": 5},
    r"equaliser|level|all square": {"effect": "equaliser", "level": True},
    r"hat-trick": {"hat_trick": True},
    r"late": {"late": True},
    r"added time": {"added": True},
    r"yellow|booked|booking|caution|cautioned|book": {"card": ("yellow", "second yellow")},
    r"red card|sent off": {"card": ("red", "second yellow")},
    r"handball|handles": {"handball": True},
    r"saves?|saved|saving|parries|denies|keeps out": {"outcome": "saved"},
    r"blocks?|blocked": {"outcome": "blocked", "kind": "block", "ended": ("blocked", "cut out")},
    r"off target|misses|missed": {"outcome": "off"},
    r"post|woodwork": {"outcome": "post"},
    r"goal kick": {"restart": "goal kick", "mode": "goal kick"},
    r"throw-in": {"restart": "throw-in"},
    r"rebound|loose ball": {"rebound": (True, "saved", "blocked", "post"), "kind": "recovery"},
    r"corner": {"assist_kind": "corner", "kind": "corner", "restart": "corner",
                "follows": "corner", "mode": "corner kick", "won": "corner"},
    r"another one": {"won": "corner"},
    r"own box": {"spot_area": "own box"},
    r"in the {3,}box": {"spot_area": "own box"},
    r"overruns|gets away": {"overrun": True, "kind": "miscontrol", "ended": ("cleared",)},
    r"hits team-mate|, a team-mate": {"team_mate": True},
    r"comes to nothing|nothing comes": {"won": False},
    r"robbed|off the ball": {"opponent": True, "kind": "dispossessed"},
    r"free kick": {"kind": ("free kick", "offside"), "set_piece": "free kick",
                   "restart": "free kick", "mode": "free kick", "handball": True},
    r"cross(?:es)?": {"kind": "cross", "assist_kind": "cross"},
    r"through ball": {"through": True, "assist_kind": "through ball"},
    r"counter|break": {"follows": "counter", "kind": "break", "at_break": True},
    r"offside|flag": {"kind": "offside", "outcome": "offside", "mode": "offside"},
    r"injury|hurt": {"injury": True, "kind": "injury"},
    r"second half": {"period": (2, 4), "at_break": True, "kind": "normal time"},
    r"extra time": {"period": (3, 4), "kind": ("extra break", "extra time over")},
    r"shoot-out": {"shootout": True, "period": 5, "kind": "shootout over"},
    r"short": {"short": True, "card": ("red", "second yellow"), "kind": "player off"},
    r"in the box|into the box": {"end_area": ("box", "six-yard box"), "penalty": True},
    r"goalkeeper|in goal|punches": {"outcome": ("saved", "held", "punched", "goal"),
                                    "ended": ("claimed", "punched")},
    r"holds|grasp": {"save": "held"},
    r"parries|pushes away": {"save": "parried"},
    r"with the foot": {"save": "foot"},
    r"off the line|leaves the line": {"ended": ("came out",)},
    r"duel in the air": {"challenger": True},
    r"close|not far": {"narrow": True, "outcome": "post"},
    r"left|right": {"ended": ()},
    r"tackle|tackles": {"kind": "tackle"},
    r"intercepts?|interception": {"kind": ("interception", "pass")},
    r"clears?|clearance|cleared": {"kind": "clearance", "ended": ("cleared", "headed clear")},
    r"substitution|bench": {"kind": "substitution"},
    r"first goal": {"effect": "opener"},
    r"second of the match|has two": {"brace": True},
    r"two goals": {"margin": 2},
    r"pull one back": {"effect": "reduces"},
    r"ahead": {"effect": "lead", "level": False, "kind": ("kick", "pass")},
}  # fmt: skip
# Idioms in which a word claims nothing of the kind.
IDIOMS = ("right foot", "caught in", "looks for help")


@pytest.mark.parametrize("pattern", CLAIMS, ids=lambda p: p.split("|")[0])
def test_every_claim_is_a_condition(pattern: str) -> None:
    claiming = [phrase for phrase in ALL if says(phrase, pattern)]
    unbound = [phrase.text for phrase in claiming if not has(phrase, **CLAIMS[pattern])]
    assert unbound == []


def test_colour_that_no_log_confirms_is_nowhere() -> None:
    colour = "brilliant|superb|great|fine|stunning|terrible|poor|awful|fierce|powerful|weak|clever"
    colour += "|brave|desperate|wonderful|lovely|deserved|unlucky|lucky|he|she|his|her|him"
    assert [phrase.text for phrase in ALL if says(phrase, colour)] == []


def test_there_are_more_than_200_phrases_and_none_twice() -> None:
    counts = Counter((phrase.text, str(sorted(phrase.when.items(), key=str))) for phrase in ALL)
    assert max(counts.values()) == 1
    assert len({phrase.text for phrase in ALL}) > 200


def test_every_slot_of_a_phrase_is_known() -> None:
    assert {slot for phrase in ALL for slot in phrase.slots} <= SLOTS.keys()


def test_a_sentence_ends_as_one() -> None:
    assert [phrase.text for phrase in ALL if phrase.text[-1] not in ".!?"] == []


@pytest.mark.parametrize(
    ("verb", "plural"),
    [("shoots", "shoot"), ("crosses", "cross"), ("is", "are"), ("has", "have"), ("tries", "try"),
     ("misses", "miss"), ("makes", "make"), ("goes", "go"), ("catches", "catch"),
     ("cannot", "cannot"), ("passed", "passed")],
)  # fmt: skip
def test_verbs_agree_with_a_team(verb: str, plural: str) -> None:
    assert plural_of(verb) == plural


def test_possessives() -> None:
    assert possessive("Bo Reis", plural=False) == "Bo Reis's"
    assert possessive("Wolves", plural=True) == "Wolves'"
    assert possessive("Raul Gara (Blues)", plural=False) == "Raul Gara's (Blues)"
    assert possessive("Redfield City", plural=True) == "Redfield City's"


def test_a_phrase_drops_what_has_nothing_to_say() -> None:
    phrase = Phrase("{player} <shoots>[ from {place}][, set up by {assist}].", {"kind": "shot"})
    known = {"player": "Bo Reis", "assist": "Ann Archer"}
    text, slots = phrase.render(known.get, plural=False) or ("", frozenset())
    assert text == "Bo Reis shoots, set up by Ann Archer."
    assert slots == {"player", "assist"}
    assert phrase.render({"player": "Redfield City"}.get, plural=True) == (
        "Redfield City shoot.", frozenset(["player"]))  # fmt: skip
    assert phrase.render({}.get, plural=False) is None


def test_conditions() -> None:
    phrase = Phrase(
        "x", {"kind": "shot", "body": ("head", "left foot"), "card": False, "run": True}
    )
    good = {"kind": "shot", "body": "head", "run": True}
    assert phrase.holds(good)
    for change in ({"body": "right foot"}, {"card": "red"}, {"run": None}, {"kind": "pass"}):
        assert not phrase.holds({**good, **change})


def test_unbalanced_brackets_are_an_error() -> None:
    with pytest.raises(ValueError, match="brackets"):
        _ = Phrase("a [b", {"kind": "x"}).parts
