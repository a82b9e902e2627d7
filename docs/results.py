"""Write docs/results.md and its figures from docs/results/*.json: python docs/results.py.

`touchline reproduce PROTOCOL --json docs/results/PROTOCOL.json` makes the JSON. Every figure on the
page comes from there; the published ones from touchline/evaluation/published.json through it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from touchline.evaluation.sheets import Sheet, to_markdown
from touchline.io.corpus.layout import read_corpus
from touchline.reproduce.examples import example_sheets
from touchline.reproduce.tables import sheets
from touchline.sample import corpus_path

DOCS = Path(__file__).parent
IMAGES = "images/results"

INTRODUCTION = """\
# Results

`make results` makes this page: `touchline reproduce robocup` and `touchline reproduce pro` with
`--json`, then `python docs/results.py`. No figure is typed in by hand. Our figures come from the
runs stored in `docs/results/`, published ones from `src/touchline/evaluation/published.json`.
Published figures were measured by others, on data or splits that differ from ours, so they are
not directly comparable.

- The professional corpus of the paper (PSC, eight matches of 2010/11) is no longer public. We use
  six other Premier League matches instead, the corpus `epl-2015` ([Data and terms](data.md)).
- All systems learn without labels. They were run by one harness with the same buckets, the same
  name finder and one seed. Options that differ from a method's defaults are listed at the end.
- Intervals are 95 % by bootstrap over comments. Differences are paired on the same comments, and
  `p` is two-sided. `p` is not corrected for the number of comparisons.
- `chen2008` and `chen2010` are approximations: the loops and the prior are theirs, but
  translation is IBM Model 1 in both directions instead of a synchronous grammar. `bordes2010` is
  built from the abstract and later papers.
- Where a detail of an earlier system is not known, we made the simplest choice ([Compared
  systems](systems.md)), not the one that scores best. Some details were once chosen by score and
  have been replaced; [Scored runs](scored-runs.md) has both.
- Rows "left out" learn from the other five matches only, and are compared with `pairrank:paper`
  left out in the same way. All other rows also learn, without labels, from the text that they
  answer. In both cases `chains` adapts to a match with that match's comments, without labels.
- Reasons given for differences are what we think, not what was tested, unless they say "checked".
- Two of the six matches were kept aside while `chains` was developed ([The chains
  model](model.md)). These tables are over all six, as the protocol of the corpus requires.
