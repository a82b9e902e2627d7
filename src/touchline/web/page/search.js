// The search over all matches: comments, the events they describe, and their times.
import { byId, make } from "./report/dom.js";
import { get } from "./api.js";
import { linkTo } from "./matches.js";

const FIELDS = { q: "search", team: "team", player: "player", kind: "kind", from: "from", to: "to" };
const CHOICES = { team: ["teams", "Any team"], player: ["players", "Any player"], kind: ["kinds", "Any event"] };
const DEBOUNCE = 120; // milliseconds after the last key press until the server is asked
const PAGE = 50; // hits shown at once

export class Search {
  constructor(showError) {
    this.showError = showError;
    this.asked = new URLSearchParams(location.search); // the URL holds the search
    byId("filters").addEventListener("submit", (event) => event.preventDefault());
    for (const id of Object.values(FIELDS)) byId(id).addEventListener("input", () => this.soon());
    byId("clear").addEventListener("click", () => this.clear());
    byId("more").addEventListener("click", () => this.find(this.shown));
  }

  // Fill the filters, and apply the search in the URL.
  async read() {
    const choices = await get("/choices");
    for (const [id, [list, any]] of Object.entries(CHOICES)) {
      const chosen = this.asked?.get(id) ?? byId(id).value;
      byId(id).replaceChildren(make("option", { value: "" }, any), ...choices[list].map((name) => make("option", { selected: name === chosen }, name)));
    }
    for (const [parameter, id] of Object.entries(FIELDS)) {
      if (this.asked?.has(parameter)) byId(id).value = this.asked.get(parameter);
    }
    this.asked = null;
    await this.find();
  }

  wanted() {
    const given = Object.entries(FIELDS).map(([parameter, id]) => [parameter, byId(id).value.trim()]);
    return Object.fromEntries(given.filter(([, value]) => value));
  }

  soon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.find(), DEBOUNCE);
  }

  clear() {
    for (const id of Object.values(FIELDS)) byId(id).value = "";
    this.find();
    byId("search").focus();
  }

  async find(offset = 0) {
    const wanted = this.wanted();
    const asking = Object.keys(wanted).length > 0;
    history.replaceState(null, "", asking ? `?${new URLSearchParams(wanted)}` : location.pathname);
    byId("clear").hidden = !asking;
    byId("found").hidden = !asking;
    byId("all").hidden = asking;
    const question = {};
    this.question = question; // responses to older questions are ignored
    if (!asking) return;
    try {
      const answer = await get("/search", { ...wanted, limit: PAGE, offset });
      if (this.question === question) this.show(answer, offset);
      this.showError(null);
    } catch (error) {
      if (this.question === question) this.showError(error);
    }
  }

  /** @param {Api.Hits} found @param {number} offset */
  show({ total, hits }, offset) {
    const items = hits.map(hitItem);
    if (offset) byId("hits").append(...items);
    else byId("hits").replaceChildren(...items);
    this.shown = offset + hits.length;
    byId("found-title").textContent = total === 1 ? "1 line" : `${total.toLocaleString("en")} lines`;
    byId("more").hidden = this.shown >= total;
  }
}

/** @param {Api.Hit} hit */
function hitItem({ match, title, comment, clock, text, marks, events, by, phase, recorded }) {
  const spell = phase ? [make("span", { class: "event spell" }, make("bdi", {}, `${phase.team}: ${phase.kind ?? "phase"}`))] : [];
  return make("li", {}, make(
    "a",
    { class: "hit", href: linkTo(match, comment) },
    make("span", { class: "where soft" }, make("strong", { class: "clock" }, clock ?? ""), title, recorded ? make("span", { class: "recorded" }, ` at ${recorded.code.slice(0, 8)} of the recording`) : "", by === "machine" ? "" : make("span", { class: "by" }, ` labelled by ${by}`)),
    make("span", { class: "text", dir: "auto" }, ...marked(text, marks)),
    make("span", { class: "linked-events" }, ...events.map((event) => make("span", { class: "event" }, make("span", { class: "clock" }, `${event.clock} `), make("bdi", {}, event.what))), ...spell),
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
