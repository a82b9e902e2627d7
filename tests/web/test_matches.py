"""Matches, their pages and downloads; uploads, jobs, cancelling, deleting."""

from __future__ import annotations

import contextlib
import gzip
import json
import os
import shutil
import signal
import sqlite3
import sys
from pathlib import Path

import msgspec
import pytest

from fuzzing.recognisers import Said, written
from tests.waiting import wait_for
from tests.web.conftest import BASE_URL, make_client, make_server
from touchline import UsageError, cli
from touchline.io.corpus.folder import known_ending
from touchline.io.corpus.layout import read_match_folder
from touchline.io.links.origin import read_origin
from touchline.report.data import Report
from touchline.sample import corpus_path
from touchline.web import library
from touchline.web.errors import ApiError
from touchline.web.jobs.align_worker import read_folder, run_task
from touchline.web.jobs.tasks import Task
from touchline.web.jobs.worker_process import StoppedError, Worker
from touchline.web.notifications import MatchNotification
from touchline.web.store.database import backup

HOME, AWAY = "harrowmere-castlebrook", "port-selwyn-dunveagh"
API = "/api/v1"
QUICK = "named-nearest"


def code(response):
    return response.status_code, response.json()["error"]["code"]


def files(name=HOME, **more):
    folder = corpus_path() / name
    sent = {
        "events": ("feed.json.gz", (folder / "events.json.gz").read_bytes()),
        "comments": ("text.jsonl", (folder / "comments.jsonl").read_bytes()),
        "lineups": ("squads.json", (folder / "lineups.json").read_bytes()),
        **more,
    }
    return [(field.rstrip("0123456789"), file) for field, file in sent.items()]


def upload(client, **more):
    data = more.pop("data", {"name": "The Derby"})
    got = client.post(f"{API}/matches", files=files(**more), data=data)
    assert got.status_code == 202, got.text
    return got.json()


# Reading -----------------------------------------------------------------------------------------


def test_the_list_and_one_match(client):
    found = client.get(f"{API}/matches").json()
    assert [match["name"] for match in found["matches"]] == [HOME, AWAY]
    match = client.get(f"{API}/matches/{HOME}").json()
    assert match == found["matches"][0]
    assert match["title"] == "Harrowmere City – Castlebrook Athletic"
    assert (match["state"], match["method"], match["comments"]) == ("ready", QUICK, 126)
    assert (match["uploaded"], match["gold"], match["job"]) == (False, True, None)


