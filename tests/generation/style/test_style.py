"""Styles: templates of a user's own corpus."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.generation.matches import ANN, BLUES, CYRIL, FAY, event, match_of
from touchline import (
    Comment,
    CommentLinks,
    Event,
    InputError,
    Link,
    Links,
    Match,
    Player,
    Team,
    UsageError,
    generate,
)
from touchline.cli import cli
from touchline.generation.style.file import Style, read_style, write_style
from touchline.generation.style.learning import fit_style
from touchline.generation.style.words import colour_of


def links_of(match: Match, *pairs: tuple[str, tuple[str, ...]]) -> Links:
    comments = [Comment(id=n, text=text, period=1, start=9, end=9) for n, (text, _) in
                enumerate(pairs)]  # fmt: skip
    answers = [
        CommentLinks(match=match.name, comment=n, none=0.0, period=1, time=None, span=None,
                     events=tuple(Link(id=key, score=0.9) for key in keys))
        for n, (_, keys) in enumerate(pairs)
    ]  # fmt: skip
    return Links(match.with_comments(comments), answers)


def shot(key: str, player: object, outcome: str = "Off T", **more: object) -> object:
    given = {"location": (95.0, 40.0), "body_part": "Right Foot", "keeper": CYRIL, **more}
    return event(key, "Shot", 100, player, outcome=outcome, **given)  # type: ignore[arg-type]


CORPUS = match_of(shot("a", ANN), event("x", "Pass", 200, ANN))  # type: ignore[arg-type]


def learned(*texts: str) -> Style:
    return fit_style([links_of(CORPUS, *((text, ("a",)) for text in texts))])


def said(style: Style, *events: object, colour: str = "none") -> dict[str, str]:
    """The lines about other events in that style, by wording."""
    match = match_of(event("h", "Half Start", 0, team=BLUES), *events)  # type: ignore[arg-type]
    return {line.wording: line.text for line in generate(match, style, colour=colour, lines=5)}


def test_a_template_is_used_for_the_same_sort_of_event() -> None:
    style = learned("Ann Archer (Redfield City) has a shot, and it goes off target.")
    text = said(style, shot("s", FAY, keeper=None))
    assert text["template:small/0"] == (
        "Fay Gunn (Blueport United) has a shot, and it goes off target.")  # fmt: skip


def test_another_outcome_card_part_of_the_body_or_place_is_another_template() -> None:
    style = learned("Ann Archer (Redfield City) has a shot, and it goes off target.")
    for other in (
        shot("s", FAY, "Blocked"),
        shot("s", FAY, body_part="Head"),
        shot("s", FAY, location=(112.0, 40.0)),
        shot("s", FAY, set_piece="Free Kick"),
    ):
        assert "template:small/0" not in said(style, other)


def test_colour_is_kept_out_unless_it_is_let_in() -> None:
    style = learned("A thunderous shot by Ann Archer (Redfield City) goes off target.")
    assert "template:small/0" not in said(style, shot("s", FAY))
    free = said(style, shot("s", FAY), colour="style")
    assert free["template:small/0"].startswith("A thunderous shot by Fay Gunn")


def test_a_coloured_sentence_is_cut_but_never_the_outcome() -> None:
    style = learned(
        "Ann Archer (Redfield City) has a shot, and it goes off target. The crowd groans.",
        "Ann Archer (Redfield City) has a shot. A dreadful miss, wide of the goal!",
    )
    text = said(style, shot("s", FAY))
    assert text["template:small/0"] == (
        "Fay Gunn (Blueport United) has a shot, and it goes off target.")  # fmt: skip
    assert "template:small/1" not in said(
        learned("Ann Archer (Redfield City) has a shot. A dreadful miss, wide of the goal!"),
        shot("s", FAY),
    )


@pytest.mark.parametrize(
    "text",
    [
        "Ann Archer (Redfield City) shoots off target after 12 passes.",
        "Ann Archer shoots off target, and Eva Ives laughs.",
        "Ann Archer shoots off target under the eyes of Queen Victoria.",
        "A shot goes off target.",
    ],
)
def test_what_has_no_place_in_a_template_makes_none(text: str) -> None:
    assert learned(text).templates == ()


def test_colour() -> None:
    assert colour_of("{player} shoots wide of the post.", "shot") == []
    assert colour_of("{player} makes a very late tackle.", "foul") == ["late", "tackle"]
    assert colour_of("{player} is pulling the shirt.", "foul") == ["pulling", "shirt"]


def test_surnames_where_the_corpus_has_them() -> None:
    style = learned("Archer (Redfield City) has a shot, and it goes off target.")
    assert style.surnames == 1
    assert "Gunn (Blueport United)" in said(style, shot("s", FAY))["template:small/0"]


def test_a_file(tmp_path: Path) -> None:
    style = learned("Ann Archer (Redfield City) has a shot, and it goes off target.")
    path = tmp_path / "me.style"
    write_style(style, path)
    assert read_style(path) == style
    assert "contains sentences of the commentary" in path.read_text()
    assert repr(style) == "Style(1 templates)"
    path.write_text(path.read_text().replace('"format": 1', '"format": 9', 1))
    with pytest.raises(InputError, match="format 9"):
        read_style(path)
    path.write_text("{}")
    with pytest.raises(InputError, match="not a style"):
        generate(CORPUS, path)


def test_wrong_colour() -> None:
    with pytest.raises(UsageError, match="colour"):
        generate(CORPUS, colour="purple")


def test_fit_and_generate_on_the_command_line(tmp_path: Path, sample_folder: Path) -> None:
    out = tmp_path / "me.style"
    runner = CliRunner()
    done = runner.invoke(cli, ["fit", str(sample_folder), "--style", "-o", str(out)],
                         catch_exceptions=False)  # fmt: skip
    assert done.exit_code == 0, done.output
    assert "contains sentences of your corpus" in done.stderr
    assert len(read_style(out).templates) > 30
    words = ["generate", str(sample_folder / "events.json.gz"), "--lineups",
             str(sample_folder / "lineups.json"), "--style", str(out), "--colour", "style",
             "-o", str(tmp_path / "a.jsonl")]  # fmt: skip
    done = runner.invoke(cli, words, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    assert (tmp_path / "a.jsonl").read_text().count('"template:') > 5
    with pytest.raises(UsageError, match="needs --style"):
        runner.invoke(cli, ["generate", "x", "--colour", "style"], catch_exceptions=False)


@pytest.mark.parametrize(
    "text",
    [
        "Ann Archer (Redfield City) has a shot, and it goes just off target.",
        "Ann Archer (Redfield City) has another shot, and it goes off target.",
        "Ann Archer (Redfield City) breaks into the box, and the shot goes off target.",
    ],
)
def test_words_for_facts_that_the_log_does_not_have_are_colour(text: str) -> None:
    style = learned(text)
    assert "template:small/0" not in said(style, shot("s", FAY, keeper=None))
    assert "template:small/0" in said(style, shot("s", FAY, keeper=None), colour="style")


def test_a_nameless_player_gets_no_template() -> None:
    style = learned("Ann Archer (Redfield City) has a shot, and it goes off target.")
    nobody = Player(id="99", name="", team=BLUES)
    assert "template:small/0" not in said(style, shot("s", nobody, keeper=None))


def test_robots_have_digits_in_their_names() -> None:
    red, blue = Team(id="r", name="Purple"), Team(id="b", name="Pink")
    robots = [Player(id=f"{team.id}{n}", name=f"{team.name}{n}", team=team)
              for team in (red, blue) for n in (4, 7)]  # fmt: skip

    def game(name: str, *events: Event) -> Match:
        return Match(name=name, provider="robocup", events=events, teams=(red, blue),
                     players=tuple(robots))  # fmt: skip

    corpus = game("game", event("a", "pass", 100, robots[0], recipient=robots[1]))
    style = fit_style([links_of(corpus, ("Purple4 makes a pass to Purple7", ("a",)))])
    other = game("other", event("p", "pass", 50, robots[2], recipient=robots[3]))
    (line,) = generate(other, style, lines=1)
    assert (line.text, line.wording) == ("Pink4 makes a pass to Pink7", "template:game/0")
    middle = fit_style([links_of(corpus, ("Purple4 passes to Purple7 in the middle", ("a",)))])
    assert [line.wording for line in generate(other, middle, lines=1)] == ["phrase"]
