"""Defending: tackles, interceptions, clearances, blocks, lost balls, goalkeepers."""

from __future__ import annotations

from touchline.generation.wording.grammar import Phrase, about

PHRASES: list[Phrase] = [
    *about("tackle", "won")(
        "{player of} <wins> the ball from {opponent} {where}.",
        "{player} <takes> the ball off {opponent} {where}.",
        "{player of} <stops> {opponent} {where}.",
        "A challenge by {player} {where} wins the ball from {opponent}.",
        "{player of} <gets> the better of {opponent} {where}.",
    ),
    *about("interception", "won")(
        "{player of} <reads> it and <intercepts> {where}.",
        "{player} <cuts> out a pass {where}.",
        "{player} <intercepts> {where} for {team}.",
        "An interception by {player of} {where} ends the move.",
        "{player of} <steps> in {where} to intercept.",
    ),
    *about("clearance", body="head")(
        "{player of} <heads> the ball clear {where}.",
        "{player} <heads> the ball away {where} for {team}.",
        "A headed clearance by {player of} {where}.",
    ),
    *about("clearance")(
        "{player of} <clears> {where}.",
        "{player} <gets> the ball away {where} for {team}.",
        "A clearance by {player of} {where}.",
    ),
    *about("clearance", restart="corner")(
        "{player of} <clears> {where} at the price of a corner.",
        "{player} <puts> the ball behind, and {opponents} have a corner.",
    ),
    *about("clearance", restart="throw-in")(
        "{player of} <clears> {where}, and the ball goes out for a throw-in.",
    ),
    *about("block", passer=True)(
        "{player of} <blocks> {passer's} ball {where}.",
        "A block by {player of} {where} stops {passer's} ball.",
        "{player} <stands> in the way of {passer's} ball {where}.",
    ),
    *about("block", shooter=True)(
        "{player of} <blocks> from {shooter} {where}.",
        "{shooter} shoots, and {player} is in the way.",
    ),
    *about("dispossessed")(
        "{player of} <is> robbed of the ball by {opponent} {where}.",
        "{player} <has> the ball taken away by {opponent} {where}.",
        "{player} <loses> the ball to {opponent} {where}.",
        "{player of} <is> dispossessed {where} by {opponent}.",
    ),
    *about("miscontrol")(
        "{player of} <cannot> bring the ball under control {where}.",
        "The ball gets away from {player of} {where}.",
        "{player of} <loses> control of the ball {where}.",
    ),
    *about("recovery")(
        "{player of} <picks> up the loose ball {where}.",
        "{team} win the ball back through {player} {where}.",
        "{player} <recovers> the ball for {team} {where}.",
    ),
    *about("error")(
        "A mistake by {player of} {where}.",
        "{player of} <makes> an error {where}.",
    ),
    *about("keeper", "held")(
        "{player of} <gathers> the ball[ {where}].",
        "The ball is safe with {player}, the {team} goalkeeper.",
        "{player} <collects> for {team}, and the attack is over.",
        "{player of} <claims> the ball[ {where}].",
    ),
    *about("keeper", "held", passer=True)(
        "{player of} <collects> {taken}.",
        "{taken} runs through to {player}, the {team} goalkeeper.",
        "{player} <picks> up {taken} for {team}.",
        "{taken} is gathered by {player of}.",
        "{player}, in goal for {team}, <takes> {taken}.",
    ),
    *about("keeper", "punched")(
        "{player of} <punches> the ball away[ {where}].",
        "{player} <punches> it away for {team}.",
    ),
    *about("keeper", "punched", passer=True)(
        "{player of} <punches> {taken} away.",
        "{taken} is punched away by {player}, the {team} goalkeeper.",
    ),
]
