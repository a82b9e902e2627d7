"""The methods by name: ours, those of other packages, and any class that a user names.

`NAME:PRESET` is a preset of a registered method. `MODULE:CLASS` is a class of any module, and only
where the user types it: a server takes registered names alone, and a model file never contains more
than a name.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Mapping
from typing import Any

import msgspec

from touchline.core.errors import InputError, UsageError
from touchline.core.plugins import PluginError, called, failure, load_plugin, plugins
from touchline.io.model_file import read_model
from touchline.io.storage import AnyPath
from touchline.methods.base import Aligner, Options

__all__ = ["BUILT_IN", "DEFAULT", "Aligner", "Options", "load_aligner", "make_aligner", "methods"]

# Where each method's class is. The heavy ones bring a compiler with them, so none is loaded
# before it is asked for.
BUILT_IN = {
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
    "koncel2014": "prior_work.koncel2014.aligner.Koncel2014",
    "hajishirzi2011": "prior_work.hajishirzi2011.aligner.Hajishirzi2011",
    "mi-svm": "prior_work.mi_svm.aligner.MiSvm",
    "mi-svm-bag": "prior_work.mi_svm.aligner.MiSvmBag",
}
DEFAULT = "chains"


def methods() -> tuple[str, ...]:
    """The registered names: ours, then those of plug-ins. Ours win over a plug-in's."""
    return (*BUILT_IN, *(name for name in plugins("methods") if name not in BUILT_IN))


def is_registered(name: str) -> bool:
    """Whether there is a method of that name; plug-ins are looked up only where ours lack it."""
    return name in BUILT_IN or name in plugins("methods")


def make_aligner(
    method: str = DEFAULT,
    settings: Mapping[str, Any] | None = None,
    *,
    registered: bool = False,
) -> Aligner:
    """Make an aligner.

    Parameters
    ----------
    method
        `NAME`, `NAME:PRESET`, or `MODULE:CLASS` for a class that is not registered.
    settings
        Options of the method; text is converted.
    registered
        Whether to refuse `MODULE:CLASS`, for names that do not come from the user.

    Returns
    -------
    Aligner
        An aligner that has learned nothing yet.

    Raises
    ------
    UsageError
        There is no such method, preset or option.
    PluginError
        The method is not ours and cannot be used.
    """
    name, _, detail = method.partition(":")
    if is_registered(name):
        aligner, preset = _load(name), detail
    elif detail and not registered:
        aligner, preset = _load_class(name, detail), ""
    else:
        raise UsageError(f"unknown method {name[:40]!r}; expected one of {', '.join(methods())}")
    if preset and preset not in aligner.presets:
        known = (
            f"expected one of {', '.join(aligner.presets)}" if aligner.presets else "it has none"
        )
        raise UsageError(f"unknown preset {preset!r} of {name}; {known}")
    return aligner(_options(aligner, {**aligner.presets.get(preset, {}), **(settings or {})}))


def load_aligner(path: str | AnyPath, cls: type[Aligner] | None = None) -> Aligner:
    """Load an aligner that `save` has stored.

    Parameters
    ----------
    path
        The model file.
    cls
        The class, for a method that is not registered.

    Returns
    -------
    Aligner
        The fitted aligner.

    Raises
    ------
    InputError
        The file is not a model, is damaged, or belongs to an unknown method.
    """
    model = read_model(path)
    if cls is not None and model.method != cls.name:
        raise InputError(path, f"a model of the method {model.method!r}, not of {cls.name!r}")
    if cls is None and not is_registered(model.method):
        raise InputError(path, f"a model of the method {model.method!r}, which is not installed")
    aligner = cls or _load(model.method)
    try:
        fitted = aligner(_options(aligner, model.options))
        fitted.restore(model.arrays)
    except (UsageError, KeyError, ValueError, TypeError) as error:
        raise InputError(path, f"a damaged model of {model.method} ({error})") from None
    return fitted


def class_of(method: str) -> type[Aligner]:
    """The class of a method that the user has named; its preset, if any, is ignored."""
    name, _, detail = method.partition(":")
    return _load(name) if is_registered(name) else _load_class(name, detail)


def _load(name: str) -> type[Aligner]:
    if name in BUILT_IN:
        module, _, kind = BUILT_IN[name].rpartition(".")
        loaded: type[Aligner] = getattr(
            importlib.import_module(f"touchline.methods.{module}"), kind
        )
        return loaded
    entry = plugins("methods")[name]
    return _checked(load_plugin(entry), called(entry))


def _load_class(module: str, name: str) -> type[Aligner]:
    what = f"the method {module}:{name}"
    try:
        found = getattr(importlib.import_module(module), name)
    except ModuleNotFoundError as error:
        if error.name == module:
            known = ", ".join(methods())
            raise UsageError(f"no method or module named {module!r}; methods are {known}") from None
        raise PluginError(f"{what} cannot be loaded: {failure(error)}") from error
    except Exception as error:
        raise PluginError(f"{what} cannot be loaded: {failure(error)}") from error
    return _checked(found, what)


def _checked(found: Any, what: str) -> type[Aligner]:
    """A class that can be used as a method."""
    if not (isinstance(found, type) and issubclass(found, Aligner)):
        raise PluginError(f"{what} is not a subclass of touchline.Aligner")
    if inspect.isabstract(found):
        lacks = ", ".join(sorted(found.__abstractmethods__))
        raise PluginError(f"{what} does not define {lacks}")
    if not isinstance(getattr(found, "name", None), str):
        raise PluginError(f"{what} has no name")
    return found


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
