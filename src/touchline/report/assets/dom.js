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

// A message as a sentence. Messages begin in lower case, as in a terminal, or with the name of a file,
// which is left as it is.
/** @param {string | null | undefined} text */
export function sentence(text) {
  if (!text) return "";
  const isFile = /^\S*\./.test(text) || /^[^:]*\.\w+(, [^:]*)?: /.test(text);
  const begun = isFile ? text : text[0].toUpperCase() + text.slice(1);
  return /[.?!…]$/.test(begun) ? begun : `${begun.replace(/;$/, "")}.`;
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
