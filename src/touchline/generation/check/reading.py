"""What is found out about each comment before it is judged: its claims, its names, its events.

A name is judged by what the comment describes without it: each name is hidden in turn, and the
method says which events the rest of the words fits. If another player of the team took part in
those and the named one did not, the name is doubtful.
"""

from __future__ import annotations

import copy
import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from touchline.core.links import CommentLinks
from touchline.core.records import Comment, Match, Player, Team
from touchline.generation.check.acts import people_of
from touchline.generation.check.claims import Claim, ScoreClaim, claims_of, scores_of
from touchline.methods.base import ALONE, Aligner, Alignment
from touchline.text.names import FIRST, Mention, NameFinder

# Names of one comment that are hidden in turn; lists of players have more, and say little of each.
MAX_HIDDEN = 4


class Reading(NamedTuple):
    """One comment: what it claims, whom it names, what it is linked to.

    `time` is when the described action should be by the log's clock, None if that is not known.
    `hidden` has the links of the comment without the name of each player, by the player's id.
    """

    comment: Comment
    period: int | None
    time: float | None
    claims: list[Claim]
    scores: list[ScoreClaim]
    players: Mapping[str, list[Mention]]
    teams: Mapping[str, list[Mention]]
    answer: CommentLinks
    hidden: Mapping[str, CommentLinks]

    @property
    def acts(self) -> set[str]:
        return {claim.value for claim in self.claims if claim.kind == "act"}


def read(
    match: Match, aligner: Aligner, hide: bool = True, alignment: Alignment | None = None
) -> list[Reading]:
    """Read all comments of a match; without `hide`, names are not questioned.

    `alignment` is that of the match by the same aligner, where it is known already.
    """
    alignment = alignment or aligner.infer(match)
    finder = NameFinder(match)
    named = [_players(finder, comment.text) for comment in match.comments]
    if hide and alignment.model.name == ALONE.name:  # learned once, not again for each name
        aligner = copy.copy(aligner)
        aligner.fit([match])
    hidden = _hidden(match, aligner, named) if hide else [{} for _ in named]
    return [
        _reading(match, finder, alignment, number, named[number], hidden[number])
        for number in range(len(match.comments))
    ]


def read_text(match: Match, comment: Comment, finder: NameFinder, answer: CommentLinks) -> Reading:
    """A single comment whose events are known."""
    return Reading(
        comment=comment,
        period=answer.period,
        time=answer.time,
        claims=claims_of(comment.text),
        scores=list(scores_of(comment.text, match, finder, of_this_match=True)),
        players=_players(finder, comment.text),
        teams=_teams(finder, comment.text),
        answer=answer,
        hidden={},
    )


def _reading(
    match: Match,
    finder: NameFinder,
    alignment: Alignment,
    number: int,
    players: Mapping[str, list[Mention]],
    hidden: Mapping[str, CommentLinks],
) -> Reading:
    comment = match.comments[number]
    return Reading(
        comment=comment,
        period=comment.period,
        time=_on_log(comment, alignment, number),
        claims=claims_of(comment.text),
        scores=list(scores_of(comment.text, match, finder)),
        players=players,
        teams=_teams(finder, comment.text),
        answer=alignment.links[number],
        hidden=hidden,
    )


def _on_log(comment: Comment, alignment: Alignment, number: int) -> float | None:
    """When the comment was made, by the log's clock: the method knows how late it is."""
    if comment.time is None or comment.period is None:
        return None
    lag = float(alignment.clock.lag[number]) if alignment.clock is not None else 0.0
    return comment.time - (0.0 if math.isnan(lag) else lag)


def _players(finder: NameFinder, text: str) -> dict[str, list[Mention]]:
    """The players whom a text surely names, each with where; a name that two share is not sure."""
    found: dict[str, list[Mention]] = defaultdict(list)
    mentions = [m for m in finder.mentions(text) if isinstance(m.who, Player)]
    shared = Counter((m.start, m.end) for m in mentions)
    for mention in mentions:
        if mention.weight > FIRST and shared[mention.start, mention.end] == 1:
            found[mention.who.id].append(mention)
    return dict(found)


def _teams(finder: NameFinder, text: str) -> dict[str, list[Mention]]:
    found: dict[str, list[Mention]] = defaultdict(list)
    for mention in finder.mentions(text):
        if isinstance(mention.who, Team):
            found[mention.who.id].append(mention)
    return dict(found)


def _hidden(
    match: Match, aligner: Aligner, named: Sequence[Mapping[str, list[Mention]]]
) -> list[dict[str, CommentLinks]]:
    """The links of every comment without each of its names: one inference for each place."""
    found: list[dict[str, CommentLinks]] = [{} for _ in named]
    for place in range(min(MAX_HIDDEN, max(map(len, named), default=0))):
        who = [list(own)[place] if place < len(own) else None for own in named]
        comments = [
            _without(comment, own[player]) if player else comment
            for comment, own, player in zip(match.comments, named, who, strict=True)
        ]
        links = aligner.infer(
            match.with_comments(comments, match.kickoffs, match.second_half)
        ).links
        for number, player in enumerate(who):
            if player is not None:
                found[number][player] = links[number]
    return found


def _without(comment: Comment, mentions: Sequence[Mention]) -> Comment:
    """The comment with some characters blanked, so that all others stay where they are."""
    text = comment.text
    for mention in mentions:
        text = text[: mention.start] + " " * (mention.end - mention.start) + text[mention.end :]
    return msgspec.structs.replace(comment, text=text)


def shares(match: Match, answer: CommentLinks) -> Mapping[str, float]:
    """How probably each player takes part in what a comment describes, as far as it goes."""
    found: defaultdict[str, float] = defaultdict(float)
    for link in answer.candidates or answer.events:
        for person in dict.fromkeys(people_of(match.event_by_id[link.id])):
            found[person] += link.score
    return found


def teammates(match: Match, player: Player, apart_from: Mapping[str, object]) -> Iterator[Player]:
    """The other players of a team, apart from some."""
    for other in match.players:
        same = (
            other.team is not None and player.team is not None and other.team.id == player.team.id
        )
        if same and other.id != player.id and other.id not in apart_from:
            yield other
