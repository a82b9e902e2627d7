"""Commentary as tokens: spans of the text, folded spellings, which of them start a sentence."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import islice, product

import msgspec

# Letters that do not come apart into a base letter and an accent.
_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ı": "i", "æ": "ae", "œ": "oe", "ß": "ss", "þ": "th"}
)
# How the same letters are written where a keyboard lacks them: Özil, Oezil; Ødegaard, Oedegaard.
_SPELLED_OUT = {"ö": "oe", "ü": "ue", "ä": "ae", "ø": "oe", "å": "aa"}
_MAX_SPELLINGS = 16
_REMEMBERED = 1000  # characters
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_CLITIC = re.compile(r"['’](?:s|ll|ve|re|d|m)$", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?:;…\"“”«»\n]|[-–—]\s|\s[-–—]")

# The only word lists of touchline: words of grammar, which carry nothing of the game,
FUNCTION_WORDS = frozenset(
    """a about above after again against all also am an and any are as at away be because been
    before being below between both but by can could did do does doing down during each few for
    from further had has have having he her here hers herself him himself his how however i if in
    into is it its itself just let made make makes may me might more most much must my no nor not
    now of off on once one only or other our out over own same shall she should so some still such
    than that the their them then there these they this those though through to too under until up
    upon us very was we well were what when where which while who whom why will with would yet you
    your""".split()
)
# and parts of names that name nobody by themselves.
PARTICLES = frozenset(
    """van von der den de del della di da do dos das du des la le el al bin ibn ben ter ten te
    i y e o mac mc st san zu af av""".split()
)


class Token(msgspec.Struct, frozen=True, gc=False):
    """A word of the text: where it stands, its folded spelling, how it was written."""

    start: int
    end: int
    key: str
    capital: bool
    starts_sentence: bool
    glued: bool  # nothing but a space or hyphen between it and the word before


@lru_cache(maxsize=2**16)
def fold(word: str) -> str:
    """Lower case without accents and apostrophes: `Agüero` and `Aguero` are one spelling."""
    decomposed = unicodedata.normalize("NFKD", word.lower().translate(_LETTERS))
    return "".join(c for c in decomposed if c.isalnum())


def spellings(word: str) -> tuple[str, ...]:
    """The folded spellings under which a name may be written: `ozil`, `oezil`."""
    letters = unicodedata.normalize("NFC", word.lower())
    choices = [(c, _SPELLED_OUT[c]) if c in _SPELLED_OUT else (c,) for c in letters]
    ways = islice(product(*choices), _MAX_SPELLINGS)
    return tuple(dict.fromkeys(fold("".join(way)) for way in ways))


def tokenise(text: str) -> tuple[Token, ...]:
    """The words of a text; hyphens part words, a possessive's s is no part of its word."""
    return _remembered(text) if len(text) <= _REMEMBERED else _remembered_long(text)


@lru_cache(maxsize=2**11)
def _remembered(text: str) -> tuple[Token, ...]:
    """A comment is looked at from many sides; one of usual length is cut into words once."""
    return _tokenise(text)


@lru_cache(maxsize=2**6)
def _remembered_long(text: str) -> tuple[Token, ...]:
    """So many are a match's; a longer memory would be large."""
    return _tokenise(text)


def _tokenise(text: str) -> tuple[Token, ...]:
    tokens: list[Token] = []
    end = 0
    for found in _WORD.finditer(text):
        word = _CLITIC.sub("", found[0])
        gap = text[end : found.start()]
        if tokens and end - tokens[-1].start == 1 and tokens[-1].capital:
            gap = gap.replace(".", "", 1)  # the dot of an initial ends no sentence
        tokens.append(
            Token(
                start=found.start(),
                end=found.start() + len(word),
                key=fold(word),
                capital=word[0].isupper(),
                starts_sentence=not tokens or bool(_SENTENCE_END.search(gap)),
                glued=bool(tokens) and not gap.strip(" -"),
            )
        )
        end = found.end()
    return tuple(tokens)
