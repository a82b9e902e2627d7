"""The evidence that `pairrank` gives about a comment, and how it is shown."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from touchline.methods.explanation import Block, Explanation, Grid, Line, ModelSummary

MAX_WORDS = 6

Weights = list[tuple[str, float]]


class Grown(msgspec.Struct, frozen=True):
    """A step in which a macro-event grew: the event that joined, and what that brought."""

    event: str
    what: str
    rho: float
    gain: float


class Near(msgspec.Struct, frozen=True):
    """A sentence that a pair's model is confident about."""

    text: str
    confidence: float


class LookedInto(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the model of a pair looks at; nothing for similarities, which weigh all alike."""

    event: str
    what: str
    weights: Weights = []
    nearest: list[Near] = []


class PairExplanation(Explanation, frozen=True, kw_only=True):
    """How the macro-event of a comment grew, and what the models of its pairs look at."""

    growth: list[Grown]
    models: list[LookedInto]

    def heaviest(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        for model in self.models:
            if model.weights:
                yield model.event, tuple(word for word, _ in model.weights[:MAX_WORDS])

    def blocks(self) -> Iterator[Block]:
        yield Line(self.text, bold=True)
        if not self.growth:
            yield Line("no event")
        for size, step in enumerate(self.growth, 1):
            yield Line(f"{size}. {step.what}  rho {step.rho:.2e}, Δ {step.gain:+.2e}")
        for model in self.models:
            yield Line(f"\n{model.what}", bold=True)
            weights = ", ".join(f"{word} {weight:.2f}" for word, weight in model.weights)
            yield Line(f"  heaviest: {weights}")
            for near in model.nearest:
                yield Line(f"  {near.confidence:+.2f}  {near.text}")


class PairModelSummary(ModelSummary, frozen=True, kw_only=True):
    """For each event type the words that weigh most over all models of its pairs."""

    pairs: int
    words: dict[str, Weights]

    def blocks(self) -> Iterator[Block]:
        rows = [[kind, ", ".join(word for word, _ in own)] for kind, own in self.words.items()]
        title = f"{self.pairs} pairs learned"
        yield Grid(title=title, texts=["event type", "words that weigh most"], rows=rows)
