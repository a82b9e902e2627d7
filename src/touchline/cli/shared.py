"""Options and habits that several commands share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click
from rich.console import Console
from rich.progress import track

from touchline.aligners import DEFAULT, METHODS, Aligner, load_aligner, make_aligner
from touchline.files import sha256
from touchline.output.origin import Origin, checksums

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])


def method_options(function: F) -> F:
    """`--method`, `--model`, `--set` and `--seed`, which say who answers."""
    for option in reversed(
        [
            click.option(
                "--method",
                metavar="M",
                default=None,
                help=f"NAME or NAME:PRESET; one of {', '.join(METHODS)} (default {DEFAULT}).",
            ),
            click.option(
                "--model",
                type=click.Path(path_type=Path),
                help="A model that `touchline fit` has stored; instead of --method.",
            ),
            click.option(
                "--set",
                "settings",
                metavar="KEY=VALUE",
                multiple=True,
                help="An option of the method, such as window=150 or window=120:30.",
            ),
            click.option("--seed", metavar="N", type=int, default=0, help="Seed of all chance."),
        ]
    ):
        function = option(function)
    return function


clock_option = click.option(
    "--clock",
    type=click.Choice(["second", "minute"]),
    help="What to use of the comments' times: the second, or only the minute of a live page.",
)


def choose_aligner(
    method: str | None, model: Path | None, settings: Sequence[str], seed: int
) -> Aligner:
    """The aligner that the options ask for."""
    if model is not None:
        if method is not None or settings:
            raise click.UsageError("--model holds the method and its options; give one of them")
        return load_aligner(model)
    pairs = dict(_setting(text) for text in settings)
    return make_aligner(method or DEFAULT, {"seed": seed, **pairs})


def _setting(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals:
        raise click.UsageError(f"--set {text!r}; expected KEY=VALUE")
    return key.strip().replace("-", "_"), value.strip()


def origin_of(aligner: Aligner, inputs: Iterable[Path], model: Path | None) -> Origin:
    """What made the links that are about to be written."""
    options = {name: getattr(aligner.options, name) for name in aligner.options.__struct_fields__}
    seed = options.pop("seed")
    return Origin(
        method=aligner.name,
        options=options,
        model=sha256(model) if model else None,
        inputs=checksums(inputs),
        seed=seed,
    )


def progress(items: Sequence[T], what: str) -> Iterable[T]:
    """The items with a progress bar on a terminal; silent in pipes and for a single item."""
    console = Console(stderr=True)
    if not console.is_terminal or len(items) < 2:
        return items
    return track(items, description=what, console=console, transient=True)
