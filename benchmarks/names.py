"""How well names are found in real matches: python -m benchmarks.names (needs TOUCHLINE_DATA).

Over the labelled comments that describe an event: of the players linked, the share who take part in
one of its events (precision); and the share of comments in which at least one of its events'
actors is linked (cover).
"""

from __future__ import annotations

from benchmarks.measuring import real_data
from touchline import NameFinder, read_corpus
from touchline.io.corpus.layout import LabelledMatch
from touchline.text.aliases import learn_aliases
from touchline.text.names import MENTIONED

TRACKS = (
    ("EPL live text", "epl-2015", "comments"),
    ("BBC templated text", "epl-2015", "bbc"),
    ("radio, speech recognition", "radio-2018", "comments"),
)


def measure(labelled: LabelledMatch) -> tuple[int, int, int, int]:
    """Players linked rightly, players linked, comments with an actor linked, comments."""
    match, finder = labelled.match, NameFinder(labelled.match, learn_aliases(labelled.match))
    right = linked = covered = comments = 0
    for comment in match.comments:
        events = [match.event_by_id[i] for i in (labelled.gold or {}).get(comment.id, ())]
        actors = {event.player.id for event in events if event.player}
        if not actors:
            continue
        part = actors | {other.player.id for event in events for other in event.others}
        found = {p for p, weight in finder.players(comment.text).items() if weight >= MENTIONED}
        right, linked = right + len(found & part), linked + len(found)
        covered, comments = covered + bool(found & actors), comments + 1
    return right, linked, covered, comments


def main() -> None:
    folder = real_data()
    print(f"{'text':28}{'precision':>22}{'cover':>22}")
    for title, corpus, track in TRACKS:
        matches = [m for m in read_corpus(folder / corpus, track=track) if m.gold]
        totals = map(sum, zip(*map(measure, matches), strict=True))
        right, linked, covered, comments = totals
        print(
            f"{title:28}{right / linked:>10.3f} ({right}/{linked})".ljust(50)
            + f"{covered / comments:>8.3f} ({covered}/{comments})"
        )


if __name__ == "__main__":
    main()
