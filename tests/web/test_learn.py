"""Learning from labels at the desk: too few, before and after, used, removed, killed."""

from __future__ import annotations

import os
import shutil
import signal
from pathlib import Path

import httpx
import msgspec
import pytest

from tests.waiting import wait_for
from touchline.io.corpus.gold import GoldLine
from touchline.io.corpus.labels import read_match_labels
from touchline.io.corpus.layout import CorpusMatch, corpus_matches, read_match_folder
from touchline.io.links.origin import read_origin
from touchline.web.jobs.learn_task import ABOUT, MODEL, _as_given, _labelled
from touchline.web.labels.gold import gold_line
from touchline.web.records import LearnedModel
from touchline.web.store import learned as stored
from touchline.web.store.database import Store, connect
from touchline.web.store.labels import finished_labels

API = "/api/v1"
MATCHES = ["000000", "000001", "000002"]


@pytest.fixture
def people(league, golds):
    """Labels a match of the league under some name, by the API."""

    def label(client, match, name="Ada", lines=None):
        gold = b"".join(line + b"\n" for line in golds[match].split(b"\n")[:lines])
        got = client.post(f"{API}/matches/{match}/labels/{name}/gold", content=gold)
        assert got.status_code == 200, got.text

    return label


@pytest.fixture
def labelled(start, league, people):
    """A server whose three matches are labelled."""
    client = start(league, method="chains")
    for match in MATCHES:
        people(client, match)
    return client


def learn(client):
    job = client.post(f"{API}/learn")
    assert job.status_code == 202, job.text
    return job.json()


def wait_until_learned(client, job):
    ended = wait_for(lambda: (got := client.get(f"{API}/jobs/{job}").json())["ended"] and got, 300)
    assert (ended["state"], ended["problem"]) == ("done", None)
    return client.get(f"{API}/learned").json()


def origin_of(folder, client, match):
    answer = client.get(f"{API}/matches/{match}").json()["answer"]
    return read_origin(folder / ".touchline" / "answers" / answer / "links.jsonl")


def align(client, ended, match):
    job = client.post(f"{API}/matches/{match}/align", json={}).json()
    done = ended(client, job["id"])
    assert (done["state"], done["problem"]) == ("done", None)


def test_with_too_few_labels_it_says_how_many_more(start, league, people):
    client = start(league, method="chains")
    before = client.get(f"{API}/learned").json()
    assert before["missing"].startswith("label 3 more matches first")
    for match in MATCHES[:2]:
        people(client, match)
    people(client, MATCHES[2], lines=9)
    got = client.post(f"{API}/learn")
    assert got.status_code == 409
    error = got.json()["error"]
    assert error["code"] == "too_few"
    assert error["message"].startswith("label 1 more match first: learning takes 3 of written")
    state = client.get(f"{API}/learned").json()
    assert [one["comments"] > 0 for one in state["labelled"]] == [True] * 3
    assert (state["job"], state["offered"], state["used"]) == (None, None, None)
    jobs = client.get(f"{API}/jobs").json()["jobs"]
    assert [job for job in jobs if job["kind"] == "learn"] == []


