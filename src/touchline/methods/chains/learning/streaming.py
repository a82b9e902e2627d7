"""Learning from condensed matches that may be anywhere, with a place to go on from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from touchline.methods.chains.data.hypotheses import in_language
from touchline.methods.chains.data.language import Language, MinCounts, Survey, language_of
from touchline.methods.chains.data.tables import MatchTables
from touchline.methods.chains.inference.ensemble import Learned, Member, members_of, weights
from touchline.methods.chains.learning.clamping import Clamps, clamped, mark_of
from touchline.methods.chains.learning.em import (
    Learning,
    Question,
    R,
    begin,
    go_on,
    learn,
    one_round,
)
from touchline.methods.chains.model.ablation import Parts
from touchline.methods.chains.model.m_step import Parameters
from touchline.methods.chains.model.serialization import comment_words, unpack_match, unpack_survey
from touchline.methods.chains.model.sufficient_stats import Counts
from touchline.methods.match_store import Arrays, MatchStore

_RECORDS: dict[str, Any] = {"available": Counts, "counts": Counts, "parameters": Parameters}


def learn_from(store: MatchStore, minimum: MinCounts, rounds: int, parts: Parts) -> Learned:
    """The language of some matches and what they teach in so many rounds, to all members."""
    found = Survey.nothing()
    for one in store.map(_survey, None):
        found.add(one)
    language = language_of(found, minimum)
    done, now = _unpack(store.load_checkpoint())
    members = [None, *(members_of(len(store)) if parts.ensemble else ())]
    for member in members[len(done) :]:

        def ask(question: Question[R], given: Any, by: Member | None = member) -> Iterator[R]:
            asked = _Asked(question, given, language, parts, by and by.number, {})
            return store.map(_put, asked, by and by.matches)

        now = now or begin(ask, language)
        while now.rounds < rounds:
            now = one_round(ask, now, language, parts)
            store.save_checkpoint(_pack(done, now))
        done, now = [*done, now.counts.rounded()], None
    pace = round(float(np.median(found.paces)), 3)
    return Learned(language, done[0], tuple(done[1:]), tuple(sorted(found.seen)), pace)


def learn_alone(
    tables: MatchTables, language: Language, found: Survey, rounds: int, parts: Parts
) -> Learned:
    """What `learn_from` gives for a single match, whose tables are made once."""
    counts = learn([tables], language, rounds, parts).rounded()
    return Learned(language, counts, (), tuple(found.seen), round(found.paces[0], 3))


def learn_clamped(
    store: MatchStore, learned: Learned, clamps: Clamps, rounds: int, parts: Parts
) -> Learned:
    """Some more rounds for all members, in which labelled comments describe what labels say."""
    language, done = learned.language, []
    members = [None, *(members_of(len(store)) if parts.ensemble else ())]
    for member, counts in zip(members, (learned.counts, *learned.members), strict=True):

        def ask(question: Question[R], given: Any, by: Member | None = member) -> Iterator[R]:
            asked = _Asked(question, given, language, parts, by and by.number, clamps)
            return store.map(_put, asked, by and by.matches)

        now = go_on(ask, language, counts)
        for _ in range(rounds):
            now = one_round(ask, now, language, parts)
        done.append(now.counts.rounded())
    return learned._replace(counts=done[0], members=tuple(done[1:]))


class _Asked(NamedTuple):
    """A question to a match, for a member of the ensemble or for who weighs all alike."""

    question: Question[Any]
    given: Any
    language: Language
    parts: Parts
    member: int | None
    clamps: Clamps


def asks(matches: int, rounds: int, surveyed: bool = False) -> int:
    """How many questions matches are asked in all, in so many rounds."""
    read = matches + sum(len(member.matches) for member in members_of(matches))
    return (0 if surveyed else matches) + (rounds + 1) * read


def _survey(_: None, match: Arrays) -> Survey:
    return unpack_survey(match)


def _put(asked: _Asked, match: Arrays) -> Any:
    """Put a question to a condensed match."""
    prepared = in_language(*unpack_match(match), asked.language, asked.parts)
    if asked.clamps and (labels := asked.clamps.get(mark_of(match))):
        prepared = clamped(prepared, labels)
    if asked.member is not None:
        prepared = prepared.weighted(weights(asked.member, comment_words(match)))
    return asked.question(asked.given, prepared)


def _pack(done: Sequence[Counts], now: Learning) -> dict[str, np.ndarray]:
    arrays = {"rounds": np.array(now.rounds), "done": np.array(len(done))}
    records = {name: getattr(now, name) for name in _RECORDS}
    records |= {f"done.{i}": counts for i, counts in enumerate(done)}
    for name, record in records.items():
        arrays |= {f"{name}.{field}": np.asarray(v) for field, v in record._asdict().items()}
    return arrays


def _unpack(arrays: Arrays | None) -> tuple[list[Counts], Learning | None]:
    """Who has finished, and how far the next one has come."""
    if arrays is None:
        return [], None
    done = [_record(arrays, f"done.{i}", Counts) for i in range(int(arrays["done"]))]
    records = {name: _record(arrays, name, kind) for name, kind in _RECORDS.items()}
    return done, Learning(rounds=int(arrays["rounds"]), **records)


def _record(arrays: Arrays, name: str, kind: Any) -> Any:
    return kind(*(_value(arrays[f"{name}.{field}"]) for field in kind._fields))


def _value(array: np.ndarray) -> Any:
    return array if array.ndim else float(array)
