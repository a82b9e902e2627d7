"""`touchline report`: from links on disk to a page, other formats and pictures."""

from __future__ import annotations

import json

import pytest

from tests.cli.test_commands import run
from touchline.cli import align as align_module
from touchline.cli.report import command
from touchline.methods.chains.bundled.loader import PATHS


def report(*words):
    """The command in this process, which is quicker where its errors are not what is looked at."""
    assert command.main(list(map(str, words)), standalone_mode=False) == 0


def align(*words):
    assert align_module.command.main(list(map(str, words)), standalone_mode=False) == 0


@pytest.fixture(scope="module")
def files(sample_folder, tmp_path_factory):
    """A links file and the options that name what it is about."""
    events, comments = sample_folder / "events.json.gz", sample_folder / "live.txt"
    links = tmp_path_factory.mktemp("links") / "links.jsonl"
    names = ["--lineups", sample_folder / "lineups.json"]
    done = run("align", events, comments, *names, "--method", "named-nearest", "-o", links)
    assert done.returncode == 0, done.stderr
    return links, ["--events", events, "--comments", comments, *names]


@pytest.mark.parametrize("ending", ["html", "vtt", "chapters.vtt", "csv", "json", "parquet"])
def test_links_become_another_file_with_their_origin(files, tmp_path, ending):
    links, about = files
    out = tmp_path / f"match.{ending}"
    report(links, *about, "-o", out)
    assert out.stat().st_size > 1000
    origin = json.loads((tmp_path / f"match.{ending}.meta.json").read_text())
    assert origin["method"] == "named-nearest"


def test_links_are_the_same_again(files, tmp_path):
    links, about = files
    report(links, *about, "-o", tmp_path / "again.jsonl")
    assert (tmp_path / "again.jsonl").read_bytes() == links.read_bytes()


def test_align_writes_the_page_of_report(files, tmp_path):
    links, about = files
    events, comments, lineups = about[1], about[3], about[5]
    run("align", events, comments, "--lineups", lineups, "--method", "named-nearest",
        "-o", tmp_path / "a.html")  # fmt: skip
    report(links, *about, "-o", tmp_path / "b.html")
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()


def test_files_of_another_match_are_reported(files, sample_folder, tmp_path):
    links, about = files
    other = tmp_path / "live.txt"
    text = (sample_folder / "live.txt").read_text(encoding="utf-8")
    other.write_text(text.replace("Havlovec", "Somebody"), encoding="utf-8")
    about = [other if one == sample_folder / "live.txt" else one for one in about]
    done = run("report", links, *about, "-o", tmp_path / "match.csv")
    assert done.returncode == 0
    assert "live.txt is not one of the files that the links were made from" in done.stderr
    assert done.stderr.count("is not one of") == 1


def test_pictures(files, tmp_path):
    links, about = files
    report(links, *about, "--figures", tmp_path / "pictures", "--comment", 34)
    assert (tmp_path / "pictures" / "macro-event-34.png").stat().st_size > 1000


def test_with_labels_the_curve_over_k_is_drawn(files, sample_folder, tmp_path):
    links, about = files
    gold = sample_folder / "gold.jsonl"
    report(links, *about, "--figures", tmp_path / "pictures", "--gold", gold)
    assert (tmp_path / "pictures" / "k-curve.svg").stat().st_size > 1000
    done = run("report", links, *about, "--figures", tmp_path, "--gold", tmp_path / "none.jsonl")
    assert done.returncode == 1
    assert "none.jsonl: no such file" in done.stderr


