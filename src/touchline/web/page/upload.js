// The dialog to add matches: files go into one drop zone, the server says what they are and which belong
// together, and the matches start when that is right. After a failure the files are still there.
import { make, sentence } from "./report/dom.js";
import { get, path, post, remove, session, upload as sendFiles } from "./api.js";
import { button, dialog } from "./dialog.js";
import { dropped } from "./dropped.js";

const ROLES = { log: "Match log", commentary: "Commentary", lineups: "Line-ups", labels: "Labels", links: "Links", archive: "Archive", unknown: "Unknown" };
const COUNTS = { log: ["event", "events"], commentary: ["comment", "comments"], labels: ["label", "labels"], archive: ["file", "files"] };
// The methods that most people want, in words; the others are behind a click.
const METHODS = {
  chains: ["Recommended", "Names, words and the clock together, learned from other matches with commentary."],
  "chains:unlabelled": ["Without anybody’s labels", "The same method, learned from commentaries and logs alone."],
  pairrank: ["As in the paper", "PairRank (2012), which learns from this match alone."],
};

// `started(job)` is called with each job that starts; `files` are dropped ones, `kept` is the id of an
// upload that failed.
export async function askUpload(started, { files = [], kept = null } = {}) {
  const options = await session();
  const asking = new UploadDialog(options, started);
  const closed = dialog("Add matches", (close) => asking.fill(close));
  if (kept) asking.take(() => get(path("uploads", kept)));
  else if (files.length) asking.send(files);
  await closed;
  asking.end();
}

class UploadDialog {
  /** @param {Api.Session} options */
  constructor({ limits, methods, method }, started) {
    this.limits = limits;
    this.methods = methods;
    this.method = method;
    this.started = started;
    /** @type {Api.Upload | null} */
    this.upload = null;
    this.plan = [];
    this.begun = false;
  }

  fill(close) {
    this.close = close;
    this.input = make("input", { type: "file", multiple: true, class: "visually-hidden", id: "choose-files", on: { change: () => this.chosen(this.input) } });
    this.folder = make("input", { type: "file", webkitdirectory: true, class: "visually-hidden", tabindex: "-1", "aria-label": "A folder", on: { change: () => this.chosen(this.folder) } });
    this.zone = make("div", { class: "drop-zone" }, this.input, this.folder,
      make("p", {}, make("label", { for: "choose-files", class: "as-button" }, "Choose files"), " ", button("Choose a folder", () => this.folder.click()), make("span", { class: "or" }, " or drop them here")),
      make("p", { class: "soft hint" }, "Match logs, commentary, line-ups and labels, in any order; several matches at once, or a zip archive. Files are recognised by their content."));
    for (const name of ["dragover", "dragleave", "drop"]) this.zone.addEventListener(name, (event) => this.drag(/** @type {DragEvent} */ (event)));
    this.progress = make("progress", { max: 1, value: 0, hidden: true, "aria-label": "Upload progress" });
    this.status = make("p", { class: "soft", role: "status" });
    this.problem = make("p", { class: "problem", role: "alert" });
    this.found = make("div", { class: "understood" });
    this.choice = this.methodChoice();
    this.choice.hidden = true;
    this.go = make("button", { type: "button", class: "main", disabled: true, on: { click: () => this.start() } }, "Align");
    return [this.zone, this.progress, this.status, this.problem, this.found, this.choice, make("p", { class: "buttons" }, button("Cancel", close), this.go)];
  }

  methodChoice() {
    const known = Object.entries(METHODS).filter(([name]) => this.methods.includes(name.split(":")[0]));
    const listed = known.some(([name]) => name === this.method) ? known : [[this.method, ["This server’s default", this.method]], ...known];
    const radios = listed.map(([name, [title, text]]) => make("label", { class: "method" }, make("input", { type: "radio", name: "method", value: name, checked: name === this.method }), make("span", {}, make("strong", {}, title), make("span", { class: "soft" }, text))));
    const others = make("select", { "aria-label": "Other method" }, make("option", { value: "" }, "none of these"), ...this.methods.map((one) => make("option", {}, one)));
    return make("fieldset", { class: "methods" }, make("legend", {}, "Alignment method"), ...radios, make("details", {}, make("summary", {}, "Other methods"), others));
  }

