// Downloads of links in every format; export and import of labels.
import { make } from "./report/dom.js";
import { address, get, path, session } from "./api.js";
import { GOLD } from "./adjudication.js";
import { button, dialog, form } from "./dialog.js";

const FORMATS = {
  jsonl: "Links, JSON Lines", csv: "Table, CSV", parquet: "Table, Parquet", vtt: "Subtitles, WebVTT",
  "chapters.vtt": "Chapters, WebVTT", json: "Captions, JSON", html: "Report, one HTML file",
  xlsx: "Table, Excel", "label-studio.json": "Tasks for Label Studio",
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
    make("h3", {}, "Links of the machine"),
    downloads(name, formats),
    ...(labels ? [
      make("h3", {}, `Links with the labels of ${labels.annotator}`),
      downloads(name, formats, labels.annotator),
      ...gold(labels, record, close),
      make("h3", {}, "Decisions on disagreements"),
      make("p", {}, make("a", { href: address(path("matches", name, "labels", GOLD, "gold")), download: "" }, "Export the adjudicated labels as gold.jsonl")),
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
    make("h3", {}, "Labels as gold.jsonl"),
    make("p", {}, make("a", { href: address(`${labels.path}/gold`), download: "" }, `Export the labels of ${labels.annotator}`)),
    form(
      async () => {
        if (!file.files.length) throw new Error("Choose a gold.jsonl file first.");
        take(await file.files[0].text());
      },
      make("label", { class: "field" }, "Import a gold.jsonl file (can be undone in one step)", file),
      make(
        "p",
        { class: "buttons" },
        record.gold ? button("Import from the match folder", () => take(""), { id: "gold-folder" }) : null,
        make("button", {}, "Import the file"),
      ),
    ),
  ];
}
