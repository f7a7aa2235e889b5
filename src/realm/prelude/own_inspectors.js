// How objects of the prelude's own classes (URL, AbortSignal, ...) are shown. Programs cannot add
// to this: a console call runs no code of theirs.
import { WeakMap, WeakMapPrototypeGet, WeakMapPrototypeSet } from "primordials";
import { prototype } from "./native.js";

const inspectors = new WeakMap();

/** Objects with this prototype are shown by `show(depth, options, inspect)` with the object as this. */
export function showInstances(proto, show) {
  WeakMapPrototypeSet(inspectors, proto, show);
}

export function ownInspectorOf(value) {
  for (let proto = prototype(value); proto !== null; proto = prototype(proto)) {
    const show = WeakMapPrototypeGet(inspectors, proto);
    if (show !== undefined) return show;
  }
  return undefined;
}
