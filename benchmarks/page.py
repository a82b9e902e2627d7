"""Opening, response times and size of the report: python -m benchmarks.page (Chromium).

Made-up matches of 100 and 2,000 comments are opened in a real browser, each in a new profile. The
report is interactive when its rows are drawn and the last task of more than 50 ms has ended; the
aim is within 1 s. Then a match of 3,000 comments and 4,000 events is used: each interaction is
timed in the page, from the event's dispatch until the frame that shows its outcome is drawn. The
aim is under 100 ms. `size` is that of the file, and compressed with gzip; the aim is under 5 MB.
"""

from __future__ import annotations

import gzip
import random
import shutil
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

from touchline import (
    Comment,
    CommentLinks,
    Event,
    Link,
    Links,
    Match,
    Player,
    Team,
    align,
    read_corpus,
    write_links,
)
from touchline.sample import corpus_path

COMMENTS, EVENTS, REPEATS = 3000, 4000, 20
OPENED = {100: 1500, 2000: 4000}  # comments: events
OPENINGS = 9
# Notes when rows are there and when each long task has ended, in milliseconds from the navigation.
WATCH = """
window.rows = 0;
window.busy = [0];
new PerformanceObserver((list) => {
  for (const task of list.getEntries()) busy.push(task.startTime + task.duration);
}).observe({ type: "longtask", buffered: true });
const look = () => {
  if (document.querySelector("#feed [role=option]")) rows = performance.now();
  else requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""
KINDS = ("Pass", "Duel", "Clearance", "Shot", "Save", "Foul", "Interception", "Dribble", "Block")
WORDS = "he plays it long and wide to the far post where nobody waits while rain falls".split()
# What a reader does, as the page's own events; %d is the number of the repetition.
ACTIONS = {
    "next line (j)": "press('j')",
    "to the end (End)": "press('End'); press('Home')",
    "search, one more letter": "type('search', 'player %d')",
    "player": "choose('player', %d)",
    "kind of event": "choose('kind', %d)",
    "linked, none, unsure": "choose('status', 1 + %d % 3)",
    "clear": "document.getElementById('clear').click()",
    "match log, next event": "press('e'); press('j')",
    "commentary": "press('c')",
    "corrected clock": "document.getElementById('corrected').click()",
    "scroll a long way": "document.getElementById('feed').scrollTop = %d * 5000",
}
HELPERS = """
window.press = (key) => document.activeElement.dispatchEvent(
  new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
window.type = (id, text) => {
  const box = document.getElementById(id);
  box.value = text;
  box.dispatchEvent(new Event("input", { bubbles: true }));
};
window.choose = (id, place) => {
  const box = document.getElementById(id);
  box.selectedIndex = place % box.options.length;
  box.dispatchEvent(new Event("change", { bubbles: true }));
};
// A message sent while a frame is made ready is read when that frame has been drawn.
window.drawn = () => new Promise((done) => requestAnimationFrame(() => {
  const channel = new MessageChannel();
  channel.port1.onmessage = () => done();
  channel.port2.postMessage(null);
}));
window.timed = async (act) => {
  await drawn();
  const start = performance.now();
  act();
  await drawn();
  return performance.now() - start;
};
"""


def large_match(comments: int = COMMENTS, events: int = EVENTS, seed: int = 1) -> Links:
    """A made-up match; by default with as much commentary as a broadcast and a very long log."""
    chance = random.Random(seed)
    teams = (Team(id="a", name="Aston Vale"), Team(id="b", name="Brindle Town"))
    players = tuple(
        Player(id=str(n), name=f"Player {n}", team=teams[n % 2], shirt=n) for n in range(30)
    )
    logged = tuple(_event(chance, number, events // 2, players) for number in range(events))
    said = tuple(_comment(chance, number, comments // 2) for number in range(comments))
    match = Match(name="large", provider="made up", events=logged, teams=teams, players=players,
                  comments=said)  # fmt: skip
    return Links(match, [_answer(chance, match, place) for place in range(comments)], "made up")


def _event(chance: random.Random, number: int, half: int, players: tuple[Player, ...]) -> Event:
    player = chance.choice(players)
    x, y = chance.uniform(0, 120), chance.uniform(0, 80)
    return Event(
        id=f"00000000-0000-0000-0000-{number:012d}",
        type=chance.choices(KINDS, range(len(KINDS), 0, -1))[0],
        period=1 + number // half,
        time=2800.0 * (number % half) / half,
        team=player.team,
        player=player,
        arguments={"outcome": "Complete", "body_part": "Right Foot", "zone": "front centre"},
        location=(x, y),
        end_location=(chance.uniform(0, 120), chance.uniform(0, 80)),
    )


def _comment(chance: random.Random, number: int, half: int) -> Comment:
    words = chance.choices(WORDS, k=chance.randint(6, 40))
    words.insert(3, f"Player {chance.randrange(30)}")
    time = 2800.0 * (number % half) / half
    return Comment(id=number, text=" ".join(words), period=1 + number // half,
                   start=time, end=time)  # fmt: skip


def _answer(chance: random.Random, match: Match, place: int) -> CommentLinks:
    near = place * len(match.events) // len(match.comments)
    linked = match.events[near : near + chance.choice((0, 1, 1, 2, 4))]
    links = tuple(Link(id=event.id, score=chance.uniform(0.5, 1)) for event in linked)
    span = (linked[0].time, linked[-1].time) if linked else None
    return CommentLinks(match="large", comment=place, events=links, none=chance.random(),
                        period=linked[0].period if linked else None,
                        time=linked[0].time if linked else None, span=span)  # fmt: skip


def opening(browser: Any, path: Path) -> float:
    """Milliseconds until a report is interactive, in a new profile."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.add_init_script(WATCH)
    page.goto(path.as_uri())
    page.wait_for_function("rows > 0")
    page.wait_for_timeout(500)  # in which a late task would be noticed
    ready: float = page.evaluate("Math.max(rows, ...busy)")
    context.close()
    return ready


def open_reports(browser: Any, folder: Path) -> None:
    print(f"milliseconds until the report is interactive, of {OPENINGS} openings")
    print(f"{'comments':>8}{'events':>8}{'median':>8}{'worst':>8}{'MB':>8}{'gzip':>8}")
    for comments, events in OPENED.items():
        path = folder / f"{comments}.html"
        write_links(large_match(comments, events), path)
        found = [opening(browser, path) for _ in range(OPENINGS)]
        print(f"{comments:>8}{events:>8}{statistics.median(found):>8.0f}{max(found):>8.0f}"
              f"{sizes(path)}")  # fmt: skip


def sizes(path: Path) -> str:
    """Megabytes of a file, as it is and compressed."""
    content = path.read_bytes()
    return f"{len(content) / 1e6:>8.2f}{len(gzip.compress(content)) / 1e6:>8.2f}"


def measure(page: Any) -> dict[str, list[float]]:
    """Milliseconds of each interaction."""
    page.evaluate(f"() => {{ {HELPERS} }}")
    return {
        name: [_timed(page, script, number) for number in range(1, REPEATS + 1)]
        for name, script in ACTIONS.items()
    }


def _timed(page: Any, script: str, number: int) -> float:
    took: float = page.evaluate(f"() => timed(() => {{ {script.replace('%d', str(number))} }})")
    return took


def main() -> None:
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        sys.exit("no Chromium on this machine")
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        large, normal = Path(folder) / "large.html", Path(folder) / "normal.html"
        write_links(large_match(), large)
        write_links(align(next(read_corpus(corpus_path())).match), normal)
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-gpu"]
        )
        open_reports(browser, Path(folder))
        page = browser.new_page(viewport={"width": 1920, "height": 1080})
        page.goto(large.as_uri())
        times = measure(page)
        browser.close()
        print(f"{COMMENTS} comments, {EVENTS} events; milliseconds of {REPEATS} times each")
        print(f"{'interaction':26}{'median':>8}{'worst':>8}")
        for name, found in times.items():
            print(f"{name:26}{statistics.median(found):>8.1f}{max(found):>8.1f}")
        for name, path in (("size, this match", large), ("size, a bundled match", normal)):
            print(f"{name:26}{sizes(path)} MB")


if __name__ == "__main__":
    main()
