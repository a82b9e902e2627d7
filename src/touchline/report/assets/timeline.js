// A strip for each period: comments as ticks above, events below in a row for each kind, and the links
// between them. All marks of one class are one path, so that thousands of them stay fast.
import { draw, make } from "./dom.js";
import { lateness, matchClock } from "./clock.js";
import { placeOf } from "./match.js";
import { isGoal } from "./scoreboard.js";

// Pixels, and the number of event rows, on a large screen and on a phone.
const WIDE = { rows: 6, minutes: 16, moments: 14, tick: 12, links: 28, row: 13, mark: 8, left: 6, labels: 112, right: 12, gap: 16, name: 60 };
const NARROW = { ...WIDE, rows: 4, moments: 12, tick: 9, links: 20, row: 8, mark: 6, labels: 6, right: 6, gap: 4, name: 20 };
const BEGINS = { 2: "2nd half", 3: "Extra time", 4: "2nd half of extra time" };
const REACH = 12; // pixels around the pointer in which a mark can be hit

export class Timeline {
  // `pick(item)` is called with the comment or event that was clicked.
  constructor(box, pick) {
    this.box = box;
    this.pick = pick;
    this.strips = [];
    this.corrected = false;
    this.note = make("span", { class: "note soft", "aria-hidden": "true" });
    const change = (event) => {
      this.corrected = event.target.checked;
      this.explained.textContent = this.corrected ? correction(this.match) : "";
      this.paint();
    };
    const check = make("input", { type: "checkbox", id: "corrected", on: { change } });
    const toggle = make("label", { class: "toggle" }, check, " Corrected clock");
    this.explained = make("p", { class: "explained soft", role: "status" });
    this.legend = make("span", { class: "legend" });
    this.controls = make("div", { class: "play", role: "group", "aria-label": "Playback" });
    this.body = make("div", { class: "strips" });
    box.replaceChildren(this.body, make("div", { class: "caption" }, this.controls, this.legend, this.note, toggle), this.explained);
    new ResizeObserver(() => this.resized()).observe(box);
  }

  /** @param {PageMatch} match */
  open(match) {
    this.match = match;
    this.legend.replaceChildren(
      ...match.teams.map((name, team) => make("span", { class: `event team${team}` }, name)),
      ...[["linked", "linked line"], ["unsure", "unsure"], ["none", "no event"]].map(([status, text]) => make("span", { class: `key ${status}` }, text)),
      ...(match.comments.some(({ phase }) => phase) ? [make("span", { class: "event spell" }, "Phases")] : []),
    );
    this.explained.textContent = this.corrected ? correction(match) : "";
    this.width = 0;
    this.resized();
  }

  // `comments` and `events` are those that pass the filter; the others are drawn faintly.
  show(comments, events) {
    this.comments = new Set(comments);
    this.events = new Set(events);
    this.paint();
  }

  select(item) {
    this.selected = item;
    for (const strip of this.strips) strip.mark(item);
  }

  resized() {
    const width = this.body.clientWidth;
    if (!this.match || !width || width === this.width) return;
    this.width = width;
    const size = width < 640 ? NARROW : WIDE;
    this.size = { ...size, axis: size.minutes + (this.match.moments?.length ? size.moments : 0) };
    const rows = kindRows(this.match, this.size.rows);
    const periods = [...this.match.periods.values()].filter((period) => period.seconds > 0);
    this.strips = this.places(periods).map(([period, place]) => new Strip(this, period, rows, place));
    this.body.replaceChildren(...this.strips.map((strip) => strip.element));
    this.paint();
  }

  // Two periods are side by side if there is room, with the names of the rows before the first.
  places(periods) {
    const { left, right, gap, labels } = this.size;
    const longest = Math.max(...periods.map((period) => period.seconds), 60);
    const columns = periods.length < 2 || (this.size.rows === WIDE.rows && this.width < 700) ? 1 : 2;
    const inner = (this.width - labels - right - (columns - 1) * (left + right + gap)) / columns;
    return periods.map((period, number) => {
      const before = number % columns === 0 ? labels : left;
      return [period, { left: before, scale: inner / longest, width: Math.floor(before + inner + right) }];
    });
  }

  paint() {
    if (!this.comments) return;
    for (const strip of this.strips) strip.paint();
    this.select(this.selected);
  }

  say(text) {
    this.note.textContent = text;
  }

  // Where playing is.
  moveHead(period, seconds) {
    for (const strip of this.strips) strip.moveHead(strip.period.number === period ? seconds : null);
  }
}

// The name of a period where it begins, short where there is little room.
/** @param {Data.ReportPeriod} period */
function begin({ number, name }, size) {
  return size.rows === WIDE.rows ? (BEGINS[number] ?? name) : `${number}.`;
}

// What the corrected clock does, and how far it moves lines.
/** @param {PageMatch} match */
function correction(match) {
  const off = match.comments.map(lateness).filter((seconds) => seconds !== null).sort((a, b) => a - b);
  const middle = off.length ? Math.round(off[off.length >> 1]) : null;
  const late = middle === null ? "" : Math.abs(middle) < 2 ? " The median line is on time." : ` The median line is ${Math.abs(middle)} s ${middle > 0 ? "later" : "earlier"} than that.`;
  return `Each linked line is shown at the time that the log gives for the action it describes.${late}`;
}

