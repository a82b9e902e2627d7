// A window over the page that goes when it is closed. It opens on top and takes the keyboard.
import { make } from "./report/dom.js";

// `fill(close)` gives what stands in it. The promise is kept when it has been closed.
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

// A form that `act` answers; what it throws is shown in it.
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
