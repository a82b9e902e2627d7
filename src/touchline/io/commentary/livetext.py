"""Live text as copied from a page: a clock, then words, one entry a line or a paragraph.

`clock_lines` finds the clocks; headings (HT, FT, Second half ...) are read here, in English and as
German, Spanish, French and Italian pages write them. Where there is no clock at all, each line is
an entry.
"""

from __future__ import annotations

import re

from touchline.io.commentary.clock_lines import PageStyle
from touchline.io.commentary.entries import SHOOTOUT, Entry, Heading, has_clock

_INVISIBLE = dict.fromkeys(map(ord, "\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u00ad"))

# Patterns are compiled when they are first used: most files are no pages, and they are many.
# `[18/11/26, 20:45:10] Ann: ` or `18.11.26, 20:45 - Ann: `, as messengers export a chat.
_MESSAGE = (
    r"(?im)^\u200e?\[?\d{1,4}[./-]\d{1,2}[./-]\d{2,4},? \d{1,2}:\d\d(?::\d\d)?(?:\s?[ap]\.?m\.?)?"
    r"(?:\]| -) [^:\n]{1,40}: "
)
_RULE = r"(?:[-–—_=*~•·.#]\s*+){3,}"  # a line across the page
_HALF = r"(?:\s*[:,–-]\s*|\s+)(?:{})[\s-]+half"
_FIRST, _SECOND = r"(?:the\s+)?(?:first|1st)", r"(?:the\s+)?(?:second|2nd)"
_EXTRA = r"(?:ET|extra[\s-]*time)"
_SHOOTOUT, _BEGINS = r"shoot[\s-]*outs?", r"(?:begins|starts|(?:is\s+)?under\s*way)"
# The same as German, Spanish, French and Italian pages write it.
_HALF_NAMES = r"(?:halbzeit|mi-temps|période|tempo|tiempo|parte)"
_ABROAD = {
    1: rf"(?:1\.|1ère|1re|erste|première|primera?|primo)\s+{_HALF_NAMES}",
    2: rf"(?:2\.|2e|2ème|zweite|seconde|deuxième|segund[ao]|secondo)\s+{_HALF_NAMES}",
    3: r"(?:verlängerung|prórroga|prolongations?|(?:tempi\s+)?supplementari)",
    4: r"(?:2\.|zweite)\s+halbzeit\s+der\s+verlängerung",
    5: r"(?:elfmeterschie(?:ß|ss)en|tanda\s+de\s+penaltis|tirs\s+au\s+but"
    r"|(?:calci\s+di\s+)?rigor[ei])",
}
_BREAKS = r"halbzeit|halbzeitpause|pause|descanso|mi-temps|intervallo"
_WHISTLES = r"anpfiff|abpfiff|spielende|fin\s+del\s+partido|fin\s+du\s+match|fine\s+partita"
# What pages write between the halves, alone or before a score; 0 starts no period. A title stands
# above its half, the others between two.
_HEADINGS = (
    (Heading(4), rf"half[\s-]*time\s+(?:in|of)\s+{_EXTRA}|(?:AET|ET)\s*HT"),
    (Heading(4, title=True), _EXTRA + _HALF.format(_SECOND) + rf"|{_ABROAD[4]}"),
    (Heading(3, title=True), _EXTRA + rf"(?:{_HALF.format(_FIRST)})?|{_ABROAD[3]}"),
    (
        Heading(5, title=True),
        rf"(?:the\s+)?(?:pen(?:alties|alty\s+{_SHOOTOUT}|s)?|{_SHOOTOUT})(?:\s+{_BEGINS})?"
        rf"|{_ABROAD[5]}",
    ),
    (Heading(2), rf"HT|half[\s-]*time|{_BREAKS}"),
    (
        Heading(2, title=True),
        rf"{_SECOND}[\s-]+half(?:\s+{_BEGINS})?|{_ABROAD[2]}",
    ),
    (Heading(1, title=True), rf"{_FIRST}[\s-]+half(?:\s+{_BEGINS})?|{_ABROAD[1]}"),
    (
        Heading(0),
        r"FT|full[\s-]*time|KO|kick[\s-]*off|AET|(?:second|match|game)\s+(?:half\s+)?ends"
        rf"|{_WHISTLES}",
    ),
)
# `120'+3' Penalty shoot-out begins, City 1, Athletic 1` is a heading and an entry as well.
_SHOOTOUT_BEGINS = rf"(?i)[\W_]{{0,12}}(?:the\s+)?penalty\s+{_SHOOTOUT}\s+{_BEGINS}\b"
_MAX_HEADING = 120
_TEAM = r"[^\W\d][\w .&'’-]{0,30}"
_SCORE = rf"(?:\s*[:,|–—-]?\s*(?:{_TEAM}\s)?\d{{1,2}}\s*[-–:]\s*\d{{1,2}}(?:\s{_TEAM})?)?"
_HEADING = [
    (
        heading,
        rf"(?i)[\W_]{{0,12}}(?:{words}){_SCORE}[\W_]{{0,12}}",
        rf"(?i)[\W_]{{0,12}}(?:{words})\s*[:–—|-]+\s",
    )
    for heading, words in _HEADINGS
]
_OF_SHOOTOUT = [alone for heading, alone, _ in _HEADING if heading.starts == SHOOTOUT.starts]


