"""Write requirements.lock: python docs/lock.py UV (`make lock`).

Every run-time dependency with all extras but those for development, at the versions of
constraints.txt, with the hashes of all its files. The file names no package index.
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
LOCK = ROOT / "requirements.lock"
HEAD = (
    "# Run-time dependencies with all extras, with hashes. `make lock` writes it from "
    "constraints.txt.\n"
)
FOR_DEVELOPMENT = ("bench", "dev", "docs")


def extras() -> list[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return [name for name in project["optional-dependencies"] if name not in FOR_DEVELOPMENT]


def main(uv: str) -> None:
    chosen = [word for name in extras() for word in ("--extra", name)]
    command = [uv, "pip", "compile", "--quiet", "pyproject.toml", *chosen, "-c", "constraints.txt"]
    command += ["--generate-hashes", "--universal", "--python-version", "3.11.5", "--no-build"]
    command += ["--no-header", "--no-annotate", "--no-emit-index-url", "--no-emit-find-links"]
    found = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    LOCK.write_text(HEAD + found.stdout)


if __name__ == "__main__":
    main(sys.argv[1])
