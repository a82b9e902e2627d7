"""What a user should know of a commentary before trusting links made from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from touchline.core.records import Comment, Kickoff, Match
from touchline.io.commentary.same_match import wrong_match

# Pages go on after the whistle; what lies this many seconds beyond the log is another matter.
AFTERMATH = 600.0
# Nobody says so much in so little of a match, in seconds.
MANY, SHORT = 40, 180.0


def reports(match: Match) -> Iterator[str]:
    """What was estimated of the clocks: kick-offs of a recording, the half of a text."""
    for kickoff in match.kickoffs:
        if kickoff.applied and not kickoff.given and kickoff.sure:
            yield _report(kickoff)
    half = match.second_half
    if half is not None and half.applied:
        second = sum(comment.period == 2 for comment in match.comments)
        every = all(comment.period != 1 for comment in match.comments)
        what = "the text is" if every else f"{second} of {len(match.comments)} comments are"
        yield f"{what} read as the second half, judging by the names; the clock restarts at 1'"


def doubts(match: Match) -> Iterator[str]:
    """What may be wrong with a commentary, one sentence each; empty for a sound one."""
    for kickoff in match.kickoffs:
        if not kickoff.applied:
            yield _suspicion(kickoff, match.kickoffs)
        elif not kickoff.sure:
            advice = f"if it is wrong, give --kickoff {kickoff.period}=SECONDS"
            yield f"{_report(kickoff)}, which is uncertain; {advice}"
    if match.second_half is not None and not match.second_half.applied:
        advice = (
            "if it is about the second half, write its clock from 46' on, or add a period column"
        )
        yield f"the text is read as the first half, but the names fit the second better; {advice}"
    comments = match.comments
    lost = sum(comment.start is None and comment.candidates is None for comment in comments)
    if lost:
        how = "they are linked by their words only"
        yield f"{lost} of {len(comments)} comments have no clock; {how}"
    late = sum(_is_late(match, comment) for comment in comments)
    if late:
        yield f"{late} of {len(comments)} comments are timed after the log's end and get no event"
    if _is_squeezed(comments):
        where = "all comments lie within a few minutes of the match"
        yield f"{where}; if their clocks are times of the day (20:03), they are misread"
    if (problem := wrong_match(match)) is not None:
        yield problem


def _is_squeezed(comments: Sequence[Comment]) -> bool:
    """As the entries of a page are that are marked by the time of the day: 20:03 to 21:53."""
    times = [(c.period, c.start) for c in comments if c.start is not None and c.candidates is None]
    if len(times) < MANY or len({period for period, _ in times}) > 1:
        return False
    seconds = [start for _, start in times]
    return max(seconds) - min(seconds) < SHORT


def _report(kickoff: Kickoff) -> str:
    since = f"after a cut at {kickoff.since:.0f} s, " if kickoff.since is not None else ""
    return (
        f"{since}period {kickoff.period} kicks off at {kickoff.seconds:.0f} s of the recording, "
        f"estimated from the names with certainty {kickoff.certainty:.2f}"
    )


def _suspicion(suspected: Kickoff, kickoffs: Sequence[Kickoff]) -> str:
    """A cut that is too uncertain to be applied, and the options that apply it."""
    since = 0.0 if suspected.since is None else suspected.since
    until = "on" if suspected.until is None else f"to {suspected.until:.0f} s"
    options = " ".join(_options(suspected, kickoffs))
    return (
        f"a suspected cut in the recording is not applied: from {since:.0f} s {until}, period "
        f"{suspected.period} may kick off at {suspected.seconds:.0f} s, estimated from the names "
        f"with certainty {suspected.certainty:.2f}; if it does, give {options}"
    )


def _options(suspected: Kickoff, kickoffs: Sequence[Kickoff]) -> Iterator[str]:
    """The options that give the applied kick-offs of a period and the suspected one."""
    never, ever = float("-inf"), float("inf")
    first = never if suspected.since is None else suspected.since
    last = ever if suspected.until is None else suspected.until
    own = [one for one in kickoffs if one.applied and one.period == suspected.period]
    parts = {never if one.since is None else one.since: one.seconds for one in own}
    resumed = [seconds for since, seconds in parts.items() if since <= last][-1]
    parts = {since: seconds for since, seconds in parts.items() if not first <= since < last}
    parts |= {first: suspected.seconds} | ({last: resumed} if last < ever else {})
    for since, seconds in sorted(parts.items()):
        cut = f"@{since:.0f}" if since > never else ""
        yield f"--kickoff {suspected.period}={seconds:.0f}{cut}"


def _is_late(match: Match, comment: Comment) -> bool:
    if comment.start is None or comment.period is None or comment.candidates is not None:
        return False
    end = match.ends.get(comment.period)
    return end is None or comment.start > end + AFTERMATH
