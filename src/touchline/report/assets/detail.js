// The details of the selected comment or event.
import { make } from "./dom.js";
import { drift, matchClock, spanClock } from "./clock.js";
import { findingsDetail } from "./findings.js";
import { phaseName } from "./match.js";
import { pitch } from "./pitch.js";

// `pick(item)` is called with the event or comment that was clicked.
/** @param {PageMatch} match @param {PageComment} comment */
export function commentDetail(match, comment, pick) {
  const numbered = comment.links.map((link, number) => ({ ...link, label: String(number + 1) }));
  const words = new Map(comment.why?.words ?? []);
  return [
    ...commentHead(match, comment),
    hasPlaces(comment) ? pitch(match, numbered, [], null, comment.phase?.events) : null,
    comment.links.length
      ? make("ol", { class: "events" }, ...numbered.map((link) => eventItem(match, link, words.get(link.tint), pick)))
      : null,
    phaseNote(match, comment.phase),
    match.generated ? null : noEvent(comment),
    ...findingsDetail(match, comment, pick),
    ...because(comment),
    ...alsoScored(comment, pick),
  ];
}

/** @param {PageComment} comment */
function hasPlaces(comment) {
  return [...comment.links.map(({ event }) => event), ...(comment.phase?.events ?? [])].some((event) => event.at);
}

// The spell of a team that the comment is about; its events are the dashed arrows on the pitch.
/** @param {PageMatch} match @param {PagePhase | null} phase */
function phaseNote(match, phase) {
  if (!phase) return null;
  const when = spanClock(match.periods.get(phase.period), phase.span);
  return make(
    "p",
    { class: "phase" },
    make("span", { class: `event spell team${phase.team}` }, make("bdi", {}, phaseName(match, phase)), make("small", { class: "soft" }, ` ${when}, ${phase.events.length} events`)),
    level(phase.score),
  );
}

// The comment itself: when it was said, and its words.
/** @param {PageMatch} match @param {PageComment} comment */
export function commentHead(match, comment, marks = comment.why?.marks ?? []) {
  return [
    make("h2", { class: "visually-hidden" }, "Selected comment"),
    make("p", { class: "when" }, make("strong", {}, comment.clock), ...happened(match, comment)),
    make("blockquote", { class: "quote", dir: "auto" }, ...marked(comment, marks)),
  ];
}

/** @param {PageMatch} match @param {PageComment} comment */
function happened(match, comment) {
  if (!comment.links.length) return [];
  const { event } = comment.links[0];
  const span = comment.span ?? [event.time, event.time];
  const off = drift(comment);
  return [
    make("span", {}, `action at ${spanClock(match.periods.get(event.period), span)}`),
    off ? make("span", { class: "soft" }, off === "on time" ? off : `written ${off}`) : null,
  ];
}

// The text, in which the words that describe an event have its tint.
/** @param {PageComment} comment */
function marked(comment, marks) {
  const doubts = questioned(comment);
  const places = [0, comment.text.length, ...marks.map(([start]) => start), ...marks.map(([, end]) => end), ...doubts.flatMap(({ start, end }) => [start, end])];
  const cuts = [...new Set(places)].sort((a, b) => a - b);
  return cuts.slice(1).map((end, number) => {
    const start = cuts[number];
    const mark = marks.find((one) => one[0] <= start && end <= one[1]);
    const doubt = doubts.find((one) => one.start <= start && end <= one.end);
    return piece(comment.text.slice(start, end), mark, doubt);
  });
}

// The words that the log does not confirm; a finding on a whole line marks none.
/** @param {PageComment} comment */
function questioned({ findings = [] }) {
  const worded = findings.filter(({ kind }) => kind !== "no-event");
  return worded.flatMap(({ words = [], severity }) => words.map(([start, end]) => ({ start, end, severity })));
}

// A part of the text: plain, about an event, or not confirmed by the log.
/** @param {string} text @param {Data.Mark} [mark] @param {{ severity: string }} [doubt] */
function piece(text, mark, doubt) {
  if (!mark && !doubt) return text;
  const [, , event, kind, also = []] = mark ?? [0, 0, -1, ""];
  const sorts = [
    mark ? (event < 0 ? "lost" : `tint${event % 6}`) : "",
    kind,
    also.length ? `shared also${also[0] % 6}` : "",
    doubt ? `questioned ${doubt.severity}` : "",
  ];
  const title = [mark ? meaning([event, ...also], kind) : "", doubt ? "Not confirmed by the log" : ""];
  return make("mark", { class: sorts.filter(Boolean).join(" "), title: title.filter(Boolean).join("; ") }, text);
}

