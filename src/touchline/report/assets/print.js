// For printing, all comments that pass the filters are written out.
import { byId, make } from "./dom.js";
import { matchClock } from "./clock.js";
import { phaseName } from "./match.js";

export function printable(get) {
  const paper = byId("paper");
  const writeOut = () => {
    const { match, comments } = get();
    paper.replaceChildren(make("ol", {}, ...comments.map((comment) => printedComment(match, comment))));
    paper.hidden = false;
  };
  const empty = () => {
    paper.hidden = true;
    paper.replaceChildren();
  };
  addEventListener("beforeprint", writeOut);
  addEventListener("afterprint", empty);
  matchMedia("print").addEventListener("change", (change) => (change.matches ? writeOut() : empty()));
}

/** @param {PageMatch} match @param {PageComment} comment */
function printedComment(match, comment) {
  const events = comment.links.map(({ event, score }) => {
    const clock = matchClock(match.periods.get(event.period), event.time);
    return make("li", {}, `${clock} ${event.what} (${score.toFixed(2)})`);
  });
  const phase = comment.phase ? make("p", { class: "soft" }, phaseName(match, comment.phase)) : null;
  return make(
    "li",
    {},
    make("span", { class: "clock" }, comment.clock),
    make("div", {}, make("p", { dir: "auto" }, comment.text), events.length ? make("ul", {}, ...events) : make("p", { class: "soft" }, "no event"), phase),
  );
}
