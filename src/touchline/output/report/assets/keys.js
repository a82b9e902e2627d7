// The keyboard: j and k through the list, / to search, ? for help.
import { byId } from "./dom.js";

const STEPS = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity };

// `act` has step(by), view(name), leave(): what the keys ask for.
export function listen(act) {
  const help = byId("help");
  byId("help-open").addEventListener("click", () => help.showModal());
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
    if (event.key === "Escape") act.leave();
    else if (isTyping(event.target)) return;
    else if (event.key === "/") byId("search").focus();
    else if (event.key === "?") help.showModal();
    else if (event.key === "e") act.view("log");
    else if (event.key === "c") act.view("feed");
    else if (event.key in STEPS && (event.key.length === 1 || inList(event.target))) act.step(STEPS[event.key]);
    else return;
    event.preventDefault();
  });
}

function isTyping(target) {
  return target.matches?.("input:not([type=checkbox]), select, textarea");
}

// Arrows and their like scroll the page unless a list has the focus.
function inList(target) {
  return target === document.body || target.closest?.("[role=listbox]");
}
