// The desk: what a match's page adds to the report's so that a person can label, mostly by keyboard.
import { byId, make } from "./report/dom.js";
import { placeOf, retell } from "./report/match.js";
import { commentDetail, eventDetail } from "./report/detail.js";
import { get, path } from "./api.js";
import { annotator, askAnnotator } from "./annotator.js";
import { DeskBar } from "./deskbar.js";
import { Labels } from "./labels.js";
import { askNote } from "./note.js";
import { options, told } from "./options.js";
import { addingHead, labelDetail } from "./panel.js";

const CHANGED = "This line was changed elsewhere under your name. Your last action was not applied; this is how it stands now.";
const ALL_REJECTED = "All proposals are rejected: 0 says that it tells no event, a adds the event that it tells.";

export class Desk {
  constructor(name) {
    Object.assign(this, { name, labels: null, adding: null, cursor: 0, order: "match" });
    this.others = new Map(); // annotator -> their labels by comment
    this.doubts = new Map(); // comment -> how many of the machine's decisions about it may be wrong
    this.refused = new Map(); // comment -> why an action on it was not taken
    this.keys = {
      y: () => this.judge("accept"), n: () => this.judge("reject"), Enter: () => this.done(), 0: () => this.none(),
      u: () => this.unsure(), w: () => this.note(), x: () => this.clear(), a: () => this.add(), g: () => this.uncertain(),
      h: () => this.point(-1), l: () => this.point(1), ArrowLeft: () => this.point(-1), ArrowRight: () => this.point(1),
      z: () => this.step("undo"), "Ctrl+z": () => this.step("undo"), Z: () => this.step("redo"), "Ctrl+Z": () => this.step("redo"), "Ctrl+y": () => this.step("redo"),
    };
    this.act = {
      toggle: (event) => this.toggle(event), accept: (event) => this.say(event, "accept"), reject: (event) => this.say(event, "reject"),
      done: () => this.done(), none: () => this.none(), unsure: () => this.unsure(), add: () => this.add(), note: () => this.note(), clear: () => this.clear(), back: () => this.leave(),
    };
  }

  // The match is on the page: get the person's labels and the machine's doubts.
  async open(app) {
    this.app = app;
    this.match = app.match;
    this.match.eventOf = new Map(this.match.events.map((event) => [event.id, event]));
    this.match.commentOf = new Map(this.match.comments.map((comment) => [comment.id, comment]));
    for (const comment of this.match.comments) Object.assign(comment, { proposed: comment.told, guessed: comment.status });
    this.bar = new DeskBar(this);
    if (annotator()) await this.become(annotator());
    this.bar.show();
  }

  async become(name) {
    const links = (id) => this.match.commentOf.get(id).proposed.map(({ event }) => event.id);
    this.labels = new Labels(this.name, name, links, {
      changed: (ids) => this.changed(ids),
      state: () => this.bar.show(),
      refused: (error, id) => this.refuse(error, id),
      stepped: (ids) => this.app.select(this.match.commentOf.get(ids[0]) ?? this.app.selected),
    });
    await this.read();
    this.changed(this.match.comments.map((comment) => comment.id));
  }

  // Read again what the server has.
  async read() {
    if (!this.labels) return;
    const [record, queue] = await Promise.all([
      get(path("matches", this.name)), get(`${path("matches", this.name)}/queue`, { annotator: this.labels.annotator, state: "all" }), this.labels.load(),
    ]);
    this.doubts = new Map(queue.comments.map(({ comment, doubt }) => [comment, doubt]));
    const names = record.annotators.map(({ name }) => name).filter((name) => name !== this.labels.annotator);
    const found = await Promise.all(names.map((name) => get(path("matches", this.name, "labels", name))));
    this.others = new Map(names.map((name, place) => [name, new Map(found[place].labels.map((label) => [label.comment, label]))]));
    this.app.detail();
  }

  // A label was written, here or elsewhere.
  hear(news) {
    if (!this.labels) return;
    if (news.annotator === this.labels.annotator) return this.labels.hear(news);
    const theirs = this.others.get(news.annotator) ?? new Map();
    this.others.set(news.annotator, theirs);
    for (const label of news.labels) theirs.set(label.comment, label);
    this.changed(news.labels.map((label) => label.comment));
  }

  changed(ids) {
    const comments = ids.map((id) => this.match.commentOf.get(id)).filter(Boolean);
    for (const comment of comments) this.retell(comment);
    if (comments.length) this.app.changed(comments);
  }

