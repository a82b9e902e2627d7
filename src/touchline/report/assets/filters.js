// Which comments and events pass the filters.
import { fold, has } from "./match.js";

export const EVERYTHING = { words: "", status: "", player: null, kind: null };

export function isOpen(filter) {
  return !filter.words && !filter.status && filter.player === null && filter.kind === null;
}

// The comments with all words of the search, and an event that passes the other filters.
/** @param {PageMatch} match @returns {PageComment[]} */
export function pickComments(match, filter) {
  const words = fold(filter.words).split(/\s+/).filter(Boolean);
  return match.comments.filter((comment) => {
    if (!hasStatus(comment, filter.status)) return false;
    if (!words.every((word) => has(comment, word))) return false;
    return !filtersEvents(filter) || comment.links.some(({ event }) => fits(event, filter));
  });
}

// The events that pass; by status, those that such a comment describes (for "none": no comment).
/** @param {PageMatch} match @returns {PageEvent[]} */
export function pickEvents(match, filter) {
  const words = fold(filter.words).split(/\s+/).filter(Boolean);
  return match.events.filter((event) => {
    if (!fits(event, filter) || !isDescribed(event, filter.status)) return false;
    if (!words.length) return true;
    if (words.every((word) => event.words.includes(word))) return true;
    return event.describedBy.some(({ comment }) => words.every((word) => has(comment, word)));
  });
}

/** @param {PageComment} comment */
function hasStatus(comment, status) {
  if (status === "linked") return comment.links.length > 0;
  if (status === "none") return comment.links.length === 0;
  if (status === "phase") return comment.phase !== null;
  if (status === "questioned") return Boolean(comment.findings?.length);
  return !status || comment.status === status || Boolean(comment.states?.has(status));
}

/** @param {PageEvent} event */
function isDescribed(event, status) {
  if (status === "none") return event.describedBy.length === 0;
  return !status || event.describedBy.some(({ comment }) => hasStatus(comment, status));
}

function filtersEvents(filter) {
  return filter.player !== null || filter.kind !== null;
}

/** @param {PageEvent} event */
function fits(event, filter) {
  return (
    (filter.kind === null || event.kind === filter.kind) &&
    (filter.player === null || event.people.has(filter.player))
  );
}
