"""The JavaScript is checked against the records that Python sends it (`make lint-js`)."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec

from js.records import OUT, generated
from touchline.report import document
from touchline.web import page, records

ROOT = Path(__file__).parent.parent


def test_the_declared_records_are_those_of_python():
    again = "run `python -m js.records` after changing a record"
    assert OUT.read_text(encoding="utf-8") == generated(), again


def test_renamed_fields_change_the_declarations(monkeypatch):
    renamed = msgspec.defstruct("Limits", [("bytes_of_upload", int)], module=records.__name__)
    monkeypatch.setattr(records, "Limits", renamed)
    assert "    bytes_of_upload: number;\n" in generated()


def test_every_script_is_checked():
    """Types are checked in a copy of both folders; a script elsewhere would be left out."""
    package = Path(document.__file__).parent.parent
    folders = {Path(page.__file__).parent, Path(document.__file__).parent / "assets"}
    assert {path.parent for path in package.rglob("*.js")} == folders
    options = json.loads((ROOT / "js/tsconfig.json").read_text(encoding="utf-8"))
    assert options["compilerOptions"]["checkJs"]
    assert not any("@ts-" in path.read_text(encoding="utf-8") for path in package.rglob("*.js"))
