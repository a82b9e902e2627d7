// A long list of rows of the same height, of which only those in sight are in the document. The height
// comes from the style sheet (`--row`). Rows that have the focus or an open menu stay where they are.

const MARGIN = 10; // rows above and below the window

export class VirtualList {
  /** @param {HTMLElement} box */
  constructor(box) {
    this.box = box;
    this.keys = [];
    this.shown = new Map();
    this.build = (_key) => /** @type {HTMLElement} */ (document.createElement("li"));
    const again = () => this.soon();
    addEventListener("scroll", again, { passive: true });
    addEventListener("resize", again);
  }

  // Show the rows of some keys, in this order; `build(key)` makes a row.
  /** @param {string[]} keys @param {(key: string) => HTMLElement} build */
  show(keys, build) {
    this.keys = keys;
    this.build = build;
    this.places = new Map(keys.map((key, place) => [key, place]));
    for (const [key, row] of this.shown) {
      if (!this.places.has(key)) this.drop(key, row);
    }
    this.paint();
  }

  // Put a new row in place of an old one, if that is in the document.
  replace(key, row) {
    const old = this.shown.get(key);
    if (!old) return;
    old.replaceWith(row);
    this.shown.set(key, row);
    this.put(row, this.places.get(key));
  }

  row(key) {
    return this.shown.get(key);
  }

  // Bring the row before or after the one with the focus into sight, and focus its link.
  step(from, by) {
    const place = Math.min(Math.max((this.places.get(from) ?? -1) + by, 0), this.keys.length - 1);
    const key = this.keys[place];
    if (key === undefined) return;
    if (!this.shown.has(key)) this.add(key);
    const row = this.shown.get(key);
    row.querySelector("a").focus({ preventScroll: true });
    row.scrollIntoView({ block: "nearest" });
  }

  soon() {
    this.waiting ??= requestAnimationFrame(() => {
      this.waiting = undefined;
      this.paint();
    });
  }

  paint() {
    this.height = Number.parseFloat(getComputedStyle(this.box).getPropertyValue("--row")) || 72;
    this.box.style.height = `${this.keys.length * this.height}px`;
    const top = -this.box.getBoundingClientRect().top;
    const first = Math.max(Math.floor(top / this.height) - MARGIN, 0);
    const last = Math.min(Math.ceil((top + innerHeight) / this.height) + MARGIN, this.keys.length);
    const wanted = new Set(this.keys.slice(first, Math.max(last, first)));
    for (const [key, row] of this.shown) {
      if (!wanted.has(key) && !isHeld(row)) this.drop(key, row);
    }
    for (const key of wanted) if (!this.shown.has(key)) this.add(key);
    for (const [key, row] of this.shown) this.put(row, this.places.get(key));
    this.inOrder();
  }

  add(key) {
    const row = this.build(key);
    this.shown.set(key, row);
    this.put(row, this.places.get(key));
    this.box.append(row);
  }

  put(row, place) {
    row.style.top = `${place * this.height}px`;
    row.setAttribute("aria-posinset", place + 1);
    row.setAttribute("aria-setsize", this.keys.length);
  }

  // The order in the document is that of the list, for the keyboard and for screen readers.
  inOrder() {
    const focused = /** @type {HTMLElement} */ (document.activeElement);
    const rows = [...this.shown].sort(([a], [b]) => this.places.get(a) - this.places.get(b));
    rows.forEach(([, row], place) => {
      if (this.box.children[place] !== row) this.box.insertBefore(row, this.box.children[place] ?? null);
    });
    if (focused !== document.activeElement && this.box.contains(focused)) focused.focus({ preventScroll: true }); // a move takes it away
  }

  drop(key, row) {
    row.remove();
    this.shown.delete(key);
  }
}

function isHeld(row) {
  return row.contains(document.activeElement) || row.querySelector("details[open]");
}
