"""What the semi-Markov model knows by name, and its probabilities.

Every type has fields: 0 is the null field, the others are the arguments its records have. START
and END of the chain over fields are the last row and column of `fields`; the previous type START
and the type NONE are the last row and column of `types`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from touchline.core.arrays import Floats, Ints
from touchline.core.records import Event, Match
from touchline.methods.prior_work.symbols import frequent, mark, sentences

NO_VALUE = -1  # the record lacks this argument; -2 - w is a string whose word has the number w
SMOOTHING = 0.1


class Model(msgspec.Struct, frozen=True, kw_only=True):
    """Names and probabilities.

    `fields_of[t]` are the fields of type t by name, `values` the categorical values as
    `type|field=value`. `types[t, u]` is p(type u | previous type t), `fields[t, f, g]` the chain
    of type t, `own[t, f]` how often a field's word comes from its value and not from `generic`,
    and `null_words`, `value_words`, `none_words`, `generic` are distributions over words.
    """

    words: list[str]
    type_names: list[str]
    fields_of: list[list[str]]
    values: list[str]
    types: Floats
    fields: Floats
    own: Floats
    null_words: Floats
    value_words: Floats
    none_words: Floats
    generic: Floats


def uniform_model(matches: Sequence[Match], arguments: Sequence[str], min_count: int) -> Model:
    """The model before any learning: every choice is as likely as any other."""
    words = frequent((row for match in matches for row in sentences(match)), min_count)
    events = [event for match in matches for event in match.linkable]
    names = sorted({event.type for event in events})
    present: dict[str, set[str]] = {name: set() for name in names}
    values: set[str] = set()
    for event in events:
        for field, (value, is_string) in record_fields(event, arguments).items():
            present[event.type].add(field)
            if not is_string:
                values.add(f"{event.type}|{field}={value}")
    fields_of = [sorted(present[name]) for name in names]
    width = 1 + max(map(len, fields_of), default=0)
    types, n = len(names), max(len(words), 1)
    return Model(
        words=words,
        type_names=names,
        fields_of=fields_of,
        values=sorted(values),
        types=np.full((types + 1, types + 1), 1 / (types + 1)),
        fields=_uniform_chains([1 + len(fields) for fields in fields_of], width),
        own=np.full((types, width), 0.5),
        null_words=np.full((types, n), 1 / n),
        value_words=np.full((len(values), n), 1 / n),
        none_words=np.full(n, 1 / n),
        generic=np.full(n, 1 / n),
    )


def allowed_steps(sizes: Sequence[int], width: int) -> NDArray[np.bool_]:
    """Which steps a chain over fields may take: no field follows itself, nothing is empty."""
    allowed = np.zeros((len(sizes), width + 1, width + 1), dtype=bool)
    for t, size in enumerate(sizes):
        allowed[t, :size, :size] = ~np.eye(size, dtype=bool)
        allowed[t, width, :size] = allowed[t, :size, width] = True
    return allowed


def _uniform_chains(sizes: Sequence[int], width: int) -> Floats:
    allowed = allowed_steps(sizes, width)
    return np.asarray(allowed / np.maximum(allowed.sum(axis=2, keepdims=True), 1))


def record_fields(event: Event, arguments: Sequence[str]) -> dict[str, tuple[str, bool]]:
    """The arguments that a record has: value, and whether it is a string (a name)."""
    fields: dict[str, tuple[str, bool]] = {}
    for name, value in event.arguments.items():
        if name in arguments or "*" in arguments:
            fields[name] = value, False
    if "team" in arguments and event.team is not None:
        fields["team"] = mark(event.team), True
    if "player" in arguments and event.player is not None:
        fields["player"] = mark(event.player), True
    if "others" in arguments:
        fields |= {other.role: (mark(other.player), True) for other in event.others}
    return fields


class Records(msgspec.Struct, frozen=True):
    """The linkable events of a match by number: their types (-1 unknown) and fields' values."""

    types: Ints
    values: Ints


def number_records(match: Match, model: Model, arguments: Sequence[str]) -> Records:
    """The records of a match in the model's numbers; what it does not know has no value."""
    type_number = {name: i for i, name in enumerate(model.type_names)}
    value_number = {name: i for i, name in enumerate(model.values)}
    word_number = {name: i for i, name in enumerate(model.words)}
    types = np.array([type_number.get(e.type, -1) for e in match.linkable], dtype=np.int64)
    values = np.full((len(types), model.own.shape[1]), NO_VALUE, dtype=np.int64)
    for e, event in enumerate(match.linkable):
        if types[e] < 0:
            continue
        known = model.fields_of[types[e]]
        for field, (value, is_string) in record_fields(event, arguments).items():
            if field in known:
                values[e, 1 + known.index(field)] = (
                    _string(value, word_number)
                    if is_string
                    else value_number.get(f"{event.type}|{field}={value}", NO_VALUE)
                )
    return Records(types, values)


def _string(value: str, word_number: Mapping[str, int]) -> int:
    return -2 - word_number[value] if value in word_number else NO_VALUE
