// The keyboard: j and k through the list, / to search, ? for help.
import { byId } from "./dom.js";

const STEPS = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity };

// `act` has step(by), view(name), leave() for the keys below. `act.more(key)` is called for all other
// keys, with Ctrl (or ⌘) as "Ctrl+z", and returns whether it handled the key.
export function listen(act) {
  const help = byId("help");
  byId("help-open").addEventListener("click", () => help.showModal());
  document.addEventListener("keydown", (event) => {
    const key = event.ctrlKey || event.metaKey ? `Ctrl+${event.key}` : event.key;
    if (event.altKey || document.querySelector("dialog[open]")) return;
    if (key === "Escape") act.leave();
    else if (isTyping(event.target)) return;
    else if (key === "/") byId("search").focus();
    else if (key === "?") help.showModal();
    else if (key === "e") act.view("log");
    else if (key === "c") act.view("feed");
    else if (key in STEPS && (key.length === 1 || inList(event.target))) act.step(STEPS[key]);
    else if (isPressing(key, event.target) || !act.more(key)) return;
    event.preventDefault();
  });
}

// Enter and space on a button or link are its own.
function isPressing(key, target) {
  return (key === "Enter" || key === " ") && target.closest?.("button, a, summary, label");
}

function isTyping(target) {
  return target.matches?.("input:not([type=checkbox]), select, textarea");
}

// Arrows and their like scroll the page unless a list has the focus.
function inList(target) {
  return target === document.body || target.closest?.("[role=listbox]");
}
