"""The first page in a real browser: all matches, search, upload, sign-in."""

from __future__ import annotations

import gzip
import json
import zipfile

import pytest

from tests.waiting import wait_for
from tests.web.page.conftest import MATCH, TOKEN

pytestmark = pytest.mark.browser


def send(visitor, *files, name=""):
    """Choose files, look at what was understood, and start."""
    visitor.page.locator("#upload-open").click()
    visitor.page.set_input_files("#choose-files", list(files))
    visitor.sees("dialog .match-card", "Match log")
    if name:
        visitor.page.locator("dialog .match-card summary").click()
        visitor.page.fill("dialog .match-card details input", name)
    visitor.page.locator("dialog .buttons .main").click()
    visitor.until("!document.querySelector('dialog')")


def upload(site, folder):
    """A match is added from somewhere else; waits until it is there."""
    job = site.upload(folder / "events.json.gz", folder / "live.txt")
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


def facet(visitor, group, value):
    """The button of a value; the list is opened where it is not shown at once."""
    section = visitor.page.get_by_role("region", name=group, exact=True)
    found = section.get_by_role("button").filter(has_text=value)
    if not found.count() and section.locator(".more-values").count():
        section.locator(".more-values").click()
    return found


def test_facets_narrow_the_search(site, visiting):
    visitor = visiting(site.url)
    visitor.page.locator("#browse").click()
    visitor.sees("#facets", "Lucien de Marsac")
    facet(visitor, "Event", "Shot").click()
    total = site.get("/search", kind="Shot")["total"]
    visitor.sees("#found-title", f"{total} lines")
    name = site.get("/search", kind="Shot", facets=True)["facets"]["players"][0]["value"]
    player = facet(visitor, "Player", name)
    count = int(player.locator(".count").inner_text())
    player.click()
    visitor.sees("#found-title", f"{count} line")
    asked = {"player": name, "kind": "Shot"}
    assert count == site.get("/search", **asked)["total"]
    assert facet(visitor, "Player", name).get_attribute("aria-pressed") == "true"
    visitor.page.fill("#to", "45")
    fewer = site.get("/search", **asked, to=45)["total"]
    visitor.sees("#found-title", f"{fewer} line")
    visitor.page.reload()  # the address keeps it all
    visitor.sees("#found-title", f"{fewer} line")
    visitor.page.get_by_role("button", name=f"Without {name}").click()
    visitor.sees("#found-title", f"{site.get('/search', kind='Shot', to=45)['total']} line")
    visitor.page.locator("#clear").click()
    visitor.until("!document.getElementById('all').hidden")


def test_more_hits_are_shown_on_request(site, visiting):
    visitor = visiting(f"{site.url}/?browse=1")
    total = site.get("/search")["total"]
    visitor.sees("#found-title", f"{total} lines")
    assert visitor.page.locator(".hit").count() == 50
    visitor.page.locator("#more").click()
    visitor.until("document.querySelectorAll('.hit').length === 100")


def test_a_search_by_keys_alone(site, visiting):
    visitor = visiting(site.url)
    visitor.sees("#matches", "Harrowmere City")
    visitor.press("/")
    visitor.page.keyboard.type("corner")
    visitor.sees("#found-title", f"{site.get('/search', q='corner')['total']} lines")
    visitor.press("ArrowDown", "ArrowDown")
    visitor.until("document.activeElement === document.querySelectorAll('.hit')[1]")
    # An answer that comes late leaves the focus where it is.
    with visitor.page.expect_response("**/api/v1/search*"):
        visitor.page.evaluate("document.getElementById('search').dispatchEvent(new Event('input'))")
    visitor.until("document.activeElement === document.querySelectorAll('.hit')[1]")
    visitor.press("ArrowUp", "ArrowUp")
    visitor.until("document.activeElement.id === 'search'")
    visitor.press("ArrowDown", "Escape", "Escape")
    visitor.until("!document.getElementById('all').hidden")
    visitor.press("Escape")
    visitor.page.locator("#search").blur()
    visitor.press("f")
    visitor.page.keyboard.type("h")
    visitor.press("ArrowDown", "ArrowDown")
    visitor.until("document.activeElement.closest('.match')")
    visitor.press("Enter")
    visitor.page.wait_for_url("**/match/*")


