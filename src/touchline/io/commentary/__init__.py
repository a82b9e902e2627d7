"""Readers of commentary: a module per kind of text, recognised by content."""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from touchline.core.clocks import STARTS, live_clock
from touchline.core.errors import InputError, TouchlineError, UsageError, warn_of
from touchline.core.plugins import PluginError, called, failure, load_plugin, plugins
from touchline.core.records import Comment, HalfByNames, Kickoff, Match
from touchline.io.commentary import livetext, recognisers, soccernet, tables
from touchline.io.commentary.checks import doubts
from touchline.io.commentary.columns import ANY, Columns
from touchline.io.commentary.entries import Entry, Heading, clock_of, ids, on_recording
from touchline.io.commentary.limits import (
    check_entries,
    check_pairs,
    overlong,
    trimmed,
)
from touchline.io.commentary.slips import marked, repaired, slips
from touchline.io.commentary.timing import minute_only, place
from touchline.io.files import Content, errors_about, read_text, reader_path
from touchline.io.sizes import MAX_FILE, check_text
from touchline.io.sources import Readable, as_sources
from touchline.io.storage import AnyPath

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = ["BUILT_IN", "minute_only", "read_comments", "with_commentary"]

Items = list[Entry | Heading]
Paths = Readable  # one, or several in a list
Kickoffs = Mapping[int, float] | Sequence[Kickoff]

# In a recording of several periods, what is said so long before a kick-off is about it.
AHEAD = 30.0
# A text of one half goes on no longer than this after its end.
LATE = 300.0


class Kind(NamedTuple):
    """How a kind of commentary is read, and whether a recording's clock times it."""

    read: Callable[[Path, str], Items]
    recorded: bool = False


def _late(module: str, name: str) -> Callable[..., Any]:
    """A function of a reader that is loaded when it is first called: most texts need it not."""

    def call(*given: Any) -> Any:
        return getattr(importlib.import_module(f"{__name__}.{module}"), name)(*given)

    return call


BUILT_IN = {
    "jsonl": Kind(tables.read_json_lines),
    "json": Kind(tables.read_json),
    "csv": Kind(tables.read_delimited),
    "tsv": Kind(tables.read_delimited),
    "robocup": Kind(_late("robocup", "read")),
    "live": Kind(lambda path, text: livetext.read(text)),
    "srt": Kind(_late("subtitles", "read"), recorded=True),
    "vtt": Kind(_late("subtitles", "read"), recorded=True),
    "soccernet": Kind(soccernet.read_captions, recorded=True),
    **{name: Kind(recognisers.reader(name), recorded=True) for name in recognisers.FORMS},
}


def kinds() -> tuple[str, ...]:
    """The names of all kinds of commentary, ours and those of plug-ins."""
    return (*BUILT_IN, *(name for name in plugins("commentary") if name not in BUILT_IN))


def kind_of(name: str) -> Kind:
    """A kind of commentary by its name."""
    return BUILT_IN[name] if name in BUILT_IN else _plugin(plugins("commentary")[name])


def _plugin(entry: EntryPoint) -> Kind:
    """A kind of another package: `read(path, text)`, `recognise(text)`, and `recorded` if it is."""
    found, what = load_plugin(entry), called(entry)
    if not (callable(getattr(found, "read", None)) and callable(getattr(found, "recognise", None))):
        raise PluginError(f"{what} needs read(path, text) and recognise(text)")

    def read(path: Path, text: str) -> Items:
        try:
            items: Items = list(found.read(path, text))
        except TouchlineError:
            raise
        except Exception as error:
            raise PluginError(f"{what} cannot read {path}: {failure(error)}") from error
        if not all(isinstance(item, Entry | Heading) for item in items):
            raise PluginError(f"{what} returned something other than Entry and Heading")
        return items

    return Kind(read, bool(getattr(found, "recorded", False)))


def _recognised_by_plugin(text: str) -> str | None:
    """The plug-in that knows a text; ours are asked first, and know none of its kind."""
    for name, entry in plugins("commentary").items():
        try:
            if name not in BUILT_IN and load_plugin(entry).recognise(text):
                return name
        except TouchlineError:
            raise
        except Exception as error:
            raise PluginError(
                f"{called(entry)} failed to recognise a text: {failure(error)}"
            ) from error
    return None


