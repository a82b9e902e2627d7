"""The same bytes in any process: whatever the order of hashes and the number of threads."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
WORLDS = ((1, "0"), (4, "4242"))
# Twenty minutes of both bundled matches are learned from; a model file and links are the answer.
WORK = """
import sys
import msgspec
from touchline.methods.registry import make_aligner
from touchline.io.corpus.layout import read_corpus
from touchline.io.links.jsonl import to_lines
from touchline.sample import corpus_path

method, model = sys.argv[1:]
matches = [
    msgspec.structs.replace(
        labelled.match,
        comments=labelled.match.comments[:25],
        events=tuple(e for e in labelled.match.events if e.period == 1 and e.time < 1500),
    )
    for labelled in read_corpus(corpus_path())
]
aligner = make_aligner(method)
aligner.fit(matches)
aligner.save(model)
for match in matches:
    sys.stdout.writelines(to_lines(aligner.align(match)))
    sys.stdout.writelines(to_lines(make_aligner(method).align(match)))
"""


def outcome(method: str, threads: int, hashes: str, folder: Path) -> tuple[bytes, str]:
    """The links, and the checksum of the model, as a new process makes them."""
    model = folder / f"{method}-{hashes}.npz"
    world = {**os.environ, **dict.fromkeys(THREADS, str(threads)), "PYTHONHASHSEED": hashes}
    done = subprocess.run(
        [sys.executable, "-c", WORK, method, str(model)], env=world, capture_output=True, check=True
    )
    return done.stdout, hashlib.sha256(model.read_bytes()).hexdigest()


@pytest.mark.parametrize("method", ["chains", "pairrank"])
def test_processes_threads_and_hash_seeds_change_no_byte(method, tmp_path):
    found = [outcome(method, threads, hashes, tmp_path) for threads, hashes in WORLDS]
    assert found[0][0].count(b'"comment"') == 100
    assert len(set(found)) == 1
