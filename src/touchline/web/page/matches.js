// The list of matches, with progress and actions for each.
import { byId, make, sentence } from "./report/dom.js";
import { fold } from "./report/match.js";
import { get, oneAtATime, path, post, remove } from "./api.js";
import { button, dialog } from "./dialog.js";
import { downloads } from "./files.js";
import { VirtualList } from "./virtual.js";

const KEPT = "touchline.list";
const EMPTY_FOLDER = "There are no matches in this folder yet. Add match logs and their commentary to start: drop the files anywhere on this page.";
const EMPTY_DATASET = "The data set has no matches, or the first is still being read.";

// The URL of a match's page, at a comment of it.
export function linkTo(match, comment) {
  const place = comment === undefined ? "" : `#${encodeURIComponent(JSON.stringify(comment))}`;
  return `/match/${encodeURIComponent(match)}${place}`;
}

const CONTROLS = ["title-filter", "state-filter", "sort"];

export class Matches {
  constructor(box, showError, line, endedJobs) {
    this.box = box;
    this.list = new VirtualList(box);
    this.showError = showError;
    this.endedJobs = endedJobs;
    /** @type {Map<string, Api.Match>} */
    this.records = new Map();
    this.titles = new Map();
    this.formats = [];
    this.readOnly = false;
    this.wanted = new Set();
    this.timer = null;
    this.readWanted = oneAtATime(async () => {
      const names = [...this.wanted];
      this.wanted.clear();
      for (const one of names) await get(path("matches", one)).then((record) => this.put(record), () => null);
    }, line);
    this.restoreControls();
    for (const id of CONTROLS) byId(id).addEventListener("input", () => this.arrange());
    byId("direction").addEventListener("click", () => {
      byId("direction").setAttribute("aria-pressed", String(!this.reversed));
      this.arrange();
    });
    box.addEventListener("keydown", (event) => this.press(event));
    byId("title-filter").addEventListener("keydown", (event) => {
      if (event.key !== "ArrowDown") return;
      event.preventDefault();
      this.list.step(undefined, 1);
    });
  }

  get reversed() {
    return byId("direction").getAttribute("aria-pressed") === "true";
  }

