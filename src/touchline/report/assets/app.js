// The page: the selection, the filters, and the parts that show them.
import { byId, make, sentence } from "./dom.js";
import { prepare } from "./match.js";
import { EVERYTHING, isOpen, pickComments, pickEvents } from "./filters.js";
import { VirtualList } from "./list.js";
import { commentRow, eventRow, guessComment, guessEvent } from "./rows.js";
import { Timeline } from "./timeline.js";
import { commentDetail, eventDetail } from "./detail.js";
import { lineOn, overview, scoreboard } from "./scoreboard.js";
import { Playback } from "./play.js";
import { moveBall } from "./pitch.js";
import { listen } from "./keys.js";
import { printable } from "./print.js";

const GENERATED = "generate"; // the method of commentary that was made from the log

export function open(report) {
  new App(report).start();
}

// How a page that is only read responds. Labelling has its own class with these methods.
class ReadOnlyMode {
  // An item was clicked: true if that was handled and it should not be selected.
  handlesPick(_item) {
    return false;
  }

  // A key that the page itself does not use: true if it was handled here.
  key(_name) {
    return false;
  }

  // Esc: true if there was something to leave.
  leave() {
    return false;
  }

  // True if the action has to wait, and will be taken later.
  defer(_act) {
    return false;
  }

  arrange(comments) {
    return comments;
  }

  row(_comment, element) {
    return element;
  }

  // The details of the selected comment or event.
  /** @param {PageMatch} match @param {PageItem} item */
  detail(match, item, pick) {
    return item.links ? commentDetail(match, item, pick) : eventDetail(match, item, pick);
  }

  selected(_item) {}
}

export class App {
  constructor(report, mode = new ReadOnlyMode()) {
    /** @type {Data.Report} */
    this.report = report;
    this.mode = mode;
    this.filter = { ...EVERYTHING };
    /** @type {PageItem | null} */
    this.selected = null;
    this.pick = (item) => {
      this.playback.pause();
      if (!this.mode.handlesPick(item)) this.select(item);
    };
    this.timeline = new Timeline(byId("timeline"), this.pick);
    this.feed = new VirtualList(byId("feed"), {
      label: "Commentary", row: (comment) => mode.row(comment, commentRow(this.match, comment)), guess: guessComment, pick: this.pick,
    });
    this.log = new VirtualList(byId("log"), {
      label: "Match log", row: (event) => eventRow(this.match, event), guess: guessEvent, pick: this.pick,
    });
    this.playback = new Playback(this);
  }

  start() {
    this.listenToForm();
    // Keys take effect in the order in which they were pressed, also those that have to wait.
    const inOrder = (act) => this.mode.defer(act) || act();
    listen({
      step: (by) => inOrder(() => this.step(by)), view: (name) => inOrder(() => this.view(name)), leave: () => inOrder(() => this.leave()),
      more: (key) => this.playback.key(key) || this.mode.key(key),
    });
    printable(() => ({ match: this.match, comments: this.comments }));
    const { touchline, method, matches } = this.report;
    byId("made").textContent = `Made by touchline ${touchline}, method ${method}.`;
    byId("match").append(...matches.map((match, number) => make("option", { value: number }, match.title)));
    byId("match").hidden = matches.length < 2;
    this.show(0);
  }

  listenToForm() {
    const on = (id, event, act) => byId(id).addEventListener(event, act);
    on("filters", "submit", (event) => event.preventDefault());
    on("search", "input", (event) => this.refilter({ words: event.target.value }));
    on("status", "change", (event) => this.refilter({ status: event.target.value }));
    on("player", "change", (event) => this.refilter({ player: numberOf(event.target.value) }));
    on("kind", "change", (event) => this.refilter({ kind: numberOf(event.target.value) }));
    on("clear", "click", () => this.clear());
    on("match", "change", (event) => this.show(Number(event.target.value)));
    on("show-feed", "click", () => this.view("feed"));
    on("show-log", "click", () => this.view("log"));
    on("show-glance", "click", () => this.view("glance"));
    on("theme", "click", toggleTheme);
  }

  // Show one of the report's matches.
  show(number) {
    this.match = prepare(this.report.matches[number], this.report.method === GENERATED);
    byId("title").textContent = this.match.title;
    byId("scoreboard").hidden = !scoreboard(this.match, byId("scoreboard"), (event) => this.pick(lineOn(event)));
    byId("title").classList.toggle("visually-hidden", !byId("scoreboard").hidden);
    byId("summary").textContent = summary(this.match);
    byId("warnings").replaceChildren(...(this.match.warnings ?? []).map((warning) => make("li", {}, sentence(warning))));
    byId("warnings").hidden = !this.match.warnings?.length;
    byId("questioned").hidden = !this.match.checked;
    byId("player").replaceChildren(...playerOptions(this.match));
    byId("kind").replaceChildren(...kindOptions(this.match));
    this.selected = null;
    this.feed.forget();
    this.log.forget();
    this.timeline.comments = null;
    this.timeline.select(null);
    this.timeline.open(this.match);
    this.playback.open(this.match);
    this.clear();
    this.detail();
  }

  clear() {
    for (const id of ["search", "status", "player", "kind"]) byId(id).value = "";
    this.refilter({ ...EVERYTHING });
  }

