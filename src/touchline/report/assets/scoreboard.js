// The result and who scored, in the page's head; and the key moments as a list.
import { make } from "./dom.js";
import { findingsOverview } from "./findings.js";
import { phaseName } from "./match.js";

const GOALS = new Set(["goal", "own goal"]);
const CARDS = { "yellow card": "yellow", "second yellow card": "second", "red card": "red" };

/** @param {Data.Moment} moment */
export function isGoal(moment) {
  return GOALS.has(moment.kind);
}

// Fill the scoreboard; whether there is one to show.
/** @param {PageMatch} match @param {HTMLElement} box @param {(event: PageEvent) => void} pick */
export function scoreboard(match, box, pick) {
  const { result } = match;
  if (!result || match.teams.length !== 2) return false;
  const side = (team) => make(
    "div",
    { class: `side team${team}` },
    make("p", { class: "team" }, make("bdi", {}, match.teams[team])),
    make("ul", { class: "scorers" }, ...scorers(match, team, pick), booked(match, team, pick)),
  );
  const notes = [day(match.date), byPeriod(result), shootout(match, result)].filter(Boolean);
  box.replaceChildren(
    side(0),
    make("div", { class: "result" }, make("p", { class: "score" }, score(result.score)), ...notes.map((note) => make("p", { class: "soft" }, note))),
    side(1),
  );
  return true;
}

/** @param {string | undefined} date */
function day(date) {
  if (!date) return "";
  const [year, month, number] = date.split("-").map(Number);
  return new Date(Date.UTC(year, month - 1, number)).toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
}

const ENDS = { 1: "half-time", 2: "after 90 minutes", 3: "half-time of extra time" };

// The score at the end of each period but the last, whose score is the result.
/** @param {Data.Scoreboard} result */
function byPeriod(result) {
  return (result.periods ?? []).slice(0, -1).map(([period, at]) => `${ENDS[period] ?? `period ${period}`} ${score(at)}`).join(", ");
}

function shootout(match, result) {
  if (!result.shootout) return "";
  const [home, away] = result.shootout;
  const winner = match.teams[home > away ? 0 : 1];
  return home === away ? `shoot-out ${score(result.shootout)}` : `${winner} win ${Math.max(home, away)}–${Math.min(home, away)} on penalties`;
}

function score([home, away]) {
  return `${home} – ${away}`;
}

// One entry for each scorer, with all of their minutes.
function scorers(match, team, pick) {
  const goals = new Map();
  for (const moment of (match.moments ?? []).filter((one) => isGoal(one) && one.side === team)) {
    const key = `${moment.name} ${moment.kind}`;
    goals.set(key, [...(goals.get(key) ?? []), moment]);
  }
  return [...goals.values()].map((own) => make(
    "li", {}, make("bdi", {}, own[0].name), " ",
    ...own.flatMap((moment, number) => [number ? ", " : "", minute(match, moment, pick)]),
  ));
}

// All cards of a team in one line, in their order.
function booked(match, team, pick) {
  const cards = (match.moments ?? []).filter(({ kind, side }) => side === team && CARDS[kind]);
  if (!cards.length) return null;
  const one = (moment) => make("span", { class: "booked" }, card(moment.kind), make("bdi", {}, moment.name), " ", minute(match, moment, pick));
  return make("li", { class: "bookings" }, ...cards.map(one));
}

function minute(match, moment, pick) {
  const text = moment.note ? `${moment.clock} (${moment.note === "own goal" ? "o.g." : moment.note})` : moment.clock;
  const label = `${moment.clock}, ${moment.kind} of ${moment.name}`;
  return make("button", { type: "button", class: "minute", "aria-label": label, on: { click: () => pick(match.events[moment.event]) } }, text);
}

export function card(kind) {
  return make("i", { class: `card ${CARDS[kind]}`, role: "img", "aria-label": kind });
}

