"""Aligners: one module per system, all behind one protocol, loaded when they are used."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from touchline.core.errors import InputError, UsageError
from touchline.io.model_file import read_model
from touchline.methods.base import Aligner, Options

__all__ = ["DEFAULT", "METHODS", "Aligner", "Options", "load_aligner", "make_aligner"]

# Where each method's class is. The heavy ones bring a compiler with them, so none is loaded
# before it is asked for.
METHODS = {
    "random": "baselines.Random",
    "named": "baselines.Named",
    "named-nearest": "baselines.NamedNearest",
    "named-rarest": "baselines.NamedRarest",
    "chains": "chains.aligner.Chains",
    "pairrank": "pairrank.aligner.PairRank",
    "pairrank-euclidean": "pairrank.aligner.PairRankEuclidean",
    "pairrank-cosine": "pairrank.aligner.PairRankCosine",
    "pairrank-votes": "pairrank.aligner.PairRankVotes",
    "liang2009": "prior_work.liang2009.aligner.Liang2009",
    "bordes2010": "prior_work.bordes2010.Bordes2010",
    "chen2008": "prior_work.chen.aligner.Chen2008",
    "chen2010": "prior_work.chen.aligner.Chen2010",
    "hajishirzi2011": "prior_work.hajishirzi2011.aligner.Hajishirzi2011",
    "mi-svm": "prior_work.mi_svm.aligner.MiSvm",
    "mi-svm-bag": "prior_work.mi_svm.aligner.MiSvmBag",
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
    module, _, kind = METHODS[name].rpartition(".")
    loaded: type[Aligner] = getattr(importlib.import_module(f"touchline.methods.{module}"), kind)
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
