"""Corpus folders: which matches are in them, their labels, and RoboCup's own layout."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from touchline import InputError, TouchlineError, read_corpus
from touchline.io.corpus.labels import listed_labels
from touchline.io.corpus.layout import (
    TRACKS,
    LabelledMatch,
    corpus_matches,
    half_matches,
    is_robocup,
    match_folders,
    read_match_folder,
)
from touchline.sample import corpus_path

EVENTS = "id,type,time\na,Pass,10\nb,Shot,12\n"
COMMENTS = [
    {"id": 0, "period": 1, "time": 11.0, "clock": "1'", "text": "A pass."},
    {"id": "x", "period": 1, "time": 75.0, "clock": "2'", "text": "Rain."},
]
GOLD = [{"id": 0, "events": ["a", "b"], "sure": True}, {"id": "x", "events": []}]
BBC = [{"id": 5, "clock": "1'", "text": "Attempt saved."}]


def lines(rows: list[dict]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def match_folder(corpus: Path, name: str, **files: str) -> Path:
    """A match folder; a file is named by its stem, those of the match are there by default."""
    endings = {"events": "events.csv", "bbc_silver": "bbc-silver.jsonl"}
    contents = {"events": EVENTS, "comments": lines(COMMENTS)} | files
    (corpus / name).mkdir(parents=True)
    for stem, content in contents.items():
        (corpus / name / endings.get(stem, f"{stem}.jsonl")).write_text(content)
    return corpus / name


def test_matches_come_by_name_with_their_labels_if_any(tmp_path: Path):
    match_folder(tmp_path, "two", gold=lines(GOLD))
    match_folder(tmp_path, "one")
    (tmp_path / "notes").mkdir()
    (tmp_path / "README.md").touch()
    one, two = read_corpus(tmp_path)
    assert (one.match.name, one.gold) == ("one", None)
    assert (two.match.name, two.gold) == ("two", {0: {"a", "b"}, "x": frozenset()})
    assert [comment.start for comment in two.match.comments] == [11.0, 75.0]
    assert two.key("a") == "a"


def test_a_match_folder_is_a_corpus_of_one(tmp_path: Path):
    folder = match_folder(tmp_path, "one")
    assert match_folders(folder) == [folder]


def test_on_the_minute_clock_seconds_are_not_known(tmp_path: Path):
    match_folder(tmp_path, "one")
    (one,) = read_corpus(tmp_path, clock="minute")
    assert [(c.start, c.end) for c in one.match.comments] == [(0, 60), (60, 120)]


def test_the_templated_track_has_its_own_comments_and_labels(tmp_path: Path):
    match_folder(tmp_path, "none")
    match_folder(
        tmp_path, "one", bbc=lines(BBC), bbc_silver='{"id": 5, "event": "b", "kind": "shot"}\n'
    )
    (one,) = read_corpus(tmp_path, track="bbc")
    assert one.gold == {5: {"b"}}
    assert [comment.id for comment in one.match.comments] == [5]


@pytest.mark.parametrize(
    ("gold", "message"),
    [
        (
            '{"id": 0, "events": ["a"]}\n{"id": 0, "events": []}\n',
            "line 2: duplicate label for comm",
        ),
        ('\n{"id": 0, "events": ["z"]}\n', "line 2: the event 'z' is not in the log"),
        ('{"id": 7, "events": []}\n', "the comment 7 is not in the commentary"),
        ('{"id": 0, "events": ["a"', "line 1: not a label"),
        ('{"events": ["a"]}', "line 1: not a label"),
    ],
)
def test_labels_that_do_not_fit_are_named(tmp_path: Path, gold: str, message: str):
    match_folder(tmp_path, "one", gold=gold)
    with pytest.raises(InputError, match=rf"gold\.jsonl(, |: ){message}"):
        list(read_corpus(tmp_path))


def test_what_is_no_corpus_is_named(tmp_path: Path):
    with pytest.raises(InputError, match="no such folder"):
        match_folders(tmp_path / "nowhere")
    with pytest.raises(InputError, match="contains no match folder; expected <match>/events"):
        match_folders(tmp_path)
    match_folder(tmp_path, "one")
    with pytest.raises(InputError, match=r"expected <match>/events\.\* and bbc\.\*"):
        list(read_corpus(tmp_path, track="bbc"))
    with pytest.raises(InputError, match=r"expected events\.\* and comments\.\*"):
        read_match_folder(tmp_path)
    with pytest.raises(TouchlineError, match="unknown track 'tv'; expected one of comments, bbc"):
        list(read_corpus(tmp_path, track="tv"))


def test_the_bundled_sample_is_a_corpus():
    matches = list(read_corpus(corpus_path()))
    assert len(matches) == 2
    for labelled in matches:
        assert labelled.gold
        described = {event for events in labelled.gold.values() for event in events}
        assert described <= {event.id for event in labelled.match.linkable}
        assert any(player.nickname for player in labelled.match.players)


def test_a_folder_that_is_no_match_is_named_though_it_is_given_as_a_dot(tmp_path, monkeypatch):
    folder = tmp_path / "final"
    folder.mkdir()
    (folder / "events.json").write_text("[]")
    monkeypatch.chdir(folder)
    assert list(half_matches(".")) == [("final", "contains no comments.*")]


@pytest.mark.parametrize("given", [".", "..", "../one", "./"])
def test_a_folder_has_its_name_however_it_is_given(tmp_path: Path, given: str, monkeypatch):
    folder = match_folder(tmp_path, "one")
    (folder / "inside").mkdir()
    monkeypatch.chdir(folder / "inside" if given == ".." else folder)
    (match,) = corpus_matches(given)
    (read,) = read_corpus(given)
    assert match.name == read.match.name == "one"
    assert read_match_folder(given).match.name == "one"


@pytest.mark.posix
def test_a_linked_folder_keeps_its_own_name(tmp_path: Path):
    folder = match_folder(tmp_path / "elsewhere", "1234")
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "one").symlink_to(folder)
    assert [match.name for match in corpus_matches(tmp_path / "corpus")] == ["one"]


def test_a_broken_match_stops_no_other(tmp_path: Path):
    match_folder(tmp_path, "bad", events="id,type,time\na,Pass,soon\n")
    match_folder(tmp_path, "good")
    match_folder(tmp_path, "twofold")
    (tmp_path / "twofold" / "events.json.gz").touch()
    bad, good, twofold = corpus_matches(tmp_path)
    assert (bad.name, good.name, twofold.name) == ("bad", "good", "twofold")
    with pytest.raises(InputError, match="line 2: time 'soon'"):
        bad.read()
    with pytest.raises(InputError, match=r"twofold: contains events\.csv and events\.json\.gz"):
        twofold.read()
    assert good.read(clock="minute").match.comments[0].end == 60


def test_the_files_of_a_match(tmp_path: Path):
    folder = match_folder(tmp_path, "one", gold=lines(GOLD), bbc=lines(BBC))
    for name in ("lineups-home.json", "lineups.json.gz", "lineups.json~", "live.txt"):
        (folder / name).touch()
    names = ["events.csv", "lineups-home.json", "lineups.json.gz"]
    (match,) = corpus_matches(tmp_path)
    assert match.files == [folder / name for name in [*names, "comments.jsonl"]]
    (match,) = corpus_matches(tmp_path, track="bbc")
    assert match.files == [folder / name for name in [*names, "bbc.jsonl"]]


@pytest.mark.parametrize("stray", ["events.bak", "events.csv~", "events.0", "comments.bak"])
def test_a_stray_file_is_no_part_of_a_match(tmp_path: Path, stray: str):
    folder = match_folder(tmp_path, "one")
    (folder / stray).write_text("type,time\nFoul,1\n")
    (one,) = read_corpus(tmp_path)
    assert [event.id for event in one.match.events] == ["a", "b"]
    (folder / "events.csv").unlink()
    with pytest.raises(InputError, match="contains no match folder"):
        match_folders(tmp_path)


def test_a_label_nested_too_deep_is_named(tmp_path: Path):
    match_folder(tmp_path, "one", gold='{"id": 0, "x": ' + "[" * 100_000)
    with pytest.raises(InputError, match=r"line 1: not a label \(nested too deeply\)"):
        list(read_corpus(tmp_path))


# RoboCup

ROBOCUP = {
    "events/1final-processed-events": "1 | 1 | ballstopped\n2 | 9 | pass ( red9 , red2 )\n"
    "9 | 9 | ballstopped\n",
    "nl/1final-comments": "2 | It stops\n9 | Red9 to Red2\n30 | What a day\n",
    "training/1final-train": "<trainingData>\n<examples>\n"
    '<example id="0">\n<nl> It stops </nl>\n<semid> 0 </semid>\n</example>\n'
    '<example id="1">\n<nl> Red9 to Red2 </nl>\n<semid> 1 2 </semid>\n</example>\n'
    "</examples>\n</trainingData>\n",
    "gold/1final-gold": '<?xml version="1.0"?>\n\n<examples>\n<example id="1">\n'
    '<nl lang="en"> x </nl>\n<mrl lang="soccer"> pass( red9 ,red2 ) </mrl>\n</example>\n'
    "</examples>\n",
}


def robocup(folder: Path, **changes: str | None) -> Path:
    """A RoboCup folder; a change is named by its room, None leaves the file out."""
    for name, content in ROBOCUP.items():
        content = changes.get(name.partition("/")[0], content)
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        if content is not None:
            (folder / name).write_text(content)
    return folder


def test_the_robocup_layout(tmp_path: Path):
    assert is_robocup(robocup(tmp_path))
    (game,) = read_corpus(tmp_path)
    assert [comment.candidates for comment in game.match.comments] == [("0",), ("1", "2"), ()]
    assert game.gold == {0: frozenset(), 1: {"pass ( red9 , red2 )"}, 2: frozenset()}
    assert [game.key(i) for i in "012"] == ["ballstopped", "pass ( red9 , red2 )", "ballstopped"]


def test_robocup_goes_game_by_game(tmp_path: Path):
    (game,) = corpus_matches(robocup(tmp_path))
    rooms = ["events/1final-processed-events", "nl/1final-comments", "training/1final-train"]
    assert (game.name, game.files) == ("1final", [tmp_path / name for name in rooms])
    assert game.read().match.name == "1final"
    with pytest.raises(InputError, match="no track 'bbc'"):
        game.read(track="bbc")


def test_without_gold_nothing_is_labelled(tmp_path: Path):
    (game,) = read_corpus(robocup(tmp_path, gold=None))
    assert game.gold is None


@pytest.mark.parametrize(
    ("room", "content", "message"),
    [
        ("events", None, "contains no game"),
        ("nl", None, "1final-comments: no such file"),
        ("nl", "2 | It stops\n", "1final-train: the comment 1 is not in the commentary"),
        ("training", None, "1final-train: no such file"),
        ("training", ROBOCUP["training/1final-train"][:-40], "1final-train, line 9: not the XML"),
        ("training", ROBOCUP["training/1final-train"].replace(" 1 2 ", " 1 7 "),
         "1final-train, example 1: the event '7' is not in the log"),
        ("training", ROBOCUP["training/1final-train"].replace('id="1"', 'id="one"'),
         "1final-train, line 7: example id 'one' is not a number"),
        ("gold", ROBOCUP["gold/1final-gold"].replace("red2 )", "red2"),
         "1final-gold, example 1: the meaning cannot be parsed"),
        ("gold", ROBOCUP["gold/1final-gold"].replace('id="1"', 'id="9"'),
         "1final-gold: the comment 9 is not in the commentary"),
    ],
)  # fmt: skip
def test_a_damaged_robocup_folder_is_named(
    tmp_path: Path, room: str, content: str | None, message: str
):
    with pytest.raises(InputError, match=message):
        list(read_corpus(robocup(tmp_path, **{room: content})))


def test_robocup_has_one_track(tmp_path: Path):
    with pytest.raises(InputError, match="no track 'bbc'"):
        list(read_corpus(robocup(tmp_path), track="bbc"))


def counts(game: LabelledMatch) -> tuple[int, ...]:
    said, gold = game.match.comments, game.gold or {}
    among = sum(bool(gold[c.id] & {game.key(i) for i in c.candidates or ()}) for c in said)
    listed = sum(bool(comment.candidates) for comment in said)
    return len(game.match.events), len(said), listed, sum(map(len, gold.values())), among


@pytest.mark.data
def test_the_real_robocup_games(data: Path):
    games = {game.match.name: counts(game) for game in read_corpus(data / "robocup")}
    assert games == {
        "2001final": (3992, 722, 672, 520, 507),
        "2002final": (2125, 514, 459, 376, 342),
        "2003final": (2112, 410, 398, 320, 205),
        "2004final": (2223, 390, 343, 323, 306),
    }
    assert [sum(column) for column in zip(*games.values(), strict=True)] == [
        10452, 2036, 1872, 1539, 1360]  # fmt: skip


@pytest.mark.data
@pytest.mark.parametrize(
    ("track", "comments", "labels", "pairs"), [("comments", 444, 444, 733), ("bbc", 507, 345, 345)]
)
def test_the_real_matches(data: Path, track: str, comments: int, labels: int, pairs: int):
    assert track in TRACKS
    matches = list(read_corpus(data / "epl-2015", track=track))
    assert sum(len(m.match.linkable) for m in matches) == 9001
    assert sum(len(m.match.comments) for m in matches) == comments
    assert sum(len(m.gold or {}) for m in matches) == labels
    described = [
        (m, event) for m in matches for events in (m.gold or {}).values() for event in events
    ]
    assert len(described) == pairs
    assert all(m.match.event_by_id[event].linkable for m, event in described)


def test_meanings_become_labels_by_id(tmp_path: Path):
    (game,) = read_corpus(robocup(tmp_path))
    found = listed_labels(game.match, game.gold, game.keys)
    assert found == {0: {frozenset(): 1}, 1: {frozenset({"1"}): 1}, 2: {frozenset(): 1}}
    elsewhere = listed_labels(game.match, {0: frozenset({"kick ( red1 )"})}, game.keys)
    assert elsewhere == {}
    twice = {1: frozenset({"ballstopped", "pass ( red9 , red2 )"})}
    shared = listed_labels(game.match, twice, game.keys)
    assert shared == {1: {frozenset({"1"}): 0.5, frozenset({"2"}): 0.5}}