// The page's right side while nothing is selected: key moments, phases, who is described most, and what
// the log does not confirm.
/** @param {PageMatch} match @param {(item: any) => void} pick */
export function overview(match, pick) {
  const moments = match.moments ?? [];
  return [
    make("h2", { class: "visually-hidden" }, "The match at a glance"),
    moments.length ? make("h3", {}, "Key moments") : null,
    moments.length ? make("ul", { class: "events moments" }, ...moments.map((moment) => momentItem(match, moment, pick))) : null,
    ...phases(match, pick),
    ...mostDescribed(match),
    ...findingsOverview(match, pick),
    make("p", { class: "hint soft" }, `${partOf(match.comments, ({ links }) => links.length)} lines are linked to the log. ${partOf(match.events, ({ describedBy }) => describedBy.length)} events are described.`),
    make("p", { class: "hint soft" }, "Select a line of commentary to see its events on the pitch, or an event to see which lines describe it. Space plays the match."),
  ];
}

function partOf(items, wanted) {
  return `${items.filter(wanted).length.toLocaleString("en")} of ${items.length.toLocaleString("en")}`;
}

// The line that describes an event most surely, or the event itself.
/** @param {PageEvent} event @returns {any} */
export function lineOn(event) {
  const [best] = [...event.describedBy].sort((a, b) => b.score - a.score);
  return best?.comment ?? event;
}

function momentItem(match, moment, pick) {
  const event = match.events[moment.event];
  const said = lineOn(event);
  return make("li", {}, make(
    "button",
    { type: "button", class: "pick moment", on: { click: () => pick(said) } },
    make("span", { class: "clock" }, moment.clock),
    isGoal(moment) ? make("i", { class: `ball team${moment.side}`, role: "img", "aria-label": moment.kind }) : CARDS[moment.kind] ? card(moment.kind) : make("i", { class: "ball missed", role: "img", "aria-label": moment.kind }),
    make("span", { class: "what" }, make("span", { class: isGoal(moment) ? "scorer" : "" }, make("bdi", {}, moment.name), moment.note ? ` (${moment.note})` : ""),
      make("small", { class: "soft" }, said === event ? "no line describes it" : said.text)),
    make("span", { class: "clock" }, moment.score ? score(moment.score) : ""),
  ));
}

const PHASES = 6; // the surest ones are listed

/** @param {PageMatch} match @param {(item: any) => void} pick */
function phases(match, pick) {
  const about = match.comments.filter(({ phase }) => phase);
  const shown = [...about].sort((a, b) => b.phase.score - a.phase.score).slice(0, PHASES).sort((a, b) => a.index - b.index);
  if (!shown.length) return [];
  return [
    make("h3", {}, "Phases ", make("span", { class: "count" }, shown.length < about.length ? `${shown.length} of ${about.length}` : "")),
    make("ul", { class: "events" }, ...shown.map((comment) => make("li", {}, make(
      "button",
      { type: "button", class: "pick line", on: { click: () => pick(comment) } },
      make("span", { class: "clock" }, comment.clock),
      make("span", { class: "what" }, make("span", { class: `event spell team${comment.phase.team}` }, make("bdi", {}, phaseName(match, comment.phase))), make("small", { class: "soft one-line", dir: "auto" }, comment.text)),
    )))),
  ];
}

/** @param {PageMatch} match */
function mostDescribed(match) {
  const counts = new Map();
  for (const event of match.events) {
    if (event.player === undefined || event.player === null || !event.describedBy.length) continue;
    counts.set(event.player, (counts.get(event.player) ?? 0) + event.describedBy.length);
  }
  const most = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 6);
  if (!most.length) return [];
  const top = most[0][1];
  return [
    make("h3", {}, "Most described"),
    make("ul", { class: "ranking" }, ...most.map(([player, count]) => {
      const bar = make("i", { class: `team${match.players[player].team ?? ""}`, "aria-hidden": "true" });
      bar.style.setProperty("--share", String(count / top));
      return make("li", {}, make("bdi", {}, match.players[player].name), make("span", {}, String(count)), bar);
    })),
  ];
}
