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

Made by `make results` (that is `touchline reproduce robocup` and `touchline reproduce pro` with
`--json`, then `python docs/results.py`). Nothing on this page is typed in: our figures come from
the runs stored in `docs/results/`, published ones from
`src/touchline/evaluation/published.json`, where they are marked as such. Published numbers were
measured by others on data or splits that differ from ours; read them beside ours, not against.

- The professional corpus of the paper (PSC, eight matches of 2010/11) is no longer public. Six
  other Premier League matches, the corpus `epl-2015`, stand in for it ([data.md](data.md)).
- All systems learn without labels. They were run by one harness with the same buckets, the same
  name finder and one seed; options that differ from a method's defaults are listed at the end.
- Intervals are 95 % by bootstrap over comments; differences are paired on the same comments, `p`
  is two-sided.
- `chen2008` and `chen2010` are approximations: the loops and the prior are theirs, translation is
  IBM Model 1 in both directions in place of a synchronous grammar. `bordes2010` is built from the
  abstract and later papers.
- Where a detail of an earlier system is not known, ours is the plainest choice
  ([systems.md](systems.md)), not the one that scores best. Some were once chosen by score and have
  been set anew; [scored-runs.md](scored-runs.md) has both.
- Rows "left out" learn from the other five matches only, and are compared with `pairrank:paper`
  left out likewise; all other rows learn, without labels, from the text that they answer as well.
  `chains` adapts itself to a match by that match's comments, still without labels, in both.
- `p` is not corrected for the number of comparisons.
- Reasons given for differences are what we think, not what was tested, unless it says "checked".
- Two of the six matches were kept aside while `chains` was made ([model.md](model.md)); these
  tables are over all six, as the corpus's protocol asks.
- The stored runs are of commit b892a6f. Since then `pairrank`, its twins and `mi-svm` have been
  corrected in three places; [paper.md](paper.md) says which, and has figures of the present
  `pairrank`. The ceilings are of the present code.
"""

# Why a system's figure differs from its published one: what was checked, what we think.
REASONS: dict[str, dict[str, str]] = {
    "robocup": {
        "chen2008": "Ours is another translator: IBM Model 1 both ways on text in which players "
        "are already found. It answers every comment with candidates.",
        "chen2010": "As for chen2008; the prior of how often types are told helps, as published.",
        "liang2009": "Exact sums, and names as one symbol each where the original sees words. "
        "Segmenting does not matter here: a comment of this corpus tells one record.",
        "hajishirzi2011": "Missed, if narrowly. It looks at the log's last steps instead of the "
        "listed candidates, which is why it leads on 2003, where many golds lie further back.",
        "bordes2010": "Missed. The original's details are not known to us, nor its rule for "
        "comments that tell nothing; ours compares a comment's bucket with those of others, and "
        "neither its steps nor its threshold are tuned.",
        "pairrank:paper": "The paper forces an answer for every sentence, and whoever answers "
        "every comment with candidates cannot reach its published figure (see the ceilings). "
        "Checked: 28 readings of the text ([paper.md](paper.md)), of which none comes near it; "
        "the exact SVM against scikit-learn's; literal against efficient merging; the alternative "
        "denominators, under which ours lies on either side of it. We think that it was scored "
        "over other sentences than the standard protocol's.",
        "pairrank:paper+silence": "The heuristic by which the paper stays silent is not described; "
        "ours is a consensus step.",
    },
    "pro": {
        "mi-svm": "Another corpus, and weak there as here: a plane over words and event values "
        "cannot join the two, so all events of a type fall on one side: ours, which weighs the "
        "classes equally, says yes too often, the published one no.",
        "liang2009": "Another corpus, and a model that keeps more: all words, more arguments, "
        "exact sums, 15 rounds. The published runs had 3 arguments and at most 5 rounds for want "
        "of memory; here memory is linear in arguments.",
        "pairrank-euclidean": "Another corpus. The loss against the full method that the paper "
        "reports does not show here.",
        "pairrank-votes": "Another corpus. As published it loses against the full method where "
        "half games are learned by themselves; learned from all matches it hardly does.",
        "pairrank:paper": "Another corpus, with the same shape of precision and recall. Its gain "
        "over named and named-rarest is small, and named-nearest, which knows the clock, is above "
        "it.",
    },
}
TITLES = {"robocup": "RoboCup", "pro": "Professional commentary"}
FIGURES = {
    "robocup": [("robocup", "RoboCup: our 4-fold and transductive F1, published F1, ceilings")],
    "pro": [
        ("figure-4-half-games", "F1 of each half game, learned by itself (the paper's Figure 4)"),
        ("figure-5-macro-events", "F1 against the largest macro-event (the paper's Figure 5)"),
        ("pr-curves", "Precision and recall, minute clock; dots are what the methods take"),
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
        "## Examples (the paper's Figures 2 and 3)\n\nFrom the two bundled matches; "
        "`touchline reproduce pro --figures DIR` makes the same of the corpus, in its store: "
        "they hold the corpus's text, which is not ours to pass on.\n"
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
        f"`{results['protocol']}`: {versions}; seed {run['seed']}; {seconds / 60:.1f} minutes of "
        f"work in all systems together; {files} files, whose checksums are in the JSON."
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
