"""The clock of a commentary: from invented heads, and from a real reading of a distorted sample."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
import numpy as np
import pytest

from touchline import Comment, Match
from touchline.methods.chains.aligner import Chains
from touchline.methods.chains.data.tables import (
    Candidates,
    Comments,
    Events,
    Hypotheses,
    MatchTables,
)
from touchline.methods.chains.inference.clock import (
    LAG_BIN,
    Clock,
    creeping,
    creeps,
    infer_clock,
    moved_by,
    set_right,
)
from touchline.methods.chains.inference.posterior import Posterior
from touchline.methods.chains.model.sufficient_stats import (
    ACTOR_LAG,
    DRIFT_BINS,
    LAG_BINS,
    UNNAMED_LAG,
    lag_bin,
)

WIDE = 60.0  # a minute


def blank(table):
    """A table without rows."""
    return table(*(np.zeros(0) for _ in table._fields))


def clock_of(
    heads: Sequence[float | None],
    *,
    width: float = 0.0,
    untimed: Sequence[int] = (),
    halves: Sequence[int] | None = None,
) -> Clock:
    """The clock of comments that surely describe an event some seconds earlier, or nothing."""
    comments = tuple(
        Comment(id=c, text="")
        if c in untimed
        else Comment(id=c, text="", period=1, start=60.0 * c - width / 2, end=60.0 * c + width / 2)
        for c in range(len(heads))
    )
    happened = [60.0 * c - lag for c, lag in enumerate(heads) if lag is not None]
    events = np.arange(len(happened))
    tables = MatchTables(
        blank(Events)._replace(time=np.array(happened)),
        blank(Comments)._replace(
            time=np.array([np.nan if c.time is None else c.time for c in comments]),
            period=np.array(halves or [1] * len(heads)),
        ),
        blank(Candidates),
        blank(Hypotheses)._replace(
            start=np.cumsum([0, *(lag is not None for lag in heads)]),
            events=events[:, None],
            head=np.zeros_like(events),
        ),
        unnamed=0,
        spoken=False,
    )
    none = np.array([float(lag is None) for lag in heads])
    posterior = Posterior(np.ones(len(events)), none, np.zeros((3, 3, 3)), np.zeros(DRIFT_BINS))
    return infer_clock(comments, tables, posterior)


def test_a_clock_that_is_right_is_left_alone():
    clock = clock_of([2.0] * 10)
    assert np.abs(clock.lag - 2.0).max() < LAG_BIN
    assert clock.farthest() < 2 * LAG_BIN


def test_a_jump_is_found_where_it_is():
    clock = clock_of([2.0] * 8 + [102.0] * 8)
    assert np.abs(clock.lag - np.repeat([2.0, 102.0], 8)).max() < LAG_BIN


def test_a_single_stray_head_is_no_jump():
    clock = clock_of([2.0] * 8 + [102.0] + [2.0] * 8)
    assert np.abs(clock.lag - 2.0).max() < LAG_BIN


def test_a_drift_is_followed():
    drift = np.linspace(0.0, 100.0, 40)
    assert np.abs(clock_of(drift.tolist()).lag - drift).max() < 2 * LAG_BIN


def test_a_clock_creeps_from_bin_to_bin():
    """A slow drift is followed without jumps, and what nobody shows for long may have crept."""
    drift = np.linspace(0.0, 40.0, 40)
    assert np.abs(clock_of(drift.tolist()).lag - drift).max() < LAG_BIN
    clock = clock_of([2.0] * 8 + [None] * 9 + [2.0] * 8)
    width = clock.max_lag - clock.min_lag
    assert width[12] > 2 * width[4]


def test_a_comment_that_tells_nothing_takes_its_lag_from_those_around_it():
    clock = clock_of([42.0, 42.0, 42.0, None, None, 42.0, 42.0])
    assert np.abs(clock.lag[3:5] - 42.0).max() < LAG_BIN
    between = clock_of([2.0] * 4 + [None] + [102.0] * 4)
    assert between.min_lag[4] < LAG_BIN  # it may be either
    assert between.max_lag[4] > 100 - LAG_BIN


def test_periods_have_clocks_of_their_own():
    clock = clock_of([-90.0] * 4 + [None] + [60.0] * 4 + [None], halves=[1] * 5 + [2] * 5)
    assert np.abs(clock.lag - np.repeat([-90.0, 60.0], 5)).max() < LAG_BIN


def test_a_comment_whose_time_is_not_known_has_no_lag_and_is_not_moved(small_match):
    clock = clock_of([30.0, 30.0, 30.0, 30.0], untimed=[1])
    assert np.isnan([ends[1] for ends in clock]).all()
    assert not np.isnan(np.delete(clock, 1, axis=1)).any()
    assert clock.farthest() < 40
    moved = set_right(small_match, clock).comments
    assert moved[1] == small_match.comments[1]
    assert moved[0].time == pytest.approx(15 - clock.lag[0])
    said = msgspec.structs.replace(small_match.comments[0], spoken=((0, 15.0), (4, 15.5)))
    (words,) = set_right(small_match.with_comments([said]), Clock(*clock_of([30.0]))).comments
    assert words.spoken == tuple((at, pytest.approx(t - 15 + words.start)) for at, t in said.spoken)
    assert clock_of([None, None], untimed=[0, 1]).farthest() == 0


def test_within_a_minute_heads_may_lie_anywhere():
    """Heads from 25 s before to 25 s after are what a right clock of minutes looks like."""
    scattered = [-25.0, 20.0, 0.0, 25.0, -15.0, 10.0, -20.0, 15.0, -5.0, 5.0]
    minute, second = clock_of(scattered, width=WIDE), clock_of(scattered)
    assert np.abs(minute.lag).max() < LAG_BIN
    assert np.ptp(second.lag) > np.ptp(minute.lag)
    assert (minute.max_lag - minute.min_lag).min() > 2 * LAG_BIN  # it stays unsure of the second


def test_the_span_holds_the_lag():
    clock = clock_of([2.0, None, 50.0, 48.0, None, 3.0])
    assert (clock.min_lag <= clock.lag).all()
    assert (clock.lag <= clock.max_lag).all()


# ------------------------------------------------------------------------- the sample, distorted

DISTORTIONS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "none": lambda t: np.zeros(len(t)),
    "late": lambda t: np.full(len(t), 140.0),
    "jump": lambda t: np.where(t < 1300, 0.0, 100.0),
    "drift": lambda t: t / 2700 * 60,
    "disorder": lambda t: np.random.default_rng(0).normal(0, 15, len(t)),
}
OFF = [name for name in DISTORTIONS if name != "none"]


class Distorted:
    """A match read with its comments moved, and how far each was moved."""

    def __init__(self, aligner: Chains, match: Match, name: str) -> None:
        self.moved = DISTORTIONS[name](np.array([comment.time for comment in match.comments]))
        match = set_right(match, Clock(*[-self.moved] * 3))
        found = aligner.infer(match)
        self.links, self.clock = found.links, found.clock

    def described(self) -> set[tuple[object, str]]:
        return {(answer.comment, link.id) for answer in self.links for link in answer.events}


@pytest.fixture(scope="module")
def read(sample) -> dict[str, Distorted]:
    """The first half of a match under each distortion, by one model."""
    halves = [
        one.match.with_comments(c for c in one.match.comments if c.period == 1) for one in sample
    ]
    aligner = Chains()
    aligner.fit(halves)
    return {name: Distorted(aligner, halves[1], name) for name in DISTORTIONS}


@pytest.mark.parametrize("name", [name for name in OFF if name != "disorder"])
def test_the_clock_follows_what_comments_were_moved_by(read, name):
    apart = np.abs(read[name].clock.lag - read["none"].clock.lag - read[name].moved)
    assert np.median(apart) < LAG_BIN
    assert np.mean(apart <= 10) > 0.8


@pytest.mark.parametrize("name", OFF)
def test_links_change_little_when_the_clock_is_off(read, name):
    right, off = read["none"].described(), read[name].described()
    assert 2 * len(right & off) / (len(right) + len(off)) > 0.93


def test_a_comment_that_tells_nothing_is_placed_by_the_clock(read):
    late, match = read["late"], read["late"].links.match
    silent = [i for i, answer in enumerate(late.links) if not answer.events]
    assert silent
    for i in silent:
        answer, comment = late.links[i], match.comments[i]
        assert answer.time == pytest.approx(comment.time - late.clock.lag[i], abs=0.06)
        assert answer.span[0] <= answer.time <= answer.span[1]
        assert answer.period == comment.period


def creeping_of(lags: Sequence[float], *, spoken: bool = True, named: bool = True) -> np.ndarray:
    """Of comments 10 s apart that surely describe an event, named so many seconds after it."""
    said = 10.0 * np.arange(len(lags)) + 100
    events = np.arange(len(lags))
    whose = ACTOR_LAG if named else UNNAMED_LAG
    tables = MatchTables(
        blank(Events)._replace(time=said - np.array(lags)),
        blank(Comments)._replace(time=said, period=np.ones(len(lags))),
        Candidates(
            start=np.arange(len(lags) + 1),
            comment=events,
            event=events,
            lag=(whose * LAG_BINS + lag_bin(np.array(lags)))[:, None],
        ),
        blank(Hypotheses)._replace(
            start=np.arange(len(lags) + 1),
            events=events[:, None],
            candidates=events[:, None],
            head=np.zeros_like(events),
        ),
        unnamed=0,
        spoken=spoken,
    )
    sure = Posterior(np.ones(len(lags)), np.zeros(len(lags)), np.zeros(0), np.zeros(DRIFT_BINS))
    return creeping(tables, sure)


def test_speech_that_runs_early_in_a_stretch_is_followed_there():
    lags = [2.0] * 80 + [-8.0] * 40 + [2.0] * 80
    late = creeping_of(lags)
    assert creeps(late)
    assert late[100] == pytest.approx(-7, abs=1.0)  # of ten; the names around it show the rest
    assert abs(late[[0, 40, 160, 199]]).max() < 1
    again = creeping_of([lag - more for lag, more in zip(lags, late, strict=True)])
    assert np.abs(again).max() < np.abs(late).max() / 2


def test_speech_does_not_creep_if_names_only_vary():
    assert not creeps(creeping_of([1.0, 4.0, 2.0, 9.0, 0.0, 3.0] * 20))
    assert not creeps(creeping_of([]))


def test_a_few_late_names_are_no_creeping():
    assert not creeps(creeping_of([2.0] * 40 + [12.0] * 2 + [2.0] * 40))


def test_only_names_of_speech_show_that_it_creeps():
    lags = [2.0] * 80 + [-8.0] * 40
    assert not creeping_of(lags, spoken=False).any()
    assert not creeping_of(lags, named=False).any()


def test_comments_are_moved_by_what_is_known(small_match):
    comments = [Comment(id=c, text="", period=1, start=10.0, end=12.0) for c in range(2)]
    moved = moved_by(small_match.with_comments(comments), np.array([3.0, np.nan]))
    assert [c.start for c in moved.comments] == [13.0, 10.0]
