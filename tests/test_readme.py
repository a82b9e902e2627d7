"""The README's examples are run, and print what it says they print."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

README = (Path(__file__).parent.parent / "README.md").read_text()
BLOCKS = re.findall(r"```(python|console)\n(.*?)```\n+(?:```text\n(.*?)```)?", README, re.DOTALL)


@pytest.fixture
def cwd(tmp_path, sample_folder) -> Path:
    """A folder with the files that the examples name, as a user would have them."""
    for name in ("events.json.gz", "live.txt", "lineups.json"):
        (tmp_path / name).write_bytes((sample_folder / name).read_bytes())
    return tmp_path


def test_python_example(cwd):
    (code, expected) = next((code, out) for kind, code, out in BLOCKS if kind == "python")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=cwd)
    assert done.stderr == ""
    assert done.stdout == expected
    assert len(code.strip().splitlines()) <= 10


def test_shell_example(cwd):
    (code, expected) = next((code, out) for kind, code, out in BLOCKS if kind == "console")
    commands = [line.removeprefix("$ ") for line in code.splitlines() if line.startswith("$ ")]
    assert len(commands) == 3
    script = "\n".join(commands)
    bin_folder = Path(sys.executable).parent
    done = subprocess.run(
        ["bash", "-ec", f'PATH="{bin_folder}:$PATH"\n{script}'],
        capture_output=True,
        text=True,
        cwd=cwd,
    )
    assert done.stderr == ""
    assert done.stdout == expected
