// What the classes around fetch share: their errors, their members, their lists.
import {
  IteratorPrototype, ObjectDefineProperties, ObjectGetOwnPropertyDescriptors, ObjectSetPrototypeOf,
  ReflectApply, StringPrototypeCharCodeAt, StringPrototypeIncludes, StringPrototypeSlice,
  SymbolIterator, SymbolToStringTag, TypeError,
} from "primordials";
import { toText } from "./convert.js";
import { codedError } from "./errors.js";

export const illegal = () => codedError(TypeError, "ERR_INVALID_THIS", "Illegal invocation");

/** Fewer arguments than `least` are an error. */
export function need(where, count, least) {
  if (count >= least) return;
  throw new TypeError(`${where}: ${least} argument${least === 1 ? "" : "s"} required, but${
    count > 0 ? " only" : ""} ${count} found.`);
}

/** These members are listed, and the class has its name. */
export function expose(Class, name, members) {
  const listed = { __proto__: null };
  for (let i = 0; i < members.length; i++) listed[members[i]] = { __proto__: null, enumerable: true };
  listed[SymbolToStringTag] = { __proto__: null, configurable: true, value: name };
  ObjectDefineProperties(Class.prototype, listed);
}

/** The members of `more` become the class's own. */
export const mixIn = (Class, more) =>
  ObjectDefineProperties(Class.prototype, ObjectGetOwnPropertyDescriptors(more));

/** Makes a list of pairs iterable: keys, values, entries, forEach, and the class itself. */
export function iterable(Class, name, pairsOf) {
  class ListIterator {
    #pairs;
    #pick;
    #at = 0;

    constructor(pairs, pick) {
      this.#pairs = pairs;
      this.#pick = pick;
    }

    next() {
      if (typeof this !== "object" || this === null || !(#at in this)) throw illegal();
      const pairs = this.#pairs();
      if (this.#at >= pairs.length) return { value: undefined, done: true };
      const pair = pairs[this.#at++];
      return { value: this.#pick < 2 ? pair[this.#pick] : [pair[0], pair[1]], done: false };
    }
  }
  delete ListIterator.prototype.constructor;
  ObjectSetPrototypeOf(ListIterator.prototype, IteratorPrototype);
  expose(ListIterator, `${name} Iterator`, ["next"]);
  const walk = (self, pick) => {
    pairsOf(self);
    return new ListIterator(() => pairsOf(self), pick);
  };
  mixIn(Class, {
    keys() { return walk(this, 0); },
    values() { return walk(this, 1); },
    entries() { return walk(this, 2); },
    forEach(callback, self = undefined) {
      need(`${name}.forEach`, arguments.length, 1);
      if (typeof callback !== "function") {
        throw new TypeError(
          `Failed to execute 'forEach' on '${name}': parameter 1 is not of type 'Function'.`);
      }
      for (let i = 0; i < pairsOf(this).length; i++) {
        const pair = pairsOf(this)[i];
        ReflectApply(callback, self, [pair[1], pair[0], this]);
      }
    },
  });
  ObjectDefineProperties(Class.prototype, {
    [SymbolIterator]: {
      __proto__: null, configurable: true, writable: true, value: Class.prototype.entries,
    },
  });
}

/** A text of bytes. */
export function toByteString(value) {
  const text = toText(value);
  for (let i = 0; i < text.length; i++) {
    const code = StringPrototypeCharCodeAt(text, i);
    if (code > 255) {
      throw new TypeError("Cannot convert argument to a ByteString because the character at index " +
        `${i} has a value of ${code} which is greater than 255.`);
    }
  }
  return text;
}

/** Does every character stand in this text, and is there one? */
export function isOf(list, text) {
  for (let i = 0; i < text.length; i++) if (!StringPrototypeIncludes(list, text[i])) return false;
  return text !== "";
}

/** Without the characters of a list at both ends. */
export function trimmed(list, text) {
  let from = 0;
  let to = text.length;
  while (from < to && StringPrototypeIncludes(list, text[from])) from++;
  while (from < to && StringPrototypeIncludes(list, text[to - 1])) to--;
  return StringPrototypeSlice(text, from, to);
}
