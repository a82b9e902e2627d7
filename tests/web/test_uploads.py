"""Uploads of several files: what they are, what belongs together, what stays after a failure.

And what an attacker may send: archives that grow, that lead out of their folder, that lie.
"""

from __future__ import annotations

import asyncio
import gc
import gzip
import io
import os
import struct
import time
import weakref
import zipfile

import pytest
from starlette.requests import Request

from tests.web.test_matches import API, AWAY, HOME, code
from touchline.sample import corpus_path
from touchline.web import context, uploads
from touchline.web.api.uploads import body
from touchline.web.jobs import archives, inspect_task
from touchline.web.records import UploadFile

LOG, TEXT, SQUADS = "events.json.gz", "live.txt", "lineups.json"


class Here:
    """Reads files in this process; starting another one takes longer than most of these tests."""

    def __init__(self, max_memory):
        pass

    def start(self):
        pass

    def run(self, task, send, max_seconds):
        return inspect_task.run_inspect_task(task, send)

    kill = start


@pytest.fixture(autouse=True)
def here(monkeypatch):
    monkeypatch.setattr(context, "Worker", Here)


def content(file, match=HOME):
    return (corpus_path() / match / file).read_bytes()


def send(client, *files, to="/uploads"):
    """Send files, each a pair of name and bytes."""
    return client.post(f"{API}{to}", files=[("files", file) for file in files])


def zipped(files, **more):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, **more) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def by_name(upload):
    return {(file["folder"], file["name"]): file for file in upload["files"]}


def started(client, upload, **more):
    matches = [
        {key: match[key] for key in ("events", "comments", "lineups", "labels")}
        for match in upload["matches"]
    ]
    body = {"matches": matches, **more}
    return client.post(f"{API}/uploads/{upload['id']}/matches", json=body)


# What files are ----------------------------------------------------------------------------------


def test_files_are_recognised_and_brought_together(client, ended, folder):
    got = send(client, ("a.gz", content(LOG)), ("b.txt", content(TEXT)), ("c", content(SQUADS)),
               ("d.jsonl", content("gold.jsonl")), ("notes.md", b"# Notes\n"))  # fmt: skip
    assert got.status_code == 201, got.text
    upload = got.json()
    roles = {file["name"]: (file["role"], file["what"], file["count"]) for file in upload["files"]}
    assert roles["a.gz"][:2] == ("log", "StatsBomb events")
    assert roles["a.gz"][2] > 1000
    assert roles["b.txt"] == ("commentary", "live text", 126)
    assert roles["c"][0] == "lineups"
    assert roles["d.jsonl"][::2] == ("labels", 126)
    assert roles["notes.md"][0] == "unknown"
    ids = {file["name"]: file["id"] for file in upload["files"]}
    (match,) = upload["matches"]
    assert match["title"] == "Harrowmere City – Castlebrook Athletic"
    assert (match["events"], match["comments"]) == (ids["a.gz"], [ids["b.txt"]])
    assert (match["lineups"], match["labels"]) == ([ids["c"]], ids["d.jsonl"])
    assert (match["checked"], match["problem"], match["warnings"]) == (True, None, [])
    assert client.get(f"{API}/uploads/{upload['id']}").json() == upload
    assert len(client.get(f"{API}/matches").json()["matches"]) == 2  # nothing has started

    (job,) = started(client, upload).json()["jobs"]
    assert job["files"]["events.txt.gz"] == "a.gz"
    done = ended(client, job["id"])
    assert done["state"] == "done", done
    match = client.get(f"{API}/matches/{done['match']}").json()
    assert (match["comments"], match["gold"], match["uploaded"]) == (126, True, True)
    assert code(client.get(f"{API}/uploads/{upload['id']}")) == (404, "no_upload")  # used up
    assert list((folder / ".touchline" / "uploads").iterdir()) == []


@pytest.mark.filterwarnings("ignore:the commentary names")
def test_a_text_about_another_match_is_doubted(client):
    upload = send(client, (LOG, content(LOG)), ("live.txt", content(TEXT, AWAY))).json()
    (match,) = upload["matches"]
    assert any("is it about this match?" in one for one in match["warnings"])


