// A match as the page uses it: the JSON with comments and events connected, ready for search.

// An answer with a lower score counts as unsure.
export const SURE = 0.6;

// Lines that were made from their events (`generated`) are sure; their scores say how likely people describe
// these events.
/** @param {Data.ReportMatch} raw @param {boolean} [generated] @returns {PageMatch} */
export function prepare(raw, generated = false) {
  const periods = new Map(raw.periods.map((period) => [period.number, period]));
  /** @type {PageMatch} */
  const match = { ...raw, generated, periods, events: [], comments: [], eventOf: new Map(), commentOf: new Map() };
  match.events = raw.events.map((event, index) => readyEvent(match, event, index));
  match.comments = raw.comments.map((comment, index) => readyComment(match, comment, index));
  match.eventOf = new Map(match.events.map((event) => [event.id, event]));
  match.commentOf = new Map(match.comments.map((comment) => [comment.id, comment]));
  for (const comment of match.comments) connect(comment);
  return match;
}

/** @param {PageComment} comment */
function connect(comment) {
  for (const { event, score } of comment.links) event.describedBy.push({ comment, score });
}

// Replace the links of a comment by others: {event, score, tint}.
/** @param {PageComment} comment @param {PageLink[]} links */
export function relink(comment, links) {
  for (const { event } of comment.links) {
    event.describedBy = event.describedBy.filter((link) => link.comment !== comment);
  }
  comment.links = links;
  connect(comment);
}

// Letters without accents and case, for searching.
/** @param {string} text */
export function fold(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

/** @param {PageMatch} match @param {Data.ReportEvent} event @param {number} index @returns {PageEvent} */
function readyEvent(match, event, index) {
  const others = event.others ?? [];
  const people = new Set([event.player, ...others.map(([, player]) => player)]);
  people.delete(undefined);
  const searched = [match.kinds[event.kind], event.what, ...names(match, people), ...Object.values(event.facts ?? {})];
  return { ...event, index, others, people, describedBy: [], words: fold(searched.join(" ")) };
}

/** @param {PageMatch} match @param {Data.ReportComment} comment @param {number} index @returns {PageComment} */
function readyComment(match, comment, index) {
  const links = scored(match, comment.events);
  const sure = match.generated || (links.length
    ? comment.none <= 1 - SURE && links.every(({ score }) => score >= SURE)
    : comment.none >= SURE);
  const status = sure ? (links.length ? "linked" : "none") : "unsure";
  const clock = comment.clock ?? (links.length ? links[0].event.clock : "");
  const phase = comment.phase ? readyPhase(match, comment.phase) : null;
  return { ...comment, index, links, also: scored(match, comment.also), status, clock, words: fold(comment.text), phase, ...placeInRecording(match, comment) };
}

// The second of its recording at which a comment is said, and which of the recordings that is.
/** @param {PageMatch} match @param {Data.ReportComment} comment */
function placeInRecording(match, { kickoff, start, period }) {
  if (kickoff === undefined || start === undefined) return {};
  const recording = (match.recordings ?? []).findIndex((periods) => periods.includes(period));
  return recording < 0 ? {} : { recorded: kickoff + start, recording };
}

/** @param {PageMatch} match @param {Data.ReportPhase} phase @returns {PagePhase} */
function readyPhase(match, phase) {
  const said = fold(`${match.teams[phase.team]} ${phase.kind ?? ""}`);
  return { ...phase, events: phase.events.map((index) => match.events[index]), said };
}

// "phase:counter", "phase:rovers" and "phase:" are about phases, not about words.
const PHASE = "phase:";

// Whether a comment has a word that is searched for, or such a phase.
/** @param {PageComment} comment @param {string} word */
export function has(comment, word) {
  if (!word.startsWith(PHASE)) return comment.words.includes(word);
  return comment.phase !== null && ` ${comment.phase.said}`.includes(` ${word.slice(PHASE.length)}`);
}

// A phase in a few words: the team and the kind of its spell.
/** @param {PageMatch} match @param {PagePhase} phase */
export function phaseName(match, phase) {
  return `${match.teams[phase.team]}: ${phase.kind ?? "phase"}`;
}

/** @param {PageMatch} match @param {Array<[number, number]>} pairs @returns {PageLink[]} */
function scored(match, pairs = []) {
  return pairs.map(([index, score], tint) => ({ event: match.events[index], score, tint }));
}

function names(match, people) {
  return [...people].map((player) => match.players[player].name);
}

// The time of a comment on the timeline: its own, or that of the action it describes.
/** @param {PageComment} comment @param {boolean} [corrected] */
export function placeOf(comment, corrected) {
  if (corrected && comment.links.length) {
    const { event } = comment.links[0];
    return { period: event.period, time: event.time };
  }
  if (comment.period === undefined || comment.start === undefined) return null;
  return { period: comment.period, time: (comment.start + comment.end) / 2 };
}
