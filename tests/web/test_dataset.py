"""A data set at the server: shown and searched, never changed."""

from __future__ import annotations

import contextlib
import json
import shutil
from urllib.parse import quote

import pytest

from tests.dataset import gold_links, write_dataset
from tests.waiting import wait_for
from tests.web.conftest import BASE_URL, make_client, make_server
from touchline.core.errors import TouchlineError
from touchline.io.dataset.manifest import Dataset, DatasetEntry
from touchline.web import dataset_library
from touchline.web.api.endpoints import TABLE
from touchline.web.api.routing import BASE
from touchline.web.dataset_library import named, server_folder

MATCH = "harrowmere-castlebrook"


@pytest.fixture(scope="session")
def written(sample, tmp_path_factory):
    """To copy, not to change."""
    return write_dataset(tmp_path_factory.mktemp("written") / "archive", sample)


@pytest.fixture
def folder(written, tmp_path, monkeypatch):
    monkeypatch.setenv("TOUCHLINE_CACHE", str(tmp_path / "cache"))
    return shutil.copytree(written, tmp_path / "archive")


@contextlib.contextmanager
def served(folder, token=None):
    """A client of a server that has read the data set in."""
    dataset = Dataset(folder)
    server = make_server(server_folder(folder), dataset=dataset, token=token)
    with make_client(server, BASE_URL) as client:
        if token is not None:
            assert client.post(f"{BASE}/session", json={"token": token}).status_code == 200
        client.headers["X-CSRF-Token"] = get(client, "/session")["csrf"]
        wait_for(lambda: len(get(client, "/matches")["matches"]) == len(dataset.manifest.matches))
        yield client


@pytest.fixture
def client(folder):
    with served(folder) as client:
        yield client


def get(client, path, **parameters):
    got = client.get(BASE + path, params=parameters)
    assert got.status_code == 200, got.text
    return got.json()


def files_below(folder):
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder): path.read_bytes() for path in files}


def test_matches_pages_and_files_are_those_of_the_data_set(client, written, folder, sample):
    listed = get(client, "/matches")
    assert listed["folder"] == "archive"
    assert [one["state"] for one in listed["matches"]] == ["ready", "ready"]
    first = listed["matches"][0]
    assert (first["title"], first["score"]) == ("Harrowmere City – Castlebrook Athletic", "2-1")
    (page,) = get(client, f"/matches/{MATCH}/page")["matches"]
    given = gold_links(sample[0])
    assert [one["text"] for one in page["comments"]] == [c.text for c in sample[0].match.comments]
    linked = [[page["events"][at]["id"] for at, _ in one.get("events", [])]
              for one in page["comments"]]  # fmt: skip
    assert linked == [[link.id for link in answer.events] for answer in given]
    assert sum("phase" in one for one in page["comments"]) == 1
    marked = [one for one in page["comments"] if one.get("why", {}).get("marks")]
    assert len(marked) == sum(bool(answer.events) for answer in given)
    lines = client.get(f"{BASE}/matches/{MATCH}/links").text.splitlines()
    assert [json.loads(line)["comment"] for line in lines] == [str(a.comment) for a in given]
    assert client.get(f"{BASE}/matches/{MATCH}/links?format=html").status_code == 200
    assert files_below(folder) == files_below(written)


def test_it_is_searched_by_words_events_and_phases(client):
    assert get(client, "/search", q="gaye lambert picks")["total"] >= 1
    assert get(client, "/search", kind="Shot", outcome="Goal")["total"] >= 3
    hits = get(client, "/search", q="phase:counter")
    assert {hit["match"] for hit in hits["hits"]} == {MATCH, "port-selwyn-dunveagh"}
    assert {one["value"] for one in get(client, "/search", facets=True)["facets"]["phases"]} == {
        "counter"
    }


CHANGES = [one for one in TABLE.endpoints if one.changes]


@pytest.mark.parametrize("one", CHANGES, ids=lambda one: f"{one.method} {one.path}")
def test_nothing_can_be_changed(refusing, one):
    path = one.path.format(match=MATCH, annotator="Ada", job="x", search="x", upload="x", file="x")
    got = refusing.request(one.method, BASE + path, json={})
    assert got.status_code == 403
    assert got.json()["error"]["code"] == "read_only"
    assert "read-only" in got.json()["error"]["message"]


@pytest.fixture(scope="module")
def refusing(written, tmp_path_factory):
    server = make_server(tmp_path_factory.mktemp("own"), dataset=Dataset(written))
    with make_client(server, BASE_URL) as client:
        client.headers["X-CSRF-Token"] = get(client, "/session")["csrf"]
        yield client


