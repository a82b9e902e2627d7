"""Reproducing tables: protocols, ceilings, what is kept, tables, figures, the results page."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks.__main__ import Result, document
from benchmarks.measuring import Table
from touchline import TouchlineError, UsageError, evaluate, make_aligner
from touchline.cli.reproduce import command
from touchline.core.links import CommentLinks, Links
from touchline.evaluation import compare
from touchline.evaluation.sheets import Sheet, to_latex, to_markdown
from touchline.io.corpus.layout import LabelledMatch, read_corpus
from touchline.methods.base import answer
from touchline.methods.registry import BUILT_IN
from touchline.reproduce import harness, pro, robocup
from touchline.reproduce.harness import assemble, checksums, finished, tasks
from touchline.reproduce.published import published
from touchline.reproduce.sources import reached
from touchline.reproduce.systems import PAPER, System, readings, systems
from touchline.reproduce.tables import sheets
from touchline.sample import corpus_path

DOCS = Path(__file__).parents[2] / "docs"

EVENTS = """ 1 | 1 | kick ( red1 )
 2 | 4 | pass ( red1 , red2 )
 5 | 5 | ballstopped
 6 | 9 | badPass ( red2 , blue3 )
"""
COMMENTS = " 4 | red1 passes to red2\n 5 | a pause\n 9 | blue3 takes it from red2\n 20 | the end\n"
CANDIDATES = {0: "0 1", 1: "2", 2: "2 3", 3: ""}
# The last gold is not among the candidates; the second comment describes nothing.
GOLD = {0: "pass ( red1 , red2 )", 2: "badPass ( red2 , blue3 )", 3: "ballstopped"}


def examples(rows: dict[int, str], tag: str) -> str:
    inside = "".join(f'<example id="{i}">\n<{tag}> {x} </{tag}>\n</example>\n'
                     for i, x in rows.items())  # fmt: skip
    return f"<examples>\n{inside}</examples>\n"


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """A data folder with a RoboCup corpus of two equal games."""
    for name in ("1final", "2final"):
        contents = {
            f"events/{name}-processed-events": EVENTS,
            f"nl/{name}-comments": COMMENTS,
            f"training/{name}-train": examples(CANDIDATES, "semid"),
            f"gold/{name}-gold": examples(GOLD, "mrl"),
        }
        for path, content in contents.items():
            file = tmp_path / "data" / "robocup" / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content)
    return tmp_path / "data"


def first_match(folder: Path) -> Path:
    """A data folder whose professional corpus is the first bundled match."""
    match = sorted(path for path in corpus_path().iterdir() if path.is_dir())[0]
    (folder / "epl-2015").mkdir(parents=True)
    (folder / "epl-2015" / match.name).symlink_to(match)
    return folder


@pytest.fixture(scope="module")
def professional(tmp_path_factory) -> dict:
    """The professional protocol on one match."""
    folder = tmp_path_factory.mktemp("pro")
    methods = ("named", "named-nearest", PAPER)
    return reproduce("pro", first_match(folder / "data"), folder / "store", *methods)


def reproduce(protocol: str, data: Path, store: Path, *methods: str) -> dict:
    todo = tasks(protocol, systems(protocol, methods), data, seed=0)
    return assemble(protocol, list(finished(todo, store, jobs=1)), seed=0, seconds=1.0)


def test_ceilings_are_counted(games):
    found = robocup.ceilings(list(read_corpus(games / "robocup")))
    assert found["counts"] == {
        "comments": 8,
        "with_candidates": 6,
        "gold": 6,
        "with_candidates_or_gold": 8,
        "gold_among_candidates": 4,
    }
    assert found["f1"]["silent"] == pytest.approx(2 * 4 / (4 + 6))
    assert found["f1"]["always"] == pytest.approx(2 * 4 / (6 + 6))
    assert found["f1"]["always_listed"] == pytest.approx(2 * 4 / (8 + 6))
    assert found["f1"]["always_given"] == pytest.approx(2 * 6 / (8 + 6))


@pytest.mark.data
def test_ceilings_of_the_real_games(data):
    found = robocup.ceilings(list(read_corpus(data / "robocup")))
    assert found["counts"]["with_candidates_or_gold"] == 1919
    rounded = {name: round(100 * value, 1) for name, value in found["f1"].items()}
    assert rounded["silent"] == 93.8
    by_game = found["sentences"]["spelled"]["games"]  # as in data that circulated at the time
    assert list(by_game.values()) == [507, 342, 205, 303]
    assert (rounded["always"], rounded["always_listed"], rounded["always_given"]) == (
        79.7, 78.7, 81.4,
    )  # fmt: skip
    assert (rounded["gold_always"], rounded["gold_silent"]) == (89.7, 93.8)


class Oracle:
    """Knows the gold of every game; where it is no candidate, stays silent or guesses."""

    def __init__(self, games: list[LabelledMatch], forced: bool) -> None:
        self.games, self.forced = {game.match.name: game for game in games}, forced

    def fit(self, matches) -> None:
        pass

    def align(self, match) -> Links:
        return Links(match, [self._answer(match, comment) for comment in match.comments])

    def _answer(self, match, comment) -> CommentLinks:
        game = self.games[match.name]
        gold = (game.gold or {}).get(comment.id, frozenset())
        listed = list(comment.candidates or ())
        right = [event for event in listed if game.key(event) in gold][:1]
        described = right or (listed[:1] if self.forced else [])
        scored = [(event, 1.0) for event in match.linkable if event.id in listed]
        return answer(match, comment, scored, described, none=0.0)


@pytest.mark.parametrize(
    ("forced", "ceilings"),
    [(True, ("always", "gold_always")), (False, ("silent", "gold_silent"))],
)
def test_whoever_knows_the_gold_reaches_the_ceilings_exactly(games, monkeypatch, forced, ceilings):
    for gold in (games / "robocup" / "gold").iterdir():  # one that is no candidate
        gold.write_text(examples({**GOLD, 2: "kick ( red1 )"}, "mrl"))
    corpus = list(read_corpus(games / "robocup"))
    monkeypatch.setattr(robocup, "make", lambda *_: Oracle(corpus, forced))
    total = robocup.run(System(PAPER, "pairrank", {}), "total", corpus, seed=0).report["total"]
    ceiling = robocup.ceilings(corpus)["f1"]
    scored = total["f1"], total["denominators"]["gold"]["f1"]
    assert scored == pytest.approx([ceiling[name] for name in ceilings])
    assert total["denominators"]["reachable"]["f1"] == ceiling["reachable"] == 1.0


# These answer every comment that has a candidate.
FORCED = ("random", "chen2008", "chen2010", "bordes2010:always")


def test_no_stored_score_is_above_its_ceiling():
    """The published page's own figures, every system under every protocol."""
    found = json.loads((DOCS / "results" / "robocup.json").read_bytes())
    ceiling = found["ceilings"]["f1"]
    for name, method in found["methods"].items():
        all_games, gold = ("always", "gold_always") if name in FORCED else ("silent", "gold_silent")
        for track in ("total", "folds"):
            scored = method[track]["total"] if track == "folds" else method[track]
            assert scored["f1"] <= ceiling[all_games], name
            assert scored["denominators"]["gold"]["f1"] <= ceiling[gold], name
            assert scored["denominators"]["reachable"]["f1"] <= ceiling["reachable"], name


