// The annotator's name, asked for once and stored in the browser.
import { make } from "./report/dom.js";
import { dialog, form } from "./dialog.js";

const KEPT = "touchline.annotator";
const RESERVED = new Set(["gold", "machine"]); // adjudicated labels, the machine's links
const LETTERS = /^[\p{L}\p{N} ._'-]{1,40}$/u;

export function annotator() {
  try {
    return localStorage.getItem(KEPT) ?? "";
  } catch {
    return ""; // without storage, the name is asked for each time
  }
}

// Ask for a name. `start(name)` is called at once when it is given, and not when the dialog's closing has
// been heard of: keys that are pressed meanwhile would open it again.
export async function askAnnotator(start) {
  await dialog("Who is labelling?", (close) => [
    make("p", {}, "Labels are stored under a name, so that several people can label the same match and be compared. There are no accounts; the browser remembers your name."),
    form(
      ({ elements }) => {
        const name = elements.annotator.value.trim();
        if (!LETTERS.test(name)) throw new Error("A name has 1 to 40 letters, digits, spaces or . _ - '");
        if (RESERVED.has(name)) throw new Error(`“${name}” is reserved. Choose another name.`);
        keep(name);
        close();
        start(name);
      },
      make("label", { class: "field" }, "Your name", make("input", { name: "annotator", autocomplete: "off", spellcheck: "false", maxlength: 40, value: annotator(), autofocus: true })),
      make("p", { class: "buttons" }, make("button", { class: "main" }, "Start labelling")),
    ),
  ]);
}

function keep(name) {
  try {
    localStorage.setItem(KEPT, name);
  } catch {
    // it is used on this page only
  }
}
