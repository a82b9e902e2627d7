// A new match: its log, its commentary, its line-ups.
import { make } from "./report/dom.js";
import { session, upload } from "./api.js";
import { button, dialog, form } from "./dialog.js";

// `begun(job)` hears of the work that the server does on it.
export async function askUpload(begun) {
  const { limits, methods, method } = await session();
  let sending = null;
  await dialog("Add a match", (close) => {
    const progress = make("progress", { max: 1, value: 0, hidden: true, "aria-label": "Sent" });
    const send = make("button", { class: "main" }, "Send and align");
    const act = async ({ elements }) => {
      const files = filesOf(elements);
      check(files, limits);
      try {
        progress.hidden = false;
        send.disabled = true;
        sending = upload("/matches", asForm(files, elements), (share) => (progress.value = share));
        begun(await sending.done);
        close();
      } finally {
        progress.hidden = true;
        send.disabled = false;
      }
    };
    return [form(
      act,
      fileField("events", "Match log", "StatsBomb, Opta, Stats Perform, WhoScored, Wyscout, CSV or JSON Lines", false),
      fileField("comments", "Commentary", "Live text, subtitles, tables; several files follow each other", true),
      fileField("lineups", "Line-ups (optional)", "Line-ups, F7 or player files", true),
      make("div", { class: "two" },
        make("label", { class: "field" }, "Name (optional)", make("input", { name: "name", maxlength: 80, autocomplete: "off" })),
        make("label", { class: "field" }, "Method", make("select", { name: "method" }, ...methods.map((one) => make("option", { selected: one === method }, one))))),
      progress,
      make("p", { class: "buttons" }, button("Cancel", close), send),
    )];
  });
  sending?.stop();
}

function fileField(name, label, hint, multiple) {
  return make("label", { class: "field" }, label, make("small", { class: "soft" }, hint), make("input", { type: "file", name, multiple }));
}

function filesOf(elements) {
  return ["events", "comments", "lineups"].flatMap((name) => [...elements[name].files].map((file) => ({ name, file })));
}

function check(files, limits) {
  const of = (name) => files.filter((one) => one.name === name).length;
  if (!of("events") || !of("comments")) throw new Error("A match needs a log and a commentary: choose both files.");
  if (files.length > limits.upload_files) throw new Error(`At most ${limits.upload_files} files can be sent at once.`);
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0);
  if (bytes > limits.upload_bytes) throw new Error(`These files have ${mega(bytes)}; the server takes ${mega(limits.upload_bytes)} at once.`);
}

function asForm(files, elements) {
  const sent = new FormData();
  for (const { name, file } of files) sent.append(name, file);
  if (elements.name.value.trim()) sent.append("name", elements.name.value.trim());
  sent.append("method", elements.method.value);
  return sent;
}

function mega(bytes) {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}
