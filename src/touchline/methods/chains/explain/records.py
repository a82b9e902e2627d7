"""The evidence that `chains` gives about a comment, and how it is shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec
from msgspec import UNSET, UnsetType

from touchline.methods.explanation import Block, Claim, Explanation, Grid, Line

# The parts of a score by their names in JSON.
PARTS = {
    "rate": "how often described",
    "lag": "time",
    "groups": "neighbours",
    "words": "words",
    "names": "names",
}
MAX_WORDS = 6
WORTH_NAMING = 0.25  # words that spoke less for an event are not listed beside it
WORTH_A_LINE = 0.1  # shares of a word that are worth a reader's time
SHOWN = 0.01  # scores, and differences of scores, that are less are not shown


class WordEvidence(msgspec.Struct, frozen=True):
    """A word of the comment, and the share of it that one cause accounts for."""

    word: str
    stem: str
    start: int
    end: int
    share: float


class NameEvidence(msgspec.Struct, frozen=True, omit_defaults=True):
    """A player's name in the comment, and the second at which it is said, by the log's clock."""

    text: str
    player: str
    start: int
    end: int
    garbled: bool | UnsetType = UNSET
    second: float | None = None

    @property
    def shown(self) -> str:
        means = self.player + (", garbled" if self.garbled is True else "")
        return self.text if means == self.text else f"{self.text} ({means})"


class EventEvidence(msgspec.Struct, frozen=True):
    """A linked event, and the words and names that are evidence for it."""

    id: str
    type: str
    describe: str
    score: float
    words: list[WordEvidence]
    names: list[NameEvidence]


class Nothing(msgspec.Struct, frozen=True):
    """The hypothesis that the comment describes no event."""

    score: float
    parts: dict[str, float]


class Hypothesis(msgspec.Struct, frozen=True):
    """A chain of events, its probability, and the parts of its log-score."""

    events: list[str]
    describe: list[str]
    score: float
    parts: dict[str, float]


class Order(msgspec.Struct, frozen=True):
    """The probability of the best hypothesis by itself, and among the comments around it."""

    alone: float
    together: float


class FeatureEvidence(msgspec.Struct, frozen=True):
    """A feature that labels have taught to weigh, and what it added to the log-odds."""

    feature: str
    weight: float


class LabelEvidence(msgspec.Struct, frozen=True):
    """What the answer would be without labels, and the features that moved it, heaviest first."""

    without: list[str]
    describe: list[str]
    features: list[FeatureEvidence]

    @property
    def before(self) -> str:
        return " + ".join(self.describe) or "no event"

    @property
    def reasons(self) -> str:
        said = (f"{one.feature} {one.weight:+.1f}" for one in self.features)
        return " · ".join(said).replace(" -", " −")


class ChainsExplanation(Explanation, frozen=True, kw_only=True):
    """What a comment describes, the evidence, and what else it could have described."""

    none: float
    events: list[EventEvidence]
    by_itself: list[WordEvidence]
    unexplained: list[NameEvidence]
    best: Hypothesis
    runner_up: Hypothesis | None
    no_event: Nothing
    order: Order
    speaker: dict[str, float]
    labels: LabelEvidence | None = None

    def claims(self) -> Iterator[Claim]:
        """A name is worth more than a word."""
        for event in self.events:
            for name in event.names:
                kind = "garbled" if name.garbled is True else "name"
                yield Claim(start=name.start, end=name.end, event=event.id, kind=kind, weight=2.0)  # type: ignore[arg-type]
            for word in event.words:
                yield _claim(word, event.id, "word")
        for name in self.unexplained:
            yield Claim(start=name.start, end=name.end, event=None, kind="lost", weight=1.0)
        for word in self.by_itself:
            yield _claim(word, None, "")

    def heaviest(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        for event in self.events:
            own = [word for word in event.words if word.share >= WORTH_NAMING]
            heaviest = sorted(own, key=lambda word: -word.share)
            said = [*(name.text for name in event.names), *(word.word for word in heaviest)]
            words = tuple(dict.fromkeys(said))[:MAX_WORDS]
            if words:
                yield event.id, words

    def notes(self) -> Iterator[tuple[str, str]]:
        if self.labels:
            yield "Without labels", self.labels.before
            yield "Moved by labels", self.labels.reasons
        elif self.best.events and (for_it := self._against_none()):
            yield "Evidence relative to no event", for_it
        if self.unexplained:
            yield "Named, but in no linked event", ", ".join(n.text for n in self.unexplained)
        if self.runner_up and self.runner_up.score >= SHOWN:
            described = " + ".join(self.runner_up.describe) or "no event"
            yield "Next best", f"{described} ({self.runner_up.score:.2f})"
        if looking := self.looks_back():
            yield "Speaker", looking
        if abs(self.order.alone - self.order.together) >= SHOWN:
            scores = f"{self.order.alone:.2f} → {self.order.together:.2f}"
            yield "By itself, then among its neighbours", scores

    def looks_back(self) -> str:
        """What the speaker looks back at, if that is likelier than not."""
        if self.speaker["looking back"] <= 0.5 or not self.best.describe:
            return ""
        return f"looks back at {' + '.join(self.best.describe)}"

    def _against_none(self) -> str:
        """How much each part of the evidence favours the best hypothesis, largest first."""
        parts = {name: value - self.no_event.parts[name] for name, value in self.best.parts.items()}
        heaviest = sorted(parts.items(), key=lambda part: -abs(part[1]))
        said = [f"{name} {value:+.1f}" for name, value in heaviest if abs(value) >= 0.05]
        return " · ".join(said).replace("-", "−")

    def blocks(self) -> Iterator[Block]:
        yield Line(self.text, bold=True)
        for event in self.events:
            yield Line(f"\n{event.describe}  {event.score:.2f}")
            yield from _listed("names", (name.shown for name in event.names), 2)
            yield from _listed("words", _shares(event.words), 2)
        if not self.events:
            sure = self.none > 0.5
            why = "no event" if sure else "no candidate is above one half; probability of no event"
            yield Line(f"\n{why}  {self.none:.2f}")
        yield Line("")
        yield from _listed("words of no event", _shares(self.by_itself), 0)
        yield from _listed("names in no linked event", (n.shown for n in self.unexplained), 0)
        yield Line("")
        if self.labels:
            yield Line(f"without labels: {self.labels.before}")
            yield Line(f"moved by labels: {self.labels.reasons}")
            yield Line("")
        yield from self._rivals()
        together = f"with the comments around it {self.order.together:.2f}"
        yield Line(f"best by itself {self.order.alone:.2f}, {together}")
        states = ", ".join(f"{name} {share:.2f}" for name, share in self.speaker.items())
        yield Line(f"speaker: {states}")
        if looking := self.looks_back():
            yield Line(looking)

    def _rivals(self) -> Iterator[Block]:
        """The parts of the scores of the best hypothesis and those that it was weighed against."""
        chains = {"best": self.best}
        if self.runner_up:
            chains["runner-up"] = self.runner_up
        for title, chain in chains.items():
            yield Line(f"{title}: {'; '.join(chain.describe) or 'no event'}")
        rivals: dict[str, Hypothesis | Nothing] = {**chains}
        if all(chain.events for chain in chains.values()):
            rivals["no event"] = self.no_event
        own = rivals.values()
        rows = [[label, *(f"{r.parts[part]:+.1f}" for r in own)] for part, label in PARTS.items()]
        rows.append(["sum", *(f"{sum(r.parts.values()):+.1f}" for r in own)])
        rows.append(["probability", *(f"{r.score:.2f}" for r in own)])
        yield Grid(texts=["log-score"], numbers=list(rivals), rows=rows)


def _claim(word: WordEvidence, event: str | None, kind: str) -> Claim:
    return Claim(start=word.start, end=word.end, event=event, kind=kind, weight=word.share)  # type: ignore[arg-type]


def _listed(what: str, items: Iterable[str], indent: int) -> Iterator[Line]:
    if listed := ", ".join(items):
        yield Line(f"{what}: {listed}", indent=indent)


def _shares(words: Iterable[WordEvidence]) -> Iterator[str]:
    """The words with their shares, the largest first, each stem once."""
    shares: dict[str, WordEvidence] = {}
    for word in sorted(words, key=lambda word: -word.share):
        shares.setdefault(word.stem, word)
    return (f"{w.word} {w.share:.0%}" for w in shares.values() if w.share >= WORTH_A_LINE)
