"""Make the bundled weights: `python -m touchline.generation.selection.fit EPL ROBOCUP FOLDER`.

The links come from `chains:unlabelled`: no label is read.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from touchline.core.links import Links
from touchline.generation.selection.model import fit_selection
from touchline.io.corpus.layout import corpus_matches
from touchline.io.files import write_whole
from touchline.methods.registry import make_aligner

METHOD = "chains:unlabelled"


def linked(corpus: Path, clock: str = "second") -> Iterator[Links]:
    """The links of each match of a corpus; a corpus that is no live text is learned from first."""
    matches = [one.read(clock=clock, labels=False).match for one in corpus_matches(corpus)]
    aligner = make_aligner(METHOD)
    if any(match.provider == "robocup" for match in matches):
        aligner.fit(matches)
    for match in matches:
        yield aligner.infer(match).links


def main(epl: Path, robocup: Path, folder: Path) -> None:
    """Write the two files."""
    for corpus, name in ((epl, "live-text.json"), (robocup, "robocup.json")):
        model = fit_selection(linked(corpus))
        with write_whole(folder / name) as out:
            out.write(model.to_bytes())


if __name__ == "__main__":
    main(*(Path(word) for word in sys.argv[1:4]))