def test_robocup_is_scored_on_every_set_of_sentences(games, tmp_path):
    found = reproduce("robocup", games, tmp_path / "store", "named")
    method = found["methods"]["named"]
    assert method["total"]["f1"] == evaluate(games / "robocup", make_aligner("named")).total.metrics()["f1"]  # noqa: E501  # fmt: skip
    sets = method["total"]["denominators"]
    assert method["total"]["gold"] == 6
    assert {name: (m["comments"], m["gold"]) for name, m in sets.items()} == {
        "listed": (8, 6), "candidates": (6, 4), "gold": (6, 6), "reachable": (4, 4),
        "spelled": (4, 4),
    }  # fmt: skip
    assert sets["candidates"]["predicted"] == method["total"]["predicted"]
    assert method["subset"]["comments"] == method["subset_folds"]["comments"] == 4
    assert set(method["games"]) == {"1final", "2final"}
    assert set(method["folds"]) == {"1final", "2final", "total"}
    assert found["published"]["chen2008"] == {"f1": 67.0}


def test_sets_of_sentences_by_spelling(games):
    """The corpus has labels without the spaces of the log: as strings they are not the same."""
    for name, close in (
        ("1final", "badPass( red2 , blue3 )"),
        ("2final", "badPass ( red2, blue3 )"),
    ):
        gold = games / "robocup" / "gold" / f"{name}-gold"
        gold.write_text(examples({**GOLD, 2: close}, "mrl"))
    corpus = list(read_corpus(games / "robocup"))
    assert [game.respelt for game in corpus] == [{2}, {2}]
    found = robocup.ceilings(corpus)["sentences"]
    assert found["reachable"]["games"] == {"1final": 2, "2final": 2}
    assert found["spelled"]["games"] == {"1final": 1, "2final": 1}
    (left,) = robocup.only(corpus[0], "spelled").match.comments
    assert left.id == 0


