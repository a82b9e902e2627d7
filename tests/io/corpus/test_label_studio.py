"""Tasks for Label Studio and back: its export becomes an annotator's labels."""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec
import pytest
from lxml import etree

from touchline import InputError, Links, align, cli, read_match, write_links
from touchline.io.corpus.label_studio import import_labels, read_export
from touchline.io.corpus.labels import read_match_labels
from touchline.io.corpus.layout import read_match_folder


@pytest.fixture
def corpus(tmp_path: Path, sample_folder: Path) -> Path:
    shutil.copytree(sample_folder, tmp_path / "corpus" / sample_folder.name)
    return tmp_path / "corpus"


@pytest.fixture
def links(corpus: Path) -> Links:
    (folder,) = corpus.iterdir()
    match = read_match(folder / "events.json.gz", folder / "comments.jsonl",
                       lineups=folder / "lineups.json", name=folder.name)  # fmt: skip
    return align(match, method="named-nearest")


@pytest.fixture
def tasks(links: Links, tmp_path: Path) -> list[dict]:
    write_links(links, tmp_path / "t.label-studio.json")
    return msgspec.json.decode((tmp_path / "t.label-studio.json").read_bytes())


def annotated(task: dict, chosen: list[str], **more) -> dict:
    """A task as Label Studio exports it, with one annotation."""
    region = {"id": "x1", "from_name": "events", "to_name": "text", "type": "choices",
              "origin": "manual", "value": {"choices": chosen}}  # fmt: skip
    annotation = {"id": 7, "completed_by": 3, "was_cancelled": False, "result": [region], **more}
    return {"id": 1, "project": 2, **task, "annotations": [annotation]}


def exported(path: Path, tasks: list[dict]) -> Path:
    path.write_bytes(msgspec.json.encode(tasks))
    return path


def test_tasks_have_the_fields_that_the_interface_shows(tasks, tmp_path):
    interface = etree.fromstring((tmp_path / "t.label-studio.xml").read_text())
    shown = {value[1:] for value in interface.xpath("//@value") if value.startswith("$")}
    assert all(shown <= task["data"].keys() for task in tasks)
    controls = {tag.get("name"): tag for tag in interface.iter() if tag.get("toName")}
    objects = {tag.get("name") for tag in interface.iter("Text")}
    assert {tag.get("toName") for tag in controls.values()} <= objects
    for task in tasks:
        for region in task["predictions"][0]["result"]:
            assert region["type"] == controls[region["from_name"]].tag.lower()
            assert region["to_name"] in objects
            choices = {one.get("alias", one["value"]) for one in task["data"]["candidates"]}
            assert set(region["value"]["choices"]) <= choices


def test_predictions_are_the_links(tasks, links):
    for task, answer in zip(tasks, links, strict=True):
        (prediction,) = task["predictions"]
        chosen = [r["value"]["choices"] for r in prediction["result"]]
        linked = [link.id for link in answer.events]
        assert chosen == ([linked] if linked else [["no event"]] if answer.none >= 0.5 else [])
        names = [one["value"] for one in task["data"]["candidates"]]
        assert len(names) == len(set(names))


def test_an_export_becomes_the_labels_of_an_annotator(corpus, tasks, links, tmp_path):
    (folder,) = corpus.iterdir()
    linked = next(i for i, answer in enumerate(links) if len(answer.events) > 1)
    ids = [link.id for link in links[linked].events]
    value = next(one["value"] for one in tasks[linked]["data"]["candidates"]
                 if one.get("alias") == ids[0])  # fmt: skip
    unsure = {"from_name": "sure", "to_name": "text", "type": "choices",
              "value": {"choices": ["unsure"]}}  # fmt: skip
    note = {"from_name": "note", "to_name": "text", "type": "textarea", "value": {"text": ["hm"]}}
    first = annotated(tasks[linked], ids)
    first["annotations"][0]["result"] += [unsure, note]
    path = exported(tmp_path / "e.json", [
        first,
        annotated(tasks[0], ["no event"]),
        annotated(tasks[1], [value], was_cancelled=True),
        {**annotated(tasks[2], []), "annotations": []},
    ])  # fmt: skip
    found = import_labels(path, corpus)
    file = folder / "labels" / "label-studio-3.jsonl"
    assert found.files == {file: 2}
    assert found.bad == []
    lines = [msgspec.json.decode(line) for line in file.read_bytes().splitlines()]
    assert lines[0] == {"id": links[linked].comment, "events": ids, "sure": False, "note": "hm",
                        "machine": False}  # fmt: skip
    assert lines[1]["events"] == []
    match = read_match_folder(folder).match
    assert read_match_labels(folder, match).bad == []
    # The second annotation of a comment replaces the first; older ones of others stay.
    again = exported(tmp_path / "e.json", [annotated(tasks[linked], [value])])
    import_labels(again, corpus)
    lines = [msgspec.json.decode(line) for line in file.read_bytes().splitlines()]
    assert [line["events"] for line in lines] == [ids[:1], []]


def test_the_short_export_is_read_too(corpus, tasks, tmp_path):
    short = {**tasks[0]["data"], "id": 1, "events": "no event", "annotator": 4, "sure": "unsure"}
    event = tasks[1]["data"]["candidates"][1]
    many = {**tasks[1]["data"], "events": {"choices": [event["value"], event["alias"]]}}
    path = exported(tmp_path / "min.json", [short, many, {**tasks[2]["data"]}])
    first, second = read_export(path, "me")
    assert (first.annotator, first.label.events, first.label.sure) == ("me", (), False)
    assert set(second.label.events) == {event["alias"]}


def test_what_is_not_of_the_match_is_skipped_and_named(corpus, tasks, tmp_path, capsys):
    other = msgspec.json.decode(msgspec.json.encode(tasks[1]))
    other["data"]["match"] = "elsewhere"
    strange = msgspec.json.decode(msgspec.json.encode(tasks[2]))
    strange["data"]["comment"] = "no-such"
    path = exported(tmp_path / "e.json", [annotated(tasks[0], ["no event"]),
                                          annotated(other, ["no event"]),
                                          annotated(strange, ["no event"])])  # fmt: skip
    with pytest.raises(SystemExit) as stop:
        cli.main(["data", "import-labels", str(path), str(corpus), "--annotator", "anna"])
    assert stop.value.code == 3
    said = capsys.readouterr()
    assert said.out.endswith("labels/anna.jsonl: 1 labels\n")
    assert "the match 'elsewhere' is not in" in said.err
    assert "the comment 'no-such' is not in the commentary; skipped" in said.err


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"{}", "expected a JSON export of Label Studio"),
        (b'[{"annotations": [], "x": 1}]', "task 1: no 'data'"),
        (b"nothing", "expected a JSON export of Label Studio"),
    ],
)
def test_other_files_are_refused(tmp_path, content, problem):
    (tmp_path / "e.json").write_bytes(content)
    with pytest.raises(InputError, match=problem):
        list(read_export(tmp_path / "e.json"))


def test_a_choice_that_no_candidate_has_is_refused(tasks, tmp_path):
    path = exported(tmp_path / "e.json", [annotated(tasks[0], ["another event"])])
    with pytest.raises(InputError, match="task 1: the choice 'another event' is not one of the"):
        list(read_export(path))
