"""Following a match: threads wait for input, one loop writes answers."""

from __future__ import annotations

import os
import queue
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from touchline.core.links import CommentLinks
from touchline.core.records import Match
from touchline.io.files import stream_decoder
from touchline.io.links.jsonl import to_lines
from touchline.pipeline.live.session import Session
from touchline.pipeline.live.sources import Commentary, Feed, GrowingFile

# Seconds from one look at a file to the next.
LOOK = 0.2
# So many comments show whether the model knows their language.
ENOUGH = 20
STRANGE = (
    "the model knows few of this match's words or events; links are rough until the end "
    "(train a model on your own matches with `touchline fit` and pass it with --model)"
)
_BLOCK = 1 << 16


class Said(NamedTuple):
    """More of the commentary; `anew` if it is all of it."""

    text: str
    anew: bool = False


class Ended(NamedTuple):
    """No more comments will come."""


class Interrupted(NamedTuple):
    """Somebody pressed Ctrl-C."""


class Failed(NamedTuple):
    """Something went wrong in a thread."""

    error: Exception


News = Match | Said | Ended | Interrupted | Failed
Inbox = queue.SimpleQueue[News]


class Run:
    """A match that is followed until its commentary ends."""

    def __init__(
        self, session: Session, feed: Feed, commentary: Commentary, say: Callable[[str], None]
    ) -> None:
        self.session, self.feed, self.commentary = session, feed, commentary
        self._say = say
        self._checked = False
        self._over = threading.Event()
        self._inbox: Inbox = queue.SimpleQueue()

    def follow(self, growing: GrowingFile | None) -> None:
        """Answer comments from a growing file, else from standard input, until they end."""
        if (match := self.feed.look()) is not None:
            self.session.follow_log(match)
        watching = self._start(self._watch_feed)
        self._start((lambda: self._watch_file(growing)) if growing else self._listen)
        with _interrupts_as(lambda: self._inbox.put(Interrupted())):
            self._serve()
            self._over.set()
            watching.join()
            self._finish()

    def _serve(self) -> None:
        """Take in all there is, answer one comment, look again."""
        ended = False
        while not ended or self.session.waiting:
            for news in self._arrived(wait=not self.session.waiting):
                ended |= self._take(news)
            if self.session.waiting:
                self._give(self.session.answer_some())

    def _finish(self) -> None:
        """The log as it is in the end, then everything once more."""
        for news in self._arrived(wait=False):
            self._take(news)
        for _ in range(2):  # a log that has become shorter counts at the second look
            if (match := self.feed.look()) is not None:
                self._take(match)
        if self.session.match.events and self.session.match.comments:
            self._give(self.session.finish())

    def _arrived(self, wait: bool) -> Iterator[News]:
        try:
            yield self._inbox.get(block=wait)
            while True:
                yield self._inbox.get(block=False)
        except queue.Empty:
            return

    def _take(self, news: News) -> bool:
        """Take in what is new; whether it is the end."""
        match news:
            case Interrupted():
                raise KeyboardInterrupt
            case Failed(error):
                raise error
            case Said(text, anew):
                if anew:
                    self.commentary.begin_anew()
                self.commentary.add(text)
                self._read_comments()
            case Match():
                self.session.follow_log(news)
                self._read_comments()
        return isinstance(news, Ended)

    def _read_comments(self) -> None:
        ends = self.session.match.ends
        self.session.follow_comments(self.commentary.comments(ends))
        match = self.session.match
        if not self._checked and match.events and len(match.comments) >= ENOUGH:
            self._checked = True
            self.session.choose_model()
            if not self.session.fits:
                self._say(f"warning: {STRANGE}")

    def _give(self, answers: Iterable[CommentLinks]) -> None:
        for answer in answers:
            write_answer(answer)

    # Threads ------------------------------------------------------------------------------------

    def _start(self, work: Callable[[], None]) -> threading.Thread:
        def run() -> None:
            try:
                work()
            except Exception as error:  # the main thread has to know
                self._inbox.put(Failed(error))

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        return thread

    def _watch_feed(self) -> None:
        while not self._over.wait(LOOK):
            if (match := self.feed.look()) is not None:
                self._inbox.put(match)

    def _watch_file(self, growing: GrowingFile) -> None:
        while not self._over.is_set():
            if (text := growing.look()) is not None:
                self._inbox.put(Said(text, anew=True))
            self._over.wait(LOOK)

    def _listen(self) -> None:
        """Standard input, line by line as it comes; what is after the last line's end, at its end.

        Read below Python's own buffers, which wait until they are full.
        """
        decoder, rest = None, ""
        while block := os.read(sys.stdin.fileno(), _BLOCK):
            decoder = decoder or stream_decoder("standard input", block)
            lines, end, rest = (rest + decoder.decode(block)).rpartition("\n")
            if end:
                self._inbox.put(Said(lines))
        if rest:
            self._inbox.put(Said(rest))
        self._inbox.put(Ended())


def write_answer(answer: CommentLinks) -> None:
    """Write a whole line to standard output and flush it."""
    for line in to_lines([answer]):
        sys.stdout.buffer.write(line.encode())
    sys.stdout.buffer.flush()


@contextmanager
def _interrupts_as(wish: Callable[[], None]) -> Iterator[None]:
    """Handle Ctrl-C between two lines; pressed again it stops at once."""

    def heard(*_: Any) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        wish()

    before = signal.signal(signal.SIGINT, heard)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
