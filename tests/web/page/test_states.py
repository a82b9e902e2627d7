"""Every state and every dialog of the pages: axe finds nothing, nothing is wider than the window.

Each is looked at in several forms (`Visitor.flaws`). A state is a function that leads a visitor
there; answers of a server in trouble are made up.
"""

from __future__ import annotations

import contextlib
import shutil

import pytest

from tests.browsing import Visitor
from tests.dataset import write_dataset
from tests.waiting import wait_for
from tests.web.page.conftest import MATCH, TOKEN, Site
from touchline.io.dataset.manifest import Dataset
from touchline.sample import corpus_path

pytestmark = pytest.mark.browser
ADA = {"name": "touchline.annotator", "value": "Ada"}
STATES = {}
JOB = {
    "id": "j1", "kind": "upload", "match": None, "title": "Reds – Blues", "method": "chains",
    "state": "running", "stage": "aligning", "done": 0.4, "problem": None, "created": "2026-08-24",
    "ended": None, "files": {}, "upload": None,
}  # fmt: skip
FIGURES = {"precision": 0.8, "recall": 0.79, "f1": 0.795, "exact": 0.61}
COMPARED = {"match": "", "comments": 126, "bundled": FIGURES, "without": FIGURES,
            "labels": {**FIGURES, "f1": 0.82}, "over": {**FIGURES, "f1": 0.84}}  # fmt: skip
MODEL = {"id": "m1", "method": "chains", "learned": "2026-08-24T10:00:00Z", "matches": 3,
         "labelled": 2, "comments": 252, "skipped": 1, "left_out": [{**COMPARED, "match": MATCH}],
         "total": COMPARED, "over_bundled": True, "labels_by": "used by a layer"}  # fmt: skip
LEARNING = {"labelled": [{"match": MATCH, "title": "Harrowmere – Castlebrook", "comments": 126}],
            "missing": None, "job": None, "used": None, "offered": None}  # fmt: skip


def state(lead):
    STATES[lead.__name__] = lead
    return lead


class Walk:
    """Somebody who goes from state to state: a page for each server and each annotator."""

    def __init__(self, browser, sites):
        self.browser, self.sites = browser, sites
        self.visitors = {}
        self.faked = []

    def to(self, path="/", site="full", name=None):
        own = self.sites[site]
        if (site, name) not in self.visitors:
            self.visitors[site, name] = self._opened(own.url + path, name and own.url)
            return self.visitors[site, name]
        visitor = self.visitors[site, name]
        visitor.page.evaluate("origin === 'null' || sessionStorage.clear()")
        visitor.page.goto("about:blank")  # a new page even where only its #line differs
        visitor.page.goto(own.url + path)
        return visitor

    def _opened(self, url, named_at):
        origins = [{"origin": named_at, "localStorage": [ADA]}] if named_at else []
        kept = {"cookies": [], "origins": origins}
        visitor = Visitor(self.browser, url, bypass_csp=True, storage_state=kept)
        visitor.page.on("dialog", lambda dialog: dialog.accept())  # leave with unsaved labels
        return visitor

    def match(self, query="", name=None, site="full"):
        visitor = self.to(f"/match/{MATCH}{query}", site, name)
        visitor.sees("h1", "Harrowmere City")
        if name:
            visitor.sees("#far", " of 126")
        return visitor

    def fake(self, path, answer, status=200, site="full", name=None, method="GET"):
        """Answer a request as the server would in that case."""
        page = self.to("/nowhere", site, name).page
        body = answer if status < 400 else {"error": answer}
        pattern = f"**/api/v1{path}"

        def reply(route):
            if route.request.method == method:
                route.fulfill(status=status, json=body)
            else:
                route.continue_()

        page.route(pattern, reply)
        self.faked.append((page, pattern))

    def leave(self):
        for page, pattern in self.faked:
            page.unroute(pattern)
        self.faked.clear()

    def close(self):
        for visitor in self.visitors.values():
            visitor.context.close()