def test_readings_have_a_table_of_their_own(games, tmp_path):
    chosen = [*systems("robocup", ["named"]), *readings()[:2]]
    todo = tasks("robocup", chosen, games, seed=0)
    found = assemble("robocup", list(finished(todo, tmp_path, jobs=1)), seed=0, seconds=1.0)
    assert list(found["methods"]) == ["named"]
    assert list(found["readings"]) == ["the default", "nodes=all"]
    assert "subset" not in found["readings"]["the default"]
    table = sheets(found)[-1]
    assert table.columns == ["reading", "8", "6", "6", "4", "4", *(f"{n}, 4-fold" for n in "86644")]
    first, second, *rows = [row[0] for row in table.rows]
    assert first.startswith("ceiling: an answer")
    assert second.startswith("ceiling: silent")
    assert rows == list(found["readings"])
    names = [system.name for system in readings()]
    assert len(set(names)) == len(names)
    assert "nodes=all, players=all, strings=binary, silence=consensus" in names


class Spy:
    """An aligner that writes down what it learns from and what it answers."""

    def __init__(self, seen: list[list[str]]) -> None:
        self.seen, self.inner = seen, make_aligner("named")

    def fit(self, matches) -> None:
        self.seen.append([match.name for match in matches])

    def align(self, match):
        self.seen[-1].append(f"answers {match.name}")
        return self.inner.align(match)


def test_folds_learn_from_the_other_games_only(games, monkeypatch):
    seen: list[list[str]] = []
    monkeypatch.setattr(robocup, "make", lambda *_: Spy(seen))
    system = systems("robocup", ["random"])[0]
    robocup.run(system, "folds", list(read_corpus(games / "robocup")), seed=0)
    assert seen == [["2final", "answers 1final"], ["1final", "answers 2final"]]


def test_what_professional_tracks_learn_from(sample, monkeypatch):
    seen: list[list[str]] = []
    monkeypatch.setattr(pro, "make", lambda *_, **__: Spy(seen))
    a, b = (labelled.match.name for labelled in sample)
    expected = {
        "minute": [[a, b, f"answers {a}", f"answers {b}"]],
        "minute_left_out": [[b, f"answers {a}"], [a, f"answers {b}"]],
        "alone": [[name, f"answers {name}"] for name in (a, a, b, b)],
    }
    for track, wanted in expected.items():
        pro.run(systems("pro", ["named"])[0], track, sample, seed=0)
        assert seen == wanted
        seen.clear()


def test_the_tracks_of_a_system():
    tracks = {system.name: set(pro.tracks_of(system)) for system in systems("pro")}
    sized = {name for name, own in tracks.items() if "k" in own}
    assert sized == {name for name in tracks if name.startswith("pairrank")}
    left_out = {name for name, own in tracks.items() if "second_left_out" in own}
    assert left_out == {PAPER, "chains", "chains, 150 s"}
    assert tracks["liang2009"] == {"minute", "second", "alone", "radio", "radio_second", "bbc"}
    assert tracks["pairrank-votes"] == {"minute", "second", "alone", "k"}


