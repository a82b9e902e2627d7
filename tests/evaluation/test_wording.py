"""BLEU and ROUGE-L."""

from __future__ import annotations

import math

import pytest

from touchline.evaluation.wording import bleu, rouge_l, tokens


def test_tokens_are_in_lower_case_without_punctuation():
    assert tokens("Archer's LEFT-footed shot, 1-0!") == [
        "archer", "s", "left", "footed", "shot", "1", "0",
    ]  # fmt: skip


def test_the_same_text_scores_one():
    text = "Archer passes the ball to Reis."
    assert bleu([(text, text)]) == pytest.approx(1)
    assert rouge_l([(text, text)]) == 1


def test_bleu_by_hand():
    """Of 5 tokens all, of 4 pairs 3, of 3 triples 2, of 2 fours 1 are right; one token short."""
    ours, theirs = "a b c d x", "a b c d e f"
    precision = (4 / 5 * 3 / 4 * 2 / 3 * 1 / 2) ** 0.25
    assert bleu([(ours, theirs)]) == pytest.approx(precision * math.exp(1 - 6 / 5))


def test_a_word_counts_no_more_often_than_it_is_there():
    assert bleu([("the the the the the", "the cat sat on the mat")]) == 0
    assert rouge_l([("the the the", "the cat")]) == pytest.approx(2 / 5)


def test_bleu_is_of_the_corpus_and_rouge_a_mean():
    same, other = ("a b c d", "a b c d"), ("w x y z", "a b c d")
    assert rouge_l([same, other]) == pytest.approx(0.5)
    assert bleu([same, other]) == pytest.approx(0.5)


def test_nothing_scores_nothing():
    assert bleu([]) == rouge_l([]) == bleu([("", "a")]) == rouge_l([("", "")]) == 0
