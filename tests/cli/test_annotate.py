"""`touchline annotate`: what it says, its exit codes, and what is kept when it is stopped."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from tests.waiting import wait_for

MATCH, COMMENTS = "harrowmere-castlebrook", 8
EXAMPLES = Path(__file__).parent.parent.parent / "examples" / "annotator"


def touchline(*words: object) -> list[str]:
    return [sys.executable, "-m", "touchline", "annotate", *map(str, words)]


def annotate(*words: object, **more) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        touchline(*words), capture_output=True, text=True, encoding="utf-8", **more
    )


@pytest.fixture
def match(tmp_path, sample_folder) -> Path:
    """The first comments of a bundled match."""
    copy = tmp_path / "corpus" / MATCH
    shutil.copytree(sample_folder, copy)
    for name in ("comments.jsonl", "gold.jsonl"):
        kept = (copy / name).read_text("utf-8").splitlines()[:COMMENTS]
        (copy / name).write_text("\n".join(kept) + "\n", "utf-8")
    return copy


@pytest.fixture
def command(tmp_path):
    """Writes a script that answers `q` with the code given, and gives the command that runs it."""

    def command(body: str, *more: str) -> str:
        path = tmp_path / "my script.py"
        path.write_text(
            "import json, os, sys, time\nfor line in sys.stdin:\n    q = json.loads(line)\n"
            + "".join(f"    {line}\n" for line in body.splitlines()),
            "utf-8",
        )
        return shlex.join([sys.executable, str(path), *more])

    return command


NOTHING = "print(json.dumps({'comment': q['comment'], 'events': []}), flush=True)"


def labels(match: Path, name: str = "my-script") -> list[dict]:
    path = match / "labels" / f"{name}.jsonl"
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]


def test_it_says_beforehand_who_gets_what_and_in_the_end_how_it_went(match, command):
    done = annotate(match.parent, "--with", command(NOTHING, "--key", "secret"))
    assert done.returncode == 0, done.stderr
    for part in ("gets 8 comments of 1 match,", "may send them on", "touchline itself sends "
                 "nothing", "Ctrl-C", "answers so far are kept"):  # fmt: skip
        assert part in done.stderr
    assert "secret" not in done.stderr + done.stdout
    assert "my-script: 8 asked, 8 answered (100.0 % no event), 0 unsure, 0 skipped" in done.stdout
    assert "gold.jsonl" in done.stdout
    assert "people" in done.stdout
    assert [one["id"] for one in labels(match)] == list(range(8))
    again = annotate(match, "--with", command(NOTHING))  # the folder of one match
    assert (again.returncode, len(labels(match))) == (0, 8)
    assert "8 comments were answered by my-script before and are skipped" in again.stderr
    assert "nothing is left to ask" in again.stderr
    assert "may send" not in again.stderr


def test_no_shell(match, command, tmp_path):
    more = ";", "touch", "x", "&&", "$(touch y)", "`touch z`", ">", "w"
    words = command("print(json.dumps({'comment': q['comment'], 'events': [], "
                    "'note': ' '.join(sys.argv[1:])}), flush=True)")  # fmt: skip
    inside = f"{words} ; touch x && '$(touch y)' '`touch z`' > w"
    done = annotate(match, "--with", inside, "--limit", 1, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert labels(match)[0]["note"] == " ".join(more)
    assert not {"x", "y", "z", "w"} & {path.name for path in tmp_path.iterdir()}


def test_unicode_goes_both_ways(match, command):
    path = match / "comments.jsonl"
    first, *rest = path.read_text("utf-8").splitlines()
    text = "Şahin → Džeko 🥅\u2028\"quoted\" \\ back"  # fmt: skip
    path.write_text("\n".join([json.dumps({**json.loads(first), "text": text}), *rest]), "utf-8")
    body = ("print(json.dumps({'comment': q['comment'], 'events': [], 'note': q['text']}, "
            "ensure_ascii=False), flush=True)")  # fmt: skip
    env = {**os.environ, "PYTHONUTF8": "1"}
    done = annotate(match, "--with", command(body), "--annotator", "Żaneta", "--limit", 1, env=env)
    assert done.returncode == 0, done.stderr
    assert labels(match, "Żaneta")[0]["note"] == text


def test_bad_answers_are_named_counted_and_skipped(match, command):
    body = ("if q['comment'] == 2: print('Loading ...', flush=True)\n"
            "elif q['comment'] == 4: print('{\"comment\": 4, \"events\": [\"no\"]}', flush=True)\n"
            f"else: {NOTHING}")  # fmt: skip
    done = annotate(match, "--with", command(body))
    assert done.returncode == 3
    assert f"{MATCH}, comment 2: not an answer" in done.stderr
    assert f"{MATCH}, comment 4: the event 'no' is not among the candidates; skipped" in done.stderr
    assert "8 asked, 6 answered (100.0 % no event), 0 unsure, 2 skipped" in done.stdout
    assert [one["id"] for one in labels(match)] == [0, 1, 3, 5, 6, 7]
    again = annotate(match, "--with", command(NOTHING))
    assert "2 asked, 2 answered" in again.stdout


def test_a_command_that_does_not_exist(match):
    done = annotate(match, "--with", "no-such-program --x")
    assert (done.returncode, done.stdout) == (1, "")
    assert "cannot start 'no-such-program' (No such file or directory)" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_command_that_dies_at_once(match, command):
    done = annotate(match, "--with", command("sys.exit('no key')"))
    assert done.returncode == 1
    assert "no key" in done.stderr  # its own words pass through
    assert f"{MATCH}, comment 0: the command ended with exit code 1" in done.stderr
    assert not (match / "labels").exists()


def test_a_command_that_hangs(match, command):
    done = annotate(match, "--with", command("time.sleep(60)"), "--timeout", 0.5)
    assert done.returncode == 3
    assert f"{MATCH}, comment 0: no answer within 0.5 s; skipped" in done.stderr
    assert "stopped early, 5 comments not asked about" in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--with", ""], "the command is empty"),
        (["--with", "a 'b"], "cannot be split into words"),
        (["--with", "x", "--annotator", "../gold"], "annotator '../gold'"),
        (["--with", "x", "--annotator", "gold"], "adjudicated"),
        (["--with", "x", "--match", "nobody"], "no match 'nobody'"),
        (["--with", "x", "--limit", "0"], "--limit"),
        (["--with", "x", "--timeout", "0"], "--timeout"),
        ([], "--with"),
    ],
)
def test_wrong_usage(match, words, said):
    done = annotate(match, *words)
    assert done.returncode == 2
    assert said in done.stderr


@pytest.mark.posix
@pytest.mark.parametrize(("how", "code"), [("SIGINT", 130), ("SIGTERM", 143), ("SIGKILL", -9)])
def test_stopped_at_any_moment_it_continues_without_asking_twice(
    match, command, tmp_path, how, code
):
    asked = tmp_path / "asked"
    note = (
        f"with open({str(asked)!r}, 'a') as f: f.write(f\"{{q['comment']}} {{os.getpid()}}\\n\")\n"
    )
    body = f"{note}time.sleep(60 if q['comment'] == 3 else 0)\n{NOTHING}"
    running = subprocess.Popen(
        touchline(match, "--with", command(body)), stderr=subprocess.PIPE, text=True
    )
    wait_for(lambda: asked.exists() and asked.read_text().count("\n") == 4)
    running.send_signal(signal.Signals[how])
    pid = int(asked.read_text().split()[-1])
    if how == "SIGKILL":  # nobody is left to stop the command, which has the same standard error
        running.wait(timeout=60)
        os.kill(pid, signal.SIGKILL)
    said = running.communicate(timeout=60)[1]
    assert running.returncode == code
    assert ("answers so far are kept; run the same" in said) == (how == "SIGINT")
    assert [one["id"] for one in labels(match)] == [0, 1, 2]
    if how != "SIGKILL":
        wait_for(lambda: not is_running(pid), 20)
    done = annotate(match, "--with", command(NOTHING))
    assert done.returncode == 0, done.stderr
    assert "3 comments were answered by my-script before" in done.stderr
    assert [one["id"] for one in labels(match)] == list(range(8))


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


# The examples -------------------------------------------------------------------------------------


class Model(ThreadingHTTPServer):
    """A chat model on this machine, with answers and failures prepared."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.requests: list[tuple[str, dict, str | None]] = []
        self.failures: list[int] = []
        self.said = '{"events": [1], "sure": false, "note": "maybe"}'

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class Handler(BaseHTTPRequestHandler):
    server: Model

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append((self.path, body, self.headers["Authorization"]))
        code = self.server.failures.pop(0) if self.server.failures else 200
        choice = {"message": {"role": "assistant", "content": self.server.said}}
        reply = json.dumps({"choices": [choice]}).encode()
        self.send_response(code)
        if code == 307:
            self.send_header("Location", f"{self.server.url}/elsewhere")
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def model():
    server = Model()
    Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def ask_model(match: Path, model: Model, *more: str, env: dict[str, str] | None = None):
    script = [sys.executable, str(EXAMPLES / "chat_model.py"), "--url", model.url, "--model", "m"]
    alone = {**os.environ, "no_proxy": "127.0.0.1", **(env or {})}
    command = shlex.join([*script, "--wait", "0.01", *more])
    return annotate(match, "--with", command, "--limit", 4, env=alone)


