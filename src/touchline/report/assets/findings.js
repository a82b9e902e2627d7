// What the log does not confirm of the commentary (`touchline check`), beside the lines.
import { make } from "./dom.js";

const FINDINGS = { name: "Name", score: "Score", "no-event": "No such event", outcome: "Outcome", detail: "Detail" };
const LISTED = 8; // lines in the overview

/** @param {Data.ReportFinding} finding */
function findingSentence(finding) {
  return `says ${finding.says}; ${finding.log}`;
}

// In the row of a comment: the surest finding, and how many more there are.
/** @param {PageComment} comment */
export function findingLine(comment) {
  const [first, ...more] = comment.findings ?? [];
  if (!first) return null;
  return make("span", { class: `finding ${first.severity}` }, flag(first), findingSentence(first), more.length ? ` (and ${more.length} more)` : "");
}

// An error is a filled sign, a warning an open one: colour is not the only difference.
/** @param {Data.ReportFinding} finding */
function flag({ severity }) {
  return make("i", { class: "flag", role: "img", "aria-label": severity }, "!");
}

// In the details of a comment: what it says, what the log has, and how probably it is wrong.
/** @param {PageMatch} match @param {PageComment} comment @param {(event: PageEvent) => void} pick */
export function findingsDetail(match, comment, pick) {
  const findings = comment.findings ?? [];
  if (!findings.length) return [];
  return [
    make("h3", {}, "Not confirmed by the log"),
    make("ul", { class: "findings" }, ...findings.map((finding) => findingItem(match, comment, finding, pick))),
  ];
}

/** @param {PageMatch} match @param {PageComment} comment @param {Data.ReportFinding} finding */
function findingItem(match, comment, finding, pick) {
  const { kind, severity, says, log, probability, words = [], events = [] } = finding;
  const quoted = kind === "no-event" ? "" : words.map(([start, end]) => comment.text.slice(start, end)).join(" … ");
  const bar = make("i", { "aria-hidden": "true" });
  bar.style.setProperty("--share", String(probability));
  return make(
    "li",
    { class: `finding-item ${severity}` },
    make("p", { class: "finding-head" }, flag(finding), make("strong", {}, `${severity === "error" ? "Error" : "Warning"}: ${FINDINGS[kind].toLowerCase()}`), make("span", { class: "level", title: "How likely the line is to be wrong" }, make("span", { class: "visually-hidden" }, "probably wrong "), probability.toFixed(2), bar)),
    make(
      "dl",
      { class: "notes short" },
      findingFact("Line", make("span", {}, quoted && quoted !== says ? `“${quoted}”: ${says}` : says)),
      findingFact("Log", make("span", {}, log)),
    ),
    ...events.map((index) => make("button", { type: "button", class: "pick finding-event", on: { click: () => pick(match.events[index]) } }, make("span", { class: `event team${match.events[index].team ?? ""}` }, make("bdi", {}, match.events[index].what)))),
  );
}

function findingFact(label, value) {
  return make("div", {}, make("dt", {}, label), make("dd", {}, value));
}

// While nothing is selected: how the commentary did, and the lines to look at, errors first.
/** @param {PageMatch} match @param {(item: any) => void} pick */
export function findingsOverview(match, pick) {
  if (!match.checked) return [];
  const lines = match.comments.filter(({ findings }) => findings?.length);
  const rank = (comment) => (comment.findings[0].severity === "error" ? 0 : 1);
  const shown = [...lines].sort((a, b) => rank(a) - rank(b) || b.findings[0].probability - a.findings[0].probability).slice(0, LISTED);
  return [
    make("h3", {}, "Checked against the log ", make("span", { class: "count" }, counted(lines))),
    shown.length
      ? make("ul", { class: "events" }, ...shown.map((comment) => make("li", {}, make(
        "button",
        { type: "button", class: "pick line", on: { click: () => pick(comment) } },
        make("span", { class: "clock" }, comment.clock),
        make("span", { class: "what" }, make("span", { dir: "auto", class: "one-line" }, comment.text), make("small", {}, findingLine(comment))),
      ))))
      : make("p", { class: "soft" }, "Nothing in the commentary contradicts the log."),
  ];
}

/** @param {PageComment[]} lines */
function counted(lines) {
  const all = lines.flatMap(({ findings }) => findings ?? []);
  const errors = all.filter(({ severity }) => severity === "error").length;
  const number = (count, what) => `${count} ${what}${count === 1 ? "" : "s"}`;
  return `${number(errors, "error")}, ${number(all.length - errors, "warning")}`;
}
