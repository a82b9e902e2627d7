"""Simulated matches: who has the ball, to whom it goes, who takes it away."""

from __future__ import annotations

from touchline.generation.wording.grammar import Phrase, about

_ON = {"robocup": True}

PHRASES: list[Phrase] = [
    *about("pass", "complete", **_ON)(
        "{player} <passes> to {recipient}.",
        "{player} <plays> the ball to {recipient}.",
        "{player} <finds> {recipient}.",
        "{recipient} takes a pass from {player}.",
        "The ball goes from {player} to {recipient}.",
        "{player} <moves> it on to {recipient}.",
        "{player} <picks> out {recipient}.",
        "{player} <sends> the ball to {recipient}.",
        "{recipient} receives from {player}.",
        "{player} <lays> it off to {recipient}.",
        "{team} keep the ball: {player} to {recipient}.",
        "{player} <gives> it to {recipient}.",
        "{player} and {recipient} combine for {team}.",
        "A pass by {player} reaches {recipient}.",
        "{player} <passes> the ball on to {recipient}.",
        "From {player} the ball goes to {recipient}.",
    ),
    *about("pass", "incomplete", **_ON)(
        "{player's} pass is picked off by {interceptor}.",
        "{interceptor} intercepts a pass by {player}.",
        "A bad pass by {player} goes to {interceptor}.",
        "{player} <passes> straight to {interceptor}.",
        "{player} <gives> the ball away to {interceptor}.",
        "{interceptor} reads {player's} pass and takes it.",
        "{player} <means> to pass, but {interceptor} gets there first.",
        "{player's} pass ends with {interceptor} instead.",
    ),
    *about("turnover", **_ON)(
        "{player} <loses> the ball to {winner}.",
        "{winner} takes over from {player}.",
        "The ball changes sides, from {player} to {winner}.",
        "{winner} wins the ball from {player}.",
        "{player} <gives> up the ball to {winner}.",
        "Turnover: {player} to {winner}.",
    ),
    *about("turnover", winner=False, **_ON)(
        "{player} <loses> the ball.",
        "{player} <turns> the ball over.",
    ),
    *about("steal", opponent=False, **_ON)(
        "{player} <steals> it for {team}.",
        "{team} win the ball: {player} <steals> it.",
    ),
    *about("steal", opponent=True, **_ON)(
        "{player} <steals> the ball from {opponent}.",
        "{player} <takes> the ball off {opponent}.",
        "{opponent} is robbed of the ball by {player}.",
        "{player} <steps> in and <takes> it from {opponent}.",
        "{opponent} loses the ball to {player}.",
    ),
    *about("defence", **_ON)(
        "{player} <defends> against {opponent}.",
        "{opponent} is held up by {player}.",
        "{player} <stays> with {opponent}.",
    ),
    *about("block", **_ON)(
        "{player} <blocks> the ball.",
        "A block by {player} for {team}.",
    ),
    *about("block", opponent=True, **_ON)(
        "{player} <blocks> a kick by {opponent}.",
        "{opponent's} kick is blocked by {player}.",
    ),
    *about("kick", **_ON)(
        "{player} <kicks> the ball.",
        "{player} <has> the ball for {team}.",
        "{player} <is> on the ball for {team}.",
    ),
    *about("play mode", mode="goal", team=False, **_ON)(
        "Goal!",
        "The ball is in the net!",
    ),
    *about("play mode", mode="goal", team=True, named=False, **_ON)(
        "Goal for {team}!",
        "{team} score!",
        "The ball is in the net, and it is a goal for {team}!",
    ),
    *about("play mode", mode="goal", named=True, **_ON)(
        "Goal for {team}! {player} had the last kick.",
        "{player} kicks, and {team} have a goal!",
        "{team} score! The last kick was by {player}.",
        "A kick by {player}, and the ball is in the net: goal for {team}!",
    ),
    *about("play mode", mode="corner kick", team=False, **_ON)(
        "There will be a corner kick.",
        "The ball is out for a corner kick.",
    ),
    *about("play mode", mode="corner kick", team=True, **_ON)(
        "{team} have a corner kick.",
        "The ball is out for a corner kick to {team}.",
    ),
    *about("play mode", mode="kick in", team=True, **_ON)(
        "{team} have a kick-in.",
        "The ball is out: kick-in to {team}.",
    ),
    *about("play mode", mode="free kick", team=True, **_ON)(
        "{team} have a free kick.",
        "Free kick to {team}.",
    ),
    *about("play mode", mode="goal kick", team=True, **_ON)(
        "{team} have a goal kick.",
    ),
    *about("play mode", mode="offside", team=True, named=True, **_ON)(
        "{team} are offside after a kick by {player}.",
        "{player} <kicks>, and the flag is up: offside against {team}.",
    ),
    *about("play mode", mode="offside", team=True, named=False, **_ON)(
        "{team} are offside.",
        "Offside against {team}.",
        "The flag is up against {team}: offside.",
    ),
    *about("play mode", mode="kick off", team=True, **_ON)(
        "{team} kick off.",
        "The ball is on the centre spot, and {team} kick off.",
    ),
    *about("play mode", mode="kick in", team=False, **_ON)(
        "The ball is out for a kick-in.",
        "A kick-in follows.",
        "The ball has gone out of play: kick-in.",
    ),
    *about("play mode", mode="free kick", team=False, **_ON)(
        "Play stops for a free kick.",
        "A free kick is given.",
        "There is a free kick.",
    ),
    *about("play mode", mode="goal kick", team=False, **_ON)(
        "It will be a goal kick.",
        "A goal kick follows.",
    ),
    *about("play mode", mode="offside", team=False, **_ON)(
        "Offside is called.",
        "The flag is up for offside.",
    ),
    *about("play mode", mode="kick off", team=False, **_ON)(
        "The ball is on the centre spot for the kick-off.",
        "Kick-off.",
        "They kick off.",
    ),
]
