"""What a line says of a shot: how it ended, from where, with what, and where it went."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence

from benchmarks.verify.records import Record, yards_inside

_OUTCOMES: dict[str, str] = {
    "goal": r"^GOAL|\bGoal!|\bscores\b|\bmakes it\b|\bequalis|back of the net|\bin the net\b",
    "saved": r"\bsave[sd]?\b|\bsaving\b|\bdenied by\b|\bdenies\b|\bkeeps (?:it )?out\b|\bkept out\b"
             r"|\bparries\b|\bpushes away\b|\bis equal to it\b|\bstopped by\b|\bturns it behind\b",
    "blocked": r"\bblock(?:s|ed)?\b|\bcharged down\b|\bin the way\b",
    "off": r"\bwide\b|\bover the (?:cross)?bar\b|\boff target\b|\bmisses\b",
    "post": r"\b(?:hits|off|against|strikes) the (?:left |right )?"
            r"(?:post|bar|crossbar|woodwork|frame)",
}  # fmt: skip
_METHODS = {
    "Volley": r"\bon the volley\b|\bvolleys\b",
    "Half Volley": r"\bhalf-volley\b",
    "Overhead Kick": r"\boverhead kick\b",
    "Backheel": r"\bbackheel\b",
    "Lob": r"\blob\b",
    "Diving Header": r"\bdiving header\b",
}
# At the goal line, in yards: half the width, the bar's height, half the goal's middle third.
_POST, _BAR, _MIDDLE = 4.0, 2.67, 4 / 3
# StatsBomb's end of a shot that was stopped or missed is where its observer saw it pass.
_SEEN = 0.35


def shots_of(events: Sequence[Record]) -> list[Record]:
    """The shots of a line in order; the last one is what it is about, another is a rebound's."""
    return [event for event in events if event.outcome]


def outcome(text: str, events: Sequence[Record]) -> Iterator[str]:
    shots = shots_of(events)
    said = {name for name, words in _OUTCOMES.items() if re.search(words, text)}
    if any(event.own_goal for event in events):
        said.discard("goal")
    if not shots:
        if "goal" in said:
            yield "a goal without a shot"
        return
    may = {shot.outcome for shot in shots}
    if any(event.kind == "Goal Keeper" for event in events) and "off" in may:
        may.add("saved")  # Opta files a shot that the keeper turns wide under misses, with a save
    for name in sorted(said - may):
        yield f"says {name}, the file has {', '.join(shot.outcome for shot in shots)}"
    if shots[-1].goal and "goal" not in said:
        yield "leaves out the goal"


def place(text: str, events: Sequence[Record], slack: float) -> Iterator[str]:
    shots = shots_of(events)
    if not shots or shots[-1].place is None:
        return
    shot = shots[-1]
    x, y = shot.place or (0.0, 0.0)
    inside, yards = yards_inside((x, y)), math.dist((x, y), (120, 40))
    wide = abs(y - 40)
    # Places are rounded, so half a yard on either side of a line could be either.
    doubt = max(slack, 0.5)
    turned = math.degrees(math.atan2(wide + doubt, max(120 - x - doubt, 0.1)))
    held = {
        r"from inside the box|from the (?:left|right|middle)? ?(?:side )?of the box":
            inside >= -doubt,
        r"from the middle of the box": wide <= 10 + doubt,
        r"from close range|six-yard box": x >= 114 - doubt and wide <= 10 + doubt,
        r"from outside the box|from long range": inside <= doubt,
        r"from the edge of the box": -7 - doubt <= inside <= doubt,
        r"from long range": yards >= 29,
        r"tight angle": turned >= 58,
        r"(?:left side of the box|(?:box|angle) on the left)": y < 40 - 10 + doubt,
        r"(?:right side of the box|(?:box|angle) on the right)": y > 40 + 10 - doubt,
    }  # fmt: skip
    for words, holds in held.items():
        hit = re.search(words, text)
        if hit and not holds:
            yield f"says {hit[0]}, the shot was from {x:.1f}, {y:.1f}"


