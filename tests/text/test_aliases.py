"""Garbled names: by spelling, by sound, and by who is on the ball when they turn up."""

from __future__ import annotations

import msgspec
import pytest

from touchline import Comment, Event, InputError, Match, NameFinder, Player
from touchline.text.aliases import learn_aliases, likeness, sound

SOLANDER = Player(id="1", name="Viktor Solander")
BREKKE = Player(id="2", name="Tomas Brekke")


def heard_match(text: str, when_acting: str, times: int = 12) -> Match:
    """Every two minutes one of the players acts and the comment is made; the other acts between."""
    events, comments = [], []
    for n in range(times):
        near, far = (SOLANDER, BREKKE) if when_acting == "1" else (BREKKE, SOLANDER)
        for who, time in ((near, 120.0 * n + 60), (far, 120.0 * n)):
            name = f"{who.id}-{n}"
            events.append(Event(id=name, type="Pass", period=1, time=time, player=who))
        said = 120.0 * n + 62
        comments.append(Comment(id=n, text=text, period=1, start=said, end=said))
    return Match(
        name="heard",
        provider="test",
        events=tuple(sorted(events, key=lambda e: e.time)),
        players=(SOLANDER, BREKKE),
        comments=tuple(comments),
    )


@pytest.mark.parametrize(
    ("heard", "name"),
    [("Klossen", "Claesson"), ("Dyer", "Dier"), ("Kourtwa", "Courtois"), ("Azard", "Hazard")],
)
def test_what_sounds_alike_is_more_alike_than_what_does_not(heard, name):
    alike, other = likeness(heard.lower(), [name.lower(), "pickford"])
    assert alike > 0.7
    assert alike > other + 0.15


def test_sounds():
    assert sound("klossen") == sound("claesson")
    assert sound("phillips") == sound("filips")


def test_a_spelling_is_learned_as_a_players_name():
    aliases = learn_aliases(heard_match("And here comes Zolunder with it", "1"))
    assert aliases["zolunder"]["1"] > 0.8
    assert set(aliases["zolunder"]) == {"1"}


def test_spellings_are_compared_in_blocks(monkeypatch):
    match = heard_match("And here comes Zolunder with Brakke, says the Referee", "1")
    whole = learn_aliases(match)
    monkeypatch.setattr("touchline.text.aliases.BLOCK", 1)
    assert learn_aliases(match) == whole


def test_more_comparisons_than_any_match_needs_are_refused(monkeypatch):
    monkeypatch.setattr("touchline.text.aliases.MAX_COMPARISONS", 3)
    with pytest.raises(InputError, match=r"heard: \d different words .* for one match is 3 comp"):
        learn_aliases(heard_match("And here comes Zolunder with Brakke", "1"))


def test_who_is_on_the_ball_decides_what_spelling_leaves_open():
    """`Brolander` is as near to nobody as to one; it turns up when they are on the ball, or not."""
    when_he_acts = learn_aliases(heard_match("A pass by Bolander now", "1"))
    when_not = learn_aliases(heard_match("A pass by Bolander now", "2"))
    assert when_he_acts.get("bolander", {}).get("1", 0) > when_not.get("bolander", {}).get("1", 0)


def test_words_and_strangers_are_nobodys_name():
    """A pundit whose name is like a player's is talked about at any time."""
    said = "Nothing doing here, says Solomon, and the solander was lower case"
    aliases = learn_aliases(heard_match(said, "2"))
    assert "nothing" not in aliases
    assert "solomon" not in aliases
    assert "solander" not in aliases


def test_a_common_word_said_at_every_touch_is_a_name():
    said = "and here comes brekker with it"
    assert learn_aliases(heard_match(said, "2", 40))["brekker"]["2"] > 0.8
    assert "brekker" not in learn_aliases(heard_match(said, "1", 40))


def test_a_minute_does_not_make_a_name_of_a_common_word():
    match = heard_match("and here comes brekker with it", "2", 40)
    minutes = [
        msgspec.structs.replace(c, start=c.start - 30, end=c.end + 30) for c in match.comments
    ]
    assert "brekker" not in learn_aliases(match.with_comments(minutes))


def renamed(match: Match, player: Player) -> Match:
    """The same match, with another name for a player."""
    events = [
        msgspec.structs.replace(e, player=player) if e.player and e.player.id == player.id else e
        for e in match.events
    ]
    players = tuple(player if p.id == player.id else p for p in match.players)
    return msgspec.structs.replace(match, players=players, events=tuple(events))


