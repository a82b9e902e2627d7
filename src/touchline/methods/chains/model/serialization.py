"""What is learned from, and what has been learned so far, as small named arrays for the disk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import Any, TypeVar

import msgspec
import numpy as np

from touchline.io.model_arrays import Stored
from touchline.methods import logs
from touchline.methods.chains.data.language import Language, Survey
from touchline.methods.chains.data.tables import PlainComments, PlainEvents
from touchline.methods.chains.inference.ensemble import Learned
from touchline.methods.chains.labelled.kinds import MIN_MATCHES
from touchline.methods.chains.labelled.layer import LabelChoice, Layer
from touchline.methods.chains.model.seen import KEPT, Sketch
from touchline.methods.chains.model.sufficient_stats import Counts
from touchline.methods.chains.words.layer import WordLayer

T = TypeVar("T")

_EVENTS, _COMMENTS = "events", "comments"
_LISTS = ("kinds", "values", "stems", "contexts")
_OF_CHAINS = ("chains", "head")  # so many that they stay as narrow as they are
_SURVEY, _LANGUAGE, _SEEN, _PACE = "survey", "language", "seen", "pace"
_FEATURES, _WEIGHTS, _LOGS = "layer.{}.features", "layer.{}.weights", "layer.{}.logs"
_CLAMPED, _CHOICES, _WORDS = "clamped.{}.", "labels", "words.{}"
# What `unpack_frequency` needs of a model.
_FREQUENCY = "frequency"
FREQUENCY = (_LANGUAGE, _PACE, _FREQUENCY)
# Hardly any event brings any given word: of these counts only those above 0 are stored.
_SPARSE, _PLACES = "caused", "caused.places"
# All of them together: a small file must not unpack to more than memory has.
MAX_SPARSE = 100_000_000
# Counts are whole thousandths (`Counts.rounded`), and whole numbers pack better.
_UNIT = 1000


def pack_match(
    events: PlainEvents, comments: PlainComments, survey: Survey
) -> dict[str, np.ndarray]:
    """A condensed match and its survey; whole numbers are as narrow as they can be."""
    tables = {_EVENTS: events._asdict(), _COMMENTS: comments._asdict()}
    arrays = {
        f"{table}.{name}": as_bytes(value) if isinstance(value, list) else _narrow(value)
        for table, columns in tables.items()
        for name, value in columns.items()
    }
    return {**arrays, _SURVEY: as_bytes(survey)}


def unpack_match(arrays: Mapping[str, np.ndarray]) -> tuple[PlainEvents, PlainComments]:
    def column(table: str, name: str) -> Any:
        stored = arrays[f"{table}.{name}"]
        if name in _OF_CHAINS:
            return stored
        return from_bytes(stored, list[str]) if name in _LISTS else _wide(stored)

    events = {name: column(_EVENTS, name) for name in PlainEvents._fields}
    comments = {name: column(_COMMENTS, name) for name in PlainComments._fields}
    return PlainEvents(**events), PlainComments(**comments)


def comment_words(arrays: Mapping[str, np.ndarray]) -> np.ndarray:
    """The words of a condensed match, a row for each comment."""
    return arrays[f"{_COMMENTS}.words"]


def unpack_survey(arrays: Mapping[str, np.ndarray]) -> Survey:
    found = from_bytes(arrays[_SURVEY], dict[str, Any])
    names, seen, paces = set(found.pop("names")), found.pop("seen"), found.pop("paces")
    counters = {name: Counter(n) for name, n in found.items()}
    return Survey(names=names, seen=seen, paces=paces, **counters)


def pack_learned(learned: Learned) -> dict[str, np.ndarray]:
    """What was learned, by the whole and by each member of the ensemble."""
    arrays = {_LANGUAGE: as_bytes(learned.language), _SEEN: _pack_seen(learned.seen, KEPT)}
    arrays[_PACE] = np.array([learned.pace])
    arrays |= _pack_counts(learned)
    for layer in learned.layers:
        arrays |= _pack_layer(layer)
    for kind, clamped in learned.clamped.items():
        own = _pack_counts(clamped)
        arrays |= {_CLAMPED.format(kind) + name: array for name, array in own.items()}
    for word_layer in learned.word_layers:
        arrays |= _pack_word_layer(word_layer)
    if learned.choices:
        arrays[_CHOICES] = as_bytes(list(learned.choices))
    return arrays


def unpack_learned(arrays: Mapping[str, np.ndarray]) -> Learned | None:
    """What was learned, checked before anything computes with it."""
    if _LANGUAGE not in arrays:
        return None
    arrays, clamped = _without_clamped(arrays)
    stored = Stored(arrays)
    language = stored.json(_LANGUAGE, Language)
    language.check()
    layers = tuple(_unpack_layers(stored, arrays, clamped))
    learned = Learned(
        language,
        *_unpack_counts(stored, language),
        _unpack_seen(stored.whole(_SEEN, "sketches", KEPT)),
        float(stored.counts(_PACE, 1)[0]),
    )
    models = {kind: _unpack_clamped(own, learned) for kind, own in clamped.items()}
    return learned._replace(
        layers=layers,
        clamped=models,
        choices=tuple(stored.json(_CHOICES, list[LabelChoice])) if _CHOICES in arrays else (),
        word_layers=tuple(_unpack_word_layers(stored, arrays)),
    )


def _unpack_counts(stored: Stored, language: Language) -> tuple[Counts, tuple[Counts, ...]]:
    """The counts of the whole, and those of each member."""
    shapes = Counts.shapes(language)
    sparse = shapes.pop(_SPARSE)
    dense = {n: stored.whole(n, "members", *shape) / _UNIT for n, shape in shapes.items()}
    dense[_SPARSE] = _unpack_sparse(stored, (stored.size("members"), *sparse))
    whole, *members = map(Counts, *(dense[name] for name in Counts._fields))
    return whole, tuple(members)


def _unpack_sparse(stored: Stored, shape: tuple[int, ...]) -> np.ndarray:
    if prod(shape) > MAX_SPARSE:
        raise ValueError(f"{_SPARSE} has the shape {shape}, which is too large")
    values = stored.whole(_SPARSE, _SPARSE) / _UNIT
    counts = np.zeros(shape)
    counts.reshape(-1)[stored.places(_PLACES, _SPARSE, of=counts.size)] = values
    return counts


def _unpack_clamped(arrays: Mapping[str, np.ndarray], learned: Learned) -> Learned:
    """What clamped EM has made of a model, in the same language."""
    counts, members = _unpack_counts(Stored(arrays), learned.language)
    return learned._replace(counts=counts, members=members)


def _without_clamped(
    arrays: Mapping[str, np.ndarray],
) -> tuple[dict[str, np.ndarray], dict[str, dict[str, np.ndarray]]]:
    """The arrays of a model itself, and those of what clamped EM made of it, by kind of text."""
    clamped: dict[str, dict[str, np.ndarray]] = {}
    for kind in MIN_MATCHES:
        prefix = _CLAMPED.format(kind)
        own = {n.removeprefix(prefix): a for n, a in arrays.items() if n.startswith(prefix)}
        if own:
            clamped[kind] = own
    prefixes = tuple(map(_CLAMPED.format, clamped))
    rest = {name: array for name, array in arrays.items() if not name.startswith(prefixes)}
    return rest, clamped


def unpack_frequency(arrays: Mapping[str, np.ndarray]) -> tuple[Language, np.ndarray, float]:
    """The language of what was learned, how often each word occurs, and the pace."""
    pace = float(arrays[_PACE][0])
    return from_bytes(arrays[_LANGUAGE], Language), arrays[_FREQUENCY][0] / _UNIT, pace


def _pack_counts(learned: Learned) -> dict[str, np.ndarray]:
    """The counts of the whole, then those of each member, as rows of one array for each count.

    A model is read whenever a match is answered, and many small arrays take long to read.
    """
    every = zip(*(learned.counts, *learned.members), strict=True)
    named = zip(Counts._fields, map(np.array, every), strict=True)
    whole = {name: np.rint(_UNIT * array).astype(np.int64) for name, array in named}
    sparse = whole[_SPARSE].reshape(-1)
    whole[_PLACES] = np.flatnonzero(sparse)
    whole[_SPARSE] = sparse[whole[_PLACES]]
    return {name: _narrow(array) for name, array in whole.items()}


def _pack_layer(layer: Layer) -> dict[str, np.ndarray]:
    names, key = sorted(layer.weights), _key(layer.kind, layer.clamped)
    return {
        _FEATURES.format(key): as_bytes(names),
        _WEIGHTS.format(key): np.array([layer.weights[name] for name in names], dtype=float),
        _LOGS.format(key): _pack_seen(layer.logs, logs.KEPT),
    }


def _key(kind: str, clamped: bool) -> str:
    return f"{kind}.clamped" if clamped else kind


def _unpack_layers(
    stored: Stored, arrays: Mapping[str, np.ndarray], models: Collection[str]
) -> Iterator[Layer]:
    for kind, clamped in product(MIN_MATCHES, (False, True)):
        key = _key(kind, clamped)
        if _FEATURES.format(key) in arrays:
            names = stored.json(_FEATURES.format(key), list[str])
            if len(set(names)) < len(names):
                raise ValueError("a feature occurs twice")
            if clamped and kind not in models:
                raise ValueError("the model of a layer is missing")
            weights = stored.floats(_WEIGHTS.format(key), len(names))
            seen = stored.whole(_LOGS.format(key), f"{key} logs", logs.KEPT)
            by_name = dict(zip(names, weights.tolist(), strict=True))
            yield Layer(kind, by_name, _unpack_seen(seen), clamped)


def _pack_word_layer(layer: WordLayer) -> dict[str, np.ndarray]:
    return {_WORDS.format(layer.kind): as_bytes(layer)}


def _unpack_word_layers(stored: Stored, arrays: Mapping[str, np.ndarray]) -> Iterator[WordLayer]:
    for kind in MIN_MATCHES:
        if (name := _WORDS.format(kind)) in arrays:
            yield stored.json(name, WordLayer)


def _pack_seen(seen: Sequence[Sketch], size: int) -> np.ndarray:
    """A row for each sketch; a short one is filled up with its last digest."""
    rows = [[*own, *[own[-1]] * (size - len(own))] for own in seen if own]
    return np.array(rows, dtype=np.int64).reshape(len(rows), size)


def _unpack_seen(rows: np.ndarray) -> tuple[Sketch, ...]:
    return tuple(sorted(set(row)) for row in rows.tolist())


def as_bytes(value: Any) -> np.ndarray:
    """Anything that JSON can hold; sets in order, so that the same things are the same bytes."""
    return np.frombuffer(msgspec.json.encode(value, order="deterministic"), dtype=np.uint8)


def from_bytes(array: np.ndarray, kind: type[T]) -> T:
    return msgspec.json.decode(array.tobytes(), type=kind)


def _narrow(array: np.ndarray) -> np.ndarray:
    if array.dtype.kind != "i":
        return array
    low, high = int(array.min(initial=0)), int(array.max(initial=0))
    fits = (t for t in (np.int8, np.int16, np.int32) if np.iinfo(t).min <= low <= high)
    return array.astype(next((t for t in fits if high <= np.iinfo(t).max), np.int64))


def _wide(array: np.ndarray) -> np.ndarray:
    return array.astype(np.int64) if array.dtype.kind == "i" else array