  get chosenMethod() {
    const radio = /** @type {HTMLInputElement | null} */ (this.choice.querySelector("input:checked"));
    return this.choice.querySelector("select").value || radio?.value || null;
  }

  // Files -------------------------------------------------------------------------------------------

  /** @param {DragEvent} event */
  async drag(event) {
    event.preventDefault();
    this.zone.classList.toggle("over", event.type === "dragover");
    if (event.type === "drop") this.send(await dropped(event.dataTransfer));
  }

  chosen(input) {
    const files = [...input.files].map((file) => ({ file, name: file.webkitRelativePath || file.name }));
    input.value = "";
    if (files.length) this.send(files);
  }

  // Send files to the server, to a new upload or to the one that is shown.
  /** @param {Array<{ file: File, name: string }>} files */
  async send(files) {
    const bytes = files.reduce((sum, { file }) => sum + file.size, 0);
    if (bytes > this.limits.upload_bytes) return this.say(`The files are ${megabytes(bytes)} in total; the limit is ${megabytes(this.limits.upload_bytes)}.`);
    if (files.length > this.limits.upload_several) return this.say(`Too many files; the limit is ${this.limits.upload_several}.`);
    const form = new FormData();
    for (const { file, name } of files) form.append("files", file, name);
    const where = this.upload ? `${path("uploads", this.upload.id)}/files` : "/uploads";
    await this.take(() => {
      this.sending = sendFiles(where, form, (share) => this.sent(share));
      return this.sending.done;
    });
  }

  sent(share) {
    this.progress.hidden = share >= 1;
    this.progress.value = share;
    this.status.textContent = share >= 1 ? "Checking the files …" : "Sending the files …";
  }

  // Ask the server for the upload, and show what it has understood.
  /** @param {() => Promise<Api.Upload>} ask */
  async take(ask) {
    this.say("");
    this.status.textContent = "Checking the files …";
    this.go.disabled = true;
    this.zone.classList.add("busy");
    try {
      this.upload = await ask();
      this.understood();
    } catch (error) {
      this.say(error.message);
    } finally {
      this.progress.hidden = true;
      this.status.textContent = "";
      this.zone.classList.remove("busy");
      this.sending = null;
      this.update();
    }
  }

  say(problem) {
    this.problem.textContent = problem;
  }

  // What was understood -----------------------------------------------------------------------------

  understood() {
    this.plan = this.upload.matches.map((match) => ({ ...match, name: "", included: match.comments.length > 0 && !match.problem }));
    this.paint();
  }

  get files() {
    return new Map(this.upload.files.map((file) => [file.id, file]));
  }

  paint() {
    const files = this.files;
    const used = new Set(this.plan.flatMap(filesOf));
    const rest = this.upload.files.filter((file) => !used.has(file.id) && !(file.role === "archive" && !file.problem));
    this.found.replaceChildren(
      ...this.plan.map((match) => this.card(match, files)),
      ...(rest.length ? [make("section", { class: "rest", "aria-label": "Files that are not used" }, make("h3", {}, this.plan.length ? "Not used" : "No match log was found among these files"), make("ul", {}, ...rest.map((file) => this.row(file, this.assignment(file)))))] : []),
    );
    this.update();
  }

  update() {
    const ready = this.plan.filter((match) => match.included);
    this.choice.hidden = !this.plan.length;
    this.zone.classList.toggle("small", Boolean(this.upload?.files.length));
    this.go.disabled = !ready.length || this.zone.classList.contains("busy");
    this.go.textContent = ready.length > 1 ? `Align ${ready.length} matches` : "Align";
  }

