// The rows of the two lists: a comment with its events, an event with the number of its comments.
import { make } from "./dom.js";
import { matchClock } from "./clock.js";
import { findingLine } from "./findings.js";
import { phaseName } from "./match.js";

const MAX_EVENTS = 4; // shown in the row of a comment

/** @param {PageMatch} match @param {PageComment} comment */
export function commentRow(match, comment) {
  const events = comment.links.slice(0, MAX_EVENTS).map(({ event }) => eventLine(event));
  const more = comment.links.length - MAX_EVENTS;
  if (more > 0) events.push(make("span", { class: "soft" }, `and ${more} more`));
  if (!comment.links.length) events.push(make("span", { class: "soft" }, "no event"));
  if (comment.phase) events.push(phaseLine(match, comment.phase));
  const finding = findingLine(comment);
  if (finding) events.push(finding);
  return make(
    "div",
    { class: `row comment ${comment.status}`, id: `c${comment.index}` },
    make("span", { class: "clock" }, comment.clock),
    make("div", {}, make("p", { class: "text", dir: "auto" }, comment.text || "(no text)"), make("p", { class: "linked-events" }, ...events)),
  );
}

/** @param {PageEvent} event */
function eventLine(event) {
  return make("span", { class: `event team${event.team ?? ""}` }, make("bdi", {}, event.what));
}

/** @param {PageMatch} match @param {PagePhase} phase */
function phaseLine(match, phase) {
  return make("span", { class: `event spell team${phase.team}` }, make("bdi", {}, phaseName(match, phase)));
}

/** @param {PageComment} comment @param {number} width */
export function guessComment(comment, width) {
  const lines = Math.ceil((comment.text.length * 7.6) / Math.max(width - 110, 120)) || 1;
  const events = Math.max(1, Math.min(comment.links.length, MAX_EVENTS + 1));
  return 26 + 24 * lines + 21 * (events + (comment.phase ? 1 : 0) + (comment.findings?.length ? 1 : 0));
}

/** @param {PageMatch} match @param {PageEvent} event */
export function eventRow(match, event) {
  const clock = matchClock(match.periods.get(event.period), event.time);
  const comments = event.describedBy.length;
  return make(
    "div",
    { class: `row logged ${comments ? "linked" : "none"}`, id: `e${event.index}` },
    make("span", { class: "clock" }, clock),
    make("p", { class: `event team${event.team ?? ""}` }, make("bdi", {}, event.what)),
    make("span", { class: "soft" }, comments ? `linked${comments > 1 ? ` ${comments}×` : ""}` : ""),
  );
}

export function guessEvent() {
  return 37;
}
