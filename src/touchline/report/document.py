"""The report as one file: the page's HTML with its style, its code and the data put inside.

The code is plain modules, which the server serves one by one (`server_page`). In one file they are
joined into a single script, each after those that it imports, without imports and exports. The
page's policy allows only that script and that style, by their hashes.
"""

from __future__ import annotations

import base64
import hashlib
import html
import re
from collections.abc import Sequence
from importlib import resources
from typing import IO

import msgspec

from touchline.core.links import Links
from touchline.generation.findings import Finding
from touchline.io.links.origin import Origin
from touchline.methods.explanation import Explain
from touchline.report.data import report, title

_IMPORT = re.compile(r'^import \{[^}]*\} from "\./([\w-]+\.js)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=const |function |class )", re.MULTILINE)
_TITLE = "<title>touchline</title>"
_STYLE = '<link rel="stylesheet" href="style.css">'
_SCRIPT = '<script type="module" src="main.js"></script>'
_POLICY = (
    "default-src 'none'; script-src '{script}'; style-src '{style}'; media-src blob:; "
    "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)


def write(
    many: Sequence[Links],
    origin: Origin,
    out: IO[str],
    explain: Explain | None = None,
    findings: Sequence[Finding] | None = None,
) -> None:
    """Write the report of one match or several as one HTML file.

    Parameters
    ----------
    many
        The links of each match.
    origin
        What made the links; the page shows version and method.
    out
        The text file to write to.
    explain
        Explains a comment of a match; without it, no words are marked.
    findings
        What `touchline check` found in the commentary of the one match.
    """
    data = msgspec.json.encode(report(many, origin, explain, findings)).decode()
    out.write(document(" · ".join(title(links.match) for links in many), data))


def document(name: str, data: str) -> str:
    """The whole file, for a title and the page's JSON."""
    script, style = bundle("main.js"), asset("style.css")
    policy = _POLICY.format(script=_hash(script), style=_hash(style))
    head = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    block = f'<script type="application/json" id="data">{escape_json(data)}</script>'
    page = asset("index.html")
    page = _fill(page, "<!-- policy -->", head)
    page = _fill(page, _TITLE, f"<title>{html.escape(name)}</title>")
    page = _fill(page, _STYLE, f"<style>{style}</style>")
    page = _fill(page, _SCRIPT, f'<script type="module">{script}</script>')
    return _fill(page, "<!-- data -->", block)


def server_page(head: str, script: str) -> str:
    """The page without data, for a server that serves its files: with its own links and script."""
    page = _fill(_fill(asset("index.html"), "<!-- policy -->\n", ""), "<!-- data -->\n", "")
    page = _fill(page, _STYLE, head)
    return _fill(page, _SCRIPT, f'<script type="module" src="{html.escape(script)}"></script>')


def bundle(entry: str) -> str:
    """A module and its imports, as one script."""
    parts: dict[str, str] = {}

    def add(name: str) -> None:
        if name not in parts:
            code = asset(name)
            for other in _IMPORT.findall(code):
                add(other)
            parts[name] = f"// {name}\n" + _EXPORT.sub("", _IMPORT.sub("", code))

    add(entry)
    return "\n" + "\n".join(parts.values())


def asset(name: str) -> str:
    """A file of the page."""
    return resources.files(__package__).joinpath("assets", name).read_text(encoding="utf-8")


def escape_json(data: str) -> str:
    """The same JSON with escapes, so that no text in it can end the script element."""
    for character in "<>&\u2028\u2029":
        data = data.replace(character, f"\\u{ord(character):04x}")
    return data


def _fill(page: str, mark: str, text: str) -> str:
    before, after = page.split(mark)  # raises if the template does not have the mark exactly once
    return before + text + after


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"
