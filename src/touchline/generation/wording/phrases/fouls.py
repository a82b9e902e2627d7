"""Fouls, cards, penalties given, offside, substitutions, injuries."""

from __future__ import annotations

from touchline.generation.wording.grammar import Phrase, about

_PLAIN = {"card": False, "penalty": False, "handball": False, "dive": False}
# A line gives the place as the team with the free kick sees it (`spot`) where it begins with that
# team or its player, and otherwise in words that mean the same for both (`scene`).
# Places that a line can begin with: a number of yards would stand beside the minute.
_WIDE = {"spot_area": ("midfield", "final third"), "spot_side": ("left", "right")}

PHRASES: list[Phrase] = [
    # Penalties given
    *about("foul", penalty=True, handball=False, card=False)(
        "PENALTY to {opponents}! {player of} <fouls> {fouled}.",
        "PENALTY! {player} <fouls> {fouled} in the box, and {opponents} have a spot kick.",
        "The referee points to the spot after a foul by {player of}[ on {fouled}].",
        "{fouled} is fouled by {player} in the box: penalty to {opponents}.",
    ),
    *about("foul", penalty=True, card=("yellow", "second yellow", "red"), handball=False)(
        "PENALTY to {opponents}, and a {card} card for {player of} for the foul[ on {fouled}].",
    ),
    *about("foul", penalty=True, handball=True)(
        "PENALTY to {opponents}! Handball by {player of}.",
        "Handball by {player} in the box, and the referee gives {opponents} a penalty.",
    ),
    # Handball
    *about("foul", handball=True, penalty=False, card=False)(
        "Handball by {player of}[ {scene}].",
        "{player} <handles> the ball {scene}. Free kick to {opponents}.",
        "Free kick to {opponents} for handball by {player}[ {scene}].",
    ),
    # Cards for fouls
    *about("foul", card="yellow", dive=True)(
        "{player of} <is> booked for diving.",
        "Yellow card for {player of}, for a dive.",
        "{player} <goes> down, and the referee shows the yellow card for diving.",
    ),
    *about("foul", card="yellow", penalty=False, handball=False, dive=False)(
        "Yellow card for {player of} after a foul on {fouled}[ {scene}].",
        "{player of} <is> booked for a foul on {fouled}[ {scene}].",
        "{player} <fouls> {fouled} {scene} and <goes> into the book.",
        "The referee shows {player} the yellow card for the foul on {fouled}[ {scene}].",
        "A booking for {player of} for fouling {fouled}[ {scene}].",
        "{fouled} is fouled by {player} {spot}, and out comes the yellow card.",
        "{player of} <is> cautioned for a foul[ on {fouled}][ {scene}].",
        "{player's} foul on {fouled} {scene} earns a yellow card.",
        "{player of} <is> shown a yellow card[ after a foul {scene}].",
    ),
    *about("foul", card="yellow", penalty=False, handball=False, dive=False, **_WIDE)(
        "{spot}, {fouled} is fouled by {player of}, who <is> booked.",
    ),
    *about("foul", card="yellow", handball=True, penalty=False)(
        "{player of} <is> booked for handball[ {scene}].",
    ),
    *about("foul", card="red", penalty=False, named=True)(
        "RED CARD! {player of} <is> sent off for a foul on {fouled}[ {scene}].",
        "RED CARD! {player} <is> off after a foul[ {scene}], and {team} have one player fewer.",
    ),
    *about("foul", card="second yellow", penalty=False, named=True)(
        "SENT OFF! A second yellow card for {player of}, for a foul on {fouled}[ {scene}].",
        "SENT OFF! {player} <sees> a second yellow card, and {team} have one player fewer.",
    ),
    # Plain fouls
    *about("foul", advantage=False, **_PLAIN)(
        "{player of} <fouls> {fouled} {scene}.",
        "Foul by {player of} on {fouled}[ {scene}].",
        "{fouled} is fouled by {player} {spot}.",
        "The whistle goes for a foul by {player} on {fouled}[ {scene}].",
        "{player of} <is> penalised {scene} for a foul on {fouled}.",
        "{player of} <commits> a foul {scene}.",
        "The referee gives a foul against {player} for a challenge on {fouled} {scene}.",
        "{player's} challenge on {fouled} {scene} is a foul.",
        "{fouled} draws a foul from {player of} {spot}.",
    ),
    *about("foul", restart="free kick", **_PLAIN)(
        "{fouled} wins a free kick {spot} after a foul by {player of}.",
        "Free kick to {opponents} {spot}: {player} <fouls> {fouled}.",
        "{player} <gives> away a free kick {scene} with a foul on {fouled}.",
        "{player} <fouls> {fouled} {scene}, and {opponents} have a free kick.",
        "A foul by {player} hands {opponents} a free kick {spot}.",
        "{opponents} get a free kick {spot} after {player} <fouls> {fouled}.",
        "{player of} <concedes> a free kick {scene}, fouling {fouled}.",
        "{opponents} win a free kick {spot}: {fouled} is fouled by {player}.",
    ),
    *about("foul", restart="free kick", **_WIDE, **_PLAIN)(
        "{spot}, {fouled} is fouled by {player}: free kick to {opponents}.",
    ),
    *about("foul", restart="free kick", spot_area=("edge of the box", "final third"), **_PLAIN)(
        "{player of} <fouls> {fouled} {scene}: a free kick for {opponents}.",
        "{opponents} have a free kick {spot} after {player's} foul on {fouled}.",
        "{fouled} earns {opponents} a free kick {spot} after a foul by {player}.",
    ),
    *about("foul", spot_area="own box", **_PLAIN)(
        "{player of} <fouls> {fouled} in the {opponents} box.",
        "{fouled} is fouled in the {opponents} box by {player of}.",
        "{player of} <is> penalised in the {opponents} box for a foul on {fouled}.",
    ),
    *about("foul", spot_area="own box", restart="free kick", **_PLAIN)(
        "{opponents} have a free kick inside their own box after a foul by {player}[ on {fouled}].",
        "Free kick to {opponents} inside their own box: {player} <fouls> {fouled}.",
    ),
    # Cards without a foul
    *about("booking", card="yellow")(
        "{player of} <is> shown a yellow card[ {reason}][, the {nth booking} of the match].",
        "Yellow card for {player of}[ {reason}][, the {nth booking} of the match].",
        "{player of} <goes> into the referee's book[ {reason}].",
        "The {nth booking} booking of the match goes to {player of}[ {reason}].",
    ),
    *about("booking", card="red", named=True)(
        "RED CARD! {player of} <is> sent off[ {reason}].",
        "{player} <is> shown the red card[ {reason}], and {team} have one player fewer.",
    ),
    *about("booking", card="second yellow", named=True)(
        "SENT OFF! {player of} <gets> a second yellow card[ {reason}].",
    ),
    # Offside
    *about("pass", "offside")(
        "{recipient} is offside[ when {player} <plays> the ball forward].",
        "{player of} <looks> for {recipient}, who is offside.",
        "The flag is up against {recipient} as {player} <plays> the pass.",
        "{player} <tries> to release {recipient}, but the flag goes up for offside.",
        "Offside against {team}: {recipient} has gone too early for {player's} pass.",
        "{team} are caught offside; {player's} pass was meant for {recipient}.",
        "Offside, {team}. {player} <looks> for {recipient}, who has gone too soon.",
        "{recipient} strays offside before {player's} pass.",
    ),
    *about("offside")(
        "{player of} <is> caught offside[ {side}].",
        "Offside: {player} <is> flagged, and {opponents} have a free kick.",
        "The flag goes up against {player of}[ {side}].",
        "{player} <has> strayed offside, and {team's} attack is over.",
        "{team} are stopped by the flag: {player} <is> offside.",
    ),
    # Substitutions
    *about("substitution", injury=False, at_break=False)(
        "Change for {team}: {replacement} comes on for {player}.",
        "{team} make a change: {player} off, {replacement} on.",
        "{replacement} replaces {player} for {team}.",
        "Substitution, {team}: {replacement} on for {player}.",
        "{player's} work is done for {team}; {replacement} takes over.",
        "{team} bring on {replacement} in place of {player}.",
        "{player} <makes> way for {replacement} in the {team} side.",
        "{team's} {nth change} change: {replacement} for {player}.",
        "On comes {replacement} for {team}, and {player} <leaves> the pitch.",
        "{replacement} enters the match for {team}. {player} <goes> off.",
        "The board goes up for {player}; {replacement} is the {team} player coming on.",
        "{team} turn to the bench: {replacement} for {player}.",
        "{player} <gives> way to {replacement}, the {nth change} {team} substitution.",
        "Fresh legs for {team}: {replacement} comes on for {player}.",
    ),
    *about("substitution", at_break=True)(
        "A change at the break for {team}: {replacement} for {player}.",
        "{team} start the half with {replacement} in place of {player}.",
        "{player} <stays> in the dressing room; {replacement} is on for {team}.",
        "{replacement} is on for {team} at the start of the second half, {player} off.",
    ),
    *about("substitution", injury=True)(
        "{player of} <cannot> continue and <is> replaced by {replacement}.",
        "An injury forces {player} off, and {replacement} comes on for {team}.",
        "Injury change for {team}: {replacement} for {player}.",
    ),
    *about("substitution", replacement=False, named=True)(
        "{player of} <is> taken off.",
        "{team} take off {player}.",
    ),
    *about("substitution", named=False, replacement=True)(
        "{replacement} comes on for {team}.",
        "{team} make a change: {replacement} is on.",
    ),
    *about("substitution", named=False)(
        "{team} make a substitution.",
        "A change in the {team} side.",
        "{team} use the bench: a substitution.",
        "Substitution, {team}.",
        "There is a change for {team}.",
        "{team} change a player.",
    ),
    *about("foul", card=("red", "second yellow"), named=False)(
        "RED CARD! {team} have a player sent off.",
    ),
    *about("booking", card=("red", "second yellow"), named=False)(
        "RED CARD! {team} have a player sent off.",
    ),
    *about("player off", named=True)(
        "{player of} <leaves> the pitch.",
        "{player} <goes> off, and {team} have one player fewer for now.",
    ),
    *about("injury", named=True)(
        "Play is stopped because {player of} <is> hurt.",
        "The match is interrupted for an injury to {player of}.",
        "There is a stop in play: {player of} <is> hurt.",
        "{player of} <is> hurt, and play is held up.",
    ),
]