def test_the_page_is_what_a_report_embeds(client):
    got = client.get(f"{API}/matches/{HOME}/page")
    report = msgspec.json.decode(got.content, type=Report)
    assert report.format == 1
    assert report.matches[0].name == HOME
    assert len(report.matches[0].comments) == 126
    assert got.headers["content-encoding"] == "gzip"
    plain = client.get(f"{API}/matches/{HOME}/page", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.content == got.content
    seen = {"If-None-Match": got.headers["etag"]}
    assert client.get(f"{API}/matches/{HOME}/page", headers=seen).status_code == 304


@pytest.mark.parametrize("form", ["jsonl", "csv", "chapters.vtt", "vtt", "json", "html", "parquet"])
@pytest.mark.parametrize("annotator", [None, "Ada"])
def test_links_in_every_format(client, form, annotator):
    asked = {"format": form} | ({"annotator": annotator} if annotator else {})
    got = client.get(f"{API}/matches/{HOME}/links", params=asked)
    assert got.status_code == 200, got.text
    assert f"{HOME}.{form}" in got.headers["content-disposition"]
    starts = {"jsonl": b"{", "csv": b"match,", "chapters.vtt": b"WEBVTT", "vtt": b"WEBVTT",
              "json": b"{", "html": b"<!doctype", "parquet": b"PAR1"}  # fmt: skip
    assert got.content.startswith(starts[form])
    assert form in client.get(f"{API}/session").json()["formats"]


def test_an_unknown_format_is_refused(client):
    asked = f"{API}/matches/{HOME}/links?format=docx"
    assert code(client.get(asked)) == (400, "query")


@pytest.mark.parametrize("gone", ["page.json.gz", "match.msgpack", "links.jsonl"])
def test_an_answer_that_goes_while_it_is_read_is_asked_for_again(client, folder, gone):
    """An alignment that ends between two files that a download reads takes them away."""
    for file in (folder / ".touchline" / "answers").glob(f"*/{gone}"):
        file.unlink()
    form = "html" if gone == "page.json.gz" else "csv"
    asked = f"{API}/matches/{HOME}/links?format={form}"
    assert code(client.get(asked)) == (409, "not_aligned")


def test_pages_of_replaced_answers_do_not_stay_in_memory(folder, ended):
    server = make_server(folder)
    with make_client(server, BASE_URL) as client:
        client.headers["X-CSRF-Token"] = client.get(f"{API}/session").json()["csrf"]
        old = server.library.answer(HOME)
        kept = server.library.page(old)
        assert server.library.page(old) is kept
        job = client.post(f"{API}/matches/{HOME}/align", json={"method": QUICK}).json()
        assert ended(client, job["id"])["state"] == "done"
        assert server.library.answer(HOME) != old
        with pytest.raises(ApiError, match="has just changed"):
            server.library.page(old)


def test_matches_are_aligned_at_the_start_and_broken_ones_say_why(start, tmp_path):
    corpus = tmp_path / "corpus"
    for name, broken in ((HOME, False), ("broken", True)):
        shutil.copytree(corpus_path() / HOME, corpus / name)
        if broken:
            (corpus / name / "comments.jsonl").write_text('{"id": 1, "text"')
    (corpus / "no match").mkdir()
    client = start(corpus, align_new=True)
    wait_for(lambda: not any(m["job"] for m in client.get(f"{API}/matches").json()["matches"]))
    states = {m["name"]: m["state"] for m in client.get(f"{API}/matches").json()["matches"]}
    assert states == {HOME: "ready", "broken": "failed"}
    problem = client.get(f"{API}/matches/broken").json()["problem"]
    assert problem.startswith("comments.jsonl, line 1:")
    assert str(tmp_path) not in problem
    assert code(client.get(f"{API}/matches/broken/page")) == (409, "not_aligned")
    assert code(client.get(f"{API}/matches/broken/labels/Ada")) == (409, "not_aligned")


# Uploading ---------------------------------------------------------------------------------------


def test_an_upload_becomes_a_match_and_can_be_deleted(client, folder, ended):
    job = upload(client)
    assert (job["kind"], job["title"], job["match"]) == ("upload", "The Derby", None)
    done = ended(client, job["id"])
    assert (done["state"], done["match"], done["done"]) == ("done", "the-derby", 1.0)
    match = client.get(f"{API}/matches/the-derby").json()
    assert (match["state"], match["uploaded"], match["comments"]) == ("ready", True, 126)
    stored = sorted(path.name for path in (folder / "the-derby").iterdir())
    assert stored == ["comments.jsonl", "events.json.gz", "lineups.json"]
    asked = {"q": "Havlovec", "match": "the-derby"}
    assert client.get(f"{API}/search", params=asked).json()["total"] > 0
    assert ended(client, upload(client)["id"])["match"] == "the-derby-2"

    at = f"{API}/matches/the-derby"
    client.post(f"{at}/labels/Ada", json={"comment": 0, "revision": 0, "action": "none"})
    assert client.delete(at).status_code == 204
    assert code(client.get(at)) == (404, "no_match")
    assert not (folder / "the-derby").exists()
    assert client.get(f"{API}/search", params=asked).json()["total"] == 0
    with sqlite3.connect(folder / ".touchline" / "touchline.db") as db:
        for table in ("labels", "actions", "comments", "events", "people", "matches"):
            column = "name" if table == "matches" else "match"
            count = f"SELECT COUNT(*) FROM {table} WHERE {column} = 'the-derby'"
            assert db.execute(count).fetchone()[0] == 0
    answers = {path.name for path in (folder / ".touchline" / "answers").iterdir()}
    assert answers == {m["answer"] for m in client.get(f"{API}/matches").json()["matches"]}
    assert list((folder / ".touchline" / "work").iterdir()) == []


def test_a_match_whose_folder_has_just_gone_is_not_there(client, folder, ended):
    name = ended(client, upload(client)["id"])["match"]
    assert client.get(f"{API}/matches/{name}").status_code == 200
    shutil.rmtree(folder / name)
    assert code(client.delete(f"{API}/matches/{name}")) == (404, "no_match")
    assert name not in [one["name"] for one in client.get(f"{API}/matches").json()["matches"]]


def test_numbers_that_browsers_would_round_are_texts(client, ended):
    lines = (corpus_path() / HOME / "comments.jsonl").read_text().splitlines()
    long = [{**json.loads(line), "id": 10**22 + place} for place, line in enumerate(lines)]
    sent = "\n".join(map(json.dumps, long)).encode()
    name = ended(client, upload(client, comments=("text.jsonl", sent))["id"])["match"]
    (page,) = client.get(f"{API}/matches/{name}/page").json()["matches"]
    assert [one["id"] for one in page["comments"]] == [str(one["id"]) for one in long]
    gold = json.dumps({"id": long[3]["id"], "events": []})
    got = client.post(f"{API}/matches/{name}/labels/Ada/gold", content=gold)
    assert [label["comment"] for label in got.json()["labels"]] == [str(long[3]["id"])]


def test_an_upload_that_goes_wrong_at_the_end_leaves_nothing(client, folder, ended, monkeypatch):
    def fail(*_):
        raise sqlite3.IntegrityError("planted")

    monkeypatch.setattr(library.index, "put", fail)
    job = ended(client, upload(client)["id"])
    assert job["state"] == "failed"
    monkeypatch.undo()
    assert len(client.get(f"{API}/matches").json()["matches"]) == 2
    assert not (folder / "the-derby").exists()
    assert ended(client, upload(client)["id"])["match"] == "the-derby"


def test_the_news_of_a_match_comes_when_its_job_is_over(folder):
    """Who asks for the match on the news must not find a job that no later news would end."""
    server, heard = make_server(folder), []

    def hear(item):
        if isinstance(item, MatchNotification):
            heard.append((item.name, item.change, item.name in server.jobs.of_match()))

    server.notifications.publish = hear
    server.start()
    try:
        server.jobs.add("align", match=HOME, title=HOME, method=QUICK)
        wait_for(lambda: heard)
    finally:
        server.close()
    assert heard == [(HOME, "aligned", False)]


def test_a_match_that_was_not_uploaded_is_not_deleted(client, folder):
    assert code(client.delete(f"{API}/matches/{HOME}")) == (403, "not_uploaded")
    assert (folder / HOME).is_dir()


def test_without_a_name_the_teams_give_one(client, ended):
    job = upload(client, data={})
    assert ended(client, job["id"])["match"] == "harrowmere-city-castlebrook-athletic"


def test_speech_in_two_files_keeps_the_times_of_its_words(tmp_path):
    for name in ("events.json.gz", "lineups.json"):
        shutil.copy(corpus_path() / HOME / name, tmp_path / name)
    comments = read_match_folder(corpus_path() / HOME).match.comments
    for period in (1, 2):
        said = [Said(c.time + 100, c.text) for c in comments if c.period == period and c.time > 0]
        (tmp_path / f"part-{period}.json").write_bytes(written("segments/whisper", said))
    parts = read_folder(tmp_path, "m").comments
    assert (tmp_path / "comments.jsonl").is_file()
    joined = read_folder(tmp_path, "m").comments
    assert all(c.spoken for c in parts)
    assert [(c.id, c.start, c.end, c.spoken) for c in joined] == [
        (c.id, c.start, c.end, c.spoken) for c in parts
    ]


def test_a_commentary_in_two_files_becomes_one_with_the_same_comments(client, folder, ended):
    live = (corpus_path() / HOME / "live.txt").read_text()
    first, second = live.split("\nHT\n", 1)
    parts = {"comments": ("1.txt", first.encode()), "comments2": ("2.txt", second.encode())}
    job = upload(client, **parts)
    assert ended(client, job["id"])["state"] == "done"
    stored = {path.name for path in (folder / "the-derby").iterdir()}
    assert stored >= {"comments.jsonl", "part-1.txt", "part-2.txt"}
    (folder / "whole").mkdir()
    for name in ("events.json.gz", "lineups.json", "live.txt"):
        to = name.replace("live", "comments")
        shutil.copy(corpus_path() / HOME / name, folder / "whole" / to)
    joined, whole = (read_folder(folder / name, "m") for name in ("the-derby", "whole"))
    assert [c.text for c in joined.comments] == [c.text for c in whole.comments]
    times = [[(c.period, c.start, c.end, c.anywhere) for c in m.comments] for m in (joined, whole)]
    assert times[0] == times[1]


@pytest.mark.parametrize(
    ("broken", "problem"),
    [
        ({"events": ("e.json", b'[{"id": 1')}, "e.json"),
        ({"events": ("e.json", b"")}, "e.json"),
        ({"comments": ("c.jsonl", b'{"id": 1, "text"')}, "c.jsonl, line 1"),
        ({"comments": ("c.exe", b"\x00\x01\x02\x03\x04\x05\x06" * 50)}, "c.exe"),
        ({"lineups": ("C:\\match\\l.json", b"{]")}, "l.json"),
    ],
)
def test_a_broken_file_fails_with_its_place_and_leaves_nothing(
    client, folder, ended, broken, problem
):
    job = ended(client, upload(client, **broken)["id"])
    assert job["state"] == "failed"
    assert job["problem"].startswith(problem)
    assert str(folder) not in job["problem"]
    assert not (folder / "the-derby").exists()
    assert list((folder / ".touchline" / "work").iterdir()) == []


@pytest.mark.skipif(sys.platform != "linux", reason="the limit is Linux's")
def test_a_match_that_needs_too_much_memory_fails_alone(start, ended):
    client = start(worker_bytes=100 << 20)
    # As large as the limits allow: every comment is near many events.
    rows = (f"Pass,1,{number / 2},Reds,player {number % 400}" for number in range(9_900))
    log = "type,period,time,team,player\n" + "\n".join(rows)
    said = (
        (number % 80, f"Player {number % 400} passes to player {number % 7}")
        for number in range(800)
    )
    lines = "\n".join(f"{minute}' {text}" for minute, text in said)
    sent = [("events", ("e.csv", log.encode())), ("comments", ("live.txt", lines.encode()))]
    job = ended(client, client.post(f"{API}/matches", files=sent).json()["id"])
    assert job["state"] == "failed"
    # Mostly "this needs more memory"; but a library that gets none may end the whole process.
    assert "memory" in job["problem"]
    assert ended(client, upload(client)["id"])["state"] == "done"  # by a new process


@pytest.mark.parametrize(
    ("sent", "data", "problem"),
    [
        ([], {}, "upload"),
        (files()[:1], {}, "upload"),
        ([*files(), ("events", ("e.json", b"[]"))], {}, "upload"),
        ([*files(), ("../x", ("e.json", b"[]"))], {}, "upload"),
        (files(), {"colour": "red"}, "upload"),
        (files(), {"events": "text"}, "upload"),
        (files(), {"name": "x" * 81}, "name"),
        (files(), {"method": "magic"}, "method"),
        (files(), {"method": "os:system"}, "method"),
        ([*files(), *[("lineups", ("l.json", b"[]"))] * 12], {}, "upload"),
    ],
)
def test_a_form_that_is_wrong_is_refused_at_once(client, folder, sent, data, problem):
    got = client.post(f"{API}/matches", files=sent, data=data)
    assert code(got) == (400, problem)
    assert list((folder / ".touchline" / "work").iterdir()) == []
    assert client.get(f"{API}/jobs").json()["jobs"][0]["kind"] == "align"


def test_neither_server_nor_worker_imports_what_a_request_names(client, folder, tmp_path):
    """The worker refuses as well, whatever reaches it."""
    for method in ("os:system", "antigravity:fly"):
        got = client.post(f"{API}/matches", files=files(), data={"method": method})
        assert code(got) == (400, "method")
        got = client.post(f"{API}/matches/{HOME}/align", json={"method": method})
        assert code(got) == (400, "method")
        task = Task(folder=str(folder / HOME), out=str(tmp_path / "out"), method=method,
                    max_file_bytes=1 << 26)  # fmt: skip
        with pytest.raises(UsageError, match="unknown method"):
            run_task(task, lambda _: None)
    assert "antigravity" not in sys.modules


def test_links_of_the_server_have_the_origin_that_align_gives_them(folder, tmp_path):
    out, own = tmp_path / "out", tmp_path / "links.jsonl"
    task = Task(folder=str(folder / HOME), out=str(out), method="chains", max_file_bytes=1 << 26)
    run_task(task, lambda _: None)
    files = [str(next((folder / HOME).glob(f"{name}.*"))) for name in ("events", "comments")]
    lineups = str(folder / HOME / "lineups.json")
    assert cli._run(["align", *files, "--lineups", lineups, "-o", str(own)]) == 0
    ours, theirs = read_origin(out / "links.jsonl"), read_origin(own)
    assert ours.versions == theirs.versions != {}
    assert ours.answered_by == theirs.answered_by == "this match alone"
    assert sorted(ours.inputs.values()) == sorted(theirs.inputs.values())


def test_no_more_is_read_than_may_be_sent(start, folder):
    client = start(upload_bytes=50_000)
    assert code(client.post(f"{API}/matches", files=files())) == (413, "too_large")

    def endless():
        yield b'--x\r\nContent-Disposition: form-data; name="events"; filename="e"\r\n\r\n'
        for _ in range(100):
            yield b"x" * 10_000

    headers = {"Content-Type": "multipart/form-data; boundary=x"}
    got = client.post(f"{API}/matches", content=endless(), headers=headers)
    assert code(got) == (413, "too_large")
    assert list((folder / ".touchline" / "work").iterdir()) == []


def test_what_unpacks_to_more_than_a_match_is_refused(start, ended):
    client = start(unpacked_bytes=8 << 20)
    bomb = gzip.compress(b" " * (9 << 20))
    job = ended(client, upload(client, events=("e.json.gz", bomb))["id"])
    assert job["state"] == "failed"
    assert "MB" in job["problem"]


@pytest.mark.linux
def test_too_much_that_waits_is_refused(start):
    client = start(waiting=1, workers=0)
    job = upload(client)
    assert code(client.post(f"{API}/matches", files=files())) == (429, "too_many")
    assert code(client.post(f"{API}/matches/{HOME}/align", json={})) == (429, "too_many")
    client.delete(f"{API}/jobs/{job['id']}")
    assert client.post(f"{API}/matches/{HOME}/align", json={}).status_code == 202


def test_endings_are_ours():
    wanted = {"feed.JSON.gz": ".json.gz", "a.xml": ".xml", "x.exe": ".txt", "..": ".txt",
              "../../etc/passwd": ".txt", "": ".txt", ".gz": ".txt", "a/b.vtt": ".vtt"}  # fmt: skip
    assert {name: known_ending(name) for name in wanted} == wanted


@pytest.mark.parametrize(
    ("text", "name"),
    [("The Derby!", "the-derby"), ("Ærø – Åbo", "r-abo"), ("../../x", "x"), ("", "match"),
     ("武汉", "match"), ("x" * 200, "x" * 80), (".touchline", "touchline")],
)  # fmt: skip
def test_names_of_folders_are_ours(text, name):
    assert library.slug(text) == name


# Jobs --------------------------------------------------------------------------------------------


def workers():
    """The worker processes that our own process has started."""
    found = set()
    for task in Path(f"/proc/{os.getpid()}/task").iterdir():
        with contextlib.suppress(OSError):  # a thread that has just ended
            found.update((task / "children").read_text().split())
    return {int(child) for child in found if _is_worker(child)}


def _is_worker(process):
    """Whether it has become one: between fork and exec it is still a copy of ourselves."""
    try:
        return b"touchline.web.jobs.align_worker" in Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return False


@pytest.fixture
def held():
    """Waits for a server's first worker and stops it, so that its job takes for ever."""
    before = workers()

    def hold():
        (worker,) = wait_for(lambda: workers() - before)
        os.kill(worker, signal.SIGSTOP)
        return worker

    return hold


@pytest.mark.linux
def test_cancelling_kills_the_process_and_deletes_the_upload(client, folder, held):
    job = upload(client)["id"]
    worker = held()
    cancelled = client.delete(f"{API}/jobs/{job}")
    assert cancelled.json()["state"] == "cancelled"
    assert worker not in workers()
    wait_for(lambda: not list((folder / ".touchline" / "work").iterdir()))
    assert not (folder / "the-derby").exists()
    assert code(client.delete(f"{API}/jobs/{job}")) == (409, "ended")
    assert code(client.delete(f"{API}/jobs/nowhere")) == (404, "no_job")


@pytest.mark.linux
def test_a_match_has_one_job_at_a_time_and_is_read_meanwhile(client, held):
    at = f"{API}/matches/{HOME}"
    job = client.post(f"{at}/align", json={"method": "random"}).json()
    held()
    assert code(client.post(f"{at}/align", json={})) == (409, "busy")
    assert code(client.delete(at)) == (409, "busy")
    assert client.get(at).json()["job"]["id"] == job["id"]
    assert client.get(f"{at}/page").json()["method"] == QUICK
    client.delete(f"{API}/jobs/{job['id']}")
    assert client.get(at).json()["job"] is None
    assert client.get(f"{at}/page").json()["method"] == QUICK


@pytest.mark.linux
def test_a_job_that_is_cancelled_before_its_process_starts_is_not_done(folder):
    server, worker = make_server(folder, workers=0), Worker(2 << 30)
    server.start()
    jobs = server.jobs
    jobs.add("align", match=HOME, title=HOME, method=QUICK)
    job = jobs._next(worker)
    jobs.cancel(job.id)
    with pytest.raises(StoppedError):
        jobs._align(job, worker)
    server.close()


@pytest.mark.linux
def test_what_people_ask_for_goes_before_the_background(folder):
    jobs = make_server(folder, workers=0).jobs  # nobody takes one but we
    for name in "ab":
        jobs.add("align", match=name, title=name, method=QUICK, background=True)
    jobs.add("upload", title="asked for", method=QUICK)
    assert [jobs._next(Worker(2 << 30)).title for _ in range(3)] == ["asked for", "a", "b"]


def test_work_that_takes_too_long_is_ended(start, ended):
    client = start(job_seconds=0.01)  # no process has started by then
    job = client.post(f"{API}/matches/{HOME}/align", json={"method": "random"}).json()
    done = ended(client, job["id"])
    assert done["state"] == "failed"
    assert "out of time" in done["problem"]


@pytest.mark.linux
def test_a_worker_that_dies_fails_its_job_and_another_takes_over(client, ended, held):
    job = client.post(f"{API}/matches/{HOME}/align", json={}).json()
    os.kill(held(), signal.SIGKILL)
    assert ended(client, job["id"])["state"] == "failed"
    again = client.post(f"{API}/matches/{HOME}/align", json={"method": "random"}).json()
    assert ended(client, again["id"])["state"] == "done"


@pytest.mark.linux
def test_an_upload_is_taken_up_again_after_a_restart(start, folder, ended, held):
    first = start()
    job = upload(first)["id"]
    held()
    first.__exit__(None, None, None)
    second = start()
    assert ended(second, job)["state"] == "done"
    assert second.get(f"{API}/matches/the-derby").json()["uploaded"]


def test_a_move_that_a_crash_cut_off_is_finished(start, folder, ended):
    """The match has its files, but the server ended before it could say so."""
    start().__exit__(None, None, None)
    shutil.copytree(corpus_path() / HOME, folder / "the-derby")
    with sqlite3.connect(folder / ".touchline" / "touchline.db") as db:
        db.execute(
            "INSERT INTO jobs (id, kind, match, title, method, state, created) "
            "VALUES ('j', 'upload', 'the-derby', 'The Derby', ?, 'running', 'now')", [QUICK]
        )  # fmt: skip
    client = start()
    assert ended(client, "j")["state"] == "done"
    assert client.get(f"{API}/matches/the-derby").json()["uploaded"]


def test_a_deletion_that_a_crash_cut_off_is_finished(start, folder, ended):
    client = start()
    name = ended(client, upload(client)["id"])["match"]
    at = f"{API}/matches/{name}/labels/Ada"
    client.post(at, json={"comment": 0, "revision": 0, "action": "none"})
    client.__exit__(None, None, None)
    work = folder / ".touchline" / "work"
    (folder / name).rename(work / f"deleted-{name}")  # the first thing that deleting does
    client = start()
    assert client.get(f"{API}/search", params={"match": name}).json()["total"] == 0
    assert list(work.iterdir()) == []
    assert ended(client, upload(client)["id"])["match"] == name
    assert client.get(at).json()["labels"] == []


def test_a_backup_is_put_back(start, folder, tmp_path, ended):
    client = start()
    at = f"{API}/matches/{HOME}/labels/Ada"
    client.post(at, json={"comment": 0, "revision": 0, "action": "none"})
    said = client.get(at).json()
    backup(folder, tmp_path / "copy.db")
    other = tmp_path / "other"
    shutil.copytree(corpus_path(), other)
    (other / ".touchline" / "answers" / "left over").mkdir(parents=True)
    shutil.copy(tmp_path / "copy.db", other / ".touchline" / "touchline.db")
    restored = start(other, align_new=True)
    wait_for(lambda: restored.get(f"{API}/matches/{HOME}").json()["state"] == "ready")
    assert restored.get(at).json() == said
    assert not (other / ".touchline" / "answers" / "left over").exists()


def test_progress_is_sent_as_it_happens(start, folder, serve):
    import httpx

    server = serve(folder, "--no-align")
    with httpx.Client(base_url=server.url, timeout=60) as client:
        client.headers["X-CSRF-Token"] = client.get(f"{API}/session").json()["csrf"]
        with client.stream("GET", f"{API}/events", params={"match": AWAY}) as stream:
            lines = stream.iter_lines()
            assert next(lines) == "event: hello"
            at = f"{API}/matches/{{}}/labels/Ada"
            act = {"comment": 0, "revision": 0, "action": "none"}
            other = httpx.Client(base_url=server.url, headers=client.headers, timeout=60)
            for match in (HOME, AWAY):
                assert other.post(at.format(match), json=act).status_code == 200
            other.post(f"{API}/matches/{HOME}/align", json={"method": "random"})
            events = list(_until_aligned(lines))
    assert [data["match"] for name, data in events if name == "label"] == [AWAY]
    jobs = [data for name, data in events if name == "job"]
    assert jobs[0]["state"] == "waiting"
    assert jobs[-1]["state"] == "done"
    assert {"reading", "aligning", "writing"} <= {job["stage"] for job in jobs}
    assert [job["done"] for job in jobs] == sorted(job["done"] for job in jobs)
    assert events[-1] == ("match", {"name": HOME, "change": "aligned"})


def _until_aligned(lines):
    for line in lines:
        if line.startswith("event: "):
            name, data = line[7:], json.loads(next(lines)[6:])
            yield name, data
            if name == "match":
                return
