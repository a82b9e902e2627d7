"""Lines in a learned style, and in our own phrases where no template is true."""

from __future__ import annotations

import re
import zlib
from collections import deque
from collections.abc import Iterator

from touchline.generation.check import Rules, check_text
from touchline.generation.composing import Draft, Worder, line_of
from touchline.generation.facts.match import MatchFacts
from touchline.generation.facts.records import EventFacts
from touchline.generation.selection.choice import Picked
from touchline.generation.style.file import Style, Template
from touchline.generation.style.templates import PEOPLE, fits
from touchline.generation.wording.grammar import Phrase
from touchline.generation.wording.slots import View
from touchline.generation.wording.writer import WINDOW

# So many templates of a chain are tried at most.
_TRIES = 6
# From this share on a style names players by the surname.
_MOSTLY = 0.5


class StyleWorder(Worder):
    """Words chains with the templates of a style.

    Parameters
    ----------
    facts
        What the log knows.
    seed
        Another seed chooses other templates.
    style
        The learned style.
    free
        Whether words that no log confirms are let in.
    """

    def __init__(self, facts: MatchFacts, seed: int, style: Style, free: bool) -> None:
        super().__init__(facts, seed)
        self._style, self._free = style, free
        self._rules = Rules(facts.match, facts)
        self._recent: deque[str] = deque(maxlen=WINDOW)

    def look_at(self, facts: MatchFacts) -> None:
        super().look_at(facts)
        self._rules = Rules(facts.match, facts)

    def draft(self, picked: Picked) -> Draft | None:
        """The line by a template that is true of the chain, else by a phrase."""
        for template, text in self._texts(picked):
            if check_text(self.facts.match, text, picked.chain.ids, facts=self.facts,
                          rules=self._rules):  # fmt: skip
                continue
            self._recent.append(template.sentences[0])
            self.writer.took()
            return Draft(line_of(self.facts, picked, text, f"template:{template.source}"), False)
        draft = super().draft(picked)
        if draft is not None:
            self._recent.append("")
        return draft

    def _texts(self, picked: Picked) -> Iterator[tuple[Template, str]]:
        """Templates for a chain in words, in an order by chance."""
        view = View(self.facts, picked.chain, self.writer.seed)
        fitting = [one for one in self._style.templates if fits(one, view.known)]
        fresh = [one for one in fitting if one.sentences[0] not in self._recent]
        tried = 0
        for template in sorted(fresh, key=lambda one: self._chance(picked.chain.head, one)):
            text = self._render(template, view)
            if text is not None and tried < _TRIES:
                tried += 1
                yield template, text

    def _render(self, template: Template, view: View) -> str | None:
        """The template's words; None where what says how it ended is colour, or a slot is empty."""
        parts = list(zip(template.sentences, template.plain, template.core, strict=True))
        kept = [text for text, plain, _ in parts if plain or self._free]
        if not self._free and any(core and not plain for _, plain, core in parts):
            return None
        if not any("{player}" in text for text in kept):
            return None
        if view.plural:  # a sentence about a player says the wrong thing of a team
            return None
        found = Phrase(" ".join(kept), {}).render(lambda name: self._name(view, name), False)
        if found is None or "player" not in found[1]:
            return None
        # A name that two players share has the team already.
        return re.sub(r"( \([^()]+\))\1", r"\1", found[0])

    def _name(self, view: View, name: str) -> str | None:
        value = view.fill(name)
        if value is None or name not in PEOPLE or self._style.surnames < _MOSTLY:
            return value
        people = (p for one in view.chain.events for p in (one.event.player, *one.people.values()))
        player = next((p for p in people if self.facts.names.player(p) == value), None)
        return self.facts.names.surname(player) or value

    def _chance(self, head: EventFacts, template: Template) -> int:
        return zlib.crc32(f"{self.writer.seed}|{head.id}|{template.source}".encode())
