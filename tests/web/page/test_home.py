"""The first page in a real browser: all matches, search, upload, sign-in."""

from __future__ import annotations

import gzip
import json

import httpx
import pytest

from tests.waiting import wait_for
from tests.web.page.conftest import MATCH, TOKEN

pytestmark = pytest.mark.browser


def send(visitor, events, comments, *lineups, name=""):
    visitor.page.locator("#upload-open").click()
    visitor.page.set_input_files("dialog [name=events]", events)
    visitor.page.set_input_files("dialog [name=comments]", comments)
    visitor.page.set_input_files("dialog [name=lineups]", list(lineups))
    visitor.page.fill("dialog [name=name]", name)
    visitor.page.get_by_text("Upload and align").click()


def upload(site, folder):
    """A match is added from somewhere else; waits until it is there."""
    files = {"events": folder / "events.json.gz", "comments": folder / "live.txt"}
    sent = {field: (path.name, path.read_bytes()) for field, path in files.items()}
    header = {"X-CSRF-Token": site.get("/session")["csrf"]}
    job = httpx.post(f"{site.url}/api/v1/matches", files=sent, headers=header, timeout=60).json()
    wait_for(lambda: site.get(f"/jobs/{job['id']}")["state"] == "done")


def test_matches_and_how_far_they_are_labelled(site, visiting):
    visitor = visiting(site.url)
    visitor.sees("#matches", "Harrowmere City")
    visitor.sees("#matches", "Port Selwyn United")
    assert visitor.text("#folder") == "2 matches in matches"
    first = visitor.page.locator(".match").first
    assert "126 comments" in first.inner_text()
    site.label("Ada", 0, action="none")
    visitor.sees(".match:first-child .bars", "Ada1 of 126")  # heard at once
    first.get_by_role("link", name="Harrowmere").click()
    visitor.sees("#title", "Harrowmere City")


def test_links_are_there_in_every_format(site, visiting):
    visitor = visiting(site.url)
    visitor.sees("#matches", "Harrowmere City")
    visitor.page.locator(".match summary").first.click()
    menu = visitor.page.locator(".match").first.locator(".downloads a")
    formats = site.get("/session")["formats"]
    assert menu.count() == len(formats)
    with visitor.page.expect_download() as waiting:
        menu.first.click()
    lines = waiting.value.path().read_text().splitlines()
    assert len([json.loads(line) for line in lines]) == 126
    for place in range(menu.count()):
        got = visitor.page.request.get(site.url + menu.nth(place).get_attribute("href"))
        assert got.status == 200
        assert len(got.body()) > 1000


def test_a_search_finds_lines_of_all_matches_and_opens_one(site, visiting):
    visitor = visiting(site.url)
    visitor.sees("#matches", "Harrowmere City")
    visitor.press("/")
    visitor.page.keyboard.type("gaye lambert picks")
    visitor.sees("#found-title", "2 lines")
    visitor.sees("#hits mark", "picks")
    asked = site.get("/search", q="gaye lambert picks")
    assert visitor.page.locator(".hit").count() == asked["total"]
    hit = visitor.page.locator(".hit", has_text="SAVE!")
    assert "Pass Pape Gaye-Lambert" in hit.inner_text()
    hit.click()
    visitor.sees("#detail .quote", "SAVE! Gaye-Lambert")
    assert visitor.selected == "c34"
    visitor.page.go_back()
    visitor.sees("#found-title", "2 lines")  # the address keeps the search
    visitor.page.fill("#search", "no such words anywhere")
    visitor.sees("#found-title", "0 lines")
    visitor.page.locator("#clear").click()
    visitor.until("!document.getElementById('all').hidden")


def test_filters_narrow_the_search(site, visiting):
    visitor = visiting(site.url)
    visitor.sees("#player", "Lucien de Marsac")
    visitor.page.select_option("#player", "Lucien de Marsac")
    visitor.page.select_option("#kind", "Shot")
    asked = {"player": "Lucien de Marsac", "kind": "Shot"}
    visitor.sees("#found-title", f"{site.get('/search', **asked)['total']} line")
    visitor.page.fill("#to", "45")
    fewer = site.get("/search", **asked, to=45)["total"]
    assert 0 < fewer < site.get("/search", **asked)["total"]
    visitor.sees("#found-title", f"{fewer} line")
    team = site.get("/choices")["teams"][0]
    visitor.page.locator("#clear").click()
    visitor.page.select_option("#team", team)
    total = site.get("/search", team=team)["total"]
    visitor.sees("#found-title", f"{total} line")
    shown = min(total, 50)
    assert visitor.page.locator(".hit").count() == shown
    visitor.page.locator("#more").click()
    visitor.until(f"document.querySelectorAll('.hit').length === {min(total, 100)}")


