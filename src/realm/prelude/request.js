// Request (Fetch Standard, section 5.4).
import { SafeSet, StringPrototypeToUpperCase, TypeError } from "primordials";
import { toText, toWellFormedText } from "./convert.js";
import { AbortSignal, isSignal } from "./abort.js";
import { bodyMembers, copyBody, newBody, takeBody, useBody } from "./body.js";
import { Headers, isToken, setType, typeIn } from "./headers.js";
import { showInstances } from "./own_inspectors.js";
import { URL, urlParts } from "./url.js";
import { expose, illegal, mixIn, need } from "./web_parts.js";

const usual = new SafeSet(["DELETE", "GET", "HEAD", "OPTIONS", "POST", "PUT"]);
const never = new SafeSet(["CONNECT", "TRACE", "TRACK"]);
const modes = new SafeSet(["follow", "manual", "error"]);
const anySignal = AbortSignal.any;

// What a server need not know: kept, and told when asked.
const kept = {
  __proto__: null, destination: "", referrer: "about:client", referrerPolicy: "", mode: "cors",
  credentials: "same-origin", cache: "default", integrity: "", keepalive: false,
  isReloadNavigation: false, isHistoryNavigation: false,
};

function methodFor(value) {
  const method = toText(value);
  const upper = StringPrototypeToUpperCase(method);
  if (!isToken(method)) throw new TypeError(`'${method}' is not a valid HTTP method.`);
  if (never.has(upper)) throw new TypeError(`'${method}' HTTP method is unsupported.`);
  return usual.has(upper) ? upper : method;
}

function parseURL(input) {
  const text = toWellFormedText(input);
  let url;
  try {
    url = urlParts(new URL(text));
  } catch (cause) {
    throw new TypeError(`Failed to parse URL from ${text}`, { cause });
  }
  if (url.username !== "" || url.password !== "") {
    throw new TypeError(
      `Request cannot be constructed from a URL that includes credentials: ${text}`);
  }
  return url.href;
}

let partsOf;

export class Request {
  #parts;

  static {
    partsOf = (request) => {
      if (typeof request !== "object" || request === null || !(#parts in request)) throw illegal();
      return request.#parts;
    };
  }

  constructor(input, init = undefined) {
    need("Request constructor", arguments.length, 1);
    const from = typeof input === "object" && input !== null && #parts in input
      ? input.#parts : undefined;
    const parts = {
      __proto__: null, ...kept, method: "GET", redirect: "follow", ...from,
      url: from === undefined ? parseURL(input) : from.url,
    };
    this.#parts = parts;
    init ??= {};
    if (init.redirect !== undefined) {
      parts.redirect = toText(init.redirect);
      if (!modes.has(parts.redirect)) {
        throw new TypeError(`Request constructor: ${parts.redirect} is not an accepted type. ` +
          "Expected one of follow, manual, error.");
      }
    }
    for (const name in kept) if (init[name] !== undefined) parts[name] = init[name];
    if (init.method !== undefined) parts.method = methodFor(init.method);
    const signal = init.signal === undefined ? from?.signal : init.signal;
    if (signal !== undefined && signal !== null && !isSignal(signal)) {
      throw new TypeError(
        "Failed to construct 'Request': member signal is not of type AbortSignal.");
    }
    parts.signal = anySignal(signal ? [signal] : []);
    this.#takeBody(parts, init, from);
  }

  #takeBody(parts, init, from) {
    const headers = init.headers !== undefined ? init.headers : from?.headers;
    parts.headers = new Headers(headers);
    const given = init.body !== undefined && init.body !== null;
    if ((given || (from !== undefined && from.body.bytes !== null)) &&
        (parts.method === "GET" || parts.method === "HEAD")) {
      throw new TypeError("Request with GET/HEAD method cannot have body.");
    }
    if (!given && from !== undefined) {
      parts.body = newBody(useBody(from.body,
        "Cannot construct a Request with a Request object that has already been used."));
      return;
    }
    const { bytes, type } = takeBody(init.body);
    parts.body = newBody(bytes);
    if (type !== null) setType(parts.headers, type);
  }

  get method() { return partsOf(this).method; }
  get url() { return partsOf(this).url; }
  get headers() { return partsOf(this).headers; }
  get redirect() { return partsOf(this).redirect; }
  get signal() { return partsOf(this).signal; }
  get duplex() { partsOf(this); return "half"; }

  clone() {
    const parts = partsOf(this);
    const body = copyBody(parts.body, "unusable");
    const copy = new Request(parts.url, { signal: parts.signal });
    copy.#parts = {
      ...parts, __proto__: null, body, headers: new Headers(parts.headers),
      signal: copy.#parts.signal,
    };
    return copy;
  }
}

for (const name in kept) {
  mixIn(Request, { get [name]() { return partsOf(this)[name]; } });
}
const typeOf = (request) => typeIn(partsOf(request).headers);

expose(Request, "Request", ["method", "url", "headers", "redirect", "signal", "duplex", "clone"]);
mixIn(Request, bodyMembers((self) => partsOf(self).body, typeOf));
showInstances(Request.prototype, {
  facts(request) {
    const { method, url, headers, signal, redirect, integrity, keepalive, ...more } =
      partsOf(request);
    return {
      method, url, headers, destination: more.destination, referrer: more.referrer,
      referrerPolicy: more.referrerPolicy, mode: more.mode, credentials: more.credentials,
      cache: more.cache, redirect, integrity, keepalive,
      isReloadNavigation: more.isReloadNavigation,
      isHistoryNavigation: more.isHistoryNavigation, signal,
    };
  },
  keepDepth: true,
});

export { partsOf as requestParts };
