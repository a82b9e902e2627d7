"""The page's files: everything that one asks for is there, and nothing lies elsewhere."""

from __future__ import annotations

import posixpath
import re

import pytest

from touchline.web import page

PAGES = ("index.html", "login.html", "match.html")


def test_every_page_finds_its_parts():
    for name in PAGES:
        text = page.files()[page.ROOT + name].body.decode()
        parts = re.findall(r'(?:src|href)="([^"]+)"', text)
        assert parts
        assert set(parts) <= set(page.files())


def test_every_module_finds_what_it_imports():
    files = page.files()
    scripts = {path: file.body.decode() for path, file in files.items() if path.endswith(".js")}
    imports = re.compile(r'^import .* from "([^"]+)";$', re.MULTILINE)
    asked = [
        posixpath.normpath(posixpath.join(posixpath.dirname(path), other))
        for path, text in scripts.items()
        for other in imports.findall(text)
    ]
    assert len(asked) > 40
    assert set(asked) <= set(scripts)


@pytest.mark.parametrize("name", PAGES)
def test_no_page_holds_code_or_style_of_its_own(name):
    text = page.files()[page.ROOT + name].body.decode()
    assert not re.search(r"<style|<script(?! type=\"module\" src=)|\son\w+=|\sstyle=", text)


def test_no_file_names_another_place():
    for path, file in page.files().items():
        text = file.body.decode().replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"https?:|url\(|@import|innerHTML|eval\(", text), path
