// The search over all matches: comments, the events they describe, and their times.
import { byId, make } from "./report/dom.js";
import { address, get } from "./api.js";
import { FacetPanel, PARAMETERS, valueText } from "./facets.js";
import { linkTo } from "./matches.js";
import { SavedSearches } from "./saved.js";

const FIELDS = { q: "search", from: "from", to: "to" };
const DEBOUNCE = 120; // milliseconds after the last key press until the server is asked
const PAGE = 50; // hits shown at once

export class Search {
  constructor(showError) {
    this.showError = showError;
    this.chosen = {}; // the values of facets, and a match
    this.browsing = false; // whether all lines are shown when nothing is asked for
    this.answered = false; // whether any search has been answered on this page
    this.facets = new FacetPanel(byId("facets"), this.chosen, () => this.find());
    this.saved = new SavedSearches(byId("saved"), (query) => this.open(query), showError);
    this.take(new URLSearchParams(location.search)); // the URL holds the search
    if (matchMedia("(max-width: 899px)").matches) document.querySelector(".narrow").removeAttribute("open"); // hits first
    byId("filters").addEventListener("submit", (event) => event.preventDefault());
    for (const id of Object.values(FIELDS)) byId(id).addEventListener("input", () => this.soon());
    byId("clear").addEventListener("click", () => this.clear());
    byId("browse").addEventListener("click", () => this.browse());
    byId("save").addEventListener("click", () => this.saved.ask(this.wanted()));
    byId("more").addEventListener("click", () => this.find(this.shown));
    byId("filters").addEventListener("keydown", (event) => this.press(event));
    byId("found").addEventListener("keydown", (event) => this.press(event));
  }

  // Hits that are shown or on their way stay: a new connection to the server asks nothing new.
  async read() {
    await Promise.all([this.saved.read(), this.question ? null : this.find()]);
  }

  take(parameters) {
    for (const [parameter, id] of Object.entries(FIELDS)) byId(id).value = parameters.get(parameter) ?? "";
    for (const parameter of [...PARAMETERS, "match"]) {
      if (parameters.get(parameter)) this.chosen[parameter] = parameters.get(parameter);
      else delete this.chosen[parameter];
    }
    this.browsing = parameters.has("browse");
  }

  open(query) {
    this.take(new URLSearchParams(query));
    this.find();
    byId("search").focus();
  }

  browse() {
    this.browsing = true;
    this.find();
    byId("search").focus();
  }

  wanted() {
    const given = Object.entries(FIELDS).map(([parameter, id]) => [parameter, byId(id).value.trim()]);
    return { ...Object.fromEntries(given.filter(([, value]) => value)), ...this.chosen };
  }

