"""The bundled matches through every reader: what each feed can carry, and the same links."""

from __future__ import annotations

from pathlib import Path

import pytest

from touchline import Match, make_aligner, read_events
from touchline.io.corpus.layout import LabelledMatch
from touchline.methods.registry import Aligner
from touchline.sample.exports import FEEDS, carried, write

# One of each family: the others are read back as the same events.
COARSER, OTHERS = ["wyscout", "spadl"], ["statsbomb-flat", "opta", "statsperform", "whoscored"]


def through(match: Match, feed: str, folder: Path) -> Match:
    files = write(match, feed, folder)
    return read_events(files.events, lineups=files.lineups)


@pytest.fixture(scope="module")
def aligner(sample: list[LabelledMatch]) -> Aligner:
    """The default one, that has learned from the whole log: one model must do for every feed."""
    learned = make_aligner("chains")
    learned.fit([sample[0].match])
    return learned


def linked(aligner: Aligner, log: Match, match: Match) -> list[set[str]]:
    """The events of each comment on the match, found in a log of it."""
    links = aligner.align(log.with_comments(match.comments))
    return [{link.id for link in answer.events} for answer in links]


def in_common(some: list[set[str]], other: list[set[str]]) -> float:
    """The share of links that two answers have in common, both ways (F1)."""
    both = sum(len(a & b) for a, b in zip(some, other, strict=True))
    return 2 * both / sum(map(len, [*some, *other]))


def others(match: Match) -> dict[str, list[tuple[str, str]]]:
    return {e.id: [(o.role, o.player.id) for o in e.others] for e in match.linkable}


@pytest.mark.parametrize("feed", FEEDS)
@pytest.mark.parametrize("number", [0, 1])
def test_every_event_that_a_feed_carries_comes_back(
    sample: list[LabelledMatch], feed: str, number: int, tmp_path: Path
):
    match = sample[number].match
    want, got = carried(match, feed), through(match, feed, tmp_path)
    assert [e.id for e in got.linkable] == [e.id for e in want.linkable]
    for ours, theirs in zip(want.linkable, got.linkable, strict=True):
        assert (theirs.type, theirs.period, theirs.time) == (
            ours.type, ours.period, pytest.approx(ours.time, abs=1e-3))  # fmt: skip
        assert (theirs.player and theirs.player.id) == (ours.player and ours.player.id)
        # Zones are left out: a place on the line between two is rounded to either.
        places = {"zone", "end_zone"}
        assert {k: v for k, v in theirs.arguments.items() if k not in places} == {
            k: v for k, v in ours.arguments.items() if k not in places
        }


@pytest.mark.parametrize("feed", FEEDS)
def test_other_players_are_found_again(sample: list[LabelledMatch], feed: str, tmp_path: Path):
    """All but a few receivers, whose own next record the feed does not carry."""
    match = sample[0].match
    want, got = others(carried(match, feed)), others(through(match, feed, tmp_path))
    wrong = [name for name, roles in want.items() if got[name] != roles]
    assert len(wrong) <= (0.04 if feed == "spadl" else 0.02) * len(want)


@pytest.mark.parametrize("feed", OTHERS)
def test_the_default_aligner_gives_the_same_links(
    sample: list[LabelledMatch], aligner: Aligner, feed: str, tmp_path: Path
):
    """Nothing that the aligner uses gets lost on the way through the file and back.

    Coordinates and times are rounded on it, which may move a score that is at one half anyway.
    """
    match = sample[0].match
    before = aligner.align(carried(match, feed).with_comments(match.comments))
    after = aligner.align(through(match, feed, tmp_path).with_comments(match.comments))
    for want, got in zip(before, after, strict=True):
        # A candidate that is hardly probable may be among those of one and not of the other.
        scores, again = ({link.id: link.score for link in a.candidates or ()} for a in (want, got))
        every = dict.fromkeys([*scores, *again], 0.0)
        assert every | again == pytest.approx(every | scores, abs=0.05)
    assert sum(bool(answer.events) for answer in before) > 0.8 * len(match.comments)


@pytest.mark.parametrize("feed", COARSER)
def test_the_default_aligner_gives_almost_the_same_links_through_coarser_feeds(
    sample: list[LabelledMatch], aligner: Aligner, feed: str, tmp_path: Path
):
    """But for a few: a foul won is no record, so nobody knows who received the pass before it."""
    match = sample[0].match
    want = linked(aligner, carried(match, feed), match)
    got = linked(aligner, through(match, feed, tmp_path), match)
    assert in_common(want, got) >= 0.95


@pytest.mark.parametrize(
    ("feed", "same"),
    [("opta", 0.9), ("statsperform", 0.9), ("whoscored", 0.9), ("wyscout", 0.8), ("spadl", 0.7)],
)
def test_what_the_loss_of_a_feed_costs(
    sample: list[LabelledMatch], aligner: Aligner, feed: str, same: float, tmp_path: Path
):
    """How much the links have in common with those that the whole log gives.

    Opta has no record of a keeper who is beaten and no receiver of a bad pass; WhoScored has no
    tenths of a second besides; Wyscout has no blocks, no fouls won, no balls won or lost.
    """
    match = sample[0].match
    whole = linked(aligner, match, match)
    got = linked(aligner, through(match, feed, tmp_path), match)
    assert in_common(whole, got) >= same


@pytest.mark.parametrize("feed", FEEDS)
def test_what_every_feed_loses(sample: list[LabelledMatch], feed: str):
    match = sample[0].match
    types = {e.type for e in match.linkable} - {e.type for e in carried(match, feed).linkable}
    wyscout = {"Ball Recovery", "Block", "Dispossessed", "Foul Won", "Half End", "Half Start",
               "Injury Stoppage"}  # fmt: skip
    spadl = wyscout | {"Dribbled Past", "Substitution"}
    assert types == {"wyscout": wyscout, "spadl": spadl}.get(feed.partition("-")[0], set())
