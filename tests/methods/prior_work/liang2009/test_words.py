"""The segments of Liang et al. as words of events."""

from __future__ import annotations

from touchline import make_aligner


def test_segments_lie_in_the_text_and_do_not_overlap(sample):
    match = sample[0].match
    alignment = make_aligner("liang2009", {"rounds": 3}).infer(match)
    comment = next(c for c, answer in zip(match.comments, alignment.links, strict=True)
                   if answer.events)  # fmt: skip
    own = alignment.words(comment.id)
    assert set(own) == {link.id for link in alignment.links.answer_to(comment.id).events}
    spans = sorted(span for some in own.values() for span in some)
    assert spans
    ends = [place for span in spans for place in span]
    assert ends == sorted(ends)
    assert ends[-1] <= len(comment.text)
    assert alignment.words(comment.id, ["nothing"]) == {"nothing": ()}