def test_several_matches_of_one_archive(client, ended):
    files = {f"{name}/{file}": content(file, name) for name in (HOME, AWAY)
             for file in (LOG, "comments.jsonl", TEXT, SQUADS, "gold.jsonl")}  # fmt: skip
    files["__MACOSX/x"] = files[f"{HOME}/.DS_Store"] = b"junk"
    upload = send(client, ("season.zip", zipped(files))).json()
    assert len(upload["matches"]) == 2
    named = by_name(upload)
    assert named["", "season.zip"]["role"] == "archive"
    assert named["", "season.zip"]["count"] == 10
    for match, name in zip(upload["matches"], (HOME, AWAY), strict=True):
        own = f"season.zip/{name}"
        assert match["events"] == named[own, LOG]["id"]
        assert match["comments"] == [named[own, "comments.jsonl"]["id"]]  # and not both texts
        assert match["lineups"] == [named[own, SQUADS]["id"]]
        assert match["labels"] == named[own, "gold.jsonl"]["id"]
    jobs = started(client, upload, method="named").json()["jobs"]
    assert [ended(client, job["id"])["state"] for job in jobs] == ["done", "done"]
    assert {job["method"] for job in jobs} == {"named"}


def test_several_matches_beside_each_other_are_told_apart_by_names(client):
    files = [(f"{place}-{file}", content(file, name)) for place, name in enumerate((HOME, AWAY))
             for file in (LOG, TEXT, SQUADS, "gold.jsonl")]  # fmt: skip
    upload = send(client, *files).json()
    names = {file["id"]: file["name"] for file in upload["files"]}
    found = [[names[one] for one in (m["events"], *m["comments"], *m["lineups"], m["labels"])]
             for m in upload["matches"]]  # fmt: skip
    wanted = [[f"{place}-{file}" for file in (LOG, TEXT, SQUADS, "gold.jsonl")] for place in "01"]
    assert found == wanted


def test_a_commentary_in_parts_and_one_of_several():
    def file(name, folder="", what="live text"):
        return UploadFile(id=name, name=name, folder=folder, what=what)

    def chosen(*files):
        return [one.id for one in inspect_task.chosen(files)]

    assert chosen(file("half-2.txt"), file("half-1.txt")) == ["half-1.txt", "half-2.txt"]
    assert chosen(file("bbc.txt"), file("comments.txt")) == ["comments.txt"]
    assert chosen(file("a.txt"), file("b.srt", what="subtitles")) == ["a.txt"]
    assert chosen() == []


def test_a_broken_file_says_so_under_its_own_name(client):
    broken = gzip.compress(gzip.decompress(content(LOG)).replace(b'"type":', b'"tpye":'))
    upload = send(client, ("derby.json.gz", broken), (TEXT, content(TEXT))).json()
    file = by_name(upload)["", "derby.json.gz"]
    assert file["role"] == "log"
    assert file["problem"]
    assert ".touchline" not in file["problem"]
    assert upload["matches"] == []


# After a failure ---------------------------------------------------------------------------------


def test_files_stay_after_a_failure_and_one_is_replaced(client, ended, folder):
    bad = content("comments.jsonl").replace(b'"text"', b'"txet"')
    upload = send(client, (LOG, content(LOG)), ("comments.jsonl", content("comments.jsonl"))).json()
    at = f"{API}/uploads/{upload['id']}"
    (folder / ".touchline" / "uploads" / upload["id"] / "2.jsonl").write_bytes(bad)
    (job,) = started(client, upload).json()["jobs"]
    failed = ended(client, job["id"])
    assert failed["state"] == "failed"
    assert failed["problem"].startswith("comments.jsonl")
    assert failed["upload"] == upload["id"]
    assert len(client.get(at).json()["files"]) == 2  # both are still there
    left = client.delete(f"{at}/files/2.jsonl").json()
    assert [file["name"] for file in left["files"]] == [LOG]
    assert left["matches"][0]["comments"] == []
    again = send(client, (TEXT, content(TEXT)), to=f"/uploads/{upload['id']}/files").json()
    assert [file["name"] for file in again["files"]] == [LOG, TEXT]
    (job,) = started(client, again).json()["jobs"]
    states = {one["id"]: one["state"] for one in client.get(f"{API}/jobs").json()["jobs"]}
    assert failed["id"] not in states  # the failure is over
    assert ended(client, job["id"])["state"] == "done"


