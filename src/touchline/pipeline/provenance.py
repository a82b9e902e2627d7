"""Where links come from: the one place that builds the origin of a links file."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
import numpy

from touchline.io.files import sha256
from touchline.io.links.origin import Origin, checksums
from touchline.io.storage import AnyPath
from touchline.methods.base import Aligner, Alignment


def provenance(
    aligner: Aligner,
    inputs: Iterable[str | AnyPath],
    *,
    model: AnyPath | None = None,
    command: Mapping[str, Any] | None = None,
) -> Origin:
    """The origin of links that are still to be made."""
    options = {name: getattr(aligner.options, name) for name in aligner.options.__struct_fields__}
    seed = options.pop("seed")
    return Origin(
        method=aligner.name,
        options=options,
        command={key: value for key, value in (command or {}).items() if value is not None},
        model=sha256(model) if model else None,
        inputs=checksums(inputs),
        seed=seed,
        versions={
            "python": platform.python_version(),
            "numpy": numpy.__version__,
            **({} if model else aligner.bundled_models()),
        },
    )


def answered(origin: Origin, alignment: Alignment) -> Origin:
    """The origin with what is known once a match is answered: which model, and doubts."""
    return msgspec.structs.replace(
        origin,
        answered_by=alignment.model.name or None,
        labels=alignment.model.labels,
        labels_by=alignment.model.labels_by or None,
        warnings=alignment.links.warnings,
    )
