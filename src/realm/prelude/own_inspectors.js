// How objects of the prelude's own classes (URL, AbortSignal, ...) are shown. Programs cannot add
// to this: a console call runs no code of theirs.
import { WeakMap, WeakMapPrototypeGet, WeakMapPrototypeSet } from "primordials";
import { get, prototype } from "./native.js";

const inspectors = new WeakMap();

/**
 * Objects with this prototype are shown as `Name { ... }` with what `facts(object)` gives. Undefined
 * facts leave the object to the general rules, as does being too deep when `whole` is set; else
 * `deep`, or the name, stands there then.
 */
export function showInstances(proto, how) {
  const { facts, whole = false, named = true, keepDepth = false, deep } = how;
  WeakMapPrototypeSet(inspectors, proto, function show(depth, options, inspect) {
    const name = named ? className(this) : "";
    if (depth < 0) return whole ? this : (deep ?? name);
    const found = facts(this);
    if (found === undefined) return this;
    if (typeof found === "string") return `${name} ${found}`;
    if (!keepDepth && options.depth !== null) options.depth -= 1;
    return `${name}${named ? " " : ""}${inspect(found, options)}`;
  });
}

function className(object) {
  const name = get(get(object, "constructor"), "name");
  return typeof name === "string" ? name : "Object";
}

export function ownInspectorOf(value) {
  for (let proto = prototype(value); proto !== null; proto = prototype(proto)) {
    const show = WeakMapPrototypeGet(inspectors, proto);
    if (show !== undefined) return show;
  }
  return undefined;
}
