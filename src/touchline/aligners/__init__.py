"""Aligners: one module per system, all behind one protocol, loaded when they are used."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from touchline.aligners.base import Aligner, Options
from touchline.errors import InputError, UsageError
from touchline.model_file import read_model

__all__ = ["DEFAULT", "METHODS", "Aligner", "Options", "load_aligner", "make_aligner"]

# Where each method's class is. The heavy ones bring a compiler with them, so none is loaded
# before it is asked for.
METHODS = {
    "random": "floors.Random",
    "named": "floors.Named",
    "named-nearest": "floors.NamedNearest",
    "named-rarest": "floors.NamedRarest",
    "chains": "chains.Chains",
    "pairrank": "pairrank.PairRank",
    "pairrank-euclidean": "pairrank.PairRankEuclidean",
    "pairrank-cosine": "pairrank.PairRankCosine",
    "pairrank-votes": "pairrank.PairRankVotes",
    "liang2009": "liang2009.Liang2009",
    "bordes2010": "bordes2010.Bordes2010",
    "chen2008": "chen2008.Chen2008",
    "chen2010": "chen2008.Chen2010",
    "hajishirzi2011": "hajishirzi2011.Hajishirzi2011",
    "mi-svm": "mi_svm.MiSvm",
    "mi-svm-bag": "mi_svm.MiSvmBag",
}
DEFAULT = "chains"


def make_aligner(method: str = DEFAULT, settings: Mapping[str, Any] | None = None) -> Aligner:
    """An aligner by its name (`NAME` or `NAME:PRESET`) with some of its options set."""
    name, _, preset = method.partition(":")
    if name not in METHODS:
        raise UsageError(f"unknown method {name!r}; one of {', '.join(METHODS)}")
    aligner = _load(name)
    if preset and preset not in aligner.presets:
        known = f"one of {', '.join(aligner.presets)}" if aligner.presets else "it has none"
        raise UsageError(f"unknown preset {preset!r} of {name}; {known}")
    chosen = {**aligner.presets.get(preset, {}), **(settings or {})}
    return aligner(_options(aligner, chosen))


def load_aligner(path: str | Path) -> Aligner:
    """An aligner as `save` left it."""
    model = read_model(path)
    if model.method not in METHODS:
        raise InputError(path, f"a model of the method {model.method!r}, which is not known here")
    aligner = _load(model.method)
    try:
        fitted = aligner(_options(aligner, model.options))
        fitted.restore(model.arrays)
    except (UsageError, KeyError, ValueError, TypeError) as error:
        raise InputError(path, f"a damaged model of {model.method} ({error})") from None
    return fitted


def _load(name: str) -> type[Aligner]:
    module, _, kind = METHODS[name].partition(".")
    loaded: type[Aligner] = getattr(importlib.import_module(f"touchline.aligners.{module}"), kind)
    return loaded


def _options(aligner: type[Aligner], settings: Mapping[str, Any]) -> Options:
    known = aligner.options_type.__struct_fields__
    for key in settings:
        if key not in known:
            choice = ", ".join(known)
            raise UsageError(f"{aligner.name} has no option {key!r}; it has {choice}")
    try:
        return msgspec.convert(dict(settings), aligner.options_type, strict=False)
    except (msgspec.ValidationError, ValueError) as error:
        raise UsageError(f"option of {aligner.name}: {error}") from None
