"""Words that claim something about an event: a small English lexicon of our own.

It is only for checking a text against the log. No link depends on it: methods learn their words.
A pattern stands for the plainest ways to say a thing, in live text and in speech; what it does not
know is not checked. `(?!...)` keeps out the common phrases in which the word claims nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

ClaimKind = Literal["act", "outcome", "card", "body", "place", "side", "set piece"]

_GOAL_SIDE = r"(?:side|corner|half|part)"
_KEEPER = r"(?:goal)?keeper"

# What a comment says that somebody did. A name may stand for several acts of the log.
ACTS: Mapping[str, str] = {
    "goal": r"\bgoals?!|\bgoal (?:by|for) [A-Z]|^goal\b(?! kick)|\bgoal [-–] \d"
    r"|\bscores\b|\bscored\b(?! by)|back of the net\b"
    r"|\b(?:into|in) the (?:empty )?net\b(?!,? but)|\bequalis|\bnets\b"
    r"|\bbeats the (?:goal)?keeper|into the (?:bottom|top) (?:left|right)? ?corner"
    r"|\bmakes it \d|\bgoal!|\bslots? (?:it )?home|\bwhat a finish\b|unstoppable"
    r"|\ban own goal\b|^own goal|\bscore (?:is|now|reads)",
    "shot": r"\bshots?\b|\bshoots?\b|\bstrike[sd]?\b|\bheader\b|\bheads? (?:it )?(?:wide|over)"
    r"|\bvolley|\beffort\b|\battempt (?:saved|missed|blocked)|\bunleash|\bgoes for goal"
    r"|\bpulls the trigger|\btries (?:his|her|their) luck|\bfinish\b|\bfires?\b|\bdrags\b"
    r"|\bdrives? (?:it )?(?:wide|over)|\bhits? the (?:post|bar|crossbar|woodwork)"
    r"|\bsaves?\b|\bsaved\b|crossbar|\b(?:left|right) post\b",
    "save": r"\bsaves?\b|\bsaved\b|\bkeeps? it out\b|\bparrie[sd]\b"
    r"|\btips? (?:it|the)\b",
    "foul": r"\bfoul|\bfree[- ]kick (?:is )?(?:awarded|given|to|for|in|on)\b|\bpenali[sz]ed\b"
    r"|\btrips?\b|\btripping\b|\bbrings? (?:his|her|their|an?|down)|\bhacks down|\bhandball"
    r"|\binfringement|\b(?:rough|bad|late|poor|fierce|careless|strong) (?:challenge|tackle)"
    r"|\bshirt\b|\bholds? (?:back )?(?:his|her|their|an) opponent|\bholding\b"
    r"|\bblows (?:his|her|their) whistle\b(?! for (?:half|full))",
    "card": r"\b(?:yellow|red) card|\bbooked\b|\bbooking\b|\bcaution(?:ed)?\b|\bbooks\b"
    r"|\bsent off\b|\bearly bath\b|\ba yellow\b|\bsecond yellow\b|\bdismissed\b|\bsees red\b",
    "substitution": r"\bsubstitut|\bsubsitution|\breplace[sd]?\b|\breplacing\b|\bcomes? on for\b"
    r"|\bcoming on for\b|\bcomes onto the pitch\b|\bmakes way\b|\bbrought on\b|\bwalks off\b",
    "offside": r"\boffside\b",
    "corner": r"(?<!left )(?<!right )(?<!bottom )(?<!top )(?<!near )(?<!far )\bcorner(?! of)\b",
    "free kick": r"\bfree[- ]kick\b|\bset piece\b",
    "penalty": r"\bpenalty(?! (?:area|box))\b|\bspot[- ]kick\b",
    "cross": r"\bcross(?:es|ed)?\b(?! the (?:side|touch|goal)? ?line)"
    r"|\bcentre[sd]? (?:it|the ball)|\bdelivery\b|\bwhips\b"
    r"|\bswings\b|\bfloats\b",
    "pass": r"\bpass(?:es|ed)?\b|\bthrough ball|\bone-two\b|\blong ball|\bassist|\bchip\b"
    r"|\blofts?\b|\blofted\b|\bfinds\b"
    r"|\bslips? it\b|\bfeeds\b|\bpick(?:s|ed)? out\b|\bteammates?\b",
    "throw-in": r"\bthrow(?:-| )?in\b|\bthrows\b",
    "dribble": r"\bdribbl|\bskips past\b|\bsolo run\b|\bpast (?:his|her|their) (?:man|marker|opp)"
    r"|\bpast challenges\b|\btakes on\b|\bjinks\b|\bzig-zags\b",
    "clearance": r"\bclears\b|\bclear(?:ed|ance)\b|\bheaded clear\b",
    "interception": r"\bintercept|\bcuts? (?:it )?out\b|\bcut out\b",
    "block": r"\bblock(?:s|ed)?\b",
    "tackle": r"\btackle[sd]?\b|\bchallenge[sd]?\b|\brobs\b|\bdispossess",
    "claim": r"\bgathers?\b|\bplucks\b|\bcollects? (?:the cross|it)|\bpunch(?:es|ed)\b"
    r"|\bcomes off (?:his|her|their|the) line",
    "injury": r"\binjur|\bknock\b|\bmedical\b|\bphysio\b|\btreatment\b",
    "half": r"\bhalf (?:begins|ends|is over|starts|gets underway)|\bsecond half\b|\bfirst half\b"
    r"|\bfull[- ]time\b|\bhalf[- ]time\b|\bkick(?:s)? off\b",
}  # fmt: skip

# How a shot ended.
OUTCOMES: Mapping[str, str] = {
    "goal": ACTS["goal"],
    "saved": rf"\bsaves?\b|\bsaved\b|\bparrie[sd]\b|couldn'?t beat the {_KEEPER}"
    rf"|\bdenie[sd] (?:him|her|them|by (?:the )?{_KEEPER})|\bkeeps? it out\b"
    rf"|\bthe {_KEEPER} (?:thwarts|stops|pushes|tips)"
    rf"|\bfails to beat the {_KEEPER}|straight at|\btips? (?:it|the)|\bmiraculous stop\b"
    rf"|{_KEEPER} (?:is )?(?:alert|deals)|easily deals with|forced into action",
    "blocked": r"\bblock(?:s|ed)?\b|\bdeflect|hits one of the opposition|gets in the way",
    "off": r"\bwide\b(?! (?:area|open))|\bover the (?:cross)?bar\b|\bover the top\b"
    r"|\bmisses\b(?! an? )"
    r"|\bmissed\b|\boff target\b|\btoo high\b|\bjust over\b|\bwell over\b|\bhigh over\b"
    r"|\bover the woodwork|\bpainfully close|\binaccurate\b|\bwayward\b|\bwhisker\b",
    "post": r"\b(?:hits?|strikes?|off|against|rattles|cannons off|onto) the (?:\w+ )?"
    r"(?:post|crossbar|bar|woodwork|upright|frame)",
}  # fmt: skip

CARDS: Mapping[str, str] = {
    "red": r"\bred card|\bsent off\b|\bstraight red|\bearly bath\b|\bsecond yellow\b|\bdismissed\b"
    r"|\bsees red\b|\bsecond booking\b",
    "yellow": r"\byellow card|\bbooked\b|\bbooking\b|\bcaution(?:ed)?\b|\bbooks\b|\ba yellow\b",
}

BODY: Mapping[str, str] = {
    "head": r"\bheader\b(?! (?:reaches|finds|back|to)\b)|\bheaded (?:shot|effort)"
    r"|\bheads (?:it |the ball )?(?:wide|over|in|home|just)|\bgets (?:his|her|their) head to",
    "left foot": r"\bleft[- ]foot(?:ed)?\b",
    "right foot": r"\bright[- ]foot(?:ed)?\b",
}  # fmt: skip

# From where a shot is taken, seen by the shooting team.
PLACES: Mapping[str, str] = {
    "outside the box": r"\boutside (?:of )?(?:the|of the) (?:penalty )?(?:box|area)|\blong[- ]range"
    r"|\bfrom (?:long )?(?:distance|range)\b|\bmid-range\b",
    "inside the box": r"\binside (?:the|of the) (?:penalty )?(?:box|area)\b|\bcentre of the box"
    r"|\b(?:left|right) side of the box|\bfrom close range|\bsix[- ]yard",
}

# Where in the goal, or past it, a shot goes, seen by the shooter.
SIDES: Mapping[str, str] = {
    side: rf"\b(?:the|bottom|top|lower|upper) {side}(?:-hand)? (?:post|{_GOAL_SIDE})\b"
    rf"(?! of the box)|\bto the {side}\b(?! of the box)"
    for side in ("left", "right")
}  # fmt: skip

SET_PIECES: Mapping[str, str] = {
    "penalty": r"\bfrom the (?:penalty )?spot\b(?!.*around)|\bspot[- ]kick\b|\bpenalty kick\b",
    "free kick": r"\b(?:direct|from the|from a|takes the) free[- ]kick\b",
    "corner": r"\bfrom the (?:resulting )?corner\b|\btakes the corner\b|\bfollowing a corner\b",
}

# What a word near a claim takes back: an intention, a wish, a thing that did not happen.
TAKEN_BACK = re.compile(
    r"\b(?:not|never|no|yet to|how|off before|wants|could|would|should"
    r"|might|may|can|chance to|opportunity to|hopes? (?:of|to)"
    r"|try(?:ing)? to"
    r"|going to|about to|without|instead of|avoid(?:s|ed)?|escape[sd]?|prevent(?:s|ed)?|almost"
    r"|nearly|close to|glad (?:he|she|they) didn'?t|to (?:be )?|last|previous|earlier|already)"
    r"(?:\s+\w+)?\s*$",
    re.IGNORECASE,
)


# Words that announce a goal and nothing else.
PLAIN_GOAL = re.compile(
    r"^goal\b(?! kick)|\bgoal!|\bgoal [-–] \d|\bscores\b|\bmakes it \d|\bback of the net\b"
    r"|\bequalis(?:es|ed)\b|^own goal|\bscores an own goal\b",
    re.IGNORECASE,
)
# Words that announce a penalty, or a sending-off, and nothing else.
PLAIN_PENALTY = re.compile(
    r"\bpenalty[!:]|\bpenalty to\b|\bpenalty is (?:given|awarded)|\bawards? (?:\w+ ){0,2}penalty\b"
    r"|\bpoints to the (?:penalty )?spot\b|\b(?:scores|converts|misses|takes) the penalty\b"
    r"|\bscores from the (?:penalty )?spot\b",
    re.IGNORECASE,
)
PLAIN_RED = re.compile(
    r"\bred card[!:]|\bis sent off\b|\bsent off!|\b(?:shows?|shown|gets|receives) (?:a|the) "
    r"(?:straight |direct )?red card",
    re.IGNORECASE,
)
# What takes back a penalty: it was asked for, or the referee thinks again.
NO_PENALTY = re.compile(
    r"\b(?:appeal|claim|shout|call|want|no penalty|review|overturn|cancel|monitor|waves?|var)",
    re.IGNORECASE,
)
# Between two names, words that say who leaves the pitch for whom.
FIRST_LEAVES = re.compile(
    r"^\s*off\b|\breplaced by\b|\bmakes? (?:his |her |their )?way\b|\bgives? way to\b"
    r"|\bsubstituted (?:by|for)\b|\bgoes off\b|\bleaves the\b|\bdeparts\b",
    re.IGNORECASE,
)
FIRST_COMES_ON = re.compile(
    r"\breplaces\b|\breplacing\b|\bin place of\b|\bcom(?:es?|ing) on(?:to the pitch)? for\b"
    r"|^(?:\s\([^)]*\))?\son for\b",
    re.IGNORECASE,
)
# Numbers behind these words are no score, or one of another match.
STATISTIC = re.compile(
    r"\b(?:corners?|shots?|fouls?|cards?|attempts?|offsides?|possession|throw-ins?|passes|count|"
    r"tackles)\b[^.!?]{0,60}$",
    re.IGNORECASE,
)
ANOTHER_MATCH = re.compile(
    r"\b(?:last (?:week|season|time|year)|lost|beat(?:en)?|won)\b[^.!?]{0,60}$", re.IGNORECASE
)


def _compiled(patterns: Mapping[str, str]) -> dict[str, re.Pattern[str]]:
    return {value: re.compile(pattern, re.IGNORECASE) for value, pattern in patterns.items()}


PATTERNS: Mapping[ClaimKind, Mapping[str, re.Pattern[str]]] = {
    "act": _compiled(ACTS),
    "outcome": _compiled(OUTCOMES),
    "card": _compiled(CARDS),
    "body": _compiled(BODY),
    "place": _compiled(PLACES),
    "side": _compiled(SIDES),
    "set piece": _compiled(SET_PIECES),
}
