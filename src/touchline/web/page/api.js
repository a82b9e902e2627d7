// The server's JSON API: requests, what they refuse, and what the server tells by itself.

const BASE = "/api/v1";

// What the server refused, or that it could not be reached: `code` is the API's word for it.
export class Refusal extends Error {
  constructor(status, error) {
    super(error.message);
    Object.assign(this, { status, code: error.code, details: error });
  }
}

const OFFLINE = { code: "offline", message: "The server cannot be reached." };
const STRANGE = { code: "internal", message: "The server answered in a way that the page does not know." };

// A path of the API from its parts, which may be anything that people type.
export function path(...parts) {
  return parts.map((part) => `/${encodeURIComponent(part)}`).join("");
}

export function address(where, parameters = {}) {
  const given = Object.entries(parameters).filter(([, value]) => value !== "" && value !== null && value !== undefined);
  return `${BASE}${where}${given.length ? `?${new URLSearchParams(given)}` : ""}`;
}

let known = null; // the session, asked for once

export function session() {
  known ??= get("/session").catch((error) => {
    known = null;
    throw error;
  });
  return known;
}

export function get(where, parameters) {
  return request("GET", address(where, parameters));
}

// `body` is an object, sent as JSON, or a text or file, sent as it is.
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

// The proof that a write comes from this page changes with sign-in: asked for again once.
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
    throw new Refusal(0, OFFLINE);
  });
  return understood(answer.status, await answer.text(), url);
}

function understood(status, text, url) {
  let said = null;
  try {
    said = text ? JSON.parse(text) : null;
  } catch {
    throw new Refusal(status, STRANGE);
  }
  if (status < 400) return said;
  if (status === 401 && url !== address("/session")) toLogin();
  throw new Refusal(status, said?.error ?? STRANGE);
}

function toLogin() {
  location.assign(`/login?next=${encodeURIComponent(location.pathname + location.search + location.hash)}`);
}

// Send files; `sent(share)` hears how much is on its way, `stop()` of the result ends it.
export function upload(where, form, sent) {
  const sending = new XMLHttpRequest();
  const done = session().then(({ csrf }) => new Promise((resolve, reject) => {
    sending.upload.addEventListener("progress", ({ loaded, total }) => sent(total ? loaded / total : 0));
    sending.addEventListener("error", () => reject(new Refusal(0, OFFLINE)));
    sending.addEventListener("load", () => {
      try {
        resolve(understood(sending.status, sending.responseText, address(where)));
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

// `read` so that one reading goes on at a time, and once more if it was asked for meanwhile: an
// answer on its way may be older than the news that came before it. Readings of the same `line` wait
// for each other. The promise is kept when what was asked for has been read.
export function oneByOne(read, line = { last: Promise.resolve() }) {
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

// Hear what happens on the server; `heard` has a function for each event's name. A page that nobody
// sees gives its connection back: browsers have few of them. On coming back it hears `hello`.
//
// A stream that the server refuses is not opened again by the browser. The page reads then what it
// would have read on `hello`, which sends it to the sign-in page if that is what is missing, and
// tries again later: until a stream opens, it polls.
export function listen(parameters, heard) {
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
    stream.addEventListener("error", ({ target }) => {
      if (target !== stream || target.readyState !== EventSource.CLOSED) return;
      heard.hello();
      timer = setTimeout(open, backOff(refusals++));
    });
    for (const [name, act] of Object.entries(heard)) {
      stream.addEventListener(name, (event) => act(JSON.parse(event.data)));
    }
  };
  document.addEventListener("visibilitychange", () => {
    close();
    if (!document.hidden) open();
  });
  open();
}

// Milliseconds to wait before another try, after so many that failed.
export function backOff(failures) {
  return Math.min(1000 * 2 ** failures, 30_000);
}