def test_a_proper_name_without_its_capital_is_nobody_elses():
    match = renamed(
        heard_match("Here comes brekke with it", "1", 40), Player(id="1", name="Jan Brekka")
    )
    assert "1" not in learn_aliases(match).get("brekke", {})
    assert set(learn_aliases(heard_match("Here comes brekke", "2", 40))["brekke"]) == {"2"}


def test_the_proper_name_of_anybody_in_the_squad_is_no_garbled_one():
    match = heard_match("And here comes Brekka with Brekke", "2", 40)
    assert set(learn_aliases(match)) == {"brekka"}
    bench = Player(id="3", name="Jan Brekka")
    squad = msgspec.structs.replace(match, players=(*match.players, bench))
    assert not learn_aliases(squad)


def test_particles_are_no_names():
    match = heard_match("Here is the van of Brekkon", "2", 40)
    aliases = learn_aliases(renamed(match, Player(id="2", name="Tomas van Brekke")))
    assert "brekkon" in aliases
    assert "van" not in aliases


def test_who_is_hardly_named_must_be_called_something():
    unnamed = heard_match("A pass by Bolander now", "1", 6)
    named = [Comment(id=f"n{n}", text="Solander", period=1, start=5e3, end=5e3) for n in range(60)]
    often = learn_aliases(unnamed.with_comments([*unnamed.comments, *named]))
    assert often["bolander"]["1"] < learn_aliases(unnamed)["bolander"]["1"]


def test_a_text_that_spells_names_right_garbles_none():
    """The same spelling, said once, where others show that names are garbled and where not."""
    once = Comment(id="x", text="Now Sollander", period=1, start=62.0, end=62.0)
    garbled = heard_match("And here comes Brakka with it", "2")
    strange = heard_match("And here comes Sommerland with it", "2")
    shares = [learn_aliases(m.with_comments([*m.comments, once])) for m in (garbled, strange)]
    assert shares[0]["brakka"]["2"] > 0.8
    assert shares[1].get("sollander", {}).get("1", 0.0) < shares[0]["sollander"]["1"] - 0.2


def test_garbled_names_are_found_in_text():
    match = heard_match("And here comes Zolunder with it", "1")
    text = "Zolunder to Brekke"
    assert list(NameFinder(match).players(text)) == ["2"]
    found = NameFinder(match, learn_aliases(match)).mentions(text)
    spans = [(m.who.id, text[m.start : m.end]) for m in found]
    assert spans == [("1", "Zolunder"), ("2", "Brekke")]


def test_a_garbled_name_beside_another_is_no_strangers_first_name():
    match = heard_match("And here comes Zolunder with it", "1")
    aliases = learn_aliases(match)
    assert list(NameFinder(match, aliases).players("Now Zolunder Brekke")) == ["1", "2"]
    assert not NameFinder(match, {}).players("Now Zolunder Brekke")


def test_a_garbled_name_may_start_a_sentence():
    """What it is worth was learned from all its places, those without a capital too."""
    match = heard_match("And here comes brekker with it", "2", 40)
    weights = NameFinder(match, learn_aliases(match)).players("Brekker.")
    assert weights["2"] > 0.8


def test_a_name_heard_as_two_words():
    aliases = learn_aliases(heard_match("Good from Sole Ander again", "1"))
    assert aliases["soleander"]["1"] > 0.8


def test_a_name_heard_as_three_words():
    text = "Good from Sall En Dear again"
    match = heard_match(text, "1")
    aliases = learn_aliases(match)
    assert aliases["sallendear"]["1"] > 0.8
    (mention,) = NameFinder(match, aliases).mentions(text)
    assert text[mention.start : mention.end] == "Sall En Dear"


def test_words_add_to_a_name_only_what_makes_it_more_alike():
    aliases = learn_aliases(heard_match("Good from Zolander Sir", "1"))
    assert "zolander" in aliases
    assert "zolandersir" not in aliases


def test_comments_without_a_clock_are_read_by_spelling_alone():
    match = heard_match("And here comes Solandar with it", "1")
    lost = [Comment(id=c.id, text=c.text) for c in match.comments]
    assert learn_aliases(match.with_comments(lost))["solandar"]["1"] > 0.8
