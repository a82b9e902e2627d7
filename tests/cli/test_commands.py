"""The commands as a user types them."""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

import touchline
from tests.commands import run, run_alone
from touchline import cli
from touchline.cli.evaluate import print_report
from touchline.cli.terminal import Terminal
from touchline.evaluation import Evaluation, Score

# For what is the same by every method.
QUICK = ("--method", "named")


@pytest.fixture
def files(sample_folder: Path) -> tuple[Path, Path, Path]:
    names = ("events.json.gz", "live.txt", "lineups.json")
    return tuple(sample_folder / name for name in names)  # type: ignore[return-value]


def test_version():
    done = run_alone("--version")
    assert done.stdout == f"touchline {touchline.__version__}\n"
    assert done.returncode == 0


def test_align_prints_a_line_a_comment(files):
    events, live, lineups = files
    done = run_alone("align", events, live, "--lineups", lineups)
    assert done.returncode == 0, done.stderr
    (said,) = done.stderr.splitlines()
    assert said.endswith("learned from this match alone")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["comment"] for row in rows] == list(range(len(rows)))
    assert {row["match"] for row in rows} == {events.parent.name}
    assert all("candidates" not in row for row in rows)
    assert sum(bool(row["events"]) for row in rows) > len(rows) / 2


def test_align_is_the_same_bytes_in_another_process(files, tmp_path):
    events, live, _ = files
    texts = []
    for hash_seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        out = tmp_path / f"{hash_seed}.jsonl"
        assert (
            run_alone("align", events, live, "-o", out, "--scores", env=environment).returncode == 0
        )
        texts.append(out.read_bytes())
    assert texts[0] == texts[1]
    assert b"candidates" in texts[0]


def test_align_writes_the_origin_with_checksums(files, tmp_path):
    events, live, lineups = files
    out = tmp_path / "links.csv"
    words = [
        "align",
        events,
        live,
        "--lineups",
        lineups,
        "-o",
        out,
        "--match",
        "Final",
        "--seed",
        7,
    ]
    assert run(*words, "--set", "window=100:20").returncode == 0
    origin = json.loads((tmp_path / "links.csv.meta.json").read_text())
    assert set(origin["inputs"]) == {"events.json.gz", "live.txt", "lineups.json"}
    assert origin["seed"] == 7
    assert origin["options"]["window"] == "100:20"
    assert "Final," in out.read_text()


def test_min_score_and_clock(files):
    events = files[0]
    comments = events.parent / "comments.jsonl"
    exact = run("align", events, comments).stdout
    minute = run("align", events, comments, "--clock", "minute").stdout
    picky = run("align", events, comments, "--min-score", "0.9").stdout
    assert exact != minute
    assert picky.count('"score"') < exact.count('"score"')


def test_several_comment_files_follow_each_other(files, tmp_path):
    events, live, _ = files
    whole = live.read_text()
    first, second = whole.split("\nHT\n", 1)
    (tmp_path / "1.txt").write_text(first)
    (tmp_path / "2.txt").write_text(second)
    apart = run("align", events, tmp_path / "1.txt", tmp_path / "2.txt", *QUICK)
    assert apart.returncode == 0, apart.stderr
    assert apart.stdout == run("align", events, live, *QUICK).stdout


def test_a_fitted_model_is_used(files, tmp_path):
    events, live, _ = files
    model = tmp_path / "m.model"
    corpus = events.parent.parent
    done = run("fit", corpus, "-o", model, "--method", "named", "--set", "window=60")
    assert done.returncode == 0, done.stderr
    out = tmp_path / "links.jsonl"
    assert run("align", events, live, "--model", model, "-o", out).returncode == 0
    same = run("align", events, live, "--method", "named", "--set", "window=60")
    assert out.read_text() == same.stdout
    origin = json.loads((tmp_path / "links.jsonl.meta.json").read_text())
    assert len(origin["model"]) == 64


