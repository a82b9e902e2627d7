"""Explanations of stored links by the method that made them, if it still reproduces them."""

from __future__ import annotations

from touchline.core.errors import UsageError
from touchline.core.links import CommentLinks, Links
from touchline.core.records import Match
from touchline.io.files import sha256
from touchline.io.links.origin import Origin
from touchline.io.storage import AnyPath
from touchline.methods.base import cannot_explain
from touchline.methods.explanation import Explain
from touchline.methods.registry import Aligner, load_aligner, make_aligner
from touchline.pipeline.align import at_least
from touchline.pipeline.read import known_by


def explain_again(
    links: Links, match: Match, origin: Origin | None, model: AnyPath | None
) -> Explain:
    """What explains links, given the match that they are about and the origin beside their file.

    Raises UsageError, with the reason, where nothing can.
    """
    if origin is None:
        raise UsageError("the links have no origin beside them (FILE.meta.json)")
    aligner = _maker(origin, model)
    if not aligner.explains:
        raise UsageError(cannot_explain(aligner.name))
    match = known_by(origin.command.get("clock", "second"), match)
    alignment = aligner.infer(match)
    again = at_least(alignment.links, origin.command.get("min_score", 0.0))
    linked = {answer.comment: _linked(answer) for answer in again}
    if any(linked[answer.comment] != _linked(answer) for answer in links):
        raise UsageError(f"{origin.method} does not reproduce these links from the given files")

    return lambda _, comment: alignment.explain(comment)


def _maker(origin: Origin, model: AnyPath | None) -> Aligner:
    """The aligner that made some links.

    An origin may come from elsewhere, so its method must be a registered one.
    """
    if origin.model is None and model is None:
        settings = {**origin.options, "seed": origin.seed}
        return make_aligner(origin.method, settings, registered=True)
    files = [model] if model else make_aligner(origin.method, registered=True).bundled_files
    known = (path for path in files if path.is_file())
    path = next((path for path in known if sha256(path) == origin.model), None)
    if path is None:
        given = "without a model" if origin.model is None else "with another model; give --model"
        raise UsageError(f"the links were made {given}")
    return load_aligner(path)


def _linked(answer: CommentLinks) -> list[str]:
    return [link.id for link in answer.events]
