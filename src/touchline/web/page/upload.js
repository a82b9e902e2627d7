// The dialog to add a match: log, commentary, line-ups.
import { make } from "./report/dom.js";
import { session, upload } from "./api.js";
import { button, dialog, form } from "./dialog.js";

// `started(job)` is called with the job that the server has started.
export async function askUpload(started) {
  const { limits, methods, method } = await session();
  /** @type {ReturnType<typeof upload> | null} */
  let sending = null;
  await dialog("Add a match", (close) => {
    const progress = make("progress", { max: 1, value: 0, hidden: true, "aria-label": "Upload progress" });
    const send = make("button", { class: "main" }, "Upload and align");
    const act = async ({ elements }) => {
      const files = filesOf(elements);
      check(files, limits);
      try {
        progress.hidden = false;
        send.disabled = true;
        sending = upload("/matches", asForm(files, elements), (share) => (progress.value = share));
        started(await sending.done);
        close();
      } finally {
        progress.hidden = true;
        send.disabled = false;
      }
    };
    return [form(
      act,
      fileField("events", "Match log", "StatsBomb, Opta, Stats Perform, WhoScored, Wyscout, CSV or JSON Lines", false),
      fileField("comments", "Commentary", "Live text, subtitles or tables; several files in order", true),
      fileField("lineups", "Line-ups (optional)", "Line-ups, F7 or player files", true),
      make("div", { class: "two" },
        make("label", { class: "field" }, "Name (optional)", make("input", { name: "name", maxlength: 80, autocomplete: "off" })),
        make("label", { class: "field" }, "Method", make("select", { name: "method" }, ...methods.map((one) => make("option", { selected: one === method }, one))))),
      progress,
      make("p", { class: "buttons" }, button("Cancel", close), send),
    )];
  });
  /** @type {typeof sending} */ (sending)?.stop();
}

function fileField(name, label, hint, multiple) {
  return make("label", { class: "field" }, label, make("small", { class: "soft" }, hint), make("input", { type: "file", name, multiple }));
}

function filesOf(elements) {
  return ["events", "comments", "lineups"].flatMap((name) => [...elements[name].files].map((file) => ({ name, file })));
}

/** @param {Array<{ name: string, file: File }>} files @param {Api.Limits} limits */
function check(files, limits) {
  const of = (name) => files.filter((one) => one.name === name).length;
  if (!of("events") || !of("comments")) throw new Error("A match needs a log and a commentary. Choose both files.");
  if (files.length > limits.upload_files) throw new Error(`Too many files; the limit is ${limits.upload_files}.`);
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0);
  if (bytes > limits.upload_bytes) throw new Error(`The files are ${megabytes(bytes)} together; the limit is ${megabytes(limits.upload_bytes)}.`);
}

function asForm(files, elements) {
  const sent = new FormData();
  for (const { name, file } of files) sent.append(name, file);
  if (elements.name.value.trim()) sent.append("name", elements.name.value.trim());
  sent.append("method", elements.method.value);
  return sent;
}

function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}