// The row of each kind: the kinds with most links have one each; the rest share the last row.
/** @param {PageMatch} match @param {number} maxRows */
function kindRows(match, maxRows) {
  const linked = match.kinds.map(() => 0);
  const all = match.kinds.map(() => 0);
  for (const event of match.events) {
    all[event.kind] += 1;
    linked[event.kind] += event.describedBy.length;
  }
  const order = match.kinds.map((_, kind) => kind).sort((a, b) => linked[b] - linked[a] || all[b] - all[a]);
  const own = order.length <= maxRows ? order : order.slice(0, maxRows - 1);
  const rowOf = match.kinds.map((_, kind) => (own.includes(kind) ? own.indexOf(kind) : own.length));
  const names = own.map((kind) => match.kinds[kind]);
  return { rowOf, names: order.length > own.length ? [...names, "Other"] : names };
}

class Strip {
  // `place` has the width of the strip, the position of the kick-off, and the pixels per second.
  /** @param {Timeline} timeline @param {Data.ReportPeriod} period */
  constructor(timeline, period, rows, place) {
    this.timeline = timeline;
    this.period = period;
    this.rows = rows;
    this.left = place.left;
    this.scale = place.scale;
    this.width = place.width;
    this.size = timeline.size;
    this.top = this.size.axis + this.size.tick + this.size.links; // where the rows of events begin
    this.height = this.top + rows.names.length * this.size.row + 6;
    const { match } = timeline;
    this.events = match.events.filter((event) => event.period === period.number);
    this.layer = draw("g");
    this.chosen = draw("g", { class: "chosen" });
    this.head = draw("path", { class: "playhead" });
    const label = `${period.name}: ${this.events.length} events in the log and the comments on them`;
    this.element = draw(
      "svg",
      { class: "strip", role: "img", "aria-label": label, width: this.width, height: this.height, viewBox: `0 0 ${this.width} ${this.height}` },
      ...this.frame(),
      this.layer,
      this.chosen,
      ...this.moments(),
      this.head,
    );
    this.element.addEventListener("click", (event) => {
      const item = this.find(event);
      if (item) timeline.pick(item);
    });
    this.element.addEventListener("pointermove", (event) => this.hover(event));
    this.element.addEventListener("pointerleave", () => timeline.say(""));
  }

  // The minutes, the names of the rows.
  frame() {
    const { period, rows, left, size } = this;
    const parts = [];
    const step = [5, 15].find((minutes) => minutes * 60 * this.scale > 34) ?? 45;
    for (let minute = 0; minute * 60 <= period.seconds; minute += step) {
      const x = this.x(minute * 60);
      parts.push(draw("path", { class: "grid", d: `M${x} ${size.minutes - 3}V${this.height - 4}` }));
      const begins = minute === 0 && period.number > 1; // the minute itself stands at the end of the period before
      if (minute && period.number > 1 && x - left < size.name) continue; // the name of the period stands there
      parts.push(draw("text", { class: begins ? "minute begins" : "minute", x, y: size.minutes - 6 }, begins ? begin(period, size) : `${period.minute + minute}′`));
    }
    if (left > size.left) {
      parts.push(draw("text", { class: "label", x: left - 12, y: size.axis + 10 }, "Comments"));
      rows.names.forEach((name, row) => {
        parts.push(draw("text", { class: "label", x: left - 12, y: this.top + row * size.row + 8 }, shorten(name)));
      });
    }
    return parts;
  }

  // Goals as balls and cards as cards, below the minutes.
  moments() {
    const { match } = this.timeline;
    const own = (match.moments ?? []).filter(({ event }) => match.events[event].period === this.period.number);
    return own.map((moment) => {
      const event = match.events[moment.event];
      const [x, y] = [this.x(event.time), this.size.minutes + this.size.moments / 2 - 2];
      const title = draw("title", {}, `${moment.clock} ${moment.kind}: ${moment.name}`);
      const shape = isGoal(moment)
        ? draw("circle", { cx: x, cy: y, r: 4.5 })
        : moment.kind === "missed penalty"
          ? draw("path", { d: `M${x - 3} ${y - 3}l6 6m0 -6l-6 6` })
          : draw("rect", { x: x - 2.5, y: y - 4, width: 5, height: 8, rx: 1 });
      return draw("g", { class: `moment ${moment.kind.replaceAll(" ", "-")} team${moment.side}` }, title, shape);
    });
  }

  moveHead(seconds) {
    if (seconds === null) this.head.removeAttribute("d");
    else this.head.setAttribute("d", `M${this.x(seconds)} ${this.size.minutes}V${this.height - 2}`);
  }

  x(seconds) {
    return Math.round((this.left + Math.max(seconds, 0) * this.scale) * 10) / 10;
  }

  /** @param {PageEvent} event */
  y(event) {
    return this.top + this.rows.rowOf[event.kind] * this.size.row;
  }

