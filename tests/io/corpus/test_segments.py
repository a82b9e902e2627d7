"""Reading and writing `segments.jsonl`."""

from __future__ import annotations

import pytest

from touchline import InputError
from touchline.io.corpus.segments import SegmentLine, read_segments, write_segments


def lines(match, *segments, path):
    path.write_bytes(b"".join(write_segments(segments)))
    return read_segments(path, match)


def test_what_is_written_is_read_again(sample, tmp_path):
    match = sample[0].match
    comment, event = match.comments[0], match.linkable[0].id
    path = tmp_path / "segments.jsonl"
    line = SegmentLine(id=comment.id, event=event, spans=((0, 3), (4, 6)))
    assert lines(match, line, path=path) == {comment.id: {event: ((0, 3), (4, 6))}}
    assert read_segments(tmp_path / "none.jsonl", match) is None


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"id": "nobody"}, "line 2: the comment 'nobody' is not in the commentary"),
        ({"event": "nothing"}, "line 2: the event 'nothing' is not in the log"),
        ({}, "line 2: a second line about"),
        ({"spans": ((5, 3),)}, r"line 2: the span \[5, 3\] is empty"),
        ({"spans": ((0, 10_000),)}, "out of range; the text has"),
        ({"spans": ((4, 6), (0, 3))}, "out of order"),
    ],
)
def test_a_bad_line_is_named(sample, tmp_path, change, problem):
    match = sample[0].match
    good = {"id": match.comments[0].id, "event": match.linkable[0].id, "spans": ((0, 3),)}
    bad = {**good, "event": match.linkable[1].id, **change}
    if not change:
        bad = good
    with pytest.raises(InputError, match=problem):
        lines(match, SegmentLine(**good), SegmentLine(**bad), path=tmp_path / "segments.jsonl")


def test_a_line_that_is_no_segment_is_named(sample, tmp_path):
    path = tmp_path / "segments.jsonl"
    path.write_text('{"id": 1}\n')
    with pytest.raises(InputError, match=r'line 1.*expected \{"id", "event", "spans"'):
        read_segments(path, sample[0].match)