def test_align_says_which_model_answers(files, tmp_path):
    events, live, _ = files
    model, links = tmp_path / "m.npz", tmp_path / "links.jsonl"
    assert run("fit", events.parent.parent, "-o", model).returncode == 0
    said = {
        "fitted": (run("align", events, live, "-o", links, "--model", model), "with the model"),
        "this match alone": (run("align", events, live, "-o", links), "no bundled model fits"),
    }
    for done, sentence in said.values():
        assert done.stderr.startswith("touchline: ")
        assert sentence in done.stderr
    assert json.loads(Path(f"{links}.meta.json").read_text())["answered_by"] == "this match alone"
    named = run("align", events, live, "-o", links, "--method", "named")
    assert named.stderr == ""
    assert json.loads(Path(f"{links}.meta.json").read_text())["answered_by"] is None


def test_align_says_when_a_bundled_model_answers(data, tmp_path):
    folder, links = data / "epl-2015" / "man-city-chelsea", tmp_path / "links.jsonl"
    done = run("align", folder / "events.json", folder / "comments.jsonl", "-o", links)
    said = "touchline: answered with the bundled model live-text (English"
    assert done.stderr == f"{said}, learned with labels)\n"
    origin = json.loads(Path(f"{links}.meta.json").read_text())
    assert (origin["answered_by"], origin["labels"]) == ("bundled live-text", True)
    plain = run("align", folder / "events.json", folder / "comments.jsonl", "-o", links,
                "--method", "chains:unlabelled")  # fmt: skip
    assert plain.stderr == f"{said})\n"
    assert json.loads(Path(f"{links}.meta.json").read_text())["labels"] is False


def test_a_match_in_another_language_is_said_to_be_learned_alone(data, tmp_path):
    folder, said = data / "tv-spanish" / "newcastle-chelsea", tmp_path / "comments.jsonl"
    lines = (folder / "comments.jsonl").read_text("utf-8").splitlines(keepends=True)
    said.write_text("".join(lines[:100]), "utf-8")
    done = run("align", folder / "events.json", said, "-o", tmp_path / "l.csv")
    assert "touchline: learned from this match alone\n" in done.stderr
    assert re.search(r"warning: the bundled models are English and know \d% of the", done.stderr)


