"""How play goes on after an event."""

from __future__ import annotations

from touchline import Event
from touchline.methods.chains.data.set_piece_context import restarts


def event(time: float, period: int = 1, **arguments: str) -> Event:
    return Event(id=f"{period}/{time}", type="Pass", period=period, time=time, arguments=arguments)


def test_the_last_two_before_a_pause_led_to_the_set_piece() -> None:
    log = [event(1), event(2), event(3), event(20, set_piece="Corner"), event(22)]
    assert restarts(log) == [None, "Corner", "Corner", None, None]


def test_one_set_piece_after_another() -> None:
    log = [event(1), event(20, set_piece="Corner"), event(40, set_piece="Throw-in"), event(41)]
    assert restarts(log) == ["Corner", "Throw-in", None, None]


def test_without_a_pause_nothing_was_interrupted() -> None:
    log = [event(1), event(2, set_piece="Interception"), event(9), event(30)]
    assert restarts(log) == [None] * 4


def test_a_half_begins_by_itself() -> None:
    log = [event(2800), event(0, 2, set_piece="Kick Off"), event(9, 2, set_piece="Throw-in")]
    assert restarts(log) == [None, "Throw-in", None]
    assert restarts([]) == []
