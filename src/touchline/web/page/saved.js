// Saved searches, shared by everybody who uses the server.
import { byId, make } from "./report/dom.js";
import { get, path, post, remove } from "./api.js";
import { button, dialog, form } from "./dialog.js";

export class SavedSearches {
  // `open(query)` is called with the parameters of a search that was chosen.
  constructor(box, open, showError) {
    this.box = box;
    this.open = open;
    this.showError = showError;
    this.changes = 0; // a response that was asked for before a change is outdated
  }

  async read() {
    const before = this.changes;
    const answer = await get("/searches");
    if (before === this.changes) this.show(answer);
  }

  /** @param {Promise<Api.SavedSearches>} change */
  async showChanged(change) {
    const answer = await change;
    this.changes += 1;
    this.show(answer);
  }

  /** @param {Api.SavedSearches} answer */
  show({ searches }) {
    this.box.hidden = !searches.length;
    this.box.replaceChildren(make("span", { class: "soft", id: "saved-title" }, "Saved searches"), ...searches.map((one) => this.chip(one)));
  }

  /** @param {Api.SavedSearch} saved */
  chip({ name, query }) {
    const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== null && value !== ""));
    const forget = () => this.showChanged(remove(path("searches", name))).then(() => byId("search").focus(), this.showError);
    return make("span", { class: "chip" }, button(make("bdi", {}, name), () => this.open(given)), button("×", forget, { "aria-label": `Delete the saved search ${name}` }));
  }

  ask(query) {
    const suggested = Object.values(query).join(", ").slice(0, 80);
    return dialog("Save this search", (close) => [form(
      async ({ elements }) => {
        await this.showChanged(post("/searches", { name: elements.name.value, query: { ...query, ...minutes(query) } }));
        close();
      },
      make("p", { class: "soft" }, "Everyone who uses this server will see it."),
      make("label", { class: "field" }, "Name", make("input", { name: "name", maxlength: 80, required: true, autocomplete: "off", value: suggested, autofocus: true })),
      make("p", { class: "buttons" }, button("Cancel", close), make("button", { class: "main" }, "Save")),
    )]);
  }
}

// Minutes are numbers in a saved search, text in a form.
function minutes(query) {
  const given = ["from", "to"].filter((name) => query[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, Number(query[name])]));
}
