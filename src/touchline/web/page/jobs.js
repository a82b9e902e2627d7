// Uploads and alignments that are running or failed, with their progress.
import { make } from "./report/dom.js";
import { path, remove } from "./api.js";
import { button } from "./dialog.js";
import { bar, move, progressText } from "./matches.js";

const RECENT = 60 * 60 * 1000; // milliseconds for which an earlier failure is still shown

export class Jobs {
  constructor(box, showError, endedJobs) {
    this.box = box;
    this.showError = showError;
    this.endedJobs = endedJobs;
    this.jobs = new Map();
    this.seen = new Set();
    this.shown = new Map();
  }

  /** @param {Api.Job[]} jobs */
  show(jobs) {
    this.jobs = new Map(jobs.filter((job) => isShown(job) && (job.ended || !this.endedJobs.has(job.id))).map((job) => [job.id, job]));
    this.paint();
  }

  // The notification that a job has ended may come before older responses in which it still runs.
  /** @param {Api.Job} job */
  receive(job) {
    if (!job.ended && this.endedJobs.has(job.id)) return;
    if (job.state === "failed" || (job.kind !== "align" && !job.ended)) this.jobs.set(job.id, job);
    else this.jobs.delete(job.id);
    this.paint();
  }

  paint() {
    const jobs = [...this.jobs.values()].filter((job) => !this.seen.has(job.id));
    this.shown = new Map(jobs.map((job) => [`${job.id} ${job.state === "failed"}`, this.item(job)]));
    const items = [...this.shown.values()];
    const same = items.length === this.box.children.length && items.every((item, place) => item === this.box.children[place]);
    if (!same) this.box.replaceChildren(...items);
    this.box.hidden = !jobs.length;
  }

  // An existing item stays and only its bar moves: somebody may be about to press its button.
  /** @param {Api.Job} job */
  item(job) {
    const item = this.shown.get(`${job.id} ${job.state === "failed"}`);
    if (job.state === "failed") return item ?? this.failure(job);
    if (!item) return this.running(job);
    move(item.querySelector(".bar-line"), job.done, progressText(job));
    return item;
  }

  /** @param {Api.Job} job */
  running(job) {
    const cancel = () => remove(path("jobs", job.id)).then((ended) => {
      this.endedJobs.add(ended.id);
      this.receive(ended);
    }, this.showError);
    return make("div", { class: "job" }, bar(job.title, job.done, progressText(job)), button("Cancel", cancel, { "aria-label": `Cancel ${job.title}` }));
  }

  /** @param {Api.Job} job */
  failure(job) {
    const dismiss = () => {
      this.seen.add(job.id);
      this.paint();
    };
    return make(
      "div",
      { class: "job failed", role: "alert" },
      make("p", {}, make("strong", {}, `${failed(job)} `), make("span", { class: "why", dir: "auto" }, job.problem)),
      button("Dismiss", dismiss, { "aria-label": `Dismiss ${job.title}` }),
    );
  }
}

/** @param {Api.Job} job */
function failed({ kind, title }) {
  if (kind === "learn") return `${title} failed.`;
  return `${title} could not be ${kind === "upload" ? "added" : "aligned"}.`;
}

// Alignments of matches in the list are shown there.
/** @param {Api.Job} job */
function isShown({ kind, state, ended }) {
  if (state === "failed") return Date.now() - Date.parse(ended) < RECENT;
  return kind !== "align" && (state === "waiting" || state === "running");
}
