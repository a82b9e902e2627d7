"""`touchline align EVENTS speech.json` on every form of speech recognition."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fuzzing.recognisers import FORMS, Said, written
from touchline import cli
from touchline.io.corpus.layout import LabelledMatch
from touchline.sample import corpus_path

# Where the periods kick off in the recording.
KICKOFFS = {1: 500.0, 2: 4100.0}
# Those whose lines are made of words: sentences, not the lines that were said.
OF_WORDS = ("segments/openai-words", "amazon", "google/v1", "google/v2", "google/operation")


@pytest.fixture(scope="module")
def events() -> Path:
    """The log of the second bundled match, whose clock has no faults."""
    return sorted(p for p in corpus_path().iterdir() if p.is_dir())[1] / "events.json.gz"


@pytest.fixture(scope="module")
def said(sample: list[LabelledMatch]) -> list[Said]:
    """The bundled live text as if it had been spoken, each comment when it was written."""
    lines = [Said(round(KICKOFFS[c.period or 1] + (c.time or 0.0), 2), c.text, 0.1)
             for c in sample[1].match.comments]  # fmt: skip
    return sorted(line for line in lines if line.start > 0)


@pytest.mark.parametrize("form", FORMS)
def test_align(form: str, said: list[Said], events: Path, tmp_path: Path, capsys) -> None:  # type: ignore[no-untyped-def]
    speech = tmp_path / "speech.json"
    speech.write_bytes(written(form, said))
    code = cli._run(["align", str(events), str(speech), "--method", "named"])
    out, err = capsys.readouterr()
    assert code == 0, err
    for period, seconds in KICKOFFS.items():
        found = next(line for line in err.splitlines() if f"period {period} kicks off at" in line)
        assert float(found.split(" kicks off at ")[1].split()[0]) == pytest.approx(seconds, abs=10)
    rows = [json.loads(line) for line in out.splitlines()]
    if form in OF_WORDS:
        assert len(rows) > len(said)  # sentence by sentence
    else:
        assert [row["comment"] for row in rows] == list(range(len(said)))
    linked = [row for row in rows if row["events"]]
    assert len(linked) > len(said) / 3


def test_align_by_the_bundled_method(
    said: list[Said], events: Path, tmp_path: Path, capsys
) -> None:  # type: ignore[no-untyped-def]
    """A whole match of Whisper, with a loop in the break, one answer for each line."""
    loop = [Said(3600.0 + 3 * i, "Thank you.") for i in range(40)]
    lines = sorted([*said, *loop])
    speech = tmp_path / "whisper.json"
    speech.write_bytes(written("segments/whisper", lines))
    code = cli._run(["align", str(events), str(speech)])
    out, err = capsys.readouterr()
    assert code == 0, err
    assert f"39 of {len(lines)} lines repeat earlier ones" in err
    assert [json.loads(line)["comment"] for line in out.splitlines()] == list(range(len(lines)))