  // The order and the filters survive a visit to a match.
  restoreControls() {
    const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "{}");
    for (const id of CONTROLS) if (kept[id]) byId(id).value = kept[id];
    byId("direction").setAttribute("aria-pressed", String(Boolean(kept.reversed)));
  }

  // Arrow keys go from match to match, `/` and `f` to the two search fields.
  /** @param {KeyboardEvent} event */
  press(event) {
    const by = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1, PageDown: 8, PageUp: -8, Home: -1e9, End: 1e9 }[event.key];
    const row = /** @type {Element} */ (event.target).closest(".match");
    if (!by || !row || row.querySelector("details[open]")?.contains(/** @type {Node} */ (event.target))) return;
    event.preventDefault();
    this.list.step(/** @type {HTMLElement} */ (row).dataset.name, by);
  }

  /** @param {Api.Match[]} records @param {string[]} formats @param {boolean} readOnly */
  show(records, formats, readOnly) {
    this.formats = formats;
    this.readOnly = readOnly;
    this.titles = new Map();
    for (const { title } of records) this.titles.set(title, (this.titles.get(title) ?? 0) + 1);
    const before = this.records;
    this.records = new Map(records.map((record) => [record.name, record]));
    for (const record of records) {
      if (before.has(record.name)) this.put(record);
    }
    this.arrange();
  }

  // Show the matches that pass the filters, in the order that was asked for.
  arrange() {
    const [text, state, order] = CONTROLS.map((id) => byId(id).value);
    sessionStorage.setItem(KEPT, JSON.stringify({ ...Object.fromEntries(CONTROLS.map((id) => [id, byId(id).value])), reversed: this.reversed }));
    const words = fold(text).split(/\s+/).filter(Boolean);
    const shown = [...this.records.values()].filter((record) => passes(record, words, state));
    const turn = this.reversed ? -1 : 1;
    shown.sort((a, b) => turn * ORDERS[order](a, b) || compare(a.title, b.title) || compare(a.name, b.name));
    byId("no-matches").hidden = shown.length > 0;
    document.body.classList.toggle("without-matches", !this.records.size);
    byId("no-matches").textContent = this.records.size ? "No matches pass these filters." : this.readOnly ? EMPTY_DATASET : EMPTY_FOLDER;
    this.box.hidden = !shown.length;
    byId("list-head").hidden = !this.records.size;
    this.list.show(shown.map(({ name }) => name), (name) => this.item(this.records.get(name)));
    byId("shown").textContent = shown.length === this.records.size ? "" : `${shown.length} of ${this.records.size}`;
  }

  /** @param {Api.Match} record */
  put(record) {
    if (!this.records.has(record.name)) return;
    this.records.set(record.name, record);
    const old = this.list.row(record.name);
    if (!old) return;
    const element = this.item(record);
    const restore = carryOver(old, element);
    this.list.replace(record.name, element);
    restore();
  }

  // Read one match again after a moment: there may be many labels per second.
  read(name) {
    this.wanted.add(name);
    this.timer ??= setTimeout(() => {
      this.timer = null;
      this.readWanted();
    }, 300);
  }

  /** @param {Api.Job} job */
  receive(job) {
    const record = this.records.get(job.match);
    if (!record || job.ended) return;
    if (record.job?.id !== job.id) return this.put({ ...record, job });
    this.records.set(job.match, { ...record, job });
    const bar = this.list.row(job.match)?.querySelector(".bars .bar-line");
    if (bar) move(bar, job.done, progressText(job));
  }

  /** @param {Api.Match} record */
  item(record) {
    const { name, title, state, score, date } = record;
    if (this.endedJobs.has(record.job?.id)) return this.item({ ...record, job: null });
    return make(
      "li",
      { class: `match ${state}`, "data-name": name },
      make("h3", {}, make("a", { href: linkTo(name), title }, make("bdi", {}, title)), score ? make("span", { class: "result" }, score.replace("-", " – ")) : null),
      make("p", { class: "soft facts", title: state === "failed" ? record.problem : null }, date ? make("span", { class: "date" }, day(date)) : null, this.titles.get(title) > 1 ? `${name}: ` : "", ...facts(record)),
      make("div", { class: "bars" }, ...(record.job ? [bar("Alignment", record.job.done, progressText(record.job))] : labelling(record))),
      this.tools(record),
    );
  }

  tools(record) {
    const ready = record.state === "ready";
    return make(
      "div",
      { class: "match-tools" },
      ready ? make("details", {}, make("summary", { "aria-label": `Download ${record.title}` }, "Download"), downloads(record.name, this.formats)) : null,
      ...(this.readOnly ? [] : this.changes(record)),
    );
  }

  // What changes a match; there is nothing of that in a data set.
  changes(record) {
    const { name, job, uploaded } = record;
    const attempt = (act) => () => act().then(() => this.read(name), this.showError);
    return [
      job
        ? button("Cancel", attempt(() => remove(path("jobs", job.id))))
        : button(record.state === "ready" ? "Align again" : "Align", attempt(() => post(`${path("matches", name)}/align`)), { "aria-label": `Align ${record.title}` }),
      uploaded && !job ? button("Delete", () => this.askDelete(record), { "aria-label": `Delete ${record.title}` }) : null,
    ];
  }

  /** @param {Api.Match} record */
  askDelete({ name, title }) {
    dialog(`Delete ${title}?`, (close) => [
      make("p", {}, "This permanently deletes the match: its files, its links and everybody’s labels. It cannot be undone."),
      make("p", { class: "buttons" }, button("Cancel", close), button("Delete", () => {
        close();
        remove(path("matches", name)).catch(this.showError);
      }, { class: "danger" })),
    ]);
  }
}