- The stored runs are of commit b892a6f. Since then `pairrank`, its variants and `mi-svm` have
  been corrected in three places; [The paper's method](paper.md) lists them and has figures of the
  current `pairrank`. The upper bounds are of the current code.
"""

# Why a system's figure differs from its published one: what was checked, what we think.
REASONS: dict[str, dict[str, str]] = {
    "robocup": {
        "chen2008": "Ours is another translator: IBM Model 1 in both directions, on text in which "
        "players are already found. It answers every comment that has candidates.",
        "chen2010": "As for chen2008. The prior of how often types are described helps, as "
        "published.",
        "liang2009": "Exact sums, and one symbol for each name where the original sees words. "
        "Segmentation does not matter here: a comment of this corpus describes one record.",
        "hajishirzi2011": "Slightly below. It uses the last steps of the log instead of the "
        "listed candidates. Therefore it leads on 2003, where many gold events are further back.",
        "bordes2010": "Below. We do not know the details of the original, nor its rule for "
        "comments that describe no event. Ours compares a comment's bucket with those of others, "
        "and neither its steps nor its threshold are tuned.",
        "pairrank:paper": "The paper forces an answer for every sentence. A system that answers "
        "every comment with candidates cannot reach the published figure (see the upper bounds). "
        "Checked: 28 readings of the text ([The paper's method](paper.md)), none of which comes "
        "close; the exact SVM against scikit-learn's; literal against efficient merging; the "
        "alternative denominators, under which ours is above or below it. We think that it was "
        "scored on other sentences than those of the standard protocol.",
        "pairrank:paper+silence": 'The paper does not describe its heuristic for "no event"; '
        "ours is a consensus step.",
    },
    "pro": {
        "mi-svm": "Another corpus, but weak on both. A hyperplane over words and event values "
        "cannot combine the two, so all events of a type fall on one side. Ours, which weights the "
        "classes equally, says yes too often; the published one says no too often.",
        "liang2009": "Another corpus, and a larger model: all words, more arguments, exact sums, "
        "15 rounds. The published runs had 3 arguments and at most 5 rounds because of memory; "
        "here memory is linear in arguments.",
        "pairrank-euclidean": "Another corpus. The loss relative to the full method that the paper "
        "reports does not occur here.",
        "pairrank-votes": "Another corpus. As published, it is below the full method if half games "
        "are learned separately; learned from all matches it hardly is.",
        "pairrank:paper": "Another corpus, with a similar relation of precision and recall. Its "
        "gain over named and named-rarest is small, and named-nearest, which uses the clock, is "
        "above it.",
    },
}
TITLES = {"robocup": "RoboCup", "pro": "Professional commentary"}
FIGURES = {
    "robocup": [("robocup", "RoboCup: our 4-fold and transductive F1, published F1, upper bounds")],
    "pro": [
        ("figure-4-half-games", "F1 of each half game, learned separately (the paper's Figure 4)"),
        ("figure-5-macro-events", "F1 against the largest macro-event (the paper's Figure 5)"),
        (
            "pr-curves",
            "Precision and recall, minute clock; dots are the links that the methods make",
        ),
    ],
}


def page(found: dict[str, dict[str, Any]]) -> str:
    """The page from the JSON of both protocols."""
    parts = [INTRODUCTION]
    for protocol, results in found.items():
        parts.append(f"## {TITLES[protocol]}\n")
        parts += [f"![{text}]({IMAGES}/{name}.svg)\n" for name, text in FIGURES[protocol]]
        parts += map(to_markdown, map(_readable, sheets(results)))
        parts.append(f"### Published and ours: {TITLES[protocol]}\n")
        parts += _deviations(results)
    matches = [labelled.match for labelled in read_corpus(corpus_path(), clock="minute")]
    parts.append(
        "## Examples (the paper's Figures 2 and 3)\n\nFrom the two bundled matches. "
        "`touchline reproduce pro --figures DIR` makes the same for the corpus, in its store; "
        "they contain the text of the corpus, which we may not publish.\n"
    )
    parts += map(to_markdown, example_sheets(matches))
    parts += ["## How it was run\n", *(_how(results) for results in found.values())]
    return "\n".join(parts)


def _readable(sheet: Sheet) -> Sheet:
    """Methods as code."""
    if sheet.columns[0] != "method":
        return sheet
    rows = [[f"`{row[0]}`", *row[1:]] for row in sheet.rows]
    return msgspec.structs.replace(sheet, rows=rows)


def _deviations(results: dict[str, Any]) -> list[str]:
    """A paragraph for each system with a published figure."""
    paragraphs = []
    for name, reason in REASONS[results["protocol"]].items():
        method = results["methods"].get(name)
        if method is None:
            continue
        ours = method["folds"]["total"] if "folds" in method else method["alone"]
        said = results["published"][name]["f1"]
        difference = 100 * ours["f1"] - said
        paragraphs.append(
            f"**`{name}`**: published {said:.1f}, ours {100 * ours['f1']:.1f}, "
            f"difference {difference:+.1f}. {reason}\n"
        )
    return paragraphs


def _how(results: dict[str, Any]) -> str:
    run, methods = results["run"], results["methods"]
    versions = ", ".join(f"{name} {number}" for name, number in run["versions"].items())
    settings = {name: method["settings"] for name, method in methods.items() if method["settings"]}
    options = "; ".join(
        f"`{name}` with " + ", ".join(f"`{key}={value}`" for key, value in chosen.items())
        for name, chosen in settings.items()
    )
    seconds = sum(method["seconds"] for method in methods.values())
    files = len(run["files"])
    return (
        f"`{results['protocol']}`: {versions}; seed {run['seed']}; {seconds / 60:.1f} minutes "
        f"for all systems together; {files} files, whose checksums are in the JSON."
        + (f" Options: {options}." if options else "")
        + "\n"
    )


def read_results() -> dict[str, dict[str, Any]]:
    """The stored JSON of the protocols."""
    return {
        protocol: msgspec.json.decode((DOCS / "results" / f"{protocol}.json").read_bytes())
        for protocol in TITLES
    }


def main() -> None:
    from touchline.reproduce.figures import draw_figures

    found = read_results()
    for results in found.values():
        draw_figures(results, DOCS / IMAGES, kinds=("svg",))
    (DOCS / "results.md").write_text(page(found), encoding="utf-8")


if __name__ == "__main__":
    main()
