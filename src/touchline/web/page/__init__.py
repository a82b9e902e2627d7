"""The page in the browser: plain files, no build step, nothing from elsewhere.

The page talks to the server through the JSON API and knows nothing else of it. A match's page is
the report's (`touchline.report`): the same modules, with a desk for labelling beside them.
"""

from __future__ import annotations

from functools import cache
from importlib import resources

import msgspec

from touchline.report import document

ROOT = "/page/"  # under which the files lie on the server
_MATCH_HEAD = f"""\
<link rel="icon" href="{ROOT}icon.svg">
<link rel="stylesheet" href="{ROOT}report/style.css">
<link rel="stylesheet" href="{ROOT}parts.css">
<link rel="stylesheet" href="{ROOT}desk.css">"""
_KINDS = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


class File(msgspec.Struct, frozen=True):
    """What a request for a file is answered with: its bytes and their media type."""

    body: bytes
    kind: str


@cache
def files() -> dict[str, File]:
    """Every file of the page by its whole path on the server; nothing else is ever handed out.

    `/page/index.html` belongs at `/`, `/page/match.html` at `/match/<name>` and
    `/page/login.html` at `/login`; the others lie where they are.
    """
    report = _read("touchline.report", "assets")
    found = {f"report/{name}": body for name, body in report.items() if name != "index.html"}
    found |= _read("touchline.web.page")
    found["match.html"] = document.shell(_MATCH_HEAD, f"{ROOT}match.js").encode()
    return {f"{ROOT}{name}": File(body, _KINDS[_ending(name)]) for name, body in found.items()}


def _read(package: str, *inside: str) -> dict[str, bytes]:
    folder = resources.files(package).joinpath(*inside)
    return {p.name: p.read_bytes() for p in folder.iterdir() if _ending(p.name) in _KINDS}


def _ending(name: str) -> str:
    return name[name.rfind(".") :]
