"""What a user should know of a commentary's clocks before trusting links made by them."""

from __future__ import annotations

from collections.abc import Iterator

from touchline.match import Comment, Kickoff, Match

# Pages go on after the whistle; what lies this many seconds beyond the log is another matter.
AFTERMATH = 600.0


def reports(match: Match) -> Iterator[str]:
    """The kick-offs that were estimated, a sentence each."""
    for kickoff in match.kickoffs:
        if not kickoff.given and kickoff.sure:
            yield _report(kickoff)


def doubts(match: Match) -> Iterator[str]:
    """What may be wrong with the clocks, a sentence each; nothing for a sound commentary."""
    for kickoff in match.kickoffs:
        if not kickoff.sure:
            advice = f"if it is wrong, give --kickoff {kickoff.period}=SECONDS"
            yield f"{_report(kickoff)}, which is unsure; {advice}"
    comments = match.comments
    lost = sum(comment.start is None for comment in comments)
    if lost:
        how = "they are linked by their words alone"
        yield f"{lost} of {len(comments)} comments have no clock; {how}"
    late = sum(_is_late(match, comment) for comment in comments)
    if late:
        yield f"{late} of {len(comments)} comments are timed after the log's end; they get no event"


def _report(kickoff: Kickoff) -> str:
    since = f"after a cut at {kickoff.since:.0f} s, " if kickoff.since is not None else ""
    return (
        f"{since}period {kickoff.period} kicks off at {kickoff.seconds:.0f} s of the recording, "
        f"estimated by the names with certainty {kickoff.certainty:.2f}"
    )


def _is_late(match: Match, comment: Comment) -> bool:
    if comment.start is None or comment.period is None or comment.candidates is not None:
        return False
    end = match.ends.get(comment.period)
    return end is None or comment.start > end + AFTERMATH