function meaning(events, kind) {
  if (events[0] < 0) return "A name that no linked event explains";
  const numbers = events.map((event) => event + 1).join(" and ");
  const which = events.length > 1 ? `events ${numbers}` : `event ${numbers}`;
  if (kind === "word") return `Words about ${which}`;
  return `${kind === "name" ? "A name" : "A name, written differently"}, about ${which}`;
}

function eventItem(match, { event, score, label, tint }, words, pick) {
  const clock = matchClock(match.periods.get(event.period), event.time);
  return make(
    "li",
    {},
    make(
      "button",
      { type: "button", class: "pick", on: { click: () => pick(event) } },
      make("span", { class: `badge tint${tint % 6} team${event.team ?? ""}` }, label),
      make("span", { class: "what" }, make("bdi", {}, event.what), facts(event)),
      make("span", { class: "clock" }, clock),
      level(score),
    ),
    words ? make("p", { class: "words" }, ...words.map((word) => make("span", { class: `chip tint${tint % 6}` }, word))) : null,
  );
}

/** @param {PageEvent} event */
export function facts(event) {
  const shown = Object.entries(event.facts ?? {})
    .filter(([name]) => name !== "outcome")
    .map(([name, value]) => (value === "yes" ? name : value));
  return shown.length ? make("small", { class: "soft" }, shown.map(plain).join(" · ")) : null;
}

// A score as a number and a bar.
export function level(score) {
  const bar = make("i", { "aria-hidden": "true" });
  bar.style.setProperty("--share", String(score));
  return make("span", { class: "level" }, make("span", { class: "visually-hidden" }, "score "), score.toFixed(2), bar);
}

/** @param {PageComment} comment */
function noEvent(comment) {
  const title = comment.state === "unsure" ? "Unsure; probability of no event" : "Probability of no event";
  return make("p", { class: "no-event" }, make("span", {}, title), level(comment.none));
}

/** @param {PageComment} comment */
export function because(comment) {
  const notes = comment.why?.notes ?? [];
  if (!notes.length) return [];
  return [
    make("h3", {}, "Why"),
    make("dl", { class: "notes" }, ...notes.map(([label, text]) => make("div", {}, make("dt", {}, label), make("dd", {}, text)))),
  ];
}

/** @param {PageComment} comment */
function alsoScored(comment, pick) {
  if (!comment.also.length) return [];
  return [
    make("h3", {}, "Also considered"),
    make("ul", { class: "events" }, ...comment.also.map(({ event, score }) =>
      make("li", {}, make(
        "button",
        { type: "button", class: "pick", on: { click: () => pick(event) } },
        make("span", { class: `badge plain team${event.team ?? ""}` }),
        make("span", { class: "what" }, make("bdi", {}, event.what)),
        make("span", { class: "clock" }, event.clock),
        level(score),
      )),
    )),
  ];
}

/** @param {PageMatch} match @param {PageEvent} event */
export function eventDetail(match, event, pick) {
  const known = Object.entries(event.facts ?? {});
  const others = event.others.map(([role, player]) => [role, match.players[player].name]);
  const rows = [
    ["team", match.teams[event.team]],
    ["player", match.players[event.player]?.name],
    ...others,
    ...known,
  ].filter(([, value]) => value);
  return [
    make("h2", { class: "visually-hidden" }, "Selected event"),
    make("p", { class: "when" }, make("strong", {}, matchClock(match.periods.get(event.period), event.time)), make("span", { class: "soft" }, match.periods.get(event.period).name)),
    make("p", { class: "quote" }, make("bdi", {}, event.what)),
    event.at ? pitch(match, [{ event, label: "", tint: 0 }]) : null,
    make("h3", {}, event.describedBy.length ? "Described by" : "No comment describes it"),
    event.describedBy.length
      ? make("ul", { class: "events" }, ...event.describedBy.map((link) => commentItem(link, pick)))
      : null,
    rows.length
      ? make("dl", { class: "notes short" }, ...rows.map(([label, value]) => make("div", {}, make("dt", {}, plain(label)), make("dd", {}, value))))
      : null,
    make("p", { class: "soft id" }, event.id),
  ];
}

function commentItem({ comment, score }, pick) {
  return make(
    "li",
    {},
    make(
      "button",
      { type: "button", class: "pick line", on: { click: () => pick(comment) } },
      make("span", { class: "clock" }, comment.clock),
      make("span", { class: "what", dir: "auto" }, comment.text),
      level(score),
    ),
  );
}

function plain(label) {
  return label.replaceAll("_", " ");
}
