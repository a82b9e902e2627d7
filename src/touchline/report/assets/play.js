// Play the match: one line after the other, its events on the pitch, the moment on the timeline. With the
// recording of the commentary, which stays on the reader's computer, the lines keep step with it.
import { draw, make } from "./dom.js";
import { matchClock } from "./clock.js";
import { placeOf } from "./match.js";
import { isGoal, lineOn } from "./scoreboard.js";

const SPEEDS = [0.5, 1, 2, 4, 8];
const MIN_SECONDS = 1.8; // a line stays at least so long
const PER_WORD = 0.24; // and so much longer for each of its words: a calm reader's pace
// Drawn, since few fonts have these signs.
const ICONS = {
  play: "M4 2.5v11l9.5-5.5z", pause: "M4 2.5h3v11H4zM9 2.5h3v11H9z", back: "M13 3v10L6 8zM3 3h2v10H3z", on: "M3 3v10l7-5zM11 3h2v10h-2z",
  sound: "M2 6v4h3l4 3V3L5 6zM11 5.5a3.5 3.5 0 0 1 0 5l.9.9a4.8 4.8 0 0 0 0-6.8z",
};

export class Playback {
  // `app` shows a line (`app.play(comment)`), has the visible `comments`, and the timeline.
  constructor(app) {
    this.app = app;
    this.speed = 1;
    this.timer = null;
    this.media = null;
    const button = (label, sign, click) => make("button", { type: "button", "aria-label": label, title: label, on: { click } }, icon(sign));
    this.button = button("Play (space)", "play", () => this.toggle());
    this.button.classList.add("start");
    this.clock = make("span", { class: "clock", "aria-hidden": "true" });
    this.rate = make("select", { "aria-label": "Speed", on: { change: () => this.setSpeed(Number(this.rate.value)) } },
      ...SPEEDS.map((speed) => make("option", { value: speed, selected: speed === 1 }, `${speed}×`)));
    this.back = button("Previous goal (<)", "back", () => this.jump(-1));
    this.on = button("Next goal (>)", "on", () => this.jump(1));
    this.file = make("input", { type: "file", accept: "audio/*,video/*", class: "visually-hidden", id: "recording", tabindex: -1, "aria-label": "Recording", on: { change: () => this.load() } });
    this.choose = button("Play with the recording, an audio or video file on this computer", "sound", () => this.file.click());
    this.screen = make("div", { class: "recording", hidden: true });
    app.timeline.controls.replaceChildren(this.back, this.button, this.on, this.rate, this.clock, this.choose, this.file, this.screen);
  }

  // Another match is shown.
  /** @param {PageMatch} match */
  open(match) {
    this.pause();
    this.unload();
    this.match = match;
    const goals = (match.moments ?? []).filter(isGoal);
    this.goals = goals.map((moment) => match.events[moment.event]);
    for (const button of [this.back, this.on]) button.hidden = !goals.length;
    this.choose.hidden = !match.recordings?.length;
    this.app.timeline.controls.hidden = !match.comments.length;
    this.clock.textContent = "";
    this.show(false);
  }

  get playing() {
    return this.timer !== null || Boolean(this.media && !this.media.paused);
  }

  toggle() {
    if (this.playing) this.pause();
    else this.start();
  }

  start() {
    const order = this.order();
    if (!order.length) return;
    const here = order.indexOf(this.app.selected);
    this.show(true);
    if (this.media) this.playMedia();
    else this.showLine(order, here < 0 || here === order.length - 1 ? 0 : here);
  }

  pause() {
    cancelAnimationFrame(this.timer);
    this.timer = null;
    this.media?.pause();
    this.show(false);
  }

  show(playing) {
    const label = playing ? "Pause (space)" : "Play (space)";
    this.button.replaceChildren(icon(playing ? "pause" : "play"), make("span", { class: "word", "aria-hidden": "true" }, playing ? "Pause" : "Play"));
    this.button.setAttribute("aria-label", label);
    this.button.title = label;
    document.body.classList.toggle("is-playing", playing);
  }

  // The visible lines in the order of the match; those without a time are left out.
  /** @returns {PageComment[]} */
  order() {
    const timed = this.app.comments.map((comment) => ({ comment, place: placeOf(comment, true) })).filter(({ place }) => place);
    timed.sort((a, b) => a.place.period - b.place.period || a.place.time - b.place.time || a.comment.index - b.comment.index);
    return timed.map(({ comment }) => comment);
  }

  // Show a line, move on to the next one once there was time to read it.
  showLine(order, number) {
    const comment = order[number];
    this.app.play(comment);
    const seconds = (MIN_SECONDS + PER_WORD * comment.text.split(/\s+/).length) / this.speed;
    const [from, to] = [placeOf(comment, true), order[number + 1] && placeOf(order[number + 1], true)];
    const still = isStill();
    const began = performance.now();
    const frame = (now) => {
      const share = Math.min(Math.max((now - began) / (1000 * seconds), 0), 1);
      this.move(from, still || !to || to.period !== from.period ? 0 : share, to);
      if (!still) this.app.ball(Math.min(share * 1.5, 1));
      if (share < 1) this.timer = requestAnimationFrame(frame);
      else if (to) this.showLine(order, number + 1);
      else this.pause();
    };
    this.timer = requestAnimationFrame(frame);
  }

  // The head on the timeline, a share of the way to the next line.
  move(from, share, to) {
    const time = share ? from.time + share * (to.time - from.time) : from.time;
    this.app.timeline.moveHead(from.period, time);
    this.clock.textContent = matchClock(this.match.periods.get(from.period), time);
  }

