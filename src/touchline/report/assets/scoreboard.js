// The result and who scored, in the page's head; and the key moments as a list.
import { make } from "./dom.js";

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
    make("ul", { class: "scorers" }, ...scorers(match, team, pick), ...sentOff(match, team, pick)),
  );
  const notes = [halfTime(result), shootout(match, result)].filter(Boolean);
  box.replaceChildren(
    side(0),
    make("div", { class: "result" }, make("p", { class: "score" }, score(result.score)), ...notes.map((note) => make("p", { class: "soft" }, note))),
    side(1),
  );
  return true;
}

/** @param {Data.Scoreboard} result */
function halfTime(result) {
  const first = (result.periods ?? []).find(([period]) => period === 1);
  return first && (result.periods ?? []).length > 1 ? `half-time ${score(first[1])}` : "";
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

function sentOff(match, team, pick) {
  const cards = (match.moments ?? []).filter(({ kind, side }) => side === team && (kind === "red card" || kind === "second yellow card"));
  return cards.map((moment) => make("li", {}, card(moment.kind), make("bdi", {}, moment.name), " ", minute(match, moment, pick)));
}

function minute(match, moment, pick) {
  const text = moment.note ? `${moment.clock} (${moment.note === "own goal" ? "o.g." : moment.note})` : moment.clock;
  const label = `${moment.clock}, ${moment.kind} of ${moment.name}`;
  return make("button", { type: "button", class: "minute", "aria-label": label, on: { click: () => pick(match.events[moment.event]) } }, text);
}

export function card(kind) {
  return make("i", { class: `card ${CARDS[kind]}`, role: "img", "aria-label": kind });
}

// The page's right side while nothing is selected: key moments, who is described most, phases.
/** @param {PageMatch} match @param {(item: PageItem) => void} pick */
export function overview(match, pick) {
  const moments = match.moments ?? [];
  return [
    make("h2", { class: "visually-hidden" }, "The match at a glance"),
    moments.length ? make("h3", {}, "Key moments") : null,
    moments.length ? make("ul", { class: "events moments" }, ...moments.map((moment) => momentItem(match, moment, pick))) : null,
    ...mostDescribed(match),
    make("p", { class: "hint soft" }, "Select a line of commentary to see its events on the pitch, or an event to see which lines describe it. Space plays the match."),
  ];
}

function momentItem(match, moment, pick) {
  const event = match.events[moment.event];
  const said = event.describedBy[0]?.comment;
  return make("li", {}, make(
    "button",
    { type: "button", class: "pick moment", on: { click: () => pick(said ?? event) } },
    make("span", { class: "clock" }, moment.clock),
    isGoal(moment) ? make("i", { class: `ball team${moment.side}` }) : CARDS[moment.kind] ? card(moment.kind) : make("i", { class: "ball missed" }),
    make("span", { class: "what" }, make("span", {}, make("bdi", {}, moment.name), moment.note ? ` (${moment.note})` : ""),
      make("small", { class: "soft" }, said ? said.text : "no line describes it")),
    make("span", { class: "clock" }, moment.score ? score(moment.score) : ""),
  ));
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
