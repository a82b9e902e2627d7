// What a person does at the desk: verdicts on events, on whole lines, and the way to the next one.
import { byId } from "./report/dom.js";
import { placeOf } from "./report/match.js";
import { askNote } from "./note.js";
import { options } from "./options.js";

const ALL_REJECTED = "All proposals are rejected: 0 says that it tells no event, a adds the event that it tells.";
const NOTHING_LEFT = "Every line of this list is labelled.";

// Key -> what it does.
const KEYS = {
  Enter: (hands) => hands.done(), 0: (hands) => hands.none(), y: (hands) => hands.judge("accept"), n: (hands) => hands.judge("reject"),
  h: (hands) => hands.point(-1), l: (hands) => hands.point(1), ArrowLeft: (hands) => hands.point(-1), ArrowRight: (hands) => hands.point(1),
  u: (hands) => hands.unsure(), w: (hands) => hands.note(), x: (hands) => hands.clear(), a: (hands) => hands.add(), g: (hands) => hands.uncertain(),
  z: (hands) => hands.step("undo"), "Ctrl+z": (hands) => hands.step("undo"),
  Z: (hands) => hands.step("redo"), "Ctrl+Z": (hands) => hands.step("redo"), "Ctrl+y": (hands) => hands.step("redo"),
};

export class Hands {
  constructor(desk) {
    Object.assign(this, { desk, cursor: 0, adding: null, early: null }); // `adding`: the comment that events are added to
  }

  // --- where the hands are ---

  get comment() {
    const { selected } = this.desk.app;
    return this.adding ?? (selected?.told ? selected : null);
  }

  label(comment = this.comment) {
    return this.desk.labels.of(comment.id);
  }

  choices(comment = this.comment) {
    return options(this.desk.match, comment, this.label(comment));
  }

  key(name) {
    const act = /^[1-9]$/.test(name) ? (hands) => hands.choose(Number(name)) : KEYS[name];
    if (!act) return false;
    if (!this.desk.labels) this.desk.ask();
    else if (this.early) this.early.push(act);
    else if (this.desk.labels.loaded) act(this);
    return true;
  }

  // Labels are being read: what is typed meanwhile is done when they are there.
  wait(start) {
    this.early = start ? [(hands) => hands.comment ?? hands.next()] : [];
  }

  begin() {
    const early = this.early ?? [];
    this.early = null;
    if (!this.desk.labels.loaded) return; // they could not be read, which the bar says
    for (const act of early) act(this);
  }

  // Another comment is selected: the cursor stands on its first open proposal.
  turnTo(comment) {
    this.adding = null;
    document.body.classList.remove("is-adding");
    const open = comment && this.desk.labels ? this.choices(comment).findIndex(({ verdict }) => verdict === "open") : 0;
    this.cursor = Math.max(open, 0);
  }

  // An item was clicked: while adding, an event goes in or out.
  takes(item) {
    if (!this.adding || !item.tellers) return false;
    this.desk.app.select(item);
    this.toggle(item);
    return true;
  }

  point(by) {
    if (!this.comment || this.adding) return;
    this.cursor = Math.min(Math.max(this.cursor + by, 0), this.choices().length - 1);
    this.desk.app.detail();
    byId("detail").querySelector(".here")?.scrollIntoView({ block: "nearest" });
    announce(this.choices()[this.cursor].event.what);
  }

  // --- verdicts ---

  send(action, comment = this.comment) {
    this.desk.refused.delete(comment.id);
    this.desk.unsaved.delete(comment.id);
    this.desk.labels.act(comment.id, action);
  }

  say(event, action) {
    const linked = this.comment.proposed.some((one) => one.event === event);
    this.send({ action: action === "accept" && !linked ? "add" : action, event: event.id });
    announce(`${action === "accept" ? "Accepted" : "Rejected"}: ${event.what}`);
  }

  toggle(event) {
    this.say(event, this.label().events.includes(event.id) ? "reject" : "accept");
  }

  choose(number) {
    const option = this.comment && !this.adding && this.choices()[number - 1];
    if (!option) return;
    this.cursor = number - 1;
    this.toggle(option.event);
  }

  // A verdict on the event under the cursor, which then goes on to the next open one.
  judge(action) {
    const choices = this.comment && !this.adding ? this.choices() : [];
    const option = choices[this.cursor];
    if (!option) return;
    const next = choices.findIndex(({ verdict }, place) => place > this.cursor && verdict === "open");
    if (next > 0) this.cursor = next;
    this.say(option.event, action);
  }

  // The answer stands as it is shown: what is still open is accepted, and on to the next line.
  done() {
    if (this.adding) return this.toggle(this.desk.app.selected);
    if (!this.comment || this.label().done) return this.next();
    const { events, rejected } = this.label();
    const { proposed } = this.comment;
    if (proposed.some(({ event }) => !rejected.includes(event.id))) this.send({ action: "accept" });
    else if (!proposed.length && !events.length) this.send({ action: "none" });
    else return this.desk.hint(this.comment.id, ALL_REJECTED);
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

  async note() {
    const { comment } = this;
    if (!comment) return;
    const text = await askNote(comment, this.label().note, this.desk.limits.note);
    if (text !== null) this.send({ action: "note", text }, comment); // whichever is selected by now
  }

  clear() {
    if (this.comment && !this.adding && this.label().revision) this.send({ action: "clear" });
  }

  step(which) {
    this.desk.labels.step(which);
  }

  // --- events from the log ---

  // Choose events in log and timeline; the one nearest to the comment is shown first.
  add() {
    const { comment, desk } = this;
    if (!comment || this.leave()) return;
    const place = placeOf(comment) ?? comment.told[0]?.event ?? { period: 1, time: 0 };
    const off = (event) => Math.abs(event.time - place.time) + 1e5 * Math.abs(event.period - place.period);
    if (!desk.app.events.length) desk.app.clear();
    const nearest = least(desk.app.events, off);
    this.adding = comment;
    document.body.classList.add("is-adding");
    desk.app.view("log");
    desk.app.select(nearest);
  }

  leave() {
    const comment = this.adding;
    if (!comment) return false;
    this.desk.app.view("feed");
    this.desk.app.select(comment);
    return true;
  }

  // --- to the next line ---

  // The next line without a label, round the end if need be.
  next() {
    const { items } = this.desk.app.feed;
    const place = items.indexOf(this.comment);
    this.go([...items.slice(place + 1), ...items.slice(0, Math.max(place, 0))].find((comment) => !this.label(comment).done));
  }

  uncertain() {
    const open = this.desk.app.feed.items.filter((comment) => !this.label(comment).done && comment !== this.comment);
    this.go(least(open, (comment) => -this.desk.doubt(comment)));
  }

  go(comment) {
    if (!comment) return this.desk.bar.complain(NOTHING_LEFT);
    this.leave();
    this.desk.app.select(comment);
  }
}

// For those who do not see the panel.
function announce(text) {
  byId("said").textContent = text;
}

function least(items, measure) {
  return items.reduce((best, item) => (best && measure(best) <= measure(item) ? best : item), undefined);
}
