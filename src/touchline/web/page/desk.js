// The desk: what a match's page adds to the report's so that a person can label. It keeps what is
// said about each comment and shows it; `hands.js` has what the person does.
import { retell } from "./report/match.js";
import { commentDetail, eventDetail } from "./report/detail.js";
import { get, oneByOne, path } from "./api.js";
import { annotator, askAnnotator } from "./annotator.js";
import { DeskBar } from "./deskbar.js";
import { Hands } from "./hands.js";
import { Labels } from "./labels.js";
import { options, told } from "./options.js";
import { addingHead, labelDetail, signs } from "./panel.js";

const CHANGED = "This line was changed elsewhere under your name. Your last action was not applied; this is how it stands now.";
const OTHER_STEP = "The last step is another one by now, made elsewhere under your name: look, then try again.";

export class Desk {
  constructor(name, limits) {
    Object.assign(this, { name, limits, labels: null, order: "match", hands: new Hands(this) });
    this.others = new Map(); // annotator -> their labels by comment
    this.doubts = new Map(); // comment -> how many of the machine's decisions about it may be wrong
    this.refused = new Map(); // comment -> why an action on it was not taken
    this.unsaved = new Set(); // comments on which the server has not taken the last action
    // Read again what the server has.
    this.read = oneByOne(() => this.readAll().catch((error) => this.bar.complain(error.message)));
    this.reading = false;
  }

  // The match is on the page.
  open(app) {
    this.app = app;
    this.match = app.match;
    this.match.eventOf = new Map(this.match.events.map((event) => [event.id, event]));
    this.match.commentOf = new Map(this.match.comments.map((comment) => [comment.id, comment]));
    for (const comment of this.match.comments) Object.assign(comment, { proposed: comment.told, guessed: comment.status });
    this.bar = new DeskBar(this);
    this.bar.show();
  }

  // Who has said their name before is at work at once.
  async join() {
    if (annotator()) await this.become(annotator());
  }

  async ask() {
    const name = await askAnnotator();
    if (!name) return;
    this.app.view("feed"); // else the next keys go to the button that asked for the name
    await this.become(name, true);
  }

  // With `start`, the first open line is selected unless there is a selected one.
  async become(name, start = false) {
    const links = (id) => this.match.commentOf.get(id).proposed.map(({ event }) => event.id);
    this.labels = new Labels(this.name, name, links, {
      changed: (ids) => this.changed(ids),
      state: () => this.bar.show(),
      refused: (error, id) => this.refuse(error, id),
      stepped: (ids) => this.app.select(this.match.commentOf.get(ids[0]) ?? this.app.selected),
    });
    this.refused.clear();
    this.unsaved.clear();
    this.hands.wait(start);
    this.bar.show();
    await this.read();
    this.hands.begin();
    this.changed(this.match.comments.map((comment) => comment.id));
  }

  async readAll() {
    const { labels } = this;
    if (!labels) return;
    this.reading = true;
    try {
      const [queue, others] = await Promise.all([
        get(`${path("matches", this.name)}/queue`, { annotator: labels.annotator, state: "all" }), this.readOthers(labels.annotator), labels.load(),
      ]);
      if (labels === this.labels) this.show(queue, others); // else somebody else has sat down
    } finally {
      this.reading = false;
    }
  }

  async readOthers(own) {
    const record = await get(path("matches", this.name));
    const names = record.annotators.map(({ name }) => name).filter((name) => name !== own);
    const found = await Promise.all(names.map((name) => get(path("matches", this.name, "labels", name))));
    return new Map(names.map((name, place) => [name, new Map(found[place].labels.map((label) => [label.comment, label]))]));
  }

  // All that a person works with is there.
  show(queue, others) {
    this.doubts = new Map(queue.comments.map(({ comment, doubt }) => [comment, doubt]));
    this.others = others;
    this.labels.loaded = true;
    this.changed([...others.values()].flatMap((labels) => [...labels.keys()]));
    if (this.order !== "match") this.app.refilter({});
    this.bar.show();
    this.hands.begin();
  }

