// Times in the format of the match clock.

// Seconds of a period as the match clock: 47:12, and 46:05 of the second half as 91:05.
export function matchClock(period, seconds) {
  const whole = Math.floor(60 * period.minute + seconds);
  const sign = whole < 0 ? "−" : "";
  const [minutes, rest] = [Math.floor(Math.abs(whole) / 60), Math.abs(whole) % 60];
  return `${sign}${String(minutes).padStart(2, "0")}:${String(rest).padStart(2, "0")}`;
}

// When the described action happened: a time, or a range of times.
export function spanClock(period, [start, end]) {
  const [from, to] = [matchClock(period, start), matchClock(period, end)];
  return from === to ? from : `${from}–${to}`;
}

// How many seconds a comment comes after its action: by the middle of its minute if it has no exact time.
/** @param {PageComment} comment */
export function lateness({ start, end, span }) {
  return start === undefined || end === undefined || !span ? null : (start + end - span[0] - span[1]) / 2;
}

// The difference between a comment's own time, if that is exact, and the action.
export function drift(comment) {
  const late = lateness(comment);
  if (late === null || comment.start !== comment.end) return "";
  const seconds = Math.round(late);
  if (Math.abs(seconds) < 2) return "on time";
  return `${Math.abs(seconds)} s ${seconds > 0 ? "after" : "before"}`;
}
