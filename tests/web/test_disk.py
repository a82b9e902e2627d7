"""A disk that fills up: it is said clearly, and the server goes on when there is room again."""

from __future__ import annotations

import contextlib
import errno
import shutil
import sqlite3

import pytest

from tests.waiting import wait_for
from touchline.core.errors import OutputError
from touchline.io.files import write_whole
from touchline.web.store import disk

HOME = "harrowmere-castlebrook"
LABELS = f"/api/v1/matches/{HOME}/labels/Ada"
ACTION = {"comment": 0, "revision": 0, "action": "none"}


def test_which_errors_mean_a_full_disk(tmp_path):
    full = OSError(errno.ENOSPC, "No space left on device")
    assert disk.is_full(full)
    assert not disk.is_full(OSError(errno.EACCES, "Permission denied"))
    assert not disk.is_full(sqlite3.OperationalError("database is locked"))
    with pytest.raises(OutputError) as raised, write_whole(tmp_path / "links.jsonl"):
        raise full
    assert disk.is_full(raised.value)


class Disk:
    """A small file system with a folder of matches on it."""

    def __init__(self, root, aligned):
        self.folder = shutil.copytree(aligned, root / "matches")
        self.filler = root / "filler"

    def fill(self):
        with open(self.filler, "wb", buffering=0) as out:
            for size in (1 << 16, 1 << 12, 1):
                with contextlib.suppress(OSError):
                    while out.write(bytes(size)) == size:
                        pass

    def make_room(self):
        self.filler.unlink()


@pytest.fixture
def small(small_disk, aligned):
    return Disk(small_disk, aligned)


def refused(response):
    assert response.status_code == 507, response.text
    error = response.json()["error"]
    assert error["code"] == "disk_full"
    assert "the disk is full" in error["message"]


def label_until_refused(client):
    """Label comment after comment: a little still fits into files that are there already."""
    for comment in range(126):
        got = client.post(LABELS, json={**ACTION, "comment": comment})
        if got.status_code != 200:
            refused(got)
            return comment
    return pytest.fail("the disk never filled up")


@pytest.mark.mount
def test_labels_are_refused_and_then_stored_again(start, small):
    client = start(small.folder)
    small.fill()
    first = label_until_refused(client)
    assert len(client.get(LABELS).json()["labels"]) == first  # what was acknowledged, no more
    small.make_room()
    got = client.post(LABELS, json={**ACTION, "comment": first})
    assert got.status_code == 200
    assert len(client.get(LABELS).json()["labels"]) == first + 1


@pytest.mark.mount
def test_the_queue_goes_on_after_a_job_that_ended_on_a_full_disk(start, small, ended, monkeypatch):
    client = start(small.folder)
    from touchline.web.jobs.worker_process import Worker

    run = Worker.run

    def fill_first(*task):
        small.fill()
        return run(*task)

    monkeypatch.setattr(Worker, "run", fill_first)
    align = f"/api/v1/matches/{HOME}/align"
    job = ended(client, client.post(align, json={}).json()["id"])
    assert (job["state"], job["match"]) == ("failed", HOME)
    assert "the disk is full" in job["problem"]
    assert job in client.get("/api/v1/jobs").json()["jobs"]
    refused(client.post(align, json={}))

    monkeypatch.undo()
    small.make_room()

    def noted():
        return client.get(f"/api/v1/matches/{HOME}").json()["problem"]

    assert "the disk is full" in wait_for(noted)  # written once there is room
    job = ended(client, client.post(align, json={}).json()["id"])
    assert job["state"] == "done"
    assert client.get(f"/api/v1/matches/{HOME}").json()["problem"] is None


@pytest.mark.mount
def test_an_upload_to_a_full_disk_leaves_nothing(start, small, sample_folder):
    client = start(small.folder)
    small.fill()
    sent = {
        "events": ("events.json.gz", (sample_folder / "events.json.gz").read_bytes()),
        "comments": ("comments.jsonl", (sample_folder / "comments.jsonl").read_bytes()),
    }
    refused(client.post("/api/v1/matches", files=sent))
    assert list((small.folder / ".touchline" / "work").iterdir()) == []
    small.make_room()
    assert client.post("/api/v1/matches", files=sent).status_code == 202
