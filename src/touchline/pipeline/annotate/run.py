"""Asking an outside annotator about the comments of a corpus.

Matches are read twice: to say beforehand how much the command will get, and to ask. What is
answered goes to `<match>/labels/<annotator>.jsonl` at once, so that a run can be stopped at any
moment and goes on from there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from threading import Lock

import msgspec

from touchline.core.errors import InputError, TouchlineError, UsageError
from touchline.io.commentary.columns import Columns
from touchline.io.corpus.label_file import LabelFile, check_annotator
from touchline.io.corpus.layout import CorpusMatch, corpus_matches, is_robocup
from touchline.pipeline.annotate.answers import Conversation, Labelled, Problem
from touchline.pipeline.annotate.command import Command, NoAnswerError, split_command
from touchline.pipeline.annotate.comparing import Agreement, agreements
from touchline.pipeline.annotate.questions import Question, questions
from touchline.pipeline.read import check_clock

TIMEOUT = 120.0
# Questions in a row without an answer, or without one that can be used, after which the command is
# asked no more: it may cost money, and the user should look at it.
MAX_SILENT, MAX_UNUSABLE = 3, 10
_POLL = 0.2  # seconds after which the main thread sees an interrupt

Shown = Callable[[str, int], AbstractContextManager[Callable[[], None]]]


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What is going to be asked.

    `answered` are comments with an answer from an earlier run; `unplaced` those without a time,
    which could describe anything in the log and are not asked about. `broken` are the matches that
    cannot be read.
    """

    annotator: str
    command: tuple[str, ...]
    matches: tuple[CorpusMatch, ...]
    comments: int
    answered: int = 0
    unplaced: int = 0
    broken: tuple[tuple[str, str], ...] = ()


