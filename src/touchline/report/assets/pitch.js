// A pitch with events on it. In the log, each event is seen from its own team; here the first team
// attacks to the right and the other one to the left, so that events of both fit together.
import { draw } from "./dom.js";

const [LENGTH, WIDTH] = [120, 80];
const [DISC, LETTER] = [2.4, 3.8]; // radius of a number's disc, height of a name's letters
const NAME = 4; // a name over another one is this much worse than one over an arrow

// `linked` is a list of {event, label, tint}: the label is shown in a disc of that tint.
// `near` are further such events, drawn faintly; `pick(event)` is called when a disc is clicked.
// `run` are the events of a phase, drawn as dashed arrows in the colour of their team.
/** @param {PageMatch} match @param {PageEvent[]} [run] */
export function pitch(match, linked, near = [], pick = null, run = []) {
  const taken = [];
  const names = [];
  const marks = [];
  linked.forEach(({ event, label, tint }) => {
    if (!event.at) return;
    const at = beside(seen(event, event.at), marks);
    marks.push({ event, label, tint: `tint${tint % 6}`, at, to: event.to && seen(event, event.to) });
  });
  const faint = near.filter(({ event }) => event.at).map(({ event, label }) => ({ event, label, tint: "faint", at: seen(event, event.at) }));
  for (const { at, to } of marks) {
    taken.push(boxAround(at, 2 * DISC, 2 * DISC));
    if (to) taken.push(...along(at, to).map((place) => boxAround(place, 1.5, 1.5)));
  }
  const named = linked.map(({ event, label }) => `${label ? `${label}. ` : ""}${event.what}`);
  const what = [...named, ...(run.length ? [`a phase of ${run.length} events`] : [])].join("; ");
  return draw(
    "svg",
    { class: "pitch", viewBox: `-3 -3 ${LENGTH + 6} ${WIDTH + 10}`, role: "img", "aria-label": `On the pitch: ${what || "nothing"}` },
    ...ground(),
    ...sides(match),
    ...run.flatMap(step),
    ...marks.filter(({ to }) => to).flatMap((mark) => arrow(mark, marks)),
    ...[...faint, ...marks].map((mark) => disc(mark, pick)),
    ...marks.filter((mark, number) => !namedBefore(mark, marks.slice(0, number))).map((mark) => name(match, mark, taken, names)),
  );
}

// Draw the ball a share of its way through some events: from where it was (`before`) to where each begins
// and where it ends. Gives its place.
/** @param {Element} drawn @param {PageEvent[]} events @param {number} share @param {PagePlace} [before] */
export function moveBall(drawn, events, share, before) {
  const places = events.flatMap((event) => [event.at, event.to].filter(Boolean).map((place) => seen(event, place)));
  if (!places.length) return undefined;
  const way = before ? [before, ...places] : places;
  const along = share * (way.length - 1);
  const leg = Math.min(Math.floor(along), Math.max(way.length - 2, 0));
  const [from, to] = [way[leg], way[Math.min(leg + 1, way.length - 1)]];
  const [x, y] = from.map((value, axis) => short(value + (along - leg) * (to[axis] - value)));
  const ball = drawn.querySelector(".ball") ?? drawn.appendChild(draw("circle", { class: "ball", r: 1.3 }));
  ball.setAttribute("cx", String(x));
  ball.setAttribute("cy", String(y));
  return /** @type {PagePlace} */ ([x, y]);
}

/** @param {PageEvent} event @param {PagePlace} place @returns {PagePlace} */
function seen(event, [x, y]) {
  return event.team === 1 ? [LENGTH - x, WIDTH - y] : [x, y];
}

// The place itself, or a little to the right where another disc would hide it.
/** @param {PagePlace} place @param {Array<{ at: PagePlace }>} marks @returns {PagePlace} */
function beside([x, y], marks) {
  const hidden = ({ at }) => Math.hypot(at[0] - x, at[1] - y) < 2 * DISC;
  return marks.some(hidden) && x < LENGTH ? beside([x + DISC, y], marks) : [x, y];
}

function namedBefore({ event, at }, marks) {
  return marks.some((other) => other.event.player === event.player && Math.hypot(other.at[0] - at[0], other.at[1] - at[1]) < 6 * DISC);
}

function ground() {
  const lines = [
    "M0 0H120V80H0ZM60 0V80M50 40a10 10 0 1 0 20 0a10 10 0 1 0 -20 0",
    "M0 18H18V62H0M0 30H6V50H0M18 32a10 10 0 0 1 0 16",
    "M120 18H102V62H120M120 30H114V50H120M102 32a10 10 0 0 0 0 16",
  ];
  return [
    draw("rect", { class: "grass", x: 0, y: 0, width: LENGTH, height: WIDTH }),
    draw("path", { class: "lines", d: lines.join("") }),
    draw("path", { class: "goal", d: "M0 36H-1.6V44H0M120 36H121.6V44H120" }),
  ];
}

function sides(match) {
  const [home, away] = match.teams;
  return [
    home && draw("text", { class: "side team0", x: 0, y: WIDTH + 5 }, `${home} →`),
    away && draw("text", { class: "side team1 end", x: LENGTH, y: WIDTH + 5 }, `← ${away}`),
  ].filter(Boolean);
}

