"""Asking an outside annotator: what it is asked, how its answers are checked, where they go."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import grimp
import msgspec
import pytest

from touchline.core.errors import TouchlineError, UsageError
from touchline.core.records import Comment
from touchline.io.corpus.gold import GoldLine
from touchline.io.corpus.label_file import LabelFile, check_annotator
from touchline.pipeline.annotate.answers import Conversation, Labelled, Problem
from touchline.pipeline.annotate.command import NoAnswerError, split_command
from touchline.pipeline.annotate.questions import MAX_CANDIDATES, questions
from touchline.pipeline.annotate.run import MAX_SILENT, MAX_UNUSABLE, annotate
from touchline.web.api.endpoints import description


@pytest.fixture
def corpus(tmp_path, sample_folder) -> Path:
    """Both bundled matches, with the first six comments of each."""
    copy = tmp_path / "corpus"
    shutil.copytree(sample_folder.parent, copy)
    for comments in copy.glob("*/comments.jsonl"):
        kept = comments.read_text("utf-8").splitlines()[:6]
        comments.write_text("\n".join(kept) + "\n", "utf-8")
        gold = comments.with_name("gold.jsonl")
        gold.write_text("\n".join(gold.read_text("utf-8").splitlines()[:6]) + "\n", "utf-8")
    return copy


@pytest.fixture
def script(tmp_path):
    """Writes an annotator; `q` is the question, `answer(events)` prints an answer to it."""

    def script(body: str) -> list[str]:
        path = tmp_path / "annotator.py"
        path.write_text(
            "import json, os, sys, time\n"
            "def answer(events=(), **more):\n"
            "    found = {'comment': q['comment'], 'events': list(events), **more}\n"
            "    print(json.dumps(found), flush=True)\n"
            "for n, line in enumerate(sys.stdin):\n"
            "    q = json.loads(line)\n" + "".join(f"    {line}\n" for line in body.splitlines()),
            "utf-8",
        )
        return [sys.executable, str(path)]

    return script


def labels(corpus: Path, name: str = "annotator") -> list[tuple[str, dict]]:
    """The labels on disk, in order, with their matches."""
    return [
        (path.parent.parent.name, json.loads(line))
        for path in sorted(corpus.glob(f"*/labels/{name}.jsonl"))
        for line in path.read_text("utf-8").splitlines()
    ]


# Questions ----------------------------------------------------------------------------------------


def test_a_question_has_the_bucket_and_the_neighbours(small_match):
    first, second, third, last = questions(small_match)
    assert (first.match, first.comment, first.time) == ("small", 0, 15)
    assert [c.id for c in first.candidates] == ["e0", "e1", "e2"]
    assert first.clock == "1'"
    assert (second.clock, second.before) == ("2'", (first.text,))
    assert second.after == (third.text, "")
    assert [c.id for c in third.candidates] == ["e3", "e4"]  # the carry is not linkable
    assert last.candidates == ()
    shot = msgspec.to_builtins(first.candidates[1])
    assert shot == {
        "id": "e1", "type": "Shot", "clock": "1'", "period": 1, "time": 14.0,
        "team": "Redfield City", "player": "Bo Reis", "others": (), "outcome": "Saved",
        "describe": "Shot (Saved) Bo Reis",
    }  # fmt: skip
    assert first.candidates[0].others[0].player == "Bo Reis"


def test_of_too_many_events_the_nearest_are_candidates_in_match_order(small_match):
    one = small_match.events[0]
    many = [msgspec.structs.replace(one, id=f"m{i}", time=i / 10) for i in range(400)]
    match = msgspec.structs.replace(small_match, events=tuple(many))
    found = [c.id for c in next(questions(match)).candidates]
    assert len(found) == MAX_CANDIDATES
    assert found == [f"m{i}" for i in range(75, 225)]


def test_a_comment_that_could_be_about_anything_is_not_asked_about(small_match):
    one = small_match.events[0]
    many = [msgspec.structs.replace(one, id=f"m{i}", time=10.0 * i) for i in range(400)]
    match = msgspec.structs.replace(small_match, events=tuple(many))
    match = match.with_comments([Comment(id=0, text="?"), *small_match.comments[:1]])
    assert [len(question.candidates) for question in questions(match)] == [10]


def test_where_only_the_minute_is_known_no_second_is_given(corpus, script):
    command = script("answer(note=repr(q['time']) + q['clock'])")
    annotate(corpus, command, clock="minute", limit=1)
    assert labels(corpus)[0][1]["note"] == "None1'"


# Answers ------------------------------------------------------------------------------------------


class Fake:
    """A command that says given lines."""

    def __init__(self, *lines: object) -> None:
        self.lines = [x if isinstance(x, bytes) else json.dumps(x).encode() for x in lines]

    def send(self, line: bytes) -> None:
        pass

    def close(self) -> None:
        pass

    finish = close

    def receive(self, since: float) -> bytes:
        if not self.lines:
            raise NoAnswerError("no answer")
        return self.lines.pop(0)


def ask(small_match, number, *lines):
    talk = Conversation(Fake(*lines))
    return [list(talk.ask(question)) for question in list(questions(small_match))[:number]]


def test_an_answer_is_a_label_in_match_order(small_match):
    said = {"comment": 0, "events": ["e1", "e0", "e1"], "sure": False, "note": "ć"}
    [[found]] = ask(small_match, 1, said)
    assert found.label == GoldLine(id=0, events=("e0", "e1"), sure=False, note="ć", machine=True)


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        (b"Loading the model ...", "not an answer"),
        (b"\xff\xfe", "not an answer"),
        (b"[" * 100_000, "not an answer"),
        ({"comment": 0}, "it has no events"),
        ({"comment": 0, "error": "busy"}, "the command has no answer: busy"),
        ({"comment": 0, "error": "busy", "events": []}, "the command has no answer: busy"),
        ({"events": []}, "`comment`"),
        ({"comment": 0, "events": "e1"}, "`$.events`"),
        ({"comment": 0, "events": [1]}, "`$.events[0]`"),
        ({"comment": 0, "events": [], "sure": "yes"}, "`$.sure`"),
        ({"comment": 0, "events": [], "note": 3}, "`$.note`"),
        ({"comment": True, "events": []}, "`$.comment`"),
        ({"comment": 0, "events": ["e4"]}, "'e4' is not among the candidates"),
        ({"comment": 0, "events": ["e77"]}, "'e77' is not among the candidates"),
        ({"comment": "0", "events": []}, "comment '0', which was not asked about"),
        ({"comment": 3, "events": []}, "comment 3, which was not asked about"),
        ({"comment": 0, "events": [], "match": "other"}, "not asked about"),
    ],
)
def test_bad_answers(small_match, said, problem):
    [[found]] = ask(small_match, 1, said)
    assert isinstance(found, Problem)
    assert problem in found.problem
    assert str(found).startswith("small, comment 0: ")


def test_a_stray_line_shifts_no_answer(small_match):
    one, two = {"comment": 0, "events": ["e1"]}, {"comment": 1, "events": ["e3"]}
    first, second = ask(small_match, 2, b"Loading ...", one, two)
    assert [type(found) for found in first] == [Problem]
    assert [found.label.id for found in second] == [0, 1]


def test_an_answer_given_twice_is_taken_once(small_match):
    one, two = {"comment": 0, "events": ["e1"]}, {"comment": 1, "events": []}
    first, second = ask(small_match, 2, one, {**one, "events": []}, two)
    assert [found.label.events for found in first] == [("e1",)]
    assert second[0] == Problem("small", 0, "answered a second time")
    assert second[1].label.id == 1


def test_late_answers_are_taken_in_the_end(small_match):
    talk = Conversation(Fake(b"Loading ...", {"comment": 0, "events": []}))
    question = next(questions(small_match))
    assert isinstance(next(talk.ask(question)), Problem)
    assert [type(found) for found in talk.finish()] == [Labelled]


# Files --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["gpt-4.1", "anna", "Żaneta_2", "a"])
def test_names_of_annotators(name):
    assert check_annotator(name) == name


@pytest.mark.parametrize("name", ["", "..", ".x", "a/b", "a\\b", "gold", "GOLD", "nul", "a ", "a.",
                                  "-x", "x" * 65, "a\nb", "a:b"])  # fmt: skip
def test_names_that_are_no_files(name):
    with pytest.raises(UsageError, match="annotator"):
        check_annotator(name)


def test_half_a_line_is_replaced_and_a_whole_one_without_its_end_is_kept(tmp_path):
    whole, half = b'{"id":0,"events":[],"machine":true}', b'{"id":1,"ev'
    path = tmp_path / "labels" / "m.jsonl"
    path.parent.mkdir()
    for tail, known, kept in ((half, {0}, 1), (whole.replace(b"0", b"1"), {0, 1}, 2)):
        path.write_bytes(whole + b"\n" + tail)
        file = LabelFile(tmp_path, "m")
        assert file.answered == known
        file.append(GoldLine(id=2, events=(), machine=True))
        lines = path.read_bytes().split(b"\n")
        assert len(lines) == kept + 2
        assert [json.loads(line)["id"] for line in lines[:-1]] == [*sorted(known), 2]


def test_labels_of_a_person_are_not_added_to(tmp_path):
    path = tmp_path / "labels" / "ann.jsonl"
    path.parent.mkdir()
    path.write_text('{"id": 0, "events": []}\n')
    with pytest.raises(UsageError, match="a person made"):
        LabelFile(tmp_path, "ann")


# Runs ---------------------------------------------------------------------------------------------


def test_all_comments_are_asked_in_order_by_one_process(corpus, script):
    before = {path: path.read_bytes() for path in corpus.glob("*/gold.jsonl")}
    done = annotate(corpus, script("answer([c['id'] for c in q['candidates'][:1]], "
                                   "note=f'{os.getpid()} {n}')"))  # fmt: skip
    assert (done.asked, done.answered, done.left, done.problems) == (12, 12, 0, ())
    found = labels(corpus)
    assert [label["id"] for _, label in found] == [0, 1, 2, 3, 4, 5] * 2
    pids, numbers = zip(*(label["note"].split() for _, label in found), strict=True)
    assert len(set(pids)) == 1
    assert list(numbers) == [str(n) for n in range(12)]
    assert all(label["machine"] is True for _, label in found)
    assert {path: path.read_bytes() for path in corpus.glob("*/gold.jsonl")} == before


def test_what_is_answered_is_not_asked_again(corpus, script):
    command = script("answer()")
    plans = []
    annotate(corpus, command, limit=8)
    assert len(labels(corpus)) == 8
    done = annotate(corpus, command, announce=plans.append)
    assert (done.asked, plans[0].answered, plans[0].comments) == (4, 8, 4)
    assert len(labels(corpus)) == 12
    again = annotate(corpus, ["no-such-program"], annotator="annotator")  # it is not even started
    assert (again.asked, again.complete) == (0, True)


def test_one_match_only(corpus, script):
    annotate(corpus, script("answer()"), matches=["port-selwyn-dunveagh"], annotator="m")
    assert {match for match, _ in labels(corpus, "m")} == {"port-selwyn-dunveagh"}
    with pytest.raises(UsageError, match="no match 'x' in"):
        annotate(corpus, script("answer()"), matches=["x"])


def test_several_copies_answer_everything_once(corpus, script):
    done = annotate(corpus, script("time.sleep(.1)\nanswer(note=str(os.getpid()))"), jobs=3)
    found = labels(corpus)
    assert (done.answered, len(found)) == (12, 12)
    assert len({(match, label["id"]) for match, label in found}) == 12
    assert len({label["note"] for _, label in found}) == 3


def test_agreement_with_people_and_machines(corpus, script, tmp_path):
    gold = {path.parent.name: [json.loads(x) for x in path.read_text("utf-8").splitlines()]
            for path in corpus.glob("*/gold.jsonl")}  # fmt: skip
    known = tmp_path / "gold.json"
    known.write_text(json.dumps({m: {x["id"]: x["events"] for x in xs} for m, xs in gold.items()}))
    look_up = f"e = json.load(open({str(known)!r}))[q['match']][str(q['comment'])]\n"
    annotate(corpus, script(look_up + "answer(e)"), annotator="exact")
    home = corpus / "harrowmere-castlebrook"
    (home / "labels" / "ann.jsonl").write_text(json.dumps(gold[home.name][2]) + "\n", "utf-8")
    done = annotate(corpus, script(look_up + "answer(e[1:])"), annotator="partly")
    assert [(one.other, one.machine, one.comments) for one in done.agreements] == [
        ("gold.jsonl", False, 12), ("ann", False, 1), ("exact", True, 12),
    ]  # fmt: skip
    first, person, machine = done.agreements
    pairs = [x["events"] for xs in gold.values() for x in xs]
    a, b = sum(len(e[1:]) for e in pairs), sum(len(e) for e in pairs)
    assert first.pair_f1 == pytest.approx(2 * a / (a + b))
    assert first.exact == pytest.approx(sum(not e for e in pairs) / 12)
    assert 0 < (first.kappa or 0) < first.pair_f1
    assert machine == msgspec.structs.replace(first, other="exact", machine=True)
    assert person.pair_f1 == pytest.approx(2 / 3)
    assert (home / "gold.jsonl").read_text("utf-8").count("\n") == 6


def test_a_command_that_hangs_is_replaced(corpus, script):
    seen = []
    command = script("time.sleep(60) if q['comment'] == 2 else answer(note=str(os.getpid()))")
    done = annotate(corpus, command, timeout=5, limit=6, report=seen.append)
    assert (done.asked, done.answered) == (6, 5)
    assert [(one.comment, one.problem) for one in seen] == [(2, "no answer within 5 s")]
    assert len({label["note"] for _, label in labels(corpus)}) == 2


def test_a_command_that_always_hangs_is_given_up(corpus, script):
    done = annotate(corpus, script("time.sleep(60)"), timeout=0.3)
    assert (done.asked, done.answered) == (MAX_SILENT, 0)
    assert done.left == 12 - MAX_SILENT


def test_a_command_that_never_reads_does_not_block(corpus, tmp_path):
    sleeper = [sys.executable, "-c", "import time; time.sleep(60)"]
    for path in corpus.glob("*/comments.jsonl"):  # more than a pipe takes
        lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        long = [{**line, "text": line["text"] * 2000} for line in lines]
        path.write_text("".join(json.dumps(line) + "\n" for line in long), "utf-8")
    done = annotate(corpus, sleeper, timeout=0.3, annotator="m")
    assert done.answered == 0


def test_unusable_answers_are_not_bought_for_ever(corpus, script):
    done = annotate(corpus, script("answer(['nothing'])"))
    assert (done.asked, done.answered, len(done.problems)) == (MAX_UNUSABLE, 0, MAX_UNUSABLE)


def test_a_command_that_dies_on_one_comment_is_started_again(corpus, script):
    done = annotate(corpus, script("sys.exit(7) if q['comment'] == 3 else answer()"), limit=6)
    assert (done.answered, [str(one) for one in done.problems]) == (
        5, ["harrowmere-castlebrook, comment 3: the command ended with exit code 7"],
    )  # fmt: skip


@pytest.mark.posix
@pytest.mark.parametrize(
    ("body", "how"),
    [("sys.exit(4)", "ended with exit code 4"), ("os.kill(os.getpid(), 9)", "ended by signal 9")],
)
def test_a_command_that_dies_without_an_answer_is_an_error(corpus, script, body, how):
    with pytest.raises(TouchlineError, match=f"comment 0: the command .*{how}, without any answer"):
        annotate(corpus, script(body))
    assert labels(corpus) == []


def test_a_broken_match_stops_no_other(corpus, script):
    (corpus / "harrowmere-castlebrook" / "comments.jsonl").write_text("{")
    done = annotate(corpus, script("answer()"))
    assert (done.answered, done.complete) == (6, False)
    assert done.plan.broken[0][0] == "harrowmere-castlebrook"


def test_commands_are_split_and_not_interpreted():
    assert split_command("a 'b c' ; touch x | $HOME *") == [
        "a", "b c", ";", "touch", "x", "|", "$HOME", "*",
    ]  # fmt: skip
    for wrong in ("", "   ", "a 'b"):
        with pytest.raises(UsageError):
            split_command(wrong)


# The server ---------------------------------------------------------------------------------------


def test_neither_server_nor_page_can_reach_it():
    graph = grimp.build_graph("touchline", cache_dir=None)
    asking = "touchline.pipeline.annotate"
    reached = {
        importer: graph.find_shortest_chain(f"touchline.{importer}", asking, as_packages=True)
        for importer in ("web", "report", "cli")
    }
    assert [importer for importer, chain in reached.items() if chain] == ["cli"]
    assert len(description()["paths"]) > 10
    assert "annotate" not in json.dumps(description())
