"""The ensemble: members that weigh the comments differently, and what they agree on."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from touchline import Links, Match
from touchline.io.corpus.layout import LabelledMatch
from touchline.methods.buckets import Window
from touchline.methods.chains.aligner import Chains, ChainsOptions
from touchline.methods.chains.data.hypotheses import prepare
from touchline.methods.chains.data.language import Language, learn_language
from touchline.methods.chains.data.mentions import mentions_of
from touchline.methods.chains.data.tables import MatchTables
from touchline.methods.chains.inference import ensemble as members
from touchline.methods.chains.inference.ensemble import (
    MAX_MATCHES,
    MEMBERS,
    MIN_MATCHES,
    agreed,
    members_of,
    weights,
)
from touchline.methods.chains.inference.posterior import Posterior, infer
from touchline.methods.chains.learning.em import learn
from touchline.methods.chains.model.m_step import maximise
from touchline.methods.chains.model.serialization import pack_learned, unpack_learned
from touchline.pipeline.align import at_least


def prepared_match(match: Match) -> tuple[Language, MatchTables]:
    mentioned = mentions_of(match)
    around = [word for own in mentioned for m in own for word in m.around]
    language = learn_language([match], around)
    return language, prepare(match, language, mentioned, Window(150, 150))


@pytest.mark.parametrize("matches", [MIN_MATCHES, 6, MAX_MATCHES])
def test_members_learn_from_all_matches(matches):
    assert [r.matches for r in members_of(matches)] == [list(range(matches))] * MEMBERS
    assert [r.number for r in members_of(matches)] == list(range(MEMBERS))


def test_no_ensemble_below_four_matches():
    assert [members_of(matches) for matches in range(MIN_MATCHES)] == [[]] * 4


def test_a_season_is_not_read_by_everybody():
    found = [member.matches for member in members_of(380)]
    assert found == [member.matches for member in members_of(380)]
    assert {len(set(some)) for some in found} == {MAX_MATCHES}
    assert len({tuple(some) for some in found}) == MEMBERS
    assert all(some == sorted(some) and some[-1] < 380 for some in found)


def test_weights_belong_to_a_reader_and_a_match():
    words = np.arange(6000).reshape(2000, 3)
    own = weights(1, words)
    assert np.array_equal(own, weights(1, words.copy()))
    assert not np.allclose(own, weights(2, words))
    assert not np.allclose(own, weights(1, words + 1))
    assert own.shape == (2000,)
    assert own.min() > 0


def test_weights_are_one_on_the_average():
    """Those of comments differ; that of a whole match is only what they come to."""
    every = np.array(
        [weights(member, np.full((50, 1), i)) for member in range(6) for i in range(200)]
    )
    assert every.mean() == pytest.approx(1, abs=0.03)
    assert every.std() == pytest.approx(1, abs=0.05)
    assert every.mean(axis=1).std() == pytest.approx(1 / np.sqrt(50), rel=0.15)


def test_a_line_that_was_only_written_again_weighs_nothing_for_anybody(sample):
    match = sample[0].match.with_comments(sample[0].match.comments[:10])
    again = msgspec.structs.replace(match.comments[3], repeated=True)
    comments = [*match.comments[:3], again, *match.comments[4:]]
    _, prepared = prepared_match(match.with_comments(comments))
    assert prepared.comments.weight.tolist() == [1, 1, 1, 0, 1, 1, 1, 1, 1, 1]
    own = weights(1, prepared.comments.words)
    found = prepared.weighted(own).comments.weight
    assert found == pytest.approx(np.where(np.arange(10) == 3, 0, own))


def test_scores_are_the_mean_of_all_members(monkeypatch):
    def posterior(chains: list[float], none: list[float]) -> Posterior:
        return Posterior(np.array(chains), np.array(none), np.zeros((4, 3, 3, 3)), np.zeros(2))

    whole = posterior([1.0, 0.0, 0.5], [0.0, 0.5])
    others = {"a": posterior([0.4, 0.3, 0.2], [0.3, 0.8]), "b": posterior([0.1, 0, 0.8], [0.9, 0])}
    monkeypatch.setattr(members, "_infer_member", lambda prepared, adapted, own: others[own])
    mean = agreed(None, whole, None, ["a", "b"])
    assert mean.chains == pytest.approx([0.5, 0.1, 0.5])
    assert mean.none == pytest.approx([0.4, 1.3 / 3])
    alone = agreed(None, whole, None, [])
    assert np.array_equal(alone.chains, whole.chains)


def test_a_member_takes_over_the_clock_and_nothing_else(sample):
    """Rates and words stay those of the member; the lags of comments are those of the match."""
    match = sample[0].match.with_comments(sample[0].match.comments[:30])
    language, prepared = prepared_match(match)
    adapted = maximise(learn([prepared], language, 6), language)
    own = adapted._replace(
        rate=adapted.rate[::-1].copy(),
        lag=adapted.lag[::-1].copy(),
        order=np.broadcast_to([0.1, 0.1, 0.8], (4, 3, 3, 3)),
        drift=np.linspace(0.1, 9.0, len(adapted.drift)),
    )
    whole = infer(prepared, adapted)
    clock = {name: getattr(adapted, name) for name in ("lag", "order", "drift")}
    voices = [whole, infer(prepared, own._replace(**clock))]
    found = agreed(prepared, whole, adapted, [own])
    assert found.chains == pytest.approx(np.mean([voice.chains for voice in voices], axis=0))
    assert found.none == pytest.approx(np.mean([voice.none for voice in voices], axis=0))
    for less in clock:  # each of the three makes a difference, and so do the rates
        other = infer(prepared, own._replace(**{k: v for k, v in clock.items() if k != less}))
        assert not np.allclose(other.chains, voices[1].chains, atol=1e-3)
    assert not np.allclose(whole.chains, voices[1].chains, atol=1e-3)


@pytest.fixture(scope="module")
def quarters(sample) -> list[LabelledMatch]:
    """Four small matches, enough for members: some comments of each half of the sample."""
    return [
        LabelledMatch(match=one.match.with_comments(own), gold={c.id: one.gold[c.id] for c in own})
        for one in sample
        for period in (1, 2)
        for own in [[c for c in one.match.comments if c.period == period][:25]]
    ]


@pytest.fixture(scope="module")
def read(quarters) -> dict[str, list[Links]]:
    """All four by members, and by nobody but the one who has learned from all."""
    aligner, alone = Chains(ChainsOptions(rounds=6)), Chains()
    aligner.fit([one.match for one in quarters])
    learned = unpack_learned(aligner.parameters())
    assert len(learned.members) == MEMBERS
    alone.restore(pack_learned(learned._replace(members=())))
    ways = {"members": aligner, "alone": alone}
    return {name: [own.align(one.match) for one in quarters] for name, own in ways.items()}


def test_with_an_ensemble_scores_are_less_sure_and_say_what_is_described(read):
    scores = {
        name: [link.score for some in matches for a in some for link in a.events]
        for name, matches in read.items()
    }
    assert min(map(min, scores.values())) > 0.5
    assert np.mean(scores["members"]) < np.mean(scores["alone"]) - 0.01


@pytest.mark.parametrize("least", [0.5, 0.8, 0.95])
def test_min_score_keeps_what_scores_as_much_and_changes_nothing_else(read, quarters, least):
    right = kept = 0
    for one, links in zip(quarters, read["members"], strict=True):
        for before, after in zip(links, at_least(links, least), strict=True):
            assert after.events == tuple(x for x in before.events if x.score >= least)
            assert (after.none, after.candidates) == (before.none, before.candidates)
            kept += len(after.events)
            right += sum(link.id in one.gold[after.comment] for link in after.events)
    assert right / kept >= least