def test_what_changes_something_is_refused_and_nothing_else():
    assert {one.method for one in TABLE.endpoints if not one.changes} == {"GET", "POST", "DELETE"}
    allowed = {one.path for one in TABLE.endpoints if not one.changes and one.method != "GET"}
    assert allowed == {"/session"}
    assert len(CHANGES) > 15


def test_the_page_is_told(refusing, league):
    assert get(refusing, "/session")["read_only"] is True
    with make_client(make_server(league), BASE_URL) as client:
        assert get(client, "/session")["read_only"] is False


def test_one_can_sign_in_and_out(folder):
    with served(folder, token="a token of some length") as client:
        assert len(get(client, "/matches")["matches"]) == 2
        assert client.delete(f"{BASE}/session").status_code == 204
        assert client.get(f"{BASE}/matches").status_code == 401


def test_what_a_data_set_does_not_have_is_said(client):
    for path, code in (("generated", "not_generated"), ("findings", "not_checked")):
        got = client.get(f"{BASE}/matches/{MATCH}/{path}")
        assert got.status_code == 404
        assert got.json()["error"]["code"] == code
        assert "a data set has no" in got.json()["error"]["message"]


def test_only_what_is_new_is_read_again(folder, sample, monkeypatch):
    with served(folder) as client:
        before = answers(client)
    read = []
    original = dataset_library.dataset_links

    def reading(dataset, entry):
        read.append((entry.match, entry.season))
        return original(dataset, entry)

    monkeypatch.setattr(dataset_library, "dataset_links", reading)
    with served(folder) as client:
        assert answers(client) == before
    assert read == []
    write_dataset(folder, sample[:1], "2016/17")
    with served(folder) as client:
        assert set(answers(client)) == {
            "port-selwyn-dunveagh", f"{MATCH}, 2015-16, Sample League",
            f"{MATCH}, 2016-17, Sample League",
        }  # fmt: skip
        later = f"{MATCH}, 2016-17, Sample League"
        (page,) = get(client, f"/matches/{quote(later)}/page")["matches"]
        assert page["name"] == MATCH
    assert (MATCH, "2016/17") in read
    assert ("port-selwyn-dunveagh", "2015/16") not in read


def answers(client):
    return {one["name"]: one["answer"] for one in get(client, "/matches")["matches"]}


def test_a_match_that_has_left_the_data_set_is_gone(folder):
    with served(folder):
        pass
    path = folder / "manifest.json"
    manifest = json.loads(path.read_bytes())
    path.write_text(json.dumps({**manifest, "matches": manifest["matches"][1:]}))
    with served(folder) as client:
        assert list(answers(client)) == ["port-selwyn-dunveagh"]
        assert get(client, "/search", match=MATCH)["total"] == 0


def test_a_match_that_cannot_be_read_is_shown_with_the_reason(folder):
    first, second = Dataset(folder).matches
    (folder / first.files["words"]).unlink()
    path = folder / "manifest.json"
    failed = {"match": "000001", "season": "x", "competition": "y", "state": "failed",
              "problem": "no events"}  # fmt: skip
    manifest = json.loads(path.read_bytes())
    path.write_text(json.dumps({**manifest, "matches": [failed, *manifest["matches"]]}))
    with served(folder) as client:
        states = {m["name"]: (m["state"], m["problem"]) for m in get(client, "/matches")["matches"]}
    assert states["000001"] == ("failed", "no events")
    assert states[second.match] == ("ready", None)
    state, problem = states[first.match]
    assert state == "failed"
    assert "no such file" in problem


def test_names_are_as_short_as_they_can_be_and_all_different():
    def entry(season, match):
        return DatasetEntry(season=season, competition="Cup", match=match, state="done")

    found = named([entry("2015/16", "a-b"), entry("2015-16", "a-b"), entry("2015/16", "c-d")])
    assert list(found) == ["a-b, 2015-16, Cup", "a-b, 2015-16, Cup-2", "c-d"]


def test_the_servers_own_data_is_in_the_cache_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("TOUCHLINE_CACHE", str(tmp_path / "cache"))
    one, other = server_folder(tmp_path / "one"), server_folder(tmp_path / "other")
    assert one != other
    assert one.is_relative_to(tmp_path / "cache")
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("TOUCHLINE_CACHE", str(tmp_path / "file"))
    with pytest.raises(TouchlineError, match="set TOUCHLINE_CACHE to another folder"):
        server_folder(tmp_path / "one")
