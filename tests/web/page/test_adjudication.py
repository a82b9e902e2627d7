"""Annotators, their disagreements and the guide, in a real browser."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.browser
DOCUMENT = Path(__file__).parents[3] / "docs" / "labelling.md"


@pytest.fixture
def lines(site):
    """Two lines on which Ada and Bo disagree."""
    found = [place for place, links in enumerate(site.linked) if len(links) == 2][:2]
    for place in found:
        site.label("Ada", place, action="accept")
        site.label("Bo", place, action="none")
    return found


def deciding(labelling, *size, **more):
    dee = labelling("Dee", *size, **more)
    dee.page.locator("#agreement").click()
    dee.page.locator("#adjudicate").click()
    dee.sees(".adjudication-head", "0 decided")
    return dee


def test_disagreements_are_decided_by_keyboard(site, labelling, lines):
    first, second = lines
    dee = deciding(labelling)
    assert dee.page.locator(".answer h3").all_inner_texts() == ["Ada", "Bo"]
    assert dee.page.locator(".answer").nth(0).locator("li").count() == 2
    assert "No event" in dee.page.locator(".answer").nth(1).inner_text()
    dee.press("1")
    dee.sees(".adjudication-head", "Line 2 of 2, 1 decided")
    decided = site.labels("gold")[first]
    assert (decided["events"], decided["by"]) == (site.linked[first], "Dee")
    dee.press("2", "k")
    dee.sees(".adjudication-head", "Line 1 of 2, 2 decided")
    assert site.labels("gold")[second]["none"]
    assert dee.page.locator(".answer.chosen h3").inner_text() == "Ada"
    dee.press("x")
    dee.sees(".verdict-line", "No decision")
    assert first not in site.labels("gold")


def test_an_event_that_the_log_no_longer_has(labelling, lines):
    def without_event(route):
        found = route.fetch().json()
        found["disagreements"][0]["answers"][0]["events"] = ["gone"]
        route.fulfill(json=found)

    dee = labelling("Dee")
    dee.page.route("**/disagreements", without_event)
    dee.page.locator("#agreement").click()
    dee.page.locator("#adjudicate").click()
    dee.sees(".answer", "an event that is no longer in the log")


def test_another_answer_is_made_of_any_events(site, labelling, lines):
    dee = deciding(labelling)
    dee.press("a", "Space", "Enter")  # the first event near the line
    dee.sees(".adjudication-head", "1 decided")
    (label,) = site.labels("gold").values()
    assert len(label["events"]) == 1
    dee.press("k")
    dee.sees(".verdict-line", "Decided by Dee: ")


def test_a_disagreement_leads_to_its_line_where_the_decision_is_seen(site, labelling, lines):
    dee = deciding(labelling)
    dee.press("2", "k", "o")
    dee.until(f"document.querySelector('[aria-selected=true]')?.id === 'c{lines[0]}'")
    dee.press("Enter")  # one's own label first
    dee.press("k")
    dee.sees("#detail .others", "Decided by Dee: no event")
    dee.page.select_option("#status", "adjudicated")
    dee.sees("#show-feed", "1 of 126")


def test_progress_of_each_annotator(site, labelling, lines):
    site.label("Bo", 0, action="none")
    site.label("Bo", 0, action="unsure", value=True)
    dee = labelling("Dee")
    dee.page.locator("#agreement").click()
    dee.sees(".progress-list", "Ada2 of 126 lines")
    dee.sees(".progress-list", "3 of 126 lines, 1 unsure")


def test_a_line_of_the_agreement_has_text_and_both_answers(site, labelling, lines):
    dee = labelling("Dee")
    dee.page.locator("#agreement").click()
    shown = dee.page.locator(".differences button").first
    shown.wait_for()
    (match,) = site.get("/matches/harrowmere-castlebrook/page")["matches"]
    assert match["comments"][lines[0]]["text"][:40] in shown.inner_text()
    assert "Bo: no event" in shown.inner_text()


def test_the_agreement_is_of_the_annotators_chosen_last(labelling, lines):
    """Also if the answer about those chosen before is the last to arrive."""
    dee = labelling("Dee")
    held, answered = [], []

    def slow_at_first(route):
        if held or answered:
            route.continue_()
        else:
            held.append(route)

    dee.page.route("**/agreement?*", slow_at_first)
    dee.page.on("response", lambda r: "/agreement?" in r.url and answered.append(r.url))
    dee.page.locator("#agreement").click()
    dee.page.select_option("dialog select >> nth=1", "Ada")
    wait_while(dee, lambda: not held)
    dee.page.wait_for_timeout(200)  # in which another request could be answered
    held[0].continue_()
    wait_while(dee, lambda: len(answered) < 2)
    dee.sees("dialog .figures", "4 by Ada, 4 by Ada")


def wait_while(visitor, condition) -> None:
    for _ in range(500):
        if not condition():
            return
        visitor.page.wait_for_timeout(20)
    raise AssertionError("waited in vain")


def test_the_guide_has_the_rules_of_the_document(labelling):
    """Nothing is taught in one place and not in the other."""
    dee = labelling("Dee")
    dee.press("G")
    dee.sees("dialog", "What to label")
    section = DOCUMENT.read_text(encoding="utf-8").split("## What to label")[1].split("\n## ")[0]
    rules = [
        " ".join(one.split()) for one in re.findall(r"^- (.*?)(?=^- |^$)", section, re.M | re.S)
    ]
    shown = [
        " ".join(html.unescape(text).split())
        for text in dee.page.locator(".guide dd").all_inner_texts()
    ]
    assert shown == rules
    assert len(rules) == 8
