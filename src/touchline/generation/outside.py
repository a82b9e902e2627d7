"""Words of the user's own: a command or a function words each line from facts, and is checked.

It gets facts only: the events, the names, the score, the places, and the last five lines. Each
answer is checked against the log. One that says anything that the log does not confirm is sent back
once with what was found, and then dropped for our own words: grounded or dropped. touchline itself
sends nothing anywhere; the command may.

A command is started without a shell. Neither the server nor the report can reach this module.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import msgspec

from touchline.generation.check import Rules, check_text
from touchline.generation.commentary import COMMAND, OutsideUse
from touchline.generation.composing import Draft, Worder, line_of
from touchline.generation.facts.chains import Chain
from touchline.generation.facts.match import MatchFacts
from touchline.generation.facts.records import EventFacts, Score
from touchline.generation.roles import misplaced
from touchline.generation.selection.choice import Picked
from touchline.pipeline.annotate.command import Command, NoAnswerError, split_command

Facts = dict[str, Any]
Wording = Callable[[Facts], str | None]
TIMEOUT = 60.0
# So many of the lines before are sent along, so that words do not repeat themselves.
LAST = 5
# After so many lines in a row without any answer, nothing more is asked.
MAX_SILENT = 3
MAX_PROBLEMS = 20
EXPECTED = '{"line": 1, "text": "..."}'
_LEFT_OUT = frozenset(["event", "people", "roles", "before", "after", "clock", "minute"])


class Source(Protocol):
    """What words a line: a command, or a function."""

    def ask(self, facts: Facts) -> str | None:
        """The words for the facts; None where it has none."""
        ...

    def close(self) -> None:
        """Nothing more will be asked."""
        ...


class Function:
    """A function of the user's."""

    def __init__(self, wording: Wording) -> None:
        self._wording = wording

    def ask(self, facts: Facts) -> str | None:
        return self._wording(facts)

    def close(self) -> None:
        """A function needs no end."""


class Answer(msgspec.Struct, frozen=True):
    """A line of the command; one without words may say why."""

    line: int
    text: str | None = None
    error: str | None = None


class CommandSource:
    """A command that reads a line of JSON for each line of commentary and writes one."""

    def __init__(self, command: str | Sequence[str], timeout: float = TIMEOUT) -> None:
        self._words, self._timeout = split_command(command), timeout
        self._running: Command | None = None

    def ask(self, facts: Facts) -> str | None:
        if self._running is None:
            self._running = Command(self._words, self._timeout)
        self._running.send(msgspec.json.encode(facts) + b"\n")
        since = time.monotonic()
        try:
            while True:
                answer = _decoded(self._running.receive(since))
                if answer.line == facts["line"]:
                    break
        except NoAnswerError:
            self._stop()
            raise
        if answer.error is not None:
            raise NoAnswerError(f"the command has no answer: {answer.error}")
        return answer.text

    def _stop(self) -> None:
        """A late answer would be taken for that to another line: the next is asked of a new one."""
        if self._running is not None:
            self._running.stop()
            self._running = None

    def close(self) -> None:
        if self._running is not None:
            self._running.finish()
            self._running = None


def _decoded(line: bytes) -> Answer:
    try:
        return msgspec.json.decode(line, type=Answer)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        shown = line.decode("utf-8", "replace").strip()[:80]
        raise NoAnswerError(f"not an answer: {shown!r}; expected {EXPECTED}") from None


def source_of(wording: Wording | str | Sequence[str], timeout: float = TIMEOUT) -> Source:
    """A function as it is, anything else as a command."""
    return Function(wording) if callable(wording) else CommandSource(wording, timeout)


class OutsideWorder(Worder):
    """Lines in the user's words where the log confirms them, else in those of another worder."""

    def __init__(self, facts: MatchFacts, own: Worder, source: Source) -> None:
        super().__init__(facts, own.writer.seed)
        self._own, self._source = own, source
        self._rules = Rules(facts.match, facts)
        self._last: deque[str] = deque(maxlen=LAST)
        self._number = self._silent = 0
        self._asked = self._kept = self._repaired = self._dropped = 0
        self._problems: list[str] = []

    def draft(self, picked: Picked) -> Draft | None:
        """The line in outside words if they pass, else in our own."""
        text = self._worded(picked)
        if text is not None:
            self._own.writer.took()
            draft: Draft | None = Draft(line_of(self.facts, picked, text, COMMAND), thin=False)
        else:
            draft = self._own.draft(picked)
        if draft is not None:
            self._last.append(draft.line.text)
        return draft

    def use(self) -> OutsideUse:
        return OutsideUse(
            asked=self._asked,
            kept=self._kept,
            repaired=self._repaired,
            dropped=self._dropped,
            problems=tuple(self._problems[-MAX_PROBLEMS:]),
        )

    def _worded(self, picked: Picked) -> str | None:
        if self._silent >= MAX_SILENT:
            return None
        self._number += 1
        self._asked += 1
        findings: list[str] = []
        for attempt in range(2):
            text = self._answer(picked, findings)
            if text is None:
                break
            findings = self._check(picked, text)
            if not findings:
                self._kept += 1
                self._repaired += attempt
                return text
        self._dropped += 1
        if findings:
            self._note(findings[0])
        return None

    def _answer(self, picked: Picked, findings: Sequence[str]) -> str | None:
        facts = {
            **request(self.facts, picked.chain),
            "line": self._number,
            "last": list(self._last),
            "findings": list(findings),
        }
        try:
            text = self._source.ask(facts)
        except NoAnswerError as error:
            self._silent += 1
            self._note(str(error))
            return None
        self._silent = 0
        if not isinstance(text, str) or not text.strip():
            self._note("empty answer")
            return None
        return " ".join(text.split()) if "\n" not in text.strip() else text

    def _check(self, picked: Picked, text: str) -> list[str]:
        found = check_text(self.facts.match, text, picked.chain.ids, facts=self.facts,
                           rules=self._rules)  # fmt: skip
        wrong = misplaced(self.facts, picked.chain, text)
        return [*(finding.sentence for finding in found), *wrong]

    def _note(self, problem: str) -> None:
        self._problems.append(f"line {self._number}: {problem}")


def request(facts: MatchFacts, chain: Chain) -> Facts:
    """What is known about a chain, as plain JSON: facts, no words of ours."""
    head = chain.head
    return {
        "match": facts.match.name,
        "teams": [facts.names.team(team) for team in facts.match.teams],
        "clock": head.clock,
        "period": head.event.period,
        "about": str(chain.known["kind"]),
        "score": {
            "before": _score(facts, head.before),
            "after": _score(facts, chain.known.get("after")),
        },
        "events": [_event(one) for one in chain.events],
        "together": {name: value for name, value in chain.more.items() if _is_plain(value)},
    }


def _score(facts: MatchFacts, score: Score | None) -> Mapping[str, int] | None:
    names = [facts.names.team(team) for team in facts.match.teams]
    if score is None or None in names:
        return None
    return {str(name): goals for name, goals in zip(names, score, strict=True)}


def _event(one: EventFacts) -> Facts:
    values = {name: getattr(one, name) for name in one.__struct_fields__ if name not in _LEFT_OUT}
    known = {name: value for name, value in values.items() if value is not None}
    return {"id": one.id, **known, **({"others": dict(one.roles)} if one.roles else {})}


def _is_plain(value: Any) -> bool:
    return isinstance(value, str | int | bool)