def read_comments(
    paths: Paths,
    kind: str | None = None,
    extra_time: bool | None = None,
    *,
    kickoffs: Kickoffs = (),
    sentences: bool = False,
    text_column: str | None = None,
    clock_column: str | None = None,
) -> tuple[Comment, ...]:
    """Read a commentary from one file, or from several that follow each other (one per half).

    Comments come in the order of the files, with the ids that they have there. In CSV and TSV,
    where every id is a whole number, ids are numbers, as in the JSON that the table came from.

    Parameters
    ----------
    paths
        The file or files: JSON Lines, JSON, CSV, TSV, live text (`45+2' ...`), SRT, WebVTT,
        SoccerNet captions, JSON of speech recognition (Whisper and what is built on it, Amazon,
        Google, Azure), RoboCup, Excel, Parquet; gzip-compressed or not. Also a data frame (pandas,
        polars, Arrow), a list of dicts, an open file, or the text itself if it has several lines
        (`io.StringIO(text)` for a single one).
    kind
        One of `touchline.io.commentary.kinds()`; recognised by content when None.
    extra_time
        Whether the match went to extra time, which decides what a clock of 93' means. When None
        the clocks themselves decide.
    kickoffs
        When each period kicks off in the recording that the comments' times refer to: seconds by
        period, or `Kickoff` records, several of a period where the recording is cut (`since`).
        By default a recording starts with the kick-off; `read_match` estimates it from the log.
    sentences
        Whether to split comments of several sentences into parts `<id>.1`, `<id>.2` ...
    text_column
        The column of a table that has the text, if it is not recognised.
    clock_column
        The column of a table that has the clock or minute.

    Returns
    -------
    tuple[Comment, ...]
        The comments with their times, as far as known.

    Raises
    ------
    InputError
        A file is not a commentary of the kind, or of any known one.
    UsageError
        The kind or the kick-offs are invalid.
    """
    given = given_kickoffs(kickoffs)
    read = _read_all(paths, kind, given, Columns(text_column, clock_column))
    if read.recorded:
        comments = _on_the_logs_clock(read.entries, given)
    else:
        comments = place(read.items, extra_time, read.files)
    parts = _cut(comments, sentences)
    warn_of(overlong(parts))
    return tuple(map(trimmed, parts))


def with_commentary(
    match: Match,
    paths: Paths,
    kind: str | None = None,
    *,
    kickoffs: Kickoffs = (),
    sentences: bool = False,
    columns: Columns = ANY,
) -> Match:
    """The match with the commentary of these files (see `read_comments`) on its log's clock.

    Kick-offs in a recording that are not given are found out by who is named when; the match's
    `kickoffs` say where they are and how sure that is. So is the half of a text that counts its
    half from 1' (`second_half`). The match's `warnings` say what is doubtful about its clocks, and
    whether the commentary seems to be about another match.
    """
    given = given_kickoffs(kickoffs)
    read = _read_all(paths, kind, given, columns)
    if not read.recorded:
        comments, half = _placed(match, read)
        parts = _cut(comments, sentences)
        placed = match.with_comments(map(trimmed, parts), second_half=half)
        check_pairs(read.path, placed)
        return _doubted(placed).with_warnings(overlong(parts))
    from touchline.io.commentary.kickoffs import find_kickoffs  # numpy only where it is needed

    for period in {kickoff.period for kickoff in given} - set(match.periods):
        raise UsageError(f"a kick-off is given for period {period}, which is not in the log")
    found = find_kickoffs(match, read.entries, given)
    parts = _cut(_on_the_logs_clock(read.entries, found), sentences)
    placed = match.with_comments(map(trimmed, parts), found)
    check_pairs(read.path, placed)
    timed = _doubted(placed).with_warnings(overlong(parts))
    return timed.with_warnings(slips(read.entries, sentences))


def _doubted(match: Match) -> Match:
    return match.with_warnings(doubts(match))


def _placed(match: Match, read: _Read) -> tuple[tuple[Comment, ...], HalfByNames | None]:
    """The comments of a text, and whether names put them into the second half."""
    comments = place(read.items, files=read.files, ends=match.ends)
    if not _may_be_second_half(match, read.items, comments):
        return comments, None
    from touchline.io.commentary.halves import find_second_half  # numpy only where it is needed

    found = find_second_half(match, read.items, read.files, comments)
    if found is None:
        return comments, None
    items, half = found
    return (place(items, files=read.files, ends=match.ends) if half.applied else comments), half


