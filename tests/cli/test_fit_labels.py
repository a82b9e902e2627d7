"""`touchline fit --labels`: what it learns from, what it skips, what it refuses."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.commands import run
from touchline import load_aligner
from touchline.sample import corpus_path

FAST = ("--set", "rounds=5")


def fit(*words: object) -> subprocess.CompletedProcess[str]:
    return run("fit", *words)


@pytest.fixture
def corpus(tmp_path) -> Path:
    """The sample corpus with its first comments only, so that it is learned quickly."""
    copy = tmp_path / "corpus"
    shutil.copytree(corpus_path(), copy)
    for match in (path for path in copy.iterdir() if path.is_dir()):
        comments = match / "comments.jsonl"
        kept = comments.read_text("utf-8").splitlines()[:30]
        comments.write_text("\n".join(kept), "utf-8")
        ids = {json.loads(line)["id"] for line in kept}
        gold = match / "gold.jsonl"
        labels = [x for x in gold.read_text("utf-8").splitlines() if json.loads(x)["id"] in ids]
        gold.write_text("\n".join(labels) + "\n", "utf-8")
    return copy


def test_labels_are_learned_from(corpus, tmp_path):
    done = fit(corpus, "-o", tmp_path / "m.npz", "--labels", *FAST)
    assert done.returncode == 0, done.stderr
    assert "written commentary: 60 labelled comments of 2 matches, used by " in done.stderr
    model = load_aligner(tmp_path / "m.npz")
    assert model.labelled_matches() == {"text": 2}
    (said,) = model.labels_learned()
    assert f"touchline: {said}" in done.stderr
    assert not (tmp_path / "m.npz.work").exists()


def test_words_of_events_are_learned_from(corpus, tmp_path):
    """Each event has the half of its comment that it would have in turn."""
    for gold in corpus.glob("*/gold.jsonl"):
        comments = (gold.parent / "comments.jsonl").read_text("utf-8").splitlines()
        texts = {(c := json.loads(line))["id"]: c["text"] for line in comments}
        with (gold.parent / "segments.jsonl").open("w", encoding="utf-8") as out:
            for line in gold.read_text("utf-8").splitlines():
                label = json.loads(line)
                size = len(texts[label["id"]]) // max(len(label["events"]), 1)
                for place, event in enumerate(label["events"]):
                    spans = [[place * size, (place + 1) * size]]
                    out.write(json.dumps({"id": label["id"], "event": event, "spans": spans}))
                    out.write("\n")
            out.write("no segment\n")
    done = fit(corpus, "-o", tmp_path / "m.npz", "--labels", *FAST)
    assert done.returncode == 3, done.stderr
    assert "segments.jsonl: line" in done.stderr
    assert "words of events: " in done.stderr
    (layer,) = load_aligner(tmp_path / "m.npz")._learned.word_layers
    assert layer.matches == 2


def test_labels_by_machines_are_counted_apart(corpus, tmp_path):
    match = sorted(path.parent for path in corpus.glob("*/gold.jsonl"))[0]
    lines = [json.loads(line) for line in (match / "gold.jsonl").read_text("utf-8").splitlines()]
    (match / "gold.jsonl").unlink()
    (match / "labels").mkdir()
    by_machine = "".join(json.dumps({**line, "machine": True}) + "\n" for line in lines)
    (match / "labels/model.jsonl").write_text(by_machine, "utf-8")
    (match / "labels/ann.jsonl").write_text(json.dumps(lines[0]) + "\n", "utf-8")
    done = fit(corpus, "-o", tmp_path / "m.npz", "--labels", *FAST)
    assert done.returncode == 0, done.stderr
    assert "60 labelled comments: 31 by people, 29 by machines alone" in done.stderr
    assert "written commentary: 60 labelled comments of 2 matches, used by " in done.stderr


def test_without_the_option_labels_are_not_even_read(corpus, tmp_path):
    for gold in corpus.glob("*/gold.jsonl"):
        gold.write_text("broken")
    done = fit(corpus, "-o", tmp_path / "m.npz", *FAST)
    assert done.returncode == 0, done.stderr
    assert load_aligner(tmp_path / "m.npz").labelled_matches() == {}


def test_bad_lines_are_named_and_skipped(corpus, tmp_path):
    gold = sorted(corpus.glob("*/gold.jsonl"))[0]
    lines = gold.read_text("utf-8").splitlines()
    gold.write_text("\n".join([lines[0], '{"id": "nobody", "events": []}', *lines[1:]]), "utf-8")
    done = fit(corpus, "-o", tmp_path / "m.npz", "--labels", *FAST)
    assert done.returncode == 3
    assert f"{gold}: line 2: the comment 'nobody' is not in the commentary; skipped" in done.stderr
    assert load_aligner(tmp_path / "m.npz").labelled_matches() == {"text": 2}
    strict = fit(corpus, "-o", tmp_path / "strict.npz", "--labels", "--strict", *FAST)
    assert strict.returncode == 1
    assert "line 2" in strict.stderr
    assert list(tmp_path.glob("strict.npz*")) == []


def test_one_labelled_match_is_used_by_clamped_em_or_not_at_all(corpus, tmp_path):
    sorted(corpus.glob("*/gold.jsonl"))[0].unlink()
    done = fit(corpus, "-o", tmp_path / "m.npz", "--labels", *FAST)
    assert done.returncode == 0
    assert "30 labelled comments of 1 match, used by clamped EM" in done.stderr
    assert "layer" not in done.stderr


def test_too_few_labels_are_said_to_be(corpus, tmp_path):
    first, second = sorted(corpus.glob("*/gold.jsonl"))
    first.unlink()
    second.write_text("\n".join(second.read_text("utf-8").splitlines()[:10]), "utf-8")
    done = fit(corpus, "-o", tmp_path / "m.npz", "--labels", *FAST)
    assert done.returncode == 0
    assert "too few labels to learn from" in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--method", "named-rarest"], "named-rarest does not learn from labels"),
        (["--method", "chains:unlabelled"], "does not learn from labels"),
        (["--track", "bbc"], "--labels needs --track comments"),
    ],
)
def test_wrong_usage(corpus, tmp_path, words, said):
    done = fit(corpus, "-o", tmp_path / "m.npz", "--labels", *words)
    assert done.returncode == 2
    assert said in done.stderr


def test_a_corpus_without_labels(corpus, tmp_path):
    for gold in corpus.glob("*/gold.jsonl"):
        gold.unlink()
    done = fit(corpus, "-o", tmp_path / "m.npz", "--labels", *FAST)
    assert done.returncode == 1
    assert "no labels to learn from; expected <match>/gold.jsonl" in done.stderr


def listed_corpus(folder: Path) -> Path:
    """Two games in the RoboCup layout: each comment describes the second of its candidates."""
    said = {"pass": "{} finds {}", "kick": "{} shoots", "steal": "{} wins it back"}
    for game in ("one", "two"):
        log, text, training, gold = [], [], [], []
        for i in range(24):
            kind = list(said)[i % 3]
            who, whom = f"red{1 + i % 9}", f"red{2 + i % 9}"
            meaning = f"{kind} ( {who} , {whom} )" if kind == "pass" else f"{kind} ( {who} )"
            at = 10 * i
            log += [f"{at} | {at} | ballstopped", f"{at + 1} | {at + 1} | {meaning}",
                    f"{at + 2} | {at + 2} | turnover ( {whom} , {who} )"]  # fmt: skip
            text.append(f"{at + 3} | {said[kind].format(who, whom)}")
            ids = f"{3 * i} {3 * i + 1} {3 * i + 2}"
            training.append(f'<example id="{i}"><semid> {ids} </semid></example>')
            gold.append(f'<example id="{i}"><mrl lang="soccer"> {meaning} </mrl></example>')
        files = {
            f"events/{game}-processed-events": log,
            f"nl/{game}-comments": text,
            f"training/{game}-train": ["<examples>", *training, "</examples>"],
            f"gold/{game}-gold": ["<examples>", *gold, "</examples>"],
        }
        for name, lines in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text("\n".join(lines) + "\n", "utf-8")
    return folder


def test_commentary_that_lists_its_candidates_is_learned_from(tmp_path):
    games = listed_corpus(tmp_path / "games")
    done = fit(games, "-o", tmp_path / "m.npz", "--labels", *FAST)
    assert done.returncode == 0, done.stderr
    said = "commentary that lists its candidates: 48 labelled comments of 2 matches"
    assert said in done.stderr
    model = load_aligner(tmp_path / "m.npz")
    (choice,) = model.explain_model().labels
    assert choice["kind"] == "listed"
