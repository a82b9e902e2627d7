"""Explanations agree with the model: parts with scores, shares with causes, events with links."""

from __future__ import annotations

import json

import msgspec
import numpy as np
import pytest

from touchline import Comment, Match, UsageError
from touchline.methods.chains.aligner import Chains
from touchline.methods.chains.explain.evidence import NO_EVENT, parts_of, word_shares
from touchline.methods.chains.explain.model_summary import NAMED
from touchline.methods.chains.inference.posterior import infer
from touchline.methods.chains.model.scoring import score_all, score_parts
from touchline.methods.chains.model.word_likelihood import wordings
from touchline.methods.explanation import Line
from touchline.methods.registry import make_aligner


@pytest.fixture(scope="module")
def match(sample) -> Match:
    """The first half hour of a match, with a garbled name and a comment that no event is near."""
    whole = sample[0].match
    events = tuple(e for e in whole.events if e.period == 1 and e.time < 1800)
    comments = [c for c in whole.comments[:40] if c.period == 1]
    text = next(c for c in comments if "Courtaud" in c.text)
    garbled = msgspec.structs.replace(text, text=text.text.replace("Courtaud", "Kourtaut"))
    comments[comments.index(text)] = garbled
    comments.append(Comment(id="late", text="Late.", period=1, start=9e5, end=9e5))
    return msgspec.structs.replace(whole, events=events, comments=tuple(comments))


@pytest.fixture(scope="module")
def chains(match) -> Chains:
    aligner = make_aligner("chains")
    aligner.fit([match])
    assert isinstance(aligner, Chains)
    return aligner


@pytest.fixture(scope="module")
def explained(chains, match) -> list[dict]:
    alignment = chains.infer(match)
    return [alignment.explain(comment.id).to_json() for comment in match.comments]


def test_parts_add_up_to_the_score(chains, match):
    _, _, prepared, parameters, *_ = chains.infer(match)._evidence
    scores, silent = score_all(prepared, parameters, wordings(prepared, parameters))
    every = score_parts(prepared, parameters, wordings(prepared, parameters))
    sizes = set()
    for c in range(len(match.comments)):
        nothing = parts_of(every, parameters, c, NO_EVENT)
        assert sum(nothing.values()) == pytest.approx(silent[c], rel=1e-12)
        for h in range(prepared.hypotheses.start[c], prepared.hypotheses.start[c + 1], 11):
            parts = parts_of(every, parameters, c, h)
            assert list(parts) == list(nothing)
            assert sum(parts.values()) == pytest.approx(scores[h], rel=1e-11, abs=1e-11)
            sizes.add(int((prepared.hypotheses.events[h] >= 0).sum()))
    assert sizes >= {1, 2, 3, 4}


def test_words_are_shared_out_by_how_likely_each_event_brings_them(chains, match):
    _, language, prepared, parameters, *_ = chains.infer(match)._evidence
    values = {name: i for i, name in enumerate(language.arguments, len(language.kinds))}
    c = next(i for i, comment in enumerate(match.comments) if "SAVE!" in comment.text)
    singles = prepared.hypotheses.events[
        prepared.hypotheses.start[c] : prepared.hypotheses.start[c] + 3, 0
    ].tolist()
    shares = word_shares(prepared, parameters, c, singles)
    assert shares.shape == (4, (prepared.comments.words[c] >= 0).sum())
    assert shares.sum(axis=0) == pytest.approx(1)
    kinds = {kind: i for i, kind in enumerate(language.kinds)}
    for column, word in enumerate(w for w in prepared.comments.words[c].tolist() if w >= 0):
        likely = []
        for event in singles:
            causes = {kinds[match.linkable[event].type], int(prepared.events.kind[event])}
            arguments = match.linkable[event].arguments.items()
            causes |= {values[n] for k, v in arguments if (n := f"{k}={v}") in values}
            if prepared.events.actor[event] not in prepared.comments.mentions[c]:
                causes.add(language.unnamed + int(prepared.events.type[event]))
            missing = np.prod([1 - parameters.cause[f, word] for f in causes])
            likely.append(1 - missing)
        likely.append(parameters.background[word])
        assert shares[:, column] == pytest.approx(np.array(likely) / sum(likely))
    assert (word_shares(prepared, parameters, c, []) == 1).all()


def test_shares_of_a_word_in_the_text_add_up_to_one(explained):
    brought = 0
    for why in explained:
        total: dict[tuple[int, int], float] = {}
        for words in [*(event["words"] for event in why["events"]), why["by_itself"]]:
            for word in words:
                assert why["text"][word["start"] : word["end"]] == word["word"]
                assert word["word"].lower().startswith(word["stem"][:2])
                span = word["start"], word["end"]
                total[span] = total.get(span, 0) + word["share"]
        assert all(share == pytest.approx(1, abs=1e-3) for share in total.values())
        brought += sum(len(event["words"]) for event in why["events"])
    assert brought > 20