@pytest.fixture(scope="module")
def walk(browser, aligned, sample, tmp_path_factory):
    work = tmp_path_factory.mktemp("states")
    for name in ("full", "locked"):
        shutil.copytree(aligned, work / name)
    for name in ("empty", "archive-own"):
        (work / name).mkdir()
    archive = Dataset(write_dataset(work / "archive", sample))
    with contextlib.ExitStack() as stack:

        def start(folder, **more):
            site = Site(work / folder, **more)
            stack.callback(site.close)
            return site

        sites = {
            "full": start("full"),
            "locked": start("locked", token=TOKEN),
            "empty": start("empty"),
            "archive": start("archive-own", dataset=archive),
        }
        furnish(sites["full"])
        wait_for(lambda: len(sites["archive"].get("/matches")["matches"]) == 2)
        walk = Walk(browser, sites)
        stack.callback(walk.close)
        yield walk


def furnish(site):
    """Labels of three people, who disagree on two lines, and a saved search."""
    pairs = [place for place, links in enumerate(site.linked) if len(links) == 2][:2]
    for place in pairs:
        site.label("Bo", place, action="accept")
        site.label("Cy", place, action="none")
    site.label("Ada", 0, action="none")
    site.label("Ada", 0, action="unsure", value=True)
    site.post("/searches", {"name": "Off the post", "query": {"q": "post"}})


# The first page ----------------------------------------------------------------------------------


@state
def all_matches(walk):
    visitor = walk.to()
    visitor.sees(".match:first-child .bars", "Cy")
    visitor.page.locator(".match summary").first.click()
    return visitor


@state
def no_match_passes_the_filter(walk):
    visitor = walk.to()
    visitor.sees("#matches", "Harrowmere City")
    visitor.page.fill("#title-filter", "nobody")
    visitor.sees("#no-matches", "No matches pass")
    return visitor


@state
def empty_folder(walk):
    visitor = walk.to(site="empty")
    visitor.sees("#no-matches", "There are no matches in this folder yet")
    return visitor


@state
def first_page_with_an_error(walk):
    walk.fake("/matches", {"code": "internal", "message": "internal error; see the log"}, 500)
    visitor = walk.to()
    visitor.sees("#trouble", "Internal error")
    return visitor


@state
def jobs_that_run_and_failed(walk):
    failed = {**JOB, "id": "j2", "state": "failed", "ended": "2026-08-24", "upload": "u1",
              "problem": "live.txt: no line of it starts with a minute"}  # fmt: skip
    aligning = {**failed, "id": "j3", "kind": "align", "match": MATCH, "upload": None}
    walk.fake("/jobs", {"jobs": [JOB, failed, aligning]})
    visitor = walk.to()
    visitor.sees("#jobs summary", "2 jobs failed")
    return visitor


@state
def search_with_facets(walk):
    visitor = walk.to("/?q=the&kind=Shot")
    visitor.sees("#facets", "Saved")
    visitor.page.locator(".narrow").evaluate("(one) => one.setAttribute('open', '')")
    return visitor


@state
def search_with_a_near_spelling(walk):
    visitor = walk.to("/?q=Havlovek")
    visitor.sees("#meant", "Did you mean")
    return visitor


@state
def search_without_hits(walk):
    visitor = walk.to("/?q=qqqq&team=nobody")
    visitor.sees("#nothing", "fewer words")
    return visitor


@state
def search_that_was_stopped(walk):
    slow = {"code": "too_slow", "message": "the search took too long; use fewer or longer words"}
    walk.fake("/search*", slow, 503)
    visitor = walk.to("/?q=a")
    visitor.sees("#trouble", "took too long")
    return visitor


@state
def saving_a_search(walk):
    visitor = walk.to("/?q=post")
    visitor.page.locator("#save").click()
    visitor.sees("dialog", "Everyone who uses this server")
    return visitor


@state
def agreement_over_all_matches(walk):
    visitor = walk.to()
    visitor.sees("#matches", "Harrowmere City")
    visitor.page.locator("#agreement").click()
    visitor.page.select_option("dialog select >> nth=0", "Bo")
    visitor.page.select_option("dialog select >> nth=1", "Cy")
    visitor.sees("dialog .differences", "Cy: no event")
    return visitor


@state
def deleting_a_match(walk):
    answer = walk.sites["full"].get("/matches")
    for match in answer["matches"]:
        match["uploaded"] = True
    walk.fake("/matches", answer)
    visitor = walk.to()
    # By key: a row that is drawn anew between press and release of a mouse button gets no click.
    # Saved searches can be deleted too.
    row = visitor.page.locator("#matches")
    row.get_by_role("button", name="Delete").first.press("Enter")
    visitor.sees("dialog", "cannot be undone")
    return visitor


# Adding matches ----------------------------------------------------------------------------------


