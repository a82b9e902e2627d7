"""python -m touchline.pipeline.fit_speech CORPUS=MODEL ...

Learns a bundled model from each corpus of speech, and one layer from the labels of all of them. The
kinds of speech differ too much for one model, and have too few labels for a layer each. `make
model` writes the bundled files with it.

A labelled match is read by a model of those matches of its corpus that have no labels. That model
may take a name of the labelled matches for an ordinary word, so the layer keeps only words that are
ordinary in a whole corpus.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from touchline.io.corpus.layout import LabelledMatch, read_corpus
from touchline.methods.chains.aligner import Chains, ChainsOptions
from touchline.methods.chains.labelled.kinds import SPEECH
from touchline.methods.chains.labelled.layer import Example, Layer
from touchline.methods.chains.labelled.training import Labelled, example_of, layer_of

# A word of a bundled model must be in so many matches.
OPTIONS = ChainsOptions(min_matches=2)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Learn the bundled models of speech.")
    parser.add_argument("pairs", nargs="+", metavar="CORPUS=MODEL", type=_pair)
    given = parser.parse_args(arguments)
    corpora = {path: list(read_corpus(corpus, clock="second")) for corpus, path in given.pairs}
    examples = [example for own in corpora.values() for example in examples_of(own)]
    labelled = [one.match for own in corpora.values() for one in own if one.gold]
    models = {path: fitted(own) for path, own in corpora.items()}
    layer = ordinary(layer_of(SPEECH, examples, labelled), models.values())
    for path, model in models.items():
        model.add_layers((layer,))
        model.save(path)


def ordinary(layer: Layer, models: Iterable[Chains]) -> Layer:
    """The layer without words that no model has in its vocabulary."""
    known = {word for model in models for word in model.vocabulary}

    def is_known(feature: str) -> bool:
        _, colon, word = feature.rpartition(": ")
        return not colon or word in known

    weights = {name: weight for name, weight in layer.weights.items() if is_known(name)}
    return layer._replace(weights=weights)


def examples_of(corpus: Sequence[LabelledMatch]) -> Iterator[Example]:
    """The labelled matches of a corpus, each with what a model that has not seen it infers."""
    reader = fitted([one for one in corpus if not one.gold])
    for one in corpus:
        if one.gold:
            known = reader.infer_unlabelled(one.match)
            yield example_of(Labelled(one.match, one.gold), known, SPEECH)


def fitted(corpus: Sequence[LabelledMatch]) -> Chains:
    aligner = Chains(OPTIONS)
    aligner.fit([one.match for one in corpus])
    return aligner


def _pair(text: str) -> tuple[Path, Path]:
    corpus, equals, model = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{text!r}; expected CORPUS=MODEL")
    return Path(corpus), Path(model)


if __name__ == "__main__":
    main()
