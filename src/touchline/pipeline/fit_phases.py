"""python -m touchline.pipeline.fit_phases CORPUS... OUT

Learns the words of phases from the matches of some corpora that have no labels, so that every
labelled match is one that the words have not seen. `make model` writes the bundled file with it.
This is the only module outside `methods` that knows a method by name: the file belongs to `chains`,
and methods read no match files themselves.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from touchline.io.corpus.layout import read_corpus
from touchline.io.files import write_whole
from touchline.methods.chains.phases.learning import learn_bundled_words, to_bytes


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Learn the words of phases from corpora.")
    parser.add_argument("corpus", type=Path, nargs="+", help="a folder of matches")
    parser.add_argument("out", type=Path, help="the JSON file to write")
    given = parser.parse_args(arguments)
    labelled = (match for corpus in given.corpus for match in read_corpus(corpus))
    matches = [found.match for found in labelled if found.gold is None]
    with write_whole(given.out) as file:
        file.write(to_bytes(learn_bundled_words(matches)))


if __name__ == "__main__":
    main()
