// A long list in which only the visible rows exist. Rows may have any height: it is estimated until a
// row has been shown, then measured and stored.
import { make } from "./dom.js";

const BEYOND = 400; // pixels drawn above and below the visible part

export class VirtualList {
  // `row(item)` builds a row, `guess(item, width)` its height, `pick(item)` is called for a click.
  constructor(box, { label, row, guess, pick }) {
    this.box = box;
    this.row = row;
    this.guess = guess;
    this.pick = pick;
    this.items = [];
    this.places = new Map(); // item -> place in the list
    this.measured = new Map(); // item -> height
    this.shown = new Map(); // item -> element
    this.selected = null;
    this.related = new Set();
    this.space = make("div", { class: "space", role: "presentation" });
    box.setAttribute("role", "listbox");
    box.setAttribute("tabindex", "0");
    box.setAttribute("aria-label", label);
    box.replaceChildren(this.space);
    box.addEventListener("scroll", () => this.later(), { passive: true });
    box.addEventListener("click", (event) => this.clicked(event));
    new ResizeObserver(() => this.resized()).observe(box);
  }

  setItems(items) {
    this.items = items;
    this.places = new Map(items.map((item, place) => [item, place]));
    this.layOut();
    this.render();
  }

  forget() {
    this.measured.clear();
    this.clear();
    this.box.scrollTop = 0;
  }

  // Rebuild the rows of some items; their heights may have changed.
  refresh(items) {
    for (const item of items) {
      this.shown.get(item)?.remove();
      this.shown.delete(item);
      this.measured.delete(item);
    }
    this.layOut();
    this.render();
  }

  select(item) {
    const before = this.shown.get(this.selected);
    before?.setAttribute("aria-selected", "false");
    this.selected = item;
    this.shown.get(item)?.setAttribute("aria-selected", "true");
    this.point();
  }

  // Mark the items that belong to the selection in the other list, and scroll to the first.
  relate(items) {
    for (const item of this.related) this.shown.get(item)?.classList.remove("related");
    this.related = new Set(items);
    for (const item of this.related) this.shown.get(item)?.classList.add("related");
    if (items.length) this.reveal(items[0]);
  }

  // Scroll to an item, with some margin; if it is visible already, nothing moves.
  reveal(item) {
    const place = this.places.get(item);
    if (place === undefined || !this.box.clientHeight) return;
    const [top, bottom] = [this.tops[place], this.tops[place + 1]];
    const room = Math.min(60, this.box.clientHeight / 5);
    if (top < this.box.scrollTop + room) this.box.scrollTop = top - room;
    else if (bottom > this.box.scrollTop + this.box.clientHeight - room) {
      this.box.scrollTop = bottom - this.box.clientHeight + room;
    }
    this.render();
  }

  later() {
    if (this.waiting) return;
    this.waiting = requestAnimationFrame(() => {
      this.waiting = null;
      this.render();
    });
  }

  resized() {
    const width = this.box.clientWidth;
    if (width && width !== this.width) {
      this.width = width;
      this.measured.clear();
      this.clear();
      this.layOut();
    }
    this.render();
    if (this.selected) this.reveal(this.selected);
  }

  clear() {
    for (const element of this.shown.values()) element.remove();
    this.shown.clear();
  }

  layOut() {
    const width = this.box.clientWidth || 400;
    this.tops = new Float64Array(this.items.length + 1);
    this.items.forEach((item, place) => {
      const height = this.measured.get(item) ?? this.guess(item, width);
      this.tops[place + 1] = this.tops[place] + height;
    });
    this.space.style.height = `${this.tops[this.items.length]}px`;
  }

  render() {
    if (!this.box.clientHeight) return;
    const [first, last] = this.window();
    const wanted = this.items.slice(first, last);
    const keep = new Set(wanted);
    for (const [item, element] of this.shown) {
      if (!keep.has(item)) {
        element.remove();
        this.shown.delete(item);
      }
    }
    const fresh = wanted.filter((item) => !this.shown.has(item));
    for (const item of fresh) this.build(item);
    // In the order of the list, for screen readers.
    if (fresh.length) this.space.append(...wanted.map((item) => this.shown.get(item)));
    if (this.measure(fresh)) this.layOut();
    for (const item of wanted) this.put(item);
    this.point();
  }

  window() {
    const top = this.box.scrollTop - BEYOND;
    const bottom = this.box.scrollTop + this.box.clientHeight + BEYOND;
    return [Math.max(this.at(top), 0), Math.min(this.at(bottom) + 1, this.items.length)];
  }

  // The index of the item at a height.
  at(height) {
    let [low, high] = [0, this.items.length];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.tops[middle] <= height) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  build(item) {
    const element = this.row(item);
    element.setAttribute("role", "option");
    element.setAttribute("aria-selected", String(item === this.selected));
    element.classList.toggle("related", this.related.has(item));
    this.shown.set(item, element);
  }

  // Measure new rows; a change above the visible part must not move it.
  measure(fresh) {
    const heights = fresh.map((item) => this.shown.get(item).offsetHeight);
    let moved = 0;
    let changed = false;
    fresh.forEach((item, i) => {
      const place = this.places.get(item);
      const difference = heights[i] - (this.tops[place + 1] - this.tops[place]);
      if (this.tops[place + 1] <= this.box.scrollTop) moved += difference;
      changed ||= difference !== 0;
      this.measured.set(item, heights[i]);
    });
    if (moved) this.box.scrollTop += moved;
    return changed;
  }

  put(item) {
    const [element, place] = [this.shown.get(item), this.places.get(item)];
    element.style.transform = `translateY(${this.tops[place]}px)`;
    element.setAttribute("aria-posinset", place + 1);
    element.setAttribute("aria-setsize", this.items.length);
  }

  point() {
    const element = this.shown.get(this.selected);
    if (element) this.box.setAttribute("aria-activedescendant", element.id);
    else this.box.removeAttribute("aria-activedescendant");
  }

  clicked(event) {
    const element = event.target.closest("[role=option]");
    for (const [item, shown] of this.shown) if (shown === element) this.pick(item);
  }
}
