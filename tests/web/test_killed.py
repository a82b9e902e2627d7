"""Nothing lost: a real server is killed at random moments while people label.

`TOUCHLINE_KILLS=25 python -m pytest -s tests/web/test_killed.py` does it more often, and counts.
"""

from __future__ import annotations

import os
import random
import threading
import time

import httpx

MATCHES = ("harrowmere-castlebrook", "port-selwyn-dunveagh")
PEOPLE, ENOUGH = 4, 20
KILLS = int(os.environ.get("TOUCHLINE_KILLS", "1"))


class Annotator(threading.Thread):
    """Labels comment after comment, and notes down what was acknowledged."""

    def __init__(self, url, name):
        super().__init__(daemon=True)
        self.url, self.match = url, random.Random(name).choice(MATCHES)
        self.at = f"/api/v1/matches/{self.match}/labels/{name}"
        self.acknowledged, self.asked, self.count = {}, None, 0
        self.refused = None

    def run(self):
        with httpx.Client(base_url=self.url, timeout=60) as client:
            try:
                client.headers["X-CSRF-Token"] = client.get("/api/v1/session").json()["csrf"]
                before = client.get(self.at).json()["labels"]
                seen = {label["comment"]: label for label in before}
                for number in range(100_000):
                    self.write(client, seen, number % 100, f"note {number}")
            except httpx.TransportError:
                return

    def write(self, client, seen, comment, text):
        revision = seen.get(comment, {"revision": 0})["revision"]
        self.asked = comment
        action = {"comment": comment, "revision": revision, "action": "note", "text": text}
        got = client.post(self.at, json=action)
        if got.status_code != 200:
            self.refused = got.text
            raise httpx.TransportError("refused")
        seen[comment] = self.acknowledged[comment] = got.json()["label"]
        self.count += 1

    def lost(self, client):
        """What was acknowledged and is not there; the action that was cut off may be or not."""
        there = {label["comment"]: label for label in client.get(self.at).json()["labels"]}
        return [
            label
            for comment, label in self.acknowledged.items()
            if there.get(comment) != label
            and not (comment == self.asked and there[comment]["revision"] > label["revision"])
        ]


def label_until_killed(server, kill):
    """Let everybody label, kill the server in the midst of it, and check what was acknowledged."""
    people = [Annotator(server.url, f"Person {number}") for number in range(PEOPLE)]
    for person in people:
        person.start()
    end = time.monotonic() + 30
    while sum(len(p.acknowledged) for p in people) < ENOUGH and time.monotonic() < end:
        time.sleep(0.01)
    time.sleep(random.Random(kill).uniform(0, 0.4))
    server.kill()
    for person in people:
        person.join(60)
    assert [person.refused for person in people] == [None] * PEOPLE
    assert not any(person.is_alive() for person in people)
    return people


def started_job(url):
    """An alignment that a user has started; the kill comes while it waits or runs, or after it."""
    with httpx.Client(base_url=url, timeout=60) as client:
        client.headers["X-CSRF-Token"] = client.get("/api/v1/session").json()["csrf"]
        got = client.post(f"/api/v1/matches/{MATCHES[0]}/align", json={})
        assert got.status_code == 202, got.text
        return got.json()["id"]


def test_every_acknowledged_action_is_there_after_a_kill(folder, serve, ended):
    server, acknowledged = serve(folder, "--no-align"), 0
    for kill in range(KILLS):
        job = started_job(server.url)
        people = label_until_killed(server, kill)
        assert sum(len(p.acknowledged) for p in people) >= ENOUGH
        acknowledged += sum(p.count for p in people)
        server = serve(folder, "--no-align")
        with httpx.Client(base_url=server.url, timeout=60) as client:
            assert [lost for p in people for lost in p.lost(client)] == []
            assert ended(client, job)["state"] == "done"  # the queue goes on by itself
    print(f"{KILLS} kills, {acknowledged} acknowledged actions, none lost, {KILLS} jobs done")
