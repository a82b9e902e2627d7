"""How an English speaker would say a name that no dictionary has: letters to ARPABET phones.

Pocketsphinx needs the sounds of each word. These rules are rough on purpose: a name said by many
commentators has no exact sound, and the recogniser only has to find the nearest word.
"""

from __future__ import annotations

# Longest first: a group of letters and its phones.
_RULES = {
    "tsch": "CH", "sch": "SH", "tch": "CH", "ough": "AO F", "eigh": "EY", "augh": "AO",
    "ck": "K", "ch": "CH", "sh": "SH", "th": "TH", "ph": "F", "gh": "G", "kn": "N", "wr": "R",
    "qu": "K W", "ng": "NG", "zh": "ZH", "dj": "JH", "cz": "CH", "sz": "SH", "ll": "L",
    "ee": "IY", "ea": "IY", "ie": "IY", "ei": "AY", "ai": "EY", "ay": "EY", "ey": "IY",
    "oo": "UW", "ou": "UW", "ow": "OW", "oa": "OW", "oi": "OY", "oy": "OY", "au": "AO",
    "aw": "AO", "eu": "OY", "ue": "UW", "ui": "UW IY", "ar": "AA R", "er": "ER", "ir": "ER",
    "or": "AO R", "ur": "ER",
    "a": "AE", "b": "B", "c": "K", "d": "D", "e": "EH", "f": "F", "g": "G", "h": "HH", "i": "IH",
    "j": "JH", "k": "K", "l": "L", "m": "M", "n": "N", "o": "OW", "p": "P", "q": "K", "r": "R",
    "s": "S", "t": "T", "u": "UW", "v": "V", "w": "W", "x": "K S", "y": "IY", "z": "Z",
}  # fmt: skip
_LONGEST = max(map(len, _RULES))
_SOFT = {"c": "S", "g": "JH"}  # before e, i and y
_VOWELS = "aeiouy"


def pronounce(word: str) -> str:
    """The phones of a word of plain lower-case letters, separated by spaces."""
    phones: list[str] = []
    at = 0
    while at < len(word):
        group = next(
            word[at : at + size]
            for size in range(_LONGEST, 0, -1)
            if word[at : at + size] in _RULES or size == 1
        )
        phones += _phones(word, at, group)
        at += len(group)
    return " ".join(phones)


def _phones(word: str, at: int, group: str) -> list[str]:
    following = word[at + len(group) : at + len(group) + 1]
    last = at + len(group) == len(word)
    if group in _SOFT and following and following in "eiy":
        return [_SOFT[group]]
    if group == "e" and last and at > 2:
        return []  # silent
    if group == "a" and last:
        return ["AH"]
    if group == "y" and following and following in _VOWELS:
        return ["Y"]
    if following == group and len(group) == 1 and group not in _VOWELS:
        return []  # doubled: the second one is said
    return _RULES.get(group, "").split()
