"""Take the picture of the report in docs/report.md: python docs/screenshot.py (needs Chromium)."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from touchline import make_aligner, read_corpus, write_links
from touchline.sample import corpus_path

COMMENT = 34


def main() -> None:
    match = next(read_corpus(corpus_path(), clock="minute")).match
    aligner = make_aligner()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page = Path(folder) / "match.html"
        write_links(aligner.align(match), page, explain=aligner.explain)
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        view = browser.new_page(viewport={"width": 1280, "height": 860}, color_scheme="light")
        view.goto(page.as_uri())
        for _ in range(COMMENT + 1):
            view.keyboard.press("j")
        view.screenshot(path=Path(__file__).parent / "images" / "report.png", animations="disabled")
        browser.close()


if __name__ == "__main__":
    main()
