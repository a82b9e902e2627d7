// The actions of an annotator: accepting and rejecting events, labelling lines, going to the next.
import { byId } from "./report/dom.js";
import { placeOf } from "./report/match.js";
import { showGuide } from "./guide.js";
import { askNote } from "./note.js";
import { options } from "./options.js";
import { selectedWords, stepSelection, toCodePoints } from "./words.js";

const ALL_REJECTED = "All proposed events are rejected. Press 0 if the line describes no event, or a to add the right one.";
const NO_WORDS = "Select the words of the line that describe the event, with the mouse or with [ ] { }, then press s. Press S to go back to the words that touchline found.";
const NOTHING_LEFT = "Every line in this list is labelled.";

// Key -> what it does.
const KEYS = {
  Enter: (actions) => actions.done(), 0: (actions) => actions.none(), y: (actions) => actions.judge("accept"), n: (actions) => actions.judge("reject"),
  h: (actions) => actions.moveCursor(-1), l: (actions) => actions.moveCursor(1), ArrowLeft: (actions) => actions.moveCursor(-1), ArrowRight: (actions) => actions.moveCursor(1),
  u: (actions) => actions.unsure(), w: (actions) => actions.note(), x: (actions) => actions.clear(), a: (actions) => actions.add(), s: (actions) => actions.words(), S: (actions) => actions.words([]),
  "]": (actions) => actions.stepWords(1, false), "[": (actions) => actions.stepWords(-1, false), "}": (actions) => actions.stepWords(1, true), "{": (actions) => actions.stepWords(-1, true), g: (actions) => actions.teaching(), G: () => showGuide(),
  z: (actions) => actions.step("undo"), "Ctrl+z": (actions) => actions.step("undo"),
  Z: (actions) => actions.step("redo"), "Ctrl+Z": (actions) => actions.step("redo"), "Ctrl+y": (actions) => actions.step("redo"),
};

export class LabelActions {
  constructor(labelling) {
    this.labelling = labelling;
    this.cursor = 0;
    this.adding = null; // the comment that events are added to
    this.early = null; // what to do once the labels are read
    this.picked = null; // the words that were selected last in the shown line
    document.addEventListener("selectionchange", () => {
      const span = selectedWords(this.quote);
      if (span) this.picked = { comment: this.comment, span };
    });
  }

  // --- the selected comment ---

  get comment() {
    const { selected } = this.labelling.app;
    return this.adding ?? (selected?.links ? selected : null);
  }

  label(comment = this.comment) {
    return this.labelling.labels.of(comment.id);
  }

  choices(comment = this.comment) {
    return options(this.labelling.match, comment, this.label(comment));
  }

  key(name) {
    const act = /^[1-9]$/.test(name) ? (actions) => actions.choose(Number(name)) : KEYS[name];
    if (!act) return false;
    if (!this.labelling.labels) this.labelling.askName();
    else if (!this.defer(act) && this.labelling.labels.loaded) act(this);
    return true;
  }

  defer(act) {
    this.early?.push(act);
    return this.early !== null;
  }

  // Labels are being read: keys that are pressed meanwhile take effect afterwards.
  wait(start) {
    this.early = start ? [(actions) => actions.comment ?? actions.next()] : [];
  }

  begin() {
    const early = this.early ?? [];
    this.early = null;
    if (!this.labelling.labels.loaded) return; // reading failed, as the bar says
    for (const act of early) act(this);
  }

  // Another comment is selected: the cursor goes to its first open proposal.
  select(comment) {
    this.adding = null;
    document.body.classList.remove("is-adding");
    const open = comment && this.labelling.labels ? this.choices(comment).findIndex(({ verdict }) => verdict === "open") : 0;
    this.cursor = Math.max(open, 0);
  }

  // An item was clicked: while adding, an event is added or removed.
  handlesPick(item) {
    if (!this.adding || !item.describedBy) return false;
    this.labelling.app.select(item);
    this.toggle(item);
    return true;
  }

  moveCursor(by) {
    if (!this.comment || this.adding) return;
    this.cursor = Math.min(Math.max(this.cursor + by, 0), this.choices().length - 1);
    this.labelling.app.detail();
    byId("detail").querySelector(".here")?.scrollIntoView({ block: "nearest" });
    announce(this.choices()[this.cursor].event.what);
  }

  // --- verdicts ---

  send(action, comment = this.comment) {
    this.labelling.refused.delete(comment.id);
    this.labelling.unsaved.delete(comment.id);
    this.labelling.labels.act(comment.id, action);
  }

  judgeEvent(event, action) {
    const linked = this.comment.proposed.some((one) => one.event === event);
    this.send({ action: action === "accept" && !linked ? "add" : action, event: event.id });
    announce(`${action === "accept" ? "Accepted" : "Rejected"}: ${event.what}`);
  }

