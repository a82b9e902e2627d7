"""The match page as a reader sees it first: scoreboard, legend, overview, colours."""

from __future__ import annotations

import re

import msgspec
import pytest

from tests.report.conftest import ORIGIN
from touchline import Links, align, write_links
from touchline.core.links import Phase
from touchline.report.document import asset

FAR = 0.1  # in OKLab; two colours this far apart are not taken for each other


@pytest.fixture
def reading(visiting):
    return lambda path, *size, **more: visiting(path.as_uri(), *size, **more)


@pytest.fixture(scope="module")
def page(sample, tmp_path_factory):
    """A bundled match with a date, and a phase of its first comment."""
    match = msgspec.structs.replace(sample[0].match, date="2015-08-24")
    events = tuple(event.id for event in match.linkable[2:6])
    phase = Phase(
        team=match.teams[0].name, events=events, span=(10.0, 40.0), score=0.9, kind="attack"
    )
    first, *rest = align(match, method="named-nearest")
    links = Links(match, [msgspec.structs.replace(first, phase=phase), *rest])
    path = tmp_path_factory.mktemp("match") / "match.html"
    write_links(links, path, ORIGIN)
    return path


@pytest.mark.browser
def test_the_scoreboard_has_date_halves_scorers_and_cards(reading, page):
    shown = reading(page).text("#scoreboard")
    for text in ("24 August 2015", "half-time 1 – 0", "Çağrı Demirsoy 23'", "Femi Adeyinka 14'"):
        assert text in shown


@pytest.mark.browser
def test_the_corrected_clock_is_explained(reading, page):
    reader = reading(page)
    assert reader.page.locator(".explained").inner_text() == ""
    reader.page.locator("#corrected").check()
    assert "at the time that the log gives for the action" in reader.text(".explained")
    assert re.search(
        r"The median line is (\d+ s (later|earlier)|on time)", reader.text(".explained")
    )


@pytest.mark.browser
def test_no_minute_stands_twice(reading, page):
    marks = reading(page).page.locator(".strip .minute").all_text_contents()
    assert len(marks) == len(set(marks))
    assert "2nd half" in marks


@pytest.mark.browser
def test_the_overview_has_moments_phases_and_players(reading, page):
    reader = reading(page)
    titles = reader.page.locator("#detail h3").all_inner_texts()
    assert [title.strip() for title in titles] == ["Key moments", "Phases", "Most described"]
    reader.page.locator("#detail .spell").click()
    assert reader.selected == "c0"


@pytest.mark.browser
def test_the_overview_on_a_phone(reading, page):
    reader = reading(page, 390, 844)
    assert not reader.page.locator("#detail").is_visible()
    reader.page.locator("#show-glance").click()
    assert "Key moments" in reader.text("#detail")
    reader.page.locator(".moment.pick").first.click()
    assert "Femi Adeyinka" in reader.text("#detail")
    reader.page.get_by_role("button", name="Close").click()
    assert "Key moments" in reader.text("#detail")
    reader.page.locator("#show-feed").click()
    assert reader.page.locator("#feed").is_visible()


@pytest.mark.browser
@pytest.mark.parametrize(
    ("width", "scheme"), [(390, "light"), (390, "dark"), (1440, "light"), (1440, "dark")]
)
def test_axe_finds_nothing(reading, page, width, scheme):
    reader = reading(page, width, 844, color_scheme=scheme, bypass_csp=True)
    reader.page.locator("#corrected").check()
    if width < 900:
        reader.page.locator("#show-glance").click()
    assert reader.violations() == []
    reader.press("?")
    assert reader.violations() == []


def colours(name: str, scheme: int) -> list[tuple[float, float, float]]:
    found = re.findall(rf"--{name}: light-dark\((#\w+), (#\w+)\)", asset("style.css"))
    return [oklab(pair[scheme]) for pair in found]


def oklab(code: str) -> tuple[float, float, float]:
    """Björn Ottosson's OKLab, in which distances are as people see them."""
    parts = [int(code[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    r, g, b = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    l_, m, s = (
        (x * r + y * g + z * b) ** (1 / 3)
        for x, y, z in (
            (0.4122214708, 0.5363325363, 0.0514459929),
            (0.2119034982, 0.6806995451, 0.1073969566),
            (0.0883024619, 0.2817188376, 0.6299787005),
        )
    )
    return (
        0.2104542553 * l_ + 0.7936177850 * m - 0.0040720468 * s,
        1.9779984951 * l_ - 2.4285922050 * m + 0.4505937099 * s,
        0.0259040371 * l_ + 0.7827717662 * m - 0.8086757660 * s,
    )


@pytest.mark.parametrize("scheme", [0, 1])
def test_no_tint_of_words_is_near_the_colour_of_a_team(scheme):
    teams, tints = colours("(?:home|away)", scheme), colours(r"tint\d", scheme)
    assert (len(teams), len(tints)) == (2, 6)
    for team in teams:
        for tint in tints:
            assert sum((a - b) ** 2 for a, b in zip(team, tint, strict=True)) ** 0.5 > FAR
