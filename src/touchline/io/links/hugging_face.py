"""Links as a data set that Hugging Face's `datasets` loads: JSON Lines and a card.

`data/<match>.jsonl` has a line per comment with its events, all in columns of one type, and the
events of its label where it has one. The card, `README.md`, says what is in it and how it was made;
its header describes the columns, so that nothing is guessed from the first match.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from touchline.core.links import CommentLinks, Counts, Link, Links
from touchline.core.records import Comment, CommentId, Match, label_of, name_of
from touchline.core.version import __version__
from touchline.io.files import write_text_whole
from touchline.io.storage import AnyPath

DATA = "data"
CARD = "README.md"
# Columns and their types; those of `events` are its fields.
COLUMNS = {
    "match": "string", "comment": "string", "clock": "string", "period": "int64",
    "start": "float64", "end": "float64", "text": "string", "state": "string", "none": "float64",
    "events": {
        "id": "string", "type": "string", "outcome": "string", "player": "string",
        "recipient": "string", "team": "string", "period": "int64", "time": "float64",
        "x": "float64", "y": "float64", "score": "float64", "words": "string",
    },
    "phase_team": "string", "phase_kind": "string", "labels": ["string"],
}  # fmt: skip
_MEANING = {
    "match, comment": "the match and the comment's id in it",
    "clock": "the clock that the page showed, if any",
    "period, start, end": "when the comment was made: the period and its seconds, as far as known",
    "text": "the comment",
    "state": "`linked`, `none` (describes no event) or `unsure`",
    "none": "probability that the comment describes no event",
    "events": "the events it describes, in match order; `score` is the probability of each, `x` "
    "and `y` are on a pitch of 120 x 80 seen by the acting team, `words` what describes it",
    "phase_team, phase_kind": "the team whose spell of play the comment is about, if it is about "
    "one",
    "labels": "ids of the events of its label (`gold.jsonl`); null for a comment without one",
}


def write_match(
    links: Links, labels: Mapping[CommentId, frozenset[str]] | None, folder: AnyPath
) -> None:
    """Write the rows of a match."""
    with write_text_whole(folder / DATA / f"{links.match.name}.jsonl") as out:
        for row in rows(links, labels):
            out.write(msgspec.json.encode(row).decode() + "\n")


def rows(
    links: Links, labels: Mapping[CommentId, frozenset[str]] | None = None
) -> Iterator[dict[str, Any]]:
    """A row per comment, with the columns of `COLUMNS`."""
    comments = {comment.id: comment for comment in links.match.comments}
    for answer in links:
        label = (labels or {}).get(answer.comment)
        yield _row(links.match, answer, comments[answer.comment], label)


def _row(
    match: Match, answer: CommentLinks, comment: Comment, label: frozenset[str] | None
) -> dict[str, Any]:
    place = match.place_of
    return {
        "match": answer.match,
        "comment": str(answer.comment),
        "clock": comment.clock,
        "period": comment.period,
        "start": comment.start,
        "end": comment.end,
        "text": comment.text,
        "state": answer.state,
        "none": answer.none,
        "events": [_event(match, comment, link) for link in answer.events],
        "phase_team": answer.phase.team if answer.phase else None,
        "phase_kind": answer.phase.kind if answer.phase else None,
        "labels": None if label is None else sorted(label, key=lambda one: place.get(one, -1)),
    }


def _event(match: Match, comment: Comment, link: Link) -> dict[str, Any]:
    event = match.event_by_id[link.id]
    x, y = event.location or (None, None)
    return {
        "id": event.id,
        "type": event.type,
        "outcome": event.arguments.get("outcome"),
        "player": label_of(event.player),
        "recipient": label_of(event.recipient),
        "team": name_of(event.team),
        "period": event.period,
        "time": event.time,
        "x": x,
        "y": y,
        "score": link.score,
        "words": link.words_in(comment),
    }


def write_card(
    folder: AnyPath, name: str, method: str, models: Sequence[str], total: Counts
) -> None:
    """Write the card of the data set, once its rows are there."""
    files = sorted(path.name for path in (folder / DATA).glob("*.jsonl"))
    with write_text_whole(folder / CARD) as out:
        out.write(card(name, method, models, total, len(files)))


def card(name: str, method: str, models: Sequence[str], total: Counts, matches: int) -> str:
    """The text of the card, with its header."""
    header = {
        "pretty_name": name,
        "license": "other",
        "tags": ["football", "soccer", "commentary", "event data", "alignment"],
        "size_categories": [_size(total.comments)],
    }
    fields = "\n".join(f"| {column} | {meaning} |" for column, meaning in _MEANING.items())
    made = f"touchline {__version__}, method `{method}`"
    made += f", answered by {', '.join(models)}" if models else ""
    return f"""---
{_yaml(header)}configs:
- config_name: default
  data_files: "{DATA}/*.jsonl"
dataset_info:
  features:
{_features(COLUMNS, "  ")}---

# {name}

Football commentary, each comment linked to the events of the match log that it describes: none, one
or several. {matches} {"match" if matches == 1 else "matches"}, {total}.

Made by {made}. The links were made by a machine and are not all correct; `score` says how sure
each one is.

```python
from datasets import load_dataset

comments = load_dataset("path/to/this/folder", split="train")
```

| column | meaning |
|---|---|
{fields}

## Terms

The commentary belongs to its publisher and the events to their provider. Check their terms before
you publish this data set, and put the licence into the header above.
"""


def _yaml(header: Mapping[str, Any]) -> str:
    """JSON is YAML; texts are quoted, so that a name may be any text."""
    lines = (f"{key}: {msgspec.json.encode(value).decode()}\n" for key, value in header.items())
    return "".join(lines)


def _features(columns: Mapping[str, Any], indent: str) -> str:
    lines = []
    for name, kind in columns.items():
        lines.append(f"{indent}- name: {name}\n")
        if isinstance(kind, Mapping):
            lines.append(f"{indent}  list:\n{_features(kind, indent + '  ')}")
        elif isinstance(kind, list):
            lines.append(f"{indent}  sequence: {kind[0]}\n")
        else:
            lines.append(f"{indent}  dtype: {kind}\n")
    return "".join(lines)


def _size(number: int) -> str:
    """The Hub's category for a number of rows."""
    limits = {1_000: "n<1K", 10_000: "1K<n<10K", 100_000: "10K<n<100K", 1_000_000: "100K<n<1M"}
    return next((name for limit, name in limits.items() if number < limit), "1M<n<10M")
