// How globals are put in place: as browsers and Node do it, so that a program may replace them but
// never lists them.

/** Defines globals that are writable, configurable and not enumerable. */
export function installGlobals(values) {
  for (const name of Object.keys(values)) {
    const value = values[name];
    Object.defineProperty(globalThis, name, {
      value, writable: true, enumerable: false, configurable: true,
    });
    if (typeof value === "function" && value.name !== name) {
      Object.defineProperty(value, "name", { value: name, configurable: true });
    }
  }
}

/** Takes away what the engine brings and no program should find. */
export function removeGlobals(names) {
  for (const name of names) delete globalThis[name];
}