def test_the_first_key_reaches_the_list(site, visiting):
    visitor = visiting(site.url)
    visitor.sees("#matches", "Harrowmere City")
    visitor.press("ArrowDown", "ArrowDown", "ArrowUp", "Enter")
    visitor.page.wait_for_url(f"**/match/{MATCH}")
    visitor.page.goto(f"{site.url}/?q=corner")
    visitor.sees("#hits", "corner")
    visitor.page.evaluate("document.activeElement.blur()")
    visitor.press("ArrowDown")
    visitor.until("document.activeElement === document.querySelector('.hit')")


def test_near_spellings_are_offered(site, visiting):
    visitor = visiting(f"{site.url}/?q=Havlovek")
    visitor.sees("#nothing", "No line matches all of this.")
    visitor.sees("#meant", "Did you mean Havlovec")
    visitor.page.locator("#meant button").click()
    visitor.sees("#found-title", f"{site.get('/search', q='Havlovec')['total']} lines")
    visitor.page.fill("#search", "qqqqqqqq")
    visitor.sees("#nothing", "Try fewer words")


def test_a_search_is_saved_used_and_deleted(site, visiting):
    visitor = visiting(f"{site.url}/?q=post&kind=Shot&to=80")
    visitor.page.locator("#save").click()
    visitor.page.fill("dialog [name=name]", "Off the post")
    visitor.press("Enter")
    visitor.sees("#saved", "Off the post")
    another = visiting(site.url)
    another.page.locator("#saved .chip button").first.click()
    total = site.get("/search", q="post", kind="Shot", to=80)["total"]
    another.sees("#found-title", f"{total} line")
    assert another.page.locator("#to").input_value() == "80"
    with another.page.expect_download() as waiting:
        another.page.locator("#as-csv").click()
    assert len(waiting.value.path().read_text().splitlines()) == total + 1
    another.page.get_by_role("button", name="Delete the saved search").click()
    another.until("document.getElementById('saved').hidden")
    assert site.get("/searches") == {"searches": []}


def test_a_match_is_uploaded_and_deleted(site, visiting, sample_folder):
    visitor = visiting(site.url)
    visitor.sees("#matches", "Harrowmere City")
    log = sample_folder / "events.json.gz"
    send(visitor, log, sample_folder / "lineups.json", sample_folder / "live.txt", name="derby")
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


def broken_log(sample_folder, path):
    whole = gzip.decompress((sample_folder / "events.json.gz").read_bytes())
    path.write_bytes(gzip.compress(whole.replace(b'"type":', b'"tpye":')))
    return path


def test_a_broken_file_is_reported_before_anything_starts(site, visiting, sample_folder, tmp_path):
    broken = broken_log(sample_folder, tmp_path / "derby.json.gz")
    visitor = visiting(site.url)
    visitor.sees("#matches", "Harrowmere City")
    visitor.press("a")
    visitor.page.set_input_files("#choose-files", [broken, sample_folder / "live.txt"])
    visitor.sees("dialog .rest", "No match log was found")
    visitor.sees("dialog .file.broken", "derby.json.gz")
    assert str(tmp_path) not in visitor.text("dialog")
    assert visitor.page.locator("dialog .buttons .main").is_disabled()
    visitor.page.set_input_files("#choose-files", [sample_folder / "events.json.gz"])
    visitor.sees("dialog .match-card", "Harrowmere City")  # the commentary is still there
    visitor.sees("dialog .match-card", "live text · 126 comments")
    visitor.page.get_by_role("button", name="Remove derby.json.gz").click()
    visitor.until("!document.querySelector('dialog .broken')")
    assert visitor.page.locator("dialog .buttons .main").is_enabled()
    visitor.press("Escape")
    wait_for(lambda: not list(site.uploads.iterdir()))  # nobody started them


def test_the_files_of_a_failure_can_be_changed(site, visiting, sample_folder):
    visitor = visiting(site.url)
    visitor.sees("#matches", "Harrowmere City")
    log = sample_folder / "events.json.gz"
    visitor.page.locator("#upload-open").click()
    visitor.page.set_input_files("#choose-files", [log, sample_folder / "live.txt"])
    visitor.sees("dialog .match-card", "live.txt")
    (stored,) = site.uploads.glob("*/2.txt")
    stored.write_text("no commentary any more")  # as if it had been damaged meanwhile
    visitor.page.locator("dialog .buttons .main").click()
    visitor.sees("#jobs .failed", "could not be added")
    (failed,) = [job for job in site.get("/jobs")["jobs"] if job["state"] == "failed"]
    assert failed["problem"].startswith("live.txt: ")
    visitor.page.get_by_role("button", name="Change the files").click()
    visitor.page.get_by_role("button", name="Remove live.txt").click()
    visitor.sees("dialog .match-card", "There is no commentary for this log")
    visitor.page.set_input_files("#choose-files", [sample_folder / "comments.jsonl"])
    visitor.sees("dialog .match-card", "comments.jsonl")
    visitor.page.locator("dialog .buttons .main").click()
    visitor.sees("#folder", "3 matches")
    visitor.until("document.getElementById('jobs').hidden")