def _is_heading(line: str) -> bool:
    """Whether a line is a heading and nothing else."""
    found = _heading(line)
    return found is not None and not found[1]


def recognise(text: str) -> bool:
    """Whether enough of the first lines have a clock."""
    lines = [line for line in text.translate(_INVISIBLE).split("\n")[:400] if line.strip()]
    if not lines or lines[0].lstrip().startswith("<") or any("-->" in line for line in lines):
        return False  # a web page's source or subtitles, full of clocks as they are
    style = PageStyle(lines, _is_heading)
    clocks = [found for line in lines if (found := style.clock_line(line))]
    marked = [one for one in clocks if one.text or one.clock.added is not None or one.unit]
    return bool(marked) and 20 * len(clocks) >= len(lines)


def read(text: str) -> list[Entry | Heading]:
    """The entries and headings of a live text, in the order of the page."""
    lines = text.translate(_INVISIBLE).split("\n")
    style = PageStyle(lines, _is_heading)
    page = _Page(style)
    for number, line in style.in_order(lines):
        page.add(line.strip(), f"line {number}")
    page.end_entry()
    return page.items


class _Page:
    """A live text read line by line: what it says so far, and the entry that is being read."""

    def __init__(self, style: PageStyle) -> None:
        self.style = style
        self.in_shootout = False  # below its heading, an entry without a clock is a line
        self.items: list[Entry | Heading] = []
        self.clock: str | None = None  # written, but its entry's words are still to come
        self.words: list[str] = []
        self.where = ""

    def add(self, line: str, where: str) -> None:
        line = "" if re.fullmatch(_RULE, line) else line
        heading = _heading(line)
        at_end = heading is not None and bool(heading[1]) and self.style.at_end
        found = self.style.clock_line(line) if not heading or at_end else None
        heading = None if found else heading
        if heading:
            starts, words = heading
            if self.clock and not self.words:
                self.words, words = [line], ""  # the words of a clock on a line of its own
            self.end_entry(of_shootout=starts.starts == 5)
            self.items += [Entry(text=words, where=where)] if words else []
            self.items += [starts] if starts.starts else []
            self.in_shootout = starts.starts == 5 and self.style.is_late
        elif found:
            clock = str(found.clock)
            if self.clock != clock or self.words:
                self.end_entry()
            self.clock, self.where, self.in_shootout = clock, where, False
            self.words = [found.text] if found.text else []
            if begins_shootout(found.text):
                self.end_entry()
                self.in_shootout = self.style.is_late
        elif line:
            self.where = self.where if self.words or self.clock else where
            self.words.append(line)
            if not self.style.is_timed or (self.in_shootout and not self.clock):
                self.end_entry()
        elif self.words:
            self.end_entry()  # a blank line ends a paragraph, but not a clock without words yet

    def end_entry(self, of_shootout: bool = False) -> None:
        """Add the entry; kicks that stand above their heading are an entry each line."""
        texts = [" ".join(self.words)] if self.words or self.clock else []
        newest_first = of_shootout and self.style.is_late and not any(map(has_clock, self.items))
        if newest_first and self.clock is None:
            texts = self.words
        for text in texts:
            self.items += [SHOOTOUT] if begins_shootout(text) else []
            self.items.append(Entry(text=text, clock=self.clock, where=self.where))
        self.clock, self.words = None, []


def is_heading(text: str) -> bool:
    """Whether a text is nothing but a heading such as HT or `Second half`."""
    return len(text) < _MAX_HEADING and any(re.fullmatch(alone, text) for _, alone, _ in _HEADING)


def begins_shootout(text: str) -> bool:
    """Whether an entry says that the shoot-out begins, or is nothing but its heading."""
    start = text[:_MAX_HEADING]
    titles = (re.fullmatch(title, start) for title in _OF_SHOOTOUT)
    if not (re.match(_SHOOTOUT_BEGINS, start) or any(titles)):
        return False  # as nearly all entries: whether they are any other heading does not matter
    found = _heading(text)
    alone = found is not None and (found[0] == SHOOTOUT or not found[1])
    return found is not None and alone and found[0].starts == SHOOTOUT.starts


def _heading(line: str) -> tuple[Heading, str] | None:
    """The heading that a line is or starts with, and the words that follow it."""
    start = line[:_MAX_HEADING]
    for heading, alone, before_words in _HEADING:
        if len(line) < _MAX_HEADING and re.fullmatch(alone, line):
            return heading, ""
        if re.match(before_words, start):
            return heading, line
    return (SHOOTOUT, line) if re.match(_SHOOTOUT_BEGINS, start) else None


def without_message_heads(text: str) -> str:
    """The text of a messenger's export without dates and senders; any other text as it is."""
    lines = text.count("\n") + 1
    heads = len(re.findall(_MESSAGE, text[:100_000]))
    return re.sub(_MESSAGE, "", text) if heads > 1 and 2 * heads >= min(lines, 20) else text
