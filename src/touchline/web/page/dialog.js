// A modal dialog, removed when it is closed.
import { make } from "./report/dom.js";

// `fill(close)` gives its content. The promise resolves when the dialog is closed.
export function dialog(title, fill) {
  const box = make("dialog", { "aria-label": title });
  const close = () => box.close();
  const shut = make("button", { type: "button", class: "close", "aria-label": "Close", on: { click: close } }, "×");
  box.append(make("h2", {}, title), ...fill(close), shut);
  document.body.append(box);
  box.showModal();
  return new Promise((done) => {
    box.addEventListener("close", () => {
      box.remove();
      done();
    });
  });
}

// A form that calls `act` on submit and shows the error that it throws.
export function form(act, ...children) {
  const problem = make("p", { class: "problem", role: "alert" });
  const submit = async (event) => {
    event.preventDefault();
    problem.textContent = "";
    try {
      await act(event.target);
    } catch (error) {
      problem.textContent = error.message;
    }
  };
  return make("form", { on: { submit } }, ...children, problem);
}

export function button(text, act, more = {}) {
  return make("button", { type: "button", on: { click: act }, ...more }, ...[text].flat());
}