  refilter(change) {
    Object.assign(this.filter, change);
    this.comments = this.mode.arrange(pickComments(this.match, this.filter));
    this.events = pickEvents(this.match, this.filter);
    this.feed.setItems(this.comments);
    this.log.setItems(this.events);
    this.timeline.show(this.comments, this.events);
    byId("clear").hidden = isOpen(this.filter);
    this.count("feed", this.comments.length, this.match.comments.length);
    this.count("log", this.events.length, this.match.events.length);
    if (!isOpen(this.filter)) {
      byId("announcement").textContent = `${this.comments.length} comments, ${this.events.length} events`;
    }
  }

  count(list, shown, all) {
    const text = shown === all ? grouped(all) : `${grouped(shown)} of ${grouped(all)}`;
    byId(`${list}-title`).querySelector("span").textContent = text;
    byId(`show-${list}`).querySelector("span").textContent = text;
    byId(list).classList.toggle("bare", shown === 0);
  }

  select(item) {
    this.selected = item;
    this.mode.selected(item);
    const [comment, event] = [item?.links ? item : null, item?.describedBy ? item : null];
    this.feed.select(comment);
    this.log.select(event);
    this.relate();
    if (comment) this.feed.reveal(comment);
    if (event) this.log.reveal(event);
    this.timeline.select(item);
    this.detail();
  }

  // Show what playing has come to; the ball sets out from where it is.
  /** @param {PageItem} item */
  play(item) {
    this.ballFrom = this.ballAt;
    this.select(item);
  }

  // Move the ball on the pitch of the selected line, a share of its way.
  ball(share) {
    const drawn = byId("detail").querySelector(".pitch");
    if (drawn && this.selected?.links) this.ballAt = moveBall(drawn, this.selected.links.map(({ event }) => event), share, this.ballFrom) ?? this.ballAt;
  }

  // Mark in each list what belongs to the selection in the other.
  relate() {
    this.feed.relate((this.selected?.describedBy ?? []).map((link) => link.comment));
    this.log.relate((this.selected?.links ?? []).map((link) => link.event));
  }

  detail() {
    const { match, selected } = this;
    const parts = selected ? this.mode.detail(match, selected, this.pick) : overview(match, this.pick);
    const close = make("button", { type: "button", class: "close", "aria-label": "Close", on: { click: () => this.select(null) } }, "×");
    const panel = byId("detail");
    const top = this.detailed === selected ? panel.scrollTop : 0;
    const focused = this.detailed === selected && panel.contains(document.activeElement) ? document.activeElement.getAttribute("name") : "";
    this.detailed = selected;
    panel.classList.toggle("filled", Boolean(selected));
    panel.replaceChildren(...(selected ? [close] : []), ...parts.filter(Boolean));
    panel.scrollTop = top;
    const again = focused ? panel.querySelector(`[name="${focused}"]`) : null;
    if (again instanceof HTMLElement) again.focus({ preventScroll: true }); // for those who move by Tab
  }

  // Comments have changed; with `relinked`, also their events.
  changed(comments, relinked) {
    this.feed.refresh(comments);
    if (relinked) {
      this.log.refresh([...this.log.shown.keys()]);
      byId("summary").textContent = summary(this.match);
      this.relate();
      this.timeline.paint();
    }
    if (comments.includes(this.selected) || this.selected?.describedBy) this.detail();
  }

  view(name) {
    byId("columns").dataset.view = name;
    for (const one of ["feed", "log", "glance"]) byId(`show-${one}`).setAttribute("aria-pressed", String(name === one));
    byId(name === "glance" ? "detail" : name).focus({ preventScroll: true });
  }

  // Move the selection through the visible list.
  step(by) {
    this.playback.pause();
    const name = byId("columns").dataset.view === "log" ? "log" : "feed";
    const list = this[name];
    const place = list.places.get(this.selected);
    const last = list.items.length - 1;
    if (last < 0) return;
    const next = place === undefined ? (by === Infinity ? last : 0) : Math.min(Math.max(place + by, 0), last);
    this.select(list.items[next]);
    byId(name).focus({ preventScroll: true });
  }

  leave() {
    if (document.activeElement === byId("search")) byId("search").blur();
    else if (this.mode.leave()) return;
    else if (this.selected) this.select(null);
    else this.clear();
  }
}

function numberOf(value) {
  return value === "" ? null : Number(value);
}

function grouped(number) {
  return number.toLocaleString("en");
}

/** @param {PageMatch} match */
function summary(match) {
  const linked = match.comments.filter((comment) => comment.links.length).length;
  const described = match.events.filter((event) => event.describedBy.length).length;
  return `${grouped(linked)} of ${grouped(match.comments.length)} comments linked · ${grouped(described)} of ${grouped(match.events.length)} events described`;
}

/** @param {PageMatch} match */
function playerOptions(match) {
  const groups = [...match.teams, "Others"].map((team, number) => {
    const players = match.players.map((player, index) => ({ ...player, index }))
      .filter((player) => (player.team ?? match.teams.length) === number)
      .sort((a, b) => a.name.localeCompare(b.name));
    const options = players.map((player) => make("option", { value: player.index }, player.name));
    return options.length ? make("optgroup", { label: team }, ...options) : null;
  });
  return [make("option", { value: "" }, "Any player"), ...groups.filter(Boolean)];
}

/** @param {PageMatch} match */
function kindOptions(match) {
  const kinds = match.kinds.map((kind, index) => ({ kind, index })).sort((a, b) => a.kind.localeCompare(b.kind));
  return [make("option", { value: "" }, "Any event"), ...kinds.map(({ kind, index }) => make("option", { value: index }, kind))];
}

function toggleTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
}
