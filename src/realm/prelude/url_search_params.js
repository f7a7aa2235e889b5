// URLSearchParams (URL Standard, section 5.2).
import {
  ArrayPrototypeJoin, ArrayPrototypePush, ArrayPrototypeSlice, ArrayPrototypeSort,
  ArrayPrototypeSplice, IteratorPrototype, ObjectDefineProperties, ObjectGetOwnPropertyDescriptor,
  ObjectSetPrototypeOf, ReflectApply, ReflectOwnKeys, StringPrototypeSlice, SymbolIterator,
  SymbolToStringTag, TypeError,
} from "primordials";
import { inspect } from "node-inspect";
import { showInstances } from "./own_inspectors.js";
import { toWellFormedText } from "./convert.js";
import { codedError, invalidThis, missingArguments } from "./errors.js";
import { parseForm, serializeForm } from "./percent.js";

const notPair = () => codedError(TypeError, "ERR_INVALID_TUPLE",
  "Each query pair must be an iterable [name, value] tuple");

let listOf;
let isParams;
let attach;
let replaceList;

export class URLSearchParams {
  #list = []; // name, value, name, value, ...
  #changed; // told when the list changed: the URL it belongs to

  static {
    isParams = (value) => typeof value === "object" && value !== null && #list in value;
    listOf = (params) => params.#list;
    attach = (params, changed) => { params.#changed = changed; };
    replaceList = (params, query) => { params.#list = parseForm(query); };
  }

  constructor(init = undefined) {
    if (init === undefined || init === null) return;
    if (typeof init !== "object" && typeof init !== "function") {
      const query = toWellFormedText(init);
      this.#list = parseForm(query[0] === "?" ? StringPrototypeSlice(query, 1) : query);
      return;
    }
    const iterator = init[SymbolIterator];
    if (isParams(init) && iterator === URLSearchParams.prototype.entries) {
      this.#list = ArrayPrototypeSlice(listOf(init));
    } else if (iterator !== undefined && iterator !== null) {
      if (typeof iterator !== "function") {
        throw codedError(TypeError, "ERR_ARG_NOT_ITERABLE", "Query pairs must be iterable");
      }
      for (const pair of init) this.#appendPair(pair);
    } else {
      this.#appendRecord(init);
    }
  }

  #appendPair(pair) {
    if (pair === null || (typeof pair !== "object" && typeof pair !== "function") ||
        typeof pair[SymbolIterator] !== "function") {
      throw notPair();
    }
    const before = this.#list.length;
    for (const part of pair) ArrayPrototypePush(this.#list, toWellFormedText(part));
    if (this.#list.length !== before + 2) throw notPair();
  }

  // A later name that becomes the same text as an earlier one takes its place.
  #appendRecord(record) {
    const names = ReflectOwnKeys(record);
    for (let i = 0; i < names.length; i++) {
      const found = ObjectGetOwnPropertyDescriptor(record, names[i]);
      if (found === undefined || !found.enumerable) continue;
      const name = toWellFormedText(names[i]);
      const value = toWellFormedText(record[names[i]]);
      let at = 0;
      while (at < this.#list.length && this.#list[at] !== name) at += 2;
      this.#list[at] = name;
      this.#list[at + 1] = value;
    }
  }

  get size() {
    if (!isParams(this)) throw invalidThis("URLSearchParams");
    return this.#list.length / 2;
  }

  append(name, value) {
    if (!isParams(this)) throw invalidThis("URLSearchParams");
    if (arguments.length < 2) throw missingArguments("name", "value");
    name = toWellFormedText(name);
    value = toWellFormedText(value);
    ArrayPrototypePush(this.#list, name);
    ArrayPrototypePush(this.#list, value);
    this.#changed?.();
  }

  delete(name, value = undefined) {
    if (!isParams(this)) throw invalidThis("URLSearchParams");
    if (arguments.length < 1) throw missingArguments("name");
    name = toWellFormedText(name);
    if (value !== undefined) value = toWellFormedText(value);
    for (let i = 0; i < this.#list.length; ) {
      const same = this.#list[i] === name && (value === undefined || this.#list[i + 1] === value);
      if (same) ArrayPrototypeSplice(this.#list, i, 2);
      else i += 2;
    }
    this.#changed?.();
  }

  get(name) {
    if (!isParams(this)) throw invalidThis("URLSearchParams");
    if (arguments.length < 1) throw missingArguments("name");
    name = toWellFormedText(name);
    for (let i = 0; i < this.#list.length; i += 2) {
      if (this.#list[i] === name) return this.#list[i + 1];
    }
    return null;
  }

  getAll(name) {
    if (!isParams(this)) throw invalidThis("URLSearchParams");
    if (arguments.length < 1) throw missingArguments("name");
    name = toWellFormedText(name);
    const values = [];
    for (let i = 0; i < this.#list.length; i += 2) {
      if (this.#list[i] === name) ArrayPrototypePush(values, this.#list[i + 1]);
    }
    return values;
  }

  has(name, value = undefined) {
    if (!isParams(this)) throw invalidThis("URLSearchParams");
    if (arguments.length < 1) throw missingArguments("name");
    name = toWellFormedText(name);
    if (value !== undefined) value = toWellFormedText(value);
    for (let i = 0; i < this.#list.length; i += 2) {
      const same = this.#list[i] === name && (value === undefined || this.#list[i + 1] === value);
      if (same) return true;
    }
    return false;
  }

  set(name, value) {
    if (!isParams(this)) throw invalidThis("URLSearchParams");
    if (arguments.length < 2) throw missingArguments("name", "value");
    name = toWellFormedText(name);
    value = toWellFormedText(value);
    let found = false;
    for (let i = 0; i < this.#list.length; ) {
      if (this.#list[i] !== name) {
        i += 2;
      } else if (found) {
        ArrayPrototypeSplice(this.#list, i, 2);
      } else {
        found = true;
        this.#list[i + 1] = value;
        i += 2;
      }
    }
    if (!found) {
      ArrayPrototypePush(this.#list, name);
      ArrayPrototypePush(this.#list, value);
    }
    this.#changed?.();
  }

  // By name, in code units; equal names keep their order.
  sort() {
    if (!isParams(this)) throw invalidThis("URLSearchParams");
    const pairs = [];
    for (let i = 0; i < this.#list.length; i += 2) {
      ArrayPrototypePush(pairs, { __proto__: null, name: this.#list[i], value: this.#list[i + 1] });
    }
    ArrayPrototypeSort(pairs, (a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    for (let i = 0; i < pairs.length; i++) {
      this.#list[i * 2] = pairs[i].name;
      this.#list[i * 2 + 1] = pairs[i].value;
    }
    this.#changed?.();
  }

  entries() {
    if (!isParams(this)) throw invalidThis("URLSearchParams");
    return new ParamsIterator(this, "entry");
  }

  forEach(callback, thisArg = undefined) {
    if (!isParams(this)) throw invalidThis("URLSearchParams");
    if (typeof callback !== "function") {
      throw codedError(TypeError, "ERR_INVALID_ARG_TYPE",
        'The "callback" argument must be of type function.');
    }
    for (let i = 0; i < this.#list.length; i += 2) {
      ReflectApply(callback, thisArg, [this.#list[i + 1], this.#list[i], this]);
    }
  }

  keys() {
    if (!isParams(this)) throw invalidThis("URLSearchParams");
    return new ParamsIterator(this, "key");
  }

  values() {
    if (!isParams(this)) throw invalidThis("URLSearchParams");
    return new ParamsIterator(this, "value");
  }

  toString() {
    if (!isParams(this)) throw invalidThis("URLSearchParams");
    return serializeForm(this.#list);
  }
}

class ParamsIterator {
  #params;
  #kind;
  #at = 0;

  constructor(params, kind) {
    this.#params = params;
    this.#kind = kind;
  }

  next() {
    if (typeof this !== "object" || this === null || !(#params in this)) {
      throw invalidThis("URLSearchParamsIterator");
    }
    const list = listOf(this.#params);
    const at = this.#at;
    if (at >= list.length) return { value: undefined, done: true };
    this.#at += 2;
    const { 0: name, 1: value } = [list[at], list[at + 1]];
    const kind = this.#kind;
    return { value: kind === "key" ? name : kind === "value" ? value : [name, value], done: false };
  }
}

const visible = { __proto__: null, enumerable: true };

delete ParamsIterator.prototype.constructor;
ObjectSetPrototypeOf(ParamsIterator.prototype, IteratorPrototype);
ObjectDefineProperties(ParamsIterator.prototype, {
  next: visible,
  [SymbolToStringTag]: { __proto__: null, configurable: true, value: "URLSearchParams Iterator" },
});

ObjectDefineProperties(URLSearchParams.prototype, {
  append: visible, delete: visible, get: visible, getAll: visible, has: visible, set: visible,
  size: visible, sort: visible, entries: visible, forEach: visible, keys: visible,
  values: visible, toString: visible,
  [SymbolToStringTag]: { __proto__: null, configurable: true, value: "URLSearchParams" },
  [SymbolIterator]: {
    __proto__: null, configurable: true, writable: true, value: URLSearchParams.prototype.entries,
  },
});

// A query shown as `{ 'name' => 'value', ... }`, broken into lines as Node breaks it.
showInstances(URLSearchParams.prototype, {
  facts(params) {
    if (!isParams(params)) return undefined;
    const list = listOf(params);
    const parts = [];
    let length = -2;
    for (let i = 0; i < list.length; i += 2) {
      const part = `${inspect(list[i])} => ${inspect(list[i + 1])}`;
      ArrayPrototypePush(parts, part);
      length += part.length + 2;
    }
    if (parts.length === 0) return "{}";
    if (length > 80) return `{\n  ${ArrayPrototypeJoin(parts, ",\n  ")} }`;
    return `{ ${ArrayPrototypeJoin(parts, ", ")} }`;
  },
  deep: "[Object]",
});

export { attach, isParams, listOf, replaceList };
