"""Aligners that learn one record of arrays: how they fit, answer, and are stored."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

import msgspec
import numpy as np

from touchline.core.links import CommentLinks, Links
from touchline.core.records import Match
from touchline.io.model_arrays import Stored
from touchline.methods.base import ALONE, FITTED, Aligner, Alignment, Labels, Model, Options

Learned = TypeVar("Learned", bound=msgspec.Struct)

_JSON = ".json"


class Learner(Aligner, Generic[Learned]):
    """Learns `learned_type`, a struct of arrays and plain values, from all matches together.

    A match that was not learned from is answered with what was learned; without any fit, a match
    is learned from by itself.
    """

    learned_type: ClassVar[type[msgspec.Struct]]

    def __init__(self, options: Options | None = None) -> None:
        super().__init__(options)
        self._learned: Learned | None = None

    @abstractmethod
    def learn(self, matches: Sequence[Match]) -> Learned:
        """What the matches teach."""

    @abstractmethod
    def answers(self, match: Match, learned: Learned) -> Iterator[CommentLinks]:
        """An answer for each comment, in their order."""

    def fit(self, matches: Iterable[Match], labels: Labels | None = None) -> None:
        super().fit(matches, labels)
        self._learned = self.learn(list(matches))

    def infer(self, match: Match) -> Alignment:
        learned = self._learned or self.learn([match])
        links = Links(match, self.answers(match, learned))
        return self.alignment(links, FITTED if self._learned else ALONE, learned)

    def alignment(self, links: Links, answered: Model, learned: Learned) -> Alignment:
        """The links with what else the method knows about the match: nothing, unless overridden."""
        return Alignment(links, self.name, answered)

    def parameters(self) -> dict[str, np.ndarray]:
        if self._learned is None:
            return {}
        fields = {name: getattr(self._learned, name) for name in self._learned.__struct_fields__}
        return dict(_stored(name, value) for name, value in fields.items())

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        if not arrays:
            return
        stored = Stored(arrays)
        plain = {
            field.name: stored.json(field.name + _JSON, field.type)
            for field in msgspec.structs.fields(self.learned_type)
            if field.name + _JSON in arrays
        }
        tables = self.restored_tables(stored, plain)
        self._learned = self.learned_type(**plain, **tables)  # type: ignore[assignment]

    def restored_tables(self, stored: Stored, plain: Mapping[str, Any]) -> dict[str, np.ndarray]:
        """The arrays of `learned_type`, of the sizes that its plain values speak of."""
        return {}


def _stored(name: str, value: Any) -> tuple[str, np.ndarray]:
    if isinstance(value, np.ndarray):
        return name, value
    return name + _JSON, np.frombuffer(msgspec.json.encode(value), dtype=np.uint8)
