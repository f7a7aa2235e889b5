// Headers (Fetch Standard, section 5.1), as Node applies them: no name is forbidden to a program
// here; which ones the host sets itself is the host's to say.
import {
  ArrayPrototypePush, ArrayPrototypeSort, ArrayPrototypeSplice, ObjectGetOwnPropertyDescriptor,
  ReflectOwnKeys, StringPrototypeIncludes, StringPrototypeToLowerCase, SymbolIterator, TypeError,
} from "primordials";
import { showInstances } from "./own_inspectors.js";
import { expose, illegal, isOf, iterable, need, toByteString, trimmed } from "./web_parts.js";

const token = "!#$%&'*+-.^_`|~0123456789" +
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Is it a name of a header, or of a method? */
export const isToken = (text) => isOf(token, text);

function nameFor(where, value) {
  const name = toByteString(value);
  if (!isToken(name)) throw new TypeError(`Headers.${where}: "${name}" is an invalid header name.`);
  return name;
}

function valueFor(where, given) {
  const value = trimmed(" \t\r\n", toByteString(given));
  if (StringPrototypeIncludes(value, "\n") || StringPrototypeIncludes(value, "\r") ||
      StringPrototypeIncludes(value, "\0")) {
    throw new TypeError(`Headers.${where}: "${value}" is an invalid header value.`);
  }
  return value;
}

let listOf;
let lock;

export class Headers {
  #list = []; // [name in small letters, value, name as it was first written]
  #locked = false;

  static {
    listOf = (self) => {
      if (typeof self !== "object" || self === null || !(#list in self)) throw illegal();
      return self.#list;
    };
    lock = (self) => { self.#locked = true; };
  }

  constructor(init = undefined) {
    if (init === undefined) return;
    if (init === null || (typeof init !== "object" && typeof init !== "function")) {
      throw new TypeError("Headers constructor: Argument 1 could not be converted to one of: " +
        "sequence<sequence<ByteString>>, record<ByteString, ByteString>.");
    }
    if (typeof init[SymbolIterator] !== "function") {
      const names = ReflectOwnKeys(init);
      for (let i = 0; i < names.length; i++) {
        if (ObjectGetOwnPropertyDescriptor(init, names[i])?.enumerable) {
          this.#append(toByteString(names[i]), init[names[i]]);
        }
      }
      return;
    }
    let at = 0;
    for (const pair of init) {
      if (typeof pair?.[SymbolIterator] !== "function") {
        throw new TypeError(`Headers contructor: init[${at}] (${String(pair)}) is not iterable.`);
      }
      const parts = [];
      for (const part of pair) ArrayPrototypePush(parts, part);
      if (parts.length !== 2) {
        throw new TypeError("Headers constructor: expected name/value pair to be length 2, " +
          `found ${parts.length}.`);
      }
      this.#append(parts[0], parts[1]);
      at++;
    }
  }

  #find(key) {
    for (let i = 0; i < this.#list.length; i++) if (this.#list[i][0] === key) return i;
    return -1;
  }

  #change() {
    if (this.#locked) throw new TypeError("immutable");
  }

  #append(name, value) {
    name = nameFor("append", name);
    value = valueFor("append", value);
    this.#change();
    const key = StringPrototypeToLowerCase(name);
    const at = key === "set-cookie" ? -1 : this.#find(key);
    if (at < 0) ArrayPrototypePush(this.#list, [key, value, name]);
    else this.#list[at][1] += (key === "cookie" ? "; " : ", ") + value;
  }

  append(name, value) {
    listOf(this);
    need("Headers.append", arguments.length, 2);
    this.#append(name, value);
  }

  delete(name) {
    listOf(this);
    need("Headers.delete", arguments.length, 1);
    const key = StringPrototypeToLowerCase(nameFor("delete", name));
    this.#change();
    for (let at; (at = this.#find(key)) >= 0; ) ArrayPrototypeSplice(this.#list, at, 1);
  }

  get(name) {
    listOf(this);
    need("Headers.get", arguments.length, 1);
    const key = StringPrototypeToLowerCase(nameFor("get", name));
    let all = null;
    for (let i = 0; i < this.#list.length; i++) {
      if (this.#list[i][0] === key) all = (all === null ? "" : `${all}, `) + this.#list[i][1];
    }
    return all;
  }

  has(name) {
    listOf(this);
    need("Headers.has", arguments.length, 1);
    return this.#find(StringPrototypeToLowerCase(nameFor("has", name))) >= 0;
  }

  set(name, value) {
    listOf(this);
    need("Headers.set", arguments.length, 2);
    name = nameFor("set", name);
    value = valueFor("set", value);
    this.#change();
    const key = StringPrototypeToLowerCase(name);
    const at = this.#find(key);
    if (at < 0) {
      ArrayPrototypePush(this.#list, [key, value, name]);
      return;
    }
    this.#list[at] = [key, value, name];
    for (let i = this.#list.length - 1; i > at; i--) {
      if (this.#list[i][0] === key) ArrayPrototypeSplice(this.#list, i, 1);
    }
  }

  getSetCookie() {
    const list = listOf(this);
    const cookies = [];
    for (let i = 0; i < list.length; i++) {
      if (list[i][0] === "set-cookie") ArrayPrototypePush(cookies, list[i][1]);
    }
    return cookies;
  }
}

// Sorted by name; equal names (of cookies) as they came.
function sorted(self) {
  const list = listOf(self);
  const pairs = [];
  for (let i = 0; i < list.length; i++) ArrayPrototypePush(pairs, list[i]);
  ArrayPrototypeSort(pairs, (a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0));
  return pairs;
}

expose(Headers, "Headers", ["append", "delete", "get", "has", "set", "getSetCookie"]);
iterable(Headers, "Headers", sorted);
showInstances(Headers.prototype, {
  facts(headers) {
    const list = listOf(headers);
    const shown = {};
    for (let i = 0; i < list.length; i++) shown[list[i][2]] = list[i][1];
    return shown;
  },
  keepDepth: true,
});

/** Its content type, or null. */
export const typeIn = (headers) => {
  const list = listOf(headers);
  for (let i = 0; i < list.length; i++) if (list[i][0] === "content-type") return list[i][1];
  return null;
};

/** A content type where none is set. */
export const setType = (headers, type) => {
  if (typeIn(headers) === null) {
    ArrayPrototypePush(listOf(headers), ["content-type", type, "content-type"]);
  }
};

export { listOf as headersList, lock as lockHeaders };
