// A note on a comment, written in a dialog so that no key has another meaning.
import { make } from "./report/dom.js";
import { dialog, form } from "./dialog.js";

// The text, of at most `maxLength` characters, or null if it was not changed. The dialog opens at once,
// so that people can go on typing.
export async function askNote(comment, before, maxLength) {
  let text = null;
  await dialog("Note", (close) => {
    const box = make("textarea", { name: "note", rows: 4, maxlength: maxLength, autofocus: true, "aria-label": "Note", placeholder: "What should others know about this line?" }, before);
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