def test_a_corpus_is_aligned_match_by_match_and_a_bad_one_is_left_out(files, tmp_path):
    corpus = tmp_path / "corpus"
    for name in ("good", "bad"):
        (corpus / name).mkdir(parents=True)
        for file in ("events.json.gz", "comments.jsonl", "lineups.json"):
            (corpus / name / file).write_bytes((files[0].parent / file).read_bytes())
    done = run("align", "--corpus", corpus, "-o", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    (corpus / "bad" / "comments.jsonl").write_text('{"id": 1, "text"')
    done = run("align", "--corpus", corpus, "-o", tmp_path / "again")
    assert done.returncode == 3
    assert "bad left out" in done.stderr
    assert "comments.jsonl, line 1" in done.stderr
    assert "1 match answered by: this match alone" in done.stderr
    names = sorted(p.name for p in (tmp_path / "again").iterdir())
    assert names == ["good.jsonl", "good.jsonl.meta.json", "manifest.json"]
    manifest = json.loads((tmp_path / "again" / "manifest.json").read_text())
    good = next(entry for entry in manifest["matches"] if entry["name"] == "good")
    assert good["answered_by"] == "this match alone"


@pytest.fixture
def corpus_with_faults(files, tmp_path) -> Path:
    """A good match, one that cannot be read, one without a commentary, one with a strange name."""
    corpus = tmp_path / "faults"
    for name in (b"good", b"broken", b"half", b"m\xe9"):
        folder = Path(os.fsdecode(os.fsencode(corpus) + b"/" + name))
        folder.mkdir(parents=True)
        for file in ("events.json.gz", "comments.jsonl", "lineups.json", "gold.jsonl"):
            (folder / file).write_bytes((files[0].parent / file).read_bytes())
    (corpus / "broken" / "comments.jsonl").write_text('{"id": 1, "text"')
    (corpus / "half" / "comments.jsonl").unlink()
    (corpus / ".hidden").mkdir()
    return corpus


@pytest.mark.posix
@pytest.mark.parametrize(
    "words",
    [["align", "--method", "named", "--corpus", None, "-o", "out"],
     ["fit", None, "-o", "out.npz"],
     ["evaluate", "--method", "named", None],
     ["evaluate", None, "--compare", "named", "random"],
     ["data", "check", None]],
    ids=lambda words: " ".join(word or "CORPUS" for word in words),
)  # fmt: skip
def test_every_match_that_is_left_out_is_named(corpus_with_faults, tmp_path, words):
    words = [word or corpus_with_faults for word in words]
    done = run_alone(*words, cwd=tmp_path)
    assert done.returncode == 3, done.stderr
    said = done.stderr + done.stdout
    assert all(f"{name}" in said for name in ("broken", "half", "no comments.*", "not valid UTF-8"))
    assert "Traceback" not in said
    assert ".hidden" not in said


@pytest.mark.posix
def test_a_name_that_is_no_text_is_refused(files):
    done = run("align", files[0], os.fsdecode(b"caf\xe9.txt"))
    assert (done.returncode, "rename the file" in done.stderr) == (2, True)


def test_a_model_does_not_replace_what_it_learns_from(files, tmp_path):
    corpus = tmp_path / "corpus" / "match"
    corpus.mkdir(parents=True)
    for file in ("events.json.gz", "comments.jsonl"):
        (corpus / file).write_bytes((files[0].parent / file).read_bytes())
    before = (corpus / "events.json.gz").read_bytes()
    done = run("fit", corpus.parent, "--method", "named", "-o", corpus / "events.json.gz")
    assert (done.returncode, "would be overwritten" in done.stderr) == (2, True)
    assert (corpus / "events.json.gz").read_bytes() == before


@pytest.mark.parametrize("width", [40, 60, 80])
def test_a_narrow_terminal_shows_whole_figures(sample, width):
    report = Evaluation(
        corpus="c", method="named", clock="minute", track="comments",
        scores={"harrowmere-castlebrook": Score(right=1234, predicted=2345, gold=3456)},
    )  # fmt: skip
    console = Terminal(160, file=io.StringIO())
    console.width = width
    print_report(report, console)
    assert "…" not in console.file.getvalue()
    assert all(figure in console.file.getvalue() for figure in ("52.6", "35.7", "42.5"))


def test_evaluate_prints_a_table_and_writes_json(files, tmp_path):
    corpus, out, log = files[0].parent.parent, tmp_path / "s.json", tmp_path / "runs.jsonl"
    done = run("evaluate", corpus, "--method", "named", "--json", out, "--log", log)
    assert done.returncode == 0, done.stderr
    assert "PR-AUC" in done.stdout
    report = json.loads(out.read_text())
    assert report["clock"] == "minute"
    assert report["method"] == "named"
    assert 0 < report["total"]["f1"] < 1
    assert set(report["matches"]) == {p.name for p in corpus.iterdir() if p.is_dir()}
    assert set(report["answered"].values()) == {"no model"}
    assert report["labels"] is False
    printed = run("evaluate", corpus, "--method", "named", "--json", "-", "--log", log).stdout
    assert json.loads(printed) == report
    assert len(log.read_text().splitlines()) == 2


def test_evaluate_predictions(files, tmp_path):
    corpus, links = files[0].parent.parent, tmp_path / "links.jsonl"
    run("align", files[0], files[0].parent / "comments.jsonl", "-o", links, "--lineups", files[2])
    report = json.loads(run("evaluate", corpus, "--predictions", links, "--json", "-").stdout)
    assert list(report["matches"]) == [files[0].parent.name]
    assert report["total"]["f1"] > 0.3
    assert report["clock"] == "second"  # which they were made with


def test_evaluate_what_a_corpus_run_has_written(files, tmp_path):
    corpus, out = files[0].parent.parent, tmp_path / "out"
    assert run("align", "--corpus", corpus, "--method", "named", "-o", out).returncode == 0
    done = run("evaluate", corpus, "--predictions", out, "--json", "-")
    assert len(json.loads(done.stdout)["matches"]) == 2
    (tmp_path / "empty").mkdir()
    done = run("evaluate", corpus, "--predictions", tmp_path / "empty")
    assert (done.returncode, "contains no links" in done.stderr) == (1, True)


def test_demo_does_not_write_into_a_file(tmp_path):
    (tmp_path / "taken").touch()
    done = run("demo", "-o", "taken", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (
        2,
        "touchline: taken: is a file; -o must be a folder\n",
    )


def test_demo_writes_links_and_a_page(tmp_path):
    done = run_alone("demo", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "touchline align" in done.stdout
    generated = done.stdout.partition("lines written from the log alone\n")[2].split("\n\n")[0]
    assert len(re.findall(r"^ *\d+' ", generated, re.MULTILINE)) == 10
    links = (tmp_path / "touchline-demo" / "links.jsonl").read_text().splitlines()
    assert len({json.loads(line)["match"] for line in links}) == 2
    assert (tmp_path / "touchline-demo" / "index.html").stat().st_size > 10_000


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["align"], 2, "EVENTS"),
        (["align", "{events}", "{live}", "--method", "magic"], 2, "unknown method 'magic'"),
        (["align", "{events}", "{live}", "--set", "window"], 2, "KEY=VALUE"),
        (["align", "{events}", "{live}", "--set", "depth=3"], 2, "no option 'depth'"),
        (["align", "{events}", "{live}", "--min-score", "3"], 2, "0 to 1"),
        (["align", "{events}", "{live}", "--min-score", "nan"], 2, "0 to 1"),
        (["align", "{events}", "{live}", "-o", "x.docx"], 2, "'.docx'"),
        (["align", "{events}", "{live}", "--provider", "opta9"], 2, "provider"),
        (["align", "nowhere.json", "{live}"], 1, "nowhere.json: no such file"),
        (["align", "{events}", "nowhere.txt"], 1, "nowhere.txt: no such file"),
        (["align", "{folder}", "{live}"], 1, "is a folder"),
        (["align", "{live}", "{live}"], 1, "live.txt"),
        (["align", "{events}", "{events}"], 1, "events.json.gz"),
        (["align", "{events}", "{live}", "--lineups", "{live}"], 1, "live.txt"),
        (["evaluate", "nowhere"], 1, "no such folder"),
        (["evaluate", "{live}"], 1, "is a file; expected a corpus"),
        (["evaluate", "{folder}", "--model", "{live}"], 1, "not a touchline model"),
        (["fit", "{folder}"], 2, "output"),
        (["fit", "{folder}", "-o", "zip::x.zip"], 2, "x.zip: an archive can only be read"),
        (["align", "{events}", "{live}", "-o", "https://h/x.csv"], 2, "can only be read"),
        (["sing"], 2, "No such command"),
        (["aling"], 2, "Did you mean 'align'?"),
    ],
)
def test_errors_are_one_sentence_with_the_right_exit_code(files, words, code, message):
    events, live, _ = files
    places = {"events": events, "live": live, "folder": events.parent}
    done = run(*[word.format(**places) for word in words])
    assert done.returncode == code, done.stderr
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "empty"),
        (b"  \n", "empty"),
        (b"\x00\x01\x02\x03\x04\x05\x06\x07" * 100, "binary"),
        (b"\x1f\x8b broken", "gzip"),
        (b'[{"id": "a", "possession_team"', "is truncated"),
        (b"Dear diary, nothing happened.", "not recognised"),
    ],
)
def test_bad_event_files_leave_nothing_behind(files, tmp_path, content, message):
    bad, out = tmp_path / "bad.json", tmp_path / "links.jsonl"
    bad.write_bytes(content)
    done = run("align", bad, files[1], "-o", out)
    assert done.returncode == 1
    assert str(bad) in done.stderr
    assert message in done.stderr
    assert [p.name for p in tmp_path.iterdir()] == ["bad.json"]


