// Who labels: a name, asked for once and kept by the browser.
import { make } from "./report/dom.js";
import { dialog, form } from "./dialog.js";

const KEPT = "touchline.annotator";
const LETTERS = /^[\p{L}\p{N} ._'-]{1,40}$/u;

export function annotator() {
  try {
    return localStorage.getItem(KEPT) ?? "";
  } catch {
    return ""; // a browser that keeps nothing asks each time
  }
}

// Ask for a name; gives it, or "" when the person closed the window.
export async function askAnnotator() {
  let chosen = "";
  await dialog("Who is labelling?", (close) => [
    make("p", {}, "Labels are kept under a name, so that several people can label one match and be compared. Choose yours once; there are no accounts."),
    form(
      ({ elements }) => {
        const name = elements.annotator.value.trim();
        if (!LETTERS.test(name)) throw new Error("A name has 1 to 40 letters, digits, spaces or . _ - '");
        chosen = name;
        keep(name);
        close();
      },
      make("label", { class: "field" }, "Your name", make("input", { name: "annotator", autocomplete: "off", spellcheck: "false", maxlength: 40, value: annotator(), autofocus: true })),
      make("p", { class: "buttons" }, make("button", { class: "main" }, "Label as this person")),
    ),
  ]);
  return chosen;
}

function keep(name) {
  try {
    localStorage.setItem(KEPT, name);
  } catch {
    // it holds for this page
  }
}