class Annotation(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of `annotate`, as numbers of comments.

    `none` answers say that the comment describes no event, and `unsure` ones are marked as unsure.
    `left` comments were not asked about although they should have been. `agreements` cover all
    labels of the annotator in these matches, including those of earlier runs.
    """

    plan: Plan
    asked: int
    answered: int
    none: int
    unsure: int
    problems: tuple[Problem, ...]
    agreements: tuple[Agreement, ...]

    @property
    def left(self) -> int:
        """The comments that were to be asked about, and were not."""
        return self.plan.comments - self.asked

    @property
    def complete(self) -> bool:
        """Whether nothing went wrong."""
        return not (self.problems or self.left or self.plan.broken)


def annotate(
    folder: str | Path,
    command: str | Sequence[str],
    *,
    annotator: str | None = None,
    matches: Iterable[str] = (),
    limit: int | None = None,
    clock: str = "second",
    timeout: float = TIMEOUT,
    jobs: int = 1,
    text_column: str | None = None,
    clock_column: str | None = None,
    announce: Callable[[Plan], None] = lambda plan: None,
    report: Callable[[Problem], None] = lambda problem: None,
    shown: Shown = lambda what, total: nullcontext(lambda: None),
) -> Annotation:
    """Label the comments of a corpus with an outside annotator, such as a language model.

    Each comment is handed to your own command as a line of JSON, with the comments around it and
    the events that it may describe. The command answers with a line of JSON. touchline itself sends
    nothing anywhere; the command may.

    Parameters
    ----------
    folder
        The corpus folder, or a single match folder.
    command
        The program and its arguments, started without a shell.
    annotator
        The name of the file of labels, `<match>/labels/<annotator>.jsonl`; by default that of the
        program.
    matches
        Names of the matches to ask about; all by default.
    limit
        How many comments to ask about at most.
    clock
        `second` for the comments' exact times where known; `minute` for only their minute.
    timeout
        Seconds in which each answer must come.
    jobs
        How many copies of the command run side by side.
    text_column
        The column of tables of comments that has the text, if it is not recognised.
    clock_column
        The column of tables of comments that has the clock or minute.
    announce
        Called once with the plan of the run, before the command is started.
    report
        Called with each answer that is missing or cannot be used.
    shown
        Opens a progress bar, given a step's name and number of comments; returns a function that
        advances it.

    Returns
    -------
    Annotation
        How many comments were asked about and answered, and how far the labels agree with others.

    Raises
    ------
    UsageError
        The command, the annotator's name or a match's name is invalid.
    InputError
        The folder is not a corpus.
    TouchlineError
        The command cannot be started, or ended without any answer.
    """
    check_clock(clock)
    words = split_command(command)
    name = check_annotator(annotator or _annotator_of(words))
    every = _matches(Path(folder), Columns(text_column, clock_column))
    plan = _plan(_chosen(every, set(matches), folder), name, words, clock, limit)
    announce(plan)
    run = _Run(plan, clock, timeout, report)
    if plan.comments:
        with shown("asking", plan.comments) as move_on:
            run.ask(jobs, move_on)
    return run.result()


def _annotator_of(words: Sequence[str]) -> str:
    """The program's name, or that of the script that Python runs."""
    program = Path(words[0])
    if re.fullmatch(r"python[\d.]*", program.stem) and len(words) > 1:
        program = Path(words[1]) if not words[1].startswith("-") else program
    return re.sub(r"\W+", "-", program.stem).strip("-_")[:64].strip("-_") or "command"


def _matches(folder: Path, columns: Columns) -> list[CorpusMatch]:
    if folder.is_dir() and is_robocup(folder):
        raise InputError(folder, "the RoboCup layout has no place for an annotator's labels")
    return corpus_matches(folder, columns=columns)


def _chosen(
    matches: Sequence[CorpusMatch], names: set[str], folder: str | Path
) -> list[CorpusMatch]:
    found = {one.name: one for one in matches}
    if unknown := sorted(names - found.keys()):
        raise UsageError(f"no match {unknown[0]!r} in {folder}; expected one of {', '.join(found)}")
    return [one for one in found.values() if not names or one.name in names]


def _plan(
    matches: Sequence[CorpusMatch], name: str, words: Sequence[str], clock: str, limit: int | None
) -> Plan:
    """Count what there is to ask about; matches beyond the limit are not read."""
    chosen: list[CorpusMatch] = []
    broken: list[tuple[str, str]] = []
    comments = answered = unplaced = 0
    for one in matches:
        if limit is not None and comments >= limit:
            break
        file = LabelFile(one.path, name)
        try:
            match = one.read(clock=clock, labels=False).match
        except TouchlineError as error:
            broken.append((one.name, str(error)))
            continue
        ids = {question.comment for question in questions(match)}
        chosen.append(one)
        comments += len(ids - file.answered)
        answered += len(ids & file.answered)
        unplaced += len(match.comments) - len(ids)
    return Plan(
        annotator=name,
        command=tuple(words),
        matches=tuple(chosen),
        comments=comments if limit is None else min(comments, limit),
        answered=answered,
        unplaced=unplaced,
        broken=tuple(broken),
    )


class _Run:
    """One run: questions are taken, and labels written, by as many threads as there are commands.

    Everything that they share is changed under one lock.
    """

    def __init__(
        self, plan: Plan, clock: str, timeout: float, report: Callable[[Problem], None]
    ) -> None:
        self.plan, self._clock, self._timeout, self._report = plan, clock, timeout, report
        self._lock = Lock()
        self._files = {one.name: LabelFile(one.path, plan.annotator) for one in plan.matches}
        self._questions = self._open_questions()
        self._talks: list[Conversation] = []
        self._stopped = False
        self._heard = False  # whether the command has said anything at all
        self._asked = self._answered = self._none = self._unsure = 0
        self._problems: list[Problem] = []

    def ask(self, jobs: int, move_on: Callable[[], None]) -> None:
        """Ask all questions; an interrupt ends the commands."""
        with ThreadPoolExecutor(jobs) as pool:
            try:
                left = {pool.submit(self._work, move_on) for _ in range(jobs)}
                while left:
                    done, left = wait(left, timeout=_POLL)
                    for one in done:
                        one.result()
            finally:
                self._stop()

    def _stop(self) -> None:
        with self._lock:
            self._stopped = True
        for talk in self._talks:
            talk.stop()

    def result(self) -> Annotation:
        plan = self.plan
        return Annotation(
            plan=plan,
            asked=self._asked,
            answered=self._answered,
            none=self._none,
            unsure=self._unsure,
            problems=tuple(self._problems),
            agreements=tuple(agreements(plan.matches, plan.annotator, self._clock)),
        )

    def _open_questions(self) -> Iterator[Question]:
        for one in self.plan.matches:
            match = one.read(clock=self._clock, labels=False).match
            for question in questions(match):
                if question.comment not in self._files[one.name].answered:
                    yield question

    def _next(self) -> Question | None:
        with self._lock:
            if self._stopped or self._asked >= self.plan.comments:
                return None
            question = next(self._questions, None)
            self._asked += question is not None
            return question

    def _work(self, move_on: Callable[[], None]) -> None:
        """Ask one copy of the command until nothing is left, or it cannot go on."""
        talk: Conversation | None = None
        silent = unusable = 0
        while silent < MAX_SILENT and unusable < MAX_UNUSABLE and (question := self._next()):
            talk = talk or self._start()
            try:
                unusable = 0 if self._settle(talk, question) else unusable + 1
                silent = 0
            except NoAnswerError as error:
                talk.stop()
                talk = None  # the next question goes to a new one
                silent += 1
                self._miss(question, error)
            move_on()
        if talk:
            for late in talk.finish():
                self._take(late)

    def _start(self) -> Conversation:
        talk = Conversation(Command(self.plan.command, self._timeout))
        with self._lock:
            self._talks.append(talk)
            if self._stopped:
                talk.stop()
        return talk

    def _settle(self, talk: Conversation, question: Question) -> bool:
        """Ask one question; whether an answer can be used."""
        usable = False
        for found in talk.ask(question):
            self._heard = True
            self._take(found)
            usable |= isinstance(found, Labelled)
        return usable

    def _miss(self, question: Question, error: NoAnswerError) -> None:
        """A question without an answer, unless it is because of us."""
        if self._stopped:
            return
        problem = Problem(question.match, question.comment, str(error))
        if error.ended and not self._heard:
            raise TouchlineError(f"{problem}, without any answer")
        self._take(problem)

    def _take(self, found: Labelled | Problem) -> None:
        with self._lock:
            if isinstance(found, Problem):
                self._problems.append(found)
                self._report(found)
                return
            self._files[found.question.match].append(found.label)
            self._answered += 1
            self._none += not found.label.described
            self._unsure += not found.label.sure
