"""What must not happen on the server's pages, and that everybody can use them."""

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


def test_axe_finds_nothing_on_the_first_page(site, visiting):
    site.label("Ada", 0, action="none")
    site.label("Bo", 0, action="none")
    site.label("Ada", 3, action="accept")
    site.label("Bo", 3, action="none")
    visitor = visiting(site.url, bypass_csp=True)
    visitor.sees(".match:first-child .bars", "Bo")
    assert visitor.flaws() == []
    for button, words in (("#upload-open", "Match log"), ("#agreement", "Bo: no event")):
        visitor.page.locator(button).click()
        visitor.sees("dialog", words)
        assert visitor.flaws() == []
        visitor.press("Escape")
    visitor.page.fill("#title-filter", "nobody")
    visitor.sees("#no-matches", "No matches pass")
    assert visitor.flaws() == []


def test_axe_finds_nothing_on_a_search(site, visiting):
    site.post("/searches", {"name": "Off the post", "query": {"q": "post"}})
    visitor = visiting(f"{site.url}/?q=the&team=nobody", bypass_csp=True)
    for asked, seen, words in (
        ("?q=the&kind=Shot", "#facets", "Saved"),
        ("?q=Havlovek", "#meant", "Did you mean"),
        ("?q=qqqq", "#nothing", "fewer words"),
    ):
        visitor.page.goto(f"{site.url}/{asked}")
        visitor.sees(seen, words)
        visitor.page.locator(".narrow").evaluate("(one) => one.setAttribute('open', '')")
        assert visitor.flaws() == []
    visitor.page.locator("#save").click()
    visitor.sees("dialog", "Everyone who uses this server")
    assert visitor.flaws() == []


def test_axe_finds_nothing_while_matches_are_added(open_site, visiting, sample_folder, tmp_path):
    site = open_site(tmp_path)
    visitor = visiting(site.url, bypass_csp=True)
    visitor.sees("#no-matches", "There are no matches in this folder yet")
    assert visitor.flaws() == []
    visitor.page.locator("#upload-open").click()
    notes = tmp_path.parent / "notes.md"
    notes.write_text("# Notes")
    visitor.page.set_input_files("#choose-files", [sample_folder / "live.txt", notes])
    visitor.sees("dialog .rest", "No match log was found")
    assert visitor.flaws() == []
    visitor.page.set_input_files("#choose-files", [sample_folder / "events.json.gz"])
    visitor.sees("dialog .match-card", "126 comments")
    visitor.page.locator("dialog .methods summary").click()
    assert visitor.flaws() == []


def test_axe_finds_nothing_on_the_desk(site, labelling):
    site.label("Bo", 3, action="none")
    site.label("Ada", 3, action="accept")
    annotator = labelling("Ada", bypass_csp=True)
    for keys in ("jjjjun", "a"):
        annotator.press(*keys)
        assert annotator.flaws() == []
    annotator.press("Escape", "w")
    annotator.sees("dialog", "Note")
    assert annotator.flaws() == []


def test_axe_finds_nothing_in_the_dialogs_of_the_desk(labelling):
    annotator = labelling("Ada", bypass_csp=True)
    dialogs = {".who-labels": "Who is labelling?", "#files": "Links of the machine",
               "#learn": "Learn from labels"}  # fmt: skip
    for button, words in dialogs.items():
        annotator.page.locator(button).click()
        annotator.sees("dialog[open]", words)
        assert annotator.flaws() == []
        annotator.press("Escape")
    annotator.press("?")
    assert annotator.flaws() == []


def test_axe_finds_nothing_at_the_door(open_site, folder, visiting):
    visitor = visiting(f"{open_site(folder, token=TOKEN).url}/login", bypass_csp=True)
    assert visitor.flaws() == []


def test_axe_finds_nothing_where_nothing_is(site, visiting):
    for path, words in (("/nobody", "Page not found"), ("/match/nobody", "no such match")):
        visitor = visiting(site.url + path, bypass_csp=True)
        visitor.sees("h1", words)
        assert visitor.flaws() == []


def test_axe_finds_nothing_before_a_match_is_deleted(site, visiting, sample_folder):
    job = site.upload(sample_folder / "events.json.gz", sample_folder / "live.txt", name="Mine")
    wait_for(lambda: site.get(f"/jobs/{job['id']}")["state"] == "done")
    visitor = visiting(site.url, bypass_csp=True)
    visitor.page.get_by_role("button", name="Delete").first.click()
    visitor.sees("dialog", "Delete")
    assert visitor.flaws() == []
