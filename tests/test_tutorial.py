"""The commands of the tutorial work literally, with a local copy of the data it downloads."""

from __future__ import annotations

import csv
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from touchline.datasets.download import STATSBOMB_COMMIT

PAGE = (Path(__file__).parent.parent / "docs" / "tutorial.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(sh|py|text)\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
MATCH = "3754066"


def copy_of_open_data(data: Path, cache: Path) -> None:
    folder = data / "epl-2015" / "man-city-chelsea"
    for kind in ("events", "lineups"):
        target = cache / "statsbomb" / STATSBOMB_COMMIT / kind / f"{MATCH}.json"
        target.parent.mkdir(parents=True)
        shutil.copy(folder / f"{kind}.json", target)


@pytest.mark.data
@pytest.mark.posix
def test_the_tutorial_works_literally(data, tmp_path):
    copy_of_open_data(data, tmp_path / "cache")
    paths = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    known = {**os.environ, "PATH": paths, "TOUCHLINE_CACHE": str(tmp_path / "cache")}
    install, get, pasted, align, read, goals = BLOCKS
    assert install[1].splitlines()[0] == "python3 -m venv .venv"
    assert install[1].splitlines()[-1] == "pip install '.[data]'"

    def run(*command: str, folder: Path = tmp_path) -> str:
        done = subprocess.run(command, cwd=folder, env=known, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert run("bash", "-ec", get[1]) == f"corpus/{MATCH}\n"
    match = tmp_path / "corpus" / MATCH
    assert {path.name for path in match.iterdir()} == {"events.json", "lineups.json"}
    (match / "live.txt").write_text(pasted[1], encoding="utf-8")
    assert run("bash", "-ec", align[1]) == ""
    assert "<!doctype html>" in (match / "match.html").read_text(encoding="utf-8").lower()
    assert run(sys.executable, "-c", read[1], folder=match) == goals[1]
    with (match / "links.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    linked = len({row["comment"] for row in rows})
    assert f"touchline: {linked} of {linked} comments linked, {len(rows)} pairs;" in PAGE


def test_the_tutorial_has_the_blocks_that_are_run():
    assert [kind for kind, _ in BLOCKS] == ["sh", "sh", "text", "sh", "py", "text"]