def test_a_language_model_labels_a_match(match, model):
    model.said = 'Sure!\n```json\n{"events": [2, 1, 2], "sure": false, "note": "maybe"}\n```'
    model.failures = [429, 503]
    done = ask_model(match, model, "--key-env", "MY_KEY", env={"MY_KEY": "s3cret"})
    assert done.returncode == 0, done.stderr
    assert "s3cret" not in done.stdout + done.stderr
    assert "chat_model: 4 asked, 4 answered (0.0 % no event), 4 unsure" in done.stdout
    assert len(model.requests) == 6
    assert {(path, key) for path, _, key in model.requests} == {
        ("/v1/chat/completions", "Bearer s3cret")
    }
    found = labels(match, "chat_model")
    assert [one["note"] for one in found] == ["maybe"] * 4
    assert all(len(one["events"]) == 2 and one["machine"] for one in found)
    system, user = model.requests[0][1]["messages"]
    assert "every event that the comment says has just happened" in system["content"]
    assert "COMMENT (half 1, 0:02): Dominic Cross puts the whistle to his lips" in user["content"]
    assert "\n1. half 1, 0:00 " in user["content"]
    assert model.requests[0][1]["model"] == "m"


def test_without_a_key_none_is_sent(match, model):
    assert ask_model(match, model).returncode == 0
    assert {key for _, _, key in model.requests} == {None}


