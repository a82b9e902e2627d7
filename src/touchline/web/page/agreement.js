// Who has labelled how much, and how far two annotators agree, on one match or on all.
import { make } from "./report/dom.js";
import { get, oneAtATime, path } from "./api.js";
import { button, dialog } from "./dialog.js";

// `goTo(comment, match)` opens a comment on which they disagree. `about` has the page's match, if one is
// shown, and what opens the dialog in which disagreements are decided.
/** @param {string | undefined} match @param {{ match: PageMatch, decide: () => void }} [about] */
export async function showAgreement(match, goTo, about) {
  const records = match === undefined ? (await get("/matches")).matches : [await get(path("matches", match))];
  const names = [...new Set(records.flatMap((record) => record.annotators.map(({ name }) => name)))].sort();
  await dialog("Annotators", (close) => {
    if (names.length < 2) return [progress(records, names), make("p", {}, "At least two people must have labels before they can be compared.")];
    const found = make("div", { class: "agreement", "aria-live": "polite" });
    const choose = (label, chosen) => make("select", { "aria-label": label }, ...names.map((name) => make("option", { selected: name === chosen }, name)));
    const [a, b] = [choose("First annotator", names[0]), choose("Second annotator", names[1])];
    const compare = oneAtATime(async () => { // else the answer about an earlier choice may come last
      try {
        const figures = await get("/agreement", { a: a.value, b: b.value, match });
        found.replaceChildren(...figuresOf(figures, about, (difference) => {
          close();
          goTo(difference.comment, difference.match);
        }));
      } catch (error) {
        found.replaceChildren(make("p", { class: "problem" }, error.message));
      }
    });
    for (const box of [a, b]) box.addEventListener("change", compare);
    compare();
    const decide = about ? button("Resolve disagreements", () => {
      close();
      about.decide();
    }, { class: "main", id: "adjudicate" }) : null;
    return [progress(records, names), make("h3", {}, "Agreement"), make("p", { class: "pair" }, a, " and ", b), found, ...(decide ? [make("p", { class: "buttons" }, decide)] : [])];
  });
}

// How many lines each annotator has finished, of those of the matches that they have begun.
/** @param {Api.Match[]} records @param {string[]} names */
function progress(records, names) {
  if (!names.length) return make("p", { class: "soft" }, "Nobody has labelled anything yet.");
  const rows = names.map((name) => {
    const own = records.flatMap((record) => record.annotators.filter((one) => one.name === name).map((one) => ({ ...one, comments: record.comments ?? 0 })));
    const sum = (field) => own.reduce((total, one) => total + one[field], 0);
    const [done, unsure, comments] = [sum("done"), sum("unsure"), sum("comments")];
    return make(
      "li",
      {},
      make("strong", {}, name),
      make("span", { class: "soft" }, `${done} of ${comments} lines${unsure ? `, ${unsure} unsure` : ""}${records.length > 1 ? `, ${own.length === 1 ? "1 match" : `${own.length} matches`}` : ""}`),
      make("progress", { max: Math.max(comments, 1), value: done, "aria-label": `Lines labelled by ${name}` }),
    );
  });
  return make("ul", { class: "progress-list" }, ...rows);
}

/** @param {Api.Agreement} agreement @param {{ match: PageMatch } | undefined} about @param {(difference: Api.Difference) => void} open */
function figuresOf({ a, b, comments, pairs, pair_f1: f1, exact, kappa, differences }, about, open) {
  if (!comments) return [make("p", {}, "There is no line yet that both have finished.")];
  const rows = [
    ["Lines finished by both", String(comments)],
    ["Share of lines with the same events", share(exact)],
    ["Pair F1", share(f1)],
    ["Cohen’s kappa over pairs", share(kappa)],
    ["Pairs", `${pairs.a} by ${a}, ${pairs.b} by ${b}, ${pairs.both} by both`],
  ];
  const items = differences.map((difference) => make("li", {}, make(
    "button",
    { type: "button", class: "pick", on: { click: () => open(difference) } },
    ...answersOf(difference, a, b, !about),
  )));
  return [
    make("dl", { class: "notes figures" }, ...rows.map(([label, value]) => make("div", {}, make("dt", {}, label), make("dd", {}, value)))),
    items.length ? make("h3", {}, "Disagreements") : null,
    items.length ? make("ul", { class: "differences" }, ...items) : null,
  ].filter(Boolean);
}

// The text of a line, and both answers; with the title of its match where several are compared.
/** @param {Api.Difference} difference @param {string} a @param {string} b @param {boolean} several */
function answersOf({ title, clock, text, a_events: first, b_events: second }, a, b, several) {
  const answer = (name, events) => make("small", { class: "soft" }, make("strong", {}, `${name}: `), events.join(" + ") || "no event");
  return [
    several ? make("small", { class: "soft" }, title) : null,
    make("span", { dir: "auto", class: "one-line" }, clock ? `${clock} ${text}` : text),
    answer(a, first),
    answer(b, second),
  ].filter(Boolean);
}

function share(value) {
  return value === null ? "–" : value.toFixed(3);
}
