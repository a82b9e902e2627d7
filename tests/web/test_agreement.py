"""Agreement: figures against an independent count."""

from __future__ import annotations

import pytest
from sklearn.metrics import cohen_kappa_score

from touchline.core.agreement import kappa, pair_f1
from touchline.web.records import Pairs

HOME = "harrowmere-castlebrook"


@pytest.mark.parametrize(
    ("pairs", "possible", "f1", "expected"),
    [
        (Pairs(a=10, b=10, both=10), 100, 1.0, 1.0),
        (Pairs(a=10, b=10, both=1), 100, 0.1, 0.0),  # what chance alone gives
        (Pairs(a=0, b=0, both=0), 100, 1.0, None),
        (Pairs(a=0, b=0, both=0), 0, 1.0, None),
        (Pairs(a=4, b=2, both=2), 10, 2 / 3, 6 / 11),
    ],
)
def test_known_figures(pairs, possible, f1, expected):
    assert pair_f1(pairs) == pytest.approx(f1)
    found = kappa(pairs, possible)
    assert found == (None if expected is None else pytest.approx(expected))


def act(client, name, comment, action, **more):
    at = f"/api/v1/matches/{HOME}/labels/{name}"
    seen = {one["comment"]: one["revision"] for one in client.get(at).json()["labels"]}
    asked = {"comment": comment, "revision": seen.get(comment, 0), "action": action, **more}
    assert client.post(at, json=asked).status_code == 200


def test_two_annotators_as_sklearn_sees_them(client):
    page = client.get(f"/api/v1/matches/{HOME}/page").json()["matches"][0]
    linked = [c for c in page["comments"] if c.get("events")][:20]
    for number, comment in enumerate(linked):
        act(client, "Ada", comment["id"], "accept")
        act(client, "Bo", comment["id"], "none" if number % 4 == 0 else "accept")
    act(client, "Ada", linked[0]["id"], "unsure", value=True)
    asked = {"a": "Ada", "b": "Bo", "match": HOME}
    found = client.get("/api/v1/agreement", params=asked).json()
    first, second = [], []
    for number, comment in enumerate(linked):
        described = {place for place, _ in comment["events"]}
        time = (comment["start"] + comment["end"]) / 2
        for place, event in enumerate(page["events"]):
            near = event["period"] == comment["period"] and abs(event["time"] - time) <= 75
            if near or place in described:
                first.append(place in described)
                second.append(place in described and number % 4 != 0)
    assert found["comments"] == 20
    assert found["kappa"] == pytest.approx(cohen_kappa_score(first, second))
    assert found["exact"] == pytest.approx(0.75)
    assert found["pairs"] == {"a": sum(first), "b": sum(second), "both": sum(second)}
    assert found["pair_f1"] == pytest.approx(2 * sum(second) / (sum(first) + sum(second)))
    assert [d["comment"] for d in found["differences"]] == [c["id"] for c in linked[::4]]
    assert all(d["a"] and not d["b"] for d in found["differences"])
    texts = {c["id"]: c["text"] for c in linked}
    for one in found["differences"]:
        assert one["text"] == texts[one["comment"]]
        assert (len(one["a_events"]), one["b_events"]) == (len(one["a"]), [])


def test_labels_that_are_not_done_do_not_count(client):
    page = client.get(f"/api/v1/matches/{HOME}/page").json()["matches"][0]
    first, second = [c["id"] for c in page["comments"] if c.get("events")][:2]
    for comment in (first, second):
        act(client, "Ada", comment, "accept")
    act(client, "Bo", first, "accept")
    act(client, "Bo", second, "unsure", value=True)
    found = client.get("/api/v1/agreement", params={"a": "Ada", "b": "Bo"}).json()
    assert (found["comments"], found["exact"]) == (1, 1.0)
    turned = client.get("/api/v1/agreement", params={"a": "Bo", "b": "Ada"}).json()
    assert (turned["comments"], turned["exact"]) == (1, 1.0)


def test_nothing_in_common_has_no_figures(client):
    found = client.get("/api/v1/agreement", params={"a": "Ada", "b": "Bo"}).json()
    assert (found["comments"], found["pair_f1"], found["exact"], found["kappa"]) == (0,) + (
        None,
    ) * 3
    assert client.get("/api/v1/agreement", params={"a": "Ada"}).status_code == 400
    asked = {"a": "Ada", "b": "Bo", "match": "nowhere"}
    assert client.get("/api/v1/agreement", params=asked).status_code == 404
