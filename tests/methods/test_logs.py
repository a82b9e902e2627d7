"""Whether two logs are of the same match."""

from __future__ import annotations

from msgspec.structs import replace

from touchline.methods.logs import KEPT, is_same_log, log_sketch


def test_a_log_is_the_same_under_another_text(sample):
    first, second = (one.match for one in sample)
    other_text = first.with_comments(second.comments)
    assert is_same_log(other_text, [log_sketch(second), log_sketch(first)])
    assert not is_same_log(first, [log_sketch(second)])
    assert not is_same_log(first, [])


def test_a_log_that_was_cut_or_renamed_is_the_same(sample):
    match = sample[0].match
    cut = replace(match, events=match.events[: len(match.events) // 2])
    other_ids = replace(match, events=tuple(replace(e, id=f"x{e.id}") for e in match.events))
    assert is_same_log(cut, [log_sketch(match)])
    assert is_same_log(other_ids, [log_sketch(match)])


def test_a_sketch_is_small_and_in_order(sample, small_match):
    sketch = log_sketch(sample[0].match)
    assert len(sketch) == KEPT
    assert sketch == sorted(sketch)
    assert is_same_log(small_match, [log_sketch(small_match)])
    assert len(log_sketch(small_match)) < KEPT
