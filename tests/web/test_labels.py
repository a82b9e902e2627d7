"""What annotators do: every action, conflicts, undo and redo, gold in and out."""

from __future__ import annotations

import json
import shutil

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from touchline.web.labels.labels import act, labels, redo, undo
from touchline.web.records import LabelAction
from touchline.web.store.database import Store
from touchline.web.store.labels import AnnotationScope, steps

HOME, AWAY = "harrowmere-castlebrook", "port-selwyn-dunveagh"
BASE = f"/api/v1/matches/{HOME}"


class Person:
    """An annotator who remembers what they saw last."""

    def __init__(self, client, name="Ada", match=HOME):
        self.client, self.at = client, f"/api/v1/matches/{match}/labels/{name}"
        self.seen = {}

    def act(self, comment, action, **more):
        revision = more.pop("revision", self.seen.get(comment, 0))
        asked = {"comment": comment, "revision": revision, "action": action, **more}
        got = self.client.post(self.at, json=asked)
        if got.status_code == 200:
            self.seen[comment] = got.json()["label"]["revision"]
        return got

    def label(self, comment, action, **more):
        got = self.act(comment, action, **more)
        assert got.status_code == 200, got.text
        return got.json()["label"]

    def step(self, way):
        due = self.client.get(self.at).json()[way]
        got = self.client.post(f"{self.at}/{way}", json={"step": due["id"]})
        assert got.status_code == 200, got.text
        self.seen |= {label["comment"]: label["revision"] for label in got.json()["labels"]}
        return got.json()["labels"]

    def labels(self):
        return self.client.get(self.at).json()["labels"]


@pytest.fixture
def ada(client):
    return Person(client)


@pytest.fixture
def page(client):
    return client.get(f"{BASE}/page").json()["matches"][0]


def linked(page, least):
    """A comment with at least that many links, and the ids of its links."""
    comment = next(c for c in page["comments"] if len(c.get("events", ())) >= least)
    return comment["id"], [page["events"][place]["id"] for place, _ in comment["events"]]


def other_event(page, links):
    return next(event["id"] for event in page["events"] if event["id"] not in links)


def code(response):
    return response.status_code, response.json()["error"]["code"]


def test_a_label_is_done_when_every_link_is_judged(ada, page):
    comment, links = linked(page, 2)
    first = ada.label(comment, "accept", event=links[0])
    assert (first["events"], first["done"]) == ([links[0]], False)
    for link in links[1:]:
        last = ada.label(comment, "reject", event=link)
    assert last["events"] == [links[0]]
    assert set(last["rejected"]) == set(links[1:])
    assert last["done"]
    gone = ada.label(comment, "reject", event=links[0])
    assert (gone["events"], gone["done"]) == ([], False)


def test_accept_takes_all_that_is_not_rejected(ada, page):
    comment, links = linked(page, 2)
    ada.label(comment, "reject", event=links[1])
    label = ada.label(comment, "accept")
    assert label["events"] == [link for link in links if link != links[1]]
    assert label["done"]


def test_events_are_added_in_match_order(ada, page):
    comment, links = linked(page, 1)
    early, late = page["events"][0]["id"], page["events"][-1]["id"]
    ada.label(comment, "accept")
    ada.label(comment, "add", event=late)
    assert ada.label(comment, "add", event=early)["events"] == [early, *links, late]


def test_no_event_rejects_the_links_until_an_event_is_added(ada, page):
    comment, links = linked(page, 1)
    ada.label(comment, "accept")
    none = ada.label(comment, "none")
    assert (none["none"], none["events"], none["done"]) == (True, [], True)
    assert set(links) <= set(none["rejected"])
    still = ada.label(comment, "reject", event=other_event(page, links))
    assert (still["none"], still["done"]) == (True, True)
    again = ada.label(comment, "add", event=links[0])
    assert (again["none"], again["events"], again["done"]) == (False, [links[0]], True)


def test_unsure_and_notes_leave_the_rest(ada, page):
    comment, links = linked(page, 1)
    ada.label(comment, "accept")
    ada.label(comment, "unsure", value=True)
    label = ada.label(comment, "note", text="offside? 🏟️")
    assert label["events"] == links
    assert (label["unsure"], label["note"], label["done"]) == (True, "offside? 🏟️", True)
    cleared = ada.label(comment, "clear")
    assert (cleared["revision"], cleared["events"], cleared["note"]) == (0, [], "")
    assert ada.labels() == []


