"""Aligners: one module per system, all behind one protocol."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from touchline.aligners.base import Aligner, Options
from touchline.aligners.floors import Named, NamedNearest, Random
from touchline.aligners.model_file import read_model
from touchline.aligners.pairrank import (
    PairRank,
    PairRankCosine,
    PairRankEuclidean,
    PairRankVotes,
)
from touchline.errors import InputError, TouchlineError

__all__ = ["DEFAULT", "METHODS", "Aligner", "Options", "load_aligner", "make_aligner"]

METHODS: dict[str, type[Aligner]] = {
    aligner.name: aligner
    for aligner in (
        Random,
        Named,
        NamedNearest,
        PairRank,
        PairRankEuclidean,
        PairRankCosine,
        PairRankVotes,
    )
}
DEFAULT = NamedNearest.name


def make_aligner(method: str = DEFAULT, settings: Mapping[str, Any] | None = None) -> Aligner:
    """An aligner by its name (`NAME` or `NAME:PRESET`) with some of its options set."""
    name, _, preset = method.partition(":")
    if name not in METHODS:
        raise TouchlineError(f"unknown method {name!r}; one of {', '.join(METHODS)}")
    presets = METHODS[name].presets
    if preset and preset not in presets:
        known = f"one of {', '.join(presets)}" if presets else "it has none"
        raise TouchlineError(f"unknown preset {preset!r} of {name}; {known}")
    chosen = {**presets.get(preset, {}), **(settings or {})}
    return METHODS[name](_options(METHODS[name], chosen))


def load_aligner(path: str | Path) -> Aligner:
    """An aligner as `save` left it."""
    model = read_model(path)
    if model.method not in METHODS:
        raise InputError(path, f"a model of the method {model.method!r}, which is not known here")
    aligner = METHODS[model.method](_options(METHODS[model.method], model.options))
    aligner.restore(model.arrays)
    return aligner


def _options(aligner: type[Aligner], settings: Mapping[str, Any]) -> Options:
    known = aligner.options_type.__struct_fields__
    for key in settings:
        if key not in known:
            choice = ", ".join(known)
            raise TouchlineError(f"{aligner.name} has no option {key!r}; it has {choice}")
    try:
        return msgspec.convert(dict(settings), aligner.options_type, strict=False)
    except (msgspec.ValidationError, ValueError) as error:
        raise TouchlineError(f"option of {aligner.name}: {error}") from None
