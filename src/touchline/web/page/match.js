// A match's page: the report's, with labelling, or the commentary that touchline wrote from the log
// (`?generated`). Until the match is aligned, it shows the progress.
import { byId, make, sentence } from "./report/dom.js";
import { App } from "./report/app.js";
import { get, listen, oneAtATime, path, session } from "./api.js";
import { Labelling } from "./labelling.js";

const name = decodeURIComponent(location.pathname.split("/")[2] ?? "");
const generated = new URLSearchParams(location.search).has("generated");
const NOT_ALIGNED = "This match has not been aligned yet.";
let labelling = null; // set when the match is shown for labelling
let shown = false;

const start = oneAtATime(async () => {
  if (shown) return;
  try {
    if (generated) showGenerated(await get(`${path("matches", name)}/generated`));
    else await show(...(await Promise.all([get(`${path("matches", name)}/page`), session()])));
  } catch (error) {
    if (error.code === "not_aligned") await showProgress().catch((failed) => message(failed.message));
    else if (error.code === "no_match") showMissing();
    else message(error.message);
  }
});

document.querySelector(".head").prepend(make("nav", { class: "home", "aria-label": "Pages" }, make("a", { href: "/" }, "All matches")));
listen({ match: name }, {
  hello: () => (labelling ? labelling.read() : start()),
  label: (news) => labelling?.receive(news),
  job: (job) => (labelling ? labelling.learning.receive(job) : !shown && job.match === name && wait(job)),
  match: (news) => (news.name !== name ? null : shown ? showChange(news.change) : start()),
});

start();

function showMissing() {
  document.title = "Not found · touchline";
  byId("title").textContent = "There is no such match";
  message("It may have been deleted, or the address is mistyped. ");
  document.querySelector(".waiting").append(make("a", { href: "/" }, "See all matches"));
}

async function showProgress() {
  const record = await get(path("matches", name));
  byId("title").textContent = record.title;
  if (record.job) wait(record.job);
  else message(sentence(record.problem) || NOT_ALIGNED);
}

async function show(report, { limits, read_only: readOnly }) {
  const asked = fromHash();
  labelling = readOnly ? null : new Labelling(name, limits);
  const app = startApp(new App(report, labelling ?? undefined));
  if (labelling) byId("show-log").after(otherEdition()); // a data set has no other edition
  labelling?.open(app);
  if (app.match.commentOf.has(asked)) app.select(app.match.commentOf.get(asked));
  byId("feed").focus({ preventScroll: true });
  await labelling?.resume();
}

// Lines from the log alone; they are read, not labelled.
function showGenerated(report) {
  startApp(new App(report));
  byId("show-log").after(otherEdition());
  byId("show-feed").firstChild.textContent = "Generated ";
  const note = "touchline wrote these lines from the log alone, in its own words. They say nothing that the log does not record.";
  document.querySelector("main").prepend(make("p", { class: "generated-note soft" }, note));
  byId("feed").focus({ preventScroll: true });
}

function startApp(app) {
  document.querySelector(".waiting")?.remove();
  shown = true;
  document.body.classList.remove("unshown");
  app.start();
  document.title = `${app.match.title} · touchline`;
  return app;
}

// From the commentary as it was given to the one made from the log, or back.
function otherEdition() {
  const title = generated ? "The commentary of this match, with its links" : "Commentary that touchline writes from the log alone";
  return make("a", { class: "edition", href: generated ? location.pathname : `${location.pathname}?generated`, title }, generated ? "Commentary" : "Generated");
}

// The comment in the URL, as JSON because ids are numbers or strings.
function fromHash() {
  try {
    return JSON.parse(decodeURIComponent(location.hash.slice(1)));
  } catch {
    return undefined;
  }
}

/** @param {Api.Job} job */
function wait({ stage, done, state, problem }) {
  if (state === "failed") message(sentence(problem));
  else if (state === "cancelled") message(NOT_ALIGNED);
  else if (state !== "done") message(`Aligning: ${stage}, ${Math.round(100 * done)} %`);
}

// Without a match to show, the message is all there is.
function message(text) {
  document.querySelector(".waiting")?.remove();
  document.body.classList.toggle("unshown", !shown);
  byId("title").textContent ||= name;
  document.querySelector(shown ? ".head" : "main").append(make("p", { class: "waiting", role: "status" }, text));
}

function showChange(change) {
  const again = make("button", { type: "button", on: { click: () => location.reload() } }, "Reload");
  message(change === "deleted" ? "This match has been deleted." : "This match has been aligned again. Your labels are kept. ");
  if (change !== "deleted") document.querySelector(".waiting").append(again);
}

addEventListener("beforeunload", (event) => {
  if (labelling?.labels?.waiting.length) event.preventDefault();
});
