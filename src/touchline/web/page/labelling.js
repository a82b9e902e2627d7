// Labelling: what a match's page adds to the report's. This class holds the labels and shows them;
// `label_actions.js` has the actions of the annotator.
import { relink } from "./report/match.js";
import { commentDetail, eventDetail } from "./report/detail.js";
import { get, oneAtATime, path } from "./api.js";
import { GOLD } from "./adjudication.js";
import { annotator, askAnnotator } from "./annotator.js";
import { LabellingBar } from "./labelling_bar.js";
import { LabelActions } from "./label_actions.js";
import { Learning } from "./learning.js";
import { Labels } from "./labels.js";
import { labelledLinks, options } from "./options.js";
import { addingHead, labelDetail, signs } from "./panel.js";

const CHANGED = "This line was changed elsewhere under your name. Your last action was not applied; the current label is shown.";
const OTHER_STEP = "The last step has changed: someone is labelling under your name elsewhere. Check the labels, then try again.";

export class Labelling {
  constructor(name, limits) {
    this.name = name;
    this.limits = limits;
    this.labels = null;
    this.order = "match";
    this.actions = new LabelActions(this);
    this.learning = new Learning(name);
    this.others = new Map(); // annotator -> their labels by comment
    this.doubts = new Map(); // comment -> how many of the machine's decisions on it are expected to be wrong
    this.ranks = new Map(); // comment -> its place among those whose labels teach most
    this.refused = new Map(); // comment -> why the last action on it was not applied
    this.unsaved = new Set(); // comments whose last action the server has not accepted
    // Read everything from the server again.
    this.read = oneAtATime(() => this.readAll().catch((error) => this.bar.complain(error.message)));
    this.reading = false;
  }

  // To be called when the page shows the match.
  open(app) {
    this.app = app;
    this.match = app.match;
    for (const comment of this.match.comments) Object.assign(comment, { proposed: comment.links, guessed: comment.status });
    this.bar = new LabellingBar(this);
    this.bar.show();
  }

  // Somebody who gave a name before can label at once.
  async resume() {
    if (annotator()) await this.startAs(annotator());
  }

  async askName() {
    await askAnnotator((name) => {
      this.app.view("feed"); // else the next keys would go to the button that opened the dialog
      this.startAs(name, true);
    });
  }

  // With `start`, the first line without a label is selected, unless a line is selected already.
  async startAs(name, start = false) {
    const links = (id) => this.match.commentOf.get(id).proposed.map(({ event }) => event.id);
    this.labels = new Labels(this.name, name, links, {
      changed: (ids) => this.changed(ids),
      state: () => this.bar.show(),
      refused: (error, id) => this.refuse(error, id),
      stepped: (ids) => this.app.select(this.match.commentOf.get(ids[0]) ?? this.app.selected),
    });
    this.refused.clear();
    this.unsaved.clear();
    this.actions.wait(start);
    this.bar.show();
    await this.read();
    this.actions.begin();
    this.changed(this.match.comments.map((comment) => comment.id));
  }

  async readAll() {
    const { labels } = this;
    if (!labels) return;
    this.reading = true;
    try {
      const [queue, others] = await Promise.all([
        get(`${path("matches", this.name)}/queue`, { annotator: labels.annotator, state: "all", order: "teaching" }), this.readOthers(labels.annotator), labels.load(),
      ]);
      if (labels === this.labels) this.show(queue, others); // else the annotator has changed meanwhile
    } finally {
      this.reading = false;
    }
  }

  async readOthers(own) {
    const record = await get(path("matches", this.name));
    const names = [...record.annotators.map(({ name }) => name).filter((name) => name !== own), GOLD];
    const found = await Promise.all(names.map((name) => get(path("matches", this.name, "labels", name))));
    return new Map(names.map((name, place) => [name, new Map(found[place].labels.map((label) => [label.comment, label]))]));
  }

  // Everything is loaded.
  show(queue, others) {
    this.doubts = new Map(queue.comments.map(({ comment, doubt }) => [comment, doubt]));
    this.ranks = new Map(queue.comments.map(({ comment }, place) => [comment, place]));
    this.others = others;
    this.labels.loaded = true;
    this.changed([...others.values()].flatMap((labels) => [...labels.keys()]));
    if (this.order !== "match") this.app.refilter({});
    this.bar.show();
    this.actions.begin();
  }

