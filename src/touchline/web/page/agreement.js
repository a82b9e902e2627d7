// The agreement of two annotators, on one match or on all.
import { make } from "./report/dom.js";
import { get, path } from "./api.js";
import { dialog } from "./dialog.js";

// `goTo(comment, match)` opens a comment on which they disagree.
export async function showAgreement(match, goTo) {
  const names = await annotators(match);
  await dialog("Agreement", (close) => {
    if (names.length < 2) return [make("p", {}, "At least two people must have labels before they can be compared.")];
    const found = make("div", { class: "agreement", "aria-live": "polite" });
    const choose = (label, chosen) => make("select", { "aria-label": label }, ...names.map((name) => make("option", { selected: name === chosen }, name)));
    const [a, b] = [choose("First annotator", names[0]), choose("Second annotator", names[1])];
    const compare = async () => {
      try {
        const figures = await get("/agreement", { a: a.value, b: b.value, match });
        found.replaceChildren(...figuresOf(figures, (difference) => {
          close();
          goTo(difference.comment, difference.match);
        }));
      } catch (error) {
        found.replaceChildren(make("p", { class: "problem" }, error.message));
      }
    };
    for (const box of [a, b]) box.addEventListener("change", compare);
    compare();
    return [make("p", { class: "pair" }, a, " and ", b), found];
  });
}

async function annotators(match) {
  const records = match === undefined ? (await get("/matches")).matches : [await get(path("matches", match))];
  return [...new Set(records.flatMap((record) => record.annotators.map(({ name }) => name)))].sort();
}

/** @param {Api.Agreement} agreement @param {(difference: Api.Difference) => void} open */
function figuresOf({ a, b, comments, pairs, pair_f1: f1, exact, kappa, differences }, open) {
  if (!comments) return [make("p", {}, "There is no line that both have finished yet.")];
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
    `${difference.match}, line ${difference.comment}: ${difference.a.length} and ${difference.b.length} events`,
  )));
  return [
    make("dl", { class: "notes figures" }, ...rows.map(([label, value]) => make("div", {}, make("dt", {}, label), make("dd", {}, value)))),
    items.length ? make("h3", {}, "Disagreements") : null,
    items.length ? make("ul", { class: "differences" }, ...items) : null,
  ].filter(Boolean);
}

function share(value) {
  return value === null ? "–" : value.toFixed(3);
}
