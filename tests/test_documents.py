"""The examples of the README and of the docs are run, and print what they say they print.

A block of `python` or `console` is run, in the order of its page, in a folder with the files that
the examples name; a block of `text` right behind it is what comes out.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from touchline.io.corpus.layout import read_match_folder

ROOT = Path(__file__).parent.parent
BLOCK = re.compile(r"```(python|console)\n(.*?)```\n+(?:```text\n(.*?)```)?", re.DOTALL)
PAGES = [page for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
         if BLOCK.search(page.read_text(encoding="utf-8"))]  # fmt: skip
LINK = re.compile(r"\]\(([^)#\s:]+)(?:#([^)\s]+))?\)|^\[[^\]]+\]: (\S+)", re.MULTILINE)
TERMS = """\
adapt, align, argument, baseline, bucket, bundled model, candidate, cause, chain, clock,
comment, corpus, cut, describe, drift, ensemble, event, feed, garbled name, gold, head, held
out, hypothesis, kick-off, kind, label, lag, link, linkable, live text, macro-event, mention,
method, origin, pair, pairmodel, pairrank, period, phase, provider, score, seen, silver,
squad, stretch, templated text, track, unseen"""
# Where the recordings of the examples kick off.
KICKOFFS = {1: 600.0, 2: 4200.0}


@pytest.fixture
def cwd(tmp_path: Path, sample_folder: Path, record) -> Path:
    """A folder with the files that the examples name, as a user would have them."""
    for name in ("events.json.gz", "live.txt", "lineups.json", "comments.jsonl", "gold.jsonl"):
        (tmp_path / name).write_bytes((sample_folder / name).read_bytes())
    for script in (ROOT / "examples" / "annotator").glob("*.py"):
        (tmp_path / script.name).write_bytes(script.read_bytes())
    said = read_match_folder(sample_folder).match.comments
    record(tmp_path / "match.srt", said, KICKOFFS)
    for name, period in (("first.srt", 1), ("second.srt", 2)):
        record(tmp_path / name, [c for c in said if c.period == period], {1: 600.0, 2: 95.0})
    return tmp_path


def run(kind: str, code: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """A block's code as a user would run it, with all that it prints in one stream."""
    if kind == "python":
        command = [sys.executable, "-c", code]
    else:
        lines = [line.removeprefix("$ ") for line in code.splitlines() if line.startswith("$ ")]
        command = ["bash", "-ec", "\n".join(lines)]
    paths = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=cwd,
        env={**os.environ, "PATH": paths},
    )


@pytest.mark.posix
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples(page: Path, cwd: Path) -> None:
    for kind, code, expected in BLOCK.findall(page.read_text(encoding="utf-8")):
        done = run(kind, code, cwd)
        assert done.returncode == 0, done.stdout
        assert done.stdout == expected, code


def test_the_readme_shows_both_ways_in_few_lines() -> None:
    blocks = {kind: code for kind, code, _ in BLOCK.findall(PAGES[0].read_text(encoding="utf-8"))}
    assert PAGES[0].name == "README.md"
    assert len(blocks["python"].strip().splitlines()) <= 10
    assert blocks["console"].count("$ touchline ") == 2


def test_every_page_is_in_the_navigation() -> None:
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:")[2]
    pages = re.findall(r": (\S+\.md)$", navigation, re.MULTILINE)
    assert sorted(pages) == sorted(page.name for page in (ROOT / "docs").glob("*.md"))


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_links_to_files_of_the_repository_lead_somewhere(name: str) -> None:
    """The site's build checks the pages of `docs`; it does not see these two in their place."""
    for file, anchor, reference in LINK.findall((ROOT / name).read_text(encoding="utf-8")):
        path = ROOT / (file or reference)
        assert path.exists(), path
        headings = re.findall(r"^#+ (.*)", path.read_text("utf-8"), re.MULTILINE) if anchor else []
        assert not anchor or anchor in [re.sub(r"\W+", "-", one.lower()) for one in headings]


def test_the_glossary_has_the_words_of_the_documents() -> None:
    page = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    entries = re.findall(r"^\*\*([^*]+)\.\*\* \S", page, re.MULTILINE)
    known = {word.lower() for entry in entries for word in entry.split(", ")}
    assert [term for term in " ".join(TERMS.split()).split(", ") if term not in known] == []


@pytest.mark.posix
def test_the_site_builds_without_a_warning_and_loads_nothing_from_elsewhere(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-d", str(tmp_path)]
    quiet = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=quiet)
    assert (done.returncode, done.stderr) == (0, "")
    pages = {page.name: page.read_text(encoding="utf-8") for page in tmp_path.glob("*.html")}
    assert len(pages) > 10
    elsewhere = r'"(?:https?:)?//'
    loaded = re.compile(
        rf"<(?:script|img|iframe)[^>]*\ssrc={elsewhere}"
        rf'|<link[^>]*rel="(?:stylesheet|preconnect)"[^>]*href={elsewhere}'
    )
    assert [name for name, text in pages.items() if loaded.search(text)] == []
    assert "--kickoff PERIOD=SECONDS" in pages["commands.html"]
    assert "touchline data get statsbomb" in pages["data.html"]
    assert "read_match" in pages["python.html"]
