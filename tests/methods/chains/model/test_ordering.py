"""What the speaker is doing: states of comments in a row, and how they hold together."""

from __future__ import annotations

import numpy as np
import pytest

from touchline.core.arrays import Floats
from touchline.methods.chains.data.language import Language
from touchline.methods.chains.model.m_step import maximise
from touchline.methods.chains.model.ordering import forward_backward, how_soon, states
from touchline.methods.chains.model.sufficient_stats import (
    DRIFT_BINS,
    LATER,
    LIVE,
    LOOKING_BACK,
    MUCH_LATER,
    ON,
    SAME,
    SOON,
    TALK,
    WRITTEN,
    Counts,
)

LANGUAGE = Language(vocabulary=["ball"], kinds=["?"], types=["?"], contexts=["?"])
NAN = float("nan")


def order(steps: dict[tuple[int, int, int], float]) -> Floats:
    """The odds that follow from counted steps."""
    counts = Counts.zero(LANGUAGE)
    for step, often in steps.items():
        counts.order[:, *step] = often / 4
    return maximise(counts, LANGUAGE).order


# A speaker who mostly goes on with what they are doing, and looks back at one thing at a time.
STICKY = order(
    {
        (LIVE, LIVE, ON): 500,
        (LOOKING_BACK, LOOKING_BACK, SAME): 150,
        (TALK, TALK, ON): 300,
        (LIVE, LOOKING_BACK, ON): 10,
        (LOOKING_BACK, LIVE, ON): 10,
        (LIVE, TALK, ON): 15,
        (TALK, LIVE, ON): 15,
    }
)
UNLEARNED = order({})


def shares(rows: list[tuple[float, float, float]], time: list[tuple], odds: Floats) -> Floats:
    """Shares of each comment's heads and of "no event", last; comments are 10 s apart."""
    said = 10.0 * np.arange(len(rows)) + 20
    likely, heads = np.array(rows), np.array([(*own, NAN) for own in time])
    return forward_backward(likely, heads, said, odds, np.ones(DRIFT_BINS))[0]


def test_what_happened_more_than_ten_seconds_ago_is_looked_back_at():
    time = np.array([[95.0, 90.0, 89.9, 300.0, NAN], [5.0, 4.0, 3.0, 2.0, NAN]])
    found = states(time, np.array([100.0, NAN]))
    assert found.tolist() == [[LIVE, LIVE, LOOKING_BACK, LIVE, TALK], [LIVE] * 4 + [TALK]]


@pytest.mark.parametrize(("around", "talks"), [((0.0, 1.0), True), ((1.0, 0.0), False)])
def test_a_run_of_talk_stays_talk(around, talks):
    """A line that may be about something or about nothing is like the lines around it."""
    live, none = around
    rows = [(live, 0.0, none)] * 3 + [(1.0, 0.0, 1.0)] + [(live, 0.0, none)] * 3
    time = [(10.0 * c + 15, 0.0) for c in range(len(rows))]
    share = shares(rows, time, STICKY)[3]
    assert share.sum() == pytest.approx(1)
    assert (share[2] > 0.9) == talks
    assert (share[0] > 0.9) == (not talks)


def test_before_anything_is_learned_talk_is_no_likelier_after_talk():
    rows = [(0.0, 0.0, 1.0), (1.0, 0.0, 1.0), (0.0, 0.0, 1.0)]
    assert shares(rows, [(15.0, 0.0), (25.0, 0.0), (35.0, 0.0)], UNLEARNED)[1] == pytest.approx(
        [0.5, 0, 0.5]
    )


def test_a_line_between_lines_that_look_back_is_drawn_to_what_they_look_at():
    """What happens now is likelier by itself, and stays so while states say nothing."""
    rows = [(1.0, 0.0, 0.01), (0.3, 0.6, 0.1), (1.0, 0.0, 0.01)]
    time = [(0.0, 19.0), (0.0, 29.0), (0.0, 39.0)]  # of the event looked back at, and the latest
    looked_back, live, _ = shares(rows, time, STICKY)[1]
    assert looked_back > 0.9
    looked_back, live, _ = shares(rows, time, UNLEARNED)[1]
    assert live > looked_back


def test_steps_are_counted_by_state_and_move():
    rows = np.array([(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)])
    time = np.array([(19.0, 0.0, NAN), (28.0, 5.0, NAN), (38.0, 5.5, NAN), (48.0, 0.0, NAN)])
    said = np.array([20.0, 30.0, 40.0, 50.0])
    _, moved, drifted = forward_backward(rows, time, said, STICKY, np.ones(DRIFT_BINS))
    assert moved[1:].sum() == 0  # written comments: however soon they follow
    moved = moved[0]
    found = {tuple(step): moved[tuple(step)] for step in np.argwhere(moved > 1e-9).tolist()}
    back = 2
    assert found == {
        (LIVE, LOOKING_BACK, back): pytest.approx(1),
        (LOOKING_BACK, LOOKING_BACK, SAME): pytest.approx(1),
        (LOOKING_BACK, TALK, ON): pytest.approx(1),
    }
    assert drifted.sum() == pytest.approx(3)


def test_how_soon_a_line_follows():
    said = np.array([0.0, 3.9, 7.9, 17.8, 27.8, NAN, 40.0])
    assert how_soon(said, True).tolist() == [SOON, LATER, LATER, *[MUCH_LATER] * 3]
    assert how_soon(said, False).tolist() == [WRITTEN] * 6


def test_lines_of_a_run_share_their_event():
    """A line soon after another is drawn to its event, one long after it to the next."""
    counts = Counts.zero(LANGUAGE)
    counts.order[SOON, LIVE, LIVE, SAME] = counts.order[MUCH_LATER, LIVE, LIVE, ON] = 200
    order = maximise(counts, LANGUAGE).order
    likely = np.array([(1.0, 0.0, 0.0), (1.0, 1.0, 0.0)])
    for later, shared in ((2.0, True), (20.0, False)):
        time, said = (
            np.array([(99.0, NAN, NAN), (99.0, 103.0, NAN)]),
            np.array([100.0, 100 + later]),
        )
        found, *_ = forward_backward(likely, time, said, order, np.ones(DRIFT_BINS), spoken=True)
        assert (found[1, 0] > found[1, 1]) == shared