def body(text: str, events: Sequence[Record], names: Sequence[str]) -> Iterator[str]:
    """`names` are the words of the shooter's names."""
    shots = shots_of(events)
    if not shots or not shots[-1].body:
        return
    # A header before the shot is the team-mate's whose name owns it; any other is the shot.
    own = re.sub(r"(\w+)['’]s? (?:\([^)]*\) )?header", lambda hit: hit[0]
                 if _folded(hit[1]) in names else "", text)  # fmt: skip
    said = {"Head": r"\bhead(?:er|s|ed)?\b", "Left Foot": r"left[- ]foot",
            "Right Foot": r"right[- ]foot"}  # fmt: skip
    for name, words in said.items():
        if re.search(words, own) and not shots[-1].body.startswith(name):
            yield f"says {name}, the file has {shots[-1].body}"


def method(text: str, events: Sequence[Record]) -> Iterator[str]:
    shots = shots_of(events)
    if re.search(r"first[- ]time", text) and not any(shot.first_time for shot in shots):
        yield "says first time, the file does not"
    if not shots or not shots[-1].technique:
        return
    for name, words in _METHODS.items():
        if re.search(words, text) and shots[-1].technique != name:
            yield f"says {name}, the file has {shots[-1].technique}"


def target(text: str, events: Sequence[Record]) -> Iterator[str]:
    """Where the last shot of a line went."""
    shots = shots_of(events)
    if not shots or not (shots[-1].mouth or shots[-1].sides):
        return
    shot = shots[-1]
    sides, heights = _went(shot)
    hit = re.search(r"(?:bottom|top|into the|in the|on the|of the|off the|the) (left|right) "
                    r"(?:corner|post|side of the goal)|wide to the (left|right)", text)  # fmt: skip
    side = (hit[1] or hit[2]) if hit else ""
    if side and side not in sides:
        yield f"says {side} of the goal, the file has {sorted(sides)} ({shot.mouth})"
    if re.search(r"middle of the goal|down the middle", text) and "centre" not in sides:
        yield f"says the middle, the file has {sorted(sides)} ({shot.mouth})"
    low = re.search(r"\bbottom (?:left|right) corner|\blow (?:in|into)\b", text)
    high = re.search(r"\btop (?:left|right) corner|\bhigh (?:in|into)\b", text)
    if low and "low" not in heights:
        yield f"says {low[0]}, the file has {sorted(heights)} ({shot.mouth})"
    if high and "high" not in heights:
        yield f"says {high[0]}, the file has {sorted(heights)} ({shot.mouth})"
    if shot.outcome == "off" and "saved" not in text:
        yield from _missed(text, shot, sides, heights)


def _missed(text: str, shot: Record, sides: set[str], heights: set[str]) -> Iterator[str]:
    if re.search(r"\bover the (?:cross)?bar", text) and "over" not in heights:
        yield f"says over, the file has {sorted(sides)} ({shot.mouth})"
    if re.search(r"\bwide\b", text) and not sides & {"left", "right"}:
        yield f"says wide, the file has {sorted(heights)} ({shot.mouth})"
    close = re.search(r"\bjust (?:wide|over)|^Close!|^Not far away", text)
    if close and shot.close is not None:  # the provider's own word for it
        if not shot.close:
            yield f"says {close[0]}, the file does not"
    elif close and shot.mouth is not None:
        off = max(abs(shot.mouth[0]) - _POST, shot.mouth[1] - _BAR)
        if off > 1.1:
            yield f"says {close[0]}, the ball was {off:.1f} yards off"


def _went(shot: Record) -> tuple[set[str], set[str]]:
    """Words that fit the place where a shot crossed the goal line; near a border, both do.

    Where the provider's words and numbers disagree on the height, either counts.
    """
    if shot.mouth is None:
        over = {"over"} if shot.outcome == "off" and "high" in shot.heights else set()
        return set(shot.sides), set(shot.heights) | over
    across, up = shot.mouth
    sides = {"left" if across < 0 else "right"} if abs(across) >= _MIDDLE - _SEEN else set[str]()
    sides |= {"centre"} if abs(across) <= 1.8 + _SEEN else set()
    if shot.outcome == "off":
        sides = {"left" if across < 0 else "right"} if abs(across) > _POST - _SEEN else set()
    heights = {"low"} if up <= 0.9 + _SEEN else set()
    heights |= {"high"} if up >= 1.75 - _SEEN else set()
    heights |= {"over"} if up >= _BAR - _SEEN else set()
    return sides, heights | shot.heights


def _folded(word: str) -> str:
    return word.casefold()
