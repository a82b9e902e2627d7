"""The page in the browser: plain files, no build step, no third-party code.

The page uses only the server's JSON API. A match's page is that of the report (`touchline.report`):
the same modules, with labelling added.
"""

from __future__ import annotations

from functools import cache
from importlib import resources

import msgspec

from touchline.report import document

ROOT = "/page/"  # URL prefix of the files
_MATCH_HEAD = f"""\
<link rel="icon" href="{ROOT}icon.svg">
<link rel="stylesheet" href="{ROOT}report/style.css">
<link rel="stylesheet" href="{ROOT}parts.css">
<link rel="stylesheet" href="{ROOT}labelling.css">"""
_KINDS = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


class File(msgspec.Struct, frozen=True):
    """The content of a file and its media type."""

    body: bytes
    kind: str


@cache
def files() -> dict[str, File]:
    """Every file of the page by its URL path; nothing else is ever served.

    `/page/index.html` is also served at `/`, `/page/match.html` at `/match/<name>` and
    `/page/login.html` at `/login`.
    """
    report = _read("touchline.report", "assets")
    found = {f"report/{name}": body for name, body in report.items() if name != "index.html"}
    found |= _read("touchline.web.page")
    found["match.html"] = document.server_page(_MATCH_HEAD, f"{ROOT}match.js").encode()
    return {f"{ROOT}{name}": File(body, _KINDS[_ending(name)]) for name, body in found.items()}


def _read(package: str, *inside: str) -> dict[str, bytes]:
    folder = resources.files(package).joinpath(*inside)
    return {p.name: p.read_bytes() for p in folder.iterdir() if _ending(p.name) in _KINDS}


def _ending(name: str) -> str:
    return name[name.rfind(".") :]