def test_learned_offered_used_and_removed(labelled, league, ended):
    client = labelled
    align(client, ended, MATCHES[0])
    assert not origin_of(league, client, MATCHES[0]).labels
    job = learn(client)
    assert (job["kind"], job["match"]) == ("learn", None)
    state = wait_until_learned(client, job["id"])
    model = state["offered"]
    assert (state["used"], state["job"], state["missing"]) == (None, None, None)
    assert (model["id"], model["matches"], model["labelled"]) == (job["id"], 3, 3)
    assert [one["match"] for one in model["left_out"]] == MATCHES
    for one in [*model["left_out"], model["total"]]:
        for column in ("without", "labels"):
            assert 0 <= one[column]["f1"] <= 1
    total = model["total"]
    best = max(total["labels"]["f1"], total["over"]["f1"] if total["over"] else 0)
    assert model["over_bundled"] == (best > total["labels"]["f1"])
    assert "used by" in model["labels_by"]
    assert model["total"]["comments"] == sum(one["comments"] for one in model["left_out"])

    align(client, ended, MATCHES[0])  # offered is not used
    assert not origin_of(league, client, MATCHES[0]).labels
    used = client.post(f"{API}/learned", json={"model": model["id"]}).json()
    assert (used["used"], used["offered"]) == (model, None)
    align(client, ended, MATCHES[0])
    origin = origin_of(league, client, MATCHES[0])
    assert (origin.answered_by, origin.labels, origin.method) == ("fitted", True, "chains")
    assert origin.model is not None

    gone = client.delete(f"{API}/learned").json()
    assert (gone["used"], gone["offered"]) == (None, None)
    assert list((league / ".touchline" / "learned").iterdir()) == []
    align(client, ended, MATCHES[0])
    assert not origin_of(league, client, MATCHES[0]).labels


def test_only_what_is_offered_can_be_used(client):
    got = client.post(f"{API}/learned", json={"model": "../../x"})
    assert (got.status_code, got.json()["error"]["code"]) == (404, "no_model")


def test_one_job_learns_at_a_time_and_can_be_cancelled(labelled, league):
    job = learn(labelled)
    again = labelled.post(f"{API}/learn")
    assert (again.status_code, again.json()["error"]["code"]) == (409, "busy")
    assert labelled.get(f"{API}/learned").json()["job"]["id"] == job["id"]
    cancelled = labelled.delete(f"{API}/jobs/{job['id']}").json()
    assert cancelled["state"] == "cancelled"
    wait_for(lambda: not list((league / ".touchline" / "work").iterdir()))
    state = labelled.get(f"{API}/learned").json()
    assert (state["job"], state["offered"]) == (None, None)


def test_what_is_used_is_used_after_a_restart(start, league, stored_model, ended):
    client = start(league, method="chains")
    assert client.get(f"{API}/learned").json()["used"]["id"] == stored_model
    client.__exit__(None, None, None)
    shutil.rmtree(league / ".touchline" / "learned" / stored_model)
    client = start(league, method="chains")  # as after a backup was restored
    assert client.get(f"{API}/learned").json()["used"] is None


@pytest.fixture
def stored_model(start, league):
    """The files of a model that is used; they say nothing that could answer a match."""
    figures = {"precision": 1.0, "recall": 1.0, "f1": 1.0, "exact": 1.0}
    one = {"match": "", "comments": 1, "bundled": None, "without": figures, "labels": figures}
    about = {"id": "m1", "method": "chains", "learned": "", "matches": 1, "labelled": 1,
             "comments": 1, "skipped": 0, "left_out": [], "total": one}  # fmt: skip
    folder = league / ".touchline" / "learned" / "m1"
    folder.mkdir(parents=True)
    (folder / ABOUT).write_bytes(msgspec.json.encode(msgspec.convert(about, LearnedModel)))
    (folder / MODEL).write_bytes(b"")
    store = Store(league)
    with store.write() as db:
        stored.put_models(db, {"used": "m1"})
    store.close()
    return "m1"


def test_another_method_is_not_answered_by_the_model(start, league, stored_model, ended):
    client = start(league)
    job = client.post(f"{API}/matches/{MATCHES[0]}/align", json={"method": "named-nearest"})
    assert ended(client, job.json()["id"])["state"] == "done"
    assert origin_of(league, client, MATCHES[0]).model is None
    job = client.post(f"{API}/matches/{MATCHES[0]}/align", json={}).json()
    assert job["method"] == "chains"  # the one that was learned is the default
    assert "the file is empty" in ended(client, job["id"])["problem"]


