"""Small good files of every kind: ours from the bundled match, and real ones where there are some.

A file of two megabytes hides in its middle what a reader does with its records; all seeds are cut
to some dozen records, those of rare kinds first.
"""

from __future__ import annotations

import csv
import io
import json
import os
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from lxml import etree

from fuzzing import tables
from fuzzing.recognisers import FORMS, Said, written
from touchline.core.links import Links, Phase
from touchline.core.records import Comment, Event, Match
from touchline.io.corpus.layout import CorpusMatch, read_corpus
from touchline.io.dataset.manifest import RECEIPTS
from touchline.io.files import read_bytes
from touchline.io.links.origin import Origin
from touchline.methods.registry import make_aligner
from touchline.pipeline.runs.dataset_folder import DatasetFolder
from touchline.report.formats import write_links
from touchline.sample import corpus_path
from touchline.sample.exports import FEEDS, write

RECORDS = 24
# Real files that go with others.
BESIDE = {
    "kloppy_opta_f24.xml": ("kloppy_opta_f7.xml",),
    "kloppy_sportec_events.xml": ("kloppy_sportec_meta.xml",),
}
# Real files that are no logs by themselves.
NO_LOGS = {
    "kloppy_metrica_events.json", "kloppy_opta_f7.xml", "kloppy_sportec_meta.xml",
    "socceraction_matches_10174.json", "statsperform_ma6_commentary.json",
}  # fmt: skip
Files = dict[str, bytes]
ORIGIN = Origin(method="chains", key="0" * 64)


def small_match() -> Match:
    """Some events of every type from the first half of a bundled match, and its first comments."""
    match = next(read_corpus(corpus_path())).match
    comments = [c for c in match.comments if c.period == 1][:12]
    until = max(c.end or 0 for c in comments)
    events = [e for e in match.events if e.period == 1 and e.time <= until]
    return msgspec.structs.replace(match, events=_varied(events, 90), comments=tuple(comments))


def _varied(events: list[Event], most: int) -> tuple[Event, ...]:
    """The events of rare types, and as many of the others as there is place for."""
    often: dict[str, int] = {}
    order = []
    for place, event in enumerate(events):
        often[event.type] = often.get(event.type, 0) + 1
        order.append((often[event.type], place))
    return tuple(events[place] for place in sorted(place for _, place in sorted(order)[:most]))


# Match logs ---------------------------------------------------------------------------------------


def logs() -> Iterator[tuple[str, Files]]:
    """The files of a log, `events` first; the others are line-ups."""
    match = small_match()
    yield "statsbomb", _statsbomb(match)
    with tempfile.TemporaryDirectory() as folder:
        for feed in FEEDS[1:]:  # the first is StatsBomb's own
            room = Path(folder) / feed
            room.mkdir()
            events, lineups = write(_first(match, RECORDS), feed, room)
            yield feed, {p.name: p.read_bytes() for p in (events, *lineups)}
    yield "robocup", {"events": ROBOCUP["events/1-processed-events"]}
    yield "table-csv", {"events.csv": TABLE}
    yield "table-jsonl", {"events.jsonl": _lines(csv.DictReader(io.StringIO(TABLE.decode())))}
    rows = list(csv.DictReader(io.StringIO(TABLE.decode())))
    yield "table-xlsx", {"events.xlsx": tables.as_excel(rows)}
    yield "table-parquet", {"events.parquet": tables.as_parquet(rows)}
    yield from tables.logs(_statsbomb(match)["events.json"])
    yield from _real_logs()


def _first(match: Match, count: int) -> Match:
    return msgspec.structs.replace(match, events=_varied(list(match.events), count))


def _statsbomb(match: Match) -> Files:
    folder = sorted(path for path in corpus_path().iterdir() if path.is_dir())[0]
    records = json.loads(read_bytes(folder / "events.json.gz"))
    kept = {event.id for event in match.events}
    records = [r for r in records if r["id"] in kept or r["type"]["name"] == "Starting XI"]
    lineups = cut_json((folder / "lineups.json").read_bytes())
    return {"events.json": json.dumps(records).encode(), "lineups.json": lineups}


