"""Response times and size of the report: python -m benchmarks.page (Chromium).

A made-up match of 3,000 comments and 4,000 events is opened in a real browser. Each interaction is
timed in the page: from the event's dispatch until the frame that shows its outcome has been drawn.
The aim is under 100 ms; `size` is that of the bundled match's report, the aim under 5 MB.
"""

from __future__ import annotations

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
KINDS = ("Pass", "Duel", "Clearance", "Shot", "Save", "Foul", "Interception", "Dribble", "Block")
WORDS = "he plays it long and wide to the far post where nobody waits while rain falls".split()
# What a reader does, as the page's own events; %d is the number of the repetition.
ACTIONS = {
    "next line (j)": "press('j')",
    "to the end (End)": "press('End'); press('Home')",
    "search, a letter more": "type('search', 'player %d')",
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


def large_match(seed: int = 1) -> Links:
    """A made-up match with as much commentary as a broadcast and more events than any log."""
    chance = random.Random(seed)
    teams = (Team(id="a", name="Aston Vale"), Team(id="b", name="Brindle Town"))
    players = tuple(
        Player(id=str(n), name=f"Player {n}", team=teams[n % 2], shirt=n) for n in range(30)
    )
    events = tuple(_event(chance, number, players) for number in range(EVENTS))
    comments = tuple(_comment(chance, number) for number in range(COMMENTS))
    match = Match(name="large", provider="made up", events=events, teams=teams, players=players,
                  comments=comments)  # fmt: skip
    return Links(match, [_answer(chance, match, comment) for comment in comments], "made up")


def _event(chance: random.Random, number: int, players: tuple[Player, ...]) -> Event:
    half, player = divmod(number, EVENTS // 2)[0], chance.choice(players)
    x, y = chance.uniform(0, 120), chance.uniform(0, 80)
    return Event(
        id=f"00000000-0000-0000-0000-{number:012d}",
        type=chance.choices(KINDS, range(len(KINDS), 0, -1))[0],
        period=half + 1,
        time=2800.0 * (number % (EVENTS // 2)) / (EVENTS // 2),
        team=player.team,
        player=player,
        arguments={"outcome": "Complete", "body_part": "Right Foot", "zone": "front centre"},
        location=(x, y),
        end_location=(chance.uniform(0, 120), chance.uniform(0, 80)),
    )


def _comment(chance: random.Random, number: int) -> Comment:
    words = chance.choices(WORDS, k=chance.randint(6, 40))
    words.insert(3, f"Player {chance.randrange(30)}")
    time = 2800.0 * (number % (COMMENTS // 2)) / (COMMENTS // 2)
    return Comment(id=number, text=" ".join(words), period=1 + number // (COMMENTS // 2),
                   start=time, end=time)  # fmt: skip


def _answer(chance: random.Random, match: Match, comment: Comment) -> CommentLinks:
    near = int((comment.id if isinstance(comment.id, int) else 0) * EVENTS / COMMENTS)
    linked = match.events[near : near + chance.choice((0, 1, 1, 2, 4))]
    links = tuple(Link(id=event.id, score=chance.uniform(0.5, 1)) for event in linked)
    span = (linked[0].time, linked[-1].time) if linked else None
    return CommentLinks(match="large", comment=comment.id, events=links, none=chance.random(),
                        period=linked[0].period if linked else None,
                        time=linked[0].time if linked else None, span=span)  # fmt: skip


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
        page = browser.new_page(viewport={"width": 1920, "height": 1080})
        page.goto(large.as_uri())
        times = measure(page)
        opened = page.evaluate("performance.getEntriesByType('navigation')[0].duration")
        browser.close()
        print(f"{COMMENTS} comments, {EVENTS} events; milliseconds of {REPEATS} times each")
        print(f"{'interaction':26}{'median':>8}{'worst':>8}")
        for name, found in times.items():
            print(f"{name:26}{statistics.median(found):>8.1f}{max(found):>8.1f}")
        print(f"{'opening':26}{opened:>8.1f}")
        for name, path in (("size, this match", large), ("size, a bundled match", normal)):
            print(f"{name:26}{path.stat().st_size / 1e6:>8.2f} MB")


if __name__ == "__main__":
    main()
