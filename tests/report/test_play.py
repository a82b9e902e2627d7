"""Scoreboard, key moments and playing the match, in a real browser."""

from __future__ import annotations

import av
import msgspec
import numpy as np
import pytest

from tests.report.conftest import ORIGIN
from tests.speaking import write_wave
from touchline import align, write_links
from touchline.io.commentary import with_commentary

pytestmark = pytest.mark.browser

FAST = "document.querySelector('.play select')"
HEAD = "document.querySelector('.playhead[d]') !== null"


@pytest.fixture(scope="module")
def page(sample, tmp_path_factory):
    path = tmp_path_factory.mktemp("play") / "match.html"
    write_links([align(one.match, method="named-nearest") for one in sample], path, ORIGIN)
    return path


@pytest.fixture
def reading(visiting):
    return lambda path, *size, **more: visiting(path.as_uri(), *size, **more)


def selected(reader):
    return reader.page.evaluate("document.querySelector('[aria-selected=true]')?.id ?? ''")


def test_the_head_shows_the_result_and_the_scorers(reading, page):
    reader = reading(page)
    assert reader.text(".scoreboard .score") == "2 – 1"
    assert "Haruto Mizunoe 79' (pen.)" in reader.text(".scoreboard")
    assert "half-time 1 – 0" in reader.text(".scoreboard")
    assert reader.page.locator(".strip .moment.goal").count() == 3
    reader.page.get_by_role("button", name="79', goal of Haruto Mizunoe").click()
    assert "Mizunoe" in reader.text("#detail")


def test_key_moments_lead_to_their_lines(reading, page):
    reader = reading(page)
    assert "Key moments" in reader.text("#detail")
    assert "Most described" in reader.text("#detail")
    reader.page.locator(".moment.pick").nth(1).click()
    assert "GOOOOAL" in reader.text("#detail .quote")


def test_space_plays_line_after_line_and_pauses(reading, page):
    reader = reading(page)
    reader.press(".", ".", ".")
    assert reader.page.evaluate(f"{FAST}.value") == "8"
    reader.press("Space")
    reader.until(HEAD)
    reader.until("document.body.classList.contains('is-playing')")
    reader.until("Number(document.querySelector('[aria-selected=true]').id.slice(1)) >= 2")
    reader.press("Space")
    here = selected(reader)
    reader.page.wait_for_timeout(900)
    assert selected(reader) == here
    reader.press("Space")  # on from here
    reader.until(f"document.querySelector('[aria-selected=true]').id !== '{here}'")
    assert int(selected(reader)[1:]) > int(here[1:])


def test_picking_a_line_pauses(reading, page):
    reader = reading(page)
    reader.press("Space")
    reader.until("document.body.classList.contains('is-playing')")
    reader.page.locator("#feed [role=option]").nth(3).click()
    assert not reader.page.evaluate("document.body.classList.contains('is-playing')")


def test_the_ball_moves_over_the_pitch(reading, page):
    reader = reading(page)
    reader.press(">", "Space")
    reader.until("document.querySelector('.pitch .ball') !== null")
    at = "document.querySelector('.pitch .ball').getAttribute('cx')"
    before = reader.page.evaluate(at)
    reader.until(f"{at} !== '{before}'")


def test_goals_are_a_key_away(reading, page):
    reader = reading(page)
    quotes = []
    for key in (">", ">", ">", ">", "<", "<"):
        reader.press(key)
        quotes.append(selected(reader))
    first, second, third, still, back, again = quotes
    assert len({first, second, third}) == 3
    assert (still, back, again) == (third, second, first)


def test_reduced_motion_moves_nothing_between_lines(reading, page):
    reader = reading(page, reduced_motion="reduce")
    reader.press(">", "Space")
    reader.until(HEAD)
    reader.page.wait_for_timeout(300)
    assert reader.page.locator(".pitch .ball").count() == 0


def test_the_filter_says_what_is_played(reading, page):
    reader = reading(page)
    reader.page.fill("#search", "penalty")
    ids = reader.page.evaluate(
        "[...document.querySelectorAll('#feed [role=option]')].map((r) => r.id)"
    )
    reader.page.locator("#feed").focus()
    reader.press(".", ".", ".", "Space")
    reader.until("document.body.classList.contains('is-playing')")
    assert selected(reader) in ids
    reader.until("!document.body.classList.contains('is-playing')")
    assert selected(reader) in ids


@pytest.fixture
def recorded(sample, record, tmp_path):
    """A report on speech, and a recording of its first minutes."""
    match = sample[0].match
    path = record(tmp_path / "tv.srt", match.comments, {1: 5.0, 2: 4000.0})
    heard = with_commentary(match.with_comments(()), path, kickoffs={1: 5.0, 2: 4000.0})
    write_links(align(heard, method="named-nearest"), tmp_path / "tv.html", ORIGIN)
    sound = np.random.default_rng(0).integers(-300, 300, 8000 * 120)
    return tmp_path / "tv.html", write_wave(tmp_path / "tv.wav", sound, rate=8000)


