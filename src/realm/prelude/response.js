// Response (Fetch Standard, section 5.5).
import {
  ArrayPrototypePush, JSONStringify, RangeError, SafeSet, StringPrototypeCharCodeAt, TypeError,
} from "primordials";
import { encode } from "./native.js";
import { toWellFormedText } from "./convert.js";
import { bodyMembers, copyBody, newBody, takeBody } from "./body.js";
import { Headers, headersList, lockHeaders, setType, typeIn } from "./headers.js";
import { showInstances } from "./own_inspectors.js";
import { URL, urlParts } from "./url.js";
import { expose, illegal, mixIn, need, toByteString } from "./web_parts.js";

const bodiless = new SafeSet([101, 103, 204, 205, 304]);
const moved = new SafeSet([301, 302, 303, 307, 308]);
const blank = { __proto__: null, type: "default", url: "", status: 200, statusText: "" };

function statusFor(value) {
  if (value === undefined) return 200;
  const status = value & 0xffff;
  if (status < 200 || status > 599) {
    throw new RangeError('init["status"] must be in the range of 200 to 599, inclusive.');
  }
  return status;
}

function reasonFor(value) {
  const text = value === undefined ? "" : toByteString(value);
  for (let i = 0; i < text.length; i++) {
    const code = StringPrototypeCharCodeAt(text, i);
    if ((code < 0x20 && code !== 9) || code === 0x7f) throw new TypeError("Invalid statusText");
  }
  return text;
}

let partsOf;
let give;

export class Response {
  #parts;

  static {
    partsOf = (response) => {
      if (typeof response !== "object" || response === null || !(#parts in response)) {
        throw illegal();
      }
      return response.#parts;
    };
    give = (parts) => {
      const response = new Response();
      response.#parts = { __proto__: null, ...blank, redirected: false, ...parts };
      return response;
    };
  }

  constructor(body = null, init = undefined) {
    init ??= {};
    this.#parts = {
      __proto__: null, ...blank, redirected: false, status: statusFor(init.status),
      statusText: reasonFor(init.statusText), headers: new Headers(init.headers),
    };
    const { bytes, type } = takeBody(body);
    this.#parts.body = newBody(bytes);
    if (bytes !== null && bodiless.has(this.#parts.status)) {
      throw new TypeError(
        `Response constructor: Invalid response status code ${this.#parts.status}`);
    }
    if (type !== null) setType(this.#parts.headers, type);
  }

  static error() {
    const headers = new Headers();
    lockHeaders(headers);
    return give({ type: "error", status: 0, headers, body: newBody(null) });
  }

  static json(data, init = undefined) {
    need("Response.json", arguments.length, 1);
    const text = JSONStringify(data);
    if (text === undefined) throw new TypeError("Value is not JSON serializable");
    const response = new Response(null, init);
    response.#parts.body = newBody(encode(text));
    if (bodiless.has(response.#parts.status)) {
      throw new TypeError(
        `Response constructor: Invalid response status code ${response.#parts.status}`);
    }
    setType(response.#parts.headers, "application/json");
    return response;
  }

  static redirect(url, status = 302) {
    need("Response.redirect", arguments.length, 1);
    const text = toWellFormedText(url);
    let location;
    try {
      location = urlParts(new URL(text)).href;
    } catch (cause) {
      throw new TypeError(`Failed to parse URL from ${text}`, { cause });
    }
    status &= 0xffff;
    if (!moved.has(status)) throw new RangeError(`Invalid status code ${status}`);
    const headers = new Headers();
    ArrayPrototypePush(headersList(headers), ["location", location, "location"]);
    lockHeaders(headers);
    return give({ status, headers, body: newBody(null) });
  }

  get type() { return partsOf(this).type; }
  get url() { return partsOf(this).url; }
  get redirected() { return partsOf(this).redirected; }
  get status() { return partsOf(this).status; }
  get ok() { return isOk(partsOf(this)); }
  get statusText() { return partsOf(this).statusText; }
  get headers() { return partsOf(this).headers; }

  clone() {
    const parts = partsOf(this);
    return give({
      ...parts, headers: new Headers(parts.headers),
      body: copyBody(parts.body, "Response.clone: Body has already been consumed."),
    });
  }
}

const isOk = (parts) => parts.status >= 200 && parts.status <= 299;

expose(Response, "Response",
  ["type", "url", "redirected", "status", "ok", "statusText", "headers", "clone"]);
for (const name of ["error", "json", "redirect"]) {
  Object.defineProperty(Response, name, { enumerable: true });
}
mixIn(Response, bodyMembers((self) => partsOf(self).body, (self) => typeIn(partsOf(self).headers)));
showInstances(Response.prototype, {
  facts(response) {
    const parts = partsOf(response);
    return {
      status: parts.status, statusText: parts.statusText, headers: parts.headers,
      body: parts.body.bytes, bodyUsed: parts.body.used, ok: isOk(parts),
      redirected: parts.redirected, type: parts.type, url: parts.url,
    };
  },
  keepDepth: true,
});

export { bodiless, give as giveResponse };
