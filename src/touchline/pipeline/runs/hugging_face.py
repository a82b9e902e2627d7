"""The links of a corpus as a data set: rows beside the links, and a card."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from touchline.core.links import Counts, Links
from touchline.io.corpus.layout import CorpusMatch
from touchline.io.links.hugging_face import write_card, write_match
from touchline.io.links.jsonl import read_links
from touchline.io.storage import AnyPath
from touchline.pipeline.runs.align import Job
from touchline.pipeline.runs.manifest import Outcome

LINKS = "links"


def write_dataset(
    matches: Iterable[CorpusMatch],
    outcomes: Sequence[Outcome],
    job: Job,
    folder: AnyPath,
    name: str,
) -> None:
    """Write the rows of the matches that have links, and the card; `job` wrote the links."""
    done = {one.entry.name: one for one in outcomes if one.entry.state == "done"}
    for match in matches:
        if match.name in done:
            labelled = match.read(clock=job.clock)
            answers = read_links(job.output.folder / f"{match.name}.jsonl")
            write_match(Links(labelled.match, answers), labelled.gold, folder)
    models = sorted({one.entry.answered_by for one in done.values() if one.entry.answered_by})
    counts = [one.counts for one in done.values()]
    total = Counts(*map(sum, zip(*counts, strict=True)))
    write_card(folder, name, job.origin.method, models, total)
