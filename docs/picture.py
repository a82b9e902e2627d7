"""Draw the README's picture from the bundled sample: python docs/picture.py > docs/images/links.svg

Comments on the left, the match log on the right, links as labelled by hand. Grey ticks are the
events that no comment describes.
"""

from __future__ import annotations

import textwrap
from html import escape

from touchline import read_corpus
from touchline.sample import corpus_path

COMMENTS = (34, 35, 36, 37)
FIRST, LAST = 1738.0, 1829.0
WIDTH, TOP, HEIGHT = 1000, 62, 620
LEFT, AXIS, LABEL = 30, 600, 622
INK, SOFT, MARK, PAPER = "#1c2733", "#76828e", "#0b6e4f", "#ffffff"
TINTS = ("#0b6e4f", "#b3541e", "#2f5fa7", "#8a3c86")


def y_of(time: float) -> float:
    return TOP + 20 + (time - FIRST) / (LAST - FIRST) * (HEIGHT - TOP - 60)


def text(x: float, y: float, words: str, size: int, fill: str, more: str = "") -> str:
    place = f'x="{x:.0f}" y="{y:.0f}" font-size="{size}" fill="{fill}" {more}'
    return f"<text {place}>{escape(words)}</text>"


def spread(places: list[float], gap: float) -> list[float]:
    """Move labels apart, downwards, so that none lies on another."""
    moved: list[float] = []
    for place in places:
        moved.append(max(place, moved[-1] + gap) if moved else place)
    return moved


def main() -> None:
    labelled = next(read_corpus(corpus_path()))
    match, gold = labelled.match, labelled.gold or {}
    comments = [comment for comment in match.comments if comment.id in COMMENTS]
    shown = [e for e in match.linkable if e.period == 1 and FIRST <= e.time <= LAST]
    described = [e for e in shown if any(e.id in gold[c.id] for c in comments)]
    label_y = dict(
        zip((e.id for e in described), spread([y_of(e.time) for e in described], 21), strict=True)
    )
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="system-ui, sans-serif" role="img" '
        'aria-label="Four comments, each linked to the events it describes">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="10" fill="{PAPER}"/>',
        text(LEFT, 34, "commentary", 15, SOFT),
        text(AXIS - 14, 34, f"match log: {len(shown)} events in 90 seconds", 15, SOFT),
        f'<path d="M{AXIS} {TOP} V{HEIGHT - 20}" stroke="#c9d1d8" stroke-width="2"/>',
    ]
    for event in shown:
        y = y_of(event.time)
        out.append(f'<path d="M{AXIS - 6} {y:.1f} h12" stroke="#b9c2ca" stroke-width="2"/>')
    y = TOP + 14.0
    for comment, tint in zip(comments, TINTS, strict=True):
        lines = textwrap.wrap(comment.text, 46)
        height = 22 * len(lines) + 18
        middle = y + height / 2
        for event in (e for e in described if e.id in gold[comment.id]):
            at = y_of(event.time)
            out.append(
                f'<path d="M{LEFT + 438} {middle:.0f} C {LEFT + 510} {middle:.0f}, '
                f'{AXIS - 90} {at:.1f}, {AXIS} {at:.1f}" fill="none" stroke="{tint}" '
                'stroke-width="2" opacity=".75"/>'
                f'<circle cx="{AXIS}" cy="{at:.1f}" r="5" fill="{tint}"/>'
                f'<path d="M{AXIS + 5} {at:.1f} L{LABEL - 3} {label_y[event.id]:.0f}" '
                f'stroke="{tint}" opacity=".5"/>'
            )
            out.append(text(LABEL, label_y[event.id] + 5, event.describe(), 13, INK))
        out.append(
            f'<rect x="{LEFT}" y="{y:.0f}" width="438" height="{height}" rx="6" fill="{tint}" '
            'opacity=".09"/>'
            f'<rect x="{LEFT}" y="{y:.0f}" width="4" height="{height}" fill="{tint}"/>'
        )
        out.append(text(LEFT + 18, y + 25, comment.clock or "", 14, tint, 'font-weight="600"'))
        for i, line in enumerate(lines):
            out.append(text(LEFT + 58, y + 25 + 22 * i, line, 15, INK))
        y += height + 22
    print("\n".join([*out, "</svg>"]))


if __name__ == "__main__":
    main()
