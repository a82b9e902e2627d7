"""Take the pictures of report and server in Chromium: python -m docs.screenshot."""

from __future__ import annotations

import shutil
import tempfile
import zipfile
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
from playwright.sync_api import sync_playwright

from benchmarks.labelling import KEPT, served
from benchmarks.server import Connection, Server, wait
from touchline import make_aligner, read_corpus, write_links
from touchline.sample import corpus_path
from touchline.sample.season import write_season

COMMENT = 34
SEASON = 12  # matches of the first page
LABELLED = {0: {"Ada": 14}, 2: {"Ada": 40, "Bo": 25}, 5: {"Zoë": 10}}  # lines, by match
IMAGES = Path(__file__).parent / "images"


def main() -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        view = browser.new_page(viewport={"width": 1440, "height": 900}, color_scheme="light")
        dark = browser.new_page(viewport={"width": 1440, "height": 900}, color_scheme="dark")
        report(view, dark)
        labelling(view)
        home(view)
        browser.close()


def report(view: Any, dark: Any) -> None:
    """One file, opened at a comment; and another one while it plays, in the dark."""
    match = next(read_corpus(corpus_path(), clock="minute")).match
    alignment = make_aligner().infer(match)
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "match.html"
        write_links(alignment.links, page, explain=lambda _, comment: alignment.explain(comment))
        view.goto(page.as_uri())
        for _ in range(COMMENT + 1):
            view.keyboard.press("j")
        take(view, "report")
        dark.goto(page.as_uri())
        for key in (">", ">", "Space"):
            dark.keyboard.press(key)
        dark.wait_for_timeout(2600)  # the ball is on its way
        take(dark, "play")


def labelling(view: Any) -> None:
    """A match in labelling, and a search over the matches."""
    match = sorted(path for path in corpus_path().iterdir() if path.is_dir())[0]
    with served(match) as url:
        view.add_init_script(KEPT)
        view.goto(f"{url}/match/{match.name}#{COMMENT - 6}")
        view.locator("#detail .option").first.wait_for()
        for key in ["Enter"] * 6 + ["y", "y", "n"]:
            view.keyboard.press(key)
        while httpx.get(f"{url}/api/v1/matches").json()["matches"][0]["annotators"][0]["done"] < 6:
            view.wait_for_timeout(50)
        view.wait_for_timeout(300)  # until the last action is stored and shown
        take(view, "labelling")
        adjudication(view, url, match.name)
        view.goto(f"{url}/?q=picks off")
        view.locator(".hit").first.wait_for()
        take(view, "search")


def home(view: Any) -> None:
    """All matches of an invented season, and the files of two more."""
    with tempfile.TemporaryDirectory() as somewhere:
        folder = Path(somewhere) / "season-2026"
        write_season(folder, SEASON, minutes=45)
        server = Server(folder)
        try:
            prepare_season(Connection(server.port))
            view.goto(f"http://127.0.0.1:{server.port}/")
            view.locator("#matches .bars .bar-line").nth(3).wait_for()
            take(view, "home")
            view.locator("#upload-open").click()
            view.set_input_files("#choose-files", two_matches(Path(somewhere)))
            view.locator(".match-card").nth(1).wait_for()
            take(view, "upload")
        finally:
            server.end()


def prepare_season(connection: Connection) -> None:
    """Wait until it is aligned; labels of some people, and two saved searches."""
    wait(connection, SEASON)
    matches = connection.ask("GET", "/matches")["matches"]
    for place, people in LABELLED.items():
        name = matches[place]["name"]
        for annotator, lines in people.items():
            queue = connection.ask(
                "GET", f"/matches/{name}/queue?annotator=x&order=match&state=all"
            )
            for line in queue["comments"][:lines]:
                action = {"comment": line["comment"], "revision": 0, "action": "none"}
                connection.ask("POST", f"/matches/{name}/labels/{quote(annotator)}", action)
    for saved, q in (("Late corners", "corner"), ("Off the post", "post")):
        connection.ask("POST", "/searches", {"name": saved, "query": {"q": q}})


def two_matches(folder: Path) -> Path:
    """The bundled matches as one archive."""
    chosen = (("events.json.gz", "lineups.json", "live.txt"),
              ("events.json.gz", "comments.jsonl", "gold.jsonl"))  # fmt: skip
    matches = sorted(path for path in corpus_path().iterdir() if path.is_dir())
    with zipfile.ZipFile(folder / "matches.zip", "w") as archive:
        for match, names in zip(matches, chosen, strict=True):
            for name in names:
                archive.write(match / name, f"{match.name}/{name}")
    return folder / "matches.zip"


def adjudication(view: Any, url: str, match: str) -> None:
    """A line on which two people disagree."""
    api = f"{url}/api/v1/matches/{match}"
    header = {"X-CSRF-Token": httpx.get(f"{url}/api/v1/session").json()["csrf"]}
    for name, action in (("Bo", "none"), ("Cy", "accept")):
        asked = {"comment": COMMENT - 5, "revision": 0, "action": action}
        httpx.post(f"{api}/labels/{name}", json=asked, headers=header).raise_for_status()
    view.locator("#agreement").click()
    view.locator("#adjudicate").click()
    view.locator(".answers").wait_for()
    take(view, "adjudication")


def take(view: Any, name: str) -> None:
    view.screenshot(path=IMAGES / f"{name}.png", animations="disabled")


if __name__ == "__main__":
    main()