def _may_be_second_half(match: Match, items: Items, comments: Sequence[Comment]) -> bool:
    """Whether the clocks are those of one half, and nothing else says that it is the first."""
    if not {1, 2} <= set(match.periods) or any(c.candidates is not None for c in comments):
        return False
    for item in items:
        if item.starts == 1 if isinstance(item, Heading) else item.period is not None:
            return False
    clocks = [clock.running() for item in items if (clock := clock_of(item)) is not None]
    early = max(clocks, default=math.inf) < match.ends[2] + LATE
    # A clock that runs on past 45 puts the end of its half into the second.
    return early and 1 in {c.period for c in comments} <= {None, 1, 2}


# Files ------------------------------------------------------------------------------------------


class _Read(NamedTuple):
    """What stands in files; `files` says how many items each of them has."""

    items: Items
    recorded: bool
    files: tuple[int, ...] = ()
    path: Path = Path()  # of the first file, for messages

    @property
    def entries(self) -> list[Entry]:
        return [item for item in self.items if isinstance(item, Entry)]


def _read_all(
    paths: Paths, kind: str | None, kickoffs: Sequence[Kickoff], columns: Columns
) -> _Read:
    """What stands in the files, and whether a recording's clock times it."""
    sources = as_sources(paths)
    if not sources:
        raise InputError("comments", "empty; expected at least one file or comment")
    files = list(map(reader_path, sources))
    with errors_about(*sources):
        read = [_read(source, kind, columns) for source in sources]
        recorded = [one.recorded for one in read]
        if any(recorded) != all(recorded):
            problem = (
                "is timed by a recording, another file by the match clock; give files of one kind"
            )
            raise InputError(files[recorded.index(True)], problem)
        if kickoffs and not any(recorded):
            read = [_as_recording(path, one) for path, one in zip(files, read, strict=True)]
        if len(files) > 1 and any(one.recorded for one in read):
            _check_halves(files)
            read = [_of_half(number, one) for number, one in enumerate(read, 1)]
        _check_ids(files, read)
        items = [item for one in read for item in one.items]
        check_entries(files[-1], [item for item in items if isinstance(item, Entry)])
        lengths = tuple(len(one.items) for one in read)
        return _Read(
            items, any(one.recorded for one in read), lengths, files[0] if files else Path()
        )


def _read(file: AnyPath | Content, kind: str | None, columns: Columns) -> _Read:
    if kind is not None and kind not in BUILT_IN and kind not in kinds():
        raise TouchlineError(
            f"unknown kind of commentary {kind!r}; expected one of {', '.join(kinds())}"
        )
    path, text = reader_path(file), read_text(file, MAX_FILE).lstrip("\ufeff")
    check_text(path, text)
    text = livetext.without_message_heads(text)
    kind = kind or recognise(path, text, columns)
    items = read_items(path, text, kind, columns)
    if not any(isinstance(item, Entry) for item in items):
        raise InputError(path, "no comments found")
    if recorded := kind_of(kind).recorded:
        items = [repaired(item) for item in items]
    return _Read(marked(items), recorded)


def read_items(path: Path, text: str, kind: str, columns: Columns = ANY) -> Items:
    """What a text of a kind has, from the columns that the user has named, if any."""
    if columns == ANY:
        return kind_of(kind).read(path, text)
    if kind not in tables.READERS:
        problem = f"is read as {kind}, which has no columns; --text-column is for tables"
        raise InputError(path, problem)
    return tables.READERS[kind](path, text, columns)


def recognise(path: Path, text: str, columns: Columns = ANY) -> str:
    """The kind of a commentary, by its text."""
    first, _, rest = text.strip().partition("\n")
    if columns.text is not None and not first.startswith(("[", "{")):
        return "csv"
    if first.startswith(("[", "{")) and (speech := recognisers.recognise(text)) is not None:
        return speech
    if first.startswith("[") and not livetext.recognise(first):
        return "json"
    if soccernet.is_captions(text):
        return "soccernet"
    if first.startswith("{"):
        # A single object may hold the list of comments.
        return "jsonl" if rest and first.rstrip().endswith("}") else "json"
    if _late("subtitles", "recognise")(text):
        return "vtt" if first.startswith("WEBVTT") else "srt"
    if _late("robocup", "recognise")(text):
        return "robocup"
    if tables.recognise(text):
        return "csv"
    if livetext.recognise(text):
        return "live"
    if (plugin := _recognised_by_plugin(text)) is not None:
        return plugin
    if (found := tables.unknown_columns(text)) is not None:
        raise InputError(path, tables.no_text_column(found), "line 1")
    raise InputError(
        path,
        "not recognised as commentary; expected JSON, subtitles, a table with a text column, or "
        "lines that start with a clock such as 45+2' (choose one with --kind)",
    )


