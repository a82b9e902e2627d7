"""Files in an object store: what is there, whole writes, failures in one sentence."""

from __future__ import annotations

import pickle
import threading
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.object_store import BUCKET, Proxy, forget_clients
from touchline import read_events
from touchline.core.errors import InputError, OutputError
from touchline.io.corpus.layout import corpus_matches, read_corpus
from touchline.io.files import read_text, sha256, write_text_whole
from touchline.io.sizes import MAX_FILE
from touchline.io.storage import as_path, filesystem
from touchline.sample import corpus_path


@pytest.fixture(autouse=True)
def fresh(store):
    """A client for the store of this test: one knows its address from the environment."""
    forget_clients()
    yield
    forget_clients()


@pytest.fixture
def season(store) -> str:
    return store.upload(corpus_path(), "season")


def test_a_written_file_can_be_read_and_removed(store):
    path = as_path(f"s3://{BUCKET}/notes/a.txt")
    assert not path.exists()
    with write_text_whole(path) as out:
        out.write("café\n")
    assert read_text(as_path(str(path))) == "café\n"
    assert sha256(path) == sha256(as_path(str(path)))
    assert path.parent.is_dir()
    path.unlink()
    assert not as_path(str(path)).exists()
    path.unlink(missing_ok=True)


def write_half(path) -> None:
    with write_text_whole(path) as out:
        out.write("half")
        raise RuntimeError


def test_nothing_is_written_where_writing_fails(store):
    path = as_path(f"s3://{BUCKET}/notes/half.txt")
    with pytest.raises(RuntimeError):
        write_half(path)
    assert not as_path(str(path)).exists()


def test_a_corpus_is_read_as_from_a_folder(season):
    local, remote = list(read_corpus(corpus_path())), list(read_corpus(season))
    assert remote == local
    assert [one.name for one in corpus_matches(season)] == [one.match.name for one in local]


def test_a_match_takes_a_request_for_each_file_and_none_to_look(store, season, monkeypatch):
    with Proxy(store.address).running() as proxy:
        monkeypatch.setenv("AWS_ENDPOINT_URL", proxy.address)
        forget_clients()
        match = corpus_matches(season)[0]
        sent = pickle.loads(pickle.dumps(match))
        assert proxy.requests == {"LIST": 1}
        sent.fetched().read()
        assert proxy.requests == {"LIST": 1, "GET": 4}
        assert set(match.versions) == {"events.json.gz", "lineups.json", "comments.jsonl"}


def test_archives_are_corpora_too(store, tmp_path):
    archive = tmp_path / "season.zip"
    with zipfile.ZipFile(archive, "w") as out:
        for path in sorted(corpus_path().rglob("*")):
            if path.is_file():
                out.write(path, path.relative_to(corpus_path()))
    expected = list(read_corpus(corpus_path()))
    assert list(read_corpus(archive)) == expected
    store.request("PUT", f"{BUCKET}/season.zip", archive.read_bytes())
    assert list(read_corpus(f"zip::s3://{BUCKET}/season.zip")) == expected
    assert list(read_corpus(f"s3://{BUCKET}/season.zip")) == expected
    damaged = tmp_path / "damaged.zip"
    damaged.write_bytes(archive.read_bytes()[:3000])
    with pytest.raises(InputError, match=r"damaged\.zip: not a zip archive, or a damaged one$"):
        corpus_matches(damaged)


def test_the_corpus_within_an_archive_is_named(tmp_path):
    archive = tmp_path / "season.zip"
    with zipfile.ZipFile(archive, "w") as out:
        for path in sorted(corpus_path().rglob("*.*")):
            out.write(path, Path("2015", path.relative_to(corpus_path())))
    with pytest.raises(InputError, match="its folder 2015 does; give zip://2015::") as error:
        corpus_matches(archive)
    given = str(error.value).rpartition("give ")[2]
    assert list(read_corpus(given)) == list(read_corpus(corpus_path()))