def _real_logs() -> Iterator[tuple[str, Files]]:
    data = os.environ.get("TOUCHLINE_DATA")
    if not data:
        return
    for folder in sorted(p for p in (Path(data) / "feeds").glob("*") if p.is_dir()):
        paths = sorted(folder.iterdir(), key=lambda p: p.name.startswith("f7"))
        yield f"real-{folder.name}", {p.name: _cut(p) for p in paths}
    more = Path(data) / "feeds-more"
    for path in sorted(p for p in more.glob("*") if p.name not in NO_LOGS):
        others = [p for p in more.glob("*") if p != path and p.name in BESIDE.get(path.name, ())]
        yield f"real-{path.stem}", {p.name: _cut(p) for p in (path, *others)}
    epl = Path(data) / "epl-2015" / "man-city-chelsea"
    if epl.is_dir():
        yield "real-statsbomb", {n: _cut(epl / n) for n in ("events.json", "lineups.json")}


def _cut(path: Path) -> bytes:
    data = path.read_bytes()
    return cut_xml(data) if path.suffix == ".xml" else cut_json(data)


def cut_json(data: bytes) -> bytes:
    """The same JSON with the ends of long lists only."""
    return json.dumps(_shortened(json.loads(data))).encode()


def _shortened(tree: Any) -> Any:
    if isinstance(tree, dict):
        return {key: _shortened(value) for key, value in list(tree.items())[:60]}
    if isinstance(tree, list):
        half = RECORDS // 2
        ends = tree if len(tree) <= RECORDS else [*tree[:half], *tree[-half:]]
        return [_shortened(value) for value in ends]
    return tree


def cut_xml(data: bytes) -> bytes:
    """The same XML with the first and last children only where there are many."""
    root = etree.fromstring(data)
    for element in list(root.iter()):
        for child in list(element)[RECORDS // 2 : -RECORDS // 2]:
            element.remove(child)
    return etree.tostring(root)


# Commentary ---------------------------------------------------------------------------------------


def commentaries() -> Iterator[tuple[str, Files]]:
    """A commentary of each kind under the name of its kind."""
    comments = small_match().comments
    rows = [{"id": c.id, "period": c.period, "time": c.time, "clock": c.clock, "text": c.text}
            for c in comments]  # fmt: skip
    yield "jsonl", {"comments": _lines(rows)}
    speech = [{**row, "end": row["time"] + 4, "spoken": [[0, row["time"]], [5, row["time"] + 1]]}
              for row in rows]  # fmt: skip
    yield "jsonl/speech", {"comments": _lines(speech)}
    yield "json", {"comments": json.dumps({"page": {"items": rows}}).encode()}
    for kind, mark in (("csv", ","), ("tsv", "\t")):
        yield kind, {"comments": _delimited(rows, mark)}
    yield "csv/xlsx", {"comments": tables.as_excel(rows)}
    yield "json/parquet", {"comments": tables.as_parquet(rows)}
    yield "live", {"comments": _live(comments)}
    for name, content in tables.pages(comments):
        yield name, {"comments": content}
    yield "srt", {"comments": _subtitles(comments, ",")}
    yield "vtt", {"comments": b"WEBVTT\n\n" + _subtitles(comments, ".")}
    yield "soccernet", {"comments": json.dumps({"annotations": _captions(comments)}).encode()}
    said = [Said(c.start or 0.0, " ".join(c.text.split()[:12])) for c in comments]
    for form in FORMS:
        yield form, {"comments": written(form, said)}
    yield "robocup", {"comments": ROBOCUP["nl/1-comments"]}
    yield from _real_commentaries()


def _real_commentaries() -> Iterator[tuple[str, Files]]:
    data = os.environ.get("TOUCHLINE_DATA")
    folder = Path(data or "") / "epl-2015" / "man-city-chelsea"
    if not data or not folder.is_dir():
        return
    for name in ("comments.jsonl", "bbc.jsonl"):
        lines = (folder / name).read_bytes().splitlines(keepends=True)
        yield f"jsonl/real-{name[:3]}", {"comments": b"".join(lines[:RECORDS])}
    asr = json.loads((folder / "asr" / "1_asr.json").read_bytes())
    yield "segments/real", {"comments": json.dumps(_shortened(asr)).encode()}


def _lines(rows: Any) -> bytes:
    return b"".join(json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in rows)


def _delimited(rows: list[dict[str, Any]], mark: str) -> bytes:
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]), delimiter=mark, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode()


