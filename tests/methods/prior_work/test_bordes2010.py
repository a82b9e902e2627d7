"""Label ranking: what a sentence's bucket is compared with."""

from __future__ import annotations

import numpy as np

from touchline import Comment, Event, Match, Player
from touchline.methods.buckets import Window
from touchline.methods.prior_work.bordes2010 import _outside
from touchline.methods.prior_work.candidates import gather

A, B = (Player(id=name, name=name.capitalize()) for name in ("purple1", "purple2"))


def test_a_wrong_label_has_another_meaning_than_all_of_the_bucket():
    """The log has the same kick again and again; only the other player's means something else."""
    kicks = [Event(id=str(i), type="kick", period=1, time=float(i), player=B if i == 7 else A)
             for i in range(20)]  # fmt: skip
    said = Comment(id=0, text="Purple1 kicks", period=1, start=0, end=0, candidates=("0",))
    match = Match(name="m", provider="robocup", events=tuple(kicks), players=(A, B),
                  comments=(said,))  # fmt: skip
    candidates = gather([match], Window())
    drawn = _outside(candidates, np.zeros(30, dtype=np.int64), np.random.default_rng(0))
    assert np.mean(drawn == 7) > 0.5  # 5 % of the events; a draw is repeated up to 20 times