  card(match, files) {
    const include = make("input", { type: "checkbox", checked: match.included, disabled: !match.comments.length, "aria-label": `Add ${match.title}`, on: { change: () => {
      match.included = include.checked;
      this.update();
    } } });
    const missing = match.comments.length ? null : make("p", { class: "problem" }, "There is no commentary for this log. Add it above, or choose one of the files below.");
    const doubts = [...(match.problem ? [match.problem] : []), ...match.warnings];
    return make(
      "section",
      { class: "match-card", "aria-label": match.title },
      make("h3", {}, make("label", {}, include, make("bdi", {}, match.title)), match.date ? make("span", { class: "soft" }, match.date) : null),
      make("ul", {}, ...filesOf(match).map((id) => this.row(files.get(id), null))),
      missing,
      doubts.length ? make("ul", { class: "doubts" }, ...doubts.map((one) => make("li", {}, sentence(one)))) : null,
      make("details", {}, make("summary", {}, "Name"), make("input", { type: "text", maxlength: 80, autocomplete: "off", "aria-label": `Name of ${match.title}`, placeholder: match.title, on: { input: (event) => (match.name = event.target.value.trim()) } })),
    );
  }

  /** @param {Api.UploadFile} file */
  row(file, more) {
    const forget = button("×", () => this.take(() => remove(`${path("uploads", this.upload.id)}${path("files", file.id)}`)), { "aria-label": `Remove ${file.name}` });
    return make("li", { class: file.problem ? "file broken" : "file" },
      make("span", { class: "role" }, ROLES[file.role ?? "unknown"]),
      make("span", { class: "what" }, make("bdi", {}, file.name), make("span", { class: "soft" }, ` ${about(file)}`), file.problem ? make("span", { class: "problem", dir: "auto" }, sentence(file.problem)) : null),
      more, forget);
  }

  // A file that the server could not place goes with the match that the user chooses.
  /** @param {Api.UploadFile} file */
  assignment(file) {
    if (!this.plan.length || file.problem || !["commentary", "lineups", "labels"].includes(file.role)) return null;
    const choose = (event) => {
      const match = this.plan[Number(event.target.value)];
      if (file.role === "commentary") Object.assign(match, { comments: [file.id], included: true, problem: null, warnings: [] });
      else if (file.role === "lineups") match.lineups = [...match.lineups, file.id];
      else match.labels = file.id;
      this.paint();
    };
    return make("select", { "aria-label": `Use ${file.name} for`, on: { change: choose } }, make("option", { value: "" }, "Use for …"), ...this.plan.map((match, place) => make("option", { value: place }, match.title)));
  }

  // Starting ----------------------------------------------------------------------------------------

  async start() {
    const matches = this.plan.filter((match) => match.included).map(({ events, comments, lineups, labels, name }) => ({ events, comments, lineups, labels, name }));
    this.go.disabled = true;
    this.say("");
    try {
      const { jobs } = await post(`${path("uploads", this.upload.id)}/matches`, { matches, method: this.chosenMethod });
      this.begun = true;
      for (const job of jobs) this.started(job);
      this.close();
    } catch (error) {
      this.say(error.message);
      this.update();
    }
  }

  // Files that nobody started are deleted, unless they are those of a failure.
  end() {
    this.sending?.stop();
    const waiting = this.begun || Object.keys(this.upload?.jobs ?? {}).length;
    if (this.upload && !waiting) remove(path("uploads", this.upload.id)).catch(() => null);
  }
}

function filesOf({ events, comments, lineups, labels }) {
  return [events, ...comments, ...lineups, ...(labels ? [labels] : [])];
}

/** @param {Api.UploadFile} file */
function about({ role, what, count, folder }) {
  const names = COUNTS[role];
  const counted = names && count !== null ? `${count.toLocaleString("en")} ${names[count === 1 ? 0 : 1]}` : "";
  const known = ["labels", "lineups", "links"].includes(role) ? "" : what;
  return [known, counted, folder ? `in ${folder}` : ""].filter(Boolean).join(" · ");
}

function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}
