"""The frame of a match: kick-off, half-time, full time."""

from __future__ import annotations

from touchline.generation.wording.grammar import Phrase, about

PHRASES: list[Phrase] = [
    *about("start", period=1)(
        "We are under way: {team} kick off against {opponents}.",
        "{team} get the match started against {opponents}.",
        "Kick-off! {team} have the ball first.",
        "The match between {home} and {away} is under way.",
        "{home} against {away} is under way.",
        "The match has kicked off.",
    ),
    *about("start", period=2)(
        "The second half is under way, with {team} kicking off[. It is {score}].",
        "{team} get the second half under way[. It is {score}].",
        "Second half[: {score}].",
        "The teams are back and {team} kick off the second half[. It is {score}].",
        "The second half begins.",
    ),
    *about("start", period=3)(
        "Extra time begins[. It is {score}].",
        "Another 30 minutes: the first half of extra time is under way.",
    ),
    *about("start", period=4)(
        "The second half of extra time begins[. It is {score}].",
        "Extra time goes on: the last 15 minutes have begun[. It is {score}].",
    ),
    *about("start", period=5)(
        "The shoot-out begins.",
        "It will be settled from the penalty spot: the shoot-out begins.",
    ),
    *about("break", level=False)(
        "Half-time: {score}.",
        "The half ends with {leader} {figures} ahead.",
        "{leader} go into the break {figures} in front.",
        "The referee blows for half-time, and {leader} lead {figures}.",
    ),
    *about("break", level=True)(
        "Half-time: {score}.",
        "The sides are level at the break: {score}.",
        "Nothing between them at half-time: {score}.",
    ),
    *about("break", score=False)(
        "Half-time.",
        "The first half is over.",
    ),
    *about("normal time", open=False)(
        "{score} after 90 minutes, and the match goes on.",
    ),
    *about("normal time")(
        "The 90 minutes are over: {score}.",
        "The second half is over.",
    ),
    *about("extra break")(
        "Half-time in extra time: {score}.",
        "The first half of extra time is over.",
    ),
    *about("extra time over")(
        "Extra time is over: {score}.",
        "Extra time is over.",
    ),
    *about("end", level=False)(
        "Full time: {score}.",
        "It is all over, and {leader} have won {figures}.",
        "The final whistle goes, and {leader} have beaten {trailing} {figures}.",
        "It ends {score}.",
    ),
    *about("end", level=False, margin=(3, 4, 5, 6, 7, 8, 9))(
        "Full time: {score}, a win by {margin} goals.",
    ),
    *about("end", level=True)(
        "Full time: {score}. It ends in a draw.",
        "The final whistle goes with the sides level: {score}.",
        "It is all over, and nothing separates them: {score}.",
    ),
    *about("end", score=False)(
        "Full time.",
        "The match is over.",
    ),
    *about("shootout over")(
        "The shoot-out is over.",
        "The shoot-out has ended.",
    ),
]