  // The position of a comment on this strip, or null.
  /** @param {PageComment} comment */
  commentX(comment) {
    const place = placeOf(comment, this.timeline.corrected);
    return place && place.period === this.period.number ? this.x(place.time) : null;
  }

  paint() {
    const { comments, events, match } = this.timeline;
    const paths = new Map();
    const add = (sort, line) => paths.set(sort, (paths.get(sort) ?? "") + line);
    for (const event of this.events) {
      const sort = !events.has(event) ? "dim" : event.describedBy.length ? `linked team${event.team ?? ""}` : "unlinked";
      add(sort, `M${this.x(event.time)} ${this.y(event)}v${this.size.mark}`);
    }
    for (const comment of match.comments) {
      const x = this.commentX(comment);
      if (x === null) continue;
      const shown = comments.has(comment);
      add(shown ? `tick ${comment.status}` : "tick dim", `M${x} ${this.size.axis}v${this.size.tick}`);
      for (const { event } of shown ? comment.links : []) {
        if (event.period === this.period.number) add("link", this.link(x, event));
      }
    }
    for (const comment of comments) {
      if (comment.phase?.period === this.period.number) add(`band team${comment.phase.team}`, this.band(comment.phase));
    }
    const order = ["dim", "tick dim", "band team0", "band team1", "link", "unlinked"];
    const sorts = [...paths.keys()].sort((a, b) => order.indexOf(b) - order.indexOf(a)).reverse();
    this.layer.replaceChildren(...sorts.map((sort) => draw("path", { class: sort, d: paths.get(sort) })));
  }

  // A phase: a band below the comments, of the second team below that of the first.
  /** @param {PagePhase} phase */
  band({ team, span }) {
    const y = this.size.axis + this.size.tick + 4 + 5 * team;
    return `M${this.x(span[0])} ${y}H${Math.max(this.x(span[1]), this.x(span[0]) + 2)}`;
  }

  link(x, event) {
    const [top, to, end] = [this.size.axis + this.size.tick, this.x(event.time), this.y(event)];
    const bend = this.top - 4;
    return `M${x} ${top}C${x} ${top + 16} ${to} ${bend - 16} ${to} ${bend}V${end}`;
  }

  // Show the selected comment with its links, or the selected event with the comments on it.
  /** @param {PageItem | null} item */
  mark(item) {
    const parts = [];
    /** @type {Array<[PageComment, PageEvent, number]>} */
    const pairs = item?.links
      ? item.links.map(({ event, tint }) => [item, event, tint])
      : (item?.describedBy ?? []).map(({ comment }) => [comment, item, comment.links.find((link) => link.event === item).tint]);
    for (const [comment, event, number] of pairs) {
      if (event.period !== this.period.number) continue;
      const [x, tint] = [this.commentX(comment), `tint${number % 6}`];
      if (x !== null) parts.push(draw("path", { class: `link ${tint}`, d: this.link(x, event) }));
      parts.push(draw("path", { class: `here ${tint}`, d: `M${this.x(event.time)} ${this.y(event) - 1}v${this.size.mark + 2}` }));
    }
    if (item?.phase?.period === this.period.number) {
      parts.push(draw("path", { class: `band here team${item.phase.team}`, d: this.band(item.phase) }));
    }
    if (item?.links) {
      const x = this.commentX(item);
      if (x !== null) parts.push(draw("path", { class: "here", d: `M${x} ${this.size.axis - 2}v${this.size.tick + 4}` }));
    } else if (item && item.period === this.period.number && !item.describedBy.length) {
      parts.push(draw("path", { class: "here", d: `M${this.x(item.time)} ${this.y(item) - 1}v${this.size.mark + 2}` }));
    }
    this.chosen.replaceChildren(...parts);
  }

  // The comment or event nearest to the pointer, of those that pass the filters.
  find({ clientX, clientY }) {
    const box = this.element.getBoundingClientRect();
    const [x, y] = [clientX - box.left, clientY - box.top];
    if (y < this.top - this.size.links / 2) {
      return nearest(this.timeline.comments, (comment) => this.commentX(comment), x);
    }
    const row = Math.floor((y - this.top) / this.size.row);
    const inRow = this.events.filter((event) => this.rows.rowOf[event.kind] === row && this.timeline.events.has(event));
    return nearest(inRow, (event) => this.x(event.time), x);
  }

  hover(pointer) {
    const item = this.find(pointer);
    this.element.classList.toggle("pointing", Boolean(item));
    if (!item) this.timeline.say("");
    else if (item.links) this.timeline.say(`${item.clock} ${item.text}`);
    else this.timeline.say(`${matchClock(this.period, item.time)} ${item.what}`);
  }
}

/** @template Item @param {Iterable<Item>} items @param {(item: Item) => number | null} place @param {number} x @returns {Item | null} */
function nearest(items, place, x) {
  let [best, distance] = [null, REACH];
  for (const item of items) {
    const at = place(item);
    if (at !== null && Math.abs(at - x) < distance) [best, distance] = [item, Math.abs(at - x)];
  }
  return best;
}

function shorten(name) {
  return name.length > 16 ? `${name.slice(0, 15)}…` : name;
}
