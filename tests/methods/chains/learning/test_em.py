"""What is learned without labels: causes of words, parts of the model, adaptation."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from touchline import Comment, Event, Match, Player, Team, make_aligner
from touchline.methods.buckets import Window
from touchline.methods.chains.data.hypotheses import prepare
from touchline.methods.chains.data.language import Language, learn_language
from touchline.methods.chains.data.mentions import mentions_of
from touchline.methods.chains.inference.posterior import infer
from touchline.methods.chains.learning.e_step import count_described
from touchline.methods.chains.learning.em import _but_for_its_clock, adapt, learn
from touchline.methods.chains.learning.word_init import Contrast, _labels, near_of
from touchline.methods.chains.model.ablation import Parts, without
from touchline.methods.chains.model.m_step import maximise, start
from touchline.methods.chains.model.scoring import score_all
from touchline.methods.chains.model.sufficient_stats import (
    LAG_BINS,
    LIVE,
    TALK,
    UNNAMED_LAG,
    Counts,
)
from touchline.methods.chains.model.word_likelihood import wordings
from touchline.text import speech

LANGUAGE = Language(vocabulary=["ball"], kinds=["?"], types=["?"], contexts=["?"])

HOME, AWAY = Team(id="h", name="Harbour"), Team(id="a", name="Abbey")
WINGER = Player(id="w", name="Ada Winger", team=HOME)
BACK = Player(id="b", name="Bo Stopper", team=AWAY)


def described_match(pairs: list[tuple[str, str]]) -> Match:
    """Every minute a cross by a named player and what came of it, and a comment on the two."""
    events, comments = [], []
    for minute, (after, text) in enumerate(pairs):
        time = 60.0 * minute + 20
        events.append(Event(id=f"p{minute}", type="Pass", period=1, time=time, player=WINGER))
        events.append(Event(id=f"x{minute}", type=after, period=1, time=time + 2, player=BACK))
        comments.append(Comment(id=minute, text=text, period=1, start=time, end=time))
    return Match(
        name="described",
        provider="test",
        events=tuple(events),
        teams=(HOME, AWAY),
        players=(WINGER, BACK),
        comments=tuple(comments),
    )


@pytest.fixture
def crosses() -> Match:
    """`thumped` is said just when a Clearance follows; `whipped` of every cross."""
    away = ("Clearance", "Ada Winger whipped it in and it was thumped upfield")
    wide = ("Miscontrol", "Ada Winger whipped it in, upfield now")
    return described_match([away, wide] * 20)


def prepared_match(match: Match):
    mentioned = mentions_of(match)
    around = [word for own in mentioned for m in own for word in m.around]
    language = learn_language([match], around)
    return language, prepare(match, language, mentioned, Window(20, 20))


def test_a_word_starts_with_the_cause_it_goes_along_with(crosses):
    language, prepared = prepared_match(crosses)
    counts = learn([prepared], language, 1)
    seen = Contrast(language)
    posterior = infer(prepared, maximise(counts, language), ordered=False)
    seen.join(near_of(prepared, posterior, language))
    causes = seen.causes()
    clearance, crossing = language.causes().index("Clearance"), language.causes().index("Pass")
    word = language.vocabulary.index("thump")
    assert causes[clearance, word] > 0.3
    assert causes[crossing, word] < 0.05
    assert causes[language.causes().index("Miscontrol"), word] < 0.05


def test_what_follows_is_described_by_its_own_words(crosses):
    aligner = make_aligner("chains", {"window": 40})
    for answer in aligner.align(crosses):
        linked = {link.id for link in answer.events}
        assert f"p{answer.comment}" in linked
        assert (f"x{answer.comment}" in linked) == (answer.comment % 2 == 0)


def test_the_logs_own_labels_are_words():
    language = Language(
        vocabulary=["ball", "block", "clear", "goal", "goalkeep", "keeper", "shot"],
        kinds=["?", "Ball Recovery", "Block", "Clearance", "Goal Keeper", "Shot|outcome=Goal"],
        types=["?", "Ball Recovery", "Block", "Clearance", "Goal Keeper", "Shot"],
        contexts=["?"],
    )
    labels = _labels(language)

    def of(kind: str) -> set[str]:
        own = np.flatnonzero(labels[language.kinds.index(kind)])
        return {language.vocabulary[word] for word in own}

    assert of("Block") == {"block"}
    assert of("Clearance") == {"clear"}
    assert of("Goal Keeper") == {"goalkeep", "keeper"}  # a goal is something else
    assert of("Shot|outcome=Goal") == set()


def test_learning_makes_the_comments_likelier(sample):
    """Rounds raise the likelihood that the model gives to what is there."""
    match = sample[0].match
    language, prepared = prepared_match(match)

    def evidence(parameters) -> float:
        scores, silent = score_all(prepared, parameters, wordings(prepared, parameters))
        return sum(
            float(
                np.logaddexp.reduce(
                    [*scores[prepared.hypotheses.start[c] : prepared.hypotheses.start[c + 1]], s]
                )
            )
            for c, s in enumerate(silent)
        )

    few, many = (maximise(learn([prepared], language, n), language) for n in (5, 10))
    beginning = start(learn([prepared], language, 0), 0.1)
    assert evidence(beginning) < evidence(few) < evidence(many)


def test_names_and_times_come_before_words(crosses):
    """In the first four rounds no event brings a word; the fifth starts from their contrast."""
    language, prepared = prepared_match(crosses)
    before, after = (learn([prepared], language, rounds).caused.sum() for rounds in (4, 5))
    assert before < 0.01 < 10 < after


def test_counts_of_matches_add_up(sample):
    language, prepared = prepared_match(sample[0].match)
    once, twice = learn([prepared], language, 1), learn([prepared, prepared], language, 1)
    for field, a, b in zip(Counts._fields, once, twice, strict=True):
        if field != "order":  # a single round does not look at it
            assert 2 * a == pytest.approx(b, rel=1e-6), field


def test_adapting_takes_the_match_in(sample):
    language, prepared = prepared_match(sample[0].match)
    learned = learn([prepared], language, 5)
    as_learned = maximise(learned, language)
    adapted = adapt(prepared, language, learned, as_learned, 2)
    assert adapt(prepared, language, learned, as_learned, 0) is as_learned
    assert not np.allclose(adapted.rate, as_learned.rate)


def test_lags_of_other_matches_weigh_no_more_than_a_few_comments(sample):
    """Each match has a clock of its own; whatever else was learned counts in full."""
    language, prepared = prepared_match(sample[0].match)
    counts = learn([prepared], language, 2)
    learned = counts._replace(lag=counts.lag * 80 / counts.lag.sum())
    less = _but_for_its_clock(learned)
    assert less.lag.sum() == pytest.approx(20)
    assert less.lag / less.lag.sum() == pytest.approx(learned.lag / learned.lag.sum())
    assert less.lag_available == pytest.approx(learned.lag_available / 4)
    assert less.heads is learned.heads
    few = learned._replace(lag=learned.lag * 10 / learned.lag.sum())
    assert _but_for_its_clock(few).lag == pytest.approx(few.lag)


# The sample is written, without mishearing, lists no candidates, and is too small for an ensemble.
ELSEWHERE = ("garbled", "laid_out", "usual_lag", "ensemble")


@pytest.mark.parametrize("part", [p for p in Parts.__struct_fields__ if p not in ELSEWHERE])
def test_each_part_can_be_left_out(sample, part, monkeypatch):
    if part in ("heard", "states"):  # only speech has them
        monkeypatch.setattr(speech, "SPOKEN_PACE", 0.0)
    match = msgspec.structs.replace(sample[0].match, comments=sample[0].match.comments[:40])
    whole = make_aligner("chains").align(match)
    less = make_aligner("chains", {"without": part}).align(match)
    shares = [[link.score for link in answer.candidates] for answer in whole]
    assert shares != [[link.score for link in answer.candidates] for answer in less]


def test_lines_need_not_be_laid_out_nor_names_heard(sample, monkeypatch):
    """Where speech is not looked at, the lines of a minute are made in its middle, names too."""
    monkeypatch.setattr(speech, "SPOKEN_PACE", 0.0)
    match = sample[0].match.with_comments(
        msgspec.structs.replace(c, start=60.0, end=120.0, anywhere=True)
        for c in sample[0].match.comments[:3]
    )

    def condensed(without: str) -> dict[str, np.ndarray]:
        return make_aligner("chains", {"without": without}).condense(match)

    assert condensed("")["comments.time"].tolist() != [90.0] * 3
    assert condensed("laid_out")["comments.time"].tolist() == [90.0] * 3
    assert set((condensed("heard")["comments.lag"] // LAG_BINS)[:, 0]) == {UNNAMED_LAG}
    assert set((condensed("")["comments.lag"] // LAG_BINS)[:, 0]) > {UNNAMED_LAG}


def test_without_an_ensemble_there_are_no_members(sample):
    matches = [one.match.with_comments(one.match.comments[:5]) for one in sample * 2]
    for part, members in (("", 6), ("ensemble", 0)):
        aligner = make_aligner("chains", {"without": part, "rounds": 1})
        aligner.fit(matches)
        assert len(aligner._learned.members) == members


def test_without_states_only_moves_of_heads_have_odds():
    order = np.random.default_rng(0).uniform(0.1, 3, (4, 3, 3, 3))
    order[:, LIVE, LIVE] = [1.2, 0.4, 0.4]
    p = start(Counts.zero(LANGUAGE), 0.2)._replace(order=order)
    found = Parts(states=False).neutral(p).order
    assert found[:, :TALK, :TALK] == pytest.approx(np.broadcast_to([0.6, 0.2, 0.2], (4, 2, 2, 3)))
    assert found[:, TALK] == pytest.approx(0.5)
    assert found[:, :, TALK] == pytest.approx(0.5)
    for parts in (Parts(order=False), Parts(order=False, states=False)):
        assert parts.neutral(p).order == pytest.approx(0.5)


def test_a_part_that_there_is_not():
    with pytest.raises(ValueError, match="no part 'luck'; the parts are names, garbled"):
        without("lag,luck")
    assert without(" lag, order") == Parts(lag=False, order=False)


def test_the_silence_of_short_lines_says_little(crosses):
    """Where a text is cut into shorter lines than usual, what a line does not say counts less."""
    language, prepared = prepared_match(crosses)
    p = maximise(learn([prepared], language, 10), language)
    usual, shorter, longer = (
        wordings(prepared, p._replace(length=n * p.length))[0] for n in (1, 4, 0.5)
    )
    assert (usual.quiet < 0).any()
    np.testing.assert_allclose(4 * shorter.quiet, usual.quiet)
    np.testing.assert_array_equal(longer.quiet, usual.quiet)
    every = slice(None)
    np.testing.assert_array_equal(shorter.present(every), usual.present(every))


def test_words_are_learned_alike_from_lines_cut_in_half(crosses):
    """Half of the words in twice as many comments: each event brings them half as often to one."""
    language, prepared = prepared_match(crosses)
    p = maximise(learn([prepared], language, 10), language)
    whole, cut = (adapted_exposure(prepared, language, p._replace(length=n * p.length))
                  for n in (1, 2))  # fmt: skip
    np.testing.assert_allclose(2 * cut, whole)


def adapted_exposure(prepared, language, p) -> np.ndarray:
    counts = Counts.zero(language)
    posterior = infer(prepared, p)
    # The same posterior for all: only what is counted matters here.
    share = np.full_like(posterior.chains, 0.01)
    count_described(prepared, p, share, posterior.none, counts, wordings(prepared, p))
    return counts.exposed
