"""The facts of an event, as an immutable record."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from touchline.core.records import Event, Player

# Goals of each team, in the order of the match's teams.
Score = tuple[int, int]


class EventFacts(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """What the log knows about one event; None is what it does not know.

    Attributes
    ----------
    event
        The event itself.
    kind
        What happened, in the same word for every feed: `shot`, `foul`, `corner`, `cross` ...
        (`kinds.KINDS`); `other` for a type that is not known.
    outcome
        Of a shot: `goal`, `saved`, `blocked`, `off`, `post`; of a pass: `complete`, `incomplete`,
        `out`, `offside`; of a dribble, tackle or duel: `won`, `lost`; of a keeper's action: `held`,
        `parried`, `punched`, `missed`.
    team, opponents, player, number
        Who acts, under the name that is shown; the player's shirt number.
    roles
        Other players by their role: `recipient`, `keeper`, `fouled`, `fouler`, `blocker`,
        `team_mate` (who blocks a shot of the own side), `opponent`, `replacement`, `passer`,
        `shooter`, `assist`.
    assist_kind
        What the pass before a shot was: `corner`, `free kick`, `throw-in`, `cross`, `cut-back`,
        `through ball`, `header`, `pass`.
    distance, side, area, tight, central
        Of a place: whole yards to the goal that is attacked, the side and part of the pitch seen by
        the acting team, whether a shot comes from a tight angle, or from no farther to the side
        than the six-yard box. `end_side` and `end_area` are of the place where a pass ends;
        `length` is how far it goes, in yards.
    body, first_time, technique
        `head`, `left foot`, `right foot`; True where the log says that a shot was taken first time;
        `volley`, `half-volley`, `overhead kick`, `lob`, `backheel`, `diving header`.
    set_piece
        The set piece that the event itself is: `corner`, `free kick`, `penalty`, `throw-in`,
        `goal kick`, `kick-off`; `open play` where the log says that it is none.
    follows
        The set piece whose ball is still in play: `corner`, `free kick`, `throw-in`, `penalty`; or
        `counter`, where the log calls it one.
    target
        Where a shot goes: `bottom left`, `top right`, `left`, `low`, `high`, `centre` ... of the
        goal, or where it misses: `wide left`, `wide right`, `over`; sides seen by the shooter.
    narrow
        Whether the log says that a miss was close.
    card, penalty, handball, reason, injury
        The card shown, `yellow`, `second yellow` or `red`; whether a foul gives a penalty, is
        handball; why somebody was booked; whether a player goes off injured.
    before, after
        The score before and after the event.
    effect
        What a goal makes of the score: `opener`, `equaliser`, `lead`, `extends`, `reduces`.
    comeback
        Whether the goal turns or levels a match in which its team was behind: by how many goals.
    tally
        How many goals the scorer has now, own goals not counted.
    restart, restart_team
        How play goes on if this event stops it: `corner`, `goal kick`, `throw-in`, `free kick`,
        `penalty`, `kick-off`.
    minute, added, clock
        The minute counted from 1 through added time, whether it is added time, what a page shows.
    """

    event: Event
    kind: str
    outcome: str | None = None
    team: str | None = None
    opponents: str | None = None
    player: str | None = None
    number: int | None = None
    roles: Mapping[str, str] = {}
    people: Mapping[str, Player] = {}
    assist_kind: str | None = None
    distance: int | None = None
    side: str | None = None
    area: str | None = None
    tight: bool | None = None
    central: bool | None = None
    end_side: str | None = None
    end_area: str | None = None
    length: int | None = None
    body: str | None = None
    first_time: bool | None = None
    technique: str | None = None
    set_piece: str | None = None
    follows: str | None = None
    target: str | None = None
    narrow: bool | None = None
    card: str | None = None
    penalty: bool | None = None
    handball: bool | None = None
    reason: str | None = None
    injury: bool | None = None
    before: Score | None = None
    after: Score | None = None
    effect: str | None = None
    comeback: int | None = None
    tally: int | None = None
    restart: str | None = None
    restart_team: str | None = None
    minute: int = 0
    added: bool = False
    clock: str = ""

    @property
    def id(self) -> str:
        """The event's id."""
        return self.event.id

    @property
    def time(self) -> tuple[int, float]:
        """Period and second, to compare events."""
        return self.event.period, self.event.time
