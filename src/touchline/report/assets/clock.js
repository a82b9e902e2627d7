// Times as people read them.

// Seconds of a period as the match clock: 47:12, and 46:05 of the second half as 91:05.
export function matchClock(period, seconds) {
  const whole = Math.floor(60 * period.minute + seconds);
  const sign = whole < 0 ? "−" : "";
  const [minutes, rest] = [Math.floor(Math.abs(whole) / 60), Math.abs(whole) % 60];
  return `${sign}${String(minutes).padStart(2, "0")}:${String(rest).padStart(2, "0")}`;
}

// When the told action happened: one second, or from one to another.
export function spanClock(period, [start, end]) {
  const [from, to] = [matchClock(period, start), matchClock(period, end)];
  return from === to ? from : `${from}–${to}`;
}

// How far the comment's own time was from the action, where it had a second of its own.
export function drift(comment) {
  if (comment.start === undefined || comment.start !== comment.end || !comment.span) return "";
  const middle = (comment.span[0] + comment.span[1]) / 2;
  const seconds = Math.round(comment.start - middle);
  if (Math.abs(seconds) < 2) return "on time";
  return `${Math.abs(seconds)} s ${seconds > 0 ? "after" : "before"}`;
}
