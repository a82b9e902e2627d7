// A match as the page works with it: the JSON, joined up and ready to be searched.

// Under this score an answer counts as unsure.
export const SURE = 0.6;

export function prepare(raw) {
  const periods = new Map(raw.periods.map((period) => [period.number, period]));
  const match = { ...raw, periods, players: raw.players };
  match.events = raw.events.map((event, index) => readyEvent(match, event, index));
  match.comments = raw.comments.map((comment, index) => readyComment(match, comment, index));
  for (const comment of match.comments) join(comment);
  return match;
}

function join(comment) {
  for (const { event, score } of comment.told) event.tellers.push({ comment, score });
}

// A comment that tells other events than the page was given, from now on: {event, score, tint}.
export function retell(comment, told) {
  for (const { event } of comment.told) {
    event.tellers = event.tellers.filter((teller) => teller.comment !== comment);
  }
  comment.told = told;
  join(comment);
}

// Letters without accents and case, for searching.
export function fold(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

function readyEvent(match, event, index) {
  const others = event.others ?? [];
  const people = new Set([event.player, ...others.map(([, player]) => player)]);
  people.delete(undefined);
  const said = [match.kinds[event.kind], event.what, ...names(match, people), ...Object.values(event.facts ?? {})];
  return { ...event, index, others, people, tellers: [], words: fold(said.join(" ")) };
}

function readyComment(match, comment, index) {
  const told = scored(match, comment.events);
  const sure = told.length
    ? comment.none <= 1 - SURE && told.every(({ score }) => score >= SURE)
    : comment.none >= SURE;
  const status = sure ? (told.length ? "linked" : "none") : "unsure";
  const clock = comment.clock ?? (told.length ? told[0].event.clock : "");
  return { ...comment, index, told, also: scored(match, comment.also), status, clock, words: fold(comment.text) };
}

function scored(match, pairs = []) {
  return pairs.map(([index, score], tint) => ({ event: match.events[index], score, tint }));
}

function names(match, people) {
  return [...people].map((player) => match.players[player].name);
}

// The second at which a comment stands on the timeline: as written, or where its action happened.
export function placeOf(comment, corrected) {
  if (corrected && comment.told.length) {
    const { event } = comment.told[0];
    return { period: event.period, time: event.time };
  }
  if (comment.period === undefined || comment.start === undefined) return null;
  return { period: comment.period, time: (comment.start + comment.end) / 2 };
}
