"""Every form of speech recognition, made of the same lines of ours."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fuzzing.recognisers import FORMS, Said, whisper, whisper_cpp, written
from touchline import read_comments
from touchline.core.errors import InputError
from touchline.io.commentary import BUILT_IN, recognise

LINES = [
    Said(3.2, "Here's Field, to Archer."),
    Said(6.0, "Archer turns and shoots!"),
    Said(70.5, "Saved by van Meer, at full stretch."),
]
# These have no words, only lines.
WITHOUT_WORDS = ("segments/echoes", "segments/bare", "segments/transformers")


@pytest.fixture
def put(tmp_path: Path):  # type: ignore[no-untyped-def]
    def put(content: Any, name: str = "speech.json") -> Path:
        path = tmp_path / name
        data = content if isinstance(content, bytes) else json.dumps(content).encode()
        path.write_bytes(data)
        return path

    return put


@pytest.mark.parametrize("form", FORMS)
def test_all_say_the_same(put, form: str) -> None:  # type: ignore[no-untyped-def]
    path = put(written(form, LINES))
    assert recognise(path, path.read_text()) == form.partition("/")[0]
    comments = read_comments(path)
    assert [c.id for c in comments] == [0, 1, 2]
    assert [c.text for c in comments] == [one.text for one in LINES]
    assert [c.start for c in comments] == pytest.approx([3.2, 6.0, 70.5])
    assert [c.end for c in comments] == pytest.approx([one.end for one in LINES])
    assert {(c.period, c.kickoff, c.anywhere) for c in comments} == {(1, 0.0, False)}
    assert read_comments(path, kind=form.partition("/")[0]) == comments


@pytest.mark.parametrize("form", FORMS)
def test_words_keep_their_times(put, form: str) -> None:  # type: ignore[no-untyped-def]
    comment = read_comments(put(written(form, LINES)))[2]
    words = [(word, start) for word, start, _ in LINES[2].words]
    if form in WITHOUT_WORDS:
        assert comment.spoken == ()
        return
    if form == "segments/whisperx":
        words = [word for i, word in enumerate(words) if i % 5 != 4]
    assert [second for _, second in comment.spoken] == pytest.approx([time for _, time in words])
    said = [comment.text[at:].split()[0] for at, _ in comment.spoken]
    assert said == [word for word, _ in words]
    assert comment.second_at(comment.text.index("Meer")) == pytest.approx(70.5 + 3 * 0.4)


@pytest.mark.parametrize("form", FORMS)
def test_one_file_a_half_on_the_log_s_clock(put, form: str) -> None:  # type: ignore[no-untyped-def]
    files = [put(written(form, LINES), f"{half}.json") for half in (1, 2)]
    first, *_, last = read_comments(files, kickoffs={1: 3.0, 2: 70.0})
    assert (first.id, first.period, first.start) == ("1:0", 1, pytest.approx(0.2))
    assert (last.id, last.period, last.start) == ("2:2", 2, pytest.approx(0.5))
    if form not in WITHOUT_WORDS:
        assert last.spoken[0] == (0, pytest.approx(0.5))


def test_every_form_is_a_kind() -> None:
    assert {form.partition("/")[0] for form in FORMS} <= set(BUILT_IN)
    assert all(BUILT_IN[form.partition("/")[0]].recorded for form in FORMS)


@pytest.mark.parametrize("form", ["segments/openai-words", "amazon", "google/v1"])
def test_words_alone_make_lines(put, form: str) -> None:  # type: ignore[no-untyped-def]
    """To the full stop, to a pause, to a length that can be said."""
    lines = [
        Said(0.0, "A. Cole of Man. United is down. He gets up."),
        Said(20.0, "and now a long pause"),
        Said(23.0, "then on and on"),
        Said(30.0, " ".join(f"word{i}" for i in range(60))),
    ]
    comments = read_comments(put(written(form, lines)))
    assert [c.text for c in comments[:4]] == [
        "A. Cole of Man. United is down.",
        "He gets up.",
        "and now a long pause",
        "then on and on",
    ]
    assert [c.start for c in comments[:4]] == pytest.approx([0.0, 2.8, 20.0, 23.0])
    long = comments[4:]
    assert len(long) == 2
    assert " ".join(c.text for c in long) == lines[3].text
    assert all((c.end or 0) - (c.start or 0) <= 15 for c in long)


def test_another_speaker_starts_another_line(put) -> None:  # type: ignore[no-untyped-def]
    words = [{"word": w, "start": i, "end": i + 1, "speaker": f"S{i // 2}"}
             for i, w in enumerate(["oh", "yes", "what", "now"])]  # fmt: skip
    assert [c.text for c in read_comments(put({"words": words}))] == ["oh yes", "what now"]


@pytest.mark.parametrize("spaced", [True, False])
def test_lines_of_a_word_each_are_put_together(put, spaced: bool) -> None:  # type: ignore[no-untyped-def]
    """whisper.cpp with `-ml 1`; Transformers with `return_timestamps="word"`."""
    words = [Said(0.4 * i, f"w{i}") for i in range(30)]
    cpp = whisper_cpp(words)
    for row in cpp["transcription"]:
        row["text"] = row["text"] if spaced else row["text"].strip()
    comments = read_comments(put(cpp))
    assert " ".join(c.text for c in comments) == " ".join(one.text for one in words)
    assert len(comments) == 1
    assert len(comments[0].spoken) == 30


def test_an_item_of_amazon_without_words_is_a_segment(put) -> None:  # type: ignore[no-untyped-def]
    content = json.loads(written("amazon", LINES))
    content["results"]["items"] = []
    comments = read_comments(put(content))
    assert [(c.text, c.start, c.spoken) for c in comments] == [
        (one.text, one.start, ()) for one in LINES
    ]


def test_google_without_word_times(put) -> None:  # type: ignore[no-untyped-def]
    content = json.loads(written("google/v2", LINES))
    for row in content["results"]:
        del row["alternatives"][0]["words"]
    comments = read_comments(put(content))
    assert [(c.start, c.end) for c in comments] == [
        (0.0, LINES[0].end), (LINES[0].end, LINES[1].end), (LINES[1].end, LINES[2].end),
    ]  # fmt: skip


def test_google_leaves_out_a_start_of_zero(put) -> None:  # type: ignore[no-untyped-def]
    words = [{"word": "Off", "endOffset": "0.400s"}, {"word": "now", "startOffset": "0.400s"}]
    content = {"results": [{"alternatives": [{"transcript": "Off now", "words": words}]}]}
    assert read_comments(put(content))[0].spoken == ((0, 0.0), (4, 0.4))


def test_google_batches_by_file(put) -> None:  # type: ignore[no-untyped-def]
    inner = json.loads(written("google/v2", LINES))
    content = {"response": {"results": {"gs://a/b.wav": {"transcript": inner}}}}
    assert [c.text for c in read_comments(put(content))] == [one.text for one in LINES]


def test_azure_puts_channels_in_the_order_of_time(put) -> None:  # type: ignore[no-untyped-def]
    content = json.loads(written("azure", LINES))
    rows = content["recognizedPhrases"]
    rows[0]["channel"] = 1
    content["recognizedPhrases"] = [*rows[1:], rows[0]]
    assert [c.text for c in read_comments(put(content))] == [one.text for one in LINES]


def test_what_python_writes_for_no_number(put) -> None:  # type: ignore[no-untyped-def]
    content = whisper(LINES)
    content["segments"][0]["avg_logprob"] = float("nan")
    content["segments"][1]["words"][0]["start"] = float("nan")
    comments = read_comments(put(content))
    assert [c.start for c in comments] == [3.2, 6.0, 70.5]
    assert len(comments[1].spoken) == 3


def test_a_segment_on_each_line(put) -> None:  # type: ignore[no-untyped-def]
    rows = whisper(LINES)["segments"]
    data = "\n".join(json.dumps(row) for row in rows).encode()
    path = put(data)
    assert recognise(path, data.decode()) == "segments"
    assert [c.start for c in read_comments(path)] == [3.2, 6.0, 70.5]
    broken = put(data + b"\n{")
    with pytest.raises(InputError, match=r"line 4: not valid JSON"):
        read_comments(broken)


@pytest.mark.parametrize(
    "rows",
    [
        [{"start": 10, "end": 12.5, "period": 1, "text": "Foul"}],
        [{"start": "12:34", "end": "12:40", "text": "Foul"}],
        [{"time": 10, "text": "Foul"}],
    ],
)
def test_tables_stay_tables(put, rows: Any) -> None:  # type: ignore[no-untyped-def]
    path = put(rows)
    assert recognise(path, path.read_text()) == "json"


@pytest.mark.parametrize(
    ("kind", "content", "problem"),
    [
        ("segments", {"segments": {"0": [0, 1]}}, "segment 0: expected"),
        ("segments", {"segments": [{"start": 0, "end": 1, "text": 3}]}, "segment 0: expected"),
        ("segments", {"segments": 3}, "no segments; expected"),
        ("segments", [[None, None, "a"]], "no line has a time"),
        ("segments", {"words": [{"word": 1, "start": 0}]}, "word: the text 1 is not a string"),
        ("segments", {"chunks": [{"timestamp": 1, "text": "a"}]}, "chunk 0: its timestamp 1"),
        ("whisper-cpp", {}, "no `transcription` list"),
        ("whisper-cpp", {"transcription": [1]}, "transcription 0: expected an object"),
        ("whisper-cpp", {"transcription": [{"text": "a", "offsets": {"from": "x"}}]},
         "transcription 0: its from 'x' is not a number"),
        ("amazon", {"results": []}, "no `results`; expected"),
        ("amazon", {"results": {"items": [{"alternatives": 1}]}}, "item 0: `alternatives` is not"),
        ("amazon", {"results": {"items": [{"start_time": "a", "alternatives": []}]}},
         "item 0: its start_time 'a'"),
        ("google", {"results": 1}, "no `results` list"),
        ("google", {"results": [{"alternatives": [{"words": [
            {"word": "a", "startTime": {"seconds": "x"}}]}]}]}, "result 0: its start of a word"),
        ("azure", {}, "no `recognizedPhrases` list"),
        ("azure", {"recognizedPhrases": [{"offset": "P1D", "nBest": []}]}, "phrase 0: its offset"),
        ("azure", {"recognizedPhrases": [{"offsetInTicks": 1e15}]}, "phrase 0: 1e.08 seconds"),
    ],
)  # fmt: skip
def test_what_is_not_understood(put, kind: str, content: Any, problem: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InputError, match=problem):
        read_comments(put(content), kind)
