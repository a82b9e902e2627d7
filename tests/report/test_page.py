"""The report in a real browser: what a reader does, on small and large screens; who may not in."""

from __future__ import annotations

from itertools import pairwise

import msgspec
import pytest

from tests.report.conftest import HOSTILE, ORIGIN
from touchline import Links, align, write_links
from touchline.core.display import plain_line
from touchline.core.links import Phase

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def sample_page(sample, tmp_path_factory):
    """The report of both bundled matches."""
    path = tmp_path_factory.mktemp("report") / "match.html"
    write_links([align(one.match, method="named-nearest") for one in sample], path, ORIGIN)
    return path


@pytest.fixture
def small_page(links, explain, tmp_path):
    path = tmp_path / "small.html"
    write_links(links, path, ORIGIN, explain)
    return path


WRITTEN_OUT = "document.querySelectorAll('#paper > ol > li').length"


@pytest.fixture
def reading(visiting):
    """Opens reports."""
    return lambda path, *size, **more: visiting(path.as_uri(), *size, **more)


def test_it_opens_with_every_comment_in_reach(reading, sample_page, sample):
    reader = reading(sample_page)
    assert reader.text("h1") == " – ".join(team.name for team in sample[0].match.teams)
    assert reader.text("#show-feed") == f"Commentary {len(sample[0].match.comments)}"
    rows = reader.page.locator("#feed [role=option]")
    assert 3 < rows.count() < len(sample[0].match.comments)  # only those in sight exist
    reader.page.locator("#feed").focus()
    reader.press("End")
    assert reader.selected == f"c{len(sample[0].match.comments) - 1}"
    assert sample[0].match.comments[-1].text in reader.text("#detail")


def test_another_match_of_the_report(reading, sample_page, sample):
    reader = reading(sample_page)
    reader.press("j")
    reader.page.select_option("#match", "1")
    assert reader.text("h1") == " – ".join(team.name for team in sample[1].match.teams)
    assert reader.selected is None


def test_a_comment_shows_its_events_its_words_and_its_doubts(reading, small_page):
    reader = reading(small_page)
    reader.page.locator("#c0").click()
    detail = reader.page.locator("#detail")
    names = [text.split("\n")[0] for text in detail.locator(".events .what").all_inner_texts()]
    also = "Goal Keeper Cyril van der Meer"
    assert names == ["Pass Ann Archer → Bo Reis", "Shot (Saved) Bo Reis", also]
    assert detail.locator("mark.tint0").all_inner_texts() == ["Archer", "finds"]
    assert detail.locator("mark.tint1").all_inner_texts() == ["Reis", "shoots"]
    assert "Probability of no event" in detail.locator(".no-event").inner_text()
    assert "0.61 → 0.93" in detail.inner_text()
    assert (
        detail.locator("svg.pitch").get_attribute("aria-label").startswith("On the pitch: 1. Pass")
    )
    assert detail.locator(".pitch .disc text").all_text_contents() == ["2"]  # the pass has no place
    assert reader.page.locator(".strip .chosen .link").count() == 2


def test_an_event_shows_its_comments_and_leads_back(reading, small_page):
    reader = reading(small_page)
    reader.press("e", "j")
    assert reader.selected == "e0"
    assert "Described by" in reader.text("#detail")
    reader.page.locator("#detail .pick.line").click()
    reader.page.locator("#show-feed").click()
    assert reader.selected == "c0"
    reader.press("e", "j", "j", "j", "j")
    assert "No comment describes it" in reader.text("#detail")


def test_filters_narrow_both_lists(reading, small_page):
    reader = reading(small_page)
    shown = lambda: reader.page.locator("#feed .text").all_inner_texts()  # noqa: E731
    reader.page.select_option("#status", "linked")
    assert shown() == ["Archer finds Reis, who shoots.", "Foul by Archer!"]
    reader.page.select_option("#status", "none")
    assert shown() == ["It is raining.", "(no text)"]
    reader.page.select_option("#status", "unsure")
    assert shown() == ["Foul by Archer!", "(no text)"]
    reader.page.locator("#clear").click()
    reader.page.select_option("#player", label="Bo Reis")
    assert shown() == ["Archer finds Reis, who shoots."]
    assert reader.text("#show-log") == "Match log 2 of 5"
    reader.page.select_option("#kind", label="Foul Committed")
    assert shown() == []
    reader.page.locator("#clear").click()
    assert len(shown()) == 4
    assert not reader.page.locator("#clear").is_visible()


