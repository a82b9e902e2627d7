// The details of a comment while labelling: its text, the events it may describe with buttons to accept
// and reject each, and the buttons for the whole line.
import { make } from "./report/dom.js";
import { matchClock } from "./report/clock.js";
import { because, commentHead, facts, level } from "./report/detail.js";
import { findingsDetail } from "./report/findings.js";
import { pitch } from "./report/pitch.js";
import { GOLD } from "./adjudication.js";
import { button } from "./dialog.js";
import { labelledMarks } from "./words.js";

// `view` has the comment's label and its options, the cursor's position, what was refused and the labels
// of others; `actions` are called by the buttons.
export function labelDetail(match, comment, view, actions) {
  const drawn = view.options.filter(({ verdict }) => verdict === "yes" || verdict === "open");
  const faint = view.options.filter(({ verdict }) => verdict === "no" || verdict === "free");
  const numbered = (list) => list.map((option) => ({ ...option, label: String(option.number) }));
  return [
    ...commentHead(match, comment, labelledMarks(comment, view.label.segments ?? {}, view.options)),
    view.options.some(({ event }) => event.at) ? pitch(match, numbered(drawn), numbered(faint), (event) => actions.toggle(event)) : null,
    view.refused ? make("p", { class: "problem", role: "alert" }, view.refused) : null,
    state(view, actions),
    make("ol", { class: "options", "aria-label": "Events that it may describe" }, ...view.options.map((option, place) => optionItem(match, option, place === view.cursor, actions))),
    view.label.note ? make("p", { class: "note-text" }, make("strong", {}, "Note "), make("span", { dir: "auto" }, view.label.note)) : null,
    ...others(view),
    ...findingsDetail(match, comment, view.pick),
    ...because(comment),
    tools(view, actions),
  ];
}

// The state of a label, as symbols in the comment's row.
export function signs(comment, label, refused) {
  const found = [
    refused ? ["!", "needs a check", "bad"] : null,
    label.done ? ["✓", "labelled", "done"] : label.events.length || label.rejected.length ? ["…", "started", "begun"] : null,
    label.unsure ? ["?", "unsure", "doubt"] : null,
    label.note ? ["✎", "has a note", "noted"] : null,
    comment.states?.has("differs") ? ["≠", "others disagree", "differs"] : null,
  ];
  const made = found.filter(Boolean).map(([sign, text, sort]) => make("span", { class: `sign ${sort}`, title: text, role: "img", "aria-label": text }, sign));
  return make("span", { class: "signs" }, ...made);
}

// The label in a word, and whether it is saved.
function state({ label, saved }, actions) {
  const words = [
    label.none ? "No event" : label.done ? "Labelled" : label.events.length || label.rejected.length ? "Started" : "Not labelled",
    label.unsure ? "unsure" : "",
    saved ? "" : "saving …",
  ].filter(Boolean);
  const sort = label.done ? "done" : label.events.length || label.rejected.length ? "begun" : "";
  const clear = label.revision ? button(["Clear", make("kbd", { "aria-hidden": "true" }, "x")], () => actions.clear(), { name: "clear" }) : null;
  return make("p", { class: `label-state ${sort}` }, make("span", { id: "label-state" }, words.join(" · ")), clear);
}

function optionItem(match, option, here, actions) {
  const { event, score, number, verdict, linked, tint } = option;
  const clock = matchClock(match.periods.get(event.period), event.time);
  const bold = verdict === "yes" || verdict === "open";
  return make(
    "li",
    { class: `option ${verdict}${linked ? " linked" : ""}${here ? " here" : ""}`, "aria-current": here ? "true" : null, "data-event": event.id },
    make("span", { class: `badge ${bold ? `tint${tint % 6}` : "faint"}` }, String(number)),
    make(
      "span",
      { class: "what" },
      make("bdi", {}, event.what),
      make("span", { class: "more" }, make("small", { class: "soft" }, clock), " ", facts(event)),
    ),
    score === undefined ? make("span") : level(score),
    verdictButton("yes", "✓", `Accept ${number}: ${event.what}`, option, () => actions.judgeEvent(event, "accept")),
    verdictButton("no", "✗", `Reject ${number}: ${event.what}`, option, () => actions.judgeEvent(event, "reject")),
  );
}

function verdictButton(sort, sign, text, { number, verdict }, press) {
  return button(sign, press, { class: `verdict ${sort}`, name: `${sort}${number}`, "aria-label": text, "aria-pressed": String(verdict === sort) });
}

// The labels of others, shown only when one's own label is done, so that people judge independently.
function others({ label, others: labels, options: choices }) {
  const people = labels.filter(({ annotator }) => annotator !== GOLD).length;
  if (!label.done) return people ? [make("p", { class: "soft others" }, people === 1 ? "One other person has labelled this line." : `${people} others have labelled this line.`)] : [];
  if (!labels.length) return [];
  return [
    make("h3", {}, "Others"),
    make("ul", { class: "others" }, ...labels.map(({ annotator, label: theirs }) => {
      const same = theirs.events.length === label.events.length && theirs.events.every((id) => label.events.includes(id));
      return make("li", { class: same ? "same" : "other" }, make("strong", {}, annotator === GOLD ? `Decided by ${theirs.by}` : annotator), `: ${same ? "the same" : answer(theirs, choices)}`);
    })),
  ];
}

function answer({ events }, choices) {
  if (!events.length) return "no event";
  const numbers = events.map((id) => choices.find(({ event }) => event.id === id)?.event.what ?? "another event");
  return numbers.join(" + ");
}

function tools({ label }, actions) {
  const key = (text, name) => [text, make("kbd", { "aria-hidden": "true" }, name)];
  return make(
    "div",
    { class: "label-tools", role: "group", "aria-label": "Label" },
    button(key("Done", "Enter"), () => actions.done(), { class: "main", name: "done" }),
    button(key("No event", "0"), () => actions.none(), { name: "none", "aria-pressed": String(label.none) }),
    button(key("Unsure", "u"), () => actions.unsure(), { name: "unsure", "aria-pressed": String(label.unsure) }),
    button(key("Add", "a"), () => actions.add(), { name: "add" }),
    button(key("Words", "s"), () => actions.words(), { name: "words", title: "The selected words describe the current event" }),
    button(key("Note", "w"), () => actions.note(), { name: "note" }),
  );
}

// Shown above an event that can be added to a comment.
export function addingHead(comment, event, isIn, actions) {
  return make(
    "div",
    { class: "adding" },
    make("p", {}, make("strong", {}, comment.clock), " ", make("span", { dir: "auto" }, comment.text)),
    make(
      "p",
      { class: "buttons" },
      button([isIn ? "Remove this event" : "Add this event", make("kbd", { "aria-hidden": "true" }, "Enter")], () => actions.toggle(event), { class: "main", name: "add-this" }),
      button(["Back to the line", make("kbd", { "aria-hidden": "true" }, "Esc")], () => actions.leave(), { name: "back" }),
    ),
  );
}