def test_a_recording_keeps_step_and_stays_here(reading, recorded):
    path, sound = recorded
    reader = reading(path)
    reader.page.set_input_files("#recording", sound)
    reader.until("document.querySelector('.recording audio')?.readyState > 0")
    reader.page.evaluate("document.querySelector('.recording audio').currentTime = 47")
    reader.until("document.querySelector('[aria-selected=true]')?.id === 'c1'")  # said at 41 + 5
    reader.page.evaluate("document.querySelector('.recording audio').currentTime = 87")
    reader.until("document.querySelector('[aria-selected=true]')?.id === 'c2'")
    reader.press("Space")
    reader.until("!document.querySelector('.recording audio').paused")
    reader.press("Space")
    reader.until("document.querySelector('.recording audio').paused")
    reader.page.get_by_role("button", name="Close the recording").click()
    assert reader.page.locator(".recording audio").count() == 0


LINE = "document.querySelector('[aria-selected=true]')?.id"
AUDIO = "document.querySelector('.recording audio')"


@pytest.fixture
def cut(sample, tmp_path):
    """A report whose recording starts late and leaves out ten minutes of the first half."""
    comments = [
        msgspec.structs.replace(c, start=start, end=start, kickoff=2.0 if start < 60 else 2.0 - 600)
        for c, start in zip(sample[0].match.comments, [1, 4, 7, 610, 613, 616], strict=False)
    ]
    match = sample[0].match.with_comments(comments)
    write_links(align(match, method="named-nearest"), tmp_path / "cut.html", ORIGIN)
    sound = np.random.default_rng(0).integers(-300, 300, 8000 * 30)
    return tmp_path / "cut.html", write_wave(tmp_path / "cut.wav", sound, rate=8000)


def test_a_recording_is_followed_across_cuts(reading, cut):
    reader = reading(cut[0])
    reader.page.set_input_files("#recording", cut[1])
    reader.until(f"{AUDIO}?.readyState > 0")
    reader.press(".", ".", "Space")  # 4 times as fast: lines at 3, 6, 9, then 12, 15, 18 seconds
    for line in ("c2", "c3", "c4"):  # 9 s of the half, then 610 s: 3 s later in the recording
        reader.until(f"{LINE} === '{line}'")
    assert reader.page.evaluate(f"{AUDIO}.currentTime") < 19
    assert reader.page.evaluate(f"{AUDIO}.playbackRate") == 4
    reader.press("Space")


def test_playing_with_a_recording_starts_at_the_chosen_line(reading, cut):
    reader = reading(cut[0])
    reader.page.set_input_files("#recording", cut[1])
    reader.until(f"{AUDIO}?.readyState > 0")
    reader.page.locator("#c4").click()
    reader.press("Space")
    reader.until(f"{AUDIO}.currentTime >= 15")  # 613 - 598
    assert reader.page.evaluate(LINE) in ("c4", "c5")
    reader.press("Space")


def test_a_recording_with_reduced_motion_moves_nothing_between_lines(reading, cut):
    reader = reading(cut[0], reduced_motion="reduce")
    reader.page.set_input_files("#recording", cut[1])
    reader.until(f"{AUDIO}?.readyState > 0")
    reader.press("j", "j", "Space")
    reader.until(f"{AUDIO}.currentTime > 6.5")
    assert reader.page.locator(".pitch .ball").count() == 0
    reader.press("Space")


def test_a_video_is_shown_beside_the_match(reading, cut, tmp_path):
    film = tmp_path / "film.webm"
    with av.open(film, "w") as out:
        stream = out.add_stream("libvpx", rate=1)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        for _ in range(20):
            picture = av.VideoFrame.from_ndarray(np.zeros((48, 64, 3), np.uint8), format="rgb24")
            out.mux(stream.encode(picture))
        out.mux(stream.encode())
    reader = reading(cut[0])
    reader.page.set_input_files("#recording", film)
    reader.until("document.querySelector('.recording video')?.readyState > 0")
    reader.page.evaluate("document.querySelector('.recording video').currentTime = 12.5")
    reader.until(f"{LINE} === 'c3'")


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1440, "light")])
def test_axe_finds_nothing_while_a_recording_plays(reading, cut, width, scheme):
    reader = reading(cut[0], width, 844, color_scheme=scheme, bypass_csp=True)
    reader.page.set_input_files("#recording", cut[1])
    reader.until(f"{AUDIO}?.readyState > 0")
    reader.press("Space")
    assert reader.violations() == []


def test_what_cannot_be_played_is_said(reading, recorded, tmp_path):
    (tmp_path / "notes.mp3").write_text("not sound")
    reader = reading(recorded[0])
    reader.page.set_input_files("#recording", tmp_path / "notes.mp3")
    reader.sees(".play .clock", "notes.mp3 cannot be played")


def test_a_report_on_a_live_page_asks_for_no_recording(reading, page):
    reader = reading(page)
    button = "Play with the recording, an audio or video file on this computer"
    assert reader.page.get_by_role("button", name=button).count() == 0


@pytest.mark.parametrize(("width", "scheme"), [(360, "dark"), (1280, "light")])
def test_axe_finds_nothing(reading, page, width, scheme):
    reader = reading(page, width, 800, color_scheme=scheme, bypass_csp=True)
    for keys in ([], [">"], ["Space"]):
        reader.press(*keys)
        assert reader.violations() == []