@pytest.mark.parametrize(
    ("said", "failures", "problem", "requests"),
    [
        ("I think it is the first one.", [], "the model did not answer with that JSON", 4),
        ('{"events": [9999]}', [], "the model chose event 9999", 4),
        ("", [401] * 4, "the server answers 401", 4),
        ("", [500] * 8, "the server answers 500, 2 times", 8),
        ("", [307] * 4, "the server answers 307", 4),
    ],
)
def test_a_model_that_does_not_answer(match, model, said, failures, problem, requests):
    model.said, model.failures = said, failures
    done = ask_model(match, model, "--tries", "2")
    assert done.returncode == 3
    assert f"{MATCH}, comment 3: the command has no answer: {problem}" in done.stderr
    assert "4 asked, 0 answered, 0 unsure, 4 skipped" in done.stdout
    assert [path for path, _, _ in model.requests] == ["/v1/chat/completions"] * requests


def test_a_key_that_is_not_there(match, model):
    done = ask_model(match, model, "--key-env", "NO_SUCH_KEY")
    assert done.returncode == 1
    assert "the environment variable NO_SUCH_KEY is empty" in done.stderr
    assert model.requests == []


def test_the_smallest_annotator(match):
    done = annotate(match, "--with", shlex.join([sys.executable, str(EXAMPLES / "named.py")]))
    assert done.returncode == 0, done.stderr
    assert "named: 8 asked, 8 answered" in done.stdout
    assert any(one["events"] for one in labels(match, "named"))