def test_a_match_is_uploaded_and_deleted(site, visiting, sample_folder):
    visitor = visiting(site.url)
    visitor.sees("#matches", "Harrowmere City")
    log = sample_folder / "events.json.gz"
    send(visitor, log, sample_folder / "live.txt", sample_folder / "lineups.json", name="derby")
    visitor.sees("#folder", "3 matches")
    visitor.sees(".facts", "derby: 126 comments")  # of the same teams as another one
    (made,) = [one for one in site.get("/matches")["matches"] if one["uploaded"]]
    item = visitor.page.locator(".match", has=visitor.page.get_by_role("button", name="Delete"))
    item.get_by_role("button", name="Delete").click()
    visitor.sees("dialog", "cannot be undone")
    visitor.page.locator("dialog .danger").click()
    visitor.sees("#folder", "2 matches")
    assert made["name"] not in [one["name"] for one in site.get("/matches")["matches"]]


# The first list of matches is asked for at once, and given to the page when somebody says so.
HOLD = """
const news = new EventSource("/api/v1/events");
news.addEventListener("match", () => Object.assign(window, { notified: true }));
const ask = fetch;
window.fetch = async (...asked) => {
  const answer = await ask(...asked);
  if (String(asked[0]).endsWith("/matches") && !window.release) {
    await new Promise((release) => Object.assign(window, { release }));
  }
  return answer;
};
"""


def test_an_old_answer_does_not_replace_a_newer_one(site, visiting, sample_folder):
    visitor = visiting(site.url)
    visitor.page.add_init_script(HOLD)
    visitor.page.reload()
    visitor.until("Boolean(window.release)")
    upload(site, sample_folder)
    visitor.until("Boolean(window.notified)")
    visitor.page.wait_for_timeout(300)  # a second answer could come here,
    visitor.page.evaluate("release()")
    visitor.page.wait_for_timeout(300)  # and be replaced by the first
    visitor.sees("#folder", "3 matches")
    visitor.sees(".match-tools", "Delete")


def test_what_is_open_stays_open_when_another_match_comes(site, visiting, sample_folder):
    visitor = visiting(site.url)
    visitor.page.locator(".match summary").first.click()
    upload(site, sample_folder)
    visitor.sees("#folder", "3 matches")
    visitor.until("document.querySelectorAll('.match details[open]').length === 1")
    assert visitor.page.evaluate("document.activeElement.textContent") == "Download"


def test_a_broken_file_is_reported_clearly(site, visiting, sample_folder, tmp_path):
    broken = tmp_path / "events.json.gz"
    whole = gzip.decompress((sample_folder / "events.json.gz").read_bytes())
    broken.write_bytes(gzip.compress(whole.replace(b'"type":', b'"tpye":')))
    visitor = visiting(site.url)
    visitor.sees("#matches", "Harrowmere City")
    visitor.page.locator("#upload-open").click()
    visitor.page.get_by_text("Upload and align").click()
    visitor.sees("dialog .problem", "Choose both files")
    visitor.press("Escape")
    send(visitor, broken, sample_folder / "live.txt", name="derby")
    visitor.sees("#jobs .failed", "derby could not be added")
    (failed,) = [job for job in site.get("/jobs")["jobs"] if job["state"] == "failed"]
    assert failed["problem"] in visitor.text("#jobs .job.failed")
    assert "events.json.gz" in failed["problem"]
    assert str(tmp_path) not in failed["problem"]
    visitor.page.locator("#jobs button").click()
    visitor.until("document.getElementById('jobs').hidden")
    assert not [job for job in site.get("/jobs")["jobs"] if job["state"] == "failed"]
    assert visitor.text("#folder") == "2 matches in matches"


def test_an_upload_can_be_cancelled(open_site, folder, visiting, sample_folder):
    site = open_site(folder, workers=0)  # so that it waits as long as we need
    visitor = visiting(site.url)
    visitor.sees("#matches", "Harrowmere City")
    log = sample_folder / "events.json.gz"
    send(visitor, log, sample_folder / "comments.jsonl", name="derby")
    visitor.page.locator("#jobs button", has_text="Cancel").click()
    visitor.until("document.getElementById('jobs').hidden")
    states = {job["state"] for job in site.get("/jobs")["jobs"] if job["kind"] == "upload"}
    assert states == {"cancelled"}


def test_a_match_is_aligned_again_with_its_labels_kept(site, visiting):
    site.label("Ada", 0, action="none")
    visitor = visiting(site.url)
    visitor.sees(".match:first-child .bars", "Ada")
    before = site.get(f"/matches/{MATCH}")["answer"]
    visitor.page.locator(".match").first.get_by_role("button", name="Align").click()
    wait_for(lambda: site.get(f"/matches/{MATCH}")["answer"] != before)
    assert set(site.labels("Ada")) == {0}