def test_search_ignores_case_and_accents(reading, sample_page, sample):
    reader = reading(sample_page)
    comments = sample[0].match.comments
    reader.page.fill("#search", "ŽAGOREC")
    found = sum("Žagorec" in comment.text for comment in comments)
    assert found > 1
    assert reader.text("#show-feed") == f"Commentary {found} of {len(comments)}"
    reader.page.fill("#search", "zagorec")
    assert reader.text("#show-feed") == f"Commentary {found} of {len(comments)}"
    assert reader.page.locator("#announcement").text_content().startswith(f"{found} comments")


def test_the_keyboard(reading, sample_page):
    reader = reading(sample_page)
    reader.press("j", "j", "j", "k")
    assert reader.selected == "c1"
    reader.press("/")
    assert reader.page.evaluate("document.activeElement.id") == "search"
    reader.page.keyboard.type("jk?")
    assert reader.page.input_value("#search") == "jk?"
    assert reader.selected in ("c1", None)
    reader.press("Escape", "Escape", "Escape")
    assert reader.page.input_value("#search") == ""
    reader.press("?")
    assert reader.page.locator("#help").is_visible()
    reader.press("Escape")
    assert not reader.page.locator("#help").is_visible()
    reader.press("c", "PageDown", "ArrowUp")
    assert reader.page.locator("#feed").get_attribute("aria-activedescendant") == reader.selected


def test_the_timeline_selects_and_corrects_the_clock(reading, small_page):
    reader = reading(small_page)
    ticks = lambda: reader.page.locator(".strip .tick.linked").get_attribute("d")  # noqa: E731
    written = ticks()
    reader.page.check("#corrected")
    assert ticks() != written
    x, y = map(float, ticks()[1:].split("v")[0].split())
    box = reader.page.locator(".strip").bounding_box()
    reader.page.mouse.click(box["x"] + x + 2, box["y"] + y + 4)
    assert reader.selected == "c0"


@pytest.mark.parametrize(("width", "height"), [(360, 640), (768, 1024), (1280, 800), (1920, 1080)])
def test_it_fits_the_screen(reading, sample_page, width, height):
    reader = reading(sample_page, width, height)
    reader.press(*"jjj")
    fits = "document.documentElement.scrollWidth <= innerWidth"
    assert reader.page.evaluate(fits)
    assert reader.page.locator("#detail").is_visible()
    assert reader.page.locator("#log").is_visible() == (width >= 1500)


def test_it_follows_a_change_of_size(reading, sample_page):
    reader = reading(sample_page, 1280, 800)
    before = reader.page.locator(".strip").first.bounding_box()["width"]
    reader.page.set_viewport_size({"width": 400, "height": 800})
    reader.until("document.querySelector('.strip').clientWidth < 300")
    assert before > 300
    rows = reader.page.locator("#feed [role=option]")
    boxes = sorted((rows.nth(i).bounding_box() for i in range(4)), key=lambda box: box["y"])
    for above, below in pairwise(boxes):  # rows were measured anew
        assert above["y"] + above["height"] == pytest.approx(below["y"], abs=1)


def test_dark_and_light(reading, small_page):
    ground = "getComputedStyle(document.body).backgroundColor"
    light = reading(small_page, color_scheme="light")
    dark = reading(small_page, color_scheme="dark")
    assert light.page.evaluate(ground) != dark.page.evaluate(ground)
    dark.page.locator("#theme").click()
    assert light.page.evaluate(ground) == dark.page.evaluate(ground)