def test_a_dismissed_failure_takes_its_files_along(client, ended, folder):
    upload = send(client, (LOG, content(LOG)), (TEXT, content(TEXT))).json()
    (folder / ".touchline" / "uploads" / upload["id"] / "2.txt").write_bytes(b"nothing")
    (job,) = started(client, upload).json()["jobs"]
    ended(client, job["id"])
    client.post(f"{API}/jobs/dismiss", json={"jobs": [job["id"]]})
    assert code(client.get(f"{API}/uploads/{upload['id']}")) == (404, "no_upload")


def test_uploads_that_nobody_started_are_deleted_in_time(client, folder, monkeypatch):
    old = send(client, ("a.txt", b"1' Kick-off")).json()["id"]
    os.utime(folder / ".touchline" / "uploads" / old, (0, time.time() - 8 * 86400))
    kept = send(client, ("a.txt", b"1' Kick-off")).json()["id"]
    monkeypatch.setattr(uploads, "MAX_KEPT", 2)
    last = send(client, ("a.txt", b"1' Kick-off")).json()["id"]
    assert {path.name for path in (folder / ".touchline" / "uploads").iterdir()} == {kept, last}
    assert client.delete(f"{API}/uploads/{last}").status_code == 204
    assert code(client.delete(f"{API}/uploads/{last}")) == (404, "no_upload")


def test_files_that_are_not_there(client, folder):
    upload = send(client, (LOG, content(LOG)), (TEXT, content(TEXT))).json()
    at = f"{API}/uploads/{upload['id']}"
    for match in (
        {"events": "9.json", "comments": ["2.txt"]},
        {"events": "../../../etc/passwd", "comments": ["2.txt"]},
        {"events": "upload.json", "comments": ["2.txt"]},
        {"events": "1.json.gz", "comments": ["1.json.gz"]},
    ):
        assert code(client.post(f"{at}/matches", json={"matches": [match]}))[1] == "upload"
    assert code(client.delete(f"{at}/files/..%2f..%2ftouchline.db"))[0] == 404
    assert code(client.delete(f"{at}/files/upload.json")) == (404, "no_upload")
    for name in ("..", "%2e%2e", "..%2fanswers", "x"):
        assert client.get(f"{API}/uploads/{name}").status_code == 404
    assert list((folder / ".touchline" / "work").iterdir()) == []
    assert code(client.post(f"{API}/uploads", data={"files": "x"})) == (400, "upload")


# Attacks -----------------------------------------------------------------------------------------


def only(client, data, name="bomb.zip"):
    """The archive as it is listed, when nothing else was understood."""
    got = send(client, (name, data))
    assert got.status_code == 201, got.text
    (file,) = got.json()["files"]
    return file


def test_an_archive_that_grows_is_stopped(start, folder):
    client = start(unpacked_bytes=1 << 20)
    bomb = zipped({f"{number}.txt": bytes(400_000) for number in range(10)})
    assert len(bomb) < 10_000
    file = only(client, bomb)
    assert "larger than 1 MB uncompressed" in file["problem"]
    (upload,) = (folder / ".touchline" / "uploads").iterdir()
    assert {path.name for path in upload.iterdir()} == {"1.txt", "upload.json"}  # nothing is left


def test_a_size_in_the_archive_is_not_believed(start):
    """The headers say 10 bytes, the data is a megabyte."""
    client = start(unpacked_bytes=1 << 19)
    honest = zipped({"a.txt": bytes(1 << 20)})
    lying = honest.replace(struct.pack("<I", 1 << 20), struct.pack("<I", 10))
    assert lying != honest
    assert only(client, lying)["problem"]


