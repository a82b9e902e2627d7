// One annotator's labels of a match. Every action goes to the server at once, one after another; the
// page shows what it will make of a label, and what the server says replaces that.
import { backOff, get, path, post } from "./api.js";

const EMPTY = { events: [], rejected: [], none: false, unsure: false, note: "", done: false, revision: 0 };
const TRIES = 4; // of an action that the server fails on, before those behind it get their turn

export class Labels {
  // `links(comment)` gives the ids that the machine links. `heard` has changed(comments) for comments
  // whose labels are others now, state() for what is saved, refused(error, comment) for what is
  // not, stepped(comments) for what an undo or redo has changed.
  constructor(match, annotator, links, heard) {
    Object.assign(this, { annotator, links, heard, waiting: [], undo: null, redo: null });
    this.path = path("matches", match, "labels", annotator);
    this.known = new Map(); // comment -> the label that the server has
    this.drafts = new Map(); // comment -> the label that it will have
    this.latest = 0; // the number of the last action heard of, anybody's
    Object.assign(this, { failures: 0, trouble: null, loaded: false }); // `loaded`: a person can begin
  }

  async load() {
    const { labels, latest, undo, redo } = await get(this.path);
    const there = new Set(labels.map((label) => label.comment));
    const gone = [...this.known.keys()].filter((comment) => !there.has(comment)).map((comment) => ({ ...EMPTY, comment }));
    this.hear({ labels: [...labels, ...gone], latest, undo, redo });
  }

  of(comment) {
    return this.drafts.get(comment) ?? this.known.get(comment) ?? EMPTY;
  }

  isSaved(comment) {
    return !this.drafts.has(comment);
  }

  count(wanted) {
    const all = new Set([...this.known.keys(), ...this.drafts.keys()]);
    return [...all].filter((comment) => wanted(this.of(comment))).length;
  }

  // What was done to labels, by any page of this annotator; of one's own actions it is no news.
  hear({ labels, ...rest }) {
    const revision = (comment) => this.known.get(comment)?.revision ?? 0;
    const before = new Map(labels.map(({ comment }) => [comment, revision(comment)]));
    this.take(labels, rest);
    this.heard.changed([...before.keys()].filter((comment) => revision(comment) !== before.get(comment)));
    this.heard.state();
  }

  // News may come later than an answer that is newer, so each label and the steps remember which
  // was the last action when they were told.
  take(labels, { latest, undo, redo }) {
    for (const label of labels) {
      if (latest < (this.known.get(label.comment)?.latest ?? 0)) continue;
      this.known.set(label.comment, { ...label, latest });
    }
    if (latest >= this.latest) Object.assign(this, { latest, undo, redo });
  }

  act(comment, action) {
    const before = this.of(comment);
    this.drafts.set(comment, expected(before, action, this.links(comment)));
    this.queue({ comment, where: this.path, body: { comment, revision: this.known.get(comment)?.revision ?? 0, ...action } });
    this.heard.changed([comment]);
  }

  // Take the last step back, or forward again.
  step(which) {
    this.queue({ where: `${this.path}/${which}`, which });
  }

  importGold(text) {
    this.queue({ where: `${this.path}/gold`, body: text });
  }

  queue(one) {
    this.waiting.push(one);
    this.heard.state();
    if (this.waiting.length === 1) this.send();
  }

  async send() {
    while (this.waiting.length) {
      const one = this.waiting[0];
      const { answer, error } = await this.ask(one);
      if (answer) this.saved(one, answer);
      else if (this.isWorthRetrying(error)) await this.pause(error);
      else this.refuse(one, error);
    }
    this.heard.state();
  }

  // An undo takes the step that is the last one when its turn comes.
  async ask({ where, which, body }) {
    if (which && !this[which]) return { error: new Error(`There is nothing to ${which}.`) };
    return post(where, which ? { step: this[which].id } : body).then((answer) => ({ answer }), (error) => ({ error }));
  }

  // A server that cannot be reached, or says that it cannot do it now, is asked until it can. An
  // error inside it may come from this very action, which must not hold up the others for ever.
  isWorthRetrying({ status, code }) {
    if (code === "offline" || status > 500) return true;
    return status === 500 && this.failures + 1 < TRIES;
  }

  saved(one, { label, labels = [label], ...rest }) {
    this.recover();
    this.waiting.shift();
    for (const changed of labels) this.rebase(one, changed);
    this.settle(one.comment);
    this.take(labels, rest);
    const comments = labels.map((changed) => changed.comment);
    this.heard.changed(comments);
    if (one.which) this.heard.stepped(comments);
  }

  // What waits behind an action, an undo or an import was built upon what that has made.
  rebase(one, { comment, revision }) {
    const behind = this.waiting.filter((next) => next.comment === comment && (one.comment === undefined || next.body.revision === one.body.revision));
    for (const next of behind) next.body.revision = revision;
  }

  // The server did not take an action: what was built upon it goes too, and its own word is shown.
  refuse(one, error) {
    this.recover();
    this.waiting = this.waiting.filter((next) => next !== one && (one.comment === undefined || next.comment !== one.comment));
    this.settle(one.comment);
    const { label, undo, redo } = error.details ?? {};
    if (error.code === "conflict" && one.comment !== undefined) {
      this.known.set(one.comment, { ...(label ?? EMPTY), latest: this.latest });
    } else if (error.code === "conflict") {
      Object.assign(this, { undo, redo });
    }
    if (one.comment !== undefined) this.heard.changed([one.comment]);
    this.heard.refused(error, one.comment);
  }

  settle(comment) {
    if (!this.waiting.some((one) => one.comment === comment)) this.drafts.delete(comment);
  }

  // Wait before another try, longer each time; `trouble` is why.
  pause(error) {
    this.trouble = error;
    this.heard.state();
    return new Promise((done) => setTimeout(done, backOff(this.failures++)));
  }

  recover() {
    Object.assign(this, { failures: 0, trouble: null });
  }
}

// What the server will make of a label; see its table of actions.
function expected(label, { action, event, value, text }, links) {
  const without = (list) => list.filter((id) => id !== event);
  const decided = (changed) => {
    const all = [...changed.events, ...changed.rejected];
    return { ...changed, done: changed.none || (changed.events.length > 0 && (label.done || links.every((id) => all.includes(id)))) };
  };
  if (action === "unsure") return { ...label, unsure: value };
  if (action === "note") return { ...label, note: text };
  if (action === "clear") return { ...EMPTY, revision: label.revision };
  if (action === "none") return { ...label, events: [], rejected: union(label.rejected, [...links, ...label.events]), none: true, done: true };
  if (action === "reject") return decided({ ...label, events: without(label.events), rejected: union(label.rejected, [event]) });
  if (event) return decided({ ...label, events: union(label.events, [event]), rejected: without(label.rejected), none: false });
  const kept = links.filter((id) => !label.rejected.includes(id));
  return { ...label, events: union(label.events, kept), none: false, done: true };
}

function union(one, other) {
  return [...new Set([...one, ...other])];
}