def test_paper_shows_all_comments(reading, sample_page, sample):
    reader = reading(sample_page)
    reader.page.emulate_media(media="print")
    printed = reader.page.locator("#paper > ol > li")
    reader.until(f"{WRITTEN_OUT} === {len(sample[0].match.comments)}")
    assert printed.last.is_visible()
    assert not reader.page.locator("#feed").is_visible()
    reader.page.emulate_media(media="screen")
    reader.until(f"{WRITTEN_OUT} === 0")


def test_script_in_texts_is_shown_and_not_run(reading, links, tmp_path):
    def hostile(record, *fields):
        return msgspec.structs.replace(record, **dict.fromkeys(fields, HOSTILE))

    match = links.match.with_comments([hostile(c, "text", "clock") for c in links.match.comments])
    events = []
    for event in match.events:
        player = hostile(event.player, "name", "nickname")
        facts = {HOSTILE: HOSTILE}
        changed = msgspec.structs.replace(hostile(event, "type"), player=player, arguments=facts)
        events.append(changed)
    teams = tuple(hostile(team, "name") for team in match.teams)
    match = msgspec.structs.replace(match, events=tuple(events), teams=teams)
    path = tmp_path / "hostile.html"
    write_links(Links(match, links), path, ORIGIN)
    reader = reading(path)
    reader.press("j")
    assert reader.page.locator("#detail blockquote").text_content() == HOSTILE
    reader.press("e", "j")
    assert reader.page.locator("img").count() == 0
    assert "hacked" not in reader.page.title().replace(plain_line(HOSTILE), "")
    assert reader.page.evaluate("refused") == []


def test_whatever_would_go_outside_is_refused(reading, small_page):
    reader = reading(small_page)
    reader.refuses_what_is_outside()


@pytest.mark.parametrize(("width", "scheme"), [(360, "light"), (1280, "dark"), (1920, "light")])
def test_axe_finds_nothing(reading, small_page, width, scheme):
    reader = reading(small_page, width, 800, color_scheme=scheme, bypass_csp=True)
    for keys in ([], ["j"], ["e", "j"], ["?"]):
        reader.press(*keys)
        assert reader.violations() == []


@pytest.fixture
def phase_page(links, tmp_path):
    """A report with a phase of each team, the second one of a comment without events."""
    placed = (
        msgspec.structs.replace(event, location=(50.0, 40.0), end_location=(90.0, 30.0))
        for event in links.match.events
    )
    match = msgspec.structs.replace(links.match, events=tuple(placed))
    events = {event.team.name: event for event in match.linkable if event.team}
    phases = [
        Phase(
            team=team, span=(event.time, event.time + 30), events=(event.id,), score=0.6, kind=kind
        )
        for (team, event), kind in zip(events.items(), ("counter", "build-up"), strict=True)
    ]
    answers = [msgspec.structs.replace(answer, phase=phase)
               for answer, phase in zip(links, [*phases, None, None], strict=True)]  # fmt: skip
    path = tmp_path / "phases.html"
    write_links(Links(match, answers), path, ORIGIN)
    return path


def test_phases_are_bands_arrows_and_found_by_team_and_kind(reading, phase_page):
    reader = reading(phase_page)
    bands = [band.get_attribute("class") for band in reader.page.locator(".strip .band").all()]
    assert sorted(bands) == ["band team0", "band team1"]
    reader.page.locator("#c1").click()
    assert "build-up" in reader.text("#detail .phase")
    assert reader.page.locator("#detail .pitch .run").count() > 0
    assert "a phase of 1 events" in reader.page.locator("#detail .pitch").get_attribute(
        "aria-label"
    )
    assert reader.page.locator(".strip .chosen .band").count() == 1
    for words, found in (("phase:counter", 1), ("phase:", 2), ("phase:nothing", 0), ("counter", 0)):
        reader.page.fill("#search", words)
        assert reader.text("#show-feed") == f"Commentary {found} of 4"
    reader.page.fill("#search", "")
    reader.page.select_option("#status", "phase")
    assert reader.text("#show-feed") == "Commentary 2 of 4"