def test_encodings_of_the_commentary_do_not_matter(files, tmp_path):
    events, live, _ = files
    text = live.read_text()
    expected = run("align", events, live, *QUICK).stdout
    for encoding in ("utf-16", "utf-8-sig"):
        (tmp_path / "live.txt").write_text(text, encoding=encoding)
        assert run("align", events, tmp_path / "live.txt", *QUICK).stdout == expected
    (tmp_path / "live.txt.gz").write_bytes(gzip.compress(live.read_bytes()))
    assert run("align", events, tmp_path / "live.txt.gz", *QUICK).stdout == expected


def shell(line: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    line = line.replace("touchline", f"{sys.executable} -m touchline", 1)
    command = ["bash", "-c", f"set -o pipefail; {line}"]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd)


def test_a_command_ends_as_python_does():
    code = "import atexit; atexit.register(print, 'last'); from touchline.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code, "--version"], capture_output=True, text=True)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "last")


@pytest.mark.posix
def test_a_closed_pipe_is_no_error(files, tmp_path):
    events, live, _ = files
    done = shell(f"touchline align {events} {live} --scores | head -n 1", tmp_path)
    assert (done.returncode, len(done.stderr.splitlines())) == (0, 1)
    assert len(done.stdout.splitlines()) == 1
    done = shell("touchline demo | head -n 1", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "touchline-demo" / "links.jsonl").exists()