def test_an_archive_of_too_many_files(client, monkeypatch):
    many = zipped({f"{number}.txt": b"1' x" for number in range(400)})
    assert "too many files" in only(client, many)["problem"]


def test_archives_in_archives_stay_closed(client):
    inner = zipped({"a.txt": b"1' Kick-off"})
    got = send(client, ("outer.zip", zipped({"inner.zip": inner}))).json()
    assert [file["role"] for file in got["files"]] == ["archive", "unknown"]


@pytest.mark.parametrize(
    "name",
    ["../../evil.txt", "/etc/evil.txt", "..\\..\\evil.txt", "C:\\evil.txt", "a/../../evil.txt"],
)
def test_names_never_become_paths(client, folder, name):
    before = sorted(folder.parent.rglob("*"))
    got = send(client, ("x.zip", zipped({name: b"1' Kick-off"}))).json()
    file = got["files"][1]
    assert file["name"] == "evil.txt"
    new = set(folder.parent.rglob("*")) - set(before)
    inside = folder / ".touchline" / "uploads"
    assert all(path.is_relative_to(inside) or ".touchline" in path.parts for path in new)
    assert not [path for path in new if "evil" in path.name]
    plain = send(client, (name, b"1' Kick-off")).json()["files"][0]
    assert plain["name"] == "evil.txt"


@pytest.mark.parametrize(
    "data",
    [
        b"PK\x03\x04",
        b"PK\x03\x04" + bytes(500),
        zipped({"a.txt": b"1' x"})[:-10],
        zipped({}),
        zipped({"a.txt": b"1' Kick-off" * 99}).replace(b"\x08\x00", b"\x63\x00"),
    ],
)
def test_a_damaged_archive_is_said_to_be_one(client, data):
    got = send(client, ("x.zip", data)).json()
    assert got["matches"] == []
    assert all(file["problem"] or file["role"] == "unknown" for file in got["files"])


def test_symbolic_links_in_an_archive_are_plain_files(client, folder):
    link = zipfile.ZipInfo("gold.jsonl")
    link.external_attr = 0o120777 << 16
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(link, "/etc/passwd")
    got = send(client, ("x.zip", out.getvalue())).json()
    stored = folder / ".touchline" / "uploads" / got["id"] / got["files"][1]["id"]
    assert not stored.is_symlink()
    assert stored.read_bytes() == b"/etc/passwd"


def test_too_much_is_refused_before_it_is_stored(start, folder):
    client = start(upload_bytes=1000)
    assert code(send(client, ("a.txt", bytes(2000)))) == (413, "too_large")
    assert list((folder / ".touchline" / "uploads").iterdir()) == []
    first = send(client, ("a.txt", b"1' Kick-off" + bytes(400))).json()
    more = send(client, ("b.txt", bytes(600)), to=f"/uploads/{first['id']}/files")
    assert code(more) == (413, "too_large")  # together they are too many


def test_a_workbook_is_no_archive(tmp_path):
    path = tmp_path / "a.xlsx"
    path.write_bytes(zipped({"[Content_Types].xml": b"<x/>"}))
    assert not archives._is_archive(path)


def test_files_are_read_in_a_process_with_limits(start, folder, monkeypatch):
    monkeypatch.undo()
    client = start()
    assert send(client, (TEXT, content(TEXT))).json()["files"][0]["count"] == 126
    monkeypatch.setattr(context, "INSPECT_SECONDS", 0.0)
    got = send(client, (TEXT, content(TEXT)))
    assert code(got) == (400, "upload")
    assert "took too long" in got.json()["error"]["message"]
    assert len(list((folder / ".touchline" / "uploads").iterdir())) == 1


def test_a_body_leaves_nothing_for_the_garbage_collector():
    async def receive():
        return {"type": "http.request", "body": b"{}", "more_body": False}

    request = Request({"type": "http", "method": "POST", "headers": []}, receive)
    gone = weakref.ref(request)
    gc.disable()
    try:
        assert asyncio.run(body(request, 10)) == b"{}"
        del request
        assert gone() is None
    finally:
        gc.enable()
