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


def shown(explained, width: int) -> str:
    out = io.StringIO()
    show(explained, Console(file=out, width=width))
    return out.getvalue()


@pytest.mark.parametrize("width", [30, 60, 120])
def test_nothing_is_cut_off_however_narrow(chains, sample, width):
    match = sample[0].match
    alignment = chains.infer(match)
    for why in (alignment.explain(34), alignment.explain(1), chains.explain_model()):
        text = shown(why, width)
        assert max(map(len, text.splitlines())) <= width
        assert "…" not in text
    assert "kinds of events" in text
    assert "described together" in " ".join(text.split())


def test_markup_in_a_comment_stays_text(chains, small_match):
    text = "[bold]Archer[/bold] shoots [/]"
    comment = Comment(id=0, text=text, period=1, start=12, end=12)
    assert text in shown(chains.infer(small_match.with_comments([comment])).explain(0), 100)


def test_why_nothing_is_linked(chains, sample):
    match = sample[0].match
    alignment = chains.infer(match)
    silent = [answer for answer in alignment.links if not answer.events]
    unsure = next(answer for answer in silent if answer.none < 0.5)
    text = shown(alignment.explain(unsure.comment), 100)
    assert f"no candidate is above one half; probability of no event  {unsure.none:.2f}" in text
    assert "probability" in text


def test_the_papers_explanations_are_shown_too(small_match):
    aligner = make_aligner("pairrank", {"k": 1})
    aligner.fit([small_match])
    assert "rho" in shown(aligner.infer(small_match).explain("x"), 100)
    assert "pairs learned" in shown(aligner.explain_model(), 100)