  retell(comment) {
    const label = this.labels.of(comment.id);
    retell(comment, told(this.match, comment, label));
    const decided = label.unsure ? "unsure" : comment.told.length ? "linked" : "none";
    comment.status = label.done ? decided : comment.guessed;
    comment.states = new Set([label.done ? "labelled" : "to-label", ...(label.unsure ? ["doubted"] : []), ...(this.differs(comment, label) ? ["differs"] : [])]);
  }

  // Whether another person's finished label says something else than one's own.
  differs(comment, label) {
    const key = ({ events }) => [...events].sort().join(" ");
    return label.done && this.said(comment).some(({ label: theirs }) => key(theirs) !== key(label));
  }

  said(comment) {
    const all = [...this.others].map(([name, labels]) => ({ annotator: name, label: labels.get(comment.id) }));
    return all.filter(({ label }) => label?.done);
  }

  refuse(error, id) {
    const comment = this.match.commentOf.get(id);
    if (comment) {
      this.refused.set(id, error.code === "conflict" ? CHANGED : error.message);
      this.app.changed([comment]);
    } else {
      this.bar.complain(error.code === "conflict" ? "The last step is another one by now, made elsewhere under your name: look, then try again." : error.message);
    }
    this.bar.show();
  }

  // --- what the page asks of its desk ---

  takes(item) {
    if (!this.adding || !item.tellers) return false;
    this.toggle(item);
    this.app.select(item);
    return true;
  }

  key(name) {
    const number = /^[1-9]$/.test(name) ? Number(name) : null;
    const act = number ? () => this.choose(number) : this.keys[name];
    if (!act) return false;
    if (this.labels) act();
    else this.ask();
    return true;
  }

  leave() {
    if (!this.adding) return false;
    const comment = this.adding;
    this.adding = null;
    document.body.classList.remove("is-adding");
    this.app.view("feed");
    this.app.select(comment);
    return true;
  }

  arrange(comments) {
    if (this.order === "match") return comments;
    const doubt = (comment) => this.doubts.get(comment.id) ?? 0;
    return [...comments].sort((a, b) => doubt(b) - doubt(a));
  }

  row(comment, element) {
    if (!this.labels) return element;
    const label = this.labels.of(comment.id);
    const signs = [
      this.refused.has(comment.id) ? ["!", "not saved", "bad"] : null,
      label.done ? ["✓", "labelled", "done"] : label.revision || !this.labels.isSaved(comment.id) ? ["…", "begun", "begun"] : null,
      label.unsure ? ["?", "unsure", "doubt"] : null,
      label.note ? ["✎", "has a note", "noted"] : null,
      comment.states?.has("differs") ? ["≠", "others say something else", "differs"] : null,
    ].filter(Boolean);
    const marks = signs.map(([sign, text, sort]) => make("span", { class: `sign ${sort}`, title: text, role: "img", "aria-label": text }, sign));
    element.querySelector(".clock").append(make("span", { class: "signs" }, ...marks));
    return element;
  }

  detail(match, item, pick) {
    if (!this.labels) return item.told ? commentDetail(match, item, pick) : eventDetail(match, item, pick);
    if (item.told) return labelDetail(match, item, this.view(item), this.act);
    const parts = eventDetail(match, item, pick);
    if (!this.adding) return parts;
    const isIn = this.labels.of(this.adding.id).events.includes(item.id);
    return [addingHead(this.adding, item, isIn, this.act), ...parts];
  }

  view(comment) {
    const label = this.labels.of(comment.id);
    const choices = options(this.match, comment, label);
    return {
      label, options: choices, cursor: Math.min(this.cursor, choices.length - 1), saved: this.labels.isSaved(comment.id),
      refused: this.refused.get(comment.id), others: this.said(comment),
    };
  }

  // Another item is selected; the cursor stands on its first open proposal.
  selected(item) {
    if (item?.tellers || !this.match) return;
    this.adding = null;
    document.body.classList.remove("is-adding");
    history.replaceState(null, "", item ? `#${encodeURIComponent(JSON.stringify(item.id))}` : location.pathname);
    this.cursor = item && this.labels ? Math.max(this.choices(item).findIndex(({ verdict }) => verdict === "open"), 0) : 0;
  }

  // --- what a person does ---

  async ask() {
    const name = await askAnnotator();
    if (name) await this.become(name);
    this.bar.show();
  }