@pytest.mark.parametrize(
    ("asked", "problem"),
    [
        ({"action": "reject"}, (400, "action")),
        ({"action": "unsure"}, (400, "action")),
        ({"action": "note"}, (400, "action")),
        ({"action": "add", "event": "nowhere"}, (404, "no_event")),
        ({"action": "sing"}, (400, "bad_request")),
        ({"action": "none", "comment": "nowhere"}, (404, "no_comment")),
        ({"action": "note", "text": "x" * 2001}, (400, "bad_request")),
        ({"action": "none", "revision": -1}, (400, "bad_request")),
        ({"action": "none", "colour": "red"}, (400, "bad_request")),
    ],
)
def test_what_makes_no_sense_is_refused_and_changes_nothing(client, ada, asked, problem):
    got = client.post(ada.at, json={"comment": 0, "revision": 0, **asked})
    assert code(got) == problem
    assert ada.labels() == []


def test_nothing_to_accept_is_refused(ada, page):
    bare = next(c["id"] for c in page["comments"] if not c.get("events"))
    assert code(ada.act(bare, "accept")) == (400, "action")


def test_a_second_tab_does_not_overwrite(client, page):
    comment, links = linked(page, 1)
    one, two = Person(client), Person(client)
    one.label(comment, "accept")
    refused = two.act(comment, "none")
    assert code(refused) == (409, "conflict")
    assert refused.json()["error"]["label"]["events"] == links
    assert one.labels()[0]["events"] == links
    two.label(comment, "none", revision=refused.json()["error"]["label"]["revision"])
    other = linked({**page, "comments": page["comments"][60:]}, 1)[0]
    one.label(other, "accept")  # another comment is no conflict


def test_two_annotators_have_labels_of_their_own(client, page):
    comment, links = linked(page, 1)
    Person(client, "Ada").label(comment, "accept")
    Person(client, "Bo").label(comment, "none")
    assert Person(client, "Ada").labels()[0]["events"] == links
    assert Person(client, "Bo").labels()[0]["none"]
    progress = client.get(BASE).json()["annotators"]
    assert [(one["name"], one["done"]) for one in progress] == [("Ada", 1), ("Bo", 1)]


def test_undo_and_redo_walk_through_the_steps(ada, client, page):
    comment, _ = linked(page, 1)
    states = [ada.labels()]
    for action, more in [("accept", {}), ("note", {"text": "a"}), ("none", {})]:
        ada.label(comment, action, **more)
        states.append(ada.labels())
    plain = [[{**one, "revision": 0, "at": ""} for one in state] for state in states]

    def now():
        return [{**one, "revision": 0, "at": ""} for one in ada.labels()]

    for state in plain[-2::-1]:
        ada.step("undo")
        assert now() == state
    assert client.get(ada.at).json()["undo"] is None
    for state in plain[1:]:
        ada.step("redo")
        assert now() == state
    ada.step("undo")
    ada.label(comment, "unsure", value=True)  # a new way: the old one cannot be gone again
    assert client.get(ada.at).json()["redo"] is None


def test_undo_takes_only_the_step_that_was_seen(ada, client, page):
    comment, _ = linked(page, 1)
    ada.label(comment, "accept")
    seen = client.get(ada.at).json()["undo"]["id"]
    ada.label(comment, "none")
    refused = client.post(f"{ada.at}/undo", json={"step": seen})
    assert code(refused) == (409, "conflict")
    assert refused.json()["error"]["undo"]["action"] == "none"
    assert code(client.post(f"{ada.at}/redo", json={"step": 1})) == (409, "conflict")


def test_labels_are_kept_when_the_match_is_aligned_again(ada, client, page, ended):
    comment, links = linked(page, 1)
    ada.label(comment, "add", event=other_event(page, links))
    before = ada.labels()
    job = client.post(f"{BASE}/align", json={"method": "random"}).json()
    assert ended(client, job["id"])["state"] == "done"
    after = client.get(BASE).json()
    assert after["method"] == "random"
    assert ada.labels() == before
    ada.step("undo")
    assert ada.labels() == []


