"""Methods, feeds and kinds of commentary of other packages: found, checked, and kept out."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

import touchline
from touchline import Aligner, Alignment, Links, UsageError, cli
from touchline.core import plugins
from touchline.core.plugins import PluginError
from touchline.io.feeds import providers
from touchline.io.links.origin import Origin
from touchline.io.model_file import write_model
from touchline.methods.registry import load_aligner, make_aligner, methods
from touchline.pipeline.explain_stored import explain_again
from touchline.testing import check_aligner, check_feed, example_match

EXAMPLE = Path(__file__).parent.parent / "examples" / "plugin"


@pytest.fixture
def registered(monkeypatch):
    """Registers entry points, as an installed package does."""
    monkeypatch.syspath_prepend(str(EXAMPLE))

    def register(group: str, name: str, value: str) -> None:
        known = {**plugins.plugins(group), name: EntryPoint(name, value, f"touchline.{group}")}
        original = plugins.plugins

        def found(asked: str) -> dict[str, EntryPoint]:
            return known if asked == group else original(asked)

        for module in ("touchline.methods.registry", "touchline.io.feeds",
                       "touchline.io.commentary"):  # fmt: skip
            monkeypatch.setattr(sys.modules[module], "plugins", found)

    return register


PIPES = "#pipes\n1|10|Pass|Ann Archer\n1|12.5|Shot|Bo Reis\n#end\n"


def test_the_example_method_keeps_its_promises(registered, sample):
    registered("methods", "nearest", "touchline_example.method:Nearest")
    assert "nearest" in methods()
    check_aligner(lambda: make_aligner("nearest"), [sample[0].match])
    links = touchline.align(example_match(), method="nearest")
    assert links.events_of(2)[0].id == "e4"


def test_the_example_feed_keeps_its_promises(registered, tmp_path):
    registered("feeds", "pipes", "touchline_example.feed")
    path = tmp_path / "match.txt"
    path.write_text(PIPES)
    from touchline_example import feed

    assert len(check_feed(feed, path).events) == 2
    assert "pipes" in providers()
    assert touchline.read_events(path).provider == "pipes"
    assert touchline.read_events(path, "pipes").events[1].type == "Shot"


def test_the_example_commentary_is_read(registered, tmp_path):
    registered("commentary", "chat", "touchline_example.commentary")
    path = tmp_path / "chat.txt"
    path.write_text("@1 Archer finds Reis\n@3 Foul by Archer\n")
    assert [c.text for c in touchline.read_comments(path)][1] == "Foul by Archer"


def test_a_plug_in_cannot_take_the_name_of_a_built_in_method(registered):
    registered("methods", "chains", "touchline_example.method:Nearest")
    assert methods().count("chains") == 1
    assert type(make_aligner("chains")).__module__ == "touchline.methods.chains.aligner"


def test_a_class_is_named_by_its_module(monkeypatch):
    monkeypatch.syspath_prepend(str(EXAMPLE))
    assert make_aligner("touchline_example.method:Nearest").name == "nearest"
    with pytest.raises(UsageError, match="unknown method 'touchline_example"):
        make_aligner("touchline_example.method:Nearest", registered=True)
    with pytest.raises(UsageError, match="no method or module named 'nowhere'"):
        make_aligner("nowhere:Nearest")


def test_an_aligner_may_be_given_itself(monkeypatch):
    monkeypatch.syspath_prepend(str(EXAMPLE))
    aligner = make_aligner("touchline_example.method:Nearest")
    links = touchline.align(example_match(), method=aligner)
    assert (links.method, len(links)) == ("nearest", 4)
    with pytest.raises(UsageError, match="already has its options"):
        touchline.align(example_match(), method=aligner, window=10)


def test_a_model_file_never_names_what_to_import(monkeypatch, tmp_path):
    """A name with a colon in a model file is a name that is not known."""
    monkeypatch.syspath_prepend(str(EXAMPLE))
    imported = set(sys.modules)
    for name in ("os:system", "antigravity:fly", "touchline_example.method:Nearest"):
        write_model(tmp_path / "m.npz", name, {}, {})
        with pytest.raises(touchline.InputError, match="is not installed"):
            load_aligner(tmp_path / "m.npz")
    assert not {"antigravity", "touchline_example"} & (set(sys.modules) - imported)
    aligner = make_aligner("touchline_example.method:Nearest", {"window": 30})
    aligner.save(tmp_path / "own.npz")
    with pytest.raises(touchline.InputError, match="is not installed"):
        load_aligner(tmp_path / "own.npz")
    assert load_aligner(tmp_path / "own.npz", type(aligner)).options == aligner.options
    with pytest.raises(touchline.InputError, match="not of 'random'"):
        load_aligner(tmp_path / "own.npz", type(make_aligner("random")))


@pytest.mark.parametrize("model", [None, "0" * 64], ids=["no model", "a model"])
def test_an_origin_never_names_what_to_import(monkeypatch, model):
    """The origin beside a links file comes from elsewhere, as a model file may."""
    monkeypatch.syspath_prepend(str(EXAMPLE))
    imported = set(sys.modules)
    links = touchline.align(example_match(), method="named-nearest")
    for name in ("os:system", "antigravity:fly", "touchline_example.method:Nearest"):
        with pytest.raises(UsageError, match="unknown method"):
            explain_again(links, links.match, Origin(method=name, model=model), None)
    assert not {"antigravity", "touchline_example"} & (set(sys.modules) - imported)


class Abstract(Aligner):
    name = "abstract"


class Nameless(Aligner):
    def infer(self, match):
        return Alignment(Links(match, []), "")


class Raising(Aligner):
    name = "raising"

    def infer(self, match):
        raise RuntimeError("out of\nluck")


class Wrong(Aligner):
    name = "wrong"

    def infer(self, match):
        return [1, 2]


class Silent(Aligner):
    name = "silent"

    def infer(self, match):
        return Alignment(Links(match, []), self.name)


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ("json:dumps", "is not a subclass of touchline.Aligner"),
        ("tests.test_plugins:Abstract", "does not define infer"),
        ("tests.test_plugins:Nameless", "has no name"),
        ("tests.test_plugins:Missing", "cannot be loaded: AttributeError"),
        ("no_such_module:It", "cannot be loaded: ModuleNotFoundError"),
        ("tests.test_plugins:Raising", "the method 'raising' failed on the match 'example': "
                                       "RuntimeError: out of luck"),
        ("tests.test_plugins:Wrong", "the method 'wrong' returned list; expected an Alignment"),
    ],
)  # fmt: skip
def test_a_bad_plugin_is_named_in_one_sentence(registered, value, problem):
    registered("methods", "bad", value)
    with pytest.raises(PluginError) as said:
        make_aligner("bad").align(example_match())
    assert problem in str(said.value)
    assert "\n" not in str(said.value)


def test_a_broken_promise_is_named():
    with pytest.raises(AssertionError, match="answers every comment in order"):
        check_aligner(Silent)


def test_a_bad_feed_is_named(registered, tmp_path):
    registered("feeds", "bad", "json")
    path = tmp_path / "match.txt"
    path.write_text("#unknown")
    with pytest.raises(PluginError, match="the feed 'bad' of the package json lacks 'what'"):
        touchline.read_events(path)


def test_a_command_takes_a_class_by_name(sample_folder):
    events, comments = sample_folder / "events.json.gz", sample_folder / "comments.jsonl"
    command = [sys.executable, "-m", "touchline", "align", events, comments, "--method"]
    done = subprocess.run([*command, "touchline_example.method:Nearest"], capture_output=True,
                          text=True, env={"PYTHONPATH": str(EXAMPLE)})  # fmt: skip
    assert (done.returncode, done.stdout.count("\n")) == (0, 126), done.stderr


def test_the_command_line_says_what_is_wrong(capsys, sample_folder):
    events, comments = sample_folder / "events.json.gz", sample_folder / "comments.jsonl"
    code = cli._run(["align", str(events), str(comments), "--method", "tests.test_plugins:Raising"])
    assert code == 1
    assert "the method 'raising' failed" in capsys.readouterr().err
