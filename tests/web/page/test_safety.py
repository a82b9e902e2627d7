"""What must not happen on the server's pages."""

from __future__ import annotations

import json
from html import escape

import pytest

from tests.report.conftest import HOSTILE
from tests.web.conftest import wait_for
from tests.web.page.conftest import MATCH, TOKEN
from touchline.core.display import plain_line

pytestmark = pytest.mark.browser


@pytest.fixture
def hostile_folder(tmp_path):
    """A match whose every text would like to be a script."""
    folder = tmp_path / "hostile" / "match"
    folder.mkdir(parents=True)
    event = {"type": HOSTILE, "period": 1, "team": HOSTILE, "player": HOSTILE, "x": 50, "y": 50}
    events = [{**event, "time": time, HOSTILE: HOSTILE} for time in (10, 20)]
    events.append({**event, "time": 30, "team": "Others", "player": "Somebody"})
    comments = [{"text": escape(HOSTILE), "period": 1, "time": time} for time in (11, 21)]
    for name, records in (("events", events), ("comments", comments)):
        (folder / f"{name}.jsonl").write_text("\n".join(map(json.dumps, records)))
    return folder.parent


def test_script_in_texts_is_shown_and_not_run(open_site, hostile_folder, visiting):
    site = open_site(hostile_folder, align_new=True)
    wait_for(lambda: {job["state"] for job in site.get("/jobs")["jobs"]} == {"done"})
    visitor = visiting(site.url)
    visitor.sees("#matches", "<img src=x")
    visitor.page.fill("#search", "hacked")
    visitor.sees("#hits", "<img src=x")
    visitor.page.locator(".hit").first.click()
    visitor.sees("#detail blockquote", "<img src=x")
    visitor.press("Enter")
    visitor.page.keyboard.type("Ada")
    visitor.press("Enter")
    visitor.sees("#far", "0 of 2")
    visitor.press("Home", "a")
    visitor.sees("#detail .adding", "<img src=x")
    visitor.press("Enter", "Escape", "w")
    visitor.page.keyboard.type(HOSTILE.replace("\u2028", ""))
    visitor.press("Enter")
    visitor.sees("#detail .note-text", "<img src=x")
    assert visitor.page.locator("img").count() == 0
    assert "hacked" not in visitor.page.title().replace(plain_line(HOSTILE), "")
    assert visitor.page.evaluate("refused") == []


@pytest.mark.parametrize("path", ["/login", "/", f"/match/{MATCH}"])
def test_whatever_would_go_outside_is_refused(open_site, folder, visiting, path):
    site = open_site(folder, token=TOKEN if path == "/login" else None)
    visiting(site.url + path).refuses_what_is_outside()
