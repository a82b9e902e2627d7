"""--text-column and --clock-column, on every command that reads commentary."""

from __future__ import annotations

import csv
import io
import json
import shlex
import shutil
import sys
from pathlib import Path

import pytest

from touchline import cli
from touchline.sample import corpus_path

SAMPLE = sorted(p for p in corpus_path().iterdir() if p.is_dir())[0]
COLUMNS = ["--text-column", "Comentario", "--clock-column", "Minuto"]
ASKS = "name it with --text-column"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A match whose commentary is a table under headings that touchline does not know."""
    folder = tmp_path / "corpus" / "match"
    shutil.copytree(SAMPLE, folder)
    lines = [json.loads(line) for line in (folder / "comments.jsonl").read_text().splitlines()]
    (folder / "comments.jsonl").unlink()
    with (folder / "comments.csv").open("w", newline="") as file:
        table = csv.writer(file, delimiter=";")
        table.writerow(["id", "Minuto", "Comentario"])
        table.writerows([line["id"], line["clock"], line["text"]] for line in lines)
    return tmp_path / "corpus"


@pytest.fixture
def files(corpus) -> list[str]:
    return [str(corpus / "match" / name) for name in ("events.json.gz", "comments.csv")]


def run(capsys, *words: object) -> tuple[int, str, str]:
    code = cli._run(list(map(str, words)))
    printed = capsys.readouterr()
    return code, printed.out, printed.err


def test_evaluate(capsys, corpus):
    asked = ["evaluate", corpus, "--method", "named", "--json", "-"]
    assert ASKS in run(capsys, *asked)[2]
    code, out, _ = run(capsys, *asked, *COLUMNS)
    assert (code, json.loads(out)["total"]["f1"] > 0.3) == (0, True)


def test_evaluate_compare_and_predictions(capsys, corpus, files, tmp_path):
    links = tmp_path / "links.jsonl"
    asked = ["align", *files, "--match", "match", "--method", "named", "-o", links, *COLUMNS]
    asked += ["--lineups", *(corpus / "match").glob("lineups*"), "--clock", "minute"]
    assert run(capsys, *asked)[0] == 0
    code, out, _ = run(capsys, "evaluate", corpus, "--compare", "named", "--predictions", links,
                       "--json", "-", *COLUMNS)  # fmt: skip
    assert code == 0
    named, predicted = (method["total"]["f1"] for method in json.loads(out)["methods"].values())
    assert named == predicted
    code, out, _ = run(capsys, "evaluate", corpus, "--predictions", links, "--json", "-", *COLUMNS)
    assert (code, json.loads(out)["total"]["f1"]) == (0, named)


def test_annotate(capsys, corpus):
    answer = (
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    asked = json.loads(line)['comment']\n"
        "    print(json.dumps({'comment': asked, 'events': []}), flush=True)\n"
    )
    command = shlex.join([sys.executable, "-c", answer])
    asked = ["annotate", corpus, "--with", command, "--annotator", "nobody", "--limit", 3]
    assert ASKS in run(capsys, *asked)[2]
    code, out, _ = run(capsys, *asked, *COLUMNS)
    assert code == 0
    assert out.startswith("nobody: 3 asked, 3 answered")


def test_check(capsys, files):
    assert ASKS in run(capsys, "check", *files)[2]
    code, out, _ = run(capsys, "check", *files, "--json", "-", *COLUMNS)
    assert code in (0, 1)
    assert json.loads(out)["comments"] > 100


def test_explain_a_corpus(capsys, corpus):
    asked = ["explain", corpus, "--method", "chains", "--set", "rounds=1", "--json", "-"]
    assert ASKS in run(capsys, *asked)[2]
    assert run(capsys, *asked, *COLUMNS)[0] == 0


def test_live(capsys, files, monkeypatch, tmp_path):
    """Lines of the table arrive on standard input."""
    table = Path(files[1]).read_text().splitlines()[:4]

    def follow(*columns: str) -> tuple[int, str, list[str]]:
        source = tmp_path / "in.csv"
        source.write_text("\n".join(table) + "\n")
        with source.open() as file:
            monkeypatch.setattr(sys, "stdin", file)
            code, out, said = run(capsys, "live", "--events", files[0], *columns)
        return code, said, [json.loads(line)["comment"] for line in out.splitlines()]

    code, said, answered = follow(*COLUMNS)
    ids = [int(row[0]) for row in csv.reader(io.StringIO("\n".join(table[1:])), delimiter=";")]
    assert (code, sorted(set(answered))) == (0, ids)
    assert ASKS not in said
    assert follow()[1].count(ASKS) == 1
