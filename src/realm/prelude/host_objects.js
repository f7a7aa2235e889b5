// What the host lends to programs: structuredClone, performance, crypto.
import {
  DOMException, NumberPrototypeToString, ObjectDefineProperties, StringPrototypePadStart,
  SymbolToStringTag, TypedArrayPrototypeGetBuffer, TypedArrayPrototypeGetByteLength,
  TypedArrayPrototypeGetByteOffset, TypedArrayPrototypeGetSymbolToStringTag, Uint8Array,
} from "primordials";
import { clone, now, random, wall } from "./native.js";
import { illegalConstructor, invalidThis, missingArguments } from "./errors.js";
import { isTypedArray } from "./inspect_types.js";
import { EventTarget } from "./event_target.js";

const visible = { __proto__: null, enumerable: true };
const tag = (value) => ({ __proto__: null, configurable: true, value });

export const { structuredClone } = {
  structuredClone(value, options) {
    if (arguments.length === 0) throw missingArguments("value");
    return clone(value, options);
  },
};

const secret = {};

// When the run began; asked once, since the two clocks need not tick together.
let origin;
const beginning = () => (origin ??= wall() - now());

class Performance extends EventTarget {
  #brand = true;

  constructor(key) {
    if (key !== secret) throw illegalConstructor();
    super();
  }

  static #check(self) {
    if (typeof self !== "object" || self === null || !(#brand in self)) {
      throw invalidThis("Performance");
    }
  }

  // Whole milliseconds: a program must not time what it cannot see.
  now() {
    Performance.#check(this);
    return now();
  }

  get timeOrigin() {
    Performance.#check(this);
    return beginning();
  }

  toJSON() {
    Performance.#check(this);
    return { timeOrigin: beginning() };
  }
}

ObjectDefineProperties(Performance.prototype, {
  now: visible, timeOrigin: visible, toJSON: visible, [SymbolToStringTag]: tag("Performance"),
});

class Crypto {
  #brand = true;

  constructor(key) {
    if (key !== secret) throw illegalConstructor();
  }

  static #check(self) {
    if (typeof self !== "object" || self === null || !(#brand in self)) throw invalidThis("Crypto");
  }

  getRandomValues(array) {
    Crypto.#check(this);
    if (arguments.length === 0) throw missingArguments("typedArray");
    const kind = isTypedArray(array) ? TypedArrayPrototypeGetSymbolToStringTag(array) : "Float";
    if (kind[0] === "F") {
      throw new DOMException("The data argument must be an integer-type TypedArray",
        "TypeMismatchError");
    }
    const length = TypedArrayPrototypeGetByteLength(array);
    if (length > 65536) {
      throw new DOMException(`The requested length exceeds 65,536 bytes`, "QuotaExceededError");
    }
    random(new Uint8Array(TypedArrayPrototypeGetBuffer(array),
      TypedArrayPrototypeGetByteOffset(array), length));
    return array;
  }

  randomUUID() {
    Crypto.#check(this);
    const bytes = new Uint8Array(16);
    random(bytes);
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    let out = "";
    for (let i = 0; i < 16; i++) {
      if (i === 4 || i === 6 || i === 8 || i === 10) out += "-";
      out += StringPrototypePadStart(NumberPrototypeToString(bytes[i], 16), 2, "0");
    }
    return out;
  }
}

ObjectDefineProperties(Crypto.prototype, {
  getRandomValues: visible, randomUUID: visible, [SymbolToStringTag]: tag("Crypto"),
});

export const performance = new Performance(secret);
export const crypto = new Crypto(secret);
export { Crypto, Performance };
