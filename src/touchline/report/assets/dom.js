// Building elements. Text goes in as text nodes only: whatever a comment says, it is never markup.

const SVG = "http://www.w3.org/2000/svg";

/** @param {string} id @returns {PageElement} */
export function byId(id) {
  return /** @type {any} */ (document.getElementById(id));
}

/** @template {keyof HTMLElementTagNameMap} Tag @param {Tag} tag @returns {HTMLElementTagNameMap[Tag]} */
export function make(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function draw(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    } else {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}