def test_what_is_too_large_for_a_match_is_refused_before_it_is_in_memory(tmp_path):
    archive = tmp_path / "season.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as out:
        out.writestr("a/events.json", b" " * (MAX_FILE + 1))
        out.writestr("a/comments.jsonl", "{}")
    (match,) = corpus_matches(archive)
    with pytest.raises(InputError, match=r"a/events\.json.*: larger than 16 MB uncompressed"):
        match.fetched()


@contextmanager
def web_server(folder: Path) -> Iterator[str]:
    """A web server of the standard library: it sends whole files only."""
    handler = partial(SimpleHTTPRequestHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()


def test_a_web_server_that_is_down_or_sends_no_parts_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(filesystem, "FIRST_WAIT", 0.01)
    with zipfile.ZipFile(tmp_path / "season.zip", "w") as out:
        out.writestr("a/events.json", "[]" * 99)
    with web_server(tmp_path) as address:
        with pytest.raises(InputError, match="no such file"):
            read_text(f"{address}/none.json")
        with pytest.raises(InputError, match="the server cannot send parts of a file"):
            corpus_matches(f"{address}/season.zip")
    with pytest.raises(InputError, match="does not answer properly"):
        read_text(f"{address}/none.json")
    with pytest.raises(InputError, match="does not answer properly"):
        corpus_matches(f"{address}/season.zip")


def test_failures_are_one_sentence(store):
    with pytest.raises(InputError, match=r"^s3://archive/no\.json: no such file$"):
        read_text(f"s3://{BUCKET}/no.json")
    with pytest.raises(InputError, match=r"^s3://nowhere/x: no such bucket$"):
        corpus_matches("s3://nowhere/x")
    with pytest.raises(OutputError, match=r"^s3://nowhere/x: no such bucket"):
        as_path("s3://nowhere/x").write_bytes(b"x")
    with pytest.raises(InputError, match="no such folder; expected a corpus"):
        corpus_matches(f"s3://{BUCKET}/none")
    store.request("PUT", f"{BUCKET}/broken.json", b'{"a":')
    with pytest.raises(InputError, match=r"^s3://archive/broken\.json"):
        read_events(f"s3://{BUCKET}/broken.json")


def test_no_permission_and_no_credentials_are_named(store, monkeypatch):
    class Refusing:
        def cat_file(self, key):
            raise PermissionError("Access Denied for key AKIA123 with signature abc")

    monkeypatch.setattr("touchline.io.storage.remote.filesystem", lambda url: Refusing())
    with pytest.raises(InputError, match=r"no permission to read it$"):
        as_path("s3://b/k").read_bytes()

    class Anonymous:
        def cat_file(self, key):
            raise RuntimeError("Unable to locate credentials")

    monkeypatch.setattr("touchline.io.storage.remote.filesystem", lambda url: Anonymous())
    with pytest.raises(InputError, match="no credentials; set them up"):
        as_path("s3://b/k").read_bytes()


def test_a_busy_store_is_asked_again(store, season, monkeypatch):
    monkeypatch.setattr(filesystem, "FIRST_WAIT", 0.01)
    with Proxy(store.address, failing=0.3).running() as proxy:
        monkeypatch.setenv("AWS_ENDPOINT_URL", proxy.address)
        forget_clients()
        match = corpus_matches(season)[0]
        assert match.fetched().read() == corpus_matches(corpus_path())[0].read()
        path = as_path(f"s3://{BUCKET}/asked-again")
        for number in range(5):
            path.write_bytes(b"%d" % number)
        assert as_path(str(path)).read_bytes() == b"4"
    assert proxy.failures > 0


def test_a_store_that_never_answers_is_given_up(monkeypatch):
    monkeypatch.setattr(filesystem, "FIRST_WAIT", 0.0)
    asked = []

    def request():
        asked.append(1)
        raise OSError(16, "Please reduce your request rate. https://u:p@h/k?Signature=abc")

    with pytest.raises(InputError, match="does not answer properly") as error:
        filesystem.asked(Path("x"), request)
    assert len(asked) == filesystem.TRIES
    assert "abc" not in str(error.value)
    assert "u:p" not in str(error.value)