  // A notification: a label was written, here or elsewhere.
  receive(news) {
    if (!this.labels) return;
    if (news.annotator === this.labels.annotator) return this.labels.receive(news);
    const theirs = this.others.get(news.annotator) ?? new Map();
    this.others.set(news.annotator, theirs);
    if (this.reading) this.read(); // again: that reading may be older than this notification
    for (const label of news.labels) theirs.set(label.comment, label);
    this.changed(news.labels.map((label) => label.comment));
  }

  changed(ids) {
    const comments = [...new Set(ids)].map((id) => this.match.commentOf.get(id)).filter(Boolean);
    const relinked = comments.filter((comment) => this.relink(comment));
    if (comments.length) this.app.changed(comments, relinked.length > 0);
  }

  // Show the events of a comment's label; true if they differ from those shown before.
  relink(comment) {
    const label = this.labels.of(comment.id);
    const before = key(comment);
    relink(comment, labelledLinks(this.match, comment, label));
    const decided = label.unsure ? "unsure" : comment.links.length ? "linked" : "none";
    comment.status = label.done ? decided : comment.guessed;
    comment.states = new Set([label.done ? "labelled" : "to-label"]);
    if (label.unsure) comment.states.add("doubted");
    if (this.differs(comment, label)) comment.states.add("differs");
    if (this.others.get(GOLD)?.get(comment.id)?.done) comment.states.add("adjudicated");
    return key(comment) !== before;
  }

  // Whether another annotator's finished label has other events than one's own.
  differs(comment, label) {
    const sorted = ({ events }) => [...events].sort().join(" ");
    return label.done && this.otherLabels(comment).some(({ label: theirs }) => sorted(theirs) !== sorted(label));
  }

  // The finished labels of other annotators on a comment.
  otherLabels(comment) {
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

  // Show a message about a comment, in its panel and beside its row.
  hint(id, text) {
    this.refused.set(id, text);
    this.changed([id]);
    this.bar.show();
  }

  // --- called by the page, see ReadOnlyMode ---

  handlesPick(item) {
    return this.actions.handlesPick(item);
  }

  key(name) {
    return this.actions.key(name);
  }

  leave() {
    return this.actions.leave();
  }

  defer(act) {
    return this.actions.defer(act);
  }

  selected(item) {
    if (item?.describedBy || !this.match) return;
    this.actions.select(item);
    history.replaceState(null, "", item ? `#${encodeURIComponent(JSON.stringify(item.id))}` : location.pathname + location.search);
  }

  arrange(comments) {
    if (this.order === "match") return comments;
    const measure = this.order === "teaching" ? (comment) => this.rank(comment) : (comment) => -this.doubt(comment);
    return [...comments].sort((a, b) => measure(a) - measure(b));
  }

  doubt(comment) {
    return this.doubts.get(comment.id) ?? 0;
  }

  rank(comment) {
    return this.ranks.get(comment.id) ?? this.ranks.size;
  }

  row(comment, element) {
    if (this.labels) element.querySelector(".clock").append(signs(comment, this.labels.of(comment.id), this.refused.has(comment.id)));
    return element;
  }

  detail(match, item, pick) {
    if (item.links) return this.labels ? labelDetail(match, item, { ...this.view(item), pick }, this.actions) : commentDetail(match, item, pick);
    const { adding } = this.actions;
    const isIn = adding && this.labels.of(adding.id).events.includes(item.id);
    return [adding ? addingHead(adding, item, isIn, this.actions) : null, ...eventDetail(match, item, pick)];
  }

  view(comment) {
    const label = this.labels.of(comment.id);
    return {
      label,
      options: options(this.match, comment, label),
      cursor: this.actions.cursor,
      saved: this.labels.isSaved(comment.id),
      refused: this.refused.get(comment.id),
      others: this.otherLabels(comment),
    };
  }
}

// Changes if the rest of the page has to show a comment differently.
function key({ links, status }) {
  return [status, ...links.map(({ event }) => event.index)].join(" ");
}
