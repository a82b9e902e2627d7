// The words of a line that describe an event: what is selected, and how a label changes the marks.

const WORD = /[\p{L}\p{N}]+(?:['’][\p{L}\p{N}]+)*/gu;

// --- the selection in the quoted line, in UTF-16 units of its text ---

/** @param {Element | null} quote @returns {[number, number] | null} */
export function selectedWords(quote) {
  const selection = getSelection();
  if (!quote || !selection || selection.isCollapsed || !selection.rangeCount) return null;
  const range = selection.getRangeAt(0);
  if (!quote.contains(range.startContainer) || !quote.contains(range.endContainer)) return null;
  const start = offset(quote, range.startContainer, range.startOffset);
  return wholeWords(quote.textContent ?? "", start, offset(quote, range.endContainer, range.endOffset));
}

// The selection grows or shrinks by a word at its end; with `move`, it starts one word later or earlier.
/** @param {Element} quote @param {number} by @param {boolean} move */
export function stepSelection(quote, by, move) {
  const text = quote.textContent ?? "";
  const words = [...text.matchAll(WORD)].map((found) => [found.index, found.index + found[0].length]);
  if (!words.length) return;
  const now = selectedWords(quote);
  const first = now ? words.findIndex(([start]) => start >= now[0]) : -1;
  const last = now ? words.findLastIndex(([, end]) => end <= now[1]) : -1;
  const clamp = (place, low) => Math.min(Math.max(place, low), words.length - 1);
  const from = !now ? 0 : move ? clamp(first + by, 0) : first;
  const to = !now ? 0 : clamp(move ? from : last + by, from);
  select(quote, words[from][0], words[to][1]);
}

/** @param {Element} quote @param {number} start @param {number} end */
export function select(quote, start, end) {
  const range = document.createRange();
  range.setStart(...position(quote, start));
  range.setEnd(...position(quote, end));
  const selection = getSelection();
  selection?.removeAllRanges();
  selection?.addRange(range);
}

/** @param {string} text @param {number} start @param {number} end @returns {[number, number] | null} */
function wholeWords(text, start, end) {
  const words = [...text.matchAll(WORD)].filter((found) => found.index < end && found.index + found[0].length > start);
  const last = words.at(-1);
  return last ? [words[0].index, last.index + last[0].length] : null;
}

/** @param {Element} quote @param {Node} node @param {number} place */
function offset(quote, node, place) {
  const range = document.createRange();
  range.setStart(quote, 0);
  range.setEnd(node, place);
  return range.toString().length;
}

/** @param {Element} quote @param {number} place @returns {[Node, number]} */
function position(quote, place) {
  const walker = document.createTreeWalker(quote, NodeFilter.SHOW_TEXT);
  let left = place;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const { length } = node.textContent ?? "";
    if (left <= length) return [node, left];
    left -= length;
  }
  return [quote, quote.childNodes.length];
}

// --- code points, as the server counts ---

/** @param {string} text @param {[number, number]} span @returns {[number, number]} */
export function toCodePoints(text, [start, end]) {
  const count = (units) => [...text.slice(0, units)].length;
  return [count(start), count(end)];
}

/** @param {string} text @param {[number, number]} span @returns {[number, number]} */
function toUnits(text, [start, end]) {
  const points = [...text];
  const count = (place) => points.slice(0, place).join("").length;
  return [count(start), count(end)];
}

// --- marks ---

// The marks of a line under a label: the annotator's words where they chose some, else the machine's.
/** @param {PageComment} comment @param {Record<string, [number, number][]>} segments @param {PageOption[]} choices */
export function labelledMarks(comment, segments, choices) {
  const marks = comment.why?.marks ?? [];
  if (!Object.keys(segments).length) return marks;
  const spans = [];
  for (const [start, end, event, kind, also = []] of marks) {
    for (const number of [event, ...also]) {
      const id = comment.proposed[number]?.event.id;
      if (number < 0 || !(id in segments)) spans.push({ start, end, tint: number, kind });
    }
  }
  for (const { event, tint } of choices) {
    for (const span of segments[event.id] ?? []) {
      const [start, end] = toUnits(comment.text, span);
      spans.push({ start, end, tint, kind: "word" });
    }
  }
  return cut(spans);
}

// Marks that do not overlap; where several events share words, the later ones are in `also`.
/** @param {Array<{ start: number, end: number, tint: number, kind: string }>} spans @returns {Data.Mark[]} */
function cut(spans) {
  const places = [...new Set(spans.flatMap(({ start, end }) => [start, end]))].sort((a, b) => a - b);
  /** @type {Data.Mark[]} */
  const marks = [];
  for (let place = 0; place + 1 < places.length; place += 1) {
    const [start, end] = [places[place], places[place + 1]];
    const here = spans.filter((span) => span.start <= start && end <= span.end);
    const events = here.filter(({ tint }) => tint >= 0);
    const [first, ...also] = events.length ? events : here;
    if (first) marks.push([start, end, first.tint, first.kind, also.map(({ tint }) => tint)]);
  }
  return marks;
}
