"""Lines held against a log: who takes part, the score, and every detail of `shots` and `play`."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from benchmarks.verify import play, shots
from benchmarks.verify.records import Log, Record

# Files that write one player in each record have the others (the keeper, the one who was fouled,
# the receiver) in records of their own, at most so many seconds later.
AFTER = 6.0
KINDS = ("name", "score", "detail")
_WORD = re.compile(r"[^\W\d_]+(?:['’.-][^\W\d_]+)*\d*")
# Words that lines write in capitals for emphasis.
_SHOUTED = frozenset(["goal", "penalty", "red", "card", "sent", "off", "own", "saved", "missed"])
_SCORE = re.compile(r"\b(\d+)\s?[-–:]\s?(\d+)\b")
_LEVEL = re.compile(
    r"equalis|\blevel\b|all square|nothing between|in a draw|nothing separates", re.I
)
_AHEAD = re.compile(r"\b(?:take the lead|are in front|lead|go \S+ ahead|have won|have beaten)\b")


def fold(text: str) -> str:
    """A word without case, accents and marks."""
    text = text.translate(str.maketrans("øØłŁđĐı", "oOlLdDi"))
    return "".join(c for c in unicodedata.normalize("NFKD", text.lower()) if c.isalnum())


class Verifier:
    """Holds generated lines against a log."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self.by_id = {record.id: record for record in log.records}
        self.owners: dict[str, set[str]] = defaultdict(set)
        for player in log.players:
            for word in self._words_of(player):
                self.owners[word].add(player)
        self.team_words = {fold(w) for n in log.teams.values() for w in re.split(r"[\s-]+", n)}
        self.scores = list(self._scores())

    def problems(self, line: dict[str, Any]) -> Iterator[tuple[str, str]]:
        """What is wrong with a line: `name`, `score` or `detail`, and a sentence."""
        events = [self.by_id[str(i)] for i in line["events"] if str(i) in self.by_id]
        text = line["text"].replace("\u00ad", "")  # soft hyphens of Wyscout's names
        if not events:
            yield "detail", "describes no record of the file"
            return
        yield from (("name", problem) for problem in self._names(text, events))
        yield from (("score", problem) for problem in self._score(text, events, line))
        yield from (("detail", problem) for problem in self._details(text, events))

    def _details(self, text: str, events: Sequence[Record]) -> Iterator[str]:
        # What is in brackets is a team, and a team may be called West Brom or Right to Dream.
        slack = self.log.slack
        yield from shots.outcome(text, events)
        yield from shots.place(text, events, slack)
        last = shots.shots_of(events)[-1:]
        names = sorted({word for shot in last for own in shot.players[:1]
                        for word in self._words_of(own)})  # fmt: skip
        yield from shots.body(text, events, names)
        yield from shots.method(text, events)
        yield from shots.target(text, events)
        yield from play.yards(text, events, slack)
        yield from play.pitch(text, events, self.log)
        yield from play.cards(text, events)
        yield from play.penalties(text, events, self.log)
        yield from play.restarts(text, events, self.log)
        yield from play.deliveries(text, events)
        yield from play.giving(text, events, self.log)

    # Names --------------------------------------------------------------------------------------

    def _words_of(self, player: str) -> set[str]:
        names = self.log.players.get(player, [])
        words = {fold(word) for name in names for word in re.split(r"[\s.-]+", name)}
        return {word for word in words if len(word) > 1}

    def _playing(self, events: Sequence[Record]) -> set[str]:
        """Everybody who may be named: in the records themselves, or in those beside them."""
        found = {player for event in events for player in event.players}
        if self.log.related:
            return found
        first = min(e.time for e in events) - self.log.before
        last = max(e.time for e in events) + AFTER
        beside = (r for r in self.log.records
                  if r.period == events[0].period and first <= r.time <= last)  # fmt: skip
        return found | {player for record in beside for player in record.players}

    def _names(self, text: str, events: Sequence[Record]) -> Iterator[str]:
        playing = self._playing(events)
        start = True
        for hit in _WORD.finditer(text):
            word = re.sub(r"['’]s$", "", hit[0])
            starts, start = start, bool(re.match(r"[)\"'’s]*[.!?:;]\s", text[hit.end() :]))
            parts = [fold(part) for part in re.split(r"[-.]", word) if fold(part)]
            if not word[0].isupper() or not parts or (word.isupper() and fold(word) in _SHOUTED):
                continue
            owners = [self.owners[part] for part in parts if part in self.owners]
            in_team = any(part in self.team_words for part in parts)
            if owners and not in_team and not any(own & playing for own in owners):
                yield f"{word} has no part in the play"
            elif not owners and not in_team and not starts and len(word) > 2:
                yield f"{word} is nobody in the match"
        yield from self._leaves_out(text, events)
        yield from self._teams(text)

    def _leaves_out(self, text: str, events: Sequence[Record]) -> Iterator[str]:
        """Whoever scored or was booked must be named, where the file has a name."""
        words = {fold(part) for hit in _WORD.finditer(text)
                 for part in re.split(r"[-.]", re.sub(r"['’]s$", "", hit[0]))}  # fmt: skip
        for record in events:
            own = self._words_of(record.players[0]) if record.players else set[str]()
            if (record.goal or record.card) and own and not own & words:
                yield f"{sorted(own)} is not named for the {'goal' if record.goal else 'card'}"

    def _teams(self, text: str) -> Iterator[str]:
        """`X (Team)`: X plays for that team."""
        for hit in re.finditer(r"([\w'’.-]+) \(([^()]+)\)", text):
            team = [own for own, name in self.log.teams.items() if name == hit[2]]
            owners = self.owners.get(fold(re.split(r"[-.]", hit[1])[-1]), set())
            squads = {self.log.squads.get(player) for player in owners}
            if team and owners and team[0] not in squads:
                yield f"{hit[1]} does not play for {hit[2]}"

    # The score ----------------------------------------------------------------------------------

    def _scores(self) -> Iterator[tuple[int, float, tuple[int, int]]]:
        """The score after each goal, the teams in the order of the file."""
        order = list(self.log.teams)
        now = [0, 0]
        yield 0, 0.0, (0, 0)
        for record in self.log.records:
            if (record.goal or record.own_goal) and record.team in order:
                side = order.index(record.team)
                now[1 - side if record.own_goal else side] += 1
                yield record.period, record.time, (now[0], now[1])

    def _score(self, text: str, events: Sequence[Record], line: dict[str, Any]) -> Iterator[str]:
        # A goal counts from its own record on; a line about the end of a period has the last one.
        moment = int(line["period"]), max([float(line["time"]), *(e.time for e in events)]) + 0.01
        now = [score for period, time, score in self.scores if (period, time) <= moment][-1]
        for sentence in re.split(r"(?<=[.!?])\s", text):
            for hit in _SCORE.finditer(sentence):
                said = int(hit[1]), int(hit[2])
                if said != self._seen(sentence, hit, now):
                    yield f"says {sentence!r}, the file has {now}"
            yield from self._standing(sentence, now)
        yield from self._tally(text, events)

    def _seen(self, sentence: str, hit: re.Match[str], now: tuple[int, int]) -> tuple[int, int]:
        """The score in the order of the sentence: of the teams beside it, else of the first."""
        names = list(self.log.teams.values())
        beside = [side for side, name in enumerate(names)
                  if sentence[: hit.start()].endswith(f"{name} ")
                  and sentence[hit.end() :].startswith(f" {names[1 - side]}")]  # fmt: skip
        first = sorted((sentence.find(name), side) for side, name in enumerate(names)
                       if name and name in sentence)  # fmt: skip
        side = beside[0] if beside else first[0][1] if first else None
        if side is None:  # no team in the sentence: its own goals first, whoever leads
            return max(now), min(now)
        return now[side], now[1 - side]

    def _standing(self, sentence: str, now: tuple[int, int]) -> Iterator[str]:
        if _LEVEL.search(sentence) and now[0] != now[1]:
            yield f"says {sentence!r}, the file has {now}"
        hit = _AHEAD.search(sentence)
        before = sentence[: hit.start()] if hit else ""
        named = ((before.rfind(name), side) for side, name in enumerate(self.log.teams.values()))
        place, side = max(named)
        if hit and place >= 0 and now[side] <= now[1 - side]:
            yield f"says {sentence!r}, the file has {now}"
        stated = [
            int(found[1])
            for name in self.log.teams.values()
            if (found := re.search(rf"{re.escape(name)} (\d+)\b(?![-\d]| yard)", sentence))
        ]
        if len(stated) == 2 and tuple(stated) != now:
            yield f"says {stated}, the file has {now}"

    def _tally(self, text: str, events: Sequence[Record]) -> Iterator[str]:
        """A hat-trick, somebody's second."""
        goal = next((event for event in events if event.goal), None)
        if goal is None or not goal.players:
            return
        own = sum(r.goal and r.players[:1] == goal.players[:1]
                  and (r.period, r.time) <= (goal.period, goal.time)
                  for r in self.log.records)  # fmt: skip
        for words, number in ((r"hat-trick", 3), (r"second of the match|has two\b", 2)):
            if re.search(words, text) and own != number:
                yield f"says {words}, the file has {own} goals of the scorer"
