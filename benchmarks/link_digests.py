"""Whether a change of code changes any link: python -m benchmarks.link_digests -o before.json.

Aligns the bundled matches with every method, and the real corpora with the default one, through
the command line alone, so that it runs on any commit. Writes a checksum of each match's links (not
of their origins, which name the code). `--compare before.json` says which of them differ.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measuring import real_data
from touchline.sample import corpus_path

METHODS = ("chains", "pairrank", "pairrank-euclidean", "pairrank-cosine", "pairrank-votes",
           "liang2009", "bordes2010", "chen2008", "chen2010", "hajishirzi2011", "koncel2014",
           "mi-svm", "mi-svm-bag", "random",
           "named", "named-nearest", "named-rarest")  # fmt: skip
CORPORA = (("epl-2015", "minute"), ("epl-2015", "second"), ("radio-2018", "second"),
           ("tv-2015", "second"), ("robocup", "second"))  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", "--output", type=Path, help="file to write the checksums to")
    parser.add_argument("--compare", type=Path, help="checksums of another commit")
    given = parser.parse_args()
    found = dict(digests())
    if given.output:
        given.output.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    if given.compare is None:
        return 0
    before = json.loads(given.compare.read_text(encoding="utf-8"))
    differ = [name for name in sorted({*before, *found}) if before.get(name) != found.get(name)]
    print(f"{len(found)} matches, {len(differ)} differ", *differ, sep="\n  ")
    return 1 if differ else 0


def digests() -> Iterator[tuple[str, str]]:
    for method in METHODS:
        yield from _aligned(corpus_path(), "minute", method)
    for corpus, clock in CORPORA:
        yield from _aligned(real_data() / corpus, clock, "chains")


def _aligned(corpus: Path, clock: str, method: str) -> Iterator[tuple[str, str]]:
    """The checksum of the links of each match of a corpus."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["align", "--corpus", corpus, "-o", folder, "--clock", clock, "--method", method]
        subprocess.run([sys.executable, "-m", "touchline", *map(str, command)], check=True)
        for path in sorted(Path(folder).glob("*.jsonl")):
            name = f"{corpus.name} {path.stem}, {clock}, {method}"
            yield name, hashlib.sha256(path.read_bytes()).hexdigest()
            print(name, flush=True)


if __name__ == "__main__":
    sys.exit(main())
