// Learning from the labels of all matches: start it, compare before and after, use the model or not.
import { make, sentence } from "./report/dom.js";
import { get, oneAtATime, path, post, remove } from "./api.js";
import { button, dialog } from "./dialog.js";
import { bar, move, progressText } from "./matches.js";

const METRICS = [["f1", "F1"], ["precision", "Precision"], ["recall", "Recall"], ["exact", "Same events"]];
const ABOUT = "touchline can learn from all the labels in this folder, whoever made them. Nothing changes until you have seen how much it helps: each labelled match is left out in turn and linked by a model that has not seen its labels.";

export class Learning {
  // With the name of a match, the dialog offers to align it again.
  constructor(match) {
    this.match = match;
    this.box = null; // the content of the dialog while it is open
    this.problem = "";
    this.aligned = false; // whether an alignment with the model was started here
    this.read = oneAtATime(() => this.act(() => get("/learned")));
  }

  async open() {
    this.problem = "";
    this.aligned = false;
    this.box = make("div", { class: "learning", "aria-live": "polite" });
    this.read();
    await dialog("Learn from labels", () => [make("p", {}, ABOUT), this.box]);
    this.box = null;
  }

  // A notification of a job.
  /** @param {Api.Job} job */
  receive(job) {
    if (!this.box || job.kind !== "learn") return;
    const line = this.box.querySelector(".bar-line");
    if (job.ended || !line) {
      this.problem = job.problem ?? "";
      this.read();
    } else move(line, job.done, progressText(job));
  }

  // Do something that gives the new state, and show it.
  async act(request) {
    try {
      const state = await request();
      if (this.box) this.show(state);
    } catch (error) {
      this.problem = error.message;
      this.box?.querySelector(".problem")?.replaceChildren(this.problem);
    }
  }

  /** @param {Api.Learning} state */
  show(state) {
    const { offered, used, job, missing } = state;
    const titles = new Map(state.labelled.map(({ match, title }) => [match, title]));
    const problem = make("p", { class: "problem", role: "alert" }, this.problem);
    this.box.replaceChildren(...[
      counts(state),
      ...(job ? this.running(job) : []),
      ...(offered ? [make("h3", {}, "Before and after"), ...comparison(offered, titles)] : []),
      ...(used ? inUse(used, titles) : []),
      missing && !job ? make("p", { class: "soft", id: "missing" }, sentence(missing)) : null,
      problem,
      job ? null : make("p", { class: "buttons" }, this.start(missing, offered || used), ...this.choices(offered, used)),
    ].filter(Boolean));
  }

  /** @param {Api.LearnedModel | null} offered @param {Api.LearnedModel | null} used */
  choices(offered, used) {
    const drop = () => this.act(() => remove("/learned"));
    const use = () => this.act(() => post("/learned", { model: offered.id }));
    return [
      used ? button("Use the bundled models", drop, { id: "learn-drop" }) : null,
      offered ? button("Use it", use, { class: isBetter(offered) ? "main" : "", id: "learn-use" }) : null,
      used && !offered && this.match !== undefined ? this.again() : null,
    ];
  }

  // Aligns the match that is shown, with the model that is used.
  again() {
    const align = () => {
      this.aligned = true;
      this.act(() => post(`${path("matches", this.match)}/align`).then(() => get("/learned")));
    };
    return button(this.aligned ? "Aligning …" : "Align again", align, { class: "main", id: "learn-align", disabled: this.aligned });
  }

  start(missing, again) {
    const start = () => {
      this.problem = "";
      this.act(() => post("/learn").then(() => get("/learned")));
    };
    return button(again ? "Learn again" : "Learn from these labels", start, { class: again ? "" : "main", id: "learn-start", disabled: Boolean(missing) });
  }

  /** @param {Api.Job} job */
  running(job) {
    const cancel = () => this.act(() => remove(path("jobs", job.id)).then(() => get("/learned")));
    return [
      make("div", { class: "learning-job" }, bar("Learning", job.done, progressText(job)), button("Cancel", cancel)),
      make("p", { class: "soft" }, "You can close this and go on labelling. Labels added now count the next time."),
    ];
  }
}

/** @param {Api.LearnedModel} model @param {Map<string, string>} titles */
function inUse(model, titles) {
  return [
    make("h3", {}, "In use"),
    make("p", { id: "in-use" }, `Alignments use the model of ${day(model.learned)}, learned from ${lines(model.comments)} of ${matches(model.labelled)}. Existing links stay as they are until a match is aligned again.`),
    make("details", {}, make("summary", {}, "Its figures"), ...comparison(model, titles)),
  ];
}

