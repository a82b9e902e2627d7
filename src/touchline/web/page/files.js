// What goes out of a match and into its labels: links in every format, gold.
import { make } from "./report/dom.js";
import { address, get, path, session } from "./api.js";
import { button, dialog, form } from "./dialog.js";

const FORMATS = {
  jsonl: "Links, JSON Lines", csv: "Table, CSV", parquet: "Table, Parquet", vtt: "Subtitles, WebVTT",
  "chapters.vtt": "Chapters, WebVTT", json: "Captions, JSON", html: "Report, one HTML file",
};

export function downloads(match, formats, annotator) {
  return make("ul", { class: "downloads" }, ...formats.map((format) => make("li", {}, make(
    "a",
    { href: address(`${path("matches", match)}/links`, { format, annotator }), download: "" },
    FORMATS[format] ?? format,
  ))));
}

export async function showFiles({ name, labels }) {
  const [{ formats }, record] = await Promise.all([session(), get(path("matches", name))]);
  await dialog("Files", (close) => [
    make("h3", {}, "Links, as the machine answered"),
    downloads(name, formats),
    ...(labels ? [
      make("h3", {}, `Links, with what ${labels.annotator} has labelled`),
      downloads(name, formats, labels.annotator),
      ...gold(labels, record, close),
    ] : []),
  ]);
}

function gold(labels, record, close) {
  const take = (text) => {
    labels.importGold(text);
    close();
  };
  const file = make("input", { type: "file", accept: ".jsonl,application/x-ndjson", "aria-label": "A gold.jsonl file" });
  return [
    make("h3", {}, "Labels as gold"),
    make("p", {}, make("a", { href: address(`${labels.path}/gold`), download: "" }, `Export gold.jsonl of ${labels.annotator}`)),
    form(
      async () => {
        if (!file.files.length) throw new Error("Choose a gold.jsonl file first.");
        take(await file.files[0].text());
      },
      make("label", { class: "field" }, "Import a gold.jsonl; one undo takes it back", file),
      make(
        "p",
        { class: "buttons" },
        record.gold ? button("Import the match folder’s", () => take(""), { id: "gold-folder" }) : null,
        make("button", {}, "Import the file"),
      ),
    ),
  ];
}
