// Which comments and which events the reader asked for.
import { fold } from "./match.js";

export const EVERYTHING = { words: "", status: "", player: null, kind: null };

export function isOpen(filter) {
  return !filter.words && !filter.status && filter.player === null && filter.kind === null;
}

// The comments with all the words asked for, whose events (some one of them) fit the rest.
export function pickComments(match, filter) {
  const words = fold(filter.words).split(/\s+/).filter(Boolean);
  return match.comments.filter((comment) => {
    if (!hasStatus(comment, filter.status)) return false;
    if (!words.every((word) => comment.words.includes(word))) return false;
    return noEventAsked(filter) || comment.told.some(({ event }) => fits(event, filter));
  });
}

// The events that fit; by status, those that such a comment tells (or nobody does, for "none").
export function pickEvents(match, filter) {
  const words = fold(filter.words).split(/\s+/).filter(Boolean);
  return match.events.filter((event) => {
    if (!fits(event, filter) || !hasTeller(event, filter.status)) return false;
    if (!words.length) return true;
    const says = (text) => words.every((word) => text.includes(word));
    return says(event.words) || event.tellers.some(({ comment }) => says(comment.words));
  });
}

function hasStatus(comment, status) {
  if (status === "linked") return comment.told.length > 0;
  if (status === "none") return comment.told.length === 0;
  return !status || comment.status === status || Boolean(comment.states?.has(status));
}

function hasTeller(event, status) {
  if (status === "none") return event.tellers.length === 0;
  return !status || event.tellers.some(({ comment }) => hasStatus(comment, status));
}

function noEventAsked(filter) {
  return filter.player === null && filter.kind === null;
}

function fits(event, filter) {
  return (
    (filter.kind === null || event.kind === filter.kind) &&
    (filter.player === null || event.people.has(filter.player))
  );
}
