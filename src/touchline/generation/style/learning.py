"""Learning a style from linked commentary, without labels."""

from __future__ import annotations

from collections.abc import Iterable

from touchline.core.links import Links
from touchline.core.records import Player
from touchline.generation.facts.names import Names, surname_of
from touchline.generation.selection.model import fit_selection
from touchline.generation.style.file import Style
from touchline.generation.style.templates import templates
from touchline.text.names import NameFinder


def fit_style(linked: Iterable[Links]) -> Style:
    """Learn a style: which events are described, and in which words.

    Parameters
    ----------
    linked
        The links of each match of the corpus, by any method.

    Returns
    -------
    Style
        It holds sentences of the corpus.
    """
    many = list(linked)
    found = [template for links in many for template in templates(links)]
    return Style(
        selection=fit_selection(many),
        templates=tuple(found),
        surnames=round(_surnames(many), 3),
    )


def _surnames(many: Iterable[Links]) -> float:
    """The share of players named by the surname alone, where that is another name."""
    short = full = 0
    for links in many:
        finder, names = NameFinder(links.match), Names(links.match)
        for comment in links.match.comments:
            for mention in finder.mentions(comment.text):
                name = names.player(mention.who) if isinstance(mention.who, Player) else None
                if name is None or surname_of(name) == name:
                    continue
                said = comment.text[mention.start : mention.end]
                short += said.lower() == surname_of(name).lower()
                full += said.lower() == name.lower()
    return short / (short + full) if short + full else 0.0
