"""Learning from labels in a real browser: the button, before and after, used, aligned again."""

from __future__ import annotations

import httpx
import pytest

from touchline.io.links.origin import read_origin

pytestmark = pytest.mark.browser
MATCHES = ["000000", "000001", "000002"]


@pytest.fixture
def desk(league, golds, open_site):
    """A server whose three matches somebody has labelled, by the API."""
    site = open_site(league, method="chains")
    csrf = {"X-CSRF-Token": site.get("/session")["csrf"]}
    for match in MATCHES:
        at = f"{site.url}/api/v1/matches/{match}/labels/Ada/gold"
        httpx.post(at, content=golds[match], headers=csrf, timeout=60).raise_for_status()
    return site


def origin_of(site, league, match):
    answer = site.get(f"/matches/{match}")["answer"]
    return read_origin(league / ".touchline" / "answers" / answer / "links.jsonl")


@pytest.mark.system
def test_the_button_compares_and_the_model_is_used_when_somebody_says_so(desk, league, visiting):
    visitor = visiting(f"{desk.url}/match/{MATCHES[0]}")
    visitor.page.locator("#learn").click()
    visitor.sees(".labelled-matches", "of 3 matches labelled")
    visitor.page.locator("#learn-start").click()
    visitor.sees(".learning-job", "Learning")
    for _ in range(5):  # it takes longer than what a visitor waits for
        if visitor.page.locator("#learn-use").count():
            break
        visitor.page.wait_for_timeout(4000)
    visitor.sees("#verdict", "F1")
    visitor.sees(".before-after", "With labels")
    assert desk.get("/learned")["used"] is None
    visitor.page.locator("#learn-use").click()
    visitor.sees("#in-use", "of 3 matches")
    visitor.page.locator("#learn-align").click()
    visitor.sees(".waiting", "This match has been aligned again.")
    origin = origin_of(desk, league, MATCHES[0])
    assert (origin.answered_by, origin.labels) == ("fitted", True)
    visitor.page.locator("#learn-drop").click()
    visitor.until("!document.querySelector('#in-use')")
    assert desk.get("/learned")["used"] is None


def test_with_too_few_labels_the_dialog_says_what_is_missing(site, visiting):
    visitor = visiting(site.url)
    visitor.page.locator("#learn").click()
    visitor.sees("#missing", "Label 1 more match first")  # two match folders have a gold.jsonl
    assert visitor.page.locator("#learn-start").is_disabled()
