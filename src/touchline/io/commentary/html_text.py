"""Words without the markup around them: tags and entities of web pages and subtitles."""

from __future__ import annotations

import re
from collections.abc import Iterator

_TAG = re.compile(r"</?([A-Za-z][A-Za-z0-9]*)(?:[\s/.:][^<>]*)?>")
# What no reader sees: where it starts, and where it ends.
_UNSEEN = [
    (re.compile(start, re.IGNORECASE), re.compile(end, re.IGNORECASE))
    for start, end in (
        (r"<!--", r"-->"),
        (r"<script\b[^<>]*>", r"</script\s*>"),
        (r"<style\b[^<>]*>", r"</style\s*>"),
    )
]
# Tags inside a word or a line leave nothing behind; any other one parts the words beside it.
_INLINE = frozenset(
    "a abbr b bdi c em font i lang mark ruby s small span strong sub sup u v".split()
)
_SUBTITLE_CODE = re.compile(r"\{\\[^{}]*\}|<\d\d:[\d:.]+>")  # `{\an8}`, WebVTT's inner times
_SPACES = re.compile(r"[ \t\xa0]*\n\s*|[ \t\xa0]{2,}|\xa0")


def plain_text(text: str) -> str:
    """The text as a reader sees it; one without markup stays as it is, but for its edges."""
    if "<" in text:
        for start, end in _UNSEEN:
            text = " ".join(_seen(text, start, end))
        text = _SPACES.sub(" ", _TAG.sub(_gap, text))
    if "&" in text:
        import html  # brings a table of two thousand names

        text = _SPACES.sub(" ", html.unescape(text))
    return text.strip()


def cue_text(lines: list[str]) -> str:
    """The words of a subtitle's lines."""
    return plain_text(_SUBTITLE_CODE.sub("", " ".join(lines)))


def _seen(text: str, start: re.Pattern[str], end: re.Pattern[str]) -> Iterator[str]:
    """What stands around the unseen parts; one without an end is none, and ends the search."""
    at = 0
    while (opened := start.search(text, at)) and (closed := end.search(text, opened.end())):
        yield text[at : opened.start()]
        at = closed.end()
    yield text[at:]


def _gap(tag: re.Match[str]) -> str:
    return "" if (tag[1] or "").lower() in _INLINE else " "
