"""Shots that do not go in: saved, blocked, off target, against the frame."""

from __future__ import annotations

from touchline.generation.wording.grammar import Phrase, about

PHRASES: list[Phrase] = [
    # Penalties
    *about("shot", "saved", set_piece="penalty")(
        "PENALTY SAVED! {keeper} keeps out {player of}[, {at}].",
        "{player's} penalty is saved by {keeper}[ {at}]!",
        "{player of} <takes> the penalty, and it is saved[ {at}].",
    ),
    *about("shot", "off", set_piece="penalty")(
        "PENALTY MISSED! {player of} <sends> it[ {miss}].",
        "{player} <puts> the penalty off target[, {miss}], and {team} have wasted it.",
    ),
    *about("shot", "post", set_piece="penalty")(
        "{player of} <hits> {frame} with the penalty!",
        "The penalty by {player} comes back off the frame of the goal.",
    ),
    # Saved
    *about("shot", "saved", set_piece=("open play", None), body="head")(
        "{keeper} saves a header by {player} {place}[ after {delivery}].",
        "A header by {player of} {place} is kept out by {keeper}[ {at}].",
        "{place}, {player of} <heads> at goal; {keeper} saves[ {at}].",
        "After {delivery}, {player} <heads> at goal {place}, and {keeper} saves.",
    ),
    *about("shot", "saved", set_piece=("open play", None), body="head", headed_on=False)(
        "{player of} <heads> {delivery} at goal, and {keeper} saves[ {at}].",
        "{player} <gets> to {delivery}, but the header is saved by {keeper}[ {at}].",
        "{delivery} is headed at goal by {player}. {keeper} makes the save.",
    ),
    *about("shot", "saved", set_piece=("open play", None), body="head", save="held")(
        "{keeper} holds {player's} header {place}[ after {delivery}].",
    ),
    *about("shot", "saved", set_piece=("open play", None), body="head", save="parried")(
        "{keeper} pushes away {player's} header {place}[ after {delivery}].",
    ),
    *about("shot", "saved", set_piece=("open play", None), body="head", restart="corner")(
        "{keeper} turns {player's} header {place} behind for a corner.",
    ),
    *about("shot", "saved", set_piece="free kick")(
        "{player's} free kick {place} is saved by {keeper}[ {at}].",
        "{player of} <goes> for goal with the free kick {place}. {keeper} saves.",
        "{keeper} deals with {player's} free kick {place}[, saving {at}].",
    ),
    *about("shot", "saved", set_piece=("open play", None), foot=True)(
        "{player of} <shoots> {place}, but {keeper} saves[ {at}].",
        "{keeper} denies {player} {place}[, saving {at}].",
        "Save by {keeper}: {player of} <tries> {place}[ after {delivery}].",
        "{delivery} finds {player}, and {keeper} saves the shot {place}.",
        "{player} <fires> {place}[ after {delivery}], and {keeper} is equal to it.",
        "{player of} <tests> {keeper} {foot} {place}.",
        "{keeper} is called into action as {player} <shoots> {place}[ after {delivery}].",
        "{player's} effort {place} is stopped by {keeper}[ {at}].",
        "{assist} sets up {player}, whose shot {place} is saved by {keeper}.",
        "{player of} <goes> for goal {place}; {keeper} saves.",
        "{place}, {player of} <shoots>; {keeper} saves[ {at}].",
        "{place}, {player} <cannot> get the ball past {keeper}[ after {delivery}].",
        "After {delivery}, {player of} <shoots> {place}: saved by {keeper}.",
        "{player} <gets> on the end of {delivery} and <shoots> {place}, but {keeper} saves.",
        "Saved[ {at}] by {keeper}: {player} <had> tried {place}.",
    ),
    *about("shot", "saved", set_piece=("open play", None), save="foot")(
        "{keeper} saves {player's} effort {place} with the foot.",
        "{player of} <shoots> {place}, and {keeper} saves with the foot[ after {delivery}].",
    ),
    *about("shot", "saved", set_piece=("open play", None), save="held")(
        "{keeper} holds {player's} effort {place}.",
        "{player of} <shoots> {place}, into the grasp of {keeper}.",
        "{player's} attempt {place}[ after {delivery}] ends up with {keeper}, who holds on.",
    ),
    *about("shot", "saved", set_piece=("open play", None), save="parried")(
        "{keeper} parries {player's} effort {place}[ after {delivery}].",
        "{keeper} pushes away {player's} attempt {place}.",
    ),
    *about("shot", "saved", set_piece=("open play", None), restart="corner")(
        "{player of} <tries> {place}, and {keeper} turns it behind for a corner.",
        "{keeper} saves {player's} effort {place}. Corner to {team}.",
        "{player's} effort {place} is saved at the cost of a corner[; {delivery} had opened the "
        "way].",
    ),
    *about("shot", "saved", technique=("volley", "half-volley"))(
        "{player of} <connects> {technique} {place}, but {keeper} saves.",
        "{keeper} keeps out {player's} effort {technique}[ {place}].",
    ),
    *about("shot", "saved", first_time=True, foot=True)(
        "{player of} <hits> {delivery} first time {place}, and {keeper} saves.",
        "{player} <shoots> first time {place}, and {keeper} makes the save.",
    ),
    *about("shot", "saved", run=True)(
        "{player of} <gets> away from {beaten} and <shoots> {place}. {keeper} saves.",
        "{player} <beats> {beaten} and <tries> {place}, but {keeper} saves.",
    ),
    *about("shot", "saved", rebound=True, again=False)(
        "{first} cannot score and {player} <follows> up {place}: {keeper} saves.",
        "The loose ball after {first's} effort falls to {player} {place}, and {keeper} saves.",
    ),
    *about("shot", "saved", rebound=True, again=True)(
        "{player of} <has> another go {place}, and again it does not go in: saved by {keeper}.",
    ),
    *about("shot", "saved")(
        "{player of} <forces> a save from {keeper}[ {place}].",
        "An effort by {player of} is saved by {keeper}[, {at}].",
        "{keeper} keeps out {player of}[ {place}].",
        "{player of} <has> an attempt saved[ {place}][, {at}].",
        "The {opponents} goalkeeper saves from {player}[ {place}].",
        "{player's} attempt {place} is saved[ {at}][, after {delivery}].",
        "{player} <tries> for {team} {place}, but the effort is saved.",
    ),
    # Blocked
    *about("shot", "blocked", body="head")(
        "A header by {player of} {place} is blocked[ by {blocker}].",
        "{blocker} blocks {player's} header[ {place}].",
    ),
    *about("shot", "blocked", body="head", headed_on=False)(
        "{player of} <heads> {delivery} goalwards, but {blocker} is in the way.",
        "{player} <gets> to {delivery}, but the header is blocked[ by {blocker}].",
    ),
    *about("shot", "blocked", team_mate=True)(
        "{player's} effort {place} hits team-mate {team_mate}.",
        "{player of} <tries> {place}, but {team_mate}, a team-mate, is in the way.",
        "{player} <tries> {place} and <hits> {team_mate}, a team-mate.",
    ),
    *about("shot", "blocked", set_piece="free kick")(
        "{player's} free kick {place} does not get past {blocker}.",
        "{player of} <shoots> at goal with the free kick {place}. Blocked[ by {blocker}].",
        "{player} <goes> for goal with the free kick {place}, but it is blocked[ by {blocker}].",
    ),
    *about("shot", "blocked", foot=True)(
        "{player of} <shoots> {place}, and {blocker} gets in the way.",
        "{blocker} blocks {player's} shot {place}.",
        "{player} <pulls> the trigger {place}[ after {delivery}], but it is blocked.",
        "{delivery} reaches {player}, whose shot {place} is blocked[ by {blocker}].",
        "{player of} <tries> {foot} {place}: blocked[ by {blocker}].",
        "A shot by {player} {place} hits {blocker}.",
        "{player} <strikes> {place}; {blocker} stands in the way.",
        "{place}, {player of} <shoots>, but {blocker} blocks.",
        "After {delivery}, {player} <shoots> {place}. Blocked[ by {blocker}].",
        "Blocked by {blocker}: {player of} <had> shot {place}.",
        "{delivery} gives {player} a sight of goal {place}, but {blocker} blocks the shot.",
    ),
    *about("shot", "blocked", restart="corner")(
        "{player's} effort {place} is blocked[ by {blocker}] and goes behind for a corner.",
        "{blocker} blocks {player's} effort {place} at the cost of a corner.",
    ),
    *about("shot", "blocked", rebound=True, again=False)(
        "{first} cannot find a way through, and {player's} follow-up {place} is blocked.",
        "After {first's} effort the ball drops to {player} {place}, who <is> blocked too.",
    ),
    *about("shot", "blocked", first_time=True, foot=True)(
        "{player of} <hits> it first time {place}, but {blocker} blocks.",
        "{player} <hits> {delivery} first time {place}, but it is blocked[ by {blocker}].",
    ),
    *about("shot", "blocked")(
        "{player of} <has> an attempt blocked[ {place}][ by {blocker}].",
        "An effort by {player of} {place} is charged down[ by {blocker}].",
        "{blocker} blocks an effort by {player}[ {place}].",
    ),
    *about("shot", "blocked", team_mate=False)(
        "{opponents} block {player's} effort {place}.",
    ),
    # Off target
    *about("shot", "off", body="head", set_piece=("open play", None))(
        "A header by {player of} {place} goes {miss}.",
        "{player's} header for {team} {place} goes {miss}.",
        "{player of} <heads> off target[ {place}][ after {delivery}].",
        "{player} <heads> {miss} {place}[ after {delivery}].",
        "{place}, {player of} <heads> {miss}.",
        "After {delivery}, {player} <heads> {miss} {place}.",
        "{miss}: a header by {player of} {place}[ after {delivery}].",
    ),
    *about("shot", "off", body="head", set_piece=("open play", None), headed_on=False)(
        "{player of} <heads> {delivery} {miss}.",
        "{player} <meets> {delivery} {place}, but the header goes {miss}.",
        "{delivery} is headed {miss} by {player}[ {place}].",
        "{player} <gets> to {delivery} but <heads> it {miss}.",
    ),
    *about("shot", "off", body="head", assist_kind="corner")(
        "{delivery} finds {player of}, who <heads> {miss}[ {place}].",
    ),
    *about("shot", "off", set_piece="free kick")(
        "{player of} <sends> the free kick {place} {miss}.",
        "{player's} free kick {place} goes {miss}.",
        "{player} <goes> for goal with the free kick {place} and <sends> it {miss}.",
    ),
    *about("shot", "off", foot=True, set_piece=("open play", None))(
        "{player of} <shoots> {miss} {place}.",
        "{player} <fires> {miss} {place}[ after {delivery}].",
        "{player of} <tries> {place}, but the ball goes {miss}.",
        "{delivery} finds {player}, and the shot {place} goes {miss}.",
        "{player's} shot {place} goes {miss}.",
        "{assist} sets up {player of}. The shot {place} goes {miss}.",
        "{player} <has> a go {foot} {place}, but it goes {miss}.",
        "{player of} <goes> for goal {place} and <sends> it {miss}.",
        "{player} <gets> a shot away {place}[ after {delivery}], but it goes {miss}.",
        "{player of} <strikes> {foot} {place}, {miss}.",
        "{place}, {player of} <shoots> {miss}.",
        "{place}, {player} <tries> {foot}, but it goes {miss}.",
        "After {delivery}, {player} <shoots> {miss} {place}.",
        "{miss}: {player of} <tries> {place}[ after {delivery}].",
        "{delivery} gives {player} the chance to shoot {place}, but it goes {miss}.",
    ),
    *about("shot", "off", technique=("volley", "half-volley"))(
        "{player of} <hits> it {technique} {place}, and it goes {miss}.",
        "{player} <meets> {delivery} {technique}, but <sends> it {miss}.",
    ),
    *about("shot", "off", technique=("overhead kick", "backheel", "lob"))(
        "{player of} <tries> {place} {technique}, but it goes {miss}.",
    ),
    *about("shot", "off", first_time=True, foot=True)(
        "{player of} <hits> {delivery} first time {place}, {miss}.",
        "{player} <shoots> first time {place}, but it goes {miss}.",
        "{player of} <takes> it first time {place} and <sends> it {miss}.",
    ),
    *about("shot", "off", run=True)(
        "{player of} <gets> past {beaten} and <shoots> {place}, {miss}.",
        "{player} <leaves> {beaten} behind, but the shot {place} goes {miss}.",
    ),
    *about("shot", "off", rebound=True, again=False)(
        "{first} cannot score, and {player} <sends> the rebound {miss}[ {place}].",
        "The ball breaks to {player} {place} after {first's} attempt, but it goes {miss}.",
    ),
    *about("shot", "off", tight=True)(
        "{player of} <looks> for a gap {place}, but it goes {miss}.",
    ),
    *about("shot", "off", narrow=True)(
        "Close! {player of} <sends> it {miss}[ {place}].",
        "Not far away: {player's} effort {place} goes {miss}.",
    ),
    *about("shot", "off", follows="counter")(
        "{team} break, and {player} <ends> the counter {place} with a shot {miss}.",
    ),
    *about("shot", "off")(
        "{player of} <misses> the target[ {place}][, {miss}].",
        "An attempt by {player of} {place} goes {miss}.",
        "{player} <has> an attempt {place} for {team}, but it goes {miss}.",
        "{player of} <puts> it off target[ {place}][ after {delivery}].",
        "{player's} effort {place} is off target[ after {delivery}].",
        "Off target: {player of} <tries>[ {place}][ after {delivery}].",
    ),
    # The frame
    *about("shot", "post", body="head")(
        "{player of} <heads> against {frame}[ {place}][ after {delivery}]!",
        "{player's} header {place} comes back off {frame}!",
    ),
    *about("shot", "post")(
        "{player of} <hits> {frame}[ {place}]!",
        "{player's} effort {place} comes back off {frame}.",
        "{place}, {player of} <hits> {frame}[ after {delivery}]!",
        "Off {frame}! {player} <comes> close {place}[ after {delivery}].",
        "{player of} <strikes> the woodwork[ {place}].",
    ),
    # A shot of which the log does not know the end
    *about("shot", False)(
        "{player of} <has> an attempt at goal[ {place}][ after {delivery}].",
        "An attempt at goal by {player of}[ {place}][ after {delivery}].",
    ),
]
