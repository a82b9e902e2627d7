"""How long labelling takes by keyboard: python -m benchmarks.labelling (Chromium).

A bundled match is served, and its first 20 comments are labelled in a real browser with the keys
that make each label equal to the gold one: `Enter` where the machine is right, `y` and `n` where it
is right in part, numbers for events that it did not think of, the log for those further away, `0`
for no event. The time runs from the first key until the server has the last label; a person's own
time to read and to decide comes on top. Then one action is done many times until it is stored.
"""

from __future__ import annotations

import contextlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import msgspec

from touchline.sample import corpus_path

COMMENTS, REPEATS, NAME = 20, 30, "Ada"
SAVED = "document.getElementById('save-state').textContent === 'All saved'"
OPTIONS = """() => [...document.querySelectorAll('#detail .option')].map(
  (one) => [one.dataset.event, one.className.includes('open')])"""
KEPT = f"localStorage.setItem('touchline.annotator', '{NAME}')"


@contextlib.contextmanager
def served(match: Path) -> Iterator[str]:
    """The address of a server for one match, once that is aligned."""
    with tempfile.TemporaryDirectory() as somewhere:
        folder = Path(somewhere) / "season"  # the page shows this name
        shutil.copytree(match, folder / match.name)
        words = [sys.executable, "-u", "-m", "touchline", "serve", str(folder), "--port", "0"]
        with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            url = next(
                found[0] for line in process.stdout if (found := re.search(r"http\S+", line))
            )
            try:
                while httpx.get(f"{url}/api/v1/matches").json()["matches"][0]["state"] != "ready":
                    time.sleep(0.2)
                yield url
            finally:
                process.terminate()


class Labeller:
    """Presses the keys that make labels equal to gold."""

    def __init__(self, page: Any, log: list[str]) -> None:
        self.page, self.log, self.keys = page, log, 0

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
        self.keys += len(keys)

    def label(self, gold: set[str]) -> None:
        """Label the selected comment, which brings the next one."""
        options = self.page.evaluate(OPTIONS)
        linked = [event for event, is_open in options if is_open]
        if not gold and linked:
            return self.press("0")
        if not gold.issuperset(linked):
            self.press(*("y" if event in gold else "n" for event in linked))
        numbers = {event: number for number, (event, _) in enumerate(options, 1)}
        for event in sorted(gold.difference(linked), key=self.log.index):
            if numbers.get(event, 10) < 10:
                self.press(str(numbers[event]))
            else:
                self.add(event)
        self.press("Enter")

    def add(self, event: str) -> None:
        """Find an event in the log, from the one that the page shows first."""
        self.press("a")
        first = self.page.locator("#log [aria-selected=true]").get_attribute("id")
        steps = self.log.index(event) - int(first.removeprefix("e"))
        self.press(*(["j" if steps > 0 else "k"] * abs(steps)), "Enter", "Escape")

    def until_saved(self) -> None:
        while not self.page.evaluate(SAVED):
            time.sleep(0.002)


def measure(page: Any, url: str, match: Path) -> None:
    api = f"{url}/api/v1/matches/{match.name}"
    (shown,) = httpx.get(f"{api}/page").json()["matches"]
    lines = (match / "gold.jsonl").read_text(encoding="utf-8").splitlines()
    gold = {line["id"]: set(line["events"]) for line in map(msgspec.json.decode, lines)}
    first = [comment["id"] for comment in shown["comments"] if comment["id"] in gold][:COMMENTS]
    page.goto(f"{url}/match/{match.name}#{first[0]}")
    page.locator("#detail .option").first.wait_for()
    labeller = Labeller(page, [event["id"] for event in shown["events"]])
    start = time.perf_counter()
    for comment in first:
        labeller.label(gold[comment])
    labeller.until_saved()
    took = time.perf_counter() - start
    labels = httpx.get(f"{api}/labels/{NAME}").json()["labels"]
    right = sum(
        label["done"] and set(label["events"]) == gold[label["comment"]] for label in labels
    )
    print(f"{len(first)} comments labelled with {labeller.keys} keys in {took:.2f} s; "
          f"{right} of {len(first)} labels equal gold")  # fmt: skip
    _actions(labeller)


def _actions(labeller: Labeller) -> None:
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        labeller.press("u")
        labeller.until_saved()
        times.append(1000 * (time.perf_counter() - start))
    print(f"one action, from the key until it is stored: median {statistics.median(times):.0f} ms, "
          f"worst of {REPEATS} {max(times):.0f} ms")  # fmt: skip


def main() -> None:
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        sys.exit("no Chromium on this machine")
    from playwright.sync_api import sync_playwright

    match = sorted(path for path in corpus_path().iterdir() if path.is_dir())[0]
    with served(match) as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-gpu"]
        )
        page = browser.new_page(viewport={"width": 1920, "height": 1080})
        page.add_init_script(KEPT)
        measure(page, url, match)
        browser.close()


if __name__ == "__main__":
    main()
