"""A person at a browser: opens a page, presses keys, sees what is there, waits for what comes."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

# Reports a violation of the page's policy, which the page itself cannot see otherwise.
WATCH = """
window.refused = [];
addEventListener("securitypolicyviolation", (one) => refused.push(one.effectiveDirective));
"""
# How a page is looked at for what is wrong with it: on a phone and on a desktop, light and dark.
# TOUCHLINE_FORMS=all asks for each of both in each scheme, as `make system` does.
PHONE, DESKTOP = (390, 844), (1440, 900)
FORMS = [(PHONE, "dark"), (DESKTOP, "light")]
ALL_FORMS = os.environ.get("TOUCHLINE_FORMS") == "all"
if ALL_FORMS:
    FORMS += [(PHONE, "light"), (DESKTOP, "dark")]
WIDER = """
document.documentElement.scrollWidth > innerWidth
|| [...document.querySelectorAll("dialog[open]")].some((one) => one.scrollWidth > one.clientWidth)
"""
AXE = "axe.run(document.querySelector('dialog[open]') ?? document, { resultTypes: ['violations'] })"
FINISHED = "Promise.allSettled(document.getAnimations().map((a) => a.finished))"


# What a page's policy must refuse, by the directive that does.
OUTSIDE = {
    "connect-src": "fetch('https://example.org/').catch(() => null)",
    "img-src": "Object.assign(new Image(), { src: 'https://example.org/x.png' })",
    "style-src-attr": "document.body.setAttribute('style', 'color: red')",
    "style-src-elem": "document.head.append(Object.assign(document.createElement('style'), "
    "{ textContent: 'body { color: red }' }))",
    "require-trusted-types-for": "try { document.body.innerHTML = '<b>x</b>' } catch {}",
    "frame-src": "document.body.append(Object.assign(document.createElement('iframe'), "
    "{ src: 'https://example.org/' }))",
}


class Visitor:
    """A browser's page and what a visitor sees of it; what went wrong or outside is kept."""

    def __init__(self, browser: Any, url: str, width: int = 1280, height: int = 800, **more: Any):
        self.context = browser.new_context(viewport={"width": width, "height": height}, **more)
        self.page = self.context.new_page()
        self.outside: list[str] = []
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.add_init_script(WATCH)
        # What the page's policy refuses never gets as far as a route.
        parts = urlsplit(url)
        inside = "file:" if parts.scheme == "file" else f"{parts.scheme}://{parts.netloc}/"
        self.page.route(re.compile(rf"^(?!{re.escape(inside)})"), self._refuse)
        self.page.goto(url)

    def _refuse(self, route: Any) -> None:
        self.outside.append(route.request.url)
        route.abort()

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def refuses_what_is_outside(self) -> None:
        """Tries all that the page's policy forbids."""
        for script in OUTSIDE.values():
            self.page.evaluate(f"() => {{ {script} }}")
        self.until(f"new Set(refused).size >= {len(OUTSIDE)}")
        assert set(self.page.evaluate("refused")) == set(OUTSIDE)

    def until(self, condition: str) -> None:
        """Waits for a condition; the page's policy forbids the driver's own way of waiting."""
        assert self._wait(lambda: self.page.evaluate(condition)), f"never: {condition}"

    def sees(self, selector: str, text: str) -> None:
        """Waits until some text stands somewhere."""

        def seen() -> str:
            return " ".join(self.page.locator(selector).all_text_contents())

        assert self._wait(lambda: text in seen()), f"never saw {text!r} but {seen()!r}"

    def _wait(self, look: Callable[[], Any]) -> bool:
        for _ in range(1000):
            with contextlib.suppress(self._moved):  # the page is just going to another one
                if look():
                    return True
            self.page.wait_for_timeout(20)
        return False

    @property
    def _moved(self) -> type[Exception]:
        from playwright.sync_api import Error

        return Error

    def text(self, selector: str) -> str:
        return str(self.page.locator(selector).inner_text())

    @property
    def selected(self) -> str | None:
        """The row that is selected, by its element's id."""
        found = self.page.locator("[role=option][aria-selected=true]")
        return found.get_attribute("id") if found.count() else None

    def flaws(self, turn: int | None = None) -> list[tuple[str, ...]]:
        """What is wrong in a form: what axe finds, and a page that is wider than the window.

        Axe takes a second. Where many pages take turns, it looks at each in one form, unless all
        forms are asked for.
        """
        turns = FORMS if turn is None or ALL_FORMS else [FORMS[turn % len(FORMS)]]
        own, found = self.page.viewport_size, list[tuple[str, ...]]()
        for (width, height), scheme in FORMS:
            self.page.set_viewport_size({"width": width, "height": height})
            self.page.emulate_media(color_scheme=scheme)
            if ((width, height), scheme) in turns:
                found += [(f"{width} {scheme}", *violation) for violation in self.violations()]
            if self.page.evaluate(WIDER):
                found.append((f"{width} {scheme}", "wider than the window or its dialog"))
        self.page.set_viewport_size(own)
        return found

    def violations(self) -> list[tuple[str, str, str]]:
        """What axe finds on the page, or in the dialog that is open.

        It looks from inside, so the policy must be bypassed.
        """
        from axe_playwright_python.sync_playwright import Axe

        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate(Axe().axe_script)
        self.page.evaluate(FINISHED)
        found = self.page.evaluate(AXE)["violations"]
        return [(v["id"], v["impact"], v["nodes"][0]["html"]) for v in found]
