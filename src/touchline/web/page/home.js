// The first page: all matches, a search over them, new ones.
import { byId } from "./report/dom.js";
import { get, listen, oneByOne, session } from "./api.js";
import { showAgreement } from "./agreement.js";
import { Jobs } from "./jobs.js";
import { Matches, linkTo } from "./matches.js";
import { Search } from "./search.js";
import { askUpload } from "./upload.js";

const line = { last: Promise.resolve() }; // of readings that show in the list
const over = new Set(); // jobs of which no later answer says that they go on
const matches = new Matches(byId("matches"), trouble, line, over);
const jobs = new Jobs(byId("jobs"), trouble, over);
const search = new Search(trouble);

// What the page could not do, said in its one place for that.
function trouble(error) {
  byId("trouble").textContent = error?.message ?? "";
}

const read = oneByOne(async () => {
  try {
    const [{ folder, matches: all }, { jobs: going }, { formats }] = await Promise.all([get("/matches"), get("/jobs"), session()]);
    byId("folder").textContent = `${all.length === 1 ? "1 match" : `${all.length} matches`} in ${folder}`;
    matches.show(all, formats);
    jobs.show(going);
    await search.read();
    trouble(null);
  } catch (error) {
    trouble(error);
  }
}, line);

byId("upload-open").addEventListener("click", () => askUpload((job) => jobs.hear(job)));
byId("agreement").addEventListener("click", () => showAgreement(undefined, (comment, match) => location.assign(linkTo(match, comment))));
document.addEventListener("keydown", (event) => {
  const typing = event.target.matches?.("input, select, textarea") || document.querySelector("dialog[open]");
  if (event.key !== "/" || typing) return;
  event.preventDefault();
  byId("search").focus();
});

listen({}, {
  hello: read,
  match: read,
  job: (job) => {
    if (job.ended) over.add(job.id);
    jobs.hear(job);
    matches.hear(job);
    if (job.ended && job.state !== "done") read(); // else news of the match follows
  },
  label: ({ match }) => matches.read(match),
});

read(); // at once: the stream may be slow to open, or refused
