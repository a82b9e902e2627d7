// The bar above a match: who labels, how far they are, what is saved, and the tools of the desk.
import { byId, make } from "./report/dom.js";
import { showAgreement } from "./agreement.js";
import { button } from "./dialog.js";
import { showFiles } from "./files.js";

const HELP = [
  [["Enter"], "accept what is proposed, next line"],
  [["1–9"], "take this event in or out"],
  [["y", "n"], "accept, reject the marked event"],
  [["h", "l"], "mark another event"],
  [["0"], "no event, next line"],
  [["a"], "add events from the log or timeline"],
  [["u"], "unsure"],
  [["w"], "write a note"],
  [["x"], "clear the label"],
  [["z", "Z"], "undo, redo"],
  [["g"], "go to the most uncertain line"],
];
const SHOWN = [["to-label", "To label"], ["labelled", "Labelled"], ["doubted", "Unsure, by you"], ["differs", "Others differ"]];

export class DeskBar {
  constructor(desk) {
    Object.assign(this, { desk, complaint: "" });
    this.who = button("", () => desk.ask(), { class: "who-labels", title: "Label as somebody else" });
    this.progress = make("progress", { "aria-label": "Lines labelled", max: 1, value: 0 });
    this.far = make("span", { class: "soft", id: "far" });
    this.state = make("span", { class: "save-state", id: "save-state", role: "status" });
    this.refused = button("", () => this.showRefused(), { class: "problem-button", hidden: true });
    this.undo = button([named("↶", "Undo"), make("kbd", { "aria-hidden": "true" }, "z")], () => desk.hands.step("undo"), { id: "undo", "aria-label": "Undo" });
    this.redo = button([named("↷", "Redo"), make("kbd", { "aria-hidden": "true" }, "Z")], () => desk.hands.step("redo"), { id: "redo", "aria-label": "Redo" });
    this.tools = make(
      "span",
      { class: "own-tools" },
      this.undo,
      this.redo,
      this.order(),
      button("Agreement", () => showAgreement(desk.name, (comment) => this.goTo(comment)), { id: "agreement" }),
    );
    const files = button("Files", () => showFiles(desk), { id: "files" });
    const bar = make(
      "section",
      { class: "deskbar", "aria-label": "Labelling" },
      make("span", { class: "desk-who" }, this.who, this.progress, this.far, this.state, this.refused),
      make("span", { class: "desk-tools" }, this.tools, files),
    );
    document.querySelector("main").prepend(bar);
    byId("status").append(make("optgroup", { label: "Labels" }, ...SHOWN.map(([value, text]) => make("option", { value }, text))));
    document.querySelector("#help .keys").append(...HELP.map(([keys, text]) => helpLine(keys, text)));
  }

  order() {
    const change = (event) => {
      this.desk.order = event.target.value;
      this.desk.app.refilter({});
      byId("feed").scrollTop = 0;
    };
    return make(
      "select",
      { id: "order", "aria-label": "Order of the comments", on: { change } },
      make("option", { value: "match" }, "As they were said"),
      make("option", { value: "uncertain" }, "Most uncertain first"),
    );
  }

  show() {
    const { labels, match, refused } = this.desk;
    this.who.textContent = labels ? labels.annotator : "Label this match";
    this.who.classList.toggle("main", !labels);
    for (const part of [this.progress, this.far, this.state, this.tools]) part.hidden = !labels?.loaded;
    this.refused.hidden = !refused.size;
    this.refused.textContent = refused.size === 1 ? "1 line to look at" : `${refused.size} lines to look at`;
    if (!labels?.loaded) return;
    const done = labels.count((label) => label.done);
    this.progress.value = done / Math.max(match.comments.length, 1);
    this.far.textContent = `${done} of ${match.comments.length}`;
    this.undo.disabled = !labels.undo && !labels.waiting.length;
    this.redo.disabled = !labels.redo && !labels.waiting.length;
    this.undo.title = labels.undo ? `Undo: ${labels.undo.action}` : "";
    this.redo.title = labels.redo ? `Redo: ${labels.redo.action}` : "";
    if (labels.waiting.length) this.complaint = "";
    this.state.textContent = this.complaint || savedState(labels, this.desk.unsaved.size);
    this.state.classList.toggle("bad", Boolean(labels.trouble || this.desk.unsaved.size || this.complaint));
  }

  // Say what could not be done, until the next action.
  complain(text) {
    this.complaint = text;
    this.show();
  }

  showRefused() {
    this.goTo([...this.desk.refused.keys()][0]);
  }

  goTo(id) {
    this.desk.app.clear();
    this.desk.app.select(this.desk.match.commentOf.get(id));
  }
}

function savedState({ waiting, trouble, known }, unsaved) {
  const number = waiting.length === 1 ? "1 action" : `${waiting.length} actions`;
  if (trouble) return `${sentence(trouble.message)} ${number} not saved yet, trying again …`;
  if (waiting.length) return `Saving ${number} …`;
  if (unsaved) return unsaved === 1 ? "Not saved: 1 line" : `Not saved: ${unsaved} lines`;
  return known.size ? "All saved" : "Nothing labelled yet";
}

function sentence(text) {
  return `${text[0].toUpperCase()}${text.slice(1).replace(/[.;]?$/, ".")}`;
}

// A sign where there is little room, a word beside it where there is more.
function named(sign, word) {
  return make("span", {}, make("span", { "aria-hidden": "true" }, `${sign} `), make("span", { class: "word" }, word));
}

function helpLine(keys, text) {
  return make("div", {}, make("dt", {}, ...keys.flatMap((key) => [make("kbd", {}, key), " "])), make("dd", {}, text));
}
