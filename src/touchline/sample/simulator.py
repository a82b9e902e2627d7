"""Write the sample's invented matches.

`python -m touchline.sample.simulator OUTDIR` writes the logs, the same ones every time. The
commentary was written by hand after reading them, so a change to the play breaks its gold links.
"""

from __future__ import annotations

import gzip
import io
import json
import sys
from pathlib import Path
from typing import Any

from .log import Event, lineups
from .match import Match
from .squads import FIXTURES, Fixture


def live_page(comments: list[dict[str, Any]]) -> str:
    """The commentary as a live page shows it: a minute and a text a line, under two headings."""
    lines = []
    for period, heading in ((1, "HT"), (2, "FT")):
        lines += [f"{c['clock']} {c['text']}" for c in comments if c["period"] == period]
        lines.append(heading)
    return "\n".join(lines) + "\n"


def write_log(folder: Path, events: list[Event], sheet: list[Event]) -> None:
    """Write a match's log and line-ups."""
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(events, ensure_ascii=False, separators=(",", ":"))
    # Without a name and a time in its header, the file comes out the same every time.
    raw = io.BytesIO()
    with gzip.GzipFile("", "wb", 9, raw, mtime=0) as packed:
        packed.write(text.encode())
    (folder / "events.json.gz").write_bytes(raw.getvalue())
    lines = json.dumps(sheet, ensure_ascii=False, indent=1) + "\n"
    (folder / "lineups.json").write_text(lines, encoding="utf-8")


def write(fixture: Fixture, out: Path) -> None:
    """Write one match's files; the live page only where its hand-written comments are bundled."""
    log = Match(fixture).play()
    folder = out / fixture.folder
    write_log(folder, log.events, lineups(log))
    source = Path(__file__).with_name("matches") / fixture.folder / "comments.jsonl"
    if source.exists():
        rows = source.read_text(encoding="utf-8").splitlines()
        page = live_page([json.loads(row) for row in rows])
        (folder / "live.txt").write_text(page, encoding="utf-8")


def main() -> None:
    """Write every match under the folder named on the command line."""
    if len(sys.argv) != 2:
        raise SystemExit("usage: python -m touchline.sample.simulator OUTDIR")
    for fixture in FIXTURES:
        write(fixture, Path(sys.argv[1]))


if __name__ == "__main__":
    main()
