"""Labelling in a real browser: by keyboard alone, undone, kept, by two tabs and two people."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from benchmarks.labelling import Labeller
from tests.web.page.conftest import MATCH

pytestmark = pytest.mark.browser
DOCUMENT = (Path(__file__).parents[3] / "docs" / "labelling.md").read_text(encoding="utf-8")
STATE = "#label-state"


def test_a_match_is_labelled_with_the_keyboard_alone(site, visiting):
    linked = site.linked
    visitor = visiting(site.match)
    visitor.sees("h1", "Harrowmere City")
    visitor.press("j", "Enter")  # labelling asks for a name first, once
    visitor.page.keyboard.type("Ada")
    visitor.press("Enter")
    visitor.sees("#far", "0 of 126")
    for place in range(6):
        assert visitor.selected == f"c{place}"
        visitor.press("0" if place == 2 else "Enter")
    visitor.sees("#save-state", "All saved")
    visitor.sees("#far", "6 of 126")
    labels = site.labels("Ada")
    assert [labels[place]["done"] for place in range(6)] == [True] * 6
    for place in range(6):
        assert labels[place]["events"] == ([] if place == 2 else linked[place])
    assert labels[2]["none"]
    assert labels[2]["rejected"] == linked[2]


def test_the_first_minute_as_in_the_docs(site, visiting):
    """docs/labelling.md, "Quick start", typed without a pause; nobody waits for the server."""
    linked = site.linked
    visitor = visiting(site.match)
    visitor.sees("h1", "Harrowmere City")
    visitor.page.get_by_text("Label this match").click()
    visitor.page.keyboard.type("Ada")
    visitor.press("Enter", "Enter", "Enter", "0", "y", "n", "1", "a", "j", "Enter", "Escape")
    visitor.sees("#far", " of 126")
    visitor.sees("#save-state", "All saved")
    assert visitor.page.locator("dialog[open]").count() == 0
    assert visitor.selected == "c3"
    labels = site.labels("Ada")
    assert [labels[place]["events"] for place in range(3)] == [linked[0], linked[1], []]
    assert labels[2]["none"]
    assert labels[3]["rejected"]
    assert set(labels[3]["events"]) - set(linked[3])  # one was added from the log


class Newcomer(Labeller):
    """Somebody who has read docs/labelling.md, labels as gold does, and has no mouse."""

    def __init__(self, page, log):
        super().__init__(page, log)
        self.pressed = set()

    def press(self, *keys):
        self.pressed.update(keys)
        super().press(*keys)


def test_the_first_twenty_labels_of_a_newcomer_without_a_mouse(site, folder, visiting):
    """Only keys that the quick start of docs/labelling.md names."""
    (match,) = site.get(f"/matches/{MATCH}/page")["matches"]
    lines = (folder / MATCH / "gold.jsonl").read_text(encoding="utf-8").splitlines()
    gold = {line["id"]: set(line["events"]) for line in map(json.loads, lines)}
    visitor = visiting(site.match)
    visitor.sees("h1", "Harrowmere City")
    newcomer = Newcomer(visitor.page, [event["id"] for event in match["events"]])
    newcomer.press("Enter")  # a labelling key asks for the name
    visitor.page.keyboard.type("Ada")
    newcomer.press("Enter")
    visitor.sees("#far", "0 of 126")
    for comment in match["comments"][:20]:
        newcomer.label(gold[comment["id"]])
    visitor.sees("#far", "20 of 126")
    visitor.sees("#save-state", "All saved")
    labels = site.labels("Ada")
    assert {one: set(label["events"]) for one, label in labels.items()} == {
        comment["id"]: gold[comment["id"]] for comment in match["comments"][:20]
    }
    assert all(label["done"] for label in labels.values())
    start = DOCUMENT.split("## Quick start")[1].split("\n## ")[0]
    start = re.sub(r"```.*?```", "", start, flags=re.DOTALL)  # commands to start with are no keys
    named = set(re.findall(r"`([^`]+)`", start)) | set("123456789") | {"Escape"}
    assert newcomer.pressed <= named


def test_keys_keep_their_order_while_labels_are_being_read(site, visiting):
    """Esc, which the page itself takes, does not overtake the keys of an annotator."""
    visitor = visiting(site.match)
    visitor.sees("h1", "Harrowmere City")
    held = []
    visitor.page.route("**/queue?*", lambda route: held.append(route))
    visitor.page.get_by_text("Label this match").click()
    visitor.page.keyboard.type("Ada")
    visitor.press("Enter", "a", "j", "Escape")
    assert visitor.selected is None
    for route in held:
        route.continue_()
    visitor.sees("#far", " of 126")
    assert visitor.selected == "c0"
    assert visitor.page.locator("body.is-adding").count() == 0


def test_a_labelling_key_asks_for_the_name_and_selects_the_first_line(site, visiting):
    visitor = visiting(site.match)
    visitor.sees("h1", "Harrowmere City")
    visitor.press("Enter")
    visitor.page.keyboard.type("Ada")
    visitor.press("Enter")
    visitor.sees("#far", "0 of 126")
    visitor.until("document.activeElement.id === 'feed'")
    assert visitor.selected == "c0"
    visitor.page.locator(".who-labels").click()
    visitor.press("Escape")  # no other name: nothing changes
    assert visitor.selected == "c0"


def test_links_are_judged_one_by_one(site, labelling):
    place = next(place for place, links in enumerate(site.linked) if len(links) == 3)
    first, second, third = site.linked[place]
    annotator = labelling("Ada", url=f"{site.match}#{place}")
    annotator.press("y", "n")
    annotator.saved()
    annotator.sees(STATE, "Started")
    label = site.labels("Ada")[place]
    assert (label["events"], label["rejected"], label["done"]) == ([first], [second], False)
    annotator.press("y")  # the cursor went on to the third
    annotator.sees(STATE, "Labelled")
    annotator.press("1", "2")  # by their numbers: one out, one in again
    annotator.saved()
    label = site.labels("Ada")[place]
    assert (label["events"], label["rejected"]) == ([second, third], [first])
    annotator.press("h", "h", "h", "l", "n")
    annotator.saved()
    assert site.labels("Ada")[place]["events"] == [third]
    annotator.press("3", "Enter")  # nothing is left, which has to be said
    annotator.sees("#detail .problem", "Press 0 if the line describes no event")
    annotator.press("x")
    annotator.sees(STATE, "Not labelled")
    annotator.saved()
    assert site.labels("Ada") == {}


def test_undo_redo_and_a_reload(site, labelling):
    annotator = labelling("Ada")
    annotator.press("j", "Enter", "Enter", "u")
    annotator.saved()
    annotator.press("z", "z")
    annotator.sees("#far", "1 of 126")
    annotator.saved()
    assert annotator.selected == "c1"  # where the last step was undone
    assert set(site.labels("Ada")) == {0}
    annotator.press("Shift+Z", "Control+y")
    annotator.sees("#far", "2 of 126")
    annotator.saved()
    before = site.labels("Ada")
    assert before[2]["unsure"]
    assert annotator.selected == "c2"
    annotator.page.reload()
    annotator.sees("#far", "2 of 126")
    annotator.sees(STATE, "unsure")
    assert annotator.selected == "c2"
    assert site.labels("Ada") == before
    annotator.press("Control+z")
    annotator.saved()
    assert set(site.labels("Ada")) == {0, 1}


def test_unsure_and_a_note(site, labelling):
    text = "<b>Whose</b> free kick?"
    annotator = labelling("Ada")
    annotator.press("j", "u", "w")
    annotator.page.keyboard.type(text)
    annotator.press("Enter")
    annotator.sees("#detail .note-text", text)
    annotator.saved()
    label = site.labels("Ada")[0]
    assert (label["unsure"], label["note"], label["done"]) == (True, text, False)
    annotator.page.select_option("#status", "doubted")
    assert annotator.text("#show-feed") == "Commentary 1 of 126"
    annotator.page.select_option("#status", "to-label")
    assert annotator.text("#show-feed") == "Commentary 126"


def test_events_are_added_from_log_timeline_and_pitch(site, labelling):
    annotator = labelling("Ada")
    annotator.press("j", "j", "j", "a")
    assert annotator.page.evaluate("document.activeElement.id") == "log"
    first = annotator.selected
    annotator.press("j", "Enter")
    annotator.sees("#detail", "Remove this event")
    annotator.press("Escape")
    assert annotator.selected == "c2"
    annotator.saved()
    added = set(site.labels("Ada")[2]["events"])
    assert len(added) == 1

    annotator.press("a")
    annotator.page.locator(f"#{first}").click()
    annotator.saved()
    assert len(site.labels("Ada")[2]["events"]) == 2
    strip = annotator.page.locator(".strip").first
    row = strip.locator("path.unlinked").get_attribute("d")
    x, y = map(float, row[1:].split("v")[0].split())
    box = strip.bounding_box()
    annotator.page.mouse.click(box["x"] + x, box["y"] + y + 4)
    annotator.saved()
    assert len(site.labels("Ada")[2]["events"]) == 3
    annotator.press("a")

    faint = annotator.page.locator("#detail .pitch .disc.faint").last
    number = int(faint.locator("text").text_content())
    faint.locator("text").click()
    annotator.saved()
    assert len(site.labels("Ada")[2]["events"]) == 4
    pressed = annotator.page.locator(f"#detail [name=yes{number}]").get_attribute("aria-pressed")
    assert pressed == "true"
    assert added < set(site.labels("Ada")[2]["events"])


# Answers of the kind that is asked for come late.
SLOW = """
const ask = fetch;
window.fetch = async (...asked) => {
  const answer = await ask(...asked);
  if (String(asked[0]).includes("%s")) await new Promise((go) => setTimeout(go, 400));
  return answer;
};
"""


def slow(annotator, path):
    annotator.page.add_init_script(SLOW % path)
    annotator.page.reload()
    annotator.sees("#far", " of 126")


def test_an_action_behind_an_undo_is_taken(site, labelling):
    place = next(place for place, links in enumerate(site.linked) if len(links) == 1)
    annotator = labelling("Ada", url=f"{site.match}#{place}")
    slow(annotator, "/labels/")
    annotator.press("y", "z", "y")
    annotator.saved()
    assert not annotator.page.locator(".problem-button").is_visible()
    assert site.labels("Ada")[place]["events"] == site.linked[place]


def test_a_note_stays_with_its_line(site, labelling):
    annotator = labelling("Ada")
    annotator.press("j", "Enter")
    annotator.saved()
    slow(annotator, "/undo")
    annotator.press("End", "z", "w")
    annotator.until("Boolean(document.querySelector('dialog[open]'))")
    annotator.until("location.hash === '#0'")  # where the step was undone, behind the window
    annotator.page.keyboard.type("for the last line")
    annotator.press("Enter")
    annotator.saved()
    assert {place: label["note"] for place, label in site.labels("Ada").items()} == {
        125: "for the last line"
    }


def test_work_begins_when_all_is_there(site, labelling):
    """The line that teaches most is known when the first key is taken."""
    annotator = labelling("Ada")
    slow(annotator, "/queue")
    annotator.press("g")
    asked = site.get(f"/matches/{MATCH}/queue", annotator="Ada", order="teaching")["comments"]
    assert annotator.selected == f"c{asked[0]['comment']}"


def test_g_goes_to_the_line_that_teaches_most(site, labelling):
    asked = {"annotator": "Ada", "order": "teaching"}
    first = site.get(f"/matches/{MATCH}/queue", **asked)["comments"][0]["comment"]
    annotator = labelling("Ada")
    annotator.press("g")
    assert annotator.selected == f"c{first}"


@pytest.mark.parametrize("order", ["uncertain", "teaching"])
def test_lines_are_labelled_in_another_order(site, labelling, order):
    asked = {"annotator": "Ada", "order": order}
    queue = [one["comment"] for one in site.get(f"/matches/{MATCH}/queue", **asked)["comments"]]
    annotator = labelling("Ada")
    annotator.page.select_option("#order", order)
    annotator.page.locator("#feed").focus()
    annotator.press("Home", "Enter", "Enter")
    annotator.saved()
    assert set(site.labels("Ada")) == set(queue[:2])
    assert annotator.selected == f"c{queue[2]}"


def test_two_tabs_see_each_other_and_none_overwrites(site, labelling):
    one, other = labelling("Ada"), labelling("Ada")
    one.press("j", "Enter")
    other.sees("#far", "1 of 126")  # heard at once
    assert other.page.locator("#c0 .sign.done").count() == 1
    # A tab that hears nothing any more acts upon what it knows.
    other.page.route("**/api/v1/events*", lambda route: route.abort())
    other.page.reload()
    other.sees("#far", "1 of 126")
    one.press("0")
    one.saved()
    before = site.labels("Ada")
    other.press("Home", "j", "Enter")
    other.page.locator(".problem-button").click()
    other.sees("#detail .problem", "Your last action was not applied")
    assert other.selected == "c1"
    other.sees(STATE, "No event")  # what the other tab said
    assert site.labels("Ada") == before
    other.press("u")  # upon what is shown now
    other.saved()
    assert site.labels("Ada")[1]["unsure"]
    other.press("z", "z")  # its own step, then the other tab's, which it knows of by now
    other.sees("#far", "1 of 126")
    other.saved()
    assert set(site.labels("Ada")) == {0}


def test_a_step_made_elsewhere_is_not_undone_unseen(site, labelling):
    annotator = labelling("Ada")
    annotator.page.route("**/api/v1/events*", lambda route: route.abort())
    annotator.page.reload()
    annotator.sees("#far", "0 of 126")
    annotator.press("j", "Enter")
    annotator.saved()
    site.label("Ada", 5, action="none")
    annotator.press("z")
    annotator.sees("#save-state", "The last step has changed")
    assert set(site.labels("Ada")) == {0, 5}


def test_two_people_label_by_themselves_and_are_compared(site, labelling):
    place = next(place for place, links in enumerate(site.linked) if len(links) == 2)
    site.label("Bo", place, action="accept")
    site.label("Bo", 0, action="none")
    ada = labelling("Ada", url=f"{site.match}#{place}")
    ada.sees("#detail", "One other person has labelled this line")
    ada.press("y", "n")
    ada.sees("#detail .others", "Bo: ")
    ada.press("Home", "0")
    ada.saved()
    assert ada.page.locator(f"#c{place} .sign.differs").count() == 1
    ada.page.locator("#agreement").click()
    ada.sees(".agreement", "Lines finished by both2")
    found = site.get("/agreement", a="Ada", b="Bo", match=MATCH)
    for share in (found["exact"], found["pair_f1"], found["kappa"]):
        ada.sees(".agreement", f"{share:.3f}")
    ada.page.locator(".differences button").click()
    assert ada.selected == f"c{place}"
    assert site.labels("Bo")[place]["events"] == site.linked[place]


def test_what_cannot_be_sent_is_kept_and_sent_later(site, labelling):
    annotator = labelling("Ada")
    annotator.context.set_offline(True)
    annotator.press("j", "Enter", "Enter", "0")
    annotator.sees("#save-state", "3 actions not saved yet")
    annotator.sees("#far", "3 of 126")
    assert site.labels("Ada") == {}
    annotator.context.set_offline(False)
    annotator.saved()
    assert set(site.labels("Ada")) == {0, 1, 2}


@pytest.mark.parametrize(
    ("status", "code", "message"),
    [
        (500, "internal", "internal error"),
        (503, "overloaded", "the server is busy"),
        (507, "disk_full", "the disk is full"),
    ],
)
def test_what_the_server_fails_on_is_sent_again(site, labelling, status, code, message):
    annotator = labelling("Ada")
    failed = []

    def fail_twice(route):
        if route.request.method != "POST" or len(failed) == 2:
            return route.continue_()
        failed.append(route)
        return route.fulfill(status=status, json={"error": {"code": code, "message": message}})

    annotator.page.route("**/labels/Ada", fail_twice)
    annotator.press("j", "Enter", "Enter", "0")
    annotator.sees("#save-state", "3 actions not saved yet, retrying")
    assert message in annotator.text("#save-state").lower()
    annotator.saved()
    assert len(failed) == 2
    assert not annotator.page.locator(".problem-button").is_visible()
    assert set(site.labels("Ada")) == {0, 1, 2}


def test_what_the_server_never_takes_is_not_called_saved(site, labelling):
    annotator = labelling("Ada")
    error = {"error": {"code": "internal", "message": "internal error"}}

    def fail_on_the_first(route):
        if route.request.method == "POST" and route.request.post_data_json["comment"] == 0:
            return route.fulfill(status=500, json=error)
        return route.continue_()

    annotator.page.route("**/labels/Ada", fail_on_the_first)
    annotator.press("j", "Enter", "Enter", "0")
    annotator.sees(".problem-button", "1 line to check")
    annotator.sees("#save-state", "Not saved: 1 line")
    assert set(site.labels("Ada")) == {1, 2}  # it does not hold up the others
    annotator.page.unroute("**/labels/Ada")
    annotator.page.locator(".problem-button").click()
    annotator.press("0")
    annotator.saved()
    assert set(site.labels("Ada")) == {0, 1, 2}


def test_gold_out_and_in(site, labelling, tmp_path):
    annotator = labelling("Ada")
    annotator.press("j", "Enter", "Enter")
    annotator.saved()
    annotator.page.locator("#files").click()
    with annotator.page.expect_download() as waiting:
        annotator.page.get_by_text("Export the labels of").click()
    waiting.value.save_as(tmp_path / "gold.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "gold.jsonl").read_text().splitlines()]
    assert [line["id"] for line in lines] == [0, 1]
    annotator.page.locator("#gold-folder").click()
    annotator.until("parseInt(document.getElementById('far').textContent) > 2")
    annotator.saved()
    many = len(site.labels("Ada"))
    assert many > 20
    annotator.press("z")  # an import is one step
    annotator.sees("#far", "2 of 126")

    annotator.page.locator("#files").click()
    broken = tmp_path / "broken.jsonl"
    broken.write_text('{"id": 0, "events": []}\n{oh')
    annotator.page.set_input_files("dialog input[type=file]", broken)
    annotator.page.get_by_text("Import the file").click()
    annotator.sees("#save-state", "Line 2")
    assert annotator.text("#far") == "2 of 126"


def test_words_are_chosen_with_the_mouse_and_with_the_keyboard(site, visiting):
    visitor = visiting(site.match)
    visitor.sees("h1", "Harrowmere City")
    visitor.press("j", "Enter")
    visitor.page.keyboard.type("Ada")
    visitor.press("Enter")
    visitor.sees("#far", "0 of 126")
    place = next(place for place in range(20) if site.linked[place])
    visitor.press(*["j"] * place)
    assert visitor.selected == f"c{place}"
    quote = visitor.page.locator("#detail .quote")
    text = quote.inner_text()
    visitor.press("s")  # nothing is selected yet
    visitor.sees("#detail .problem", "Select the words")
    visitor.press("]", "]", "s")  # the first two words
    visitor.sees("#save-state", "All saved")
    event = site.linked[place][0]
    two = text.index(" ", text.index(" ") + 1)
    assert site.labels("Ada")[place]["segments"] == {event: [[0, two]]}
    assert visitor.page.locator("#detail mark").all_inner_texts() == [text[:two]]
    visitor.press("}", "}", "}", "]", "s")  # the third and the fourth
    visitor.sees("#save-state", "All saved")
    words = text.split()
    start = len(" ".join(words[:2])) + 1
    span = [start, start + len(" ".join(words[2:4]))]
    assert site.labels("Ada")[place]["segments"] == {event: [span]}
    visitor.press("z")
    visitor.sees("#detail mark", text[:two])
    box = quote.bounding_box()
    visitor.page.mouse.move(box["x"] + 20, box["y"] + box["height"] - 12)
    visitor.page.mouse.down()
    visitor.page.mouse.move(box["x"] + 120, box["y"] + box["height"] - 12, steps=4)
    visitor.page.mouse.up()
    visitor.page.locator("button[name=words]").click()
    visitor.sees("#save-state", "All saved")
    (dragged,) = site.labels("Ada")[place]["segments"][event]
    assert dragged[0] > two
    assert text[dragged[0] : dragged[1]] == visitor.page.locator("#detail mark").inner_text()
    visitor.press("S")  # back to the words that the machine found
    visitor.sees("#save-state", "All saved")
    assert site.labels("Ada")[place]["segments"] == {}
