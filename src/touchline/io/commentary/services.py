"""JSON of services whose comments need more than their names: Stats Perform's MA6, ESPN's summary.

Both are turned into the rows of a table, which is then read like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

# MA6's codes for what is no period: the breaks, after the match, before it.
_BETWEEN = frozenset(map(str, range(10, 19)))


def rows_of(content: Any) -> list[Any] | None:
    """The comments of a service's file in the order that it has them; None for any other file."""
    if not isinstance(content, Mapping):
        return None
    for looks_so, rows in _SERVICES:
        if looks_so(content):
            return list(rows(content))
    return None


def _is_ma6(content: Mapping[str, Any]) -> bool:
    messages = content.get("message", content.get("messages"))
    return "matchInfo" in content and isinstance(messages, list)


def _ma6(content: Mapping[str, Any]) -> Iterator[Any]:
    """A message has its clock in `time`; what is said outside play has none, and minute 0."""
    for message in _several(content.get("message", content.get("messages"))):
        if not isinstance(message, Mapping):
            yield message
            continue
        row = {key: message[key] for key in ("id", "comment", "period") if key in message}
        if str(row.get("period")) in _BETWEEN:
            del row["period"]
            yield {**row, "outside_play": True}
        elif message.get("time"):
            yield {**row, "clock": message["time"]}
        else:
            yield {**row, **{k: message[k] for k in ("minute", "second") if k in message}}


def _several(messages: Any) -> Iterator[Any]:
    """The messages; some files have a list of such lists, one of each language."""
    for one in messages or ():
        inner = one.get("message") if isinstance(one, Mapping) and "comment" not in one else None
        yield from inner if isinstance(inner, list) else [one]


def _is_espn(content: Mapping[str, Any]) -> bool:
    lists = [content.get("commentary"), content.get("keyEvents")]
    known = "header" in content or "boxscore" in content or "gameInfo" in content
    return known and any(isinstance(one, list) and one for one in lists)


def _espn(content: Mapping[str, Any]) -> Iterator[Any]:
    """The commentary; where a match has none, its key events, whose words are the same."""
    commentary = content.get("commentary")
    events = commentary if isinstance(commentary, list) and commentary else content["keyEvents"]
    for event in events:
        if not isinstance(event, Mapping):
            yield event
            continue
        inner = event.get("play")
        play: Mapping[str, Any] = inner if isinstance(inner, Mapping) else event
        row: dict[str, Any] = {"text": event.get("text") or play.get("text") or ""}
        identity = event.get("sequence", event.get("id"))
        row |= {"id": identity} if identity is not None else {}
        clock = _shown(event.get("time")) or _shown(play.get("clock"))
        row |= {"clock": clock} if clock else {}
        period = play.get("period")
        number = period.get("number") if isinstance(period, Mapping) else None
        yield {**row, "period": number} if clock and number in (1, 2, 3, 4, 5) else row


def _shown(clock: Any) -> str:
    shown = clock.get("displayValue") if isinstance(clock, Mapping) else clock
    return shown.strip() if isinstance(shown, str) else ""


_Looks = Callable[[Mapping[str, Any]], bool]
_Rows = Callable[[Mapping[str, Any]], Iterator[Any]]
_SERVICES: tuple[tuple[_Looks, _Rows], ...] = ((_is_ma6, _ma6), (_is_espn, _espn))
