// The events that a comment may describe, numbered so that each has a key: first those that the machine
// linked, then its other candidates, then events near the comment.
import { fold, placeOf } from "./report/match.js";

const KEYS = 9; // options with a number key
const AROUND = 60; // seconds from the comment

/** @param {PageMatch} match @param {PageComment} comment @param {Pick<Api.Label, "events" | "rejected">} label @returns {PageOption[]} */
export function options(match, comment, label) {
  const found = new Map(comment.proposed.map((link) => [link.event, { ...link, linked: true }]));
  const offer = (event, score) => {
    if (!found.has(event)) found.set(event, { event, score, tint: found.size, linked: false });
  };
  for (const { event, score } of comment.also) offer(event, score);
  for (const event of around(match, comment)) if (found.size < KEYS) offer(event);
  for (const id of label.events) offer(match.eventOf.get(id));
  return [...found.values()].map((option, place) => ({ ...option, number: place + 1, verdict: verdict(option, label) }));
}

/** @param {Pick<PageOption, "event" | "linked">} option @param {Pick<Api.Label, "events" | "rejected">} label @returns {PageOption["verdict"]} */
function verdict({ event, linked }, { events, rejected }) {
  if (events.includes(event.id)) return "yes";
  if (rejected.includes(event.id)) return "no";
  return linked ? "open" : "free";
}

// Events near a comment: those whose player it names come first, then the nearest.
/** @param {PageMatch} match @param {PageComment} comment */
function around(match, comment) {
  const place = placeOf(comment) ?? comment.proposed[0]?.event;
  if (!place) return [];
  const off = (event) => Math.abs(event.time - place.time);
  const near = match.events.filter((event) => event.period === place.period && off(event) <= AROUND);
  const named = new Set(near.filter((event) => isNamed(match, event, comment)));
  return near.sort((a, b) => Number(named.has(b)) - Number(named.has(a)) || off(a) - off(b));
}

/** @param {PageMatch} match @param {PageEvent} event @param {PageComment} comment */
function isNamed(match, event, comment) {
  const name = match.players[event.player]?.name;
  return name !== undefined && comment.words.includes(fold(name).split(" ").at(-1));
}

// The links of a comment under a label: the annotator's events, or those of the machine not rejected.
/** @param {PageMatch} match @param {PageComment} comment @param {Omit<Api.Label, "comment" | "at">} label @returns {PageLink[]} */
export function labelledLinks(match, comment, label) {
  const kept = comment.proposed.filter(({ event }) => label.events.includes(event.id) || (!label.done && !label.rejected.includes(event.id)));
  const linked = new Set(comment.proposed.map(({ event }) => event.id));
  if (label.events.every((id) => linked.has(id))) return kept;
  const own = options(match, comment, label).filter((option) => !option.linked && option.verdict === "yes");
  const all = [...kept, ...own.map(({ event, tint }) => ({ event, score: 1, tint }))];
  return all.sort((a, b) => a.event.index - b.event.index);
}
