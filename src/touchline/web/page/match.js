// A match's page: the report's, with a desk. While the match is not aligned yet, it waits.
import { byId, make } from "./report/dom.js";
import { App } from "./report/app.js";
import { get, listen, oneByOne, path, session } from "./api.js";
import { Desk } from "./desk.js";

const name = decodeURIComponent(location.pathname.split("/")[2] ?? "");
const NOT_ALIGNED = "This match is not aligned yet.";
let desk = null; // once the match is shown

const start = oneByOne(async () => {
  if (desk) return;
  try {
    await show(...(await Promise.all([get(`${path("matches", name)}/page`), session()])));
  } catch (error) {
    if (error.code === "not_aligned") await tellWhy().catch((failed) => message(failed.message));
    else message(error.message);
  }
});

document.querySelector(".names").prepend(make("a", { href: "/", class: "home" }, "All matches"));
listen({ match: name }, {
  hello: () => (desk ? desk.read() : start()),
  label: (news) => desk?.hear(news),
  job: (job) => (desk || job.match !== name ? null : wait(job)),
  match: (news) => (news.name !== name ? null : desk ? tell(news.change) : start()),
});

start();

async function tellWhy() {
  const record = await get(path("matches", name));
  byId("title").textContent = record.title;
  if (record.job) wait(record.job);
  else message(record.problem ?? NOT_ALIGNED);
}

async function show(report, { limits }) {
  const asked = fromHash();
  document.querySelector(".waiting")?.remove();
  desk = new Desk(name, limits);
  const app = new App(report, desk);
  app.start();
  document.title = `${app.match.title} · touchline`;
  desk.open(app);
  if (app.match.commentOf.has(asked)) app.select(app.match.commentOf.get(asked));
  byId("feed").focus({ preventScroll: true });
  await desk.join();
}

// The comment that the address names, as JSON because ids are numbers or texts.
function fromHash() {
  try {
    return JSON.parse(decodeURIComponent(location.hash.slice(1)));
  } catch {
    return undefined;
  }
}

function wait({ stage, done, state, problem }) {
  if (state === "failed") message(problem);
  else if (state === "cancelled") message(NOT_ALIGNED);
  else if (state !== "done") message(`Being aligned: ${stage}, ${Math.round(100 * done)} %`);
}

function message(text) {
  document.querySelector(".waiting")?.remove();
  document.querySelector(".head").append(make("p", { class: "waiting", role: "status" }, text));
}

function tell(change) {
  const again = make("button", { type: "button", on: { click: () => location.reload() } }, "Show it");
  message(change === "deleted" ? "This match has been deleted." : "This match has been aligned again. Your labels are kept. ");
  if (change !== "deleted") document.querySelector(".waiting").append(again);
}

addEventListener("beforeunload", (event) => {
  if (desk?.labels?.waiting.length) event.preventDefault();
});
