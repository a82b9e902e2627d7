"""What `check` found, in the data of the page and beside its lines in a real browser."""

from __future__ import annotations

import msgspec
import pytest

from tests.report.conftest import ORIGIN
from touchline import UsageError, write_links
from touchline.generation.findings import Finding
from touchline.report.data import report

WRONG = Finding(comment=0, kind="name", severity="error", words=((0, 6),), text="Archer",
                says="Ann Archer", log="Bo Reis fits better", events=("e0",),
                probability=0.9712)  # fmt: skip
DOUBT = Finding(comment=1, kind="no-event", severity="warning", words=((0, 14),),
                text="It is raining.", says="rain", log="the log has nothing of the kind",
                probability=0.75)  # fmt: skip


def test_findings_are_beside_their_comments(links):
    (match,) = report([links], ORIGIN, findings=[WRONG, DOUBT]).matches
    assert match.checked
    first, second, *rest = match.comments
    (finding,) = first.findings
    assert (finding.words, finding.events, finding.probability) == (((0, 6),), (0,), 0.971)
    assert [one.severity for one in second.findings] == ["warning"]
    assert all(not one.findings for one in rest)


def test_places_are_counted_as_browsers_count(links):
    comment = msgspec.structs.replace(links.match.comments[0], text="🏟️ Archer shoots")
    links.match = links.match.with_comments([comment, *links.match.comments[1:]])
    found = msgspec.structs.replace(WRONG, words=((3, 9),))
    (match,) = report([links], ORIGIN, findings=[found]).matches
    assert match.comments[0].findings[0].words == ((4, 10),)


def test_without_a_check_nothing_is_said(links):
    (match,) = report([links], ORIGIN).matches
    assert not match.checked


def test_findings_of_one_match_only(links):
    with pytest.raises(UsageError, match="one match"):
        report([links, links], ORIGIN, findings=[WRONG])


@pytest.fixture
def checked(links, explain, tmp_path, visiting):
    path = tmp_path / "checked.html"
    write_links(links, path, ORIGIN, explain, findings=[WRONG, DOUBT])
    return lambda *size, **more: visiting(path.as_uri(), *size, **more)


@pytest.mark.browser
def test_errors_and_warnings_stand_beside_the_lines(checked):
    reader = checked()
    assert reader.page.locator("#c0 .finding.error").inner_text().endswith("Bo Reis fits better")
    assert reader.page.locator("#c1 .finding.warning .flag").get_attribute("aria-label") == (
        "warning"
    )
    assert "1 error, 1 warning" in reader.text("#detail")
    reader.page.locator("#c0").click()
    detail = reader.page.locator("#detail")
    assert detail.locator("mark.questioned.error").all_inner_texts() == ["Archer"]
    assert detail.locator("mark.questioned.tint0").count() == 1  # it still describes its event
    said = detail.locator(".finding-item").inner_text()
    assert "“Archer”: Ann Archer" in said
    assert "Bo Reis fits better" in said
    assert "0.97" in said
    detail.locator(".finding-event").click()
    assert "Described by" in reader.text("#detail")
    assert reader.text("#detail .quote") == "Pass Ann Archer → Bo Reis"
    reader.page.select_option("#status", "questioned")
    assert reader.text("#show-feed") == "Commentary 2 of 4"


@pytest.mark.browser
def test_a_page_without_a_check_offers_no_such_filter(links, tmp_path, visiting):
    write_links(links, tmp_path / "plain.html", ORIGIN)
    reader = visiting((tmp_path / "plain.html").as_uri())
    assert reader.page.locator("#questioned").get_attribute("hidden") is not None


@pytest.mark.browser
def test_axe_finds_nothing(checked):
    reader = checked(bypass_csp=True)
    assert reader.flaws() == []
    reader.press("j")
    assert reader.flaws() == []
