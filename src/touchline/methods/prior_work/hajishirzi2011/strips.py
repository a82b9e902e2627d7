"""Who has the ball: what an event asks of the state before it and leaves behind (STRIPS).

RoboCup's events are given by the table; of any other event it is asked that its player has the
ball or nobody is known to, and that player keeps it unless the record says who has it then.
"""

from __future__ import annotations

from touchline.core.records import Event

# Events by which a player comes to the ball, so that they cannot have it before.
TAKING = frozenset({"steal", "block", "defense"})
# Events after which nobody has the ball.
FREEING = frozenset({"kick", "ballstopped", "playmode"})
# Roles of the player who has the ball after an event.
RECEIVING = frozenset({"recipient", "interceptor", "winner"})


def holder_after(event: Event) -> str | None:
    """The id of the player who has the ball after the event; None when nobody is known to."""
    received = next((o.player.id for o in event.others if o.role in RECEIVING), None)
    if received is not None or event.type in FREEING or event.player is None:
        return received
    return event.player.id


def feasible(event: Event, holder: str | None) -> bool:
    """Whether the event can happen while that player has the ball."""
    if holder is None or event.player is None:
        return True
    return (event.player.id == holder) != (event.type in TAKING)
