// URL (URL Standard, section 6.1). Parsing is whatwg-url's state machine; the class is ours.
import {
  ObjectDefineProperties, StringPrototypeSlice, SymbolToStringTag, TypeError,
} from "primordials";
import { toWellFormedText } from "./convert.js";
import { codedError, invalidThis, missingArguments } from "./errors.js";
import { showInstances } from "./own_inspectors.js";
import { uncurry } from "./native.js";
import { serializeForm } from "./percent.js";
import { attach, listOf, replaceList, URLSearchParams } from "./url_search_params.js";
import {
  basicURLParse, cannotHaveAUsernamePasswordPort, hasAnOpaquePath, serializeHost, serializePath,
  serializeURL, serializeURLOrigin, setThePassword, setTheUsername,
} from "url-state-machine";

// The record of a URL, or null: what it or its base is, is no URL.
function parse(input, base) {
  let baseRecord = null;
  if (base !== undefined) {
    baseRecord = basicURLParse(base);
    if (baseRecord === null) return null;
  }
  return basicURLParse(input, { __proto__: null, baseURL: baseRecord });
}

const state = (url, value, stateOverride) =>
  basicURLParse(value, { __proto__: null, url, stateOverride });

let factsOf;

export class URL {
  #url;
  #params;

  constructor(input, base = undefined) {
    if (arguments.length === 0) throw missingArguments("url");
    input = toWellFormedText(input);
    if (base !== undefined) base = toWellFormedText(base);
    this.#url = parse(input, base);
    if (this.#url === null) {
      const more = base === undefined ? { input } : { input, base };
      throw codedError(TypeError, "ERR_INVALID_URL", "Invalid URL", more);
    }
  }

  static canParse(input, base = undefined) {
    if (arguments.length === 0) throw missingArguments("url");
    input = toWellFormedText(input);
    return parse(input, base === undefined ? undefined : toWellFormedText(base)) !== null;
  }

  static parse(input, base = undefined) {
    if (arguments.length === 0) throw missingArguments("url");
    return URL.canParse(input, base) ? new URL(input, base) : null;
  }

  static #of(self) {
    if (typeof self !== "object" || self === null || !(#url in self)) throw invalidThis("URL");
    return self.#url;
  }

  static { factsOf = (value) => (#url in value ? URL.#facts(value) : undefined); }

  static #facts(url) {
    const get = (name) => accessors[name](url);
    return {
      href: get("href"), origin: get("origin"), protocol: get("protocol"),
      username: get("username"), password: get("password"), host: get("host"),
      hostname: get("hostname"), port: get("port"), pathname: get("pathname"),
      search: get("search"), searchParams: get("searchParams"), hash: get("hash"),
    };
  }

  // The query of the record was set without going through searchParams.
  #refreshParams() {
    if (this.#params !== undefined) replaceList(this.#params, this.#url.query ?? "");
  }

  toString() { return serializeURL(URL.#of(this)); }

  get href() { return serializeURL(URL.#of(this)); }
  set href(value) {
    URL.#of(this);
    value = toWellFormedText(value);
    const record = basicURLParse(value);
    if (record === null) {
      throw codedError(TypeError, "ERR_INVALID_URL", "Invalid URL", { input: value });
    }
    this.#url = record;
    this.#refreshParams();
  }

  get origin() { return serializeURLOrigin(URL.#of(this)); }

  get protocol() { return `${URL.#of(this).scheme}:`; }
  set protocol(value) { state(URL.#of(this), `${toWellFormedText(value)}:`, "scheme start"); }

  get username() { return URL.#of(this).username; }
  set username(value) {
    const url = URL.#of(this);
    value = toWellFormedText(value);
    if (!cannotHaveAUsernamePasswordPort(url)) setTheUsername(url, value);
  }

  get password() { return URL.#of(this).password; }
  set password(value) {
    const url = URL.#of(this);
    value = toWellFormedText(value);
    if (!cannotHaveAUsernamePasswordPort(url)) setThePassword(url, value);
  }

  get host() {
    const url = URL.#of(this);
    if (url.host === null) return "";
    return serializeHost(url.host) + (url.port === null ? "" : `:${url.port}`);
  }
  set host(value) {
    const url = URL.#of(this);
    value = toWellFormedText(value);
    if (!hasAnOpaquePath(url)) state(url, value, "host");
  }

  get hostname() {
    const url = URL.#of(this);
    return url.host === null ? "" : serializeHost(url.host);
  }
  set hostname(value) {
    const url = URL.#of(this);
    value = toWellFormedText(value);
    if (!hasAnOpaquePath(url)) state(url, value, "hostname");
  }

  get port() {
    const url = URL.#of(this);
    return url.port === null ? "" : `${url.port}`;
  }
  set port(value) {
    const url = URL.#of(this);
    value = toWellFormedText(value);
    if (cannotHaveAUsernamePasswordPort(url)) return;
    if (value === "") url.port = null;
    else state(url, value, "port");
  }

  get pathname() { return serializePath(URL.#of(this)); }
  set pathname(value) {
    const url = URL.#of(this);
    value = toWellFormedText(value);
    if (hasAnOpaquePath(url)) return;
    url.path = [];
    state(url, value, "path start");
  }

  get search() {
    const { query } = URL.#of(this);
    return query === null || query === "" ? "" : `?${query}`;
  }
  set search(value) {
    const url = URL.#of(this);
    value = toWellFormedText(value);
    url.query = value === "" ? null : "";
    if (value !== "") {
      state(url, value[0] === "?" ? StringPrototypeSlice(value, 1) : value, "query");
    }
    this.#refreshParams();
  }

  get searchParams() {
    URL.#of(this);
    if (this.#params === undefined) {
      this.#params = new URLSearchParams();
      this.#refreshParams();
      attach(this.#params, () => {
        const query = paramsText(this.#params);
        this.#url.query = query === "" ? null : query;
      });
    }
    return this.#params;
  }

  get hash() {
    const { fragment } = URL.#of(this);
    return fragment === null || fragment === "" ? "" : `#${fragment}`;
  }
  set hash(value) {
    const url = URL.#of(this);
    value = toWellFormedText(value);
    url.fragment = value === "" ? null : "";
    if (value !== "") {
      state(url, value[0] === "#" ? StringPrototypeSlice(value, 1) : value, "fragment");
    }
  }

  toJSON() { return serializeURL(URL.#of(this)); }
}

const paramsText = (params) => serializeForm(listOf(params));

const visible = { __proto__: null, enumerable: true };

ObjectDefineProperties(URL.prototype, {
  toString: visible, href: visible, origin: visible, protocol: visible, username: visible,
  password: visible, host: visible, hostname: visible, port: visible, pathname: visible,
  search: visible, searchParams: visible, hash: visible, toJSON: visible,
  [SymbolToStringTag]: { __proto__: null, configurable: true, value: "URL" },
});
ObjectDefineProperties(URL, { canParse: visible, parse: visible });

// The getters as they are now, whatever a program makes of the prototype later.
const accessors = { __proto__: null };
for (const name of ["href", "origin", "protocol", "username", "password", "host", "hostname",
  "port", "pathname", "search", "searchParams", "hash"]) {
  accessors[name] = uncurry(Object.getOwnPropertyDescriptor(URL.prototype, name).get);
}
showInstances(URL.prototype, { facts: factsOf, whole: true, keepDepth: true });

export { factsOf as urlParts };
