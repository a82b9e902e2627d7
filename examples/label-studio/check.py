"""python check.py TASKS.label-studio.json...

Checks the labelling interface, the tasks and the predictions that touchline wrote with Label
Studio's own package (label_studio_sdk). Exits with 1 if anything is wrong.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from label_studio_sdk.label_interface import LabelInterface


def problems(path: Path) -> Iterator[str]:
    """What Label Studio would refuse, a line each."""
    interface = LabelInterface(path.with_suffix(".xml").read_text(encoding="utf-8"))
    interface.validate()  # raises an error that says what is wrong
    for number, task in enumerate(json.loads(path.read_text(encoding="utf-8")), 1):
        if not interface.validate_task({"data": task["data"]}):
            yield f"{path}, task {number}: not a task of this interface"
        for prediction in task["predictions"]:
            for error in interface.validate_prediction(prediction, return_errors=True):
                yield f"{path}, task {number}: {error}"


def main(paths: list[str]) -> int:
    found = [problem for path in paths for problem in problems(Path(path))]
    print("\n".join(found) or "no problems found")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
