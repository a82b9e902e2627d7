"""How well names are found in real matches: python -m benchmarks.names (needs TOUCHLINE_DATA).

Over the labelled comments that describe an event: of the players linked, the share who take part in
one of its events (precision); and the share of comments in which at least one of its events'
actors is linked (cover); for names that are spelled right only, and with garbled ones. Then the
number of spellings taken for garbled names, for which no label is needed: on clocks that are
minutes off, whatever is still taken for a name is not so because of its times. And how often names
are those of whoever is on the ball: proper names, and garbled ones that were learned from the other
half of the match.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from benchmarks.measuring import real_data
from touchline import Match, NameFinder, Player, read_corpus
from touchline.io.corpus.layout import LabelledMatch
from touchline.text.aliases import learn_aliases
from touchline.text.names import MENTIONED
from touchline.text.tokens import tokenise
from touchline.text.touches import Place, Touches, places

TRACKS = (
    ("EPL live text", "epl-2015", "comments"),
    ("BBC templated text", "epl-2015", "bbc"),
    ("radio, speech recognition", "radio-2018", "comments"),
    ("TV, speech recognition", "tv-2015", "comments"),
)
SHIFTS = (0, 5, 10, 20)  # minutes


class Found(NamedTuple):
    """Players linked rightly, players linked, comments with an actor linked, comments."""

    right: int = 0
    linked: int = 0
    covered: int = 0
    comments: int = 0

    def __str__(self) -> str:
        precision = f"{self.right / self.linked:.3f} ({self.right}/{self.linked})"
        return (
            f"{precision:>18}{self.covered / self.comments:>8.3f} ({self.covered}/{self.comments})"
        )


def measure(labelled: LabelledMatch, finder: NameFinder) -> Found:
    """What is found in the labelled comments of a match."""
    match, found = labelled.match, Found()
    for comment in match.comments:
        events = [match.event_by_id[i] for i in (labelled.gold or {}).get(comment.id, ())]
        actors = {event.player.id for event in events if event.player}
        if not actors:
            continue
        part = actors | {other.player.id for event in events for other in event.others}
        players = {p for p, weight in finder.players(comment.text).items() if weight >= MENTIONED}
        here = len(players & part), len(players), bool(players & actors), 1
        found = Found(*map(sum, zip(found, here, strict=True)))
    return found


def compare(matches: Sequence[LabelledMatch]) -> str:
    """Names spelled right, then with garbled ones."""
    ways = ([NameFinder(m.match) for m in matches],
            [NameFinder(m.match, learn_aliases(m.match)) for m in matches])  # fmt: skip
    sums = (zip(*map(measure, matches, finders), strict=True) for finders in ways)
    return "".join(f"{Found(*map(sum, own))!s:<38}" for own in sums)


def shifted(match: Match, minutes: int) -> Match:
    """A match whose comments were made so much later, those at the end of a period at its start."""
    ends = {event.period: event.time for event in sorted(match.events, key=lambda e: e.time)}
    comments = []
    for comment in match.comments:
        if comment.start is not None and comment.end is not None and comment.period in ends:
            start = (comment.start + 60 * minutes) % ends[comment.period]
            end = start + comment.end - comment.start
            comment = msgspec.structs.replace(comment, start=start, end=end)
        comments.append(comment)
    return match.with_comments(comments)


def garbled(matches: Iterable[Match], minutes: int) -> int:
    """How many spellings are taken for players' names when clocks are off."""
    learned = (learn_aliases(shifted(match, minutes) if minutes else match) for match in matches)
    return sum(max(own.values()) >= MENTIONED for aliases in learned for own in aliases.values())


def on_the_ball(match: Match) -> tuple[list[float], list[float]]:
    """Numbers of proper names and of garbled ones, each with how many are of who is on the ball."""
    touches, where = Touches(match), places(match.comments, spoken=True)
    proper, garbled = set(_named(match, NameFinder(match), where)), set()
    for period in (1, 2):
        half = match.with_comments(c for c in match.comments if c.period == period)
        found = _named(match, NameFinder(match, learn_aliases(half)), where)
        garbled |= {(who, at) for who, at in found if at.period == 3 - period}
    sets = (sorted(own, key=str) for own in (proper, garbled - proper))
    counts = [(len(own), len(own) * touches.on_the_ball(own)[0]) for own in sets]
    return [n for n, _ in counts], [on for _, on in counts]


def _named(
    match: Match, finder: NameFinder, where: Sequence[Sequence[Place | None]]
) -> Iterator[tuple[str, Place]]:
    """The players that comments mention, each with its place."""
    for comment, own in zip(match.comments, where, strict=True):
        at = {token.start: place for token, place in zip(tokenise(comment.text), own, strict=True)}
        for mention in finder.mentions(comment.text):
            place = at[mention.start]
            if isinstance(mention.who, Player) and mention.weight >= MENTIONED and place:
                yield mention.who.id, place


def main() -> None:
    folder = real_data()
    every = {
        title: list(read_corpus(folder / corpus, track=track)) for title, corpus, track in TRACKS
    }
    print(f"{'precision, cover':30}{'spelled right':>18}{'with garbled names':>43}")
    for title, matches in every.items():
        labelled = [m for m in matches if m.gold]
        print(f"{title:30}{compare(labelled)}".rstrip())
        for match in labelled if title.startswith("TV") else ():
            print(f"  {match.match.name:28}{compare([match])}".rstrip())
    print(f"\n{'garbled names':30}" + "".join(f"{f'{m} min off':>12}" for m in SHIFTS))
    for title, matches in every.items():
        counts = [garbled((m.match for m in matches), minutes) for minutes in SHIFTS]
        print(f"{title:30}" + "".join(f"{count:12}" for count in counts))
    print(f"\n{'of who is on the ball':30}{'proper names':>18}{'garbled, other half':>24}")
    for title, matches in every.items():
        if "speech" in title:
            numbers, on = (
                [sum(own) for own in zip(*part, strict=True)]
                for part in zip(*(on_the_ball(m.match) for m in matches), strict=True)
            )
            shares = [f"{b / a:.3f} of {a:.0f}" for a, b in zip(numbers, on, strict=True)]
            print(f"{title:30}{shares[0]:>18}{shares[1]:>24}")
    longest = max((m.match for ms in every.values() for m in ms), key=lambda m: len(m.comments))
    start = time.perf_counter()
    learn_aliases(longest)
    took = time.perf_counter() - start
    print(f"\nlearned from {len(longest.comments)} comments in {took:.2f} s")


if __name__ == "__main__":
    main()