def test_the_queue_has_the_most_uncertain_first(ada, client, page):
    asked = f"{BASE}/queue?annotator=Ada"
    found = client.get(asked).json()["comments"]
    assert len(found) == len(page["comments"])
    doubts = [one["doubt"] for one in found]
    assert doubts == sorted(doubts, reverse=True)
    assert doubts[0] > doubts[-1]
    in_match = client.get(f"{asked}&order=match").json()["comments"]
    assert [one["comment"] for one in in_match] == [c["id"] for c in page["comments"]]
    first, second = found[0]["comment"], found[1]["comment"]
    ada.label(first, "none")
    ada.label(second, "none")
    ada.label(second, "unsure", value=True)
    left = client.get(asked).json()["comments"]
    assert [one["comment"] for one in left] == [one["comment"] for one in found[1:]]
    assert left[0]["unsure"]
    assert len(client.get(f"{asked}&state=all").json()["comments"]) == len(found)


def test_the_queue_has_what_teaches_most_first(ada, client):
    asked = f"{BASE}/queue?annotator=Ada&order=teaching"
    found = client.get(f"{asked}&state=all").json()["comments"]
    gains = [one["gain"] for one in found]
    assert gains == sorted(gains, reverse=True)
    assert gains[0] > 0
    first = found[0]["comment"]
    ada.label(first, "none")
    left = client.get(f"{asked}&state=all").json()["comments"]
    assert 0 < left[0]["gain"] < gains[0]
    assert (left[-1]["comment"], left[-1]["gain"]) == (first, 0.0)


def test_what_others_have_labelled_teaches_less_again(ada, client):
    asked = f"{BASE}/queue?annotator=Ada&order=teaching"
    before = client.get(asked).json()["comments"]
    Person(client, "Bo").label(before[0]["comment"], "none")
    after = {one["comment"]: one["gain"] for one in client.get(asked).json()["comments"]}
    assert len(after) == len(before)
    assert after[before[0]["comment"]] < before[0]["gain"]


def test_gold_goes_in_and_comes_out_the_same(ada, client, folder):
    text = (folder / HOME / "gold.jsonl").read_bytes()
    wanted = [json.loads(line) for line in text.splitlines()]
    got = client.post(f"{ada.at}/gold")  # the folder's own
    assert got.status_code == 200, got.text
    assert len(got.json()["labels"]) == len(wanted)
    out = client.get(f"{ada.at}/gold")
    assert "attachment" in out.headers["content-disposition"]
    found = [json.loads(line) for line in out.text.splitlines()]
    key = {one["id"]: set(one["events"]) for one in wanted}
    assert {one["id"]: set(one["events"]) for one in found} == key
    assert len(ada.step("undo")) == len(wanted)  # one step
    assert ada.labels() == []
    bo = Person(client, "Bo")
    assert client.post(f"{bo.at}/gold", content=out.content).status_code == 200
    assert client.get(f"{bo.at}/gold").content == out.content


def test_only_finished_labels_are_exported_and_doubts_are_said(ada, client, page):
    comment, links = linked(page, 2)
    ada.label(comment, "accept", event=links[0])
    assert client.get(f"{ada.at}/gold").text == ""
    ada.label(comment, "accept")
    ada.label(comment, "unsure", value=True)
    assert json.loads(client.get(f"{ada.at}/gold").text) == {
        "id": comment, "events": links, "sure": False,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"id": 0, "events": []}\n{"id": 0, "events": []}', "line 2"),
        ('{"id": "nobody", "events": []}', "line 1"),
        ('\n{"id": 0, "events": ["nowhere"]}', "line 2"),
        ('{"id": 0}', "line 1"),
        ("[" * 100_000, "line 1"),
        ('{"id": 0, "events": []}\n\udcff', "line 2"),
    ],
)
def test_broken_gold_is_refused_as_a_whole(ada, client, text, problem):
    body = text.encode("utf-8", "surrogateescape")
    refused = client.post(f"{ada.at}/gold", content=body)
    assert code(refused) == (400, "gold")
    assert problem in refused.json()["error"]["message"]
    assert ada.labels() == []


def test_a_match_without_gold_has_none_to_import(client, folder):
    (folder / AWAY / "gold.jsonl").unlink()
    at = f"/api/v1/matches/{AWAY}/labels/Ada/gold"
    assert code(client.post(at)) == (404, "no_gold")