@pytest.mark.linux
def test_a_full_or_closed_output_is_said_in_one_sentence(files, tmp_path):
    events, live, _ = files
    full = shell(f"touchline align {events} {live} > /dev/full", tmp_path)
    assert full.returncode == 1
    *_, last = full.stderr.splitlines()
    assert last.startswith("touchline: cannot write to standard output (No space left")
    assert len(full.stderr.splitlines()) == 2  # before it, which model answers
    closed = shell(f"touchline align {events} {live} --method named >&-", tmp_path)
    assert "Traceback" not in closed.stderr


def test_letters_that_the_terminal_lacks_do_no_harm(files, tmp_path):
    events, live, _ = files
    plain = {**os.environ, "PYTHONIOENCODING": "ascii", "LC_ALL": "C", "PYTHONUTF8": "0"}
    assert run_alone("demo", cwd=tmp_path, env=plain).returncode == 0
    command = [sys.executable, "-m", "touchline", "align", str(events), str(live), *QUICK,
               "--match", "Žé"]  # fmt: skip
    done = subprocess.run(command, capture_output=True, env=plain)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[0])["match"] == "Žé"


@pytest.mark.posix
def test_an_input_is_never_overwritten(files, tmp_path):
    comments = tmp_path / "comments.jsonl"
    comments.write_bytes((files[0].parent / "comments.jsonl").read_bytes())
    before = comments.read_bytes()
    (tmp_path / "link.jsonl").symlink_to(comments)
    for output in (comments, tmp_path / "link.jsonl"):
        done = run("align", files[0], comments, "-o", output)
        assert done.returncode == 2
        assert "overwritten" in done.stderr
    assert comments.read_bytes() == before


@pytest.mark.posix
def test_pipes_are_read_once(files, tmp_path):
    events, live, _ = files
    line = f"touchline align <(cat {events}) <(cat {live}) -o links.jsonl --method named"
    assert shell(line, tmp_path).returncode == 0
    origin = json.loads((tmp_path / "links.jsonl.meta.json").read_text())
    assert set(origin["inputs"].values()) == {None}


def test_the_origin_distinguishes_runs(files, tmp_path):
    events = files[0]
    origins = []
    for number, words in enumerate([[], ["--clock", "minute"], ["--min-score", "0.8"]]):
        out = tmp_path / f"{number}.jsonl"
        run("align", events, events.parent / "comments.jsonl", "-o", out, *QUICK, *words)
        origins.append((tmp_path / f"{number}.jsonl.meta.json").read_text())
    assert len(set(origins)) == 3


@pytest.mark.posix
def test_an_interrupt_ends_with_130(files):
    events = files[0]
    loaded = "import touchline.cli, touchline.evaluation; print(flush=True); touchline.cli.main()"
    command = [sys.executable, "-c", loaded, "evaluate", str(events.parent.parent),
               "--method", "pairrank-euclidean", "--set", "k=6"]  # fmt: skip
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        process.stdout.readline()
        time.sleep(0.5)  # well into the work, which takes longer
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert errors.decode().splitlines()[-1] == "touchline: interrupted"


def test_an_interrupt_while_a_class_is_made_is_one(monkeypatch, capsys):
    def invoke(context):
        raise RuntimeError("Error calling __set_name__") from KeyboardInterrupt()

    monkeypatch.setattr(cli.cli, "invoke", invoke)
    assert cli._run(["data"]) == 130
    assert capsys.readouterr().err == "touchline: interrupted\n"


