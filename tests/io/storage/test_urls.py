"""URLs in parts, and what is shown of them."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from touchline.core.errors import OutputError, UsageError
from touchline.io.storage import RemotePath, as_path, local_path
from touchline.io.storage.urls import is_url, shown

SIGNED = "https://user:word@host/season/events.json?X-Amz-Signature=abc&X-Amz-Credential=def"


@pytest.mark.parametrize("text", ["s3://b/k", "gs://b/k", "az://c/k", "https://h/f", "zip::a.zip"])
def test_urls_are_recognised(text):
    assert is_url(text)
    assert isinstance(as_path(text), RemotePath)


@pytest.mark.parametrize("text", ["a.json", "/data/x", "C:\\data\\x", "c:/data", "a::b", "-"])
def test_all_else_is_a_local_path(text):
    assert as_path(text) == Path(text)


def test_a_url_of_another_kind_is_refused_without_its_password():
    with pytest.raises(UsageError, match="not supported; use s3://") as error:
        as_path("ftp://user:word@host/x")
    assert "word" not in str(error.value)


def test_secrets_are_never_shown():
    path = as_path(SIGNED)
    for text in (str(path), repr(path), f"{path}", path.name, str(path.parent), str(path / "x")):
        assert "word" not in text
        assert "abc" not in text
        assert "def" not in text
    assert path.name == "events.json"
    assert path.url == SIGNED
    assert shown(f"failed: {SIGNED} twice") == "failed: https://host/season/events.json twice"


def test_a_name_with_marks_is_not_cut_by_what_is_shown():
    assert shown("what? no url") == "what? no url"


def test_a_remote_path_is_put_together_like_a_local_one():
    path = as_path("s3://bucket/season/") / "match" / "events.json.gz"
    assert str(path) == "s3://bucket/season/match/events.json.gz"
    assert (path.name, path.stem, path.suffix) == ("events.json.gz", "events.json", ".gz")
    assert str(path.parent) == "s3://bucket/season/match"
    assert str(path.with_name("x")) == "s3://bucket/season/match/x"
    assert path == pickle.loads(pickle.dumps(path))
    assert path < path.with_name("lineups.json")


def test_what_can_only_be_read_is_not_written():
    for text in ("https://host/x", "zip::season.zip"):
        with pytest.raises(OutputError, match="can only be read"):
            as_path(text).write_bytes(b"x")


def test_a_url_is_refused_where_only_a_local_path_will_do():
    with pytest.raises(UsageError, match="a local path is needed"):
        local_path(as_path("s3://bucket/x"))


def test_local_paths_do_not_import_fsspec():
    script = (
        "import sys; from touchline.cli import main; from touchline.io.files import read_bytes;"
        "from touchline.io.corpus.layout import corpus_matches; from touchline import sample;"
        "corpus_matches(sample.corpus_path())[0].read(); assert 'fsspec' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_a_missing_library_is_named():
    script = (
        "import sys; sys.modules['s3fs'] = None; sys.modules['gcsfs'] = None\n"
        "import importlib.util\n"
        "found = importlib.util.find_spec\n"
        "lacks = ('s3fs', 'gcsfs')\n"
        "importlib.util.find_spec = lambda name: None if name in lacks else found(name)\n"
        "from touchline.io.storage import as_path\n"
        "from touchline.core.errors import MissingExtraError\n"
        "for url in ('s3://b/k', 'gs://b/k'):\n"
        "    try: as_path(url).read_bytes()\n"
        "    except MissingExtraError as error: print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == [
        "Reading and writing s3:// needs another package: pip install 'touchline[cloud]'",
        "Reading and writing gs:// needs another package: pip install 'gcsfs'",
    ]
