// The facets of a search: what the lines that were found describe, with counts. A click on a value asks
// for it, another one on the chosen value takes it back.
import { make } from "./report/dom.js";

// Of each facet: its parameter, its list in the answer, its title, and how values are shown.
const STANDINGS = { leading: "Their team leads", level: "Level", trailing: "Their team trails" };
/** @type {Array<[string, keyof Api.Facets, string, Record<string, string>?]>} */
const FACETS = [
  ["team", "teams", "Team"],
  ["player", "players", "Player"],
  ["kind", "kinds", "Event"],
  ["outcome", "outcomes", "Outcome"],
  ["standing", "standings", "Score", STANDINGS],
  ["phase", "phases", "Phase"],
];
export const PARAMETERS = FACETS.map(([parameter]) => parameter);
const FEW = 6; // values that are shown without a click

export function valueText(parameter, value) {
  return FACETS.find(([one]) => one === parameter)?.[3]?.[value] ?? value;
}

export class FacetPanel {
  // `chosen` is an object of parameters that the panel changes before it calls `changed`.
  constructor(box, chosen, changed) {
    this.box = box;
    this.chosen = chosen;
    this.changed = changed;
    this.open = new Set();
    box.addEventListener("keydown", (event) => this.press(event));
  }

  /** @param {Api.Facets} found */
  show(found) {
    this.found = found;
    const focused = this.box.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement).dataset.value : null;
    this.box.replaceChildren(...FACETS.map((facet) => this.group(facet)).filter(Boolean));
    if (focused) this.buttons.find((one) => one.dataset.value === focused)?.focus({ preventScroll: true });
  }

  get buttons() {
    return /** @type {HTMLElement[]} */ ([...this.box.querySelectorAll("button")]);
  }

  /** @param {[string, keyof Api.Facets, string, Record<string, string>?]} facet */
  group([parameter, list, title]) {
    const values = this.found[list];
    const chosen = this.chosen[parameter];
    if (!values.length && !chosen) return null;
    const known = chosen && !values.some(({ value }) => value === chosen) ? [{ value: chosen, count: 0 }, ...values] : values;
    const all = this.open.has(parameter);
    const shown = all ? known : known.slice(0, FEW);
    const rows = shown.map(({ value, count }) => make("li", {}, this.value(parameter, value, count)));
    const rest = known.length - FEW;
    const more = rest > 0 ? make("button", { type: "button", class: "more-values", "data-value": `${parameter} more`, "aria-expanded": String(all), on: { click: () => this.toggle(parameter) } }, all ? "Show fewer" : `${rest} more`) : null;
    return make("section", { class: "facet", "aria-label": title }, make("p", { class: "facet-title", "aria-hidden": "true" }, title), make("ul", {}, ...rows), more);
  }

  value(parameter, value, count) {
    const chosen = this.chosen[parameter] === value;
    const act = () => {
      if (chosen) delete this.chosen[parameter];
      else this.chosen[parameter] = value;
      this.changed();
    };
    const text = valueText(parameter, value);
    return make(
      "button",
      { type: "button", class: "facet-value", "data-value": `${parameter} ${value}`, "aria-pressed": String(chosen), title: text, on: { click: act } },
      make("bdi", { class: "name" }, text),
      make("span", { class: "count" }, chosen ? "×" : count.toLocaleString("en")),
    );
  }

  toggle(parameter) {
    if (!this.open.delete(parameter)) this.open.add(parameter);
    this.show(this.found);
  }

  // Arrow keys go through the values of all facets.
  /** @param {KeyboardEvent} event */
  press(event) {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const place = this.buttons.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    if (!by || place < 0) return;
    event.preventDefault();
    this.buttons[Math.min(Math.max(place + by, 0), this.buttons.length - 1)].focus();
  }
}
