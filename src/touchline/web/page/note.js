// A note on a comment, written in a window of its own so that no key means anything else.
import { make } from "./report/dom.js";
import { dialog, form } from "./dialog.js";

// The text, at most `longest` letters, or null when the person left it as it was. The window opens
// at once: people type on.
export async function askNote(comment, before, longest) {
  let text = null;
  await dialog("Note", (close) => {
    const box = make("textarea", { name: "note", rows: 4, maxlength: longest, autofocus: true, "aria-label": "Note", placeholder: "What should others know about this line?" }, before);
    const save = form(
      () => {
        text = box.value.trim() === before ? null : box.value.trim();
        close();
      },
      box,
      make("p", { class: "buttons soft" }, "Shift + Enter for a new line", make("button", { class: "main" }, "Save")),
    );
    box.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey) return;
      event.preventDefault();
      save.requestSubmit();
    });
    return [make("p", { class: "quoted", dir: "auto" }, comment.text), save];
  });
  return text;
}