def test_names_speak_for_the_events_of_their_players(explained, match):
    garbled = []
    for why in explained:
        for event in why["events"]:
            linked = match.event_by_id[event["id"]]
            people = {p.label for p in (linked.player, *(o.player for o in linked.others)) if p}
            for name in event["names"]:
                assert why["text"][name["start"] : name["end"]] == name["text"]
                assert name["player"] in people
                garbled += [(name["text"], name["player"])] if name["garbled"] else []
        spoken = {name["start"] for event in why["events"] for name in event["names"]}
        assert not spoken & {name["start"] for name in why["unexplained"]}
    assert set(garbled) == {("Kourtaut", "Émilien Courtaud")}
    assert any(why["unexplained"] for why in explained)


def test_names_that_take_no_part_are_not_spoken_of(match):
    aligner = make_aligner("chains", {"without": "names"})
    aligner.fit([match])
    alignment = aligner.infer(match)
    for comment in match.comments[:10]:
        why = alignment.explain(comment.id).to_json()
        assert why["unexplained"] == []
        assert all(event["names"] == [] for event in why["events"])


def test_events_and_probabilities_are_those_of_the_links(explained, chains, match):
    for why, answer in zip(explained, chains.align(match), strict=True):
        assert [(e["id"], e["score"]) for e in why["events"]] == [
            (link.id, link.score) for link in answer.events
        ]
        assert (why["comment"], why["none"]) == (answer.comment, answer.none)
        assert why["no_event"]["score"] == pytest.approx(answer.none, abs=1e-6)
        assert why["order"]["together"] == why["best"]["score"]


def test_the_runner_up_is_the_best_that_begins_with_another_head(explained, chains, match):
    _, _, prepared, parameters, *_ = chains.infer(match)._evidence
    posterior = infer(prepared, parameters)
    heads = prepared.hypotheses.events[
        np.arange(len(prepared.hypotheses.head)), prepared.hypotheses.head
    ]
    for c, why in enumerate(explained):
        own = slice(prepared.hypotheses.start[c], prepared.hypotheses.start[c + 1])
        likely = {-1: posterior.none[c]}  # the most probable hypothesis of each head
        for head, share in zip(heads[own].tolist(), posterior.chains[own], strict=True):
            likely[head] = max(share, likely.get(head, 0))
        best, *rest = sorted(likely.values(), reverse=True)
        assert why["best"]["score"] == pytest.approx(best, abs=1e-6)
        assert (why["runner_up"] is None) == (not rest)
        if rest:
            assert why["runner_up"]["score"] == pytest.approx(rest[0], abs=1e-6)
            assert why["runner_up"]["events"] != why["best"]["events"]
    assert {bool(why["best"]["events"]) for why in explained} == {True, False}


def test_a_comment_without_events_near_it_can_tell_none(explained):
    why = explained[-1]
    assert (why["events"], why["best"]["events"], why["runner_up"]) == ([], [], None)
    assert why["no_event"]["score"] == 1


def test_what_the_speaker_is_doing_is_read_off_the_heads(explained, chains, match):
    _, _, prepared, _, posterior, *_ = chains.infer(match)._evidence
    hypotheses = prepared.hypotheses
    seen = set()
    for c, why in enumerate(explained):
        expected = {"live": 0.0, "looking back": 0.0, "talk": posterior.none[c]}
        for h in range(hypotheses.start[c], hypotheses.start[c + 1]):
            head = prepared.events.time[hypotheses.events[h, hypotheses.head[h]]]
            late = match.comments[c].time - head > 10
            expected["looking back" if late else "live"] += posterior.chains[h]
        assert why["speaker"] == pytest.approx(expected, abs=1e-4)
        assert sum(why["speaker"].values()) == pytest.approx(1, abs=3e-4)
        seen.add(max(expected, key=expected.__getitem__))
    assert seen >= {"live", "talk"}


def test_who_looks_back_at_what_is_said(chains, match):
    found = chains.infer(match)
    why = next(e for c in match.comments if len((e := found.explain(c.id)).best.events) > 1)
    back = {"live": 0.4, "looking back": 0.6, "talk": 0.0}
    looking = msgspec.structs.replace(why, speaker=back)
    at = "looks back at " + " + ".join(why.best.describe)
    assert (looking.looks_back(), why.looks_back()) == (at, "")
    assert ("Speaker", at) in list(looking.notes())
    assert "Speaker" not in dict(why.notes())
    lines = [block.text for block in looking.blocks() if isinstance(block, Line)]
    assert lines[-2:] == ["speaker: live 0.40, looking back 0.60, talk 0.00", at]
    unsure = msgspec.structs.replace(why, speaker={**back, "looking back": 0.5})
    assert unsure.looks_back() == ""
    empty = msgspec.structs.replace(looking.best, events=[], describe=[])
    assert msgspec.structs.replace(looking, best=empty).looks_back() == ""