  setSpeed(speed) {
    this.speed = speed;
    this.rate.value = String(speed);
    if (this.media) this.media.playbackRate = Math.min(speed, 4);
  }

  step(by) {
    this.setSpeed(SPEEDS[Math.min(Math.max(SPEEDS.indexOf(this.speed) + by, 0), SPEEDS.length - 1)]);
  }

  // Go to the line on the next or the previous goal, or to the goal itself.
  jump(by) {
    const goal = this.goals[this.nextGoal(by)];
    if (!goal) return;
    const playing = this.playing;
    this.pause();
    this.app.play(lineOn(goal));
    if (this.media) this.seek(this.app.selected);
    if (playing) this.start();
  }

  // The place of that goal: beside the one that is shown, else by time.
  nextGoal(by) {
    const { selected } = this.app;
    const shown = this.goals.findIndex((goal) => goal === selected || goal.describedBy.some(({ comment }) => comment === selected));
    if (shown >= 0) return shown + by;
    const now = selected && (selected.links ? placeOf(selected, true) : selected);
    const later = now ? this.goals.findIndex((goal) => isBefore(now, goal)) : 0;
    const first = later < 0 ? this.goals.length : later;
    return by > 0 ? first : first - 1;
  }

  // Keys: whether one was handled.
  key(name) {
    const act = { " ": () => this.toggle(), ",": () => this.step(-1), ".": () => this.step(1), "<": () => this.jump(-1), ">": () => this.jump(1) }[name];
    if (!act || this.app.timeline.controls.hidden) return false;
    act();
    return true;
  }

  // --- the recording ---

  load() {
    const [file] = this.file.files;
    this.file.value = "";
    if (!file) return;
    this.pause();
    this.unload();
    const media = document.createElement(file.type.startsWith("video") ? "video" : "audio");
    Object.assign(media, { controls: true, src: URL.createObjectURL(file), playbackRate: Math.min(this.speed, 4) });
    media.setAttribute("aria-label", `Recording: ${file.name}`);
    for (const event of ["play", "pause"]) media.addEventListener(event, () => this.show(!media.paused));
    media.addEventListener("play", () => this.keepUp());
    media.addEventListener("seeked", () => this.follow());
    media.addEventListener("error", () => this.fail(file.name));
    this.media = media;
    this.followed = null; // the line that is being said
    this.part = this.match.recordings.length < 2 ? null : this.partPicker();
    this.lines = this.said();
    const close = make("button", { type: "button", "aria-label": "Close the recording", on: { click: () => this.unload() } }, "×");
    this.screen.replaceChildren(media, ...(this.part ? [this.part] : []), close);
    this.screen.hidden = false;
    this.seek(this.app.selected ?? this.said()[0]);
  }

  // Which of several recordings was chosen: one for each half, say.
  partPicker() {
    const names = this.match.recordings.map((periods) => periods.map((period) => this.match.periods.get(period)?.name ?? period).join(", "));
    return make("select", { "aria-label": "What this recording covers", on: { change: () => this.changePart() } },
      ...names.map((name, number) => make("option", { value: number }, name)));
  }

  changePart() {
    this.lines = this.said();
    this.seek(this.lines[0]);
  }

  // From the line that the reader has chosen meanwhile, else from where the recording is.
  playMedia() {
    if (this.app.selected !== this.followed) this.seek(this.app.selected);
    this.media.play().catch(() => {}); // a pause before it has started is no error
  }

  // In every frame while it plays.
  keepUp() {
    const { media } = this;
    const frame = () => {
      if (media !== this.media || media.paused) return;
      this.follow();
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  fail(name) {
    this.unload();
    this.clock.textContent = `${name} cannot be played`;
  }

  unload() {
    if (!this.media) return;
    URL.revokeObjectURL(this.media.src);
    this.media = null;
    this.screen.replaceChildren();
    this.screen.hidden = true;
    this.show(false);
  }

  // The lines of the chosen recording, in the order in which they are said.
  said() {
    const part = Number(this.part?.value ?? 0);
    const own = this.match.comments.filter(({ recorded, recording }) => recorded !== undefined && recording === part);
    return own.sort((a, b) => a.recorded - b.recorded);
  }

  // The recording has moved on: show the last line that has begun. Lines have their own places in the
  // recording, so that cuts need no care.
  follow() {
    const now = this.media.currentTime;
    const number = this.lines.findLastIndex(({ recorded }) => recorded <= now + 0.1);
    const [comment, next] = [this.lines[number], this.lines[number + 1]];
    if (!comment) return;
    if (comment !== this.followed) {
      this.followed = comment;
      this.app.play(comment);
    }
    const [from, to] = [placeOf(comment, true), next && placeOf(next, true)];
    const runs = !isStill() && from && to && from.period === to.period;
    if (from) this.move(from, runs ? Math.min(Math.max((now - comment.recorded) / (next.recorded - comment.recorded), 0), 1) : 0, to);
    if (!isStill()) this.app.ball(Math.min(Math.max((now - comment.recorded) / 3, 0), 1));
  }

  // Move the recording to a line.
  seek(item) {
    if (!this.media || item?.recorded === undefined) return;
    if (this.part && Number(this.part.value) !== item.recording) {
      this.part.value = String(item.recording);
      this.lines = this.said();
    }
    this.media.currentTime = Math.max(item.recorded, 0);
  }
}

function icon(sign) {
  return draw("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, draw("path", { d: ICONS[sign] }));
}

function isStill() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

function isBefore(one, other) {
  return (one.period - other.period || one.time - other.time) < 0;
}