def test_links_of_several_matches_want_a_name(files, tmp_path):
    links, about = files
    first = links.read_text()
    other = tmp_path / "two.jsonl"
    other.write_text(
        first.replace('"match":"', '"match":"a-') + first.replace('"match":"', '"match":"b-')
    )
    done = run("report", other, *about, "-o", tmp_path / "x.html")
    assert done.returncode == 1
    assert "--match" in done.stderr
    name = json.loads(other.read_text().splitlines()[0])["match"]
    report(other, *about, "--match", name, "-o", tmp_path / "x.html")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"comment":0,', '"comment":9999,', "comment 9999 is not in the commentary given"),
        ('"events":[{"id":"', '"events":[{"id":"x', "is not in the match log given"),
        ('"events":[', '"events":', "line 1"),
    ],
)
def test_links_that_do_not_fit(files, tmp_path, old, new, message):
    links, about = files
    bad = tmp_path / "bad.jsonl"
    bad.write_text(links.read_text().replace(old, new, 1))
    done = run("report", bad, *about, "-o", tmp_path / "x.html")
    assert done.returncode == 1
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "x.html").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "-o FILE"),
        (["-o", "x.docx"], "'.docx'"),
        (["--figures", "f", "--comment", "nobody"], "no comment 'nobody'"),
        (["-o", "x.html", "--comment", "1"], "--figures DIR"),
        (["-o", "{links}"], "would be overwritten"),
    ],
)
def test_wrong_usage(files, tmp_path, words, message):
    links, about = files
    done = run("report", links, *about, *(w.format(links=links) for w in words), cwd=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr


@pytest.fixture(scope="module")
def short(sample_folder, tmp_path_factory):
    """The first lines of a commentary, and the options that name what they are about."""
    comments = tmp_path_factory.mktemp("short") / "live.txt"
    comments.write_text("".join((sample_folder / "live.txt").open().readlines()[:25]))
    events, lineups = sample_folder / "events.json.gz", sample_folder / "lineups.json"
    return [events, comments, "--lineups", lineups], [
        "--events", events, "--comments", comments, "--lineups", lineups]  # fmt: skip


@pytest.mark.parametrize("how", [[], ["--clock", "minute", "--min-score", "0.6"], ["--model"]])
def test_words_are_marked_as_by_align(short, tmp_path, how):
    files, about = short
    how = [*how, PATHS[0]] if how == ["--model"] else how
    align(*files, *how, "-o", tmp_path / "links.jsonl")
    align(*files, *how, "-o", tmp_path / "align.html")
    report(tmp_path / "links.jsonl", *about, "-o", tmp_path / "report.html")
    assert b'"marks":' in (tmp_path / "report.html").read_bytes()
    assert (tmp_path / "align.html").read_bytes() == (tmp_path / "report.html").read_bytes()


def another_method(links):
    origin = json.loads(meta(links).read_text())
    meta(links).write_text(json.dumps({**origin, "method": "named-nearest", "options": {}}))


def no_origin(links):
    meta(links).unlink()


def another_model(links):
    origin = json.loads(meta(links).read_text())
    meta(links).write_text(json.dumps({**origin, "model": "0" * 64}))


def changed_by_hand(links):
    lines = [json.loads(line) for line in links.read_text().splitlines()]
    linked = next(line for line in lines if line["events"])
    linked["events"] = []
    links.write_text("".join(json.dumps(line) + "\n" for line in lines))


def meta(links):
    return links.with_name(f"{links.name}.meta.json")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (another_method, "named-nearest has no explanations"),
        (no_origin, "the links have no origin beside them"),
        (another_model, "the links were made with another model; give --model"),
        (changed_by_hand, "chains does not reproduce these links from the given files"),
    ],
)
def test_where_nothing_can_be_explained_the_page_says_so(short, tmp_path, capfd, change, sentence):
    files, about = short
    links = tmp_path / "links.jsonl"
    align(*files, "-o", links)
    change(links)
    report(links, *about, "-o", tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert f'["Not explained","{sentence}' in page
    assert f"touchline: comments are not explained: {sentence}" in capfd.readouterr().err


def test_a_model_that_did_not_make_the_links(short, tmp_path, capfd):
    files, about = short
    align(*files, "-o", tmp_path / "links.jsonl")
    report(tmp_path / "links.jsonl", *about, "--model", PATHS[0], "-o", tmp_path / "page.html")
    assert "the links were made without a model" in capfd.readouterr().err
