"""Kick-offs in recordings, found by who is named when."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import numpy as np
import pytest

from touchline import Comment, Match
from touchline.core.errors import UsageError
from touchline.core.records import Kickoff
from touchline.io.commentary import with_commentary
from touchline.io.commentary.checks import doubts, reports
from touchline.io.commentary.entries import Entry
from touchline.io.commentary.kickoffs import _Evidence, _mentions, _search
from touchline.io.corpus.layout import LabelledMatch, read_match_folder

# In the first bundled match, minutes 14 to 26 of the second half come so many seconds early.
FAULT = 26.0


def half(match: Match, period: int) -> list[Comment]:
    return [comment for comment in match.comments if comment.period == period]


@pytest.mark.parametrize("kickoff", [0.0, 731.0, 5000.0])
def test_one_recording_of_the_match(
    sample: list[LabelledMatch], tmp_path: Path, record, kickoff: float
) -> None:
    for labelled in sample:
        match = labelled.match
        truth = {1: kickoff, 2: kickoff + match.ends[1] + 900}
        path = record(tmp_path / "a.srt", list(match.comments), truth)
        timed = with_commentary(match, path)
        uncut = [kickoff for kickoff in timed.kickoffs if kickoff.since is None]
        assert [kickoff.period for kickoff in uncut] == [1, 2]
        for found in uncut:
            assert found.seconds == pytest.approx(truth[found.period], abs=12)
            assert found.sure
        assert [c.period for c in timed.comments] == [c.period for c in match.comments]
        for now, then in zip(timed.comments, match.comments, strict=True):
            assert now.start == pytest.approx(max(then.start or 0, -kickoff), abs=12 + FAULT)


def test_one_recording_a_half(sample: list[LabelledMatch], tmp_path: Path, record) -> None:
    match = sample[1].match
    truth = {1: 100.0, 2: 30.0}
    files = [record(tmp_path / f"{p}.srt", half(match, p), truth) for p in truth]
    for found in with_commentary(match, files).kickoffs:
        assert found.seconds == pytest.approx(truth[found.period], abs=12)


def test_a_clock_that_jumps_within_a_half(
    sample: list[LabelledMatch], tmp_path: Path, record
) -> None:
    match = sample[0].match
    path = record(tmp_path / "a.srt", half(match, 2), {2: 100.0})
    before, early, after = with_commentary(match, [path, path]).kickoffs[-3:]
    assert before.seconds == pytest.approx(100, abs=12)
    assert early.seconds == pytest.approx(before.seconds - FAULT, abs=4)
    assert after.seconds == pytest.approx(before.seconds, abs=4)
    assert before.since is None
    # Where the clock was changed is known to a minute or two, as few comments show it.
    assert early.since == pytest.approx(100 + 14 * 60, abs=300)
    assert after.since == pytest.approx(100 + 26.5 * 60, abs=120)


def test_a_loop_names_nobody_again(small_match: Match) -> None:
    """Recognisers get stuck on names as well; that must not look like a player on the ball."""
    said = Entry(text="Ann Archer", time=10.0, end=12.0, spoken=((0, 10.5), (4, 11.5)))
    again = msgspec.structs.replace(said, time=20.0, end=21.0, spoken=(), repeated=True)
    (mention,) = _mentions(small_match, [said, again])
    assert (mention.time, mention.player) == (10.5, "1")


def test_an_unsure_cut_is_suspected_and_not_applied(
    sample: list[LabelledMatch], tmp_path: Path, record
) -> None:
    """The few comments of the last minutes, 40 s later than the others, are too few."""
    match = sample[0].match
    said = [
        msgspec.structs.replace(c, start=c.start + 40, end=c.end + 40)
        if (c.start or 0) > 40 * 60
        else c
        for c in half(match, 2)
    ]
    path = record(tmp_path / "a.srt", said, {2: 100.0})
    timed = with_commentary(match, [path, path])
    *_, last, suspected = timed.kickoffs
    assert not suspected.applied
    assert not suspected.sure
    assert last.seconds == pytest.approx(100, abs=12)
    late = [(was, now) for was, now in zip(said, half(timed, 2), strict=True)
            if (was.start or 0) > 40 * 60]  # fmt: skip
    for was, now in late:
        assert now.start == pytest.approx((was.time or 0) + 100 - last.seconds, abs=0.01)
    (doubt,) = (one for one in doubts(timed) if "suspected" in one)
    assert doubt == (
        "a suspected cut in the recording is not applied: from 2520 s on, period 2 may kick "
        "off at 145 s, estimated from the names with certainty 0.79; if it does, give --kickoff "
        "2=104 --kickoff 2=79@900 --kickoff 2=104@1680 --kickoff 2=145@2520"
    )
    assert not any("suspected" in one or "145" in one for one in reports(timed))
    applied = with_commentary(
        match,
        [path, path],
        kickoffs=[
            Kickoff(period=2, seconds=145, since=2520),
            Kickoff(period=2, seconds=104),
        ],
    )
    assert half(applied, 2)[-1].kickoff == 145
    assert half(applied, 2)[0].kickoff == 104


def test_how_a_suspected_cut_is_given() -> None:
    suspected = Kickoff(period=2, seconds=-5, certainty=0.6, until=601.0, applied=False)
    kickoffs = [
        Kickoff(period=1, seconds=-3, certainty=1.0),
        Kickoff(period=2, seconds=69, certainty=1.0),
        Kickoff(period=2, seconds=90, certainty=0.9, since=2041.0),
    ]
    match = Match(name="m", provider="t", events=(), kickoffs=(*kickoffs, suspected))
    (doubt,) = doubts(match)
    assert "from 0 s to 601 s, period 2 may kick off at -5 s" in doubt
    assert doubt.endswith("give --kickoff 2=-5 --kickoff 2=69@601 --kickoff 2=90@2041")
    middle = msgspec.structs.replace(suspected, since=500.0)
    (doubt,) = doubts(msgspec.structs.replace(match, kickoffs=(*kickoffs, middle)))
    assert doubt.endswith(
        "give --kickoff 2=69 --kickoff 2=-5@500 --kickoff 2=69@601 --kickoff 2=90@2041"
    )


@pytest.mark.data
def test_real_speech_that_misses_its_first_minutes(data: Path, tmp_path: Path) -> None:
    folders = sorted(path.parent for path in (data / "tv-2015").glob("*/comments.jsonl"))
    assert len(folders) == 8
    for folder in folders:
        log = read_match_folder(folder).match
        said = [c for c in half(log, 2) if (c.start or 0) >= 300]
        segments = {str(i): [c.start - 300, c.end - 300, c.text] for i, c in enumerate(said)}
        path, none = tmp_path / "2.json", tmp_path / "1.json"
        path.write_text(json.dumps({"segments": segments}))
        none.write_text(json.dumps({"segments": {"0": [0.0, 1.0, "hello"]}}))
        timed = with_commentary(log, [none, path])
        for now, then in zip(half(timed, 2), said, strict=True):
            assert now.start == pytest.approx(then.start, abs=8), folder.name


def test_a_recording_of_the_first_half_alone(
    sample: list[LabelledMatch], tmp_path: Path, record
) -> None:
    match = sample[0].match
    for kickoff in (0.0, 100.0):
        path = record(tmp_path / "a.srt", half(match, 1), {1: kickoff})
        timed = with_commentary(match, path)
        assert [k.period for k in timed.kickoffs] == [1]
        assert timed.kickoffs[0].seconds == pytest.approx(kickoff, abs=12)
        assert {c.period for c in timed.comments} == {1}


@pytest.mark.parametrize("given", [{}, {2: 100.0}])
def test_a_recording_of_the_second_half_alone(
    sample: list[LabelledMatch], tmp_path: Path, record, given: dict[int, float]
) -> None:
    for labelled in sample:
        match = labelled.match
        path = record(tmp_path / "a.srt", half(match, 2), {2: 100.0})
        timed = with_commentary(match, path, kickoffs=given)
        assert {k.period for k in timed.kickoffs} == {2}
        assert timed.kickoffs[0].seconds == pytest.approx(100, abs=12)
        assert {c.period for c in timed.comments} == {2}


def test_kick_offs_of_one_recording_follow_each_other(
    sample: list[LabelledMatch], tmp_path: Path, record
) -> None:
    match = sample[0].match
    path = record(tmp_path / "a.srt", list(match.comments), {1: 0.0, 2: 3600.0})
    with pytest.raises(
        UsageError, match="period 2 kicks off before period 1 in the same recording"
    ):
        with_commentary(match, path, kickoffs={1: 600.0, 2: 500.0})


def test_no_period_of_one_recording_starts_before_the_last_has_ended() -> None:
    """By itself the second period fits best at 2, which lies in the first, from 4 to 6."""
    first, second = np.zeros(10, np.float32), np.zeros(10, np.float32)
    first[4], second[2], second[8] = 3, 10, 5
    evidence = [_Evidence(period, 3, np.zeros(1), np.zeros((1, 10))) for period in (1, 2)]
    assert _search([first, second], evidence, apart=False) == [4, 8]
    assert _search([first, second], evidence, apart=True) == [4, 2]


def test_a_given_kick_off_is_taken_and_helps_the_other(
    sample: list[LabelledMatch], tmp_path: Path, record
) -> None:
    match = sample[1].match
    truth = {1: 600.0, 2: 600 + match.ends[1] + 900}
    path = record(tmp_path / "a.srt", list(match.comments), truth)
    first, second = with_commentary(match, path, kickoffs={1: 600.5}).kickoffs
    assert first == Kickoff(period=1, seconds=600.5)
    assert first.given
    assert second.seconds == pytest.approx(truth[2], abs=12)
    assert list(with_commentary(match, path, kickoffs={1: 600.5, 2: truth[2]}).kickoffs) == [
        first,
        Kickoff(period=2, seconds=truth[2]),
    ]


def test_names_at_random_are_not_sure(sample: list[LabelledMatch], tmp_path: Path, record) -> None:
    match = sample[0].match
    said = half(match, 1)
    times = sorted((c.time or 0) for c in said)
    shuffled = sorted(said, key=lambda comment: comment.text[::-1])
    mixed = [
        Comment(id=c.id, text=c.text, period=1, start=t, end=t)
        for c, t in zip(shuffled, times, strict=True)
    ]
    timed = with_commentary(match, record(tmp_path / "a.srt", mixed, {1: 0.0}))
    assert not timed.kickoffs[0].sure
    doubt = next(iter(doubts(timed)))
    assert "which is uncertain; if it is wrong, give --kickoff 1=SECONDS" in doubt
    assert not list(reports(timed))


def test_without_names_a_recording_starts_with_the_kick_off(
    sample: list[LabelledMatch], tmp_path: Path, record
) -> None:
    path = tmp_path / "a.srt"
    path.write_text("00:10,0 --> 00:12,0\nwhat a lovely day\n")
    timed = with_commentary(sample[0].match, path)
    assert timed.kickoffs == (Kickoff(period=1, seconds=0.0, certainty=0.0),)
    assert timed.comments[0].start == 10


def test_a_recording_in_a_corpus(sample_folder: Path, tmp_path: Path, record) -> None:
    for name in ("events.json.gz", "lineups.json"):
        (tmp_path / name).write_bytes((sample_folder / name).read_bytes())
    match = read_match_folder(sample_folder).match
    record(tmp_path / "comments.srt", list(match.comments), {1: 300.0, 2: 4000.0})
    again = read_match_folder(tmp_path, clock="minute").match
    assert {round(k.seconds, -2) for k in again.kickoffs} == {300, 4000}
    assert all(c.start is not None and c.start % 60 == 0 for c in again.comments)


def test_times_of_the_day_are_doubted(small_match: Match, tmp_path: Path) -> None:
    page = tmp_path / "page.txt"
    day = [f"{20 + n // 60}:{n % 60:02} Something happens." for n in range(3, 115, 2)]
    page.write_text("\n".join(day))
    (doubt,) = (one for one in doubts(with_commentary(small_match, page)) if "day" in one)
    assert doubt.startswith("all comments lie within a few minutes of the match")


def test_doubts(small_match: Match) -> None:
    late = "1 of 4 comments are timed after the log's end and get no event"
    assert list(doubts(small_match)) == [late]
    lost = [Comment(id=i, text="x") for i in range(3)]
    assert list(doubts(small_match.with_comments(lost))) == [
        "3 of 3 comments have no clock; they are linked by their words only"
    ]


@pytest.mark.data
def test_real_radio(data: Path, tmp_path: Path, record) -> None:
    folders = sorted(path.parent for path in (data / "radio-2018").glob("*/comments.jsonl"))
    assert len(folders) == 5
    for folder in folders:
        match = read_match_folder(folder).match
        truth = {1: 600.0, 2: 600 + match.ends[1] + 900}
        path = record(tmp_path / "a.srt", list(match.comments), truth)
        for found in with_commentary(match, path).kickoffs:
            assert found.seconds == pytest.approx(truth[found.period], abs=8), folder.name
            assert found.sure