@pytest.mark.posix
def test_left_out_rows_stand_beside_the_others(professional):
    """One match is not enough to leave it out, so the figures here are those of the clock."""
    assert not any("left out" in row[0] for sheet in sheets(professional) for row in sheet.rows)
    method = professional["methods"]["named"]
    found = {**professional, "methods": {"named": {**method, "minute_left_out": method["minute"]}}}
    names = [[row[0] for row in sheet.rows] for sheet in sheets(found)[:2]]
    assert names == [["named", "named, left out"], ["named"]]


def test_one_event_a_comment_on_robocup():
    chosen = {system.name: system for system in systems("robocup")}
    assert chosen[PAPER].settings == {"k": 1}
    assert chosen[f"{PAPER}+silence"].settings["silence"] == "consensus"
    lists_only = chosen["chains, lists only"]
    assert (lists_only.method, lists_only.settings) == (
        "chains:unlabelled", {"without": "usual_lag"}
    )  # fmt: skip
    assert systems("pro", [PAPER])[0].settings == {}
    assert systems("pro", ["chains, 150 s"])[0].settings == {"window": 150}
    with pytest.raises(UsageError, match="unknown method 'magic'"):
        systems("pro", ["magic"])


def test_every_published_system_is_run():
    for protocol in ("robocup", "pro"):
        assert set(published()[protocol]) <= {system.name for system in systems(protocol)}


@pytest.mark.posix
def test_the_professional_protocol(professional, tmp_path):
    found, corpus = professional, first_match(tmp_path) / "epl-2015"
    named, nearest = (found["methods"][name] for name in ("named", "named-nearest"))
    for clock in ("minute", "second"):
        total = evaluate(corpus, make_aligner("named"), clock=clock).total.metrics()
        assert named[clock]["f1"] == pytest.approx(total["f1"])
        low, high = named[clock]["interval"]["f1"]
        assert low < total["f1"] < high
    assert len(named["halves"]) == len(named["alone"]["halves"]) == 2
    assert sum(half["gold"] for half in named["halves"].values()) == named["minute"]["gold"]
    # A baseline learns nothing, so that half games by themselves change nothing.
    assert named["alone"]["f1"] == pytest.approx(named["minute"]["f1"])
    against = nearest["minute"]["against_paper"]
    assert against["f1"] == pytest.approx(
        nearest["minute"]["f1"] - found["methods"][PAPER]["minute"]["f1"]
    )
    assert sorted(found["methods"][PAPER]["k"]) == list("123456")
    assert "k" not in named
    assert "against_paper" not in found["methods"][PAPER]["minute"]
    recalls = [recall for recall, _ in named["curve"]]
    assert recalls == sorted(recalls)
    assert all(sheet.rows for sheet in sheets(found)[:5])


def test_what_is_finished_is_not_run_again(games, tmp_path, monkeypatch):
    store = tmp_path / "store"
    first = reproduce("robocup", games, store, "named", "random")
    kept = sorted(store.iterdir())
    assert len(kept) == 8
    kept[0].write_text('{"report"')  # damaged, as if the disk had been full
    ran = []
    run = harness.Task.run
    monkeypatch.setattr(harness.Task, "run", lambda task: ran.append(task) or run(task))
    again = reproduce("robocup", games, store, "named", "random")
    assert len(ran) == 1
    for name, method in first["methods"].items():
        assert again["methods"][name]["total"] == method["total"]


def test_other_data_or_code_is_run_anew(games, tmp_path, monkeypatch):
    store = tmp_path / "store"
    reproduce("robocup", games, store, "named")
    comments = games / "robocup" / "nl" / "1final-comments"
    comments.write_text(COMMENTS.replace("the end", "it is over"))
    checksums.cache_clear()
    harness._read.cache_clear()
    reproduce("robocup", games, store, "named")
    assert len(list(store.iterdir())) == 8
    monkeypatch.setattr(harness, "code_of", lambda *_: "another")
    reproduce("robocup", games, store, "named")
    assert len(list(store.iterdir())) == 12


