// The rows of the two lists: a comment with what it tells, an event with who told it.
import { make } from "./dom.js";
import { matchClock } from "./clock.js";

const MOST = 4; // told events named in a row

export function commentRow(comment) {
  const told = comment.told.slice(0, MOST).map(({ event }) => toldLine(event));
  const more = comment.told.length - MOST;
  if (more > 0) told.push(make("span", { class: "soft" }, `and ${more} more`));
  if (!comment.told.length) told.push(make("span", { class: "soft" }, "no event"));
  return make(
    "div",
    { class: `row comment ${comment.status}`, id: `c${comment.index}` },
    make("span", { class: "clock" }, comment.clock),
    make("div", {}, make("p", { class: "text", dir: "auto" }, comment.text || "(no words)"), make("p", { class: "told" }, ...told)),
  );
}

function toldLine(event) {
  return make("span", { class: `event team${event.team ?? ""}` }, make("bdi", {}, event.what));
}

export function guessComment(comment, width) {
  const lines = Math.ceil((comment.text.length * 7.6) / Math.max(width - 110, 120)) || 1;
  return 26 + 24 * lines + 21 * Math.max(1, Math.min(comment.told.length, MOST + 1));
}

export function eventRow(match, event) {
  const clock = matchClock(match.periods.get(event.period), event.time);
  const tellers = event.tellers.length;
  return make(
    "div",
    { class: `row logged ${tellers ? "linked" : "none"}`, id: `e${event.index}` },
    make("span", { class: "clock" }, clock),
    make("p", { class: `event team${event.team ?? ""}` }, make("bdi", {}, event.what)),
    make("span", { class: "soft" }, tellers ? `told${tellers > 1 ? ` ${tellers}×` : ""}` : ""),
  );
}

export function guessEvent() {
  return 37;
}
