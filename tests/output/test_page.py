"""The page in a real browser: it opens offline, asks for nothing, runs nothing."""

from __future__ import annotations

import pytest

from touchline import align, write_links
from touchline.match import Comment
from touchline.output import Origin

pytestmark = pytest.mark.browser
ORIGIN = Origin(method="named-nearest", options={}, inputs={})


@pytest.fixture
def browser(chromium):
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as playwright:
        flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        running = playwright.chromium.launch(executable_path=chromium, args=flags)
        yield running
        running.close()


@pytest.mark.parametrize("width", [360, 1280])
def test_the_page_opens_offline_and_fits_the_screen(browser, sample, tmp_path, width):
    links = align(sample[0].match, method="named-nearest")
    write_links(links, tmp_path / "links.html", ORIGIN)
    page = browser.new_page(viewport={"width": width, "height": 800})
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.goto((tmp_path / "links.html").as_uri())
    assert page.locator("li.comment").count() == len(links)
    assert page.locator(".events li").count() == sum(len(answer.events) for answer in links)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert [url for url in requests if not url.startswith("file:")] == []


def test_script_in_a_comment_is_shown_and_not_run(browser, small_match, tmp_path):
    text = "<img src=x onerror='document.title=\"hacked\"'><script>document.title='hacked'</script>"
    hostile = Comment(id=0, text=text, period=1, start=1, end=1)
    write_links(
        align(small_match.with_comments([hostile]), method="named-nearest"),
        tmp_path / "links.html",
        ORIGIN,
    )
    page = browser.new_page()
    page.goto((tmp_path / "links.html").as_uri())
    assert page.locator(".text").inner_text() == text
    assert "hacked" not in page.title()
