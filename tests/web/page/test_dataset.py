"""A data set in a real browser: it is read and searched, and nothing offers to change it."""

from __future__ import annotations

import pytest

from tests.dataset import write_dataset
from tests.waiting import wait_for
from tests.web.page.conftest import MATCH
from touchline.io.dataset.manifest import Dataset

pytestmark = pytest.mark.browser


@pytest.fixture
def shown(open_site, sample, tmp_path):
    dataset = write_dataset(tmp_path / "archive", sample)
    (tmp_path / "own").mkdir()
    site = open_site(tmp_path / "own", dataset=Dataset(dataset))
    wait_for(lambda: len(site.get("/matches")["matches"]) == 2)
    return site


def test_a_data_set_is_read_and_searched_without_controls_that_change_it(shown, visiting):
    visitor = visiting(shown.url)
    visitor.sees("#matches", "Harrowmere City")
    assert visitor.text("#folder") == "2 matches in archive"
    for control in ("#learn", "#agreement", "#upload-open", "#save"):
        assert visitor.page.locator(control).is_hidden()
    assert visitor.page.locator(".match-tools button").count() == 0
    visitor.press("a")
    assert visitor.page.locator("dialog").count() == 0
    visitor.press("/")
    visitor.page.keyboard.type("gaye lambert picks")
    visitor.sees("#hits mark", "picks")
    assert visitor.page.locator("#save").is_hidden()
    visitor.page.locator(".hit").first.click()
    visitor.sees("#detail .quote", "Gaye-Lambert")


def test_a_match_is_shown_without_labelling(shown, visiting):
    visitor = visiting(f"{shown.url}/match/{MATCH}")
    visitor.sees("#title", "Harrowmere City")
    visitor.page.locator("#feed [role=option], #feed li").nth(2).click()
    visitor.sees("#detail .quote", "")
    assert visitor.page.locator("#detail .pitch").count() >= 1
    assert visitor.page.locator("#far, .edition, #save-state").count() == 0