def test_code_is_that_of_the_protocol_and_the_method():
    baselines, chen, liang = (
        reached("touchline.reproduce.pro", f"touchline.methods.{module}")
        for module in ("baselines", "prior_work.chen.aligner", "prior_work.liang2009.aligner")
    )
    assert "touchline.methods.prior_work.chen.translation" in chen - liang - baselines
    assert "touchline.methods.prior_work.liang2009.learning" in liang - chen - baselines
    for shared in ("evaluation.metrics", "io.corpus.layout", "io.feeds.statsbomb", "text.names",
                   "methods.base"):  # fmt: skip
        assert f"touchline.{shared}" in chen & liang & baselines
    assert not any(name.startswith("touchline.cli") for name in chen | liang | baselines)


def test_no_module_of_a_method_is_overlooked():
    """What methods load in a fresh process is what their checksums are made of."""
    modules = {"touchline.methods." + home.rpartition(".")[0] for home in BUILT_IN.values()}
    code = f"import sys, {', '.join(modules)}; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout
    ours = {name for name in loaded.decode().split() if name.startswith("touchline.")}
    # A package is loaded with its modules, whether or not anything is imported from it.
    packages = {name.rpartition(".")[0] for name in ours}
    assert len(ours) > 30
    # The package itself asks for its version.
    assert ours - packages - {"touchline.core.version"} <= reached(*modules)


