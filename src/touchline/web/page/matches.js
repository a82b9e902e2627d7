// The list of matches, with progress and actions for each.
import { byId, make } from "./report/dom.js";
import { fold } from "./report/match.js";
import { get, oneAtATime, path, post, remove } from "./api.js";
import { button, dialog } from "./dialog.js";
import { downloads } from "./files.js";

// The URL of a match's page, at a comment of it.
export function linkTo(match, comment) {
  const place = comment === undefined ? "" : `#${encodeURIComponent(JSON.stringify(comment))}`;
  return `/match/${encodeURIComponent(match)}${place}`;
}

export class Matches {
  constructor(box, showError, line, endedJobs) {
    this.box = box;
    this.showError = showError;
    this.endedJobs = endedJobs;
    this.items = new Map();
    this.titles = [];
    this.formats = [];
    this.wanted = new Set();
    this.timer = null;
    this.readWanted = oneAtATime(async () => {
      const names = [...this.wanted];
      this.wanted.clear();
      for (const one of names) await get(path("matches", one)).then((record) => this.put(record), () => null);
    }, line);
  }

  /** @param {Api.Match[]} records @param {string[]} formats */
  show(records, formats) {
    this.formats = formats;
    const before = this.items;
    this.titles = records.map(({ title }) => title);
    this.items = new Map(records.map((record) => [record.name, { record, element: this.item(record) }]));
    const restore = [...this.items].map(([name, { element }]) => carryOver(before.get(name)?.element, element));
    const none = make("li", { class: "empty soft" }, "There are no matches in this folder yet. Add a match log and its commentary to start.");
    this.none = records.length ? null : none;
    this.arrange();
    for (const act of restore) act();
  }

  // Show the matches that pass the filters, in the order that was asked for.
  arrange() {
    const [text, state, order] = ["title-filter", "state-filter", "sort"].map((id) => byId(id).value);
    const words = fold(text).split(/\s+/).filter(Boolean);
    const shown = [...this.items.values()].filter(({ record }) => passes(record, words, state));
    shown.sort((a, b) => ORDERS[order](a.record, b.record) || compare(a.record.title, b.record.title));
    const nothing = make("li", { class: "empty soft" }, "No matches pass these filters.");
    this.box.replaceChildren(...(this.none ? [this.none] : shown.length ? shown.map(({ element }) => element) : [nothing]));
    byId("shown").textContent = shown.length === this.items.size ? "" : `${shown.length} of ${this.items.size}`;
  }

  /** @param {Api.Match} record */
  put(record) {
    const item = this.items.get(record.name);
    if (!item) return;
    const element = this.item(record);
    const restore = carryOver(item.element, element);
    item.element.replaceWith(element);
    restore();
    this.items.set(record.name, { record, element });
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
    const item = this.items.get(job.match);
    if (!item || job.ended) return;
    const { element, record } = item;
    if (record.job?.id !== job.id) return this.put({ ...record, job });
    this.items.set(job.match, { element, record: { ...record, job } });
    move(element.querySelector(".bars .bar-line"), job.done, progressText(job));
  }

  /** @param {Api.Match} record */
  item(record) {
    const { name, title, state, comments, score } = record;
    if (this.endedJobs.has(record.job?.id)) return this.item({ ...record, job: null });
    return make(
      "li",
      { class: `match ${state}` },
      make("h3", {}, make("a", { href: linkTo(name) }, title), score ? make("span", { class: "result" }, score.replace("-", " – ")) : null),
      make("p", { class: "soft facts" }, this.isAmbiguous(title) ? `${name}: ` : "", facts(record)),
      make("div", { class: "bars" }, ...alignment(record), ...record.annotators.map((person) => labelling(person, comments))),
      this.tools(record),
    );
  }

  // Two matches may have the same title; then their names are shown too.
  isAmbiguous(title) {
    return this.titles.filter((other) => other === title).length > 1;
  }

  tools(record) {
    const { name, job, uploaded } = record;
    const attempt = (act) => () => act().then(() => this.read(name), this.showError);
    return make(
      "div",
      { class: "match-tools" },
      record.state === "ready" ? make("details", {}, make("summary", {}, "Download"), downloads(name, this.formats)) : null,
      job
        ? button("Cancel", attempt(() => remove(path("jobs", job.id))))
        : button(record.state === "ready" ? "Align again" : "Align", attempt(() => post(`${path("matches", name)}/align`)), { "aria-label": `Align ${record.title}` }),
      uploaded && !job ? button("Delete", () => this.askDelete(record), { "aria-label": `Delete ${record.title}` }) : null,
    );
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

// What the list can be ordered by.
const ORDERS = {
  title: () => 0,
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
  const text = fold(`${record.title} ${record.name} ${record.score ?? ""}`);
  if (!words.every((word) => text.includes(word.replace("–", "-")))) return false;
  if (state === "begun") return labelled(record) > 0;
  if (state === "unlabelled") return labelled(record) <= 0;
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
  if (state === "failed" && !job) return problem;
  if (state !== "ready") return job ? "Not aligned yet" : "Not aligned";
  const when = aligned ? `, ${new Date(aligned).toLocaleDateString("en-GB", { day: "numeric", month: "short", year: "numeric" })}` : "";
  return `${comments} comments, ${linked} linked · ${events.toLocaleString("en")} events · ${method}${when}`;
}

/** @param {Api.Match} record */
function alignment({ job }) {
  if (!job) return [];
  return [bar("Alignment", job.done, progressText(job))];
}

// The progress of a job, in words.
/** @param {Api.Job} job */
export function progressText({ state, stage, done }) {
  return `${state === "waiting" ? "waiting" : stage} ${Math.round(100 * done)} %`;
}

/** @param {Api.Progress} annotator @param {number | null} comments */
function labelling({ name, done, unsure }, comments) {
  return bar(name, done / Math.max(comments ?? 1, 1), `${done} of ${comments ?? "?"}${unsure ? `, ${unsure} unsure` : ""}`);
}

// Update an existing bar.
export function move(line, share, text) {
  line.querySelector("progress").value = share;
  line.lastElementChild.textContent = text;
}

export function bar(label, share, text) {
  return make("div", { class: "bar-line" }, make("span", { class: "who" }, label), make("progress", { max: 1, value: share, "aria-label": label }), make("span", { class: "soft" }, text));
}
