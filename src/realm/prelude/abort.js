// AbortController and AbortSignal (DOM Standard, section 3).
import {
  ArrayPrototypePush, DOMException, ObjectDefineProperties, setTimeout, SymbolToStringTag,
  TypeError,
} from "primordials";
import { codedError, illegalConstructor, invalidThis } from "./errors.js";
import { defineHandler, dispatchTrusted, EventTarget } from "./event_target.js";
import { showInstances } from "./own_inspectors.js";

const visible = { __proto__: null, enumerable: true };
const tag = (value) => ({ __proto__: null, configurable: true, value });
const secret = {};

let abort;
let isSignal;
let isAborted;
let reasonOf;
let follow;

export class AbortSignal extends EventTarget {
  #aborted = false;
  #reason;
  #dependents = [];
  #dependent = false; // made by any(): nothing depends on it, but on what it was made of
  #sources = [];

  static {
    isSignal = (value) => typeof value === "object" && value !== null && #aborted in value;
    // All that depend on it are aborted before any listener runs.
    abort = (signal, reason) => {
      if (signal.#aborted) return;
      const all = [signal];
      mark(signal, reason);
      for (let i = 0; i < signal.#dependents.length; i++) {
        const dependent = signal.#dependents[i];
        if (dependent.#aborted) continue;
        mark(dependent, reason);
        ArrayPrototypePush(all, dependent);
      }
      signal.#dependents = [];
      for (let i = 0; i < all.length; i++) dispatchTrusted(all[i], "abort");
    };
    isAborted = (signal) => signal.#aborted;
    reasonOf = (signal) => signal.#reason;
    const mark = (signal, reason) => {
      signal.#aborted = true;
      signal.#reason = reason;
    };
    const link = (signal, source) => {
      ArrayPrototypePush(signal.#sources, source);
      ArrayPrototypePush(source.#dependents, signal);
    };
    follow = (signal, source) => {
      signal.#dependent = true;
      if (!source.#dependent) return link(signal, source);
      for (let i = 0; i < source.#sources.length; i++) link(signal, source.#sources[i]);
    };
  }

  constructor(key = undefined) {
    if (key !== secret) throw illegalConstructor();
    super();
  }

  static #of(self) {
    if (!isSignal(self)) throw invalidThis("AbortSignal");
    return self;
  }

  get aborted() { return AbortSignal.#of(this).#aborted; }
  get reason() { return AbortSignal.#of(this).#reason; }

  throwIfAborted() {
    if (AbortSignal.#of(this).#aborted) throw this.#reason;
  }

  static abort(reason = new DOMException("This operation was aborted", "AbortError")) {
    const signal = new AbortSignal(secret);
    signal.#aborted = true;
    signal.#reason = reason;
    return signal;
  }

  static timeout(delay) {
    if (typeof delay !== "number") {
      throw codedError(TypeError, "ERR_INVALID_ARG_TYPE",
        'The "delay" argument must be of type number.');
    }
    if (!(delay >= 0) || delay > 4294967295 || delay % 1 !== 0) {
      throw codedError(RangeError, "ERR_OUT_OF_RANGE",
        'The value of "delay" is out of range. It must be an integer >= 0 && <= 4294967295.');
    }
    const signal = new AbortSignal(secret);
    setTimeout(() => {
      abort(signal, new DOMException("The operation was aborted due to timeout", "TimeoutError"));
    }, delay);
    return signal;
  }

  static any(signals) {
    if (signals === null || typeof signals !== "object") {
      throw codedError(TypeError, "ERR_INVALID_ARG_TYPE",
        'The "signals" argument must be an instance of Iterable.');
    }
    const result = new AbortSignal(secret);
    const list = [];
    for (const signal of signals) {
      if (!isSignal(signal)) {
        throw codedError(TypeError, "ERR_INVALID_ARG_TYPE",
          'The "signals" argument must be an instance of AbortSignal.');
      }
      ArrayPrototypePush(list, signal);
    }
    for (let i = 0; i < list.length; i++) {
      if (list[i].#aborted) {
        result.#aborted = true;
        result.#reason = list[i].#reason;
        return result;
      }
    }
    for (let i = 0; i < list.length; i++) follow(result, list[i]);
    return result;
  }
}

ObjectDefineProperties(AbortSignal.prototype, {
  aborted: visible,
  [SymbolToStringTag]: tag("AbortSignal"),
});
ObjectDefineProperties(AbortSignal, { abort: visible, timeout: visible, any: visible });
defineHandler(AbortSignal.prototype, "abort");

showInstances(AbortSignal.prototype, {
  facts: (signal) => (isSignal(signal) ? { aborted: isAborted(signal) } : undefined), whole: true,
});

let controllerSignal;
let isController;

export class AbortController {
  #signal = new AbortSignal(secret);

  static {
    isController = (value) => typeof value === "object" && value !== null && #signal in value;
    controllerSignal = (self) => {
      if (!isController(self)) throw invalidThis("AbortController");
      return self.#signal;
    };
  }

  get signal() { return controllerSignal(this); }

  abort(reason = new DOMException("This operation was aborted", "AbortError")) {
    abort(controllerSignal(this), reason);
  }
}

ObjectDefineProperties(AbortController.prototype, {
  signal: visible, abort: visible, [SymbolToStringTag]: tag("AbortController"),
});
showInstances(AbortController.prototype, {
  facts: (self) => (isController(self) ? { signal: controllerSignal(self) } : undefined),
  whole: true,
});

export { isAborted, isSignal, reasonOf };
