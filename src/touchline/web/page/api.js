// The server's JSON API: requests, errors and notifications.
import { sentence } from "./report/dom.js";

const BASE = "/api/v1";

// An error response of the server, or no response at all; `code` is the API's error code. The message
// is a sentence.
export class ApiError extends Error {
  constructor(status, error) {
    super(sentence(error.message));
    this.status = status;
    this.code = error.code;
    this.details = error;
  }
}

const OFFLINE = { code: "offline", message: "The server cannot be reached." };
const UNEXPECTED = { code: "internal", message: "The server sent an unexpected response." };

// A path of the API from its parts, which may be any user input.
export function path(...parts) {
  return parts.map((part) => `/${encodeURIComponent(part)}`).join("");
}

export function address(where, parameters = {}) {
  const given = Object.entries(parameters).filter(([, value]) => value !== "" && value !== null && value !== undefined);
  return `${BASE}${where}${given.length ? `?${new URLSearchParams(given)}` : ""}`;
}

let known = null; // the session, read once

/** @returns {Promise<Api.Session>} */
export function session() {
  known ??= get("/session").catch((error) => {
    known = null;
    throw error;
  });
  return known;
}

/** @param {string} where @param {object} [parameters] @returns {Promise<any>} */
export function get(where, parameters) {
  return request("GET", address(where, parameters));
}

// `body` is an object, sent as JSON, or a string or file, sent as it is.
/** @param {string} where @param {any} [body] @returns {Promise<any>} */
export function post(where, body = {}) {
  return write("POST", address(where), body);
}

export function remove(where) {
  return write("DELETE", address(where));
}

export async function signIn(token) {
  known = null;
  return request("POST", address("/session"), { token });
}

// The CSRF token changes with sign-in: on an error it is read again once.
async function write(method, url, body) {
  try {
    return await request(method, url, body, (await session()).csrf);
  } catch (error) {
    if (error.code !== "csrf") throw error;
    known = null;
    return request(method, url, body, (await session()).csrf);
  }
}

async function request(method, url, body, csrf) {
  const plain = typeof body === "string" || body instanceof Blob;
  const headers = { ...(body && !plain && { "Content-Type": "application/json" }), ...(csrf && { "X-CSRF-Token": csrf }) };
  const answer = await fetch(url, { method, headers, body: body && !plain ? JSON.stringify(body) : body }).catch(() => {
    throw new ApiError(0, OFFLINE);
  });
  return parseResponse(answer.status, await answer.text(), url);
}

function parseResponse(status, text, url) {
  let content = null;
  try {
    content = text ? JSON.parse(text) : null;
  } catch {
    throw new ApiError(status, UNEXPECTED);
  }
  if (status < 400) return content;
  if (status === 401 && url !== address("/session")) toLogin();
  throw new ApiError(status, content?.error ?? UNEXPECTED);
}

function toLogin() {
  location.assign(`/login?next=${encodeURIComponent(location.pathname + location.search + location.hash)}`);
}

// Send files; `sent(share)` is called with the progress, `stop()` of the result cancels.
export function upload(where, form, sent) {
  const sending = new XMLHttpRequest();
  const done = session().then(({ csrf }) => new Promise((resolve, reject) => {
    sending.upload.addEventListener("progress", ({ loaded, total }) => sent(total ? loaded / total : 0));
    sending.addEventListener("error", () => reject(new ApiError(0, OFFLINE)));
    sending.addEventListener("load", () => {
      try {
        resolve(parseResponse(sending.status, sending.responseText, address(where)));
      } catch (error) {
        reject(error);
      }
    });
    sending.open("POST", address(where));
    sending.setRequestHeader("X-CSRF-Token", csrf);
    sending.send(form);
  }));
  return { done, stop: () => sending.abort() };
}

// Wraps `read` so that only one call runs at a time, and once more if it was called meanwhile: a
// response on its way may be older than the notification that caused the call. Calls with the same
// `line` wait for each other. The promise resolves when the data is up to date.
export function oneAtATime(read, line = { last: Promise.resolve() }) {
  let going = null;
  let again = false;
  const go = async () => {
    try {
      while (again) {
        again = false;
        line.last = line.last.then(() => read(), () => read());
        await line.last;
      }
    } finally {
      going = null;
    }
  };
  return () => {
    again = true;
    going ??= go();
    return going;
  };
}

// Listen to notifications of the server; `handlers` has a function for each event name. A hidden page
// closes its connection, as browsers allow few of them, and gets `hello` when it is visible again.
//
// Browsers do not reopen a stream that the server refuses. The page then reads what it would read on
// `hello` (which leads to the sign-in page if that is missing) and tries again later: until a stream
// opens, it polls.
export function listen(parameters, handlers) {
  let stream = null;
  let timer = null;
  let refusals = 0;
  const close = () => {
    clearTimeout(timer);
    stream?.close();
    stream = null;
  };
  const open = () => {
    stream = new EventSource(address("/events", parameters));
    stream.addEventListener("open", () => (refusals = 0));
    const opened = stream;
    stream.addEventListener("error", () => {
      if (opened !== stream || opened.readyState !== EventSource.CLOSED) return;
      handlers.hello();
      timer = setTimeout(open, backOff(refusals++));
    });
    for (const [name, act] of Object.entries(handlers)) {
      stream.addEventListener(name, (event) => act(JSON.parse(event.data)));
    }
  };
  document.addEventListener("visibilitychange", () => {
    close();
    if (!document.hidden) open();
  });
  open();
}

// Milliseconds to wait before the next try, after a number of failures.
export function backOff(failures) {
  return Math.min(1000 * 2 ** failures, 30_000);
}