def test_a_token_is_asked_for(open_site, folder, visiting):
    site = open_site(folder, token=TOKEN)
    visitor = visiting(f"{site.url}/match/{MATCH}#34")
    visitor.page.wait_for_url("**/login?next=*")
    visitor.page.fill("#token", "wrong")
    visitor.press("Enter")
    visitor.until("document.getElementById('problem').textContent.length > 10")
    visitor.page.fill("#token", TOKEN)
    visitor.press("Enter")
    visitor.sees("#detail .quote", "SAVE! Gaye-Lambert")  # on to where one wanted to go
    (cookie,) = visitor.context.cookies()
    assert (cookie["httpOnly"], cookie["sameSite"]) == (True, "Strict")
    assert visitor.page.evaluate("document.cookie") == ""
    visitor.press("Enter")
    visitor.page.keyboard.type("Ada")
    visitor.press("Enter")
    visitor.sees("#far", "0 of 126")
    visitor.press("Enter")
    visitor.sees("#far", "1 of 126")
    visitor.sees("#save-state", "All saved")


def test_the_first_page_asks_for_the_token_too(open_site, folder, visiting):
    site = open_site(folder, token=TOKEN)
    visitor = visiting(site.url)
    visitor.page.wait_for_url("**/login?next=*")
    visitor.page.fill("#token", TOKEN)
    visitor.press("Enter")
    visitor.sees("#matches", "Harrowmere City")
    assert visitor.page.url == f"{site.url}/"


def test_a_page_without_events_still_shows_what_happens(site, visiting):
    visitor = visiting(site.url)
    visitor.page.route("**/api/v1/events*", lambda route: route.fulfill(status=503))
    visitor.page.reload()
    visitor.sees("#matches", "Harrowmere City")
    site.label("Ada", 0, action="none")
    visitor.sees(".match:first-child .bars", "Ada1 of 126")
    visitor.page.unroute("**/api/v1/events*")  # from now on a stream is there again
    visitor.page.wait_for_event("response", lambda got: "/events" in got.url and got.ok)
    site.label("Bo", 0, action="none")
    visitor.sees(".match:first-child .bars", "Bo1 of 126")


def test_sign_in_leads_nowhere_else(open_site, folder, visiting):
    site = open_site(folder, token=TOKEN)
    for elsewhere in ("https://example.org/", "//example.org", "/.//example.org", "javascript:1"):
        visitor = visiting(f"{site.url}/login?next={elsewhere}")
        visitor.page.fill("#token", TOKEN)
        visitor.press("Enter")
        visitor.until("location.pathname !== '/login'")
        assert visitor.page.url.startswith(f"{site.url}/")


def test_failures_stay_in_a_tray_until_somebody_dismisses_them(
    site, visiting, sample_folder, tmp_path
):
    broken = tmp_path / "events.json"
    broken.write_text("[]")
    visitor = visiting(site.url)
    visitor.sees("#matches", "Harrowmere City")
    for name in ("one", "two"):
        send(visitor, broken, sample_folder / "live.txt", name=name)
        visitor.sees("#jobs .failed", f"{name} could not be added")
    another = visiting(site.url)  # somebody else, later
    another.sees("#jobs summary", "2 jobs failed")
    another.page.get_by_role("button", name="Dismiss all").click()
    another.until("document.getElementById('jobs').hidden")
    visitor.page.reload()
    visitor.sees("#matches", "Harrowmere City")
    assert not visitor.page.locator("#jobs").is_visible()


def titles(visitor):
    return visitor.page.locator("#matches h3 a").all_text_contents()


def test_the_list_is_filtered_and_sorted(site, visiting):
    site.label("Ada", 0, action="none")
    visitor = visiting(site.url)
    visitor.sees("#matches .result", "2 – 1")
    both = titles(visitor)
    assert len(both) == 2
    visitor.page.fill("#title-filter", "dunvéagh")
    assert titles(visitor) == [both[1]]
    visitor.sees("#shown", "1 of 2")
    visitor.page.fill("#title-filter", "2-1")
    assert titles(visitor) == [both[0]]
    visitor.page.fill("#title-filter", "")
    visitor.page.select_option("#state-filter", "unlabelled")
    assert titles(visitor) == [both[1]]
    visitor.page.select_option("#state-filter", "failed")
    visitor.sees("#matches", "No matches pass these filters.")
    visitor.page.select_option("#state-filter", "")
    visitor.page.select_option("#sort", "goals")
    scores = visitor.page.locator("#matches .result").all_text_contents()
    assert scores == sorted(scores, key=lambda s: -sum(map(int, s.split(" – "))))
