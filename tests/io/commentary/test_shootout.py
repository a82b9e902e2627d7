"""Shoot-outs in every layout: which lines are kicks, and that they reach the kicks of the log."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests import shootout
from touchline import Match, align, read_comments
from touchline.io.commentary import with_commentary
from touchline.io.commentary.entries import SHOOTOUT, Entry, Heading
from touchline.io.commentary.timing import minute_only, place
from touchline.io.corpus.layout import LabelledMatch

ENDS = {1: 2800.0, 2: 2900.0, 3: 930.0, 4: 1050.0, 5: 500.0}  # extra time ends in 120+3'
BEFORE = [
    "104' A long ball runs through to the keeper.",
    "105+1' The last attack of the half comes to nothing.",
    "106' We are under way again.",
    "119' A corner, headed clear.",
    "120'+1' Another corner.",
    "120'+3' That is the end of extra time.",
]
PERIODS = [3, 3, 4, 4, 4, 4]


@pytest.fixture(scope="module")
def match(sample: list[LabelledMatch]) -> Match:
    return shootout.with_shootout(sample[0].match)


def clocked(match: Match, first: int = 8) -> list[str]:
    """The kicks as pages write them, with a clock that runs on past 120."""
    return [f"120'+{first + n * 48 // 60}' {line}" for n, line in enumerate(shootout.lines(match))]


def layouts(match: Match) -> dict[str, list[str]]:
    """Pages with all ten kicks."""
    kicks, bare = clocked(match), shootout.lines(match)
    begins = "Penalty Shootout begins Harrowmere City 2, Castlebrook Athletic 2."
    stopped = [f"120' {line}" for line in bare]
    return {
        "clock": [*BEFORE, *kicks],
        "clock, newest first": [*BEFORE, *kicks][::-1],
        "clock and talk of it": [*BEFORE, "120'+5' Who wants to take one?", *kicks],
        "clock without apostrophe": [*BEFORE, *(line.replace("'", "", 1) for line in kicks)],
        "clock that runs on": [*BEFORE, *(f"{128 + n // 5}' {t}" for n, t in enumerate(bare))],
        "line that says so": [*BEFORE, f"120'+3' {begins}", *stopped],
        "line that says so, newest first": [*BEFORE, f"120'+3' {begins}", *stopped][::-1],
        "line without a clock that says so": [*BEFORE, begins, *bare],
        "line that says so, kicks without a clock": [*BEFORE, f"120'+3' {begins}", *bare],
        "heading": [*BEFORE, "Penalty shoot-out", *bare],
        "heading and blank lines": [*BEFORE, "", "PENALTIES", "", *(f"{t}\n" for t in bare)],
        "heading above, newest first": ["Penalty shoot-out", *bare[::-1], *BEFORE[::-1]],
        "heading below, newest first": [*bare[::-1], "Penalty shoot-out", *BEFORE[::-1]],
        "headings above, newest first": [
            *("Penalty shoot-out", *bare[::-1], "Extra time, second half", *BEFORE[:1:-1]),
            *("Extra time, first half", *BEFORE[1::-1]),
        ],
        "heading above clocks, newest first": ["Penalty shoot-out", *kicks[::-1], *BEFORE[::-1]],
    }


LAYOUTS = (
    "clock|clock, newest first|clock and talk of it|clock without apostrophe|clock that runs on|"
    "line that says so|line that says so, newest first|line that says so, kicks without a clock|"
    "line without a clock that says so|heading|heading and blank lines|"
    "heading above, newest first|heading below, newest first|"
    "headings above, newest first|heading above clocks, newest first"
).split("|")


@pytest.mark.parametrize("layout", LAYOUTS)
def test_kicks_of_a_live_text_reach_the_kicks_of_the_log(
    match: Match, tmp_path: Path, layout: str
) -> None:
    page = tmp_path / "page.txt"
    page.write_text("\n".join(layouts(match)[layout]), encoding="utf-8")
    read = with_commentary(match, page)
    by_text = {comment.text: comment for comment in read.comments}
    kicks = [by_text[line] for line in shootout.lines(match)]
    assert [comment.period for comment in kicks] == [5] * 10
    words = [line.split(" ", 1)[1] for line in BEFORE]
    assert [by_text[text].period for text in words] == PERIODS
    links = align(read, method="named-nearest")
    for number, comment in enumerate(kicks):
        events = [event.id for event in links.events_of(comment.id)]
        assert f"kick-{number}" in events


def test_the_default_method_links_the_kicks(match: Match, tmp_path: Path) -> None:
    page = tmp_path / "page.txt"
    page.write_text("\n".join([*BEFORE, *clocked(match)]), encoding="utf-8")
    read = with_commentary(match, page)
    links = align(read)
    for number, comment in enumerate(read.comments[-10:]):
        assert f"kick-{number}" in [event.id for event in links.events_of(comment.id)]


# A minute, an added minute, and the headings of extra time and shoot-out, as pages write them.
WRITINGS = {
    "brackets": ("{} mins: ", "{} (+{}mins): ", "Extra time", "Penalty shoot-out"),
    "German": ("{}. ", "{}. + {} ", "Verlängerung", "Elfmeterschießen"),
    "Spanish": ("Min. {} ", "Min. {}+{} ", "Prórroga", "Tanda de penaltis"),
    "French": ("{}e ", "{}e+{} ", "Prolongations", "Tirs au but"),
    "Italian": ("{}° ", "{}°+{} ", "Tempi supplementari", "Calci di rigore"),
    "bold": ("**{}'** ", "**{}+{}'** ", "**Extra time**", "**Penalties**"),
    "bare": ("{} ", "{}+{} ", "EXTRA TIME", "PENALTY SHOOT-OUT"),
}


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("kicks", ["clock", "no clock"])
@pytest.mark.parametrize("writing", WRITINGS)
def test_extra_time_and_shootout_in_other_writings(
    match: Match, tmp_path: Path, writing: str, kicks: str, order: int
) -> None:
    minute, added, extra, heading = WRITINGS[writing]

    def line(clock: str, words: str) -> str:
        parts = clock.replace("'", "").split("+")
        return (added if len(parts) > 1 else minute).format(*parts) + words

    early = [("12'", "A first shot goes wide."), ("44'", "A free kick is cleared."),
             ("45+1'", "The half ends."), ("47'", "They are back."), ("70'", "A long throw."),
             ("90+3'", "So to another half hour.")]  # fmt: skip
    late = [tuple(one.split(" ", 1)) for one in BEFORE]
    taken = [("120+8'", text) for text in shootout.lines(match)]
    lines = [line(*one) for one in early] + [extra] + [line(*one) for one in late] + [heading]
    lines += [line(*one) if kicks == "clock" else one[1] for one in taken]
    page = tmp_path / "page.txt"
    page.write_text("\n".join(lines[::order]), encoding="utf-8")
    by_text = {c.text: c for c in with_commentary(match, page).comments}
    assert [by_text[text].period for _, text in taken] == [5] * 10
    assert [by_text[text].period for _, text in early] == [1, 1, 1, 2, 2, 2]
    assert [by_text[text].period for _, text in late] == PERIODS


@pytest.mark.parametrize("clock", ["120'+{}'", "120+{}", "PEN", None])
@pytest.mark.parametrize("order", [1, -1])
def test_kicks_of_a_table(match: Match, tmp_path: Path, clock: str | None, order: int) -> None:
    rows = [{"clock": line.split(" ")[0], "text": line.split(" ", 1)[1]} for line in BEFORE]
    rows += [{"clock": None, "text": "Penalty Shootout begins"}] if clock is None else []
    rows += [
        {"clock": clock and clock.format(7 + number), "text": line}
        for number, line in enumerate(shootout.lines(match))
    ]
    path = tmp_path / "page.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows[::order]), encoding="utf-8")
    by_text = {c.text: c for c in with_commentary(match, path).comments}
    assert len(by_text) == len(rows)
    assert [by_text[line].period for line in shootout.lines(match)] == [5] * 10
    assert [by_text[line.split(" ", 1)[1]].period for line in BEFORE] == PERIODS


def test_without_a_log_the_text_must_say_so(match: Match, tmp_path: Path) -> None:
    page = tmp_path / "page.txt"
    for layout in ("heading", "line that says so", "heading below, newest first"):
        page.write_text("\n".join(layouts(match)[layout]), encoding="utf-8")
        by_text = {c.text: c.period for c in read_comments(page)}
        assert [by_text[line] for line in shootout.lines(match)] == [5] * 10
        assert [by_text[line.split(" ", 1)[1]] for line in BEFORE] == PERIODS
    page.write_text("\n".join([*BEFORE, *clocked(match)]), encoding="utf-8")
    assert {c.period for c in read_comments(page)[-10:]} == {4}


def test_a_match_that_ends_after_extra_time(sample: list[LabelledMatch], tmp_path: Path) -> None:
    match = shootout.with_extra_time(sample[0].match)
    page = tmp_path / "page.txt"
    lines = [*BEFORE, "120'+4' It is over!", "Penalties", "None needed tonight."]
    for order in (lines, lines[::-1]):
        page.write_text("\n".join(order), encoding="utf-8")
        by_text = {c.text: c.period for c in with_commentary(match, page).comments}
        assert [by_text[line.split(" ", 1)[1]] for line in lines[:7]] == [*PERIODS, 4]
        assert 5 not in by_text.values()


def test_a_cup_tie_without_extra_time() -> None:
    ends = {1: 2800.0, 2: 2900.0, 5: 500.0}
    clocks = ["88'", "90+3'", "90+6'", "90+9'"]
    items: list[Entry | Heading] = [Entry(text="", clock=clock) for clock in clocks]
    assert [c.period for c in place(items, ends=ends)] == [2, 2, 5, 5]
    stopped = [*items[:2], SHOOTOUT, Entry(text="", clock="90'"), Entry(text="", clock="90+4'")]
    assert [c.period for c in place(stopped, ends=ends)] == [2, 2, 5, 5]


def test_a_kick_lies_anywhere_in_the_shootout() -> None:
    """The page's clock and the log's have nothing to do with each other there."""
    (kick,) = place([Entry(text="", clock="120+8'")], ends=ENDS)
    assert (kick.period, kick.start, kick.end, kick.clock) == (5, 0.0, 500.0, "120+8'")
    assert (minute_only(kick).start, minute_only(kick).end) == (0.0, 540.0)
    (given,) = place([Entry(text="", clock="122'", period=5)], ends=ENDS)
    assert (given.start, given.end) == (60.0, 120.0)


def test_words_of_a_penalty_in_play_are_no_shootout(match: Match, tmp_path: Path) -> None:
    page = tmp_path / "page.txt"
    page.write_text(
        "77' Off the bar.\n78' PENALTY TO CITY!\nPEN\nStonewall,\nthat one.\n79' Goal!\n90+2' Over."
    )
    periods = [c.period for c in with_commentary(match, page).comments]
    assert set(periods) == {2}
