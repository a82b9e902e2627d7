// One annotator's labels of a match. Actions are sent to the server one after another; until the server
// responds, the page shows the label that is expected.
import { backOff, get, path, post } from "./api.js";

const EMPTY = { events: [], rejected: [], none: false, unsure: false, note: "", done: false, segments: {}, revision: 0 };
const TRIES = 4; // of an action on which the server fails, before the next one is sent

export class Labels {
  // `links(comment)` gives the ids that the machine links. `callbacks` has changed(comments) for changed
  // labels, state() for what is saved, refused(error, comment) for actions that the server rejected,
  // stepped(comments) for labels that an undo or redo has changed.
  constructor(match, annotator, links, callbacks) {
    this.annotator = annotator;
    this.links = links;
    this.callbacks = callbacks;
    this.waiting = []; // actions that the server has not answered
    this.undo = null;
    this.redo = null;
    this.path = path("matches", match, "labels", annotator);
    this.known = new Map(); // comment -> its label on the server
    this.drafts = new Map(); // comment -> its expected label
    this.latest = 0; // the number of the last known action, by anybody
    this.failures = 0;
    this.lastError = null;
    this.loaded = false; // whether labelling can start
  }

  async load() {
    const { labels, latest, undo, redo } = await get(this.path);
    const there = new Set(labels.map((label) => label.comment));
    const gone = [...this.known.keys()].filter((comment) => !there.has(comment)).map((comment) => ({ ...EMPTY, comment }));
    this.receive({ labels: [...labels, ...gone], latest, undo, redo });
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

  // Labels that changed on any page of this annotator; one's own actions are known already.
  /** @param {Api.Labels} changes */
  receive({ labels, ...rest }) {
    const revision = (comment) => this.known.get(comment)?.revision ?? 0;
    const before = new Map(labels.map(({ comment }) => [comment, revision(comment)]));
    this.update(labels, rest);
    this.callbacks.changed([...before.keys()].filter((comment) => revision(comment) !== before.get(comment)));
    this.callbacks.state();
  }

  // A notification may arrive after a newer response, so each label and the steps are stored with the
  // number of the last action at that time.
  /** @param {Api.Label[]} labels @param {Omit<Api.Labels, "labels">} steps */
  update(labels, { latest, undo, redo }) {
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
    this.callbacks.changed([comment]);
  }

  // Undo or redo the last step.
  step(which) {
    this.queue({ where: `${this.path}/${which}`, which });
  }

  importGold(text) {
    this.queue({ where: `${this.path}/gold`, body: text });
  }

  queue(one) {
    this.waiting.push(one);
    this.callbacks.state();
    if (this.waiting.length === 1) this.send();
  }

  async send() {
    while (this.waiting.length) {
      const one = this.waiting[0];
      const { answer, error } = await this.request(one);
      if (answer) this.saved(one, answer);
      else if (this.isWorthRetrying(error)) await this.pause(error);
      else this.refuse(one, error);
    }
    this.callbacks.state();
  }

  // An undo takes the step that is the last one when it is sent.
  /** @returns {Promise<{ answer?: any, error?: any }>} */
  async request({ where, which, body }) {
    if (which && !this[which]) return { error: new Error(`There is nothing to ${which}.`) };
    return post(where, which ? { step: this[which].id } : body).then((answer) => ({ answer }), (error) => ({ error }));
  }

  // If the server cannot be reached or is overloaded, retry until it works. An internal error may be
  // caused by this very action, which must not block the others for ever.
  isWorthRetrying({ status, code }) {
    if (code === "offline" || status > 500) return true;
    return status === 500 && this.failures + 1 < TRIES;
  }

  /** @param {{ label?: Api.Label, labels?: Api.Label[] } & Omit<Api.Labels, "labels">} answer */
  saved(one, answer) {
    const { label, labels = [label], ...steps } = answer;
    this.recover();
    this.waiting.shift();
    for (const changed of labels) this.rebase(one, changed);
    this.settle(one.comment);
    this.update(labels, steps);
    const comments = labels.map((changed) => changed.comment);
    this.callbacks.changed(comments);
    if (one.which) this.callbacks.stepped(comments);
  }

  // Waiting actions build on the revision that this one has created.
  rebase(one, { comment, revision }) {
    const behind = this.waiting.filter((next) => next.comment === comment && (one.comment === undefined || next.body.revision === one.body.revision));
    for (const next of behind) next.body.revision = revision;
  }

  // The server rejected an action: drop those that build on it too, and show the server's label.
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
    if (one.comment !== undefined) this.callbacks.changed([one.comment]);
    this.callbacks.refused(error, one.comment);
  }

  settle(comment) {
    if (!this.waiting.some((one) => one.comment === comment)) this.drafts.delete(comment);
  }

  // Wait before the next try, longer each time; `lastError` is the reason.
  pause(error) {
    this.lastError = error;
    this.callbacks.state();
    return new Promise((done) => setTimeout(done, backOff(this.failures++)));
  }

  recover() {
    Object.assign(this, { failures: 0, lastError: null });
  }
}

// The label that an action leads to; see the table of actions in docs/server.md.
function expected(label, { action, event, value, text, spans }, links) {
  const without = (list) => list.filter((id) => id !== event);
  const segments = (changed) => Object.fromEntries(Object.entries(changed).filter(([id]) => id !== event));
  const decided = (changed) => {
    const all = [...changed.events, ...changed.rejected];
    return { ...changed, done: changed.none || (changed.events.length > 0 && (label.done || links.every((id) => all.includes(id)))) };
  };
  if (action === "unsure") return { ...label, unsure: value };
  if (action === "note") return { ...label, note: text };
  if (action === "clear") return { ...EMPTY, revision: label.revision };
  if (action === "none") return { ...label, events: [], rejected: union(label.rejected, [...links, ...label.events]), none: true, done: true, segments: {} };
  if (action === "reject") return decided({ ...label, events: without(label.events), rejected: union(label.rejected, [event]), segments: segments(label.segments ?? {}) });
  const worded = action === "words" ? { segments: { ...segments(label.segments ?? {}), ...(spans.length ? { [event]: spans } : {}) } } : {};
  if (event) return decided({ ...label, ...worded, events: union(label.events, [event]), rejected: without(label.rejected), none: false });
  const kept = links.filter((id) => !label.rejected.includes(id));
  return { ...label, events: union(label.events, kept), none: false, done: true };
}

function union(one, other) {
  return [...new Set([...one, ...other])];
}
