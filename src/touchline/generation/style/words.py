"""Which words of a text a log can confirm.

A log knows who did what, where and how it ended. It does not know that a tackle was late or a cross
brilliant. The words of our own phrases are all bound to facts. So a sentence made of those, of
plain words of the game and of function words claims nothing that the facts do not give; any other
word is colour.
"""

from __future__ import annotations

import re
from functools import cache

from touchline.generation.wording.phrases import ALL
from touchline.text.tokens import FUNCTION_WORDS

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_SLOT = re.compile(r"\{[^}]*\}|<|>|\[|\]")
# Plain words of football that say no more than a log does, beside those of our phrases.
PLAIN = frozenset(
    """ball goal shot shoots shooting effort attempt strike kick kicks pass passes passing delivers
    delivery finds finding plays playing sends sending puts putting tries trying gets getting takes
    taking goes going comes coming makes making receives receiving area penalty box yard edge post
    crossbar bar target wide net keeper goalkeeper defender referee assistant whistle match game
    half side team player opponent opponents team-mate team-mates teammate teammates attack chance
    possession throw-in touch corner free foul fouls fouled card yellow red offside flag bench
    pitch substitution substituted replaces replaced block blocks blocked save saves saved clear
    clears cleared clearance header heads headed cross crosses crossed scores scored finish finishes
    result play ends ended towards inside outside front back forward left right centre middle top
    bottom awarded award given signals signalled resulting onto brought substitute leaves defence
    deals dealt stops stopped points pointed blows blown shown caught position stands hands gloves
    opposing opposition""".split()
)


def stem(word: str) -> str:
    """A word without its usual endings."""
    word = word.lower().replace("’", "'").removesuffix("'s")
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


@cache
def confirmed(kind: str) -> frozenset[str]:
    """Stems of the words that say nothing beyond facts about a kind of event.

    A word that is bound to a fact of one kind may be colour with another: a team pulls a goal back,
    but no log knows of a pulled shirt.
    """
    about = [phrase for phrase in ALL if phrase.when["kind"] == kind]
    ours = {word for phrase in about for word in _WORD.findall(_SLOT.sub(" ", phrase.text))}
    return frozenset(stem(word) for word in {*ours, *PLAIN, *FUNCTION_WORDS})


def colour_of(text: str, kind: str) -> list[str]:
    """The words of a template about a kind of event that no log confirms, slots left out."""
    plain = re.sub(r"\{[^}]*\}(?:['’]s)?", " ", text)
    return [word for word in _WORD.findall(plain) if stem(word) not in confirmed(kind)]