  toggle(event) {
    this.judgeEvent(event, this.label().events.includes(event.id) ? "reject" : "accept");
  }

  choose(number) {
    const option = this.comment && !this.adding && this.choices()[number - 1];
    if (!option) return;
    this.cursor = number - 1;
    this.toggle(option.event);
  }

  // Accept or reject the event under the cursor, and move to the next open one.
  judge(action) {
    const choices = this.comment && !this.adding ? this.choices() : [];
    const option = choices[this.cursor];
    if (!option) return;
    const next = choices.findIndex(({ verdict }, place) => place > this.cursor && verdict === "open");
    if (next > 0) this.cursor = next;
    this.judgeEvent(option.event, action);
  }

  // The label is as shown: accept what is still open, and go to the next line.
  done() {
    if (this.adding) return this.toggle(this.labelling.app.selected);
    if (!this.comment || this.label().done) return this.next();
    const { events, rejected } = this.label();
    const { proposed } = this.comment;
    if (proposed.some(({ event }) => !rejected.includes(event.id))) this.send({ action: "accept" });
    else if (!proposed.length && !events.length) this.send({ action: "none" });
    else return this.labelling.hint(this.comment.id, ALL_REJECTED);
    this.next();
  }

  none() {
    if (!this.comment || this.adding) return;
    this.send({ action: "none" });
    this.next();
  }

  unsure() {
    if (this.comment) this.send({ action: "unsure", value: !this.label().unsure });
  }

  // --- words ---

  get quote() {
    return document.querySelector("#detail .quote");
  }

  // The selected words describe the event under the cursor, which is thereby accepted.
  words(spans = this.selection()) {
    const option = this.comment && !this.adding && this.choices()[this.cursor];
    if (!option) return;
    if (!spans) return this.labelling.hint(this.comment.id, NO_WORDS);
    this.picked = null;
    this.send({ action: "words", event: option.event.id, spans });
    announce(`${spans.length ? "Words chosen" : "Words as touchline found them"}: ${option.event.what}`);
  }

  // What is selected, or was before the line was drawn again.
  selection() {
    const found = selectedWords(this.quote) ?? (this.picked?.comment === this.comment ? this.picked?.span : null);
    return found && [toCodePoints(this.comment.text, found)];
  }

  stepWords(by, move) {
    if (this.comment && !this.adding && this.quote) stepSelection(this.quote, by, move);
  }

  async note() {
    const { comment } = this;
    if (!comment) return;
    const text = await askNote(comment, this.label().note, this.labelling.limits.note);
    if (text !== null) this.send({ action: "note", text }, comment); // even if another is selected by now
  }

  clear() {
    if (this.comment && !this.adding && this.label().revision) this.send({ action: "clear" });
  }

  step(which) {
    this.labelling.labels.step(which);
  }

  // --- events from the log ---

  // Add events from the log or the timeline, starting with the one nearest to the comment.
  add() {
    const { comment, labelling } = this;
    if (!comment || this.leave()) return;
    const place = placeOf(comment) ?? comment.links[0]?.event ?? { period: 1, time: 0 };
    const off = (event) => Math.abs(event.time - place.time) + 1e5 * Math.abs(event.period - place.period);
    if (!labelling.app.events.length) labelling.app.clear();
    const nearest = minBy(labelling.app.events, off);
    this.adding = comment;
    document.body.classList.add("is-adding");
    labelling.app.view("log");
    labelling.app.select(nearest);
  }

  leave() {
    const comment = this.adding;
    if (!comment) return false;
    this.labelling.app.view("feed");
    this.labelling.app.select(comment);
    return true;
  }

  // --- to the next line ---

  // The next line without a label; after the last line, from the start.
  next() {
    const { items } = this.labelling.app.feed;
    const place = items.indexOf(this.comment);
    this.go([...items.slice(place + 1), ...items.slice(0, Math.max(place, 0))].find((comment) => !this.label(comment).done));
  }

  // The line whose label is expected to teach most.
  teaching() {
    const open = this.labelling.app.feed.items.filter((comment) => !this.label(comment).done && comment !== this.comment);
    this.go(minBy(open, (comment) => this.labelling.rank(comment)));
  }

  go(comment) {
    if (!comment) return this.labelling.bar.complain(NOTHING_LEFT);
    this.leave();
    this.labelling.app.select(comment);
  }
}

// For screen readers.
function announce(text) {
  byId("announcement").textContent = text;
}

function minBy(items, measure) {
  return items.reduce((best, item) => (best && measure(best) <= measure(item) ? best : item), undefined);
}
