// Deciding about lines on which annotators disagree: the text, all answers side by side, and a choice.
import { make } from "./report/dom.js";
import { matchClock } from "./report/clock.js";
import { pitch } from "./report/pitch.js";
import { get, path, post } from "./api.js";
import { button, dialog } from "./dialog.js";
import { options } from "./options.js";

const GONE = "an event that is no longer in the log";
export const GOLD = "gold"; // the annotator of adjudicated labels

export class Adjudication {
  // `labelling` has the match, the annotator who decides, and the page; `goTo(comment)` opens a line.
  constructor(labelling, goTo) {
    this.labelling = labelling;
    this.match = labelling.match;
    this.goTo = goTo;
    this.place = 0;
    this.another = false; // whether another answer is being made
    this.problem = "";
    this.turn = Promise.resolve(); // the last key
  }

  async open() {
    const { disagreements } = await get(`${path("matches", this.labelling.name)}/disagreements`);
    /** @type {Api.Disagreement[]} */
    this.all = disagreements.filter(({ comment }) => this.match.commentOf.has(comment));
    this.place = Math.max(this.all.findIndex(({ adjudicated }) => !adjudicated), 0);
    this.box = make("div", { class: "adjudication", tabindex: -1 });
    const keys = (event) => {
      if (this.key(event)) event.preventDefault();
    };
    const done = dialog("Disagreements", (close) => {
      this.close = close;
      this.show();
      return [this.box];
    });
    const shell = this.box.closest("dialog");
    shell.classList.add("wide");
    shell.addEventListener("keydown", keys);
    this.box.focus();
    shell.scrollTop = 0; // the title is in sight
    await done;
  }

  get here() {
    return this.all[this.place];
  }

  get comment() {
    return this.match.commentOf.get(this.here.comment);
  }

  // The events of all answers, and what was decided, each with the colour of its place.
  get events() {
    const ids = [...this.here.answers.flatMap(({ events }) => events), ...(this.here.adjudicated?.events ?? [])];
    return [...new Set(ids)].map((id) => this.match.eventOf.get(id)).filter(Boolean).sort((a, b) => a.index - b.index);
  }

  // Whether it is a key of this dialog. Each takes effect when the one before has, also on the server.
  key({ key, target, ctrlKey, metaKey, altKey }) {
    if (!this.all.length || ctrlKey || metaKey || altKey || target.matches("input, select")) return false;
    const act = /^[1-9]$/.test(key)
      ? () => this.choose(Number(key))
      : { j: () => this.move(1), k: () => this.move(-1), 0: () => this.decide([]), a: () => this.make(), x: () => this.decide(null), o: () => this.openLine() }[key];
    if (act) this.turn = this.turn.then(act);
    return Boolean(act);
  }

  /** @param {number} number */
  async choose(number) {
    const answer = this.here.answers[number - 1];
    if (answer) await this.decide([...answer.events]);
  }

  move(by) {
    this.another = false;
    this.place = Math.min(Math.max(this.place + by, 0), this.all.length - 1);
    this.show();
  }

  openLine() {
    this.close();
    this.goTo(this.here.comment);
  }

  make() {
    this.another = !this.another;
    this.show();
    this.box.querySelector("input")?.focus();
  }

  // Store a decision, or take it back (null); then the next line without one.
  /** @param {string[] | null} events */
  async decide(events) {
    const { here } = this;
    if (events === null && !here.adjudicated) return;
    this.problem = "";
    try {
      const { label } = await post(`${path("matches", this.labelling.name)}/adjudications`, {
        comment: here.comment, revision: here.adjudicated?.revision ?? 0, by: this.labelling.labels.annotator, events,
      });
      here.adjudicated = label.revision ? label : null;
    } catch (error) {
      this.problem = error.message;
      if (error.code === "conflict") here.adjudicated = error.details.label ?? null;
    }
    this.another = false;
    const next = this.all.findIndex(({ adjudicated }, place) => place > this.place && !adjudicated);
    if (events !== null && !this.problem && next > 0) this.place = next;
    this.show();
    this.box.focus();
  }

  show() {
    if (!this.all.length) {
      this.box.replaceChildren(make("p", {}, "No disagreements: wherever several people have finished a line, they chose the same events."));
      return;
    }
    const { comment, events } = this;
    const tints = new Map(events.map((event, tint) => [event.id, tint]));
    const drawn = events.map((event, tint) => ({ event, tint, label: String.fromCharCode(65 + tint) }));
    this.box.replaceChildren(...[
      this.head(),
      make("p", { class: "when" }, make("strong", {}, comment.clock), button("Open the line", () => this.openLine(), { class: "link", title: "o" })),
      make("blockquote", { class: "quote", dir: "auto" }, comment.text),
      events.some(({ at }) => at) ? pitch(this.match, drawn) : null,
      make("div", { class: "answers" }, ...this.here.answers.map((answer, place) => this.answer(answer, place, tints))),
      this.verdict(),
      this.another ? this.form(events) : null,
      this.problem ? make("p", { class: "problem", role: "alert" }, this.problem) : null,
    ].filter(Boolean));
  }

