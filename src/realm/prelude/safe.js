// Stand-ins for built-ins that would run the program's code. Whoever asks "primordials" for one of
// these names gets it from here: reflection goes through the intrinsics, which call no trap and no
// getter, and regular expressions are driven by the captured `exec` alone.
import {
  ArrayPrototypePush, MapPrototypeDelete, MapPrototypeGet, MapPrototypeGetSize, MapPrototypeHas,
  MapPrototypeSet, RegExpPrototypeExec, RegExpPrototypeGetGlobal, SetPrototypeAdd,
  SetPrototypeDelete, SetPrototypeGetSize, SetPrototypeHas, StringPrototypeCodePointAt,
  StringPrototypeIndexOf, StringPrototypeSlice,
} from "primordials";
import {
  descriptor, entries, get, hasOwn, instanceOf, isEnumerable, keys, prototype, regexpText,
} from "./native.js";

const STRINGS = 1;
const SYMBOLS = 2;
const ENUMERABLE = 16;

export const ObjectGetPrototypeOf = prototype;
export const ObjectGetOwnPropertyDescriptor = descriptor;
export const ObjectPrototypeHasOwnProperty = hasOwn;
export const ObjectPrototypePropertyIsEnumerable = isEnumerable;
export const RegExpPrototypeToString = regexpText;
export const ObjectKeys = (object) => keys(object, STRINGS | ENUMERABLE);
export const ObjectGetOwnPropertyNames = (object) => keys(object, STRINGS);
export const ObjectGetOwnPropertySymbols = (object) => keys(object, SYMBOLS);
export const ReflectOwnKeys = (object) => keys(object, STRINGS | SYMBOLS);
export const FunctionPrototypeSymbolHasInstance = (constructor, object) =>
  instanceOf(object, constructor);

export function ArrayPrototypePushApply(list, more) {
  for (let i = 0; i < more.length; i++) ArrayPrototypePush(list, more[i]);
}

// The engine's own versions of these ask the list's constructor what kind of list to make.

export function ArrayPrototypeMap(list, change) {
  const out = [];
  for (let i = 0; i < list.length; i++) ArrayPrototypePush(out, change(list[i], i));
  return out;
}

export function ArrayPrototypeFilter(list, keep) {
  const out = [];
  for (let i = 0; i < list.length; i++) if (keep(list[i])) ArrayPrototypePush(out, list[i]);
  return out;
}

/** From `from` up to `to`, or to the end; a negative `from` counts from the end. */
export function ArrayPrototypeSlice(list, from = 0, to = list.length) {
  const out = [];
  for (let i = from < 0 ? list.length + from : from; i < to; i++) ArrayPrototypePush(out, list[i]);
  return out;
}

/** Takes `count` out at `at` and puts `items` in. Gives nothing back. */
export function ArrayPrototypeSplice(list, at, count, ...items) {
  const tail = ArrayPrototypeSlice(list, at + count);
  list.length = at;
  ArrayPrototypePushApply(list, items);
  ArrayPrototypePushApply(list, tail);
}

/** The elements of an array or the characters of a text, each changed. */
export function ArrayFrom(list, change) {
  const out = [];
  for (let i = 0; i < list.length; i++) {
    let item = list[i];
    if (typeof list === "string" && StringPrototypeCodePointAt(list, i) > 0xffff) item += list[++i];
    ArrayPrototypePush(out, change(item));
  }
  return out;
}

const textOf = (value, fallback) => {
  if (value === undefined) return fallback;
  return typeof value === "object" || typeof value === "function" ? "[object]" : `${String(value)}`;
};

export const ErrorPrototypeToString = (error) => {
  const name = textOf(get(error, "name"), "Error");
  const message = textOf(get(error, "message"), "");
  if (name === "") return message;
  return message === "" ? name : `${name}: ${message}`;
};

/** String.prototype.replace for a pattern; `by` is a text without `$` or a function of the match. */
export function RegExpPrototypeSymbolReplace(pattern, text, by) {
  let out = "";
  let from = 0;
  pattern.lastIndex = 0;
  for (let match; (match = RegExpPrototypeExec(pattern, text)) !== null; ) {
    const found = match[0];
    out += StringPrototypeSlice(text, from, match.index);
    out += typeof by === "string" ? by : by(found);
    from = match.index + found.length;
    if (!RegExpPrototypeGetGlobal(pattern)) break;
    if (found === "") pattern.lastIndex++;
  }
  pattern.lastIndex = 0;
  return out + StringPrototypeSlice(text, from);
}

/** Splits after every line feed, which is the only pattern it is asked for. */
export function RegExpPrototypeSymbolSplit(pattern, text) {
  const lines = [];
  let from = 0;
  for (let at; (at = StringPrototypeIndexOf(text, "\n", from)) !== -1; from = at + 1) {
    ArrayPrototypePush(lines, StringPrototypeSlice(text, from, at + 1));
  }
  if (from < text.length) ArrayPrototypePush(lines, StringPrototypeSlice(text, from));
  return lines;
}

export function StringPrototypeSplit(text, separator, limit = Infinity) {
  const parts = [];
  let from = 0;
  for (let at; (at = StringPrototypeIndexOf(text, separator, from)) !== -1; ) {
    if (parts.length === limit) return parts;
    ArrayPrototypePush(parts, StringPrototypeSlice(text, from, at));
    from = at + separator.length;
  }
  if (parts.length < limit) ArrayPrototypePush(parts, StringPrototypeSlice(text, from));
  return parts;
}

export function StringPrototypeReplaceAll(text, separator, by) {
  let out = "";
  let from = 0;
  for (let at; (at = StringPrototypeIndexOf(text, separator, from)) !== -1; ) {
    out += StringPrototypeSlice(text, from, at) + by;
    from = at + separator.length;
  }
  return out + StringPrototypeSlice(text, from);
}

const PlainMap = Map;
const PlainSet = Set;

/** A map whose methods nobody can reach to replace them. */
export class SafeMap {
  #map = new PlainMap();
  get(key) { return MapPrototypeGet(this.#map, key); }
  set(key, value) { MapPrototypeSet(this.#map, key, value); return this; }
  has(key) { return MapPrototypeHas(this.#map, key); }
  delete(key) { return MapPrototypeDelete(this.#map, key); }
  get size() { return MapPrototypeGetSize(this.#map); }
  list() { return entries(this.#map, 4294967295)[0]; }
}

export class SafeSet {
  #set = new PlainSet();
  constructor(values = []) {
    for (let i = 0; i < values.length; i++) this.add(values[i]);
  }
  add(value) { SetPrototypeAdd(this.#set, value); return this; }
  has(value) { return SetPrototypeHas(this.#set, value); }
  delete(value) { return SetPrototypeDelete(this.#set, value); }
  get size() { return SetPrototypeGetSize(this.#set); }
  list() { return entries(this.#set, 4294967295)[0]; }
}