def adding(walk, *files):
    visitor = walk.to(site="empty")
    visitor.sees("#no-matches", "no matches")
    visitor.press("a")
    visitor.sees("dialog", "Choose files")
    if files:
        visitor.page.set_input_files("#choose-files", list(files))
    return visitor


def file(name, text=None):
    """A file of a bundled match, or of some text."""
    body = (corpus_path() / MATCH / name).read_bytes() if text is None else text.encode()
    return {"name": name, "mimeType": "application/octet-stream", "buffer": body}


@state
def adding_matches(walk):
    return adding(walk)


@state
def files_without_a_log(walk):
    visitor = adding(walk, file("live.txt"), file("notes.md", "# Notes"))
    visitor.sees("dialog .rest", "No match log was found")
    return visitor


@state
def files_that_were_understood(walk):
    visitor = adding(walk, file("live.txt"), file("events.json.gz"), file("notes.md", "# Notes"))
    visitor.sees("dialog .match-card", "126 comments")
    visitor.page.locator("dialog .methods summary").click()
    return visitor


@state
def a_log_without_commentary(walk):
    visitor = adding(walk, file("events.json.gz"))
    visitor.sees("dialog .match-card", "There is no commentary for this log")
    return visitor


@state
def files_that_cannot_be_stored(walk):
    full = {"code": "disk_full", "message": "the disk is full; nothing was saved"}
    walk.fake("/uploads", full, 507, site="empty", method="POST")
    visitor = adding(walk, file("live.txt"))
    visitor.sees("dialog .problem", "disk is full")
    return visitor


# Learning ----------------------------------------------------------------------------------------


def learning(walk, words, **more):
    walk.fake("/learned", {**LEARNING, **more})
    visitor = walk.match()
    visitor.page.locator("#learn").click()
    visitor.sees("dialog .learning", words)
    return visitor


@state
def too_little_to_learn_from(walk):
    return learning(walk, "Label 1 more", missing="label 1 more match first")


@state
def learning_in_progress(walk):
    return learning(walk, "Learning", job={**JOB, "kind": "learn", "title": "Learning"})


@state
def a_model_that_is_offered(walk):
    visitor = learning(walk, "Before and after", offered=MODEL)
    visitor.page.locator("dialog details").last.locator("summary").click()
    return visitor


@state
def a_model_in_use(walk):
    visitor = learning(walk, "In use", used=MODEL)
    visitor.page.get_by_text("Its figures").click()
    return visitor


# A match -----------------------------------------------------------------------------------------


@state
def match_with_nothing_selected(walk):
    return walk.match()


@state
def line_that_is_explained(walk):
    visitor = walk.match("#34")
    visitor.sees("#detail .quote", "SAVE! Gaye-Lambert")
    return visitor


@state
def event_of_the_log(walk):
    visitor = walk.match()
    visitor.press("e", "j")
    visitor.sees("#detail", "Selected event")
    return visitor


@state
def nothing_passes_the_filters(walk):
    visitor = walk.match()
    visitor.page.fill("#search", "qqqq")
    visitor.sees("#show-feed", "0 of 126")
    return visitor


@state
def line_that_the_log_does_not_confirm(walk):
    visitor = walk.match()
    visitor.page.select_option("#status", "questioned")
    visitor.page.locator("#feed").focus()
    visitor.press("j")
    visitor.sees("#detail", "Not confirmed by the log")
    return visitor


@state
def at_a_glance(walk):
    visitor = walk.match()
    visitor.page.locator("#show-glance").evaluate("(one) => one.click()")
    return visitor


@state
def help_with_the_legend(walk):
    visitor = walk.match()
    visitor.press("?")
    visitor.sees("dialog[open]", "How to read this page")
    return visitor


@state
def playing(walk):
    visitor = walk.match()
    visitor.press(">", "Space")
    visitor.page.get_by_role("button", name="Pause").wait_for()
    return visitor


@state
def paused(walk):
    visitor = walk.match()
    visitor.press(">", "Space", "Space")
    visitor.page.get_by_role("button", name="Play (space)").wait_for()
    return visitor


@state
def generated_commentary(walk):
    visitor = walk.match("?generated")
    visitor.sees("#show-feed", "Generated")
    visitor.press("j")
    return visitor


