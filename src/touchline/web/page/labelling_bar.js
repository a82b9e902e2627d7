// The bar above a match: the annotator, their progress, what is saved, and the labelling tools.
import { byId, make } from "./report/dom.js";
import { Adjudication } from "./adjudication.js";
import { showAgreement } from "./agreement.js";
import { button } from "./dialog.js";
import { showFiles } from "./files.js";
import { showGuide } from "./guide.js";

const HELP = [
  [["Enter"], "accept the proposed events, next line"],
  [["1–9"], "add or remove this event"],
  [["y", "n"], "accept or reject the highlighted event"],
  [["h", "l"], "highlight another event"],
  [["0"], "no event, next line"],
  [["a"], "add events from the log or the timeline"],
  [["u"], "unsure"],
  [["w"], "write a note"],
  [["x"], "clear the label"],
  [["z", "Z"], "undo, redo"],
  [["g"], "go to the line that would teach the model most"],
  [["G"], "what to label"],
];
const SHOWN = [["to-label", "To label"], ["labelled", "Labelled"], ["doubted", "You are unsure"], ["differs", "Others disagree"], ["adjudicated", "Adjudicated"]];

export class LabellingBar {
  constructor(labelling) {
    this.labelling = labelling;
    this.complaint = "";
    this.who = button("", () => labelling.askName(), { class: "who-labels", title: "Change the name" });
    this.progress = make("progress", { "aria-label": "Lines labelled", max: 1, value: 0 });
    this.far = make("span", { class: "soft", id: "far" });
    this.state = make("span", { class: "save-state", id: "save-state", role: "status" });
    this.refused = button("", () => this.showRefused(), { class: "problem-button", hidden: true });
    this.undo = button([named("↶", "Undo"), make("kbd", { "aria-hidden": "true" }, "z")], () => labelling.actions.step("undo"), { id: "undo", "aria-label": "Undo" });
    this.redo = button([named("↷", "Redo"), make("kbd", { "aria-hidden": "true" }, "Z")], () => labelling.actions.step("redo"), { id: "redo", "aria-label": "Redo" });
    this.tools = make(
      "span",
      { class: "own-tools" },
      this.undo,
      this.redo,
      this.order(),
      button(["Most useful", make("kbd", { "aria-hidden": "true" }, "g")], () => labelling.actions.teaching(), { id: "teaching", title: "Go to the line whose label would teach the model most" }),
      button("Annotators", () => this.showAnnotators(), { id: "agreement", title: "Progress, agreement and disagreements" }),
    );
    const guide = button(["Guide", make("kbd", { "aria-hidden": "true" }, "G")], showGuide, { id: "guide", title: "What to label" });
    const learn = button("Learn", () => labelling.learning.open(), { id: "learn", title: "Learn from the labels of all matches" });
    const files = button("Files", () => showFiles(labelling), { id: "files" });
    const bar = make(
      "section",
      { class: "labelling-bar", "aria-label": "Labelling" },
      make("span", { class: "labelling-who" }, this.who, this.progress, this.far, this.state, this.refused),
      make("span", { class: "labelling-tools" }, this.tools, guide, learn, files),
    );
    document.querySelector("main").prepend(bar);
    byId("status").append(make("optgroup", { label: "Labels" }, ...SHOWN.map(([value, text]) => make("option", { value }, text))));
    document.querySelector("#help .keys").append(...HELP.map(([keys, text]) => helpLine(keys, text)));
  }

  order() {
    const change = (event) => {
      this.labelling.order = event.target.value;
      this.labelling.app.refilter({});
      byId("feed").scrollTop = 0;
    };
    return make(
      "select",
      { id: "order", "aria-label": "Order of the comments", on: { change } },
      make("option", { value: "match" }, "In match order"),
      make("option", { value: "teaching" }, "Most useful first"),
      make("option", { value: "uncertain" }, "Most uncertain first"),
    );
  }

  show() {
    const { labels, match, refused } = this.labelling;
    this.who.textContent = labels ? labels.annotator : "Label this match";
    this.who.classList.toggle("main", !labels);
    for (const part of [this.progress, this.far, this.state, this.tools]) part.hidden = !labels?.loaded;
    this.refused.hidden = !refused.size;
    this.refused.textContent = refused.size === 1 ? "1 line to check" : `${refused.size} lines to check`;
    if (!labels?.loaded) return;
    const done = labels.count((label) => label.done);
    this.progress.value = done / Math.max(match.comments.length, 1);
    this.far.textContent = `${done} of ${match.comments.length}`;
    this.undo.disabled = !labels.undo && !labels.waiting.length;
    this.redo.disabled = !labels.redo && !labels.waiting.length;
    this.undo.title = labels.undo ? `Undo: ${labels.undo.action}` : "";
    this.redo.title = labels.redo ? `Redo: ${labels.redo.action}` : "";
    if (labels.waiting.length) this.complaint = "";
    this.state.textContent = this.complaint || savedState(labels, this.labelling.unsaved.size);
    this.state.classList.toggle("bad", Boolean(labels.lastError || this.labelling.unsaved.size || this.complaint));
  }

  // Show what could not be done, until the next action.
  complain(text) {
    this.complaint = text;
    this.show();
  }

  showAnnotators() {
    const goTo = (comment) => this.goTo(comment);
    const decide = () => new Adjudication(this.labelling, goTo).open().catch((error) => this.complain(error.message));
    showAgreement(this.labelling.name, goTo, { match: this.labelling.match, decide });
  }

  showRefused() {
    this.goTo([...this.labelling.refused.keys()][0]);
  }

  goTo(id) {
    this.labelling.app.clear();
    this.labelling.app.view("feed"); // else the next keys would go to the button that opened a dialog
    this.labelling.app.select(this.labelling.match.commentOf.get(id));
  }
}

function savedState({ waiting, lastError, known }, unsaved) {
  const number = waiting.length === 1 ? "1 action" : `${waiting.length} actions`;
  if (lastError) return `${lastError.message} ${number} not saved yet, retrying …`;
  if (waiting.length) return `Saving ${number} …`;
  if (unsaved) return unsaved === 1 ? "Not saved: 1 line" : `Not saved: ${unsaved} lines`;
  return known.size ? "All saved" : "Nothing labelled yet";
}

// A symbol, with a word beside it if there is room.
function named(sign, word) {
  return make("span", {}, make("span", { "aria-hidden": "true" }, `${sign} `), make("span", { class: "word" }, word));
}

function helpLine(keys, text) {
  return make("div", {}, make("dt", {}, ...keys.flatMap((key) => [make("kbd", {}, key), " "])), make("dd", {}, text));
}