def test_names_have_the_second_at_which_they_are_said(chains, match):
    """By the words before them, and by the log's clock, however late the comments are."""
    late = match.with_comments(
        msgspec.structs.replace(c, start=c.start + 120, end=c.start + 130)
        for c in match.comments[:-1]
    )
    found = chains.infer(late)
    apart = []
    for comment in late.comments:
        why = found.explain(comment.id)
        for event in why.events:
            for name in event.names:
                share = len(comment.text[: name.start].split()) / len(comment.text.split())
                moved = comment.start + 10 * share - name.second
                apart.append(name.second - match.event_by_id[event.id].time)
                assert 90 < moved < 160
    assert len(apart) > 10
    assert abs(np.median(apart)) < 10


def test_a_name_without_a_time_has_no_second(chains, small_match):
    comment = Comment(id=0, text="Archer finds Reis.")
    why = chains.infer(small_match.with_comments([comment])).explain(0).to_json()
    named = [name for e in why["events"] for name in e["names"]] + why["unexplained"]
    assert {name["text"] for name in named} == {"Archer", "Reis"}
    assert not any("second" in name for name in named)
    timed = msgspec.structs.replace(comment, period=1, start=12.0, end=12.0)
    why = chains.infer(small_match.with_comments([timed])).explain(0).to_json()
    named = [name for e in why["events"] for name in e["names"]] + why["unexplained"]
    assert all(isinstance(name["second"], float) for name in named)


@pytest.mark.parametrize(
    "comment",
    [
        Comment(id=0, text=""),
        Comment(id=0, text="Ñandú 🙂 ‏عربي <b>", period=1, start=10, end=10),
        Comment(id=0, text="word", candidates=()),
    ],
)
def test_whatever_a_match_holds_is_explained(chains, small_match, comment):
    why = chains.infer(small_match.with_comments([comment])).explain(0).to_json()
    assert json.loads(json.dumps(why)) == why


def test_another_match_or_model_gets_its_own_explanation(chains, match, small_match):
    assert chains.infer(small_match).explain("x").text == "Foul by Archer!"
    assert chains.infer(match).explain(4).text == match.comments[4].text
    aligner = make_aligner("chains", {"rounds": 2})
    aligner.fit([small_match])
    before = aligner.infer(match).explain(4)
    aligner.fit([match])
    assert aligner.infer(match).explain(4) != before
    with pytest.raises(UsageError, match="no comment 'y' in small"):
        aligner.infer(small_match).explain("y")


def test_the_overview_counts_what_the_model_expects_to_be_described(sample):
    matches = [labelled.match for labelled in sample]
    aligner = make_aligner("chains")
    aligner.fit(matches)
    learned = aligner.explain_model().to_json()
    assert json.loads(json.dumps(learned)) == learned
    counts = aligner._learned.counts
    kinds = learned["kinds"]
    assert sum(kind["described"] for kind in kinds) == pytest.approx(counts.heads.sum(), abs=0.5)
    in_all = [kind["described"] + kind["in_groups"] for kind in kinds]
    language = aligner._learned.language
    # Of the causes of a described event exactly one is a plain type.
    plain = [counts.described[i] for i, kind in enumerate(language.kinds) if "|" not in kind]
    assert sum(in_all) == pytest.approx(sum(plain), abs=0.5)
    assert in_all == sorted(in_all, reverse=True)
    words = {kind["kind"]: [word["stem"] for word in kind["words"]] for kind in kinds}
    assert words["Pass|set_piece=Corner"][0] == "corner"
    assert "flag" in words["Offside"]
    often = [step["often"] for step in learned["extensions"]]
    assert often == sorted(often, reverse=True)
    assert {step["direction"] for step in learned["extensions"]} == {"after", "before"}
    assert sum(learned["order"].values()) == pytest.approx(1, abs=1e-3)
    assert -5 < learned["lag"]["median"] < 15  # the bundled comments are made soon after


def test_the_overview_has_lags_by_who_is_named_and_what_the_speaker_does(sample):
    aligner = make_aligner("chains", {"rounds": 4})
    aligner.fit([sample[0].match])
    learned, counts = aligner.explain_model().to_json(), aligner._learned.counts
    for row, named in enumerate(NAMED):
        own = [bin_ for bin_ in learned["lag"]["bins"] if bin_["named"] == named]
        assert len(own) == np.count_nonzero(counts.lag_available)
        assert sum(b["described"] for b in own) == pytest.approx(counts.lag[row].sum(), abs=0.5)
    steps = counts.order.sum(axis=(0, 3))
    assert list(learned["speaker"]) == ["live", "looking back", "talk"]
    for state, own in enumerate(learned["speaker"].values()):
        assert own["share"] == pytest.approx(steps[:, state].sum() / steps.sum(), abs=1e-4)
        assert own["stays"] == pytest.approx(steps[state, state] / steps[state].sum(), abs=1e-4)


def test_there_is_no_overview_of_nothing():
    with pytest.raises(UsageError, match="learned nothing"):
        make_aligner("chains").explain_model()