def test_explain(files, tmp_path):
    corpus, match = files[0].parent.parent, files[0].parent.name
    words = ["explain", corpus, "--match", match, "--comment", 34]
    done = run(*words, "--json", tmp_path / "why.json")
    assert done.returncode == 0, done.stderr
    why = json.loads((tmp_path / "why.json").read_text(encoding="utf-8"))
    assert why["text"].startswith("SAVE!")
    for event in why["events"]:
        assert event["describe"] in done.stdout
    assert all(line in done.stdout for line in ("names: MacSween", "best: ", "runner-up: "))
    assert "\x1b" not in done.stdout
    learned = run("explain", files[0], files[1], "--json", "-")
    assert "Foul Committed" in {kind["kind"] for kind in json.loads(learned.stdout)["kinds"]}
    nobody = run(*words[:-1], "nobody")
    assert nobody.returncode == 2
    assert (
        f"no comment 'nobody' in match '{match}'; the comments are 0, 1, 2, ..., 125"
        in nobody.stderr
    )
    unknown = run("explain", corpus, "--comment", 34, "--match", "final")
    assert f"no match 'final'; the matches are {match}, port-selwyn-dunveagh" in unknown.stderr
    assert "use --match for port-selwyn" in run("explain", corpus, "--comment", 34).stderr


def test_explain_reads_a_match_as_align_does(files, tmp_path):
    cues = tmp_path / "cues.vtt"
    cues.write_text("WEBVTT\n\n10:00.000 --> 10:08.000\nA save. And a corner.\n")
    read = [files[0], cues, "--kickoff", "1=0", "--sentences"]
    done = run("explain", *read, "--comment", "0.2", "--json", "-")
    assert json.loads(done.stdout)["text"] == "And a corner."


def test_explain_with_a_stored_model(files, tmp_path):
    assert run("fit", files[0].parent, "-o", tmp_path / "m").returncode == 0
    words = ["explain", files[0], files[1], "--comment", 34, "--model", tmp_path / "m"]
    done = run(*words, "--json", "-")
    assert json.loads(done.stdout)["best"]["events"], done.stderr


def test_explain_with_the_papers_method(files):
    corpus, match = files[0].parent.parent, files[0].parent.name
    words = ["explain", corpus, "--match", match, "--comment", 34, "--set", "k=2"]
    explained = json.loads(run(*words, "--method", "pairrank", "--json", "-").stdout)
    assert explained["text"].startswith("SAVE!")
    assert 1 <= len(explained["growth"]) <= 2
    assert explained["growth"][0]["gain"] > 0
    model = explained["models"][0]
    assert len(model["weights"]) == 10
    assert [weight for _, weight in model["weights"]] == sorted(
        [weight for _, weight in model["weights"]], reverse=True
    )
    assert all(near["confidence"] > 0 for near in model["nearest"])
    learned = run("explain", files[0], files[1], "--method", "pairrank", "--set", "k=1")
    assert "Foul Committed" in learned.stdout, learned.stderr


def test_explain_says_which_methods_have_explanations(files):
    done = run("explain", files[0], files[1], "--method", "liang2009")
    assert done.returncode == 2
    said = "liang2009 has no explanations; use --method chains or --method pairrank"
    assert done.stderr == f"touchline: {said}\n"


def test_evaluate_puts_methods_side_by_side(tmp_path):
    corpus = Path(touchline.__file__).parent / "sample" / "matches"
    words = ["evaluate", corpus, "--compare", "named", "random", "--log", tmp_path / "log"]
    done = run(*words, "--json", "-")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert list(found["methods"]) == ["named", "random"]
    assert (found["answered"], found["labels"]) == ("fitted on this corpus, without labels", False)
    logged = [json.loads(line)["method"] for line in (tmp_path / "log").read_text().splitlines()]
    assert logged == ["named", "random"]
    assert "F1 - named" in run(*words).stdout
    assert run("evaluate", corpus, "named").returncode == 2
    assert run("evaluate", corpus, "--compare", "named", "--method", "random").returncode == 2