// One event of a phase: an arrow to where the ball went, or a point where it stayed.
/** @param {PageEvent} event */
function step(event) {
  if (!event.at) return [];
  const sort = `run team${event.team ?? ""}`;
  const [at, to] = [seen(event, event.at), seen(event, event.to ?? event.at)];
  const length = Math.hypot(to[0] - at[0], to[1] - at[1]);
  const [x, y] = at.map(short);
  if (length < 2) return [draw("circle", { class: sort, cx: x, cy: y, r: 0.6 })];
  const [ux, uy] = [(to[0] - at[0]) / length, (to[1] - at[1]) / length];
  const wing = (side) => [to[0] - ux * 1.8 + side * uy, to[1] - uy * 1.8 - side * ux].map(short);
  return [
    draw("path", { class: sort, d: `M${[x, y]}L${to.map(short)}` }),
    draw("path", { class: `${sort} wings`, d: `M${wing(1)}L${to.map(short)}L${wing(-1)}` }),
  ];
}

// An arrow to where the ball went; drawn heavier when it ends in or beside the goal, as a shot does.
function arrow({ at, to: end, tint }, marks) {
  const length = Math.hypot(end[0] - at[0], end[1] - at[1]);
  if (length < DISC + 1) return [];
  const [ux, uy] = [(end[0] - at[0]) / length, (end[1] - at[1]) / length];
  const met = marks.some((mark) => Math.hypot(mark.at[0] - end[0], mark.at[1] - end[1]) < DISC);
  const to = met && length > 3 * DISC ? [end[0] - ux * DISC, end[1] - uy * DISC] : end; // its tip stays in sight
  const from = [at[0] + ux * DISC, at[1] + uy * DISC];
  const neck = [to[0] - ux * 2.2, to[1] - uy * 2.2];
  const shot = (to[0] > 117 || to[0] < 3) && Math.abs(to[1] - 40) < 8;
  const head = [to, [neck[0] - uy * 1.3, neck[1] + ux * 1.3], [neck[0] + uy * 1.3, neck[1] - ux * 1.3]];
  return [
    draw("path", { class: `arrow ${tint}${shot ? " shot" : ""}`, d: `M${from.map(short)}L${neck.map(short)}` }),
    draw("path", { class: `tip ${tint}`, d: `M${head.map((p) => p.map(short)).join("L")}Z` }),
  ];
}

function disc({ event, at, label, tint }, pick) {
  const [x, y] = at.map(short);
  const on = pick ? { click: () => pick(event) } : {};
  return draw(
    "g",
    { class: `disc ${tint} team${event.team ?? ""}${pick ? " pickable" : ""}`, on },
    pick ? draw("title", {}, event.what) : null,
    draw("circle", { cx: x, cy: y, r: DISC }),
    label ? draw("text", { x, y: y + 1.1 }, label) : null,
  );
}

// The player's name, beside the disc where the least of it covers something else.
function name(match, { event, at, tint }, taken, names) {
  const text = event.player === undefined ? match.kinds[event.kind] : lastName(match.players[event.player].name);
  const wide = text.length * LETTER * 0.62;
  const gap = DISC + 1;
  /** @type {PagePlace[]} */
  const places = [
    [at[0], at[1] - gap - LETTER / 2], [at[0], at[1] + gap + LETTER / 2],
    [at[0] + gap + wide / 2, at[1]], [at[0] - gap - wide / 2, at[1]],
    ...[[1, -1], [-1, -1], [1, 1], [-1, 1]].map(([h, v]) => /** @type {PagePlace} */ ([at[0] + h * (DISC + wide / 2), at[1] + v * (DISC + LETTER / 2)])),
  ];
  const boxes = places.map((place) => boxAround(place, wide, LETTER * 1.2));
  const covered = (box, others) => others.reduce((sum, other) => sum + overlap(box, other), 0);
  const costs = boxes.map((box) => outside(box) + covered(box, taken) + NAME * covered(box, names));
  const best = costs.indexOf(Math.min(...costs));
  names.push(boxes[best]);
  return draw("text", { class: `who ${tint}`, x: short(places[best][0]), y: short(places[best][1] + LETTER * 0.36) }, text);
}

// Places on the way from one to the other, so that names keep off arrows.
/** @param {PagePlace} from @param {PagePlace} to @returns {PagePlace[]} */
function along([x, y], [toX, toY]) {
  const steps = Math.max(1, Math.round(Math.hypot(toX - x, toY - y) / 2));
  return Array.from({ length: steps }, (_, step) => [x + ((toX - x) * step) / steps, y + ((toY - y) * step) / steps]);
}

function lastName(full) {
  const parts = full.split(" ");
  return parts.length > 1 && full.length > 12 ? parts.slice(1).join(" ") : full;
}

/** @param {PagePlace} middle @param {number} wide @param {number} high @returns {PageBox} */
function boxAround([x, y], wide, high) {
  return [x - wide / 2, y - high / 2, x + wide / 2, y + high / 2];
}

function overlap(a, b) {
  const wide = Math.min(a[2], b[2]) - Math.max(a[0], b[0]);
  const high = Math.min(a[3], b[3]) - Math.max(a[1], b[1]);
  return wide > 0 && high > 0 ? wide * high : 0;
}

function outside([left, top, right, bottom]) {
  return 20 * (Math.max(-2 - left, 0) + Math.max(right - LENGTH - 2, 0) + Math.max(-2 - top, 0) + Math.max(bottom - WIDTH - 1, 0));
}

function short(number) {
  return Math.round(number * 100) / 100;
}