@pytest.mark.posix
def test_sentences_of_the_corpus_stay_with_the_runs(tmp_path):
    pytest.importorskip("matplotlib")
    data, figures, store = first_match(tmp_path / "data"), tmp_path / "docs", tmp_path / "store"
    written = ["--json", figures / "pro.json", "--markdown", figures / "pro.md"]
    done = CliRunner().invoke(
        command,
        ["pro", "--method", "named", "--data", data, "--store", store, "--jobs", "1",
         "--figures", figures, *written],
        catch_exceptions=False,
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    match = next(read_corpus(data / "epl-2015")).match
    texts = [comment.text for comment in match.comments if len(comment.text) > 20]
    in_store = (store / "figures-2-and-3.md").read_text(encoding="utf-8")
    assert any(text in in_store for text in texts)
    published = [path for path in figures.rglob("*") if path.suffix in (".svg", ".md", ".json")]
    assert len(published) == 5
    for path in published:
        content = path.read_text(encoding="utf-8")
        assert not [text for text in texts if text in content], path


def test_an_interrupt_loses_only_what_was_running(games, tmp_path):
    store = tmp_path / "store"
    todo = tasks("robocup", systems("robocup", ["named", "random"]), games, seed=0)
    runs = finished(todo, store, jobs=1)
    next(runs)
    next(runs)
    runs.close()
    assert len(list(store.iterdir())) == 2


def test_several_processes_give_the_same(games, tmp_path):
    todo = tasks("robocup", systems("robocup", ["named", "random"]), games, seed=0)
    alone, together = (
        {(task.system.name, task.track): run.report
         for task, run in finished(todo, tmp_path / str(jobs), jobs)}
        for jobs in (1, 2)
    )  # fmt: skip
    assert alone == together


def test_missing_data_is_named_with_the_way_to_it(tmp_path):
    with pytest.raises(TouchlineError, match=r"needs the corpus robocup\. docs/data\.md says"):
        tasks("robocup", systems("robocup", ["named"]), tmp_path, seed=0)


def test_the_files_used_are_listed_with_their_checksums(games, tmp_path):
    found = reproduce("robocup", games, tmp_path / "store", "named")
    assert len(found["run"]["files"]) == 8
    assert "robocup/gold/1final-gold" in found["run"]["files"]
    assert found["run"]["versions"]["touchline"]


def test_tables_in_markdown_and_latex():
    sheet = Sheet("Of 5 %", ["method", "F1"], [["pair_rank", "41.4"], ["a|b\nc", ""]])
    assert to_markdown(sheet).splitlines()[2:] == [
        "| method | F1 |", "| --- | ---: |", "| pair_rank | 41.4 |", "| a\\|b c |  |",
    ]  # fmt: skip
    latex = to_latex(sheet)
    assert r"\caption{Of 5 \%}" in latex
    assert r"pair\_rank & 41.4 \\" in latex
    assert latex.count("{tabular}") == 2


@pytest.mark.posix
def test_figures_are_drawn_the_same_each_time(games, professional, tmp_path):
    pytest.importorskip("matplotlib")
    from touchline.reproduce.figures import draw_figures

    data = [reproduce("robocup", games, tmp_path / "store", "named", "random"), professional]
    for found, pictures in zip(data, (1, 3), strict=True):
        once = [draw_figures(found, tmp_path / name) for name in ("a", "b")]
        assert len(once[0]) == 2 * pictures
        for first, second in zip(*once, strict=True):
            assert first.stat().st_size > 1000
            assert first.read_bytes() == second.read_bytes()


@pytest.fixture(scope="module")
def results_page():
    """The script that writes docs/results.md."""
    spec = importlib.util.spec_from_file_location("results_page", DOCS / "results.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_results_page_is_what_its_json_says(results_page):
    """No figure on it was typed in: the stored runs make the same page again."""
    found = results_page.read_results()
    assert (DOCS / "results.md").read_text(encoding="utf-8") == results_page.page(found)
    for protocol, results in found.items():
        assert results["published"] == published()[protocol]


def test_every_published_figure_has_its_paragraph(results_page):
    for protocol in ("robocup", "pro"):
        assert set(results_page.REASONS[protocol]) == set(published()[protocol])


def test_methods_side_by_side_on_any_corpus():
    aligners = {name: make_aligner(name) for name in ("named", "named-nearest")}
    found = compare(corpus_path(), aligners)
    for name, method in found["methods"].items():
        report = evaluate(corpus_path(), make_aligner(name)).to_json()
        assert method["matches"] == report["matches"]
        total = method["total"]
        assert {key: total[key] for key in report["total"]} == report["total"]
    assert "against_first" not in found["methods"]["named"]["total"]
    difference = found["methods"]["named-nearest"]["total"]["against_first"]
    assert difference["interval"][0] > 0
    json.dumps(found)


def test_measured_tables_are_what_their_json_says(results_page):
    """Tables in other pages are filled in from the stored measurements, and from nowhere else."""
    pages = results_page.pages_with_tables()
    assert pages
    for path in pages:
        text = path.read_text(encoding="utf-8")
        assert results_page.fill(text) == text, path.name


def test_a_measured_table_replaces_what_was_there(results_page, tmp_path, monkeypatch):
    (tmp_path / "results" / "measured").mkdir(parents=True)
    table = {"title": "", "head": ["a", "b"], "rows": [["1", "2"]], "notes": "Note."}
    kept = {"command": "python -m x", "commit": "abc", "seconds": 90.0, "tables": [table]}
    (tmp_path / "results" / "measured" / "one.json").write_text(json.dumps(kept))
    monkeypatch.setattr(results_page, "DOCS", tmp_path)
    block = "<!-- measured: {} -->\nold\n<!-- end of measured -->"
    filled = results_page.fill(f"# Page\n\n{block.format('one')}\n\n{block.format('two')}\n")
    assert "| a | b |\n| --- | --- |\n| 1 | 2 |\n\nNote.\n" in filled
    assert "(`python -m x`, commit abc)" in filled
    assert filled.endswith(f"{block.format('two')}\n")


def test_a_timed_table_comes_from_the_page_of_benchmarks(results_page, tmp_path, monkeypatch):
    results = [
        Result(
            "fast", "How fast", [Table("One", ["a"], [(1,)]), Table("Two", ["b"], [(2,)])], "", 1
        ),
        Result("printed", "What is printed", [], "by hand", 1),
    ]
    (tmp_path / "benchmarks.md").write_text(document([("commit", "abc")], results))
    monkeypatch.setattr(results_page, "DOCS", tmp_path)
    block = "<!-- measured: {} -->\nold\n<!-- end of measured -->"
    filled = results_page.fill(block.format("fast: Two"))
    assert "| b |\n|---|\n| 2 |\n\n(`python -m benchmarks.fast`, commit abc)" in filled
    assert "| a |" not in filled
    assert "```text\nby hand\n```" in results_page.fill(block.format("printed"))
    with pytest.raises(ValueError, match="no table 'Three' of fast"):
        results_page.fill(block.format("fast: Three"))
