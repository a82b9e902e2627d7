"""IBM Model 1, mention rates, symbols: worked out by hand or against plain loops."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from touchline import Comment, Event, Match, make_aligner
from touchline.methods.buckets import Window
from touchline.methods.prior_work import bordes2010
from touchline.methods.prior_work._kernels import rank_labels
from touchline.methods.prior_work.candidates import best_of_each, gather, softmax
from touchline.methods.prior_work.chen.translation import (
    empty_dictionary,
    in_numbers,
    mention_rates,
    score,
    train,
)
from touchline.methods.prior_work.symbols import event_symbols, ngrams, sentences


@pytest.fixture
def spoken() -> Match:
    """Three events; comments list what they may describe."""
    events = tuple(
        Event(id=str(i), type=kind, period=1, time=float(i))
        for i, kind in enumerate(["pass", "shot", "foul", "noise", "noise"])
    )
    texts = [("gives it", "0 3"), ("gives it", "0 1"), ("fires it", "1 2"), ("hacks it", "2 4")]
    comments = tuple(
        Comment(id=i, text=text, period=1, start=9, end=9, candidates=tuple(listed.split()))
        for i, (text, listed) in enumerate(texts)
    )
    return Match(name="m", provider="test", events=events, comments=comments)


def test_sentences_have_one_symbol_for_a_player(small_match):
    assert sentences(small_match)[0] == ["@1", "finds", "@2", "who", "shoots"]
    assert event_symbols(small_match.events[1]) == ["type=Shot", "outcome=Saved", "player=@2"]
    assert event_symbols(small_match.events[0])[-1] == "other=@2"


def test_ngrams_are_distinct_runs():
    assert ngrams(["a", "b", "a"], 2) == ["a", "b", "a b", "b a"]
    assert ngrams([], 3) == []


def test_model_1_is_that_of_plain_loops(spoken):
    candidates = gather([spoken], Window())
    dictionary = empty_dictionary(candidates, 1)
    text = in_numbers(candidates, dictionary)
    weight = np.array([1.0, 0.5, 0, 1, 1, 1, 2, 1])
    trained = train(candidates, text, weight, dictionary)

    words, symbols = dictionary.words, dictionary.symbols
    table = {(s, w): 1 / len(words) for s in [*symbols, ""] for w in words}
    pairs = [
        (candidates.said[s], event_symbols(candidates.events[e]))
        for s, e in zip(candidates.sentence, candidates.event, strict=True)
    ]
    for _ in range(5):
        counts = dict.fromkeys(table, 0.01)
        for (said, made), much in zip(pairs, weight, strict=True):
            for w in said:
                total = sum(table[s, w] for s in [*made, ""])
                for s in [*made, ""]:
                    counts[s, w] += much * table[s, w] / total
        sums = {s: sum(counts[s, w] for w in words) for s in [*symbols, ""]}
        table = {(s, w): counts[s, w] / sums[s] for s, w in table}
    for i, s in enumerate([*symbols, ""]):
        assert trained.to_words[i] == pytest.approx([table[s, w] for w in words])

    scores = score(candidates, text, trained)
    said, made = pairs[0]
    there = sum(np.log(sum(table[s, w] for s in [*made, ""]) / (len(made) + 1)) for w in said)
    back = np.log(
        sum(trained.to_symbols[j, symbols.index(made[0])] for j in [*map(words.index, said), -1])
        / (len(said) + 1)
    )
    assert scores[0] == pytest.approx(there + back)


def test_mention_rates_go_to_what_is_always_there(spoken):
    candidates = gather([spoken], Window())
    types = ["foul", "noise", "pass", "shot"]
    first = dict(zip(types, mention_rates(candidates, types, rounds=1), strict=True))
    assert first == pytest.approx({"pass": 1.0, "shot": 1.0, "foul": 1.0, "noise": 0.5})
    later = dict(zip(types, mention_rates(candidates, types), strict=True))
    assert later["noise"] < 0.05 < later["pass"]


def test_the_best_pair_is_the_first_of_equals():
    match = Match(name="m", provider="test", events=())
    candidates = gather([match], Window())
    assert best_of_each(candidates, np.zeros(0)).tolist() == []
    assert softmax(np.array([1.0, 1.0])) == pytest.approx([0.5, 0.5])


@pytest.mark.parametrize("method", ["chen2008", "chen2010", "bordes2010:always"])
def test_repeated_words_pick_the_event_that_repeats_with_them(spoken, method):
    """`gives` goes with the pass in both of its buckets."""
    links = make_aligner(method).align(spoken)
    assert [[link.id for link in answer.events] for answer in links][:2] == [["0"], ["0"]]


def test_rates_decide_where_words_do_not(spoken):
    """chen2010 knows that noise is hardly ever described; the words of the last comment are new."""
    aligner = make_aligner("chen2010")
    aligner.fit([spoken])
    new = spoken.with_comments(
        [msgspec.structs.replace(spoken.comments[3], text="never heard before")]
    )
    assert [link.id for link in aligner.align(new)[0].events] == ["2"]


def test_silence_is_the_share_of_buckets_that_fit_as_well(spoken):
    always = make_aligner("bordes2010:always").align(spoken)
    assert all(answer.none == 0 and answer.events for answer in always)
    shares = [answer.none for answer in make_aligner("bordes2010").align(spoken)]
    assert 0 < min(shares) < max(shares)  # no comment's own bucket is out of the others' reach
    for silence in (min(shares), max(shares), 0.5):
        answers = make_aligner("bordes2010", {"silence": silence}).align(spoken)
        assert [bool(answer.events) for answer in answers] == [s < silence for s in shares]


def test_weights_are_the_mean_of_all_epochs(spoken, monkeypatch):
    """Learning that does nothing but count its epochs ends at 1, 2, 3 after them."""

    def count(*arguments):
        arguments[-2][:] += 1.0

    monkeypatch.setattr(bordes2010, "rank_labels", count)
    aligner = make_aligner("bordes2010", {"epochs": 3, "min_count": 1})
    aligner.fit([spoken])
    assert np.unique(aligner.parameters()["weights"]) == pytest.approx([2.0])


def test_steps_of_label_ranking_grow_smaller():
    """The step after the third draw is that of a fourth, 1 / sqrt(4)."""
    weights = np.zeros((1, 2), dtype=np.float32)
    one = np.array([0]), np.array([0, 1])
    events = np.array([0, 1]), np.array([0, 1, 2])
    rank_labels(np.array([0]), np.array([0]), np.array([1]), *one, *events, weights, 4)
    assert weights.tolist() == [[0.5, -0.5]]
