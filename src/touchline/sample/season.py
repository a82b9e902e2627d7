"""A season of invented matches with commentary, as large as one likes, the same every time.

`python -m touchline.sample.season OUTDIR [MATCHES [SEED]]` writes a corpus folder. The logs come
from the simulator; players come and go, and the commentary's words never end, as in a real league:
new matches bring new names and new words. No comment is written twice. It is for measuring time
and memory, not accuracy: the labels come from the same program as the phrases.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from .log import Event, lineups
from .match import Match
from .phrases import Writer
from .simulator import write_log
from .squads import CLUBS, Club, Fixture, Player

SEASON = 380
TEAMS = 20
# A real league's log has more in a minute than the sample's two matches.
PACE = 0.55
COMMENTS = 118
# A squad changes a player after so many match days.
TRANSFERS = 3

_SYLLABLES = [c + v for c in "b br d dr f g gr h k kl l m n p r s st t tr v w z".split()
              for v in "a e i o u ai ou ei".split()]  # fmt: skip
_ENDS = "ck ll m n nd rn rt s sk th x den ley ham vic sson inho ard oux ski".split()
_PLACES = "Town Rovers City Athletic United Albion Wanderers County".split()


@dataclass(frozen=True)
class Played:
    """A match of the season with its commentary, and which events each comment describes."""

    fixture: Fixture
    events: list[Event]
    lineups: list[Event]
    comments: list[dict[str, Any]]
    gold: list[dict[str, Any]]


class _Brisk(Match):
    """Play with shorter pauses."""

    def wait(self, low: float, high: float) -> None:
        super().wait(PACE * low, PACE * high)


def season(matches: int = SEASON, seed: int = 0, minutes: int = 45) -> Iterator[Played]:
    """The first so many matches; of each half only the first `minutes`, for a short one."""
    said: set[str] = set()
    for number in range(matches):
        yield _played(_fixture(number, seed), f"{seed}/{number}", said, minutes)


def rematches(times: int, seed: int = 0) -> Iterator[Played]:
    """The same two squads again and again: matches that names alone do not distinguish."""
    fixture, said = _fixture(0, seed), set[str]()
    for number in range(times):
        again = replace(fixture, folder=f"rematch-{number}", seed=fixture.seed + number)
        yield _played(again, f"{seed}/rematch/{number}", said, 45)


def _played(fixture: Fixture, chance: str, said: set[str], minutes: int) -> Played:
    log = _Brisk(fixture).play()
    events = [e for e in log.events if _second(e) < 60 * minutes or minutes >= 45]
    writer = Writer(random.Random(f"{chance}/words"), events, said)
    max_comments = COMMENTS * minutes // 45
    comments, gold = _commentary(random.Random(f"{chance}/told"), events, writer, max_comments)
    return Played(fixture, events, lineups(log), comments, gold)


def write_season(out: Path, matches: int = SEASON, seed: int = 0, minutes: int = 45) -> None:
    """Write matches in the layout of a corpus folder."""
    for played in season(matches, seed, minutes):
        write_played(out, played)


def write_played(out: Path, played: Played) -> None:
    """Write a match folder into a corpus folder."""
    folder = out / played.fixture.folder
    write_log(folder, played.events, played.lineups)
    for name, rows in (("comments", played.comments), ("gold", played.gold)):
        lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        (folder / f"{name}.jsonl").write_text("".join(lines), encoding="utf-8")


# -- clubs and players -----------------------------------------------------------------------------


def _fixture(number: int, seed: int) -> Fixture:
    """Everybody plays everybody at home and away; then the next season begins."""
    year, place = divmod(number, SEASON)
    day, pair = divmod(place, TEAMS // 2)
    half, day_of_half = divmod(day, TEAMS - 1)
    home, away = _pairing(day_of_half, pair)
    if half:
        home, away = away, home
    now = year * (SEASON // (TEAMS // 2)) + day
    clubs = _club(home, now, seed), _club(away, now, seed)
    return Fixture(f"{number:06d}", *clubs, _name(f"{seed}/referee/{number % 25}"), number)


def _pairing(day: int, pair: int) -> tuple[int, int]:
    """The circle method: one team stays, the others go round."""
    ring = [1 + (i + day) % (TEAMS - 1) for i in range(TEAMS - 1)]
    return (0, ring[0]) if pair == 0 else (ring[pair], ring[-pair])


def _club(number: int, day: int, seed: int) -> Club:
    """A club as it is on a match day."""
    form = CLUBS[number % len(CLUBS)]
    town = _word(random.Random(f"{seed}/club/{number}"), 2).title()
    name = f"{town} {_PLACES[number % len(_PLACES)]}"
    identity = 10_000 + number
    players = tuple(_player(p, identity, place, day, seed) for place, p in enumerate(form.players))
    manager = _name(f"{seed}/manager/{number}")
    return replace(form, id=identity, name=name, manager=manager, players=players)


def _player(form: Player, club: int, place: int, day: int, seed: int) -> Player:
    """Who holds a place in a squad: each is filled anew when its turn comes round."""
    since = (day // TRANSFERS + place) // 16
    name = _name(f"{seed}/{club}/{place}/{since}")
    identity = club * 100_000 + place * 1000 + since
    return replace(form, id=identity, name=name, nickname=None)


def _name(what: str) -> str:
    rng = random.Random(what)
    return f"{_word(rng, 1).title()} {_word(rng, 2).title()}"


def _word(rng: random.Random, syllables: int) -> str:
    return "".join(rng.choice(_SYLLABLES) for _ in range(syllables)) + rng.choice(_ENDS)


# -- what is described -----------------------------------------------------------------------------


def _commentary(
    rng: random.Random, events: list[Event], writer: Writer, max_comments: int
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Comments in the order of the match, some seconds late, and what they describe."""
    chosen = sorted(rng.sample(writer.linkable, min(max_comments, len(writer.linkable))))
    comments, gold = [], []
    for number, index in enumerate(chosen):
        described, text = writer.comment(index)
        first = events[index]
        time = round(_second(first) + rng.uniform(2, 25), 1)
        comments.append(
            {
                "id": number,
                "period": first["period"],
                "time": time,
                "clock": f"{45 * (first['period'] - 1) + int(time // 60) + 1}'",
                "text": text,
            }
        )
        gold.append({"id": number, "events": [events[i]["id"] for i in described]})
    return comments, gold


def _second(event: Event) -> float:
    hours, minutes, seconds = event["timestamp"].split(":")
    return 3600 * int(hours) + 60 * int(minutes) + float(seconds)


def main() -> None:
    if not 2 <= len(sys.argv) <= 4:
        raise SystemExit("usage: python -m touchline.sample.season OUTDIR [MATCHES [SEED]]")
    write_season(Path(sys.argv[1]), *map(int, sys.argv[2:]))


if __name__ == "__main__":
    main()