def _live(comments: tuple[Comment, ...]) -> bytes:
    lines = [f"{c.clock} {c.text}" for c in comments]
    return "\n\n".join(["Kick-off", *lines, "HT: all square", "46' Off again."]).encode()


def _subtitles(comments: tuple[Comment, ...], point: str) -> bytes:
    def stamp(seconds: float) -> str:
        minutes, rest = divmod(seconds, 60)
        return f"00:{int(minutes):02d}:{rest:06.3f}".replace(".", point)

    cues = [f"{i}\n{stamp(c.start or 0)} --> {stamp((c.end or 0) + 4)}\n{c.text}\n"
            for i, c in enumerate(comments)]  # fmt: skip
    return "\n".join(cues).encode()


def _captions(comments: tuple[Comment, ...]) -> list[dict[str, Any]]:
    return [{"gameTime": f"1 - {int(c.time or 0) // 60:02d}:{int(c.time or 0) % 60:02d}",
             "label": "", "description": c.text, "position": str(int(1000 * (c.time or 0)))}
            for c in comments]  # fmt: skip


# What touchline writes, and corpora ---------------------------------------------------------------


def models(methods: Iterable[str]) -> Iterator[tuple[str, Files]]:
    """A model of each method, fitted on the small match."""
    match = small_match()
    with tempfile.TemporaryDirectory() as folder:
        for method in methods:
            aligner = make_aligner(method)
            aligner.fit([match])
            path = Path(folder) / "model"
            aligner.save(path)
            yield method, {"model": path.read_bytes()}


def links() -> Files:
    """A links file and its origin."""
    answers = make_aligner("named-nearest").align(small_match().named("match"))
    with tempfile.TemporaryDirectory() as folder:
        write_links(answers, Path(folder) / "links.jsonl")
        return {path.name: path.read_bytes() for path in sorted(Path(folder).iterdir())}


def dataset() -> Files:
    """A data set of one match, with words and with a phase.

    Without checksums, by which every damaged file would be refused before it is decoded.
    """
    match = small_match().named("match")
    first, *rest = make_aligner("chains").align(match)
    events = tuple(event.id for event in match.events[:3])
    team = match.teams[0].name
    phase = Phase(team=team, span=(0.0, 9.0), events=events, score=0.5, kind="counter")
    answers = Links(match, [msgspec.structs.replace(first, phase=phase), *rest], "chains")
    with tempfile.TemporaryDirectory() as folder:
        room = DatasetFolder(Path(folder), "2015-16", "League")
        one = CorpusMatch(name="match", path=Path(folder))
        entry = room.write(one, answers, ORIGIN)
        assert entry.dataset is not None
        unchecked = msgspec.structs.replace(entry.dataset, checksums={})
        entry = msgspec.structs.replace(entry, dataset=unchecked)
        room.commit(ORIGIN, {"match": entry})
        paths = sorted(path for path in Path(folder).rglob("*") if path.is_file())
        return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths
                if RECEIPTS not in path.parts}  # fmt: skip


