"""Answers of the annotator, each checked against what was asked."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from typing import NamedTuple

import msgspec
from msgspec import UNSET, UnsetType

from touchline.core.errors import TouchlineError
from touchline.core.records import CommentId
from touchline.io.corpus.gold import GoldLine
from touchline.pipeline.annotate.command import Command, NoAnswerError
from touchline.pipeline.annotate.questions import Question

EXPECTED = '{"comment": ..., "events": [...], "sure": true, "note": ""}'
_SHOWN = 80  # characters of a line that is no answer

Key = tuple[str, CommentId]


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the command; `match` need not be repeated.

    A command that has no answer to one comment may say why with `error`, and is asked the next.
    """

    comment: int | str
    events: tuple[str, ...] | UnsetType = UNSET
    sure: bool = True
    note: str = ""
    match: str | None = None
    error: str | None = None

    def __post_init__(self) -> None:
        if self.events is UNSET and self.error is None:
            raise ValueError("it has no events")


class BadAnswerError(TouchlineError):
    """A line that is no answer, or not one to what was asked."""


class Labelled(NamedTuple):
    """A question and the label that answers it."""

    question: Question
    label: GoldLine


class Problem(NamedTuple):
    """A comment that has no label, or a line too many, and why."""

    match: str
    comment: CommentId
    problem: str

    def __str__(self) -> str:
        return f"{self.match}, comment {self.comment!r}: {self.problem}"


class Conversation:
    """One run of the command: what it was asked, and what it has still to answer.

    Each question is sent when the one before is settled. An answer is known by its comment, so that
    a stray line on the command's output shifts no answer to the next comment.
    """

    def __init__(self, command: Command) -> None:
        self._command = command
        self._open: dict[Key, Question] = {}
        self._asked: set[Key] = set()

    def ask(self, question: Question) -> Iterator[Labelled | Problem]:
        """What the command says until the question is settled, well or badly.

        Raises
        ------
        NoAnswerError
            It says nothing in time, or has ended.
        """
        key = question.match, question.comment
        self._open[key] = question
        self._asked.add(key)
        self._command.send(msgspec.json.encode(question) + b"\n")
        since, settled = time.monotonic(), False
        while not settled:
            found, settled = self._settle(self._command.receive(since), question)
            yield found

    def finish(self) -> Iterator[Labelled]:
        """Late answers, once everything has been asked."""
        self._command.close()
        since = time.monotonic()
        with contextlib.suppress(NoAnswerError):
            while self._open:
                last = next(reversed(self._open.values()))
                found, _ = self._settle(self._command.receive(since), last)
                if isinstance(found, Labelled):
                    yield found
        self._command.finish()

    def stop(self) -> None:
        self._command.stop()

    def _settle(self, line: bytes, current: Question) -> tuple[Labelled | Problem, bool]:
        """What a line says, and whether it settles the current question."""
        try:
            answer = parse_answer(line)
        except BadAnswerError as error:
            return Problem(current.match, current.comment, str(error)), True
        key = self._key(answer, current)
        if key not in self._asked:
            problem = f"the answer is about comment {answer.comment!r}, which was not asked about"
            return Problem(current.match, current.comment, problem), True
        if key not in self._open:
            return Problem(*key, "answered a second time"), False
        question, now = self._open.pop(key), key == (current.match, current.comment)
        try:
            return Labelled(question, label_of(answer, question)), now
        except BadAnswerError as error:
            return Problem(*key, str(error)), now

    def _key(self, answer: Answer, current: Question) -> Key:
        """Which question a line answers: without a match the last one about such a comment."""
        key = answer.match or current.match, answer.comment
        if answer.match or key in self._open:
            return key
        late = [one for one in self._open if one[1] == answer.comment]
        return late[-1] if late else key


def parse_answer(line: bytes) -> Answer:
    """A line of the command as an answer."""
    try:
        return msgspec.json.decode(line, type=Answer)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        why = "nested too deeply" if isinstance(error, RecursionError) else error
        text = line.decode("utf-8", "replace").strip()
        shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
        raise BadAnswerError(f"not an answer ({why}): {shown!r}; expected {EXPECTED}") from None


def label_of(answer: Answer, question: Question) -> GoldLine:
    """The label that an answer gives its comment, its events in match order."""
    if answer.error is not None or answer.events is UNSET:
        raise BadAnswerError(f"the command has no answer: {answer.error}")
    known = [candidate.id for candidate in question.candidates]
    unknown = [event for event in answer.events if event not in known]
    if unknown:
        raise BadAnswerError(f"the event {unknown[0]!r} is not among the candidates")
    return GoldLine(
        id=question.comment,
        events=tuple(event for event in known if event in answer.events),
        sure=answer.sure,
        note=answer.note,
        machine=True,
    )
