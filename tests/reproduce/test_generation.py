"""`touchline reproduce generation` on the bundled matches, and its parts."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.generation.matches import ANN, BO, event, goal, match_of
from touchline import UsageError
from touchline.cli.reproduce import command
from touchline.core.records import Comment
from touchline.generation.style.learning import fit_style
from touchline.io.corpus.layout import LabelledMatch
from touchline.reproduce import generation
from touchline.sample import corpus_path


def test_average_precision():
    scored = [(0.9, True), (0.8, False), (0.7, True), (0.1, False)]
    assert generation.average_precision(scored) == pytest.approx((1 + 2 / 3) / 2)
    assert generation.average_precision([(0.5, False)]) == 0


def test_what_happened_before_the_first_comment_does_not_count():
    match = match_of(
        event("a", "Pass", 100.0, ANN), event("b", "Pass", 900.0, BO), goal("c", 960.0, ANN)
    )
    comments = [Comment(id=1, text="A goal.", period=1, start=950.0, end=950.0)]
    game = LabelledMatch(match=match.with_comments(comments), gold={1: frozenset("c")})
    assert generation.by_labels(game) == generation.Described(("b", "c"), frozenset("c"))


def test_a_line_for_the_events_of_a_comment():
    match = match_of(event("a", "Pass", 100.0, ANN, recipient=BO), goal("c", 960.0, ANN))
    asked = [("Archer scores!", frozenset("c"))]
    style = fit_style([])
    (line,) = generation.worded(match, asked, generation.PHRASES, style, seed=0)
    assert line.events[-1] == "c"
    assert "Archer" in line.text
    assert line.reference == "Archer scores!"


@pytest.fixture(scope="module")
def data(tmp_path_factory) -> Path:
    """A folder as TOUCHLINE_DATA is laid out, with the bundled matches for both publishers."""
    folder = tmp_path_factory.mktemp("data")
    shutil.copytree(corpus_path(), folder / "epl-2015")
    for match in (folder / "epl-2015").iterdir():
        if match.is_dir():
            shutil.copy(match / "comments.jsonl", match / "bbc.jsonl")
    return folder


def test_the_tables_of_the_bundled_matches(data, tmp_path):
    out, page = tmp_path / "found.json", tmp_path / "found.md"
    words = ["generation", "--data", str(data), "--json", str(out), "--markdown", str(page)]
    done = CliRunner().invoke(command, words)
    assert done.exit_code == 0, done.output
    found = json.loads(out.read_text())
    epl = found["epl"]
    assert found["links"] == "chains:unlabelled"
    assert 0.2 < epl["selection"]["f1"] <= 1
    assert 0.2 < epl["selection"]["ap"] <= 1
    assert epl["agreement"]["f1"] > 0.5  # both publishers are the same here
    assert epl["wording"]["our phrases"]["lines"] > 100
    assert set(epl["wording"]) == set(generation.WAYS)
    assert len({own["bleu"] for own in epl["wording"].values()}) == 3
    for match in (own for both in epl["whole"].values() for own in both.values()):
        assert match["lines"] > 40
        assert match["names_wrong"] == match["scores_wrong"] == 0
        assert match["covered"] > 0.3
    assert "Whole matches" in page.read_text(encoding="utf-8")
    assert "thin %" in done.output


def test_options_of_other_protocols_are_refused(data):
    done = CliRunner().invoke(command, ["generation", "--data", str(data), "--method", "chains"])
    assert isinstance(done.exception, UsageError)


def test_the_missing_corpus_is_named(tmp_path):
    done = CliRunner().invoke(command, ["generation", "--data", str(tmp_path)])
    assert "needs the corpus epl-2015" in str(done.exception)
