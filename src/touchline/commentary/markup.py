"""Words without the markup around them: tags and entities of web pages and subtitles."""

from __future__ import annotations

import html
import re

_TAG = re.compile(r"</?([A-Za-z][A-Za-z0-9]*)(?:[\s/.:][^<>]*)?>|<!--.*?-->", re.DOTALL)
_UNSEEN = re.compile(r"<(script|style)\b[^<>]*>.*?</\1\s*>", re.DOTALL | re.IGNORECASE)
# Tags inside a word or a line leave nothing behind; any other one parts the words beside it.
_INLINE = frozenset(
    "a abbr b bdi c em font i lang mark ruby s small span strong sub sup u v".split()
)
_SUBTITLE_CODE = re.compile(r"\{\\[^{}]*\}|<\d\d:[\d:.]+>")  # `{\an8}`, WebVTT's inner times
_SPACES = re.compile(r"[ \t\xa0]*\n\s*|[ \t\xa0]{2,}|\xa0")


def plain_text(text: str) -> str:
    """The text as a reader sees it; one without markup stays as it is, but for its edges."""
    if "<" in text:
        text = _TAG.sub(_gap, _UNSEEN.sub(" ", text) if "</" in text else text)
        text = _SPACES.sub(" ", text)
    if "&" in text:
        text = _SPACES.sub(" ", html.unescape(text))
    return text.strip()


def cue_text(lines: list[str]) -> str:
    """The words of a subtitle's lines."""
    return plain_text(_SUBTITLE_CODE.sub("", " ".join(lines)))


def _gap(tag: re.Match[str]) -> str:
    return "" if (tag[1] or "").lower() in _INLINE else " "
