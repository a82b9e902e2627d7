"""Links as tasks of Label Studio, with the linked events as its predictions.

A task is a comment with its neighbours and the events that it may describe; the labelling interface
is `CONFIG`. `touchline data import-labels` brings the annotations back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import IO, Any

import msgspec

from touchline.core.links import CommentLinks, Links
from touchline.core.records import Comment, Event, Match
from touchline.io.corpus.label_studio import EVENTS, NO_EVENT
from touchline.io.links.origin import Origin
from touchline.methods.buckets import Indices, Window, buckets

NEIGHBOURS = 2
# Of a bucket with more events than an annotator can look through, the nearest.
MAX_CANDIDATES = 60
_TEXT = "text"

CONFIG = f"""\
<View>
  <Header value="$title"/>
  <Text name="before" value="$before"/>
  <Text name="{_TEXT}" value="$text"/>
  <Text name="after" value="$after"/>
  <Header value="Which events does the comment in the middle describe?" size="5"/>
  <Choices name="{EVENTS}" toName="{_TEXT}" choice="multiple" value="$candidates" required="true"/>
  <Choices name="sure" toName="{_TEXT}" choice="single" showInline="true">
    <Choice value="sure"/>
    <Choice value="unsure"/>
  </Choices>
  <TextArea name="note" toName="{_TEXT}" rows="1" placeholder="note"/>
</View>
"""


def write(many: Sequence[Links], origin: Origin, out: IO[str]) -> None:
    """A list of tasks; each has the links as a prediction."""
    made_by = f"touchline {origin.touchline} {origin.method}"
    tasks = [task for links in many for task in _tasks(links, made_by)]
    out.write(msgspec.json.format(msgspec.json.encode(tasks), indent=1).decode() + "\n")


def _tasks(links: Links, made_by: str) -> Iterator[dict[str, Any]]:
    match = links.match
    places = {comment.id: place for place, comment in enumerate(match.comments)}
    inside = list(buckets(match, Window()))
    for answer in links:
        place = places[answer.comment]
        events = _candidates(match, match.comments[place], inside[place], answer)
        names = _names(events)
        yield {
            "data": _data(match, place, names),
            "predictions": [_prediction(answer, names, made_by)],
        }


def _candidates(
    match: Match, comment: Comment, inside: Indices, answer: CommentLinks
) -> list[Event]:
    """The events to choose from in match order: the nearest ones, and always the linked ones."""
    linked = {link.id for link in answer.events}
    near = [match.linkable[index] for index in inside]
    if comment.time is not None:
        time = comment.time
        near.sort(key=lambda event: abs(event.time - time))
    chosen = {event.id for event in near[:MAX_CANDIDATES]} | linked
    return [event for event in match.events if event.id in chosen]


def _names(events: Sequence[Event]) -> dict[str, str]:
    """What each event is called in the list, by its id; no two are called the same."""
    names: dict[str, str] = {}
    seen: Counter[str] = Counter()
    for event in events:
        minute, second = divmod(int(event.time), 60)
        name = f"{event.clock} ({minute}:{second:02d}) {event.describe()}"
        seen[name] += 1
        names[event.id] = name if seen[name] == 1 else f"{name} #{seen[name]}"
    return names


def _data(match: Match, place: int, names: dict[str, str]) -> dict[str, Any]:
    comment = match.comments[place]
    texts = [one.text for one in match.comments]
    return {
        "match": match.name,
        "comment": comment.id,
        "title": f"{match.name}, {comment.clock or 'no clock'}",
        "before": "\n".join(texts[max(place - NEIGHBOURS, 0) : place]),
        "text": comment.text,
        "after": "\n".join(texts[place + 1 : place + 1 + NEIGHBOURS]),
        # Label Studio stores the alias of a choice; older versions its value.
        "candidates": [
            {"value": NO_EVENT},
            *({"value": name, "alias": event} for event, name in names.items()),
        ],
    }


def _prediction(answer: CommentLinks, names: dict[str, str], made_by: str) -> dict[str, Any]:
    scores = [link.score for link in answer.events]
    chosen = [link.id for link in answer.events]
    if answer.state == "none":
        scores, chosen = [answer.none], [NO_EVENT]
    region = {
        "id": "events",
        "from_name": EVENTS,
        "to_name": _TEXT,
        "type": "choices",
        "value": {"choices": chosen},
    }
    return {
        "model_version": made_by,
        "score": min(scores, default=0.0),
        "result": [region] if chosen else [],
    }
