"""Play with the ball: corners, crosses, free kicks, passes, dribbles."""

from __future__ import annotations

from touchline.generation.wording.grammar import Phrase, about

_AWAY = ("cleared", "headed clear")
_BOX = ("box", "six-yard box")
# How an opponent gets to a pass; a goalkeeper who only comes out may not have reached it.
_CUT_OUT = ("cleared", "cut out", "claimed")
# Where a ball into the box comes from.
_OUTSIDE = ("edge of the box", "final third", "midfield", "own third", "own box")

PHRASES: list[Phrase] = [
    # Corners
    *about("corner", ended="headed clear")(
        "{player's} corner from the {wing} is headed clear by {ender}.",
        "Corner to {team}: {player} <takes> it[ from the {wing}] and {ender} heads it away.",
        "{ender} heads away {player's} corner[ from the {wing}].",
        "{player of} <sends> over a corner, headed out by {ender}.",
    ),
    *about("corner", ended=_AWAY)(
        "{ender} clears {player's} corner[ from the {wing}].",
        "{player of} <takes> a corner[ on the {wing}], and {ender} clears.",
        "{player} <delivers> the corner[ from the {wing}], and {ender} gets it away.",
        "The corner by {player} [from the {wing} ]is dealt with by {ender}.",
    ),
    *about("corner", ended=("claimed", "punched"))(
        "{ender}, in goal, deals with {player's} corner[ from the {wing}].",
        "{player's} corner[ from the {wing}] is dealt with by {ender}, the goalkeeper.",
    ),
    *about("corner", ended="claimed")(
        "{ender} takes {player's} corner[ from the {wing}].",
        "{player's} corner[ from the {wing}] is gathered by {ender}.",
        "{ender} collects {player's} corner[ from the {wing}].",
    ),
    *about("corner", ended="punched")(
        "{ender} punches {player's} corner[ from the {wing}] away.",
        "{player's} corner[ from the {wing}] is punched away by {ender}.",
    ),
    *about("corner", ended=("blocked", "cut out"))(
        "{player's} corner[ from the {wing}] does not get past {ender}.",
        "{ender} cuts out {player's} corner[ from the {wing}].",
    ),
    *about("corner", ended="came out")(
        "{player's} corner[ from the {wing}] brings {ender} off the line.",
        "{ender} leaves the line for {player's} corner[ from the {wing}].",
        "Corner to {team}[ from the {wing}]: {player} <takes> it, and {ender} comes off the line.",
    ),
    *about("corner", won="corner")(
        "{player's} corner[ from the {wing}] brings {team} another one.",
        "{player of} <takes> a corner[ from the {wing}], and another follows.",
    ),
    *about("corner", ended="foul")(
        "{player's} corner[ from the {wing}] ends with a foul by {ender}.",
    ),
    *about("corner", ended="foul", fouled=True)(
        "Corner to {team}[ from the {wing}], but {ender} fouls {fouled}.",
        "{player} <sends> over a corner[ from the {wing}]; the whistle goes for a foul by {ender} "
        "on {fouled}.",
    ),
    *about("corner", short=True)(
        "{player of} <takes> the corner short[ to {recipient}][ on the {wing}].",
        "A short corner by {player}[ to {recipient}][ on the {wing}].",
        "{team} play the corner short[ on the {wing}]: {player} to {recipient}.",
    ),
    *about("corner", "complete", short=False)(
        "{player's} corner[ from the {wing}] finds {recipient}.",
        "Corner for {team}: {player} <picks> out {recipient}[ from the {wing}].",
        "Corner to {team}[ from the {wing}]: {player} to {recipient}.",
        "{player of} <delivers> the corner[ from the {wing}], and it reaches {recipient}.",
    ),
    *about("corner", "complete", challenger=True)(
        "{player's} corner[ from the {wing}] reaches {recipient}, but {challenger} wins the duel "
        "in the air.",
        "{challenger} gets the better of {recipient} in the air at {player's} corner.",
    ),
    *about("corner", ("incomplete", "out"), ended=False, won=False)(
        "{player of} <takes> a corner from the {wing}, but it finds no team-mate.",
        "Nothing comes of {player's} corner from the {wing}.",
        "{player's} corner from the {wing} does not reach a team-mate.",
    ),
    *about("corner", ended=False)(
        "Corner to {team}[ on the {wing}], taken by {player}.",
        "{player of} <takes> the corner[ from the {wing}].",
    ),
    # Crosses
    *about("cross", "complete")(
        "{player of} <crosses> from the {wing}, and the ball reaches {recipient}.",
        "{player's} cross from the {wing} finds {recipient}.",
        "{recipient} is picked out by {player's} cross[ from the {wing}].",
        "A cross by {player} from the {wing} reaches {recipient}.",
    ),
    *about("cross", "complete", challenger=True)(
        "{player's} cross from the {wing} reaches {recipient}, but {challenger} wins the duel in "
        "the air.",
        "{recipient} loses out to {challenger} in the air under {player's} cross[ from the "
        "{wing}].",
    ),
    *about("cross", ended="came out")(
        "{player's} cross[ from the {wing}] brings {ender} off the line.",
        "{ender} comes off the line as {player} <crosses>[ from the {wing}].",
    ),
    *about("cross", ended=_AWAY)(
        "{player's} cross from the {wing} is cleared by {ender}.",
        "{player of} <crosses>[ from the {wing}], but {ender} clears.",
        "{ender} deals with {player's} cross[ from the {wing}].",
        "{player} <swings> in a cross[ from the {wing}], but {ender} gets there first.",
        "{team} come down the {wing}, and {ender} clears the cross by {player}.",
    ),
    *about("cross", ended="headed clear")(
        "{player's} cross[ from the {wing}] is headed away by {ender}.",
        "{ender} heads {player's} cross[ from the {wing}] clear.",
    ),
    *about("cross", ended=("claimed", "punched"))(
        "{player's} cross[ from the {wing}] does not beat {ender}, the goalkeeper.",
        "{ender}, in goal, deals with {player's} cross[ from the {wing}].",
    ),
    *about("cross", ended="claimed")(
        "{player of} <crosses>[ from the {wing}] and {ender} collects.",
        "{ender} gathers {player's} cross[ from the {wing}].",
    ),
    *about("cross", ended="punched")(
        "{ender} punches {player's} cross[ from the {wing}] away.",
    ),
    *about("cross", won="corner")(
        "{player's} cross from the {wing} wins {team} a corner.",
        "{player of} <crosses> from the {wing} and <wins> a corner.",
    ),
    *about("cross", won="corner", ender=True)(
        "{ender} puts {player's} cross[ from the {wing}] behind for a corner.",
        "{player's} cross[ from the {wing}] is turned behind by {ender}, and {team} have a corner.",
    ),
    *about("cross", ended=("blocked", "cut out"))(
        "{player of} <tries> to cross[ from the {wing}], but {ender} stops it.",
        "{ender} stops {player's} cross[ from the {wing}].",
    ),
    *about("cross", ("incomplete", "out"), ended=False)(
        "{player of} <crosses> from the {wing}, but <finds> nobody.",
        "{player's} cross from the {wing} finds no team-mate.",
    ),
    *about("cross", ("incomplete", "out"), ended=False, won=False)(
        "{team} attack down the {wing}; {player's} cross comes to nothing.",
    ),
    *about("cross", "out")(
        "{player of} <puts> the cross from the {wing} out of play.",
    ),
    # Free kicks into the box
    *about("free kick", ended=_AWAY)(
        "{player's} free kick[ from the {wing}] is cleared by {ender}.",
        "{player of} <sends> in the free kick[ from the {wing}], and {ender} clears.",
        "{ender} clears {player's} free kick[ from the {wing}].",
    ),
    *about("free kick", ended="headed clear")(
        "{player's} free kick[ from the {wing}] is headed away by {ender}.",
    ),
    *about("free kick", ended=("claimed", "punched"))(
        "{player's} free kick[ from the {wing}] is dealt with by {ender}, the goalkeeper.",
    ),
    *about("free kick", ended="claimed")(
        "{ender} collects {player's} free kick[ from the {wing}].",
    ),
    *about("free kick", ended=("blocked", "cut out"))(
        "{player's} free kick[ from the {wing}] does not get past {ender}.",
        "{ender} stops {player's} free kick[ from the {wing}].",
    ),
    *about("free kick", ended="came out")(
        "{ender} comes off the line for {player's} free kick[ from the {wing}].",
    ),
    *about("free kick", "complete", end_area=_BOX, challenger=True)(
        "{player's} free kick[ from the {wing}] reaches {recipient} in the box, but {challenger} "
        "wins the duel in the air.",
    ),
    *about("free kick", "complete", end_area=_BOX)(
        "{player's} free kick[ from the {wing}] finds {recipient} in the box.",
        "{player of} <sends> the free kick[ from the {wing}] into the box to {recipient}.",
    ),
    *about("free kick", "incomplete", end_area=_BOX, ended=False, won=False)(
        "{player of} <puts> a free kick[ from the {wing}] into the box, but it finds no team-mate.",
        "{player's} free kick into the box[ from the {wing}] comes to nothing.",
    ),
    # Passes
    *about("pass", "complete", through=True)(
        "{player's} through ball releases {recipient}[ {side}].",
        "{player of} <plays> a through ball to {recipient}[ {side}].",
        "{recipient} is found by a through ball from {player of}[ {side}].",
        "{player} <finds> a gap and {recipient} with a through ball[ {side}].",
    ),
    *about("pass", "incomplete", through=True)(
        "{player} <looks> for {recipient} with a through ball, but it does not come off.",
    ),
    *about("pass", "incomplete", through=True, ended=False)(
        "{player's} through ball[ for {recipient}] goes astray.",
    ),
    *about("pass", "incomplete", through=True, ended=_CUT_OUT)(
        "{player of} <tries> a through ball[ for {recipient}], but {ender} is there first.",
    ),
    *about("pass", "incomplete", through=True, ended="blocked")(
        "{player's} through ball[ for {recipient}] is blocked by {ender}.",
    ),
    *about("pass", "complete", switch=True)(
        "{player of} <switches> play to {recipient}.",
        "{player} <changes> the side with {length} ball to {recipient}.",
        "{team} switch play: {player} to {recipient}.",
    ),
    *about("pass", "complete", end_area=_BOX)(
        "{player of} <finds> {recipient} in the box.",
        "{recipient} is found in the box by {player of}.",
    ),
    *about("pass", "complete", end_area=_BOX, area=_OUTSIDE)(
        "{player} <plays> the ball into the box to {recipient}.",
        "{team} get into the box through {player} and {recipient}.",
    ),
    *about("pass", "incomplete", end_area=_BOX, ended=False)(
        "{player} <looks> for {recipient} in the box, but the pass goes astray.",
    ),
    *about("pass", "incomplete", end_area=_BOX, ended=_CUT_OUT)(
        "{player of} <tries> to find a team-mate in the box, but {ender} cuts out the pass.",
    ),
    *about("pass", "incomplete", end_area=_BOX, ended="blocked")(
        "{player} <looks> for {recipient} in the box, but {ender} blocks the pass.",
        "{ender} blocks {player's} pass[ to {recipient}] in the box.",
    ),
    *about("pass", "incomplete", end_area=_BOX, area=_OUTSIDE, ended="blocked")(
        "{player's} ball into the box[ for {recipient}] is blocked by {ender}.",
    ),
    *about("pass", "incomplete", end_area=_BOX, area=_OUTSIDE, ended=_CUT_OUT)(
        "{player's} ball into the box[ for {recipient}] is cut out by {ender}.",
    ),
    *about("pass", "incomplete", end_area=_BOX, area=_OUTSIDE)(
        "{player} <plays> it into the box[ for {recipient}], but the pass does not arrive.",
        "{player's} ball into the box finds no team-mate.",
    ),
    # Dribbles
    *about("dribble", "won")(
        "{player of} <gets> past {opponent} {where}.",
        "{player} <takes> on {opponent} {where} and <gets> by.",
        "{opponent} cannot stop {player of} {where}.",
        "{player of} <beats> {opponent} {where}.",
        "{player} <leaves> {opponent} behind {where}.",
    ),
    *about("dribble", "lost", overrun=True)(
        "{player of} <takes> on {opponent} {where} but <overruns> the ball.",
        "{player} <runs> at {opponent} {where}, but the ball gets away.",
    ),
    *about("dribble", "lost", overrun=False)(
        "{player of} <runs> at {opponent} {where} but <loses> the ball.",
        "{player of} <cannot> get past {opponent} {where}.",
        "{player} <tries> to get past {opponent} {where} but <cannot>.",
        "{player's} run {where} is ended by {opponent}.",
    ),
]
