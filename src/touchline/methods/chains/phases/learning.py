"""Learns the words of phases that come with touchline: those of `bundled/phases.json`."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from touchline.core.records import Match
from touchline.methods.chains.data.language import MinCounts, Survey, plain_words, survey
from touchline.methods.chains.phases.words import PhaseWords, learn_words, seen_in

# A word must be ordinary in so many matches where nobody has a name like it.
MIN_MATCHES = 2


def learn_bundled_words(matches: Sequence[Match]) -> PhaseWords:
    """What is learned from several matches, without anybody's name."""
    found = Survey.nothing()
    for match in matches:
        found.add(survey(match, ()))
    is_plain = plain_words(found, MinCounts(matches=MIN_MATCHES))
    return learn_words([seen_in(match) for match in matches], is_plain)


def to_bytes(words: PhaseWords) -> bytes:
    """The content of a file of words: JSON, one word per line, so that changes can be reviewed."""
    return msgspec.json.format(msgspec.json.encode(words), indent=1) + b"\n"
