"""python examples/notebooks/run.py [NOTEBOOK...]

Runs notebooks and stores what their cells show, without Jupyter. Each runs in an empty folder.
A line that starts with ! is a command, as in Jupyter; the value of a cell's last line is shown.
"""

from __future__ import annotations

import ast
import base64
import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent


def notebooks() -> list[Path]:
    return sorted(FOLDER.glob("*.ipynb"))


def read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def run(notebook: dict[str, Any]) -> None:
    """Run the cells one after the other and put what they show into them."""
    names: dict[str, Any] = {"__name__": "__main__"}
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for number, cell in enumerate(cells, 1):
        cell["execution_count"] = number
        cell["outputs"] = list(_outputs("".join(cell["source"]), names, number))


def _outputs(source: str, names: dict[str, Any], number: int) -> Iterator[dict[str, Any]]:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        value = _run_cell(source, names)
    if printed.getvalue():
        yield {"output_type": "stream", "name": "stdout", "text": _lines(printed.getvalue())}
    if value is not None:
        yield {"output_type": "execute_result", "execution_count": number, "metadata": {},
               "data": _forms(value)}  # fmt: skip
    for picture in _figures():
        yield {"output_type": "display_data", "metadata": {}, "data": {"image/png": picture}}


def _run_cell(source: str, names: dict[str, Any]) -> Any:
    code = "\n".join(_as_python(line) for line in source.splitlines())
    tree = ast.parse(code)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    names["_shell"] = _shell
    exec(compile(tree, "<cell>", "exec"), names)
    if last is None or source.rstrip().endswith(";"):
        if last is not None:
            eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
        return None
    return eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)


def _as_python(line: str) -> str:
    return f"_shell({line[1:].strip()!r})" if line.startswith("!") else line


def _shell(command: str) -> None:
    # The `touchline` of this Python, whether or not its environment is active.
    here = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(command, shell=True, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, env={**os.environ, "PATH": here})  # fmt: skip
    print(done.stdout, end="")


def _forms(value: Any) -> dict[str, Any]:
    """What a notebook shows of a value: text, and HTML where the value has it."""
    forms = {"text/plain": _lines(repr(value))}
    if hasattr(value, "_repr_html_") and (page := value._repr_html_()):
        forms["text/html"] = _lines(page)
    return forms


def _figures() -> Iterator[str]:
    """Figures that matplotlib has open, as pictures."""
    if "matplotlib.pyplot" not in sys.modules:
        return
    from matplotlib import pyplot

    for number in pyplot.get_fignums():
        out = io.BytesIO()
        pyplot.figure(number).savefig(out, format="png", dpi=80, bbox_inches="tight")
        yield base64.b64encode(out.getvalue()).decode()
    pyplot.close("all")


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


@contextlib.contextmanager
def empty_folder() -> Iterator[None]:
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


def main(names: list[str]) -> None:
    os.environ.setdefault("MPLBACKEND", "agg")
    for path in map(Path, names) if names else notebooks():
        path, notebook = path.resolve(), read(path)
        with empty_folder():
            run(notebook)
        path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", "utf-8")
        print(path.name)


if __name__ == "__main__":
    main(sys.argv[1:])
