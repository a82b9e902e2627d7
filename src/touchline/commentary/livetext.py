"""Live text as copied from a page: a clock, then words, one entry a line or a paragraph.

Understands `12' ...`, `45+2' ...`, `45'+2' ...`, `90 + 4: ...`, `12:34 ...`, `[12] ...`,
`12 min: ...`, a clock on a line of its own, and headings (HT, FT, Second half ...).
"""

from __future__ import annotations

import re

from touchline.clocks import CLOCK, clock_of
from touchline.commentary.placing import Entry, Heading

_LINE = re.compile(
    rf"""
    \s* (?P<open>[\[(])? \s* {CLOCK}
    (?P<word> \s*min(?:ute)?s?\b\.? )? (?P<close>[\])])?
    (?P<mark> \s*[:|–—-] | \.(?=\s) )? (?P<text> \s.* | $ )
    """,
    re.VERBOSE | re.IGNORECASE,
)
# What pages write between the halves, alone or before a score; 0 starts no period.
_HEADINGS = {
    0: r"FT|full[\s-]*time|KO|kick[\s-]*off|(?:the\s+)?(?:first|1st)[\s-]half|AET",
    2: r"HT|half[\s-]*time|(?:the\s+)?(?:second|2nd)[\s-]half",
    3: r"ET|extra[\s-]*time(?:\s*[:,-]?\s*first\s+half)?",
    4: r"extra[\s-]*time\s*[:,-]?\s*second\s+half|half[\s-]*time\s+(?:in|of)\s+extra[\s-]*time",
    5: r"penalties|penalty\s+shoot[\s-]*out",
}
_TEAM = r"[^\W\d][\w .&'-]{0,30}"
_SCORE = rf"(?:\s*[:,–-]?\s*(?:{_TEAM}\s)?\d{{1,2}}\s*[-–:]\s*\d{{1,2}}(?:\s{_TEAM})?)?"
_HEADING = {
    starts: (
        re.compile(rf"[\W_]{{0,12}}(?:{words}){_SCORE}[\W_]{{0,12}}", re.IGNORECASE),
        re.compile(rf"[\W_]{{0,12}}(?:{words})\s*[:–—|-]\s", re.IGNORECASE),
    )
    for starts, words in _HEADINGS.items()
}


def recognise(text: str) -> bool:
    """Whether any of the first lines starts with a clock."""
    return any(_clock_line(line) for line in text.split("\n")[:200])


def read(text: str) -> list[Entry | Heading]:
    """The entries and headings of a live text, in the order of the page."""
    items: list[Entry | Heading] = []
    clock: str | None = None
    open_entry = False  # whether the next plain line goes on with the entry before it
    for line in text.split("\n"):
        if not line.strip():
            open_entry = False
            continue
        heading, words = _heading(line)
        found = None if heading else _clock_line(line)
        if heading:
            items += [Entry(text=words)] if words else []
            items += [heading] if heading.starts else []
            clock, open_entry = None, False
        elif found:
            clock = _written(found)
            words = found["text"].strip()
            items += [Entry(text=words, clock=clock)] if words else []
            open_entry = bool(words)
        elif open_entry and isinstance(items[-1], Entry):
            before = items.pop()
            assert isinstance(before, Entry)
            items.append(Entry(text=f"{before.text} {line.strip()}", clock=before.clock))
        else:
            items.append(Entry(text=line.strip(), clock=clock))
            clock, open_entry = None, True
    return items


def _heading(line: str) -> tuple[Heading | None, str]:
    """The heading that a line is or starts with, and the words told after it."""
    for starts, (alone, before_words) in _HEADING.items():
        if alone.fullmatch(line):
            return Heading(starts), ""
        if before_words.match(line):
            return Heading(starts), line.strip()
    return None, ""


def _clock_line(line: str) -> re.Match[str] | None:
    """The line as clock and text, if something besides the number marks it as a clock."""
    found = _LINE.fullmatch(line)
    if found is None:
        return None
    alone = not found["text"].strip()
    number = line[: found.start("text")]
    marked = any(found[name] for name in ("second", "added", "word", "close", "mark"))
    quoted = any(quote in number for quote in "'’‘′´`")
    return found if marked or quoted or (alone and int(found["minute"]) <= 130) else None


def _written(found: re.Match[str]) -> str:
    """The clock in one spelling, whatever the page's was."""
    clock = clock_of(found)
    added = f"+{clock.added}" if clock.added is not None else ""
    if clock.second is not None:
        return f"{clock.minute}:{clock.second:02d}{added}"
    return f"{clock.minute}{added}'"
