"""Explanations on the screen."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from touchline import Comment
from touchline.cli.explained import show
from touchline.methods.registry import make_aligner


@pytest.fixture(scope="module")
def chains(sample):
    aligner = make_aligner("chains")
    aligner.fit([labelled.match for labelled in sample])
    return aligner


def shown(explained: dict, width: int) -> str:
    out = io.StringIO()
    show(explained, Console(file=out, width=width))
    return out.getvalue()


@pytest.mark.parametrize("width", [30, 60, 120])
def test_nothing_is_cut_off_however_narrow(chains, sample, width):
    match = sample[0].match
    for why in (chains.explain(match, 34), chains.explain(match, 1), chains.explain_model()):
        text = shown(why, width)
        assert max(map(len, text.splitlines())) <= width
        assert "…" not in text
    assert "kinds of events" in text
    assert "told together" in " ".join(text.split())


def test_markup_in_a_comment_stays_text(chains, small_match):
    text = "[bold]Archer[/bold] shoots [/]"
    comment = Comment(id=0, text=text, period=1, start=12, end=12)
    assert text in shown(chains.explain(small_match.with_comments([comment]), 0), 100)


def test_why_nothing_is_told(chains, sample):
    match = sample[0].match
    silent = [answer for answer in chains.align(match) if not answer.events]
    unsure = next(answer for answer in silent if answer.none < 0.5)
    text = shown(chains.explain(match, unsure.comment), 100)
    assert f"no event is more probable than a half; none at all  {unsure.none:.2f}" in text
    assert "probability" in text


def test_the_papers_explanations_are_shown_too(small_match):
    aligner = make_aligner("pairrank", {"k": 1})
    aligner.fit([small_match])
    assert "rho" in shown(aligner.explain(small_match, "x"), 100)
    assert "pairs learned" in shown(aligner.explain_model(), 100)
