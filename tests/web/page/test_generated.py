"""The commentary made from the log, on the server's page."""

from __future__ import annotations

import pytest

from tests.web.page.conftest import MATCH

pytestmark = pytest.mark.browser


def test_from_the_commentary_to_the_generated_one_and_back(site, visiting):
    visitor = visiting(site.match)
    visitor.sees("h1", "Harrowmere City")
    visitor.page.get_by_role("link", name="Generated").click()
    visitor.sees("#show-feed", "Generated")
    (match,) = site.get(f"/matches/{MATCH}/generated")["matches"]
    visitor.sees("#show-feed", str(len(match["comments"])))
    visitor.press("j", "j")
    assert match["comments"][1]["text"] in visitor.text("#detail .quote")
    assert visitor.page.locator(".labelling-bar").count() == 0
    assert visitor.page.locator(".row.unsure").count() == 0  # lines are made from their events
    visitor.press(">")  # it plays and jumps as any report
    assert "GOAL" in visitor.text("#detail .quote")
    visitor.page.get_by_role("link", name="Commentary", exact=True).click()
    visitor.sees(".who-labels", "Label this match")