@state
def match_that_is_being_aligned(walk):
    record = walk.sites["full"].get(f"/matches/{MATCH}")
    walk.fake(f"/matches/{MATCH}/page", {"code": "not_aligned", "message": "not aligned"}, 409)
    walk.fake(f"/matches/{MATCH}", {**record, "job": {**JOB, "kind": "align", "match": MATCH}})
    visitor = walk.to(f"/match/{MATCH}")
    visitor.sees(".waiting", "Aligning: aligning, 40 %")
    return visitor


@state
def match_that_could_not_be_aligned(walk):
    record = walk.sites["full"].get(f"/matches/{MATCH}")
    walk.fake(f"/matches/{MATCH}/page", {"code": "not_aligned", "message": "not aligned"}, 409)
    walk.fake(f"/matches/{MATCH}", {**record, "problem": "live.txt: is empty"})
    visitor = walk.to(f"/match/{MATCH}")
    visitor.sees(".waiting", "live.txt: is empty")
    return visitor


@state
def match_with_an_error(walk):
    walk.fake(f"/matches/{MATCH}/page", {"code": "internal", "message": "internal error"}, 500)
    visitor = walk.to(f"/match/{MATCH}")
    visitor.sees(".waiting", "Internal error")
    return visitor


@state
def match_that_does_not_exist(walk):
    visitor = walk.to("/match/nobody")
    visitor.sees("h1", "no such match")
    return visitor


@state
def page_that_does_not_exist(walk):
    visitor = walk.to("/nowhere")
    visitor.sees("h1", "Page not found")
    return visitor


# Labelling ---------------------------------------------------------------------------------------


@state
def naming(walk):
    visitor = walk.match()
    visitor.page.locator(".who-labels").click()
    visitor.page.fill("dialog input", "gold")
    visitor.press("Enter")
    visitor.sees("dialog .problem", "is reserved")
    return visitor


@state
def labelling_a_line(walk):
    visitor = walk.match("#0", name="Ada")
    visitor.sees("#label-state", "unsure")
    return visitor


@state
def adding_an_event(walk):
    visitor = walk.match("#3", name="Ada")
    visitor.press("a")
    visitor.sees("#detail", "Add")
    return visitor


@state
def note_on_a_line(walk):
    visitor = walk.match("#3", name="Ada")
    visitor.press("w")
    visitor.sees("dialog", "Note")
    return visitor


@state
def files_of_the_labels(walk):
    visitor = walk.match(name="Ada")
    visitor.page.locator("#files").click()
    visitor.sees("dialog", "Links of the machine")
    return visitor


@state
def guide(walk):
    visitor = walk.match(name="Ada")
    visitor.press("G")
    visitor.sees("dialog", "What to label")
    return visitor


@state
def annotators_of_a_match(walk):
    visitor = walk.match(name="Ada")
    visitor.page.locator("#agreement").click()
    visitor.sees("dialog .progress-list", "Cy")
    return visitor


@state
def disagreements(walk):
    visitor = annotators_of_a_match(walk)
    visitor.page.locator("#adjudicate").click()
    visitor.sees(".adjudication-head", "0 decided")
    return visitor


@state
def answer_of_ones_own(walk):
    visitor = disagreements(walk)
    visitor.press("a")
    visitor.sees("dialog", "Save this answer")
    return visitor


@state
def label_that_is_not_saved(walk):
    full = {"code": "disk_full", "message": "the disk is full; nothing was saved"}
    walk.fake(f"/matches/{MATCH}/labels/*", full, 507, name="Ada", method="POST")
    visitor = walk.match("#5", name="Ada")
    visitor.press("u")
    visitor.sees("#save-state", "disk is full")
    return visitor


# Other servers -----------------------------------------------------------------------------------


@state
def sign_in(walk):
    visitor = walk.to("/login", site="locked")
    visitor.page.fill("#token", "wrong")
    visitor.press("Enter")
    visitor.sees("#problem", "Wrong token")
    return visitor


@state
def data_set(walk):
    visitor = walk.to(site="archive")
    visitor.sees("#matches", "Harrowmere City")
    return visitor


@state
def match_of_a_data_set(walk):
    visitor = walk.match(site="archive")
    visitor.press("j")
    return visitor


@pytest.mark.parametrize(("turn", "name"), list(enumerate(STATES)), ids=STATES)
def test_axe_finds_nothing(walk, turn, name):
    visitor = STATES[name](walk)
    try:
        assert visitor.flaws(turn) == []
    finally:
        walk.leave()
    assert visitor.errors + visitor.outside == []
