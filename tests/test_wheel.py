"""The wheel as users get it: typed, complete, and found by a plug-in's entry points.

Nothing is fetched: the wheel is built without isolation and installed without an index into an
environment that sees the development packages.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

import touchline
from touchline.methods.chains.bundled.loader import PATHS

ROOT = Path(__file__).parent.parent
PACKAGE = Path(touchline.__file__).parent
USER = """
import touchline

match = touchline.read_match("events.json", "live.txt")
links: touchline.Links = touchline.align(match, method="named")
reveal_type(links.events_of(1))
links.no_such_thing
"""


def run(*command: object, **more: object) -> subprocess.CompletedProcess[str]:
    own = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, env=own, **more)  # type: ignore[call-overload]
    return done  # type: ignore[no-any-return]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment with our wheel and the example's."""
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("wheel")
    for source in (ROOT, ROOT / "examples" / "plugin"):
        built = run(sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-index",
                    "--no-build-isolation", "--wheel-dir", folder, source)  # fmt: skip
        assert built.returncode == 0, built.stderr
    venv.create(folder / "venv", with_pip=False)
    python = folder / "venv" / "bin" / "python"
    own = run(python, "-c", "import sysconfig; print(sysconfig.get_paths()['purelib'])").stdout
    development = sysconfig.get_paths()["purelib"]
    Path(own.strip(), "development.pth").write_text(f"{development}\n", encoding="utf-8")
    wheels = sorted(folder.glob("*.whl"))
    done = run(sys.executable, "-m", "pip", "--python", python, "install", "--no-deps",
               "--no-index", "--force-reinstall", *wheels)  # fmt: skip
    assert done.returncode == 0, done.stderr
    return python


def test_a_wheel_is_built_with_types_and_models(tmp_path):
    """In this process; what an installed one does is left to `make system`."""
    builder = pytest.importorskip("hatchling.builders.wheel").WheelBuilder(str(ROOT))
    (built,) = builder.build(directory=str(tmp_path), versions=["standard"])
    with zipfile.ZipFile(built) as wheel:
        names = set(wheel.namelist())
    models = {path.relative_to(PACKAGE.parent).as_posix() for path in PATHS}
    assert {"touchline/py.typed", "touchline/cli/__init__.py", *models} <= names
    assert not [name for name in names if name.startswith(("tests/", "docs/"))]


@pytest.mark.system
@pytest.mark.skipif(sys.platform == "win32", reason="venvs have other folders there")
def test_the_wheel_has_types_models_and_plugins(installed, tmp_path):
    (tmp_path / "user.py").write_text(USER, encoding="utf-8")
    checked = run(installed, "-m", "mypy", "--strict", "user.py", cwd=tmp_path)
    assert 'Revealed type is "tuple[touchline.core.records.Event, ...]"' in checked.stdout.replace(
        "builtins.", ""
    )
    assert '"Links" has no attribute "no_such_thing"' in checked.stdout
    code = (
        "import touchline; from touchline.methods.registry import methods;"
        "from touchline.methods.chains.bundled.loader import PATHS;"
        "print(touchline.__file__, 'nearest' in methods(), all(p.is_file() for p in PATHS))"
    )
    where, *found = run(installed, "-c", code, cwd=tmp_path).stdout.split()
    assert Path(where).is_relative_to(installed.parents[1])
    assert found == ["True", "True"]