def test_labels_of_the_desk_count_as_those_of_files(start, league, people, tmp_path):
    """People's labels, exported as gold.jsonl each, say the same as those that are learned from."""
    client = start(league)
    people(client, MATCHES[0], "Ada")
    people(client, MATCHES[0], "Bo", lines=20)
    at = f"{API}/matches/{MATCHES[0]}/labels"
    first = client.get(f"{at}/Bo").json()["labels"][0]
    act = {"comment": first["comment"], "revision": first["revision"], "action": "none"}
    client.post(f"{at}/Bo", json=act)
    copied = Path(shutil.copytree(league / MATCHES[0], tmp_path / "copy"))
    (copied / "labels").mkdir()
    for name in ("Ada", "Bo"):
        (copied / "labels" / f"{name}.jsonl").write_bytes(client.get(f"{at}/{name}/gold").content)
    match = read_match_folder(copied, labels=False).match
    from_files = read_match_labels(copied, match).said
    with connect(league / ".touchline" / "touchline.db") as db:
        own = finished_labels(db)[MATCHES[0]]
    desk = {name: [gold_line(label) for label in labels] for name, labels in own.items()}
    from_desk = read_match_labels(league / MATCHES[0], match, desk).said
    assert from_desk == from_files
    disputed = from_desk[first["comment"]]
    assert len(disputed) == 2
    assert len(set(disputed.values())) == 1  # both agree with the other equally often


def test_words_chosen_at_the_desk_are_learned_from(start, league, people):
    client = start(league)
    people(client, MATCHES[0], "Ada")
    at = f"{API}/matches/{MATCHES[0]}/labels/Ada"
    first = next(own for own in client.get(at).json()["labels"] if own["events"])
    event = first["events"][0]
    act = {"comment": first["comment"], "revision": first["revision"], "action": "words",
           "event": event, "spans": [[0, 4]]}  # fmt: skip
    assert client.post(at, json=act).status_code == 200
    with connect(league / ".touchline" / "touchline.db") as db:
        own = finished_labels(db)[MATCHES[0]]
    people_say = {name: [gold_line(label) for label in labels] for name, labels in own.items()}
    matches = [CorpusMatch(name=MATCHES[0], path=league / MATCHES[0])]
    (labelled,) = _labelled(matches, {MATCHES[0]: people_say}).matches
    assert labelled.words[first["comment"]] == {event: ((0, 4),)}


def test_long_numbers_are_found_under_the_ids_of_the_commentary(small_match):
    number = 2**60
    first = msgspec.structs.replace(small_match.comments[0], id=number)
    match = msgspec.structs.replace(small_match, comments=(first,))
    (line,) = _as_given(match, [GoldLine(id=str(number), events=())])
    assert line.id == number


def test_matches_without_labels_are_learned_from_but_not_read_again(league):
    assert _labelled(corpus_matches(league), {}).matches == []


@pytest.mark.system
@pytest.mark.linux
def test_a_kill_in_the_midst_loses_nothing(league, people, serve, golds):
    """The job runs again after a restart, from what it had, and labels are all there."""
    server = serve(league, "--no-align", "--method", "chains")
    with httpx.Client(base_url=server.url, timeout=60) as client:
        client.headers["X-CSRF-Token"] = client.get(f"{API}/session").json()["csrf"]
        for match in MATCHES:
            people(client, match)
        job = learn(client)["id"]
        kept = league / ".touchline" / "work" / job / "models"
        wait_for(lambda: kept.is_dir() and list(kept.glob("part-*.npz")))
    os.kill(server.process.pid, signal.SIGKILL)
    server.process.wait()
    before = {path.name: path.stat().st_mtime_ns for path in kept.glob("part-*.npz")}
    server = serve(league, "--no-align", "--method", "chains")
    with httpx.Client(base_url=server.url, timeout=60) as client:
        assert client.get(f"{API}/jobs/{job}").json()["kind"] == "learn"
        after = {path.name: path.stat().st_mtime_ns for path in kept.glob("part-*.npz")}
        assert before.items() <= after.items()
        state = wait_until_learned(client, job)
        assert state["offered"]["id"] == job
        for match in MATCHES:
            found = client.get(f"{API}/matches/{match}/labels/Ada").json()["labels"]
            assert len(found) == len(golds[match].strip().split(b"\n"))
    assert not kept.exists()
