"""Corpora, models and links in an object store: the bytes of local runs, kills, a busy store."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess

import pytest

from tests.object_store import SECRET, Proxy, forget_clients
from touchline.cli import main
from touchline.io.storage import filesystem

KILLS = int(os.environ.get("TOUCHLINE_KILLS", "1"))
SHORT = ("--set", "rounds=2")
NEAREST = ("--method", "named-nearest", "--jobs", 1)
HEADERS = {"versions_read"}  # what only an object store says


@pytest.fixture(scope="module")
def corpus(store, league) -> str:
    return store.upload(league, "league")


@pytest.fixture
def call(capfd):
    """Runs a command in this process: exit code and what it said."""
    forget_clients()

    def finish(*words: object) -> tuple[int, str]:
        with pytest.raises(SystemExit) as end:
            main([*map(str, words)])
        return int(end.value.code or 0), capfd.readouterr().err

    yield finish
    forget_clients()


def links_of(files: dict[str, bytes]) -> dict[str, object]:
    """Links as bytes, and origins without what only an object store says of files."""
    found: dict[str, object] = {}
    for name, data in files.items():
        if name.endswith(".meta.json"):
            origin = json.loads(data)
            found[name] = {key: value for key, value in origin.items() if key not in HEADERS}
        else:
            found[name] = data
    return found


def test_fit_and_align_give_the_bytes_of_local_runs(
    store, corpus, league, tmp_path, call, files_of
):
    folders = {"local": (league, tmp_path / "out"), "remote": (corpus, "s3://archive/out")}
    for source, out in folders.values():
        assert call("fit", source, "-o", f"{out}/model.npz", *SHORT, "--jobs", 1)[0] == 0
        model = ("--model", f"{out}/model.npz", "--jobs", 1)
        assert call("align", "--corpus", source, "-o", f"{out}/links", *model)[0] == 0
    local, remote = files_of(tmp_path / "out"), store.files("out")
    assert links_of(remote) == links_of(local)
    assert "model.npz" in remote
    assert not [name for name in remote if ".work/" in name]


def test_the_other_commands_read_and_write_there(store, corpus, league, tmp_path, call):
    match, local = f"{corpus}/000000", league / "000000"
    files = ("events.json.gz", "comments.jsonl")
    log, text = (f"{match}/{name}" for name in files)
    assert call("align", log, text, "-o", "s3://archive/one/links.jsonl")[0] == 0
    assert call("align", *(local / name for name in files), "-o", tmp_path / "links.jsonl")[0] == 0
    expected = (tmp_path / "links.jsonl").read_bytes()
    assert store.files("one")["links.jsonl"] == expected
    page = ("-o", "s3://archive/one/page.html", "--events", log, "--comments", text)
    assert call("report", "s3://archive/one/links.jsonl", *page)[0] == 0
    assert call("generate", log, "-o", "s3://archive/one/text.txt")[0] == 0
    assert call("check", log, "s3://archive/one/text.txt", "--json", "s3://archive/one/f.json")[
        0
    ] in (0, 1)
    scores = ("--json", "s3://archive/one/scores.json", "--method", "named-nearest")
    assert call("evaluate", corpus, *scores)[0] == 0
    assert set(store.files("one")) == {
        "links.jsonl", "links.jsonl.meta.json", "page.html", "page.html.meta.json", "text.txt",
        "text.txt.meta.json", "f.json", "scores.json",
    }  # fmt: skip


def test_a_second_run_reads_no_match_again(store, corpus, monkeypatch, call):
    with Proxy(store.address).running() as proxy:
        monkeypatch.setenv("AWS_ENDPOINT_URL", proxy.address)
        forget_clients()
        words = ("align", "--corpus", corpus, "-o", "s3://archive/again", *NEAREST)
        assert call(*words)[0] == 0
        first = store.files("again")
        proxy.log.clear()
        assert call(*words)[0] == 0
        assert not [line for line in proxy.log if "/league/" in line]
        assert store.files("again") == first


@pytest.mark.posix
@pytest.mark.parametrize("number", range(KILLS))
def test_killed_at_any_moment_the_objects_are_the_same(
    number, store, corpus, league, tmp_path, command, run, files_of
):
    chance = random.Random(number)
    out = f"s3://archive/killed-{number}"
    words = ("align", "--corpus", corpus, "-o", out, *NEAREST)
    for _ in range(3):
        process = command(*words)
        try:
            process.wait(chance.uniform(0.5, 4))
        except subprocess.TimeoutExpired:
            process.send_signal(chance.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGINT]))
            process.wait()
    assert run(*words)[0] == 0
    local = ("align", "--corpus", league, "-o", tmp_path / "links", *NEAREST)
    assert run(*local)[0] == 0
    assert links_of(store.files(f"killed-{number}")) == links_of(files_of(tmp_path / "links"))


def test_a_busy_store_changes_nothing_but_the_time(store, corpus, monkeypatch, call):
    assert call("align", "--corpus", corpus, "-o", "s3://archive/calm", *NEAREST)[0] == 0
    with Proxy(store.address, failing=0.1).running() as proxy:
        monkeypatch.setenv("AWS_ENDPOINT_URL", proxy.address)
        forget_clients()
        done = call("align", "--corpus", corpus, "-o", "s3://archive/busy", *NEAREST)
        assert done[0] == 0, done[1]
    assert proxy.failures > 0
    assert store.files("busy") == store.files("calm")


def test_no_credential_is_printed_or_written(store, corpus, monkeypatch, call):
    words = ("align", "--corpus", corpus, "-o", "s3://archive/open", *NEAREST)
    code, said = call(*words)
    assert code == 0
    written = b"".join(store.files("open").values())
    assert SECRET not in said
    assert SECRET.encode() not in written
    monkeypatch.setattr(filesystem, "FIRST_WAIT", 0.0)
    secret = "http://user:pass-word@127.0.0.1:9/events.json?Signature=abcdef"
    code, said = call("align", secret, "s3://archive/none.txt")
    assert code == 1
    assert "http://127.0.0.1:9/events.json" in said
    assert "pass-word" not in said
    assert "abcdef" not in said


def test_a_wrong_bucket_is_found_before_the_work(store, corpus, call):
    code, said = call("align", "--corpus", corpus, "-o", "s3://nowhere/links", *NEAREST)
    assert (code, said) == (1, "touchline: s3://nowhere/links: no such bucket\n")


def test_serve_at_a_url_needs_a_data_set(store, corpus, call):
    code, said = call("serve", corpus)
    assert code == 1
    assert "give a folder of match folders, or a data set" in said
    code, said = call("annotate", corpus, "--with", "true", "--annotator", "somebody")
    assert code == 2
    assert "a local path is needed here" in said