  head() {
    const decided = this.all.filter(({ adjudicated }) => adjudicated).length;
    return make(
      "p",
      { class: "adjudication-head" },
      button(["Previous", hint("k")], () => this.move(-1), { disabled: this.place === 0 }),
      make("span", { role: "status" }, make("strong", {}, `Line ${this.place + 1} of ${this.all.length}`), make("span", { class: "soft" }, `, ${decided} decided`)),
      button(["Next", hint("j")], () => this.move(1), { disabled: this.place === this.all.length - 1 }),
    );
  }

  /** @param {Api.AnswerOf} answer @param {number} place @param {Map<string, number>} tints */
  answer({ annotators, events }, place, tints) {
    const chosen = same(this.here.adjudicated?.events, events);
    return make(
      "section",
      { class: `answer${chosen ? " chosen" : ""}`, "aria-label": `Answer of ${annotators.join(", ")}` },
      make("h3", {}, annotators.join(", ")),
      this.list(events, tints),
      button(chosen ? "Chosen" : ["Choose", hint(String(place + 1))], () => this.decide([...events]), { class: chosen ? "" : "main", "aria-pressed": String(chosen) }),
    );
  }

  list(ids, tints) {
    if (!ids.length) return make("p", { class: "soft" }, "No event");
    const item = (event) => make(
      "li",
      {},
      make("span", { class: `badge tint${tints.get(event.id) % 6}` }, String.fromCharCode(65 + tints.get(event.id))),
      make("span", { class: "what" }, make("bdi", {}, event.what), make("small", { class: "soft" }, matchClock(this.match.periods.get(event.period), event.time))),
    );
    const events = ids.map((id) => this.match.eventOf.get(id));
    return make("ul", { class: "answer-events" }, ...events.map((event) => event ? item(event) : make("li", { class: "soft" }, GONE)));
  }

  // What was decided, and what else can be.
  verdict() {
    const { adjudicated, answers } = this.here;
    const own = adjudicated && !answers.some(({ events }) => same(adjudicated.events, events));
    const text = !adjudicated ? "No decision on this line yet." : `Decided by ${adjudicated.by}: ${own ? named(this.match, adjudicated.events) : "as chosen above"}.`;
    return make(
      "div",
      { class: "verdict-line" },
      make("p", { class: adjudicated ? "decided" : "soft", role: "status" }, text),
      make(
        "p",
        { class: "buttons" },
        adjudicated ? button(["Take back", hint("x")], () => this.decide(null)) : null,
        answers.some(({ events }) => !events.length) ? null : button(["No event", hint("0")], () => this.decide([])),
        button(["Another answer", hint("a")], () => this.make(), { "aria-expanded": String(this.another) }),
      ),
    );
  }

  // Another answer: any of the events that the line may describe.
  /** @param {PageEvent[]} events */
  form(events) {
    const ids = events.map(({ id }) => id);
    const choices = options(this.match, this.comment, { events: ids, rejected: [] }).map(({ event }) => event).sort((a, b) => a.index - b.index);
    const on = new Set(this.here.adjudicated?.events ?? []);
    const box = (event) => make("label", { class: "choice" }, make("input", { type: "checkbox", value: event.id, checked: on.has(event.id) }), make("span", { class: "what" }, make("bdi", {}, event.what), make("small", { class: "soft" }, matchClock(this.match.periods.get(event.period), event.time))));
    const list = make("div", { class: "choices", role: "group", "aria-label": "Events of the line" }, ...choices.map(box));
    const save = (event) => {
      event.preventDefault();
      this.decide([...list.querySelectorAll("input")].filter(({ checked }) => checked).map(({ value }) => value));
    };
    return make("form", { class: "another", on: { submit: save } }, list, make("p", { class: "buttons" }, make("button", { class: "main" }, "Save this answer")));
  }
}

function hint(key) {
  return make("kbd", { "aria-hidden": "true" }, key);
}

function same(one, other) {
  return one !== undefined && one.length === other.length && one.every((id) => other.includes(id));
}

/** @param {PageMatch} match @param {string[]} ids */
function named(match, ids) {
  return ids.length ? ids.map((id) => match.eventOf.get(id)?.what ?? GONE).join(" + ") : "no event";
}
