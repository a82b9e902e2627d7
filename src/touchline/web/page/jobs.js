// Work that goes on, or went wrong: uploads and alignments with their progress.
import { make } from "./report/dom.js";
import { path, remove } from "./api.js";
import { button } from "./dialog.js";
import { bar } from "./matches.js";

const RECENT = 60 * 60 * 1000; // milliseconds for which a failure is still shown to who comes later

export class Jobs {
  constructor(box, trouble) {
    Object.assign(this, { box, trouble, jobs: new Map(), seen: new Set(), over: new Set() });
  }

  show(jobs) {
    this.jobs = new Map(jobs.filter((job) => isNews(job) && (job.ended || !this.over.has(job.id))).map((job) => [job.id, job]));
    this.paint();
  }

  // The news that a job is over may come before the answers that it has begun, or goes on.
  hear(job) {
    if (job.ended) this.over.add(job.id);
    else if (this.over.has(job.id)) return;
    if (job.state === "failed" || (job.kind === "upload" && !job.ended)) this.jobs.set(job.id, job);
    else this.jobs.delete(job.id);
    this.paint();
  }

  paint() {
    const shown = [...this.jobs.values()].filter((job) => !this.seen.has(job.id));
    this.box.replaceChildren(...shown.map((job) => this.item(job)));
    this.box.hidden = !shown.length;
  }

  item(job) {
    if (job.state === "failed") return this.failure(job);
    const cancel = () => remove(path("jobs", job.id)).then((ended) => this.hear(ended), this.trouble);
    return make("div", { class: "job" }, bar(job.title, job.done, `${job.stage} ${Math.round(100 * job.done)} %`), button("Cancel", cancel, { "aria-label": `Cancel ${job.title}` }));
  }

  failure(job) {
    const dismiss = () => {
      this.seen.add(job.id);
      this.paint();
    };
    return make(
      "div",
      { class: "job failed", role: "alert" },
      make("p", {}, make("strong", {}, `${job.title} could not be ${job.kind === "upload" ? "added" : "aligned"}. `), make("span", { class: "why", dir: "auto" }, job.problem)),
      button("Dismiss", dismiss, { "aria-label": `Dismiss ${job.title}` }),
    );
  }
}

// Alignments of matches in the list show there.
function isNews({ kind, state, ended }) {
  if (state === "failed") return Date.now() - Date.parse(ended) < RECENT;
  return kind === "upload" && (state === "waiting" || state === "running");
}
