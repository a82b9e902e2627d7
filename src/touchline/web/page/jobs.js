// Uploads and alignments that are running, with their progress, and one tray for those that failed. It
// is stored by the server: a failure stays until somebody dismisses it, and is then gone for everybody.
import { make, sentence } from "./report/dom.js";
import { path, post, remove } from "./api.js";
import { button } from "./dialog.js";
import { bar, move, progressText } from "./matches.js";

const OPEN = 3; // so many failures are shown without a click

export class Jobs {
  // `retry(upload)` opens the files of a failed upload again.
  constructor(box, showError, endedJobs, retry) {
    this.box = box;
    this.retry = retry;
    this.showError = showError;
    this.endedJobs = endedJobs;
    this.jobs = new Map();
    this.shown = new Map();
    this.tray = make("details", { class: "tray failed" });
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
    const jobs = [...this.jobs.values()];
    const failed = jobs.filter((job) => job.state === "failed");
    this.shown = new Map(jobs.map((job) => [`${job.id} ${job.state === "failed"}`, this.item(job)]));
    const running = jobs.filter((job) => job.state !== "failed").map((job) => this.shown.get(`${job.id} false`));
    this.fillTray(failed);
    const items = failed.length ? [...running, this.tray] : running;
    const same = items.length === this.box.children.length && items.every((item, place) => item === this.box.children[place]);
    if (!same) this.box.replaceChildren(...items);
    this.box.hidden = !jobs.length;
  }

  /** @param {Api.Job[]} failed */
  fillTray(failed) {
    if (failed.length > this.failures || this.failures === undefined) this.tray.open = failed.length <= OPEN;
    this.failures = failed.length;
    const all = failed.length > 1 ? button("Dismiss all", () => this.dismiss(failed)) : null;
    const title = make("summary", {}, failed.length === 1 ? "1 job failed" : `${failed.length} jobs failed`);
    this.tray.replaceChildren(title, ...failed.map((job) => this.shown.get(`${job.id} true`)), ...(all ? [all] : []));
  }

  /** @param {Api.Job[]} failed */
  dismiss(failed) {
    post("/jobs/dismiss", { jobs: failed.map(({ id }) => id) }).then(({ jobs }) => this.show(jobs), this.showError);
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
    return make(
      "div",
      { class: "job failed", role: "alert" },
      make("p", {}, make("strong", {}, `${failed(job)} `), make("span", { class: "why", dir: "auto" }, sentence(job.problem))),
      job.upload ? button("Change the files", () => this.retry(job.upload), { "aria-label": `Change the files of ${job.title}` }) : null,
      button("Dismiss", () => this.dismiss([job]), { "aria-label": `Dismiss ${job.title}` }),
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
function isShown({ kind, state }) {
  return state === "failed" || (kind !== "align" && (state === "waiting" || state === "running"));
}
