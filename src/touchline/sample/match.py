"""What happens in an invented match: a small ball-possession state machine."""

from __future__ import annotations

from typing import Any

from .log import Event, Log, Point, link, person, travel
from .pitch import HOMES, Pitch, apart, flip, inside
from .squads import Player

# How often the player on the ball tries what, by zone of the pitch.
CHOICES: dict[str, dict[str, float]] = {
    "own": {"pass": 90, "long": 7, "dispossessed": 1, "miscontrol": 1, "foul": 1.3},
    "middle": {
        "pass": 84, "long": 3, "through": 1.5, "dribble": 4, "dispossessed": 2.5,
        "miscontrol": 2, "foul": 2.4,
    },
    "wide": {
        "pass": 34, "cross": 34, "dribble": 10, "dispossessed": 4, "miscontrol": 3, "foul": 3,
    },
    "centre": {
        "pass": 66, "through": 5, "shot": 11, "dribble": 8, "dispossessed": 6, "miscontrol": 3,
        "foul": 3,
    },
    "box": {"pass": 42, "shot": 42, "dribble": 6, "dispossessed": 6, "miscontrol": 4, "foul": 0.8},
}  # fmt: skip


class Match(Pitch):
    """What the players do with the ball, and where that takes it."""

    # -- passing -----------------------------------------------------------------------------

    def kick(self, to: Player | None, end: Point, **detail: Any) -> Event:
        """Record a pass and let the ball travel; what becomes of it is the caller's business."""
        course = travel(self.ball, end)
        long = course["length"] > 32
        if "height" not in detail:
            heights = {"High Pass": 70.0 if long else 4.0, "Low Pass": 8.0, "Ground Pass": 88.0}
            detail["height"] = self.pick(heights)
        if "body_part" not in detail and detail.get("type") != "Throw-in":
            head = 0 if "type" in detail or "cross" in detail else 4
            part = self.pick({"Right Foot": 70, "Left Foot": 26, "Head": head})
            at_feet = part == "Head" and self.carrier.position == "Goalkeeper"
            detail["body_part"] = "Right Foot" if at_feet else part
        if abs(end[1] - self.ball[1]) > 36:
            detail["switch"] = True
        duration = round(0.4 + course["length"] / 20, 3)
        names = {"recipient": person(to)} if to else {}
        event = self.do("Pass", duration, **names, **course, **detail)
        self.log.clock = round(self.log.clock + duration, 3)
        self.ball = end
        return event

    def receive(self, to: Player, ball: Event) -> None:
        """Control a pass, and mostly run with the ball a little."""
        self.carrier, self.assist = to, ball
        got = self.do("Ball Receipt*")
        link(ball, got)
        if self.rng.random() < 0.78:
            self.carry(got)
        else:
            self.wait(0.5, 1.8)

    def carry(self, got: Event) -> None:
        run = inside(self.ball[0] + self.between(-1, 7), self.ball[1] + self.between(-4, 4))
        duration = round(1.0 + apart(self.ball, run) / 3.3, 3)
        event = self.do("Carry", duration, end_location=list(run))
        link(event, got)
        if self.rng.random() < 0.3:
            event["under_pressure"] = True
            link(event, self.answer("Pressure", self.foe()))
        self.ball = run
        self.log.clock = round(self.log.clock + duration, 3)

    def try_pass(self, to: Player | None = None, **detail: Any) -> None:
        """An ordinary pass: longer and more advanced ones fail more often."""
        to = to or self.mate()
        end = self.near(*self.spot(self.side, to), 5)
        risk = 0.035 + apart(self.ball, end) / 400 + max(end[0] - 70, 0) / 330
        if detail.get("type") in ("Kick Off", "Goal Kick"):
            risk = 0.0
        if self.rng.random() > risk:
            self.receive(to, self.kick(to, end, **detail))
            return
        how = self.pick({"cut": 24, "loose": 34, "out": 26, "block": 16})
        if how == "out":
            edge = inside(end[0], 0.0 if end[1] < 40 else 80.0)
            self.kick(to, edge, **detail, outcome="Out")
            self.throw_in(1 - self.side)
        elif how == "block":
            self.blocked(self.kick(None, self.near(*self.ball, 3), **detail, outcome="Incomplete"))
        else:
            ball = self.kick(to, end, **detail, outcome="Incomplete")
            foe = self.foe()
            kind = "Interception" if how == "cut" else "Ball Recovery"
            won = {"outcome": "Won"} if how == "cut" else {}
            link(ball, self.answer(kind, foe, **won))
            self.gain(foe, "From Counter" if self.ball[0] < 50 else "Regular Play")
            self.wait(0.6, 2.0)

    def blocked(self, ball: Event) -> None:
        """A pass, cross or shot that an opponent stopped with their body."""
        link(ball, self.answer("Block", self.foe()))
        self.wait(0.3, 1.0)
        out = self.rng.random() < 0.6
        if out and self.ball[0] > 98:
            self.corner(self.side)
        elif out and abs(self.ball[1] - 40) > 20:
            self.throw_in(self.side)
        else:
            self.loose()

    def loose(self) -> None:
        """Nobody's ball: either side may pick it up."""
        self.wait(0.8, 2.2)
        self.ball = self.near(*self.ball, 5)
        if self.rng.random() < 0.45:
            players = [p for p in self.on[self.side] if p.position != "Goalkeeper"]
            gaps = [apart(self.spot(self.side, p), self.ball) for p in players]
            self.carrier, self.assist = (
                self.rng.choices(players, [1 / (9 + g * g) for g in gaps])[0],
                None,
            )
            self.do("Ball Recovery")
        else:
            foe = self.foe()
            self.gain(foe)
            self.do("Ball Recovery")
        self.wait(0.6, 2.0)

    def long_ball(self, **detail: Any) -> None:
        """A high ball to a forward: it mostly ends in a header."""
        to = self.mate(45)
        end = self.near(*self.spot(self.side, to), 6)
        how = self.pick({"won": 30, "lost": 42, "free": 20, "out": 8})
        if how == "out":
            edge = inside(end[0], 0.0 if end[1] < 40 else 80.0)
            self.kick(to, edge, height="High Pass", outcome="Out", **detail)
            self.throw_in(1 - self.side)
        elif how == "lost":
            ball = self.kick(to, end, height="High Pass", outcome="Incomplete", **detail)
            self.carrier = to
            self.clear(ball, self.do("Duel", type="Aerial Lost"))
        else:
            ball = self.kick(to, end, height="High Pass", **detail)
            if how == "won":
                link(ball, self.answer("Duel", self.foe(), type="Aerial Lost"))
            self.receive(to, ball)

    def through(self) -> None:
        """A ball in behind: offside, cut out, or a chance."""
        forwards = [
            p for p in self.on[self.side] if HOMES[p.position][0] > 70 and p != self.carrier
        ]
        to = self.rng.choice(forwards)
        end = self.near(min(self.ball[0] + 22, 110), 40 + (self.ball[1] - 40) / 3, 5)
        extra = {"height": "Ground Pass", "through_ball": True, "technique": "Through Ball"}
        how = self.pick({"reach": 42, "cut": 34, "flag": 12, "late flag": 12})
        if how == "reach":
            self.receive(to, self.kick(to, end, **extra))
        elif how == "cut":
            ball = self.kick(to, end, outcome="Incomplete", **extra)
            foe = self.foe()
            link(ball, self.answer("Interception", foe, outcome="Won"))
            self.gain(foe)
            self.wait(0.6, 2.0)
        else:
            flag = {"outcome": "Pass Offside"} if how == "flag" else {}
            ball = self.kick(to, end, **extra, **flag)
            if how == "late flag":
                self.carrier = to
                link(ball, self.do("Offside"))
            self.free_kick(1 - self.side)

    # -- losing the ball, and beating an opponent ----------------------------------------------

    def dribble(self) -> None:
        foe = self.foe()
        if self.rng.random() < 0.58:
            past = self.answer("Dribbled Past", foe)
            link(self.do("Dribble", outcome="Complete"), past)
            self.ball = inside(self.ball[0] + self.between(3, 7), self.ball[1])
            self.wait(0.8, 2.0)
            return
        tried = self.do("Dribble", outcome="Incomplete")
        link(tried, self.answer("Duel", foe, type="Tackle", outcome="Won"))
        self.gain(foe)
        self.wait(0.6, 2.0)

    def dispossessed(self) -> None:
        foe = self.foe()
        lost = self.do("Dispossessed")
        link(lost, self.answer("Duel", foe, type="Tackle", outcome="Won"))
        self.gain(foe, "From Counter" if self.ball[0] < 55 else "Regular Play")
        self.wait(0.6, 2.0)

    def miscontrol(self) -> None:
        self.do("Miscontrol")
        if abs(self.ball[1] - 40) > 30 and self.rng.random() < 0.6:
            self.throw_in(1 - self.side)
        else:
            self.loose()

    def clear(self, *causes: Event) -> None:
        """A defender gets the ball away."""
        self.log.clock = round(self.log.clock + 0.2, 3)
        high = len(causes) > 1
        part = "Head" if high else self.pick({"Head": 45, "Right Foot": 35, "Left Foot": 20})
        won = {"aerial_won": True} if high else {}
        foe = self.foe()
        link(self.answer("Clearance", foe, body_part=part, **won), *causes)
        after = self.pick({"loose": 60, "out": 22, "corner": 18 if self.ball[0] > 100 else 0})
        if after == "corner":
            self.corner(self.side)
        elif after == "out":
            self.ball = inside(self.ball[0] - self.between(5, 20), self.ball[1])
            self.throw_in(self.side)
        else:
            self.ball = self.near(self.ball[0] - 20, self.ball[1], 9)
            self.wait(0.8, 1.8)
            self.loose()

    def foul(self) -> None:
        """A foul on the player on the ball, or now and then a handball, and what follows."""
        foe = self.foe()
        penalty = self.ball[0] > 102 and 18 < self.ball[1] < 62
        hand = self.rng.random() < 0.08
        detail: dict[str, Any] = {"type": "Handball"} if hand else {}
        if foe.id not in self.booked and self.rng.random() < 0.2:
            detail["card"] = "Yellow Card"
            self.booked.add(foe.id)
        if penalty:
            detail["penalty"] = True
        committed = self.answer("Foul Committed", foe, **detail)
        if not hand:
            link(committed, self.do("Foul Won"))
        if not hand and self.rng.random() < 0.1:
            self.wait(4, 9)
            self.log.add("Injury Stoppage", self.side, self.carrier)
            self.wait(30, 70)
        if penalty:
            self.penalty()
        else:
            self.free_kick(self.side)

    # -- shooting ------------------------------------------------------------------------------

    def shoot(self, kind: str = "Open Play", body: str = "") -> None:
        """A shot, the keeper's part in it, and where the ball goes next."""
        body = body or self.pick({"Right Foot": 66, "Left Foot": 34})
        far = apart(self.ball, (120, 40))
        chance = 0.76 if kind == "Penalty" else max(0.36 - far * 0.014, 0.02)
        chance *= 0.6 if body == "Head" else 1
        technique = "Normal"
        if body != "Head" and kind == "Open Play":
            technique = self.pick({"Normal": 80, "Half Volley": 11, "Volley": 9})
        miss = {"Saved": 30.0, "Off T": 34, "Blocked": 24, "Post": 4, "Wayward": 4}
        if kind == "Penalty":
            miss = {"Saved": 70, "Off T": 20, "Post": 10}
        outcome = "Goal" if self.rng.random() < chance else self.pick(miss)
        shot = self.do(
            "Shot",
            round(0.3 + far / 30, 3),
            statsbomb_xg=round(chance, 3),
            end_location=self.aim(outcome),
            technique=technique,
            body_part=body,
            type=kind,
            outcome=outcome,
        )
        self.credit(shot, outcome == "Goal")
        self.after_shot(shot, outcome, kind)

    def aim(self, outcome: str) -> list[float]:
        """Where a shot ends: inside the posts (y 36 to 44), past them, or at a defender."""
        if outcome == "Blocked":
            return [round(self.ball[0] + 3, 1), self.ball[1]]
        wide = {"Off T": 4.5, "Wayward": 14.0, "Post": 0.0}.get(outcome, -3.0)
        y = 40 + (4 + wide) * self.rng.choice((-1, 1))
        height = self.between(2.7, 5) if outcome == "Off T" else self.between(0.1, 2.4)
        return [120.0, round(y, 1), round(height, 1)]

    def credit(self, shot: Event, goal: bool) -> None:
        """Tie a shot to the pass that made it."""
        if self.assist is None or shot["shot"]["type"]["name"] != "Open Play":
            return
        shot["shot"]["key_pass_id"] = self.assist["id"]
        self.assist["pass"]["assisted_shot_id"] = shot["id"]
        self.assist["pass"]["goal_assist" if goal else "shot_assist"] = True

    def after_shot(self, shot: Event, outcome: str, kind: str) -> None:
        if outcome == "Blocked":
            self.log.clock = round(self.log.clock + 0.3, 3)
            self.blocked(shot)
            return
        self.log.clock = round(self.log.clock + shot["duration"], 3)
        keeper = self.keeper(1 - self.side)
        how = {"Goal": "Goal Conceded", "Saved": "Shot Saved"}.get(outcome, "Shot Faced")
        result = "No Touch"
        if outcome == "Saved":
            result = self.pick({"In Play Safe": 55, "Touched Out": 28, "In Play Danger": 17})
            how = "Penalty Saved" if kind == "Penalty" else how
        self.ball = (115.0, 40.0)
        moves = {"technique": self.pick({"Diving": 55, "Standing": 45}), "position": "Set"}
        link(shot, self.answer("Goal Keeper", keeper, type=how, outcome=result, **moves))
        if outcome == "Goal":
            self.wait(45, 70)
            self.kick_off(1 - self.side)
        elif result == "In Play Safe":
            self.keeper_ball(keeper)
        elif result == "Touched Out":
            self.corner(self.side)
        elif result == "In Play Danger" or outcome == "Post":
            self.ball = self.near(108, 40, 6)
            self.loose()
        else:
            self.goal_kick(1 - self.side)

    # -- balls into the box --------------------------------------------------------------------

    def into_box(self, **detail: Any) -> None:
        """A cross, corner or wide free kick."""
        players = [
            p for p in self.on[self.side] if p != self.carrier and p.position != "Goalkeeper"
        ]
        gaps = [
            120 - HOMES[p.position][0] - 30 * (p.position.endswith("Center Back")) for p in players
        ]
        to = self.rng.choices(players, [1 / (g * g) for g in gaps])[0]
        end = self.near(110, 40, 6)
        how = self.pick({"header": 27, "clear": 40, "claim": 14, "punch": 4, "block": 9, "over": 7})
        if how == "block":
            short = self.near(self.ball[0] - 3, self.ball[1], 2)
            self.blocked(self.kick(None, short, height="Low Pass", outcome="Incomplete", **detail))
            return
        if how == "over":
            end = inside(end[0] + 8, 80 - self.ball[1])
            self.kick(to, end, height="High Pass", outcome="Out", **detail)
            self.goal_kick(1 - self.side)
            return
        failed = {} if how == "header" else {"outcome": "Incomplete"}
        ball = self.kick(to, end, height="High Pass", **detail, **failed)
        if how == "header":
            self.carrier, self.assist = to, ball
            link(ball, self.do("Ball Receipt*"))
            self.log.clock = round(self.log.clock + 0.2, 3)
            foot = self.pick({"Head": 72, "Right Foot": 18, "Left Foot": 10})
            self.shoot(body=foot)
        elif how == "clear":
            self.clear(ball)
        else:
            self.claimed(ball, how)

    def claimed(self, ball: Event, how: str) -> None:
        """The keeper comes for a ball into the box."""
        keeper = self.keeper(1 - self.side)
        kind, result = ("Collected", "Claim") if how == "claim" else ("Punch", "Punched out")
        act = self.answer("Goal Keeper", keeper, type=kind, outcome=result, position="Moving")
        link(ball, act)
        if how == "claim":
            self.keeper_ball(keeper)
        else:
            self.ball = self.near(98, self.ball[1], 8)
            self.loose()

    def keeper_ball(self, keeper: Player) -> None:
        """The keeper holds the ball, then throws it short or kicks it long."""
        self.gain(keeper, "From Keeper")
        self.wait(4, 11)
        self.ball = (14.0, 40.0)
        if self.rng.random() < 0.55:
            self.try_pass(self.mate(24), body_part="Keeper Arm", height="Ground Pass")
        else:
            self.long_ball(body_part="Drop Kick")

    # -- restarts --------------------------------------------------------------------------------

    def restart(self, side: int, pattern: str, low: float, high: float) -> None:
        """Turn the ball to the side that restarts, and use the pause for changes."""
        if side != self.side:
            self.ball = flip(self.ball)
        self.own(side, pattern)
        self.wait(low, high)
        for club in (0, 1):
            while (
                self.log.period == 2
                and self.changes[club]
                and self.changes[club][0][0] < self.log.clock
            ):
                self.change(club, *self.changes[club].pop(0)[1:])

    def change(self, side: int, off: int, on: int) -> None:
        club = self.log.clubs[side]
        old, new = club.shirt(off), club.shirt(on)
        self.on[side][self.on[side].index(old)] = new
        self.log.add("Substitution", side, old, outcome="Tactical", replacement=person(new))
        self.wait(15, 30)

    def kick_off(self, side: int) -> None:
        self.restart(side, "From Kick Off", 0.2, 0.9)
        self.ball, self.carrier = (60.0, 40.0), self.on[side][10]
        self.try_pass(self.mate(12), type="Kick Off", height="Ground Pass")

    def throw_in(self, side: int) -> None:
        self.restart(side, "From Throw In", 10, 24)
        self.ball = inside(self.ball[0], 0.0 if self.ball[1] < 40 else 80.0)
        wide = [p for p in self.on[side] if abs(HOMES[p.position][1] - self.ball[1]) < 18]
        self.carrier = min(wide, key=lambda p: apart(self.spot(side, p), self.ball))
        self.try_pass(self.mate(12), type="Throw-in", height="High Pass")

    def goal_kick(self, side: int) -> None:
        self.restart(side, "From Goal Kick", 18, 30)
        self.ball, self.carrier = (6.0, self.rng.choice((36.0, 44.0))), self.keeper(side)
        if self.rng.random() < 0.5:
            self.try_pass(self.mate(28), type="Goal Kick", body_part="Right Foot")
        else:
            self.long_ball(type="Goal Kick", body_part="Right Foot")

    def corner(self, side: int) -> None:
        self.restart(side, "From Corner", 20, 32)
        self.ball, self.carrier = (120.0, 0.1 if self.ball[1] < 40 else 80.0), self.taker()
        if self.rng.random() < 0.14:
            self.try_pass(self.mate(15), type="Corner")
            return
        swing = self.pick({"Inswinging": 55, "Outswinging": 45})
        self.into_box(type="Corner", technique=swing, body_part="Right Foot")

    def free_kick(self, side: int) -> None:
        self.restart(side, "From Free Kick", 16, 36)
        x, y = self.ball
        if x > 84 and apart(self.ball, (120, 40)) < 31 and abs(y - 40) < 18:
            self.carrier = self.taker()
            if self.rng.random() < 0.6:
                self.shoot("Free Kick")
                return
        if x > 80:
            self.carrier = self.taker()
            self.into_box(type="Free Kick", body_part="Right Foot")
            return
        outfield = [p for p in self.on[side] if p.position != "Goalkeeper" or x < 25]
        self.carrier = min(outfield, key=lambda p: apart(self.spot(side, p), self.ball))
        self.try_pass(type="Free Kick")

    def penalty(self) -> None:
        self.restart(self.side, "Other", 40, 70)
        self.ball, self.carrier = (108.0, 40.0), self.on[self.side][10]
        self.shoot("Penalty")

    # -- the match --------------------------------------------------------------------------------

    def zone(self) -> str:
        x, y = self.ball
        if x > 102 and 20 < y < 60:
            return "box"
        if x > 90:
            return "centre" if 22 < y < 58 else "wide"
        return "middle" if x > 40 else "own"

    def step(self) -> None:
        """Whatever the player on the ball does next."""
        choice = self.pick(CHOICES[self.zone()])
        if choice == "cross":
            self.into_box(cross=True)
        else:
            acts = {
                "pass": self.try_pass, "long": self.long_ball, "through": self.through,
                "shot": self.shoot, "dribble": self.dribble, "foul": self.foul,
                "dispossessed": self.dispossessed, "miscontrol": self.miscontrol,
            }  # fmt: skip
            acts[choice]()

    def half(self, period: int) -> None:
        self.log.period, self.log.clock = period, 0.0
        self.log.both("Half Start")
        self.kick_off(period - 1)
        end = 2700 + round(self.between(60, 270))
        # The referee lets an attack finish, but not for ever.
        while self.log.clock < end or (self.ball[0] > 75 and self.log.clock < end + 40):
            self.step()
        self.wait(1, 3)
        self.log.both("Half End")

    def play(self) -> Log:
        """The whole match."""
        for side in (0, 1):
            self.log.line_up(side)
        self.half(1)
        self.half(2)
        return self.log
