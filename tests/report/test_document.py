"""The one file: modules in order, a policy that names them, data that cannot break out."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from tests.report.conftest import HOSTILE, ORIGIN
from touchline.report.document import asset, bundle, document, escape_json, write


def test_a_module_stands_behind_those_that_it_imports():
    names = re.findall(r"^// ([\w-]+\.js)$", bundle("main.js"), re.MULTILINE)
    assert names[-1] == "main.js"
    assert len(names) == len(set(names))
    for place, name in enumerate(names):
        imported = re.findall(r'from "\./([\w-]+\.js)"', asset(name))
        assert set(imported) <= set(names[:place])
    assert not re.search(r"^(import|export) ", bundle("main.js"), re.MULTILINE)


def test_the_policy_names_the_script_and_the_style_and_nothing_else():
    page = document("x", "{}")
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1]
    for tag, rule in (('script type="module"', "script-src"), ("style", "style-src")):
        inside = re.search(rf"<{tag}>(.*?)</{tag.split()[0]}>", page, re.DOTALL)[1]
        digest = base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()
        assert f"{rule} 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    assert "http" not in policy


def test_nothing_is_loaded_from_elsewhere():
    page = document("x", "{}")
    assert not re.search(r"\b(?:src|href)=", page)
    assert not re.search(r"url\(|@import|//[a-z]+\.[a-z]", page.replace("http://www.w3.org", ""))


@given(st.text())
def test_data_stays_the_same_data_and_ends_no_script(text):
    encoded = escape_json(json.dumps({"text": text}, ensure_ascii=False))
    assert json.loads(encoded) == {"text": text}
    assert not set(encoded) & set("<>&\u2028\u2029")


def test_hostile_text_leaves_the_page_as_it_is(links):
    comments = [msgspec.structs.replace(c, text=HOSTILE) for c in links.match.comments]
    teams = [msgspec.structs.replace(t, name=HOSTILE) for t in links.match.teams]
    match = msgspec.structs.replace(links.match.with_comments(comments), teams=tuple(teams))
    out = io.StringIO()
    write([type(links)(match, links)], ORIGIN, out)
    page = out.getvalue()
    assert page.count("<script") == page.count("</script>") == 2
    assert "<img" not in page
    data = re.search(r'id="data">(.*?)</script>', page, re.DOTALL)[1]
    assert json.loads(data)["matches"][0]["comments"][0]["text"] == HOSTILE
