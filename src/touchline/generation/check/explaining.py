"""Findings beside the lines of a match page: as notes, with their words marked."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from touchline.core.records import CommentId, Match
from touchline.generation.check.records import Finding
from touchline.methods.explanation import Claim, Explain, Explanation

# Words of a finding are marked before all others.
_WEIGHT = 3.0


class CheckedExplanation(Explanation, frozen=True, kw_only=True):
    """The explanation of a comment, and what `check` found in it."""

    explained: Explanation
    findings: tuple[Finding, ...]

    def claims(self) -> Iterator[Claim]:
        for finding in self.findings:
            for start, end in finding.words if finding.kind != "no-event" else ():
                yield Claim(start=start, end=end, event=None, kind="lost", weight=_WEIGHT)
        yield from self.explained.claims()

    def heaviest(self) -> Iterable[tuple[str, tuple[str, ...]]]:
        return self.explained.heaviest()

    def notes(self) -> Iterator[tuple[str, str]]:
        for finding in self.findings:
            sentence = f"{finding.sentence} ({finding.probability:.2f})"
            yield f"{finding.severity.capitalize()}: {finding.kind}", sentence
        yield from self.explained.notes()


def with_findings(explain: Explain, findings: Sequence[Finding]) -> Explain:
    """Explain comments as before, with the findings of one match first."""
    by_comment: dict[CommentId, list[Finding]] = defaultdict(list)
    for finding in findings:
        by_comment[finding.comment].append(finding)

    def explained(match: Match, comment: CommentId) -> Explanation:
        inner = explain(match, comment)
        if comment not in by_comment:
            return inner
        return CheckedExplanation(
            method=inner.method,
            match=inner.match,
            comment=comment,
            text=inner.text,
            explained=inner,
            findings=tuple(by_comment[comment]),
        )

    return explained