/** @param {Api.Learning} state */
function counts({ labelled }) {
  if (!labelled.length) return make("p", {}, "Nothing is labelled yet.");
  const total = labelled.reduce((sum, { comments }) => sum + comments, 0);
  return make(
    "details",
    { class: "labelled-matches" },
    make("summary", {}, `${lines(total)} of ${matches(labelled.length)} labelled`),
    make("ul", {}, ...labelled.map(({ title, comments }) => make("li", {}, make("bdi", {}, title), make("span", { class: "soft" }, lines(comments))))),
  );
}

/** @param {Api.LearnedModel} model @param {Map<string, string>} titles */
function comparison(model, titles) {
  const { total, left_out: each, labelled, skipped } = model;
  const some = each.length < labelled ? ` The ${each.length} with most labels were left out in turn.` : "";
  const gone = skipped ? ` ${skipped} labels no longer fit the files and were skipped.` : "";
  return [
    make("p", { id: "verdict" }, verdict(model), some, gone),
    figures(total),
    make("p", { class: "soft small" }, explained(total)),
    make("p", { class: "soft small", id: "labels-by" }, chosen(model)),
    make("details", {}, make("summary", {}, "Match by match"), ...each.map((one) => make("div", {}, make("h4", {}, titles.get(one.match) ?? one.match), figures(one)))),
  ];
}

/** @param {Api.Comparison} total */
function explained({ bundled, over }) {
  return [
    bundled ? "Bundled: the models that come with touchline." : "",
    "Without and with labels: a model learned from the other matches of this folder.",
    over ? "Bundled, with labels: the bundled model for such matches, with the labels of the other matches." : "",
  ].filter(Boolean).join(" ");
}

// Which of the two models this is, and how labels answer.
/** @param {Api.LearnedModel} model */
function chosen({ total, over_bundled: over, labels_by: by }) {
  const better = `F1 ${percent((over ? total.over : total.labels).f1)} against ${percent((over ? total.labels : (total.over ?? total.labels)).f1)} on the matches left out`;
  const which = !total.over ? "" : over ? `This is the bundled model with your labels: it does better than a model learned from this folder alone (${better}). ` : `This model is learned from this folder: it does at least as well as the bundled model with your labels (${better}). `;
  return which + (by ? sentence(by) : "");
}

// The figures of the model that is offered.
/** @param {Api.LearnedModel} model */
function own({ total, over_bundled: over }) {
  return over && total.over ? total.over : total.labels;
}

// What speaks for the model or against it, in one sentence.
/** @param {Api.LearnedModel} model */
function verdict(model) {
  const { bundled, without } = model.total;
  const labels = own(model);
  if (bundled && bundled.f1 >= labels.f1) return `The bundled model alone does at least as well on these matches: F1 ${percent(bundled.f1)} against ${percent(labels.f1)}. More labels may change that.`;
  const before = bundled ?? without;
  if (labels.f1 <= before.f1) return `Labels do not help yet: F1 ${percent(before.f1)} without them, ${percent(labels.f1)} with them.`;
  return `On matches whose labels it has not seen, F1 goes from ${percent(before.f1)} to ${percent(labels.f1)}.`;
}

/** @param {Api.LearnedModel} model */
function isBetter(model) {
  const { bundled, without } = model.total;
  return own(model).f1 > (bundled ?? without).f1;
}

/** @param {Api.Comparison} comparison */
function figures({ bundled, without, labels, over, comments }) {
  const columns = [...(bundled ? [["Bundled", bundled]] : []), ["Without labels", without], ["With labels", labels], ...(over ? [["Bundled, with labels", over]] : [])];
  const head = make("tr", {}, make("td", { class: "soft" }, lines(comments)), ...columns.map(([name]) => make("th", { scope: "col" }, name)));
  const rows = METRICS.map(([key, name]) => make("tr", {}, make("th", { scope: "row" }, name), ...columns.map(([, values]) => make("td", {}, percent(values[key])))));
  return make("table", { class: "before-after" }, make("thead", {}, head), make("tbody", {}, ...rows));
}

function percent(share) {
  return (100 * share).toFixed(1);
}

function lines(count) {
  return count === 1 ? "1 line" : `${count} lines`;
}

function matches(count) {
  return count === 1 ? "1 match" : `${count} matches`;
}

function day(time) {
  return new Date(time).toLocaleDateString("en-GB", { day: "numeric", month: "short", year: "numeric" });
}
