// The start page: all matches, search, uploads.
import { byId } from "./report/dom.js";
import { get, listen, oneAtATime, session } from "./api.js";
import { showAgreement } from "./agreement.js";
import { Jobs } from "./jobs.js";
import { Learning } from "./learning.js";
import { Matches, linkTo } from "./matches.js";
import { Search } from "./search.js";
import { dropped } from "./dropped.js";
import { askUpload } from "./upload.js";

const READ_ONLY = "This is a data set, which is read-only. Matches cannot be added to it here.";
const line = { last: Promise.resolve() }; // for reads that change the list
const endedJobs = new Set(); // ended jobs: responses in which they still run are outdated
const matches = new Matches(byId("matches"), showError, line, endedJobs);
const jobs = new Jobs(byId("jobs"), showError, endedJobs, (kept) => add({ kept }));
const search = new Search(showError);
const learning = new Learning();

// Show an error, or clear the last one.
function showError(error) {
  byId("trouble").textContent = error?.message ?? "";
}

const read = oneAtATime(async () => {
  try {
    const [{ folder, matches: all }, { jobs: going }, { formats, read_only: readOnly }] = await Promise.all([get("/matches"), get("/jobs"), session()]);
    byId("folder").textContent = `${all.length === 1 ? "1 match" : `${all.length} matches`} in ${folder}`;
    document.body.classList.toggle("read-only", readOnly);
    matches.show(all, formats, readOnly);
    jobs.show(going);
    await search.read();
    showError(null);
  } catch (error) {
    showError(error);
  }
}, line);

// Add matches, from files that were dropped or kept after a failure.
async function add(from) {
  if ((await session()).read_only) return showError({ message: READ_ONLY });
  return askUpload((job) => jobs.receive(job), from).then(read, showError);
}

byId("upload-open").addEventListener("click", () => add());
byId("learn").addEventListener("click", () => learning.open());
byId("agreement").addEventListener("click", () => showAgreement(undefined, (comment, match) => location.assign(linkTo(match, comment))));
// Files may be dropped anywhere.
addEventListener("dragover", (event) => {
  if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
});
addEventListener("drop", async (event) => {
  if (event.defaultPrevented || !event.dataTransfer?.types.includes("Files") || document.querySelector("dialog[open]")) return;
  event.preventDefault();
  add({ files: await dropped(event.dataTransfer) });
});

const KEYS = {
  "/": () => byId("search").focus(),
  f: () => byId(byId("all").hidden ? "search" : "title-filter").focus(),
  a: () => document.body.classList.contains("read-only") || add(),
  ArrowDown: () => (byId("all").hidden ? /** @type {HTMLElement} */ (document.querySelector(".hit"))?.focus() : matches.list.step(undefined, 1)),
};
document.addEventListener("keydown", (event) => {
  if (event.key === "ArrowDown" && event.target !== document.body) return; // the lists move by themselves
  const typing = (event.target instanceof Element && event.target.matches("input, select, textarea")) || document.querySelector("dialog[open]");
  if (!KEYS[event.key] || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  KEYS[event.key]();
});

listen({}, {
  hello: read,
  match: read,
  job: (job) => {
    if (job.ended) endedJobs.add(job.id);
    jobs.receive(job);
    matches.receive(job);
    learning.receive(job);
    if (job.ended && job.state !== "done") read(); // else a notification of the match follows
  },
  label: ({ match }) => matches.read(match),
});

read(); // at once: the event stream may be slow to open, or refused
