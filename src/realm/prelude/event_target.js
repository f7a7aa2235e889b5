// Event, CustomEvent and EventTarget (DOM Standard, section 2) in a world without a tree: an event
// has one target and no path beyond it.
import {
  ArrayPrototypePush, ArrayPrototypeSlice, ArrayPrototypeSplice, Error, ObjectDefineProperties,
  ObjectDefineProperty, Promise, ReflectApply, SafeMap, SymbolToStringTag, TypeError, WeakMap,
  WeakMapPrototypeGet, WeakMapPrototypeSet,
} from "primordials";
import { now, uncurry } from "./native.js";
import { toText } from "./convert.js";
import { codedError, invalidThis, missingArguments } from "./errors.js";
import { showInstances } from "./own_inspectors.js";

const visible = { __proto__: null, enumerable: true };
const tag = (value) => ({ __proto__: null, configurable: true, value });

// What dispatch does to an event, out of the program's reach.
let begin;
let finish;
let isEvent;
let isDispatching;
let stoppedAtOnce;
let wasCanceled;
let trust;
let eventFacts;

export class Event {
  #type;
  #bubbles;
  #cancelable;
  #composed;
  #timeStamp = now();
  #target = null;
  #current = null;
  #phase = 0;
  #canceled = false;
  #stopped = false;
  #stoppedAtOnce = false;
  #dispatching = false;
  #passive = false;
  #trusted = false;

  static {
    isEvent = (value) => typeof value === "object" && value !== null && #type in value;
    isDispatching = (event) => event.#dispatching;
    begin = (event, target) => {
      event.#dispatching = true;
      event.#target = event.#current = target;
      event.#phase = 2;
    };
    finish = (event) => {
      event.#dispatching = event.#stopped = event.#stoppedAtOnce = false;
      event.#current = null;
      event.#phase = 0;
    };
    eventFacts = (event) => ({
      type: event.#type, defaultPrevented: event.#cancelable && event.#canceled,
      cancelable: event.#cancelable, timeStamp: event.#timeStamp,
    });
    stoppedAtOnce = (event, passive) => {
      event.#passive = passive;
      return event.#stoppedAtOnce;
    };
    wasCanceled = (event) => event.#canceled;
    trust = (event) => { event.#trusted = true; return event; };
  }

  constructor(type, options = undefined) {
    if (arguments.length === 0) throw missingArguments("type");
    if (options !== undefined && options !== null && typeof options !== "object" &&
        typeof options !== "function") {
      throw codedError(TypeError, "ERR_INVALID_ARG_TYPE",
        'The "options" argument must be of type object.');
    }
    this.#type = toText(type);
    this.#bubbles = !!options?.bubbles;
    this.#cancelable = !!options?.cancelable;
    this.#composed = !!options?.composed;
  }

  static #of(self) {
    if (!isEvent(self)) throw invalidThis("Event");
    return self;
  }