// What the list can be ordered by; a match without a value comes last.
const ORDERS = {
  title: (a, b) => compare(a.title, b.title),
  date: (a, b) => compare(b.date ?? "", a.date ?? ""),
  aligned: (a, b) => compare(b.aligned ?? "", a.aligned ?? ""),
  goals: (a, b) => goals(b) - goals(a),
  linked: (a, b) => share(b.linked, b.comments) - share(a.linked, a.comments),
  progress: (a, b) => labelled(b) - labelled(a),
};

function compare(one, other) {
  return one.localeCompare(other, "en");
}

/** @param {Api.Match} record */
function goals({ score }) {
  return score ? score.split("-").reduce((sum, number) => sum + Number(number), 0) : -1;
}

function share(part, whole) {
  return part === null || !whole ? -1 : part / whole;
}

// How much of a match its busiest annotator has done.
/** @param {Api.Match} record */
function labelled({ annotators, comments }) {
  return Math.max(0, ...annotators.map(({ done }) => share(done, comments)));
}

/** @param {Api.Match} record @param {string[]} words @param {string} state */
function passes(record, words, state) {
  const text = fold(`${record.title} ${record.name} ${record.score ?? ""} ${record.date ?? ""} ${record.date ? day(record.date) : ""}`);
  if (!words.every((word) => text.includes(word.replace("–", "-")))) return false;
  if (state === "begun") return labelled(record) > 0;
  if (state === "unlabelled") return labelled(record) <= 0;
  if (state === "labelled") return labelled(record) >= 1;
  if (state === "busy") return record.job !== null;
  return !state || record.state === state;
}

// Keeps what is open and focused in a match when its element is replaced.
function carryOver(old, element) {
  const focused = old ? focusable(old).indexOf(document.activeElement) : -1;
  const open = old?.querySelector("details")?.open;
  return () => {
    if (open && element.querySelector("details")) element.querySelector("details").open = true;
    if (focused >= 0) focusable(element)[focused]?.focus();
  };
}

function focusable(element) {
  return [...element.querySelectorAll("a, button, summary")];
}

/** @param {Api.Match} record */
function facts({ state, problem, comments, linked, events, method, aligned, job }) {
  if (state === "failed" && !job) return [sentence(problem)];
  if (state !== "ready") return [job ? "Not aligned yet" : "Not aligned"];
  const when = aligned ? `, ${day(aligned.slice(0, 10))}` : "";
  const how = make("span", { class: "how" }, ` · ${method}${when}`);
  return [`${comments} comments, ${linked} linked · ${events.toLocaleString("en")} events`, how];
}

// The progress of a job, in words.
/** @param {Api.Job} job */
export function progressText({ state, stage, done }) {
  return `${state === "waiting" ? "waiting" : stage} ${Math.round(100 * done)} %`;
}

// The two who have labelled most of a match; the others are counted.
/** @param {Api.Match} record */
function labelling({ annotators, comments }) {
  const [first, second, ...others] = [...annotators].sort((a, b) => b.done - a.done);
  const line = (/** @type {Api.Progress} */ { name, done, unsure }, more = 0) => bar(more ? `${name} and ${more} more` : name, done / Math.max(comments ?? 1, 1), `${done} of ${comments ?? "?"}${unsure ? `, ${unsure} unsure` : ""}`);
  return [...(first ? [line(first)] : []), ...(second ? [line(second, others.length)] : [])];
}

function day(date) {
  return new Date(`${date}T00:00:00`).toLocaleDateString("en-GB", { day: "numeric", month: "short", year: "numeric" });
}

// Update an existing bar.
export function move(line, share, text) {
  line.querySelector("progress").value = share;
  line.lastElementChild.textContent = text;
}

export function bar(label, share, text) {
  return make("div", { class: "bar-line" }, make("span", { class: "who" }, label), make("progress", { max: 1, value: share, "aria-label": label }), make("span", { class: "soft" }, text));
}