def test_links_are_downloaded_with_a_persons_labels_in_them(ada, client, page):
    comment, links = linked(page, 1)
    event = other_event(page, links)
    ada.label(comment, "none")
    ada.label(comment, "add", event=event)
    url = f"{BASE}/links?format=jsonl"
    lines = {one["comment"]: one for one in map(json.loads, client.get(url).text.splitlines())}
    assert [link["id"] for link in lines[comment]["events"]] == links
    mine = [json.loads(line) for line in client.get(f"{url}&annotator=Ada").text.splitlines()]
    by_comment = {one["comment"]: one for one in mine}
    assert by_comment[comment]["events"] == [{"id": event, "score": 1.0}]
    assert [one["comment"] for one in mine] == list(lines)
    assert mine[-1] == lines[mine[-1]["comment"]]


# Any sequence of actions --------------------------------------------------------------------

ACTIONS = st.tuples(
    st.sampled_from(["accept", "reject", "add", "none", "unsure", "note", "clear"]),
    st.integers(0, 2),  # which comment
    st.integers(0, 3),  # which event
)


@pytest.fixture(scope="module")
def scope_store(aligned, tmp_path_factory):
    folder = shutil.copytree(aligned, tmp_path_factory.mktemp("scope") / "m")
    store = Store(folder)
    yield store
    store.close()


@settings(max_examples=25)
@given(todo=st.lists(ACTIONS, min_size=1, max_size=12))
def test_all_of_it_can_be_undone_and_done_again(scope_store, todo):
    scope = AnnotationScope(HOME, "Hypo")
    with scope_store.write() as db:
        events = [row["id"] for row in db.execute("SELECT id FROM events LIMIT 4")]
        for action, comment, event in todo:
            revision = {one.comment: one.revision for one in labels(db, scope).labels}
            asked = LabelAction(
                comment=comment, revision=revision.get(comment, 0), action=action,
                event=events[event], value=True, text="t",
            )  # fmt: skip
            act(db, scope, asked)
        end = _said(labels(db, scope))
        while (due := steps(db, scope)[0]) is not None:
            undo(db, scope, due.id)
        assert labels(db, scope).labels == []
        while (due := steps(db, scope)[1]) is not None:
            redo(db, scope, due.id)
        assert _said(labels(db, scope)) == end
        for table in ("labels", "actions"):
            db.execute(f"DELETE FROM {table}")


def _said(found):
    return [(one.comment, one.events, one.rejected, one.none, one.done) for one in found.labels]


# Words -------------------------------------------------------------------------------------------


def test_words_of_an_event_are_stored_with_the_label_and_exported(client, ada, page):
    comment = next(c for c in page["comments"] if len(c.get("events", [])) > 1)
    first, second = (page["events"][number]["id"] for number, _ in comment["events"][:2])
    label = ada.label(comment["id"], "words", event=first, spans=[[0, 4], [6, 9]])
    assert label["segments"] == {first: [[0, 4], [6, 9]]}
    assert first in label["events"]
    label = ada.label(comment["id"], "words", event=second, spans=[[2, 3]])
    assert set(label["segments"]) == {first, second}
    ada.label(comment["id"], "accept")
    found = client.get(f"{ada.at}/segments")
    assert found.headers["content-disposition"].endswith("segments.jsonl")
    lines = [json.loads(line) for line in found.text.splitlines()]
    assert {line["event"]: line["spans"] for line in lines} == {
        first: [[0, 4], [6, 9]], second: [[2, 3]],
    }  # fmt: skip
    links = client.get(f"{BASE}/links?annotator=Ada").text.splitlines()
    own = next(one for one in map(json.loads, links) if one["comment"] == comment["id"])
    assert {e["id"]: e["words"] for e in own["events"]}[first] == [[0, 4], [6, 9]]
    assert ada.label(comment["id"], "reject", event=first)["segments"] == {second: [[2, 3]]}
    assert ada.label(comment["id"], "words", event=second, spans=[])["segments"] == {}
    ada.step("undo")
    assert ada.labels()[0]["segments"] == {second: [[2, 3]]}
    assert ada.label(comment["id"], "none")["segments"] == {}


@pytest.mark.parametrize("spans", [[[3, 3]], [[4, 6], [1, 2]], [[0, 100_000]], None])
def test_words_that_are_not_in_the_text_are_refused(ada, page, spans):
    comment = next(c for c in page["comments"] if c.get("events"))
    event = page["events"][comment["events"][0][0]]["id"]
    more = {} if spans is None else {"spans": spans}
    got = ada.act(comment["id"], "words", event=event, **more)
    assert (got.status_code, got.json()["error"]["code"]) == (400, "action")
