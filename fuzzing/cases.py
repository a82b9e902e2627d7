"""Who reads what: a good set of files, and what is done with it once it has been damaged."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pandas
import polars

from fuzzing import seeds
from fuzzing.mutations import mutate
from touchline.core.errors import TouchlineError
from touchline.core.records import Comment, Match
from touchline.evaluation.protocol import evaluate_predictions
from touchline.io.commentary import kinds, read_comments, with_commentary
from touchline.io.corpus.label_studio import import_labels
from touchline.io.corpus.layout import TRACKS, read_corpus
from touchline.io.dataset.manifest import Dataset
from touchline.io.feeds import providers, read_events
from touchline.io.links.jsonl import read_links
from touchline.io.links.origin import read_origin
from touchline.methods.registry import BUILT_IN, load_aligner, make_aligner
from touchline.pipeline.dataset_links import dataset_links
from touchline.report.data import report
from touchline.report.formats import ENDINGS, write_links

Read = Callable[[Random, Path], object]


class Case(NamedTuple):
    """Files and who reads them; `weight` is how often the case comes up beside others."""

    name: str
    files: seeds.Files
    read: Read
    weight: int


def all_cases(methods: Iterable[str] = BUILT_IN) -> list[Case]:
    """Every case, models of these methods among them, in an order that depends on nothing."""
    read = [*_logs(), *_commentaries(), *_models(methods), _links(), *_corpora()]
    return [*read, _label_studio(), _dataset(), *_frames(), *_aligned()]


def damaged(chance: Random, case: Case) -> seeds.Files:
    """The files of a case, one of them damaged, seldom more."""
    files = dict(case.files)
    for name in chance.choices(list(files), k=chance.choice((1, 1, 1, 2))):
        files[name] = mutate(chance, files[name], kind_of(name, files[name]))
    return files


def kind_of(name: str, data: bytes) -> str:
    """What sort of damage fits the file."""
    if name == "model":
        return "model"
    if data.startswith((b"PK", b"PAR1")):
        return "workbook" if data.startswith(b"PK") else "parquet"
    start = data.lstrip()[:1]
    return "xml" if start == b"<" else "json" if start in (b"[", b"{") else "text"


def put(files: seeds.Files, folder: Path) -> None:
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


# ---- the readers


def _logs() -> Iterator[Case]:
    for name, files in seeds.logs():
        yield Case(f"feeds/{name}", files, partial(_read_log, list(files)), 4)


def _read_log(names: list[str], chance: Random, folder: Path) -> object:
    provider = chance.choice(providers()) if chance.random() < 0.1 else None
    match = read_events(folder / names[0], provider, [folder / name for name in names[1:]])
    return [dict(event.raw) for event in match.events]  # decoded when somebody looks into it


def _commentaries() -> Iterator[Case]:
    match = seeds.small_match()
    for name, files in seeds.commentaries():
        yield Case(f"commentary/{name}", files, partial(_read_commentary, match, name), 4)


def _read_commentary(match: Match, name: str, chance: Random, folder: Path) -> object:
    kind = name.partition("/")[0] if chance.random() < 0.3 else None
    kind = chance.choice(kinds()) if chance.random() < 0.05 else kind
    sentences = chance.random() < 0.3
    if chance.random() < 0.2:
        read = with_commentary(match, folder / "comments", kind, sentences=sentences).comments
    else:
        read = read_comments(folder / "comments", kind, sentences=sentences)
    for comment in read:
        _check_times(comment)
    return read


def _check_times(comment: Comment) -> None:
    """Whatever stands in a file, a comment that was read has times that make sense."""
    if comment.start is None or comment.end is None:
        assert comment.second_at(0) is None
        return
    assert math.isfinite(comment.start)
    assert comment.start <= comment.end < math.inf
    offsets, seconds = [at for at, _ in comment.spoken], [second for _, second in comment.spoken]
    assert offsets == sorted(set(offsets))
    assert all(0 <= at < len(comment.text) for at in offsets)
    assert seconds == sorted(seconds)
    ends = [comment.second_at(0), comment.second_at(len(comment.text))]
    assert all(second is not None and math.isfinite(second) for second in ends)


def _models(methods: Iterable[str]) -> Iterator[Case]:
    match = seeds.small_match()
    for method, files in seeds.models(methods):
        learned = len(files["model"]) > 2000
        yield Case(f"models/{method}", files, partial(_use_model, match), 2 if learned else 1)


def _use_model(match: Match, chance: Random, folder: Path) -> object:
    """A model that was let in must answer, whatever it has been made to hold."""
    return list(load_aligner(folder / "model").align(match))


def _links() -> Case:
    files = {**seeds.links(), **dict(seeds.corpora())["folder"]}
    return Case("links", files, _read_links, 8)


def _read_links(chance: Random, folder: Path) -> object:
    path = folder / "links.jsonl"
    return read_origin(path), read_links(path), evaluate_predictions(folder / "match", path)


def _corpora() -> Iterator[Case]:
    for name, files in seeds.corpora():
        yield Case(f"corpus/{name}", files, partial(_read_corpus, name), 5)


def _read_corpus(name: str, chance: Random, folder: Path) -> object:
    track = chance.choice(TRACKS) if name == "folder" else TRACKS[0]
    clock = chance.choice(("second", "minute"))
    return list(read_corpus(folder, clock=clock, track=track))


def _label_studio() -> Case:
    files = {**seeds.label_studio(), **dict(seeds.corpora())["folder"]}
    return Case("label-studio", files, _import_labels, 8)


def _import_labels(chance: Random, folder: Path) -> object:
    return import_labels(folder / "export.json", folder / "match")


def _dataset() -> Case:
    return Case("dataset", seeds.dataset(), _read_dataset, 12)


def _read_dataset(chance: Random, folder: Path) -> object:
    """As the server reads one: each match with a report of it."""
    dataset = Dataset(folder)
    return [report([dataset_links(dataset, entry)], seeds.ORIGIN) for entry in dataset.matches]


def _frames() -> Iterator[Case]:
    """Rows that a program hands over: a list of dicts, or a data frame of them."""
    log, said = seeds.rows()
    yield Case("frames/events", {"rows.json": log}, partial(_read_frame, read_events), 4)
    yield Case("frames/comments", {"rows.json": said}, partial(_read_frame, read_comments), 4)


def _read_frame(read: Callable[[Any], object], chance: Random, folder: Path) -> object:
    try:
        rows = json.loads((folder / "rows.json").read_bytes())
    except (ValueError, RecursionError):
        raise TouchlineError("no rows") from None
    library = chance.choice(("", "pandas", "polars"))
    if not library or not isinstance(rows, list):
        return read(rows)
    try:
        frame = pandas.DataFrame(rows) if library == "pandas" else polars.DataFrame(rows)
    except Exception as error:  # no frame can be made of them
        raise TouchlineError(str(error)) from None
    return read(frame)


def _aligned() -> Iterator[Case]:
    """The whole way: whatever is read must also be answered and written in every format."""
    logs, texts = dict(seeds.logs()), dict(seeds.commentaries())
    for feed, kind in (
        ("statsbomb", "jsonl"),
        ("opta", "live"),
        ("table-csv", "srt"),
        ("statsbomb", "segments/whisper"),
    ):
        files = {**logs[feed], **texts[kind]}
        name = kind.partition("/")[0]
        yield Case(f"align/{feed}-{name}", files, partial(_align, list(logs[feed])), 1)


def _align(names: list[str], chance: Random, folder: Path) -> object:
    match = read_events(folder / names[0], lineups=[folder / name for name in names[1:]])
    links = make_aligner("chains").align(with_commentary(match, folder / "comments"))
    for ending in ENDINGS:
        write_links(links, folder / f"written{ending}")
    assert read_links(folder / "written.jsonl") == list(links)
    return links