def test_several_matches_come_out_of_an_archive(site, visiting, aligned, tmp_path):
    archive = tmp_path / "season.zip"
    with zipfile.ZipFile(archive, "w") as out:
        for match in (MATCH, "port-selwyn-dunveagh"):
            for file in ("events.json.gz", "live.txt", "lineups.json"):
                out.write(aligned / match / file, f"{match}/{file}")
    visitor = visiting(site.url)
    visitor.page.locator("#upload-open").click()
    visitor.page.set_input_files("#choose-files", archive)
    visitor.sees("dialog .buttons .main", "Align 2 matches")
    visitor.page.locator("dialog .methods input[value=pairrank]").check()
    visitor.page.locator("dialog .match-card input[type=checkbox]").first.uncheck()
    visitor.page.locator("dialog .methods summary").click()
    visitor.page.select_option("dialog .methods select", "named")
    visitor.page.get_by_role("button", name="Align", exact=True).click()
    visitor.sees("#folder", "3 matches")
    (made,) = [one for one in site.get("/matches")["matches"] if one["uploaded"]]
    assert (made["title"], made["method"]) == ("Port Selwyn United – Dunveagh Rovers", "named")


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
    broken = broken_log(sample_folder, tmp_path / "events.json.gz")
    visitor = visiting(site.url)
    visitor.sees("#matches", "Harrowmere City")
    for name in ("one", "two"):
        site.upload(broken, sample_folder / "live.txt", name)
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
    visitor.sees("#no-matches", "No matches pass these filters.")
    visitor.page.select_option("#state-filter", "")
    visitor.page.select_option("#sort", "goals")
    scores = visitor.page.locator("#matches .result").all_text_contents()
    assert scores == sorted(scores, key=lambda s: -sum(map(int, s.split(" – "))))


def test_thousands_of_matches_stay_fast_and_within_reach(site, visiting):
    """Only rows in sight are in the document; keys reach those that are not."""
    (real,) = [m for m in site.get("/matches")["matches"] if m["name"] == MATCH]
    many = [{**real, "name": f"m{n}", "title": f"Match {n:04}", "date": f"20{n % 20 + 10}-08-24",
             "score": f"{n % 5}-0"} for n in range(3000)]  # fmt: skip
    visitor = visiting(site.url)
    answer = {"matches": many, "folder": "season"}
    visitor.page.route("**/api/v1/matches", lambda route: route.fulfill(json=answer))
    visitor.page.reload()
    visitor.sees("#folder", "3000 matches")
    visitor.sees("#matches", "Match 0003")
    assert visitor.page.locator(".match").count() < 60
    assert visitor.page.locator(".match").first.get_attribute("aria-setsize") == "3000"
    visitor.press("f", "ArrowDown", "End")
    visitor.until("document.activeElement.textContent === 'Match 2999'")
    assert visitor.page.locator(".match").count() < 60
    visitor.press("ArrowUp", "k")
    visitor.until("document.activeElement.textContent === 'Match 2997'")
    visitor.page.select_option("#sort", "date")
    visitor.page.evaluate("scrollTo(0, 0)")
    visitor.sees("#matches", "24 Aug 2029")
    visitor.page.locator("#direction").click()
    visitor.sees("#matches", "24 Aug 2010")
    visitor.page.fill("#title-filter", "aug 2013 match 0003")
    visitor.sees("#shown", "1 of 3000")


def test_a_saved_search_outlives_an_answer_from_before_it(site, visiting):
    """The page reads the list when it starts; that answer may come after a search was saved."""
    visitor = visiting(f"{site.url}/?q=post")
    waiting = []
    visitor.page.route("**/api/v1/searches", lambda route: (
        waiting.append((route, route.fetch())) if route.request.method == "GET"
        else route.continue_()
    ))  # fmt: skip
    visitor.page.reload()
    visitor.page.locator("#save").click()
    visitor.page.fill("dialog [name=name]", "Off the post")
    visitor.press("Enter")
    visitor.sees("#saved", "Off the post")
    assert waiting
    for route, answer in waiting:
        route.fulfill(response=answer)
    visitor.page.wait_for_timeout(200)
    assert "Off the post" in visitor.text("#saved")