  // A label was written, here or elsewhere.
  hear(news) {
    if (!this.labels) return;
    if (news.annotator === this.labels.annotator) return this.labels.hear(news);
    const theirs = this.others.get(news.annotator) ?? new Map();
    this.others.set(news.annotator, theirs);
    if (this.reading) this.read(); // which may be about to show what was before
    for (const label of news.labels) theirs.set(label.comment, label);
    this.changed(news.labels.map((label) => label.comment));
  }

  changed(ids) {
    const comments = [...new Set(ids)].map((id) => this.match.commentOf.get(id)).filter(Boolean);
    const retold = comments.filter((comment) => this.retell(comment));
    if (comments.length) this.app.changed(comments, retold.length > 0);
  }

  // Make a comment say what its label says; true when that is something else than before.
  retell(comment) {
    const label = this.labels.of(comment.id);
    const before = key(comment);
    retell(comment, told(this.match, comment, label));
    const decided = label.unsure ? "unsure" : comment.told.length ? "linked" : "none";
    comment.status = label.done ? decided : comment.guessed;
    comment.states = new Set([label.done ? "labelled" : "to-label"]);
    if (label.unsure) comment.states.add("doubted");
    if (this.differs(comment, label)) comment.states.add("differs");
    return key(comment) !== before;
  }

  // Whether another person's finished label says something else than one's own.
  differs(comment, label) {
    const sorted = ({ events }) => [...events].sort().join(" ");
    return label.done && this.said(comment).some(({ label: theirs }) => sorted(theirs) !== sorted(label));
  }

  // What others have finished saying about a comment.
  said(comment) {
    const all = [...this.others].map(([name, labels]) => ({ annotator: name, label: labels.get(comment.id) }));
    return all.filter(({ label }) => label?.done);
  }

  refuse(error, id) {
    const conflict = error.code === "conflict";
    if (this.match.commentOf.has(id)) {
      this.unsaved.add(id);
      this.hint(id, conflict ? CHANGED : error.message);
    } else this.bar.complain(conflict ? OTHER_STEP : error.message);
  }

  // Say something about a comment, in its panel and beside its row.
  hint(id, text) {
    this.refused.set(id, text);
    this.changed([id]);
    this.bar.show();
  }

  // --- what the page asks of its desk ---

  takes(item) {
    return this.hands.takes(item);
  }

  key(name) {
    return this.hands.key(name);
  }

  leave() {
    return this.hands.leave();
  }

  selected(item) {
    if (item?.tellers || !this.match) return;
    this.hands.turnTo(item);
    history.replaceState(null, "", item ? `#${encodeURIComponent(JSON.stringify(item.id))}` : location.pathname);
  }

  arrange(comments) {
    if (this.order === "match") return comments;
    return [...comments].sort((a, b) => this.doubt(b) - this.doubt(a));
  }

  doubt(comment) {
    return this.doubts.get(comment.id) ?? 0;
  }

  row(comment, element) {
    if (this.labels) element.querySelector(".clock").append(signs(comment, this.labels.of(comment.id), this.refused.has(comment.id)));
    return element;
  }

  detail(match, item, pick) {
    if (item.told) return this.labels ? labelDetail(match, item, this.view(item), this.hands) : commentDetail(match, item, pick);
    const { adding } = this.hands;
    const isIn = adding && this.labels.of(adding.id).events.includes(item.id);
    return [adding ? addingHead(adding, item, isIn, this.hands) : null, ...eventDetail(match, item, pick)];
  }

  view(comment) {
    const label = this.labels.of(comment.id);
    return {
      label,
      options: options(this.match, comment, label),
      cursor: this.hands.cursor,
      saved: this.labels.isSaved(comment.id),
      refused: this.refused.get(comment.id),
      others: this.said(comment),
    };
  }
}

// What the rest of the page shows of a comment.
function key({ told: events, status }) {
  return [status, ...events.map(({ event }) => event.index)].join(" ");
}