@pytest.mark.posix
def test_reproduce_prints_tables_and_writes_them(tmp_path):
    sample = Path(touchline.__file__).parent / "sample" / "matches"
    (tmp_path / "epl-2015").symlink_to(sample)
    words = ["reproduce", "pro", "--method", "named", "--data", tmp_path, "--json", "out.json",
             "--markdown", "out.md", "--latex", "out.tex"]  # fmt: skip
    done = run(*words, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    expected = f"touchline: no corpus radio-2018 in {tmp_path}; its columns are left empty\n"
    assert done.stderr == expected
    assert "sha256" in done.stdout
    assert "| named |" in (tmp_path / "out.md").read_text()
    assert r"\begin{tabular}" in (tmp_path / "out.tex").read_text()
    found = json.loads((tmp_path / "out.json").read_text())
    assert set(found) == {"protocol", "methods", "published", "source", "run"}
    assert (tmp_path / "touchline-reproduce").is_dir()


def test_reproduce_without_data_says_how_to_get_it(tmp_path):
    environment = {key: value for key, value in os.environ.items() if key != "TOUCHLINE_DATA"}
    done = run_alone("reproduce", "robocup", env=environment)
    assert done.returncode == 2
    assert "docs/data.md" in done.stderr
    done = run("reproduce", "robocup", "--data", tmp_path)
    assert done.returncode == 1
    assert "docs/data.md" in done.stderr


def test_standard_input_is_read_for_a_dash(sample_folder):
    command = [sys.executable, "-m", "touchline", "align", sample_folder / "events.json.gz", *QUICK]
    comments = sample_folder / "comments.jsonl"
    piped = subprocess.run(
        [*command, "-", "--match", "m"], input=comments.read_bytes(), capture_output=True
    )
    named = subprocess.run([*command, comments, "--match", "m"], capture_output=True)
    assert (piped.returncode, piped.stdout) == (0, named.stdout)


def completed(question: str, words: str, place: str) -> str:
    """The answer when somebody presses Tab."""
    asked = {"_TOUCHLINE_COMPLETE": question, "COMP_WORDS": words, "COMP_CWORD": place}
    command = [sys.executable, "-m", "touchline"]
    return run_with(command, {**os.environ, **asked}).stdout


def run_with(command: list[str], environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, env=environment, capture_output=True, text=True)


def test_shells_can_complete_commands_and_options():
    assert completed("bash_complete", "touchline al", "1") == "plain,align\n"
    assert completed("bash_complete", "touchline align --str", "2") == "plain,--strict\n"
    assert completed("zsh_complete", "touchline al", "1").startswith("plain\nalign\n")
    assert "--strict" in completed("zsh_complete", "touchline align --str", "2").split()
    assert completed("fish_complete", "touchline al", "al").startswith("plain,align")
    assert completed("fish_complete", "touchline align --str", "--str").startswith("plain,--strict")


@pytest.mark.parametrize("name", ["bash", "zsh", "fish"])
def test_completion_has_a_script_for(name):
    environment = {**os.environ, "_TOUCHLINE_COMPLETE": f"{name}_source"}
    done = run_with([sys.executable, "-m", "touchline"], environment)
    assert done.returncode == 0
    assert f"_TOUCHLINE_COMPLETE={name}_complete" in done.stdout


def options(
    command: click.Command, name: str, parent: click.Context | None = None
) -> Iterator[tuple[click.Context, click.Option]]:
    """The options of a command and of the commands below it."""
    with command.make_context(name, [], parent, resilient_parsing=True) as context:
        for option in command.params:
            if isinstance(option, click.Option) and option.help and not option.is_flag:
                yield context, option
        if isinstance(command, click.Group):
            for inner in command.list_commands(context):
                yield from options(command.get_command(context, inner), inner, context)


def test_help_shows_every_default():
    hidden = []
    for context, option in options(cli.cli, "touchline"):
        _, said = option.get_help_record(context)
        if isinstance(option.default, str | int | float | Path) and "default: " not in said:
            hidden.append(f"{context.command_path} {option.opts[0]}")
    assert hidden == []