  soon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.find(), DEBOUNCE);
  }

  clear() {
    this.take(new URLSearchParams());
    this.find();
    byId("search").focus();
  }

  async find(offset = 0) {
    const wanted = this.wanted();
    const asking = this.browsing || Object.keys(wanted).length > 0;
    this.address(asking ? wanted : null);
    byId("clear").hidden = byId("found").hidden = !asking;
    byId("all").hidden = asking;
    byId("browse").hidden = asking;
    const question = {};
    this.question = question; // responses to older questions are ignored
    if (!asking) {
      this.question = null;
      return;
    }
    try {
      const answer = await get("/search", { ...wanted, limit: PAGE, offset, facets: offset ? undefined : true });
      if (this.question !== question) return;
      this.show(answer, offset, wanted);
      if (answer.facets) this.facets.show(answer.facets);
      this.showError(null);
    } catch (error) {
      if (this.question !== question) return;
      this.question = null;
      byId("found").hidden = !this.answered; // earlier hits stay
      this.showError(error);
    }
  }

  address(wanted) {
    const parameters = new URLSearchParams(wanted ?? {});
    if (wanted && this.browsing) parameters.set("browse", "1");
    const text = String(parameters);
    history.replaceState(null, "", text ? `?${text}` : location.pathname);
  }

  /** @param {Api.Hits} found @param {number} offset */
  show({ total, hits, meant }, offset, wanted) {
    const items = hits.map(hitItem);
    if (offset) byId("hits").append(...items);
    else replaceHits(items);
    this.shown = offset + hits.length;
    this.answered = true;
    byId("found-title").textContent = total === 1 ? "1 line" : `${total.toLocaleString("en")} lines`;
    byId("more").hidden = this.shown >= total;
    byId("chosen").replaceChildren(...this.chips());
    for (const format of ["csv", "vtt"]) byId(`as-${format}`).setAttribute("href", address("/hits", { ...wanted, format }));
    byId("files").hidden = !total;
    byId("save").hidden = !Object.keys(wanted).length;
    byId("nothing").hidden = total > 0;
    byId("nothing").replaceChildren(...this.advice(meant, wanted));
  }

  // What to do where nothing was found.
  advice(meant, wanted) {
    const parts = [make("p", {}, "No line matches all of this.")];
    if (meant) {
      const act = () => {
        byId("search").value = meant.q;
        this.find();
        byId("search").focus();
      };
      const lines = meant.total === 1 ? "1 line" : `${meant.total.toLocaleString("en")} lines`;
      parts.push(make("p", { id: "meant" }, "Did you mean ", make("button", { type: "button", class: "link", on: { click: act } }, make("bdi", {}, meant.q)), `? ${lines}`));
    } else {
      const filters = Object.keys(wanted).some((name) => name !== "q");
      parts.push(make("p", { class: "soft" }, filters ? "Remove a filter, or use fewer words." : "Try fewer words, or just the start of a word."));
    }
    return parts;
  }

  // The chosen values, to take them back one by one.
  chips() {
    return Object.entries(this.chosen).map(([parameter, value]) => {
      const act = () => {
        delete this.chosen[parameter];
        this.find();
        byId("search").focus();
      };
      return make("button", { type: "button", class: "chip", "aria-label": `Without ${valueText(parameter, value)}`, on: { click: act } }, make("bdi", {}, valueText(parameter, value)), " ×");
    });
  }

  // Arrow keys go from the search field through the hits and back; Escape leads to the field, and there
  // ends the search.
  /** @param {KeyboardEvent} event */
  press(event) {
    const hits = /** @type {HTMLElement[]} */ ([...byId("hits").querySelectorAll(".hit")]);
    const place = hits.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    const field = document.activeElement === byId("search");
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape" && !byId("found").hidden) {
      event.preventDefault();
      if (field) this.clear();
      else byId("search").focus();
    } else if (by && (place >= 0 || (field && by > 0))) {
      event.preventDefault();
      if (place + by < 0) byId("search").focus();
      else hits[Math.min(place + by, hits.length - 1)]?.focus();
    }
  }
}

// The hit in focus keeps it if it is still there; else the keys go on in the search field.
/** @param {HTMLElement[]} items */
function replaceHits(items) {
  const focused = document.activeElement?.closest(".hit")?.getAttribute("href");
  byId("hits").replaceChildren(...items);
  if (!focused) return;
  const same = items.map((item) => item.querySelector("a")).find((hit) => hit.getAttribute("href") === focused);
  (same ?? byId("search")).focus();
}

/** @param {Api.Hit} hit */
function hitItem({ match, title, comment, clock, text, marks, events, by, phase, recorded }) {
  const spell = phase ? [make("span", { class: "event spell" }, make("bdi", {}, `${phase.team}: ${phase.kind ?? "phase"}`))] : [];
  return make("li", {}, make(
    "a",
    { class: "hit", href: linkTo(match, comment) },
    make("span", { class: "where soft" }, make("strong", { class: "clock" }, clock ?? ""), make("bdi", {}, title), recorded ? make("span", { class: "recorded", title: "Time in the recording" }, `▸ ${recorded.code.slice(0, 8)}`) : "", by === "machine" ? "" : make("span", { class: "by" }, ` labelled by ${by}`)),
    make("span", { class: "text", dir: "auto" }, ...marked(text, marks)),
    make("span", { class: "linked-events" }, ...events.map((event) => make("span", { class: "event" }, make("span", { class: "clock" }, `${event.code ?? event.clock} `), make("bdi", {}, event.what))), ...spell),
  ));
}

function marked(text, marks) {
  const parts = [];
  let done = 0;
  for (const [start, end] of marks) {
    parts.push(text.slice(done, start), make("mark", {}, text.slice(start, end)));
    done = end;
  }
  return [...parts, text.slice(done)];
}