def _check_ids(files: Sequence[Path], read: Sequence[_Read]) -> None:
    """Ids must name one comment each, over all files of the match."""
    seen: dict[int | str, Path] = {}
    for path, one in zip(files, read, strict=True):
        for entry in one.entries:
            if entry.id is None:
                continue
            if entry.id in seen:
                other = "" if seen[entry.id] == path else f", first in {seen[entry.id]}"
                raise InputError(path, f"the id {entry.id!r} occurs twice{other}", entry.where)
            seen[entry.id] = path


# Recordings -------------------------------------------------------------------------------------


def given_kickoffs(kickoffs: Kickoffs) -> tuple[Kickoff, ...]:
    """The kick-offs as records in the order of periods and cuts; each period needs a first one."""
    if isinstance(kickoffs, Mapping):
        kickoffs = [Kickoff(period=p, seconds=s) for p, s in kickoffs.items()]
    for kickoff in kickoffs:
        others = [one for one in kickoffs if one.period == kickoff.period]
        if sum(one.since is None for one in others) != 1:
            problem = "expected exactly one without @SECOND, and one with it for each cut"
            raise UsageError(f"kick-off of period {kickoff.period}: {problem}")
    never = float("-inf")
    return tuple(sorted(kickoffs, key=lambda k: (k.period, never if k.since is None else k.since)))


def _as_recording(path: Path, read: _Read) -> _Read:
    """Comments of any kind, once somebody says where the kick-off lies on their clock."""
    for entry in read.entries:
        if entry.time is None:
            problem = "no exact time; kick-offs can only be given for the clock of a recording"
            raise InputError(path, problem, entry.where)
    return _Read([*read.entries], recorded=True)


def _check_halves(files: Sequence[Path]) -> None:
    if len(files) > len(STARTS):
        raise UsageError(f"{len(files)} files of a recording; expected one per half")


def _of_half(number: int, read: _Read) -> _Read:
    """A recording of one half; its numbers start anew, so that the half's goes before them."""
    items: Items = [
        msgspec.structs.replace(entry, period=entry.period or number, id=f"{number}:{own}")
        for entry, own in zip(read.entries, ids(read.entries), strict=True)
    ]
    return _Read(items, recorded=True)


def _on_the_logs_clock(
    entries: Sequence[Entry], kickoffs: Sequence[Kickoff]
) -> tuple[Comment, ...]:
    """The entries of a recording as comments."""
    comments = []
    for own, entry in zip(ids(entries), entries, strict=True):
        period, kickoff = _kickoff_of(entry.period, entry.time or 0.0, kickoffs)
        moved = on_recording(entry, own).moved(-kickoff)
        clock = live_clock(period, moved.start or 0.0)
        comments.append(msgspec.structs.replace(moved, period=period, clock=clock, kickoff=kickoff))
    return tuple(comments)


def _kickoff_of(period: int | None, time: float, kickoffs: Sequence[Kickoff]) -> tuple[int, float]:
    """The period that a second of the recording lies in, and where it kicks off by that clock."""
    kickoffs = [kickoff for kickoff in kickoffs if kickoff.applied]
    begun = [k.period for k in kickoffs if k.since is None and k.seconds - AHEAD <= time]
    period = period or max(begun, default=min((k.period for k in kickoffs), default=1))
    of_period = [k for k in kickoffs if k.period == period]
    holding = [k.seconds for k in of_period if k.since is None or k.since <= time]
    return period, holding[-1] if holding else 0.0


def _cut(comments: tuple[Comment, ...], sentences: bool) -> tuple[Comment, ...]:
    if not sentences:
        return comments
    from touchline.io.commentary.sentences import in_sentences

    return in_sentences(comments)
