"""Learning from condensed matches that may be anywhere, with a place to go on from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from touchline.aligners.streaming import Arrays, Everyone
from touchline.chains.counting import Counts
from touchline.chains.hypotheses import in_language
from touchline.chains.language import Language, Least, Survey, language_of
from touchline.chains.learning import Learning, Question, R, begin, one_round
from touchline.chains.packing import unpack_match, unpack_survey
from touchline.chains.parameters import Parameters
from touchline.chains.parts import Parts

# Before the first round all matches are asked for their words, and for what there is to tell.
LOOKS = 2
_RECORDS: dict[str, Any] = {"available": Counts, "counts": Counts, "parameters": Parameters}


def learn_from(
    everyone: Everyone, least: Least, rounds: int, parts: Parts
) -> tuple[Language, Counts]:
    """The language of some matches and what they teach in so many rounds."""
    found = Survey.nothing()
    for one in everyone.ask(_survey, None):
        found.add(one)
    language = language_of(found, least)

    def ask(question: Question[R], given: Any) -> Iterator[R]:
        return everyone.ask(_put, (question, given, language, parts))

    kept = everyone.kept()
    now = _unpack(kept) if kept else begin(ask, language)
    while now.rounds < rounds:
        now = one_round(ask, now, language, parts)
        everyone.keep(_pack(now))
    return language, now.counts


def _survey(_: None, match: Arrays) -> Survey:
    return unpack_survey(match)


def _put(asked: tuple[Question[R], Any, Language, Parts], match: Arrays) -> R:
    """Put a question to a condensed match."""
    question, given, language, parts = asked
    return question(given, in_language(*unpack_match(match), language, parts))


def _pack(now: Learning) -> dict[str, np.ndarray]:
    arrays = {"rounds": np.array(now.rounds)}
    for name in _RECORDS:
        fields = getattr(now, name)._asdict()
        arrays |= {f"{name}.{field}": np.asarray(value) for field, value in fields.items()}
    return arrays


def _unpack(arrays: Mapping[str, np.ndarray]) -> Learning:
    records = {
        name: kind(*(_value(arrays[f"{name}.{field}"]) for field in kind._fields))
        for name, kind in _RECORDS.items()
    }
    return Learning(rounds=int(arrays["rounds"]), **records)


def _value(array: np.ndarray) -> Any:
    return array if array.ndim else float(array)