def label_studio() -> Files:
    """An export of Label Studio: our tasks, each with an annotation."""
    answers = make_aligner("named-nearest").align(small_match().named("match"))
    with tempfile.TemporaryDirectory() as folder:
        write_links(answers, Path(folder) / "tasks.label-studio.json")
        tasks = json.loads((Path(folder) / "tasks.label-studio.json").read_bytes())
    for number, task in enumerate(tasks):
        event = task["data"]["candidates"][1]["alias"]
        result = [{"from_name": "events", "to_name": "text", "type": "choices",
                   "value": {"choices": [event]}}]  # fmt: skip
        task["annotations"] = [{"id": number, "completed_by": {"email": "ann@x"}, "result": result}]
    return {"export.json": json.dumps(tasks).encode()}


def rows() -> tuple[bytes, bytes]:
    """Rows of events and of comments, as a program has them."""
    log = list(csv.DictReader(io.StringIO(TABLE.decode())))
    said = [{"id": c.id, "period": c.period, "time": c.time, "text": c.text}
            for c in small_match().comments]  # fmt: skip
    return json.dumps(log).encode(), json.dumps(said).encode()


def corpora() -> Iterator[tuple[str, Files]]:
    """A match folder with both tracks and their labels, and the RoboCup layout."""
    match = small_match()
    ids = [event.id for event in match.linkable]
    gold = [{"id": c.id, "events": ids[i : i + 2]} for i, c in enumerate(match.comments)]
    files = dict(_statsbomb(match))
    files["comments.jsonl"] = files["bbc.jsonl"] = dict(commentaries())["jsonl"]["comments"]
    files["gold.jsonl"] = _lines(gold)
    files["bbc-silver.jsonl"] = _lines([{"id": g["id"], "event": g["events"][0]} for g in gold])
    spans = [{"id": g["id"], "event": g["events"][0], "spans": [[0, 4], [6, 9]]} for g in gold]
    files["segments.jsonl"] = _lines(spans)
    team = match.teams[0].name
    runs = [{"id": g["id"], "team": team, "first": g["events"][0], "last": g["events"][1]}
            for g in gold]  # fmt: skip
    files["phases.jsonl"] = _lines(runs)
    yield "folder", {f"match/{name}": data for name, data in files.items()}
    yield "robocup", ROBOCUP


TABLE = b"""\
id,type,period,time,team,player,shirt,recipient,outcome,x,y,end_x,end_y,related,linkable
a,Pass,1,3.5,Reds,Ann Archer,9,Bo Reis,Complete,60,40,70,42,b,true
b,Shot,1,5,Reds,Bo Reis,10,,Saved,90,38,99,40,a;c,true
c,Save,1,5.5,Blues,Cy van Meer,1,,,3,40,,,b,true
d,Carry,1,9,Blues,Cy van Meer,1,,,5,40,9,41,,false
e,Foul,2,0.2,Blues,Di Field,4,,,50,1,,,,true
"""
ROBOCUP: Files = {
    "events/1-processed-events": b"""\
1 | 1 | playmode ( kick_off_l )
3 | 3 | kick ( red9 )
3 | 8 | pass ( red9 , red2 )
9 | 9 | ballstopped
9 | 12 | badPass( red2 , blue10 )
12 | 12 | turnover ( red2 , blue10 )
""",
    "nl/1-comments": b"""\
2 | Here we go
9 | Red9 passes to red2
14 | Red2 loses the ball to blue10
""",
    "training/1-train": b"""\
<trainingData><examples>
<example id="1"><nl> Red9 passes to red2 </nl><semid> 1 2 </semid></example>
<example id="2"><nl> Red2 loses the ball to blue10 </nl><semid> 4 5 </semid></example>
</examples></trainingData>
""",
    "gold/1-gold": b"""\
<examples>
<example id="1"><nl lang="en"> x </nl><mrl lang="soccer"> pass ( red9 , red2 ) </mrl></example>
</examples>
""",
}