  // The comment that is worked on.
  get comment() {
    return this.adding ?? (this.app.selected?.told ? this.app.selected : null);
  }

  choices(comment = this.comment) {
    return options(this.match, comment, this.labels.of(comment.id));
  }

  send(action) {
    const { comment } = this;
    if (!comment) return;
    this.refused.delete(comment.id);
    this.labels.act(comment.id, action);
  }

  say(event, action) {
    if (!this.comment) return;
    const linked = this.comment.proposed.some((one) => one.event === event);
    this.send({ action: action === "accept" && !linked ? "add" : action, event: event.id });
  }

  toggle(event) {
    if (!this.comment) return;
    this.say(event, this.labels.of(this.comment.id).events.includes(event.id) ? "reject" : "accept");
  }

  choose(number) {
    const option = this.comment && this.choices()[number - 1];
    if (!option) return;
    this.cursor = number - 1;
    this.toggle(option.event);
  }

  // A verdict on the option under the cursor, which then goes on to the next open one.
  judge(action) {
    const choices = this.comment ? this.choices() : [];
    const option = choices[this.cursor];
    if (!option) return;
    const next = choices.findIndex(({ verdict }, place) => place > this.cursor && verdict === "open");
    if (next > 0) this.cursor = next;
    this.say(option.event, action);
  }

  point(by) {
    if (!this.comment || this.adding) return;
    this.cursor = Math.min(Math.max(this.cursor + by, 0), this.choices().length - 1);
    this.app.detail();
    byId("detail").querySelector(".here")?.scrollIntoView({ block: "nearest" });
  }

  // The answer stands as it is shown: what is still open is accepted, and on to the next line.
  done() {
    if (this.adding) return this.app.selected?.tellers && this.toggle(this.app.selected);
    if (!this.comment) return this.next();
    const label = this.labels.of(this.comment.id);
    const links = this.comment.proposed.map(({ event }) => event.id);
    if (label.done) return this.next();
    if (links.some((id) => !label.rejected.includes(id))) this.send({ action: "accept" });
    else if (!links.length && !label.events.length) this.send({ action: "none" });
    else return this.hint(ALL_REJECTED);
    this.next();
  }

  none() {
    if (!this.comment || this.adding) return;
    this.send({ action: "none" });
    this.next();
  }

  unsure() {
    if (this.comment) this.send({ action: "unsure", value: !this.labels.of(this.comment.id).unsure });
  }

  async note() {
    const { comment } = this;
    if (!comment) return;
    const text = await askNote(comment, this.labels.of(comment.id).note);
    if (text !== null && this.comment === comment) this.send({ action: "note", text });
  }

  clear() {
    if (this.comment && !this.adding && this.labels.of(this.comment.id).revision) this.send({ action: "clear" });
  }

  hint(text) {
    this.refused.set(this.comment.id, text);
    this.app.changed([this.comment]);
  }

  step(which) {
    this.labels.step(which);
  }

  // Choose events in the log: the nearest one to the comment is shown first.
  add() {
    if (this.adding) return this.leave();
    const { comment } = this;
    if (!comment) return;
    const place = placeOf(comment) ?? comment.told[0]?.event ?? { period: 1, time: 0 };
    const off = (event) => Math.abs(event.time - place.time) + 1e5 * Math.abs(event.period - place.period);
    const nearest = this.app.events.reduce((best, event) => (best && off(best) <= off(event) ? best : event), null);
    this.adding = comment;
    document.body.classList.add("is-adding");
    this.app.view("log");
    if (nearest) this.app.select(nearest);
  }

  isDone(comment) {
    return this.labels.of(comment.id).done;
  }

  // The next line without a label, round the end if need be.
  next() {
    const { items } = this.app.feed;
    const place = this.comment ? items.indexOf(this.comment) : -1;
    const following = [...items.slice(place + 1), ...items.slice(0, Math.max(place, 0))];
    const open = following.find((comment) => !this.isDone(comment));
    if (open) this.app.select(open);
    else this.bar.complain("Every line of this list is labelled.");
  }

  uncertain() {
    const open = this.app.feed.items.filter((comment) => !this.isDone(comment) && comment !== this.comment);
    const doubt = (comment) => this.doubts.get(comment.id) ?? 0;
    const most = open.reduce((best, comment) => (best && doubt(best) >= doubt(comment) ? best : comment), null);
    if (most) this.app.select(most);
    else this.bar.complain("Every line of this list is labelled.");
  }
}