  initEvent(type, bubbles = false, cancelable = false) {
    if (arguments.length === 0) throw missingArguments("type");
    if (Event.#of(this).#dispatching) return;
    this.#type = toText(type);
    this.#bubbles = !!bubbles;
    this.#cancelable = !!cancelable;
  }
  stopImmediatePropagation() { Event.#of(this).#stopped = this.#stoppedAtOnce = true; }
  preventDefault() {
    if (Event.#of(this).#cancelable && !this.#passive) this.#canceled = true;
  }
  get target() { return Event.#of(this).#target; }
  get currentTarget() { return Event.#of(this).#current; }
  get srcElement() { return Event.#of(this).#target; }
  get type() { return Event.#of(this).#type; }
  get cancelable() { return Event.#of(this).#cancelable; }
  get defaultPrevented() { return Event.#of(this).#cancelable && this.#canceled; }
  get timeStamp() { return Event.#of(this).#timeStamp; }
  composedPath() { return Event.#of(this).#dispatching ? [this.#current] : []; }
  get returnValue() { return !Event.#of(this).#canceled; }
  get bubbles() { return Event.#of(this).#bubbles; }
  get composed() { return Event.#of(this).#composed; }
  get eventPhase() { return Event.#of(this).#phase; }
  get isTrusted() { return Event.#of(this).#trusted; }
  get cancelBubble() { return Event.#of(this).#stopped; }
  set cancelBubble(value) { if (value) Event.#of(this).#stopped = true; }
  stopPropagation() { Event.#of(this).#stopped = true; }

  static NONE = 0;
  static CAPTURING_PHASE = 1;
  static AT_TARGET = 2;
  static BUBBLING_PHASE = 3;
}

ObjectDefineProperties(Event.prototype, {
  [SymbolToStringTag]: tag("Event"),
  initEvent: visible, stopImmediatePropagation: visible, preventDefault: visible, target: visible,
  currentTarget: visible, srcElement: visible, type: visible, cancelable: visible,
  defaultPrevented: visible, timeStamp: visible, composedPath: visible, returnValue: visible,
  bubbles: visible, composed: visible, eventPhase: visible, cancelBubble: visible,
  stopPropagation: visible, isTrusted: visible,
});

export class CustomEvent extends Event {
  #detail;

  constructor(type, options = undefined) {
    if (arguments.length === 0) throw missingArguments("type");
    super(type, options);
    this.#detail = options?.detail ?? null;
  }

  get detail() {
    if (typeof this !== "object" || this === null || !(#detail in this)) {
      throw invalidThis("CustomEvent");
    }
    return this.#detail;
  }
}

ObjectDefineProperties(CustomEvent.prototype, {
  [SymbolToStringTag]: tag("CustomEvent"),
  detail: visible,
});

// What a listener throws must not stop the others: it is reported as a rejection nobody handled.
function report(error) {
  new Promise((resolve, reject) => reject(error));
}

function callListener(target, listener, event) {
  try {
    const { callback } = listener;
    if (typeof callback === "function") ReflectApply(callback, target, [event]);
    else ReflectApply(callback.handleEvent, callback, [event]);
  } catch (error) {
    report(error);
  }
}

let isTarget;

export class EventTarget {
  #listeners = new SafeMap(); // type -> list of { callback, capture, once, passive, removed }

  static {
    isTarget = (value) => typeof value === "object" && value !== null && #listeners in value;
  }

  static #of(self) {
    if (!isTarget(self)) throw invalidThis("EventTarget");
    return self.#listeners;
  }

  addEventListener(type, callback, options = undefined) {
    const listeners = EventTarget.#of(this);
    if (arguments.length < 2) throw missingArguments("type", "listener");
    if (callback === null || callback === undefined) return;
    if (typeof callback !== "function" && typeof callback !== "object") {
      throw codedError(TypeError, "ERR_INVALID_ARG_TYPE",
        'The "listener" argument must be an instance of EventListener.');
    }
    const more = typeof options === "object" && options !== null ? options : undefined;
    const listener = {
      __proto__: null, callback, capture: more === undefined ? !!options : !!more.capture,
      once: !!more?.once, passive: !!more?.passive, removed: false,
    };
    const signal = more?.signal;
    if (signal !== undefined && !isTarget(signal)) {
      throw codedError(TypeError, "ERR_INVALID_ARG_TYPE",
        'The "options.signal" property must be an instance of AbortSignal.');
    }
    if (signal?.aborted) return;
    type = toText(type);
    const list = listeners.get(type) ?? [];
    for (let i = 0; i < list.length; i++) {
      if (list[i].callback === callback && list[i].capture === listener.capture) return;
    }
    listeners.set(type, list);
    ArrayPrototypePush(list, listener);
    if (signal !== undefined) {
      add(signal, "abort", () => remove(this, type, callback, listener.capture), { once: true });
    }
  }

  removeEventListener(type, callback, options = undefined) {
    const listeners = EventTarget.#of(this);
    if (arguments.length < 2) throw missingArguments("type", "listener");
    const capture = typeof options === "object" && options !== null ? !!options.capture : !!options;
    const list = listeners.get(toText(type));
    for (let i = 0; list !== undefined && i < list.length; i++) {
      if (list[i].callback !== callback || list[i].capture !== capture) continue;
      list[i].removed = true;
      ArrayPrototypeSplice(list, i, 1);
      return;
    }
  }

  dispatchEvent(event) {
    const listeners = EventTarget.#of(this);
    if (arguments.length < 1) throw missingArguments("event");
    if (!isEvent(event)) {
      throw codedError(TypeError, "ERR_INVALID_ARG_TYPE",
        'The "event" argument must be an instance of Event.');
    }
    if (isDispatching(event)) {
      throw codedError(Error, "ERR_EVENT_RECURSION",
        `The event "${typeOf(event)}" is already being dispatched`);
    }
    dispatch(this, listeners, event);
    return !wasCanceled(event);
  }
}

const add = uncurry(EventTarget.prototype.addEventListener);
const remove = uncurry(EventTarget.prototype.removeEventListener);
const typeOf = uncurry(Object.getOwnPropertyDescriptor(Event.prototype, "type").get);

// Those registered when it began are called, unless they were removed meanwhile.
function dispatch(target, listeners, event) {
  const list = listeners.get(typeOf(event));
  const called = list === undefined ? [] : ArrayPrototypeSlice(list);
  begin(event, target);
  for (let i = 0; i < called.length; i++) {
    const listener = called[i];
    if (listener.removed) continue;
    if (stoppedAtOnce(event, listener.passive)) break;
    if (listener.once) remove(target, typeOf(event), listener.callback, listener.capture);
    callListener(target, listener, event);
  }
  finish(event);
}

ObjectDefineProperties(EventTarget.prototype, {
  addEventListener: visible, removeEventListener: visible, dispatchEvent: visible,
  [SymbolToStringTag]: tag("EventTarget"),
});

showInstances(Event.prototype, {
  facts: (event) => (isEvent(event) ? eventFacts(event) : undefined),
});
showInstances(EventTarget.prototype, {
  facts: (target) => (isTarget(target) ? {} : undefined),
});

/** Gives `prototype` an attribute `on<type>`: a listener that is set like a property. */
export function defineHandler(prototype, type) {
  const handlers = new WeakMap();
  const name = `on${type}`;
  const methods = {
    get [name]() { return WeakMapPrototypeGet(handlers, this)?.value ?? null; },
    set [name](value) {
      let handler = WeakMapPrototypeGet(handlers, this);
      if (handler === undefined) {
        handler = { __proto__: null, value: null };
        WeakMapPrototypeSet(handlers, this, handler);
        add(this, type, (event) => {
          if (handler.value !== null) ReflectApply(handler.value, this, [event]);
        });
      }
      handler.value = typeof value === "function" ? value : null;
    },
  };
  const accessor = Object.getOwnPropertyDescriptor(methods, name);
  ObjectDefineProperty(prototype, name, {
    __proto__: null, get: accessor.get, set: accessor.set, enumerable: true, configurable: true,
  });
}

/** Dispatches an event the program did not make. */
export function dispatchTrusted(target, type) {
  dispatchTo(target, trust(new Event(type)));
}
const dispatchTo = uncurry(EventTarget.prototype.dispatchEvent);
