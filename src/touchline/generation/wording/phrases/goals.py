"""Goals: how the ball goes in, and what it makes of the score (`goal tail`)."""

from __future__ import annotations

from touchline.generation.wording.grammar import Phrase, about

_GOAL = {"effect": True}

PHRASES: list[Phrase] = [
    # From the spot
    *about("shot", "goal", set_piece="penalty", **_GOAL)(
        "GOAL! {player of} <scores> from the penalty spot[, {into}].",
        "GOAL! {player} <converts> the penalty for {team}[, putting it {into}].",
        "GOAL! {player} <takes> the penalty and <scores>[, sending it {into}].",
        "GOAL! {player} <beats> {keeper} from the penalty spot[ with a kick {into}].",
    ),
    *about("shot", "goal", shootout=True)(
        "{player of} <scores> in the shoot-out[, {into}].",
        "The shoot-out: {player} <puts> it away for {team}[, {into}].",
        "{player} <finds> the net from the spot for {team}[, {into}].",
        "{team} score in the shoot-out: {player} <sends> it past {keeper}[, {into}].",
    ),
    # From a free kick
    *about("shot", "goal", set_piece="free kick", **_GOAL)(
        "GOAL! {player of} <scores> direct from a free kick {place}[, {into}].",
        "GOAL! {player's} free kick goes straight in[ {place}][, {into}].",
        "GOAL! {player} <takes> the free kick and <beats> {keeper} {place}[, {into}].",
    ),
    # Headers
    *about("shot", "goal", body="head", **_GOAL)(
        "GOAL! {player of} <heads> in[ {place}][ after {delivery}].",
        "GOAL! A header by {player of} {place} beats {keeper}[ after {delivery}].",
        "GOAL! {player} <heads> home for {team} {place}[ after {delivery}].",
        "GOAL! {assist} is the provider, and {player} <heads> the ball {into}.",
    ),
    *about("shot", "goal", body="head", headed_on=False, **_GOAL)(
        "GOAL! {player} <meets> {delivery} and <heads> the ball {into}.",
        "GOAL! {player} <gets> to {delivery}, and the header goes {into}.",
    ),
    *about("shot", "goal", body="head", follows="corner", **_GOAL)(
        "GOAL! {team} score from the corner: {player} <heads> in[ {place}][, {into}]"
        "[, set up by {assist}].",
    ),
    *about("shot", "goal", body="head", assist_kind="corner", **_GOAL)(
        "GOAL! {delivery} is headed in by {player of}[ {place}].",
    ),
    # Volleys and the like
    *about("shot", "goal", technique=("volley", "half-volley"), **_GOAL)(
        "GOAL! {player of} <scores> {technique} {place}[, {into}][, set up by {assist}].",
        "GOAL! {player} <hits> {delivery} {technique}, and it goes {into}.",
    ),
    *about("shot", "goal", technique=("overhead kick", "backheel", "lob"), **_GOAL)(
        "GOAL! {player of} <scores> {technique}[ {place}][, {into}][, set up by {assist}].",
        "GOAL! {player} <beats> the goalkeeper {technique}[ {place}].",
    ),
    # After a run or a rebound
    *about("shot", "goal", run=True, **_GOAL)(
        "GOAL! {player of} <gets> past {beaten} and <scores> {place}[, {into}].",
        "GOAL! {player} <takes> on {beaten}, <wins>, and <sends> the shot {into}.",
    ),
    *about("shot", "goal", rebound=("saved", "blocked", "post"), again=False, **_GOAL)(
        "GOAL! {first} cannot score, but {player} <puts> away the rebound {place}[, {into}].",
        "GOAL! The ball comes back out from {first's} effort and {player of} <scores> {place}.",
    ),
    *about("shot", "goal", redirect=True, again=False, **_GOAL)(
        "GOAL! {player of} <turns> in {first's} effort {place}[, {into}].",
    ),
    *about("shot", "goal", rebound=True, again=True, **_GOAL)(
        "GOAL! {player of} <scores> at the second attempt[ {place}][, {into}].",
    ),
    # First time
    *about("shot", "goal", first_time=True, foot=True, **_GOAL)(
        "GOAL! {player of} <meets> {delivery} first time and <sends> it {into}.",
        "GOAL! {player} <scores> first time {place}[ after {delivery}].",
        "GOAL! {delivery} reaches {player}, whose first-time finish goes {into}.",
    ),
    # On the break
    *about("shot", "goal", follows="counter", **_GOAL)(
        "GOAL! {team} score on the counter: {player} <finishes> {place}[ after {delivery}].",
    ),
    *about("shot", "goal", follows=("corner", "free kick"), **_GOAL)(
        "GOAL! The set piece pays off for {team}: {player} <scores> {place}[ after {delivery}].",
    ),
    # From a cross, a through ball, a pass
    *about("shot", "goal", assist_kind="cross", **_GOAL)(
        "GOAL! {assist} crosses and {player of} <scores> {place}[, {into}].",
    ),
    *about("shot", "goal", assist_kind="through ball", **_GOAL)(
        "GOAL! {assist's} through ball finds {player}, who <scores> {place}[, {into}].",
    ),
    *about("shot", "goal", assist=True, **_GOAL)(
        "GOAL! {player of} <scores> {place}[, {into}], set up by {assist}.",
        "GOAL! {delivery} finds {player}, who <scores> {place}[, {into}].",
        "GOAL! {assist} is the provider and {player} <puts> the ball {into}.",
        "GOAL! {assist} plays it to {player}, who <finds> the net[ {place}][, {into}].",
    ),
    *about("shot", "goal", foot=True, **_GOAL)(
        "GOAL! {player of} <scores> {foot} {place}[, {into}].",
        "GOAL! {player} <beats> {keeper} {place}[, sending the ball {into}].",
        "GOAL! {player} <finds> the net for {team} {place}[, {into}].",
    ),
    *about("shot", "goal", **_GOAL)(
        "GOAL! {player of} <scores>[ {place}][, {into}].",
        "GOAL for {team}! {player} <finishes>[ {place}][, {into}].",
    ),
    *about("shot", "goal", effect=False, shootout=False)(
        "GOAL! {player of} <scores>[ {place}][, {into}][, set up by {assist}].",
    ),
    # By nobody that the log knows
    *about("shot", "goal", team=False)(
        "GOAL! The ball is in the net[, {into}].",
    ),
    # Own goals
    *about("own goal", **_GOAL)(
        "OWN GOAL! {player of} <puts> the ball into the wrong net.",
        "OWN GOAL! {player} <turns> the ball into {team's} own goal.",
        "OWN GOAL by {player of}, and the goal goes to {opponents}.",
    ),
    # What a goal makes of the score
    *about("goal tail", effect="opener")(
        "{scoring} take the lead.",
        "{score}.",
        "The first goal of the match: {score}.",
        "{scoring} are in front.",
        "{scoring} lead {figures}.",
    ),
    *about("goal tail", effect="opener", minute=(1, 2, 3, 4, 5))(
        "Only the opening minutes have gone, and it is {score}.",
    ),
    *about("goal tail", effect="equaliser")(
        "That is the equaliser: {score}.",
        "{scoring} are level at {figures}.",
        "All square again: {score}.",
        "{score}, and it is all level.",
    ),
    *about("goal tail", effect="equaliser", comeback=(2, 3, 4))(
        "{scoring} were {behind} and are now level at {figures}.",
    ),
    *about("goal tail", effect="equaliser", late=True)(
        "A late equaliser: {score}.",
    ),
    *about("goal tail", effect="lead")(
        "{scoring} go {figures} ahead.",
        "{scoring} are in front at {figures}.",
        "{score}.",
    ),
    *about("goal tail", effect="lead", comeback=(1, 2, 3, 4))(
        "{scoring} were {behind} and now lead {figures}.",
        "From {behind} to {figures} up: {scoring} have turned it around.",
    ),
    *about("goal tail", effect="lead", late=True)(
        "It comes late, and it puts {scoring} {figures} ahead.",
    ),
    *about("goal tail", effect="extends", margin=2)(
        "The lead is two goals: {score}.",
        "A cushion of two goals for {scoring}, who lead {figures}.",
        "That makes it {figures} to {scoring}.",
    ),
    *about("goal tail", effect="extends", margin=(3, 4, 5, 6, 7, 8))(
        "The lead is {margin} goals: {score}.",
        "It is {figures} to {scoring} now.",
        "{score}: {margin} goals between the sides.",
    ),
    *about("goal tail", effect="reduces")(
        "{scoring} pull one back; {conceding} still lead.",
        "{conceding} still lead, but it is now {score}.",
        "The gap is down to {margin}: {score}.",
    ),
    *about("goal tail", effect="equaliser", reply=True)(
        "The reply has taken only {reply}: {score}.",
    ),
    *about("goal tail", effect=True, hat_trick=True, named=True)(
        "A hat-trick for {player}: {score}.",
    ),
    *about("goal tail", effect=True, brace=True, named=True)(
        "It is {player's} second of the match: {score}.",
        "{player} <has> two, and it is {score}.",
    ),
    *about("goal tail", effect=True, added=True)(
        "In added time it becomes {score}.",
        "{score}, in added time.",
    ),
]
